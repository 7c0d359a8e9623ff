//! Thrift, framed and binary. Decided by bytes 4 to 6, the strict version `80 01 00`, behind a big-endian length of at
//! most 64 MiB, whose first byte therefore is at most 4.
//!
//! Source: docs/wire/thrift_framed.md

use super::{EXCLUSIVE, magic, recognised};
use polywire_wire::{Protocol, Sniff};

/// First byte of the longest frame's length.
const LONGEST: u8 = 4;

pub(crate) static PROTOCOL: Protocol = recognised("thrift", sniff, false, EXCLUSIVE);

fn sniff(bytes: &[u8]) -> Sniff {
    match (bytes.first(), bytes.get(4..)) {
        (Some(&first), _) if first > LONGEST => Sniff::NotMine,
        (_, Some(version)) => magic(&[0x80, 1, 0], version),
        (_, None) => Sniff::NeedMore(1),
    }
}
