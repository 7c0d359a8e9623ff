//! rest_rpc, in both of its formats. Decided by the first byte, 0x27, and the shape behind it: "one byte of magic is weak".
//!
//! | offset | format A | format B |
//! | --- | --- | --- |
//! | 1 | type, 0 or 1 | 0 |
//! | 2, 3 | anything | 0; type, 0 or 1 |
//! | 4 | body length, below 10 MiB | function |
//! | 8 | request id | 0 |
//! | 16 | function | body length, u64 below 10 MiB in either byte order |
//! | 20 | msgpack array, unless function and body length are 0 | |
//! | 24 | | 0 |
//!
//! Which of the two it is does not matter here.
//!
//! Source: docs/wire/rest_rpc.md, sections 3, 4 and 6

use super::{ANY, recognised};
use polywire_wire::{Protocol, Sniff};

const MAGIC: u8 = 0x27;
const LONGEST: u64 = 10 << 20;

pub(crate) static PROTOCOL: Protocol = recognised("rest_rpc", sniff, false, ANY);

fn sniff(bytes: &[u8]) -> Sniff {
    if bytes.first().is_some_and(|&first| first != MAGIC) {
        return Sniff::NotMine;
    }
    match (format_a(bytes), format_b(bytes)) {
        (Sniff::Mine, _) | (_, Sniff::Mine) => Sniff::Mine,
        (Sniff::NeedMore(n), _) | (_, Sniff::NeedMore(n)) => Sniff::NeedMore(n),
        (Sniff::NotMine, Sniff::NotMine) => Sniff::NotMine,
    }
}

fn format_a(bytes: &[u8]) -> Sniff {
    let Some(head) = bytes.first_chunk::<20>() else {
        let excluded = bytes.get(1).is_some_and(|&kind| kind > 1)
            || bytes.get(4..8).is_some_and(|length| u64::from(u32_at(length)) >= LONGEST);
        return if excluded { Sniff::NotMine } else { Sniff::NeedMore(1) };
    };
    let (length, function) = (u32_at(&head[4..8]), u32_at(&head[16..20]));
    match (head[1], length, bytes.get(20)) {
        (0, 0, _) if function == 0 => Sniff::Mine, // a heartbeat
        (0 | 1, 1.., None) if u64::from(length) < LONGEST => Sniff::NeedMore(1),
        (0 | 1, 1.., Some(0x90..=0x9f | 0xdc | 0xdd)) if u64::from(length) < LONGEST => Sniff::Mine,
        _ => Sniff::NotMine,
    }
}

fn format_b(bytes: &[u8]) -> Sniff {
    let zero = |from: usize, to: usize| bytes.iter().take(to).skip(from).all(|&byte| byte == 0);
    let kind_fits = bytes.get(3).is_none_or(|&kind| kind <= 1);
    let length_fits = bytes.get(16..24).is_none_or(|length| {
        let length: [u8; 8] = length.try_into().expect("eight bytes");
        u64::from_le_bytes(length).min(u64::from_be_bytes(length)) < LONGEST
    });
    if !(zero(1, 3) && kind_fits && zero(8, 16) && length_fits && zero(24, 32)) {
        return Sniff::NotMine;
    }
    if bytes.len() < 32 { Sniff::NeedMore(1) } else { Sniff::Mine }
}

fn u32_at(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes"))
}
