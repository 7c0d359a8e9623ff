//! Mongo's legacy wire protocol. Decided by the op code at offset 12; "the op_code set acts as the magic". A length below
//! the head's 16 bytes or above 64 MiB excludes it before.
//!
//! Asked before nshead, which has to wait for 28 bytes: a whole message of mongo can be shorter.
//!
//! Source: docs/wire/mongo.md, "Detection"

use polywire_wire::{Connections, Protocol, Sniff};

const HEAD_BYTES: usize = 16;
const LONGEST: u32 = 64 << 20;

/// Reply, msg, update, insert, query, get_more, delete, kill_cursors.
const OP_CODES: [u32; 8] = [1, 1000, 2001, 2002, 2004, 2005, 2006, 2007];

pub(crate) static PROTOCOL: Protocol =
    Protocol { name: "mongo", sniff, connections: &[Connections::Pooled], ..Protocol::DEFAULT };

fn sniff(bytes: &[u8]) -> Sniff {
    let length = bytes.first_chunk().map(|length| u32::from_le_bytes(*length));
    if length.is_some_and(|length| !(HEAD_BYTES as u32..=LONGEST).contains(&length)) {
        return Sniff::NotMine;
    }
    let op_code = bytes.get(12..bytes.len().min(HEAD_BYTES)).unwrap_or(&[]);
    if !OP_CODES.iter().any(|known| known.to_le_bytes().starts_with(op_code)) {
        return Sniff::NotMine;
    }
    if bytes.len() < HEAD_BYTES { Sniff::NeedMore(1) } else { Sniff::Mine }
}
