//! Thrift, framed and binary. Decided by bytes 4 to 6, the strict version `80 01 00`, after a big-endian length of at
//! most 64 MiB, whose first byte therefore is at most 4.
//!
//! Source: docs/wire/thrift_framed.md

use crate::sniff::magic;
use polywire_wire::{Connections, Protocol, Sniff};

/// First byte of the longest frame's length.
const LONGEST: u8 = 4;

pub(crate) static PROTOCOL: Protocol =
    Protocol { name: "thrift", sniff, connections: Connections::EXCLUSIVE, ..Protocol::DEFAULT };

fn sniff(bytes: &[u8]) -> Sniff {
    match (bytes.first(), bytes.get(4..)) {
        (Some(&first), _) if first > LONGEST => Sniff::NotMine,
        (_, Some(version)) => magic(&[0x80, 1, 0], version),
        (_, None) => Sniff::NeedMore(1),
    }
}
