//! "The op_code set acts as the magic": decided by the op code at offset 12, and before by a length that no
//! message has.
//!
//! Asked before nshead, which has to wait for 28 bytes: a whole message of mongo can be shorter.

use super::frame::{HEAD_BYTES, op_code};
use polywire_wire::Sniff;

/// Longest message that is recognised, in bytes.
const LONGEST: u32 = 64 << 20;

/// The op codes that a client may send, whether they are answered or not.
const OP_CODES: [u32; 10] = [
    op_code::REPLY,
    1000,
    op_code::UPDATE,
    op_code::INSERT,
    op_code::QUERY,
    op_code::GET_MORE,
    op_code::DELETE,
    op_code::KILL_CURSORS,
    op_code::COMPRESSED,
    op_code::MSG,
];

pub(super) fn sniff(bytes: &[u8]) -> Sniff {
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
