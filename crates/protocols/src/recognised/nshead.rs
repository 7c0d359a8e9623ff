//! nshead, and what travels in it: nova_pbrpc, public_pbrpc, nshead_mcpack, ubrpc. Decided by the magic at offset 24, so
//! any first byte may be its, and it is asked last.
//!
//! Source: docs/wire/nshead.md, "Detection"; which of the family it is, the server's configuration says

use super::{EXCLUSIVE, magic, recognised};
use polywire_wire::{Protocol, Sniff};

/// 0xfb709394, little-endian.
const MAGIC: [u8; 4] = [0x94, 0x93, 0x70, 0xfb];

pub(crate) static PROTOCOL: Protocol = recognised("nshead", sniff, false, EXCLUSIVE);

fn sniff(bytes: &[u8]) -> Sniff {
    match bytes.get(24..) {
        Some(at_magic) => magic(&MAGIC, at_magic),
        None => Sniff::NeedMore(1),
    }
}
