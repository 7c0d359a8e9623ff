//! Heads of messages in their three forms.

use super::{Form, MAX_NAME, relays, ttheader};
use polywire_base::Output;
use polywire_formats::thrift::{Encoding, varint};
use polywire_wire::WireError;

pub(super) const CALL: u8 = 1;
pub(super) const REPLY: u8 = 2;
pub(super) const EXCEPTION: u8 = 3;
pub(super) const ONEWAY: u8 = 4;

/// Most bytes of a head.
pub(super) const MAX_HEAD: usize = 12 + MAX_NAME;

/// Before a byte that Apache's specification calls unused, and that no implementation reads.
const STRICT: [u8; 2] = [0x80, 1];
/// First byte of a message of the compact protocol, and its version, which is in the low bits of the second.
const COMPACT: u8 = 0x82;
const COMPACT_VERSION: u8 = 1;

/// The head of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Message<'a> {
    pub kind: u8,
    pub name: &'a [u8],
    pub seqid: i32,
    /// Binary: whether it has the version.
    pub strict: bool,
    /// How many relays the call has passed, 9 at most. Binary with the version: the unused byte, in which
    /// they count themselves; else see `relays.rs`.
    pub relays: u8,
    /// Bytes of the head.
    pub bytes: usize,
}

/// Reads a head; `None`: it is not complete.
///
/// # Errors
/// The bytes are not a head, or its name is too long.
#[inline]
pub(super) fn read(encoding: Encoding, bytes: &[u8]) -> Result<Option<Message<'_>>, WireError> {
    match encoding {
        Encoding::Binary if bytes.first().is_some_and(|first| first & 0x80 != 0) => read_strict(bytes),
        Encoding::Binary => read_old(bytes),
        Encoding::Compact => read_compact(bytes),
    }
}

#[inline]
fn read_strict(bytes: &[u8]) -> Result<Option<Message<'_>>, WireError> {
    let shown = bytes.len().min(STRICT.len());
    if bytes[..shown] != STRICT[..shown] {
        return Err(WireError::BadMagic);
    }
    let (Some(&[relays, kind]), Some(name)) =
        (bytes.get(2..4).and_then(<[u8]>::first_chunk), bytes.get(4..8))
    else {
        return Ok(None);
    };
    let end = 8 + name_length(number(name).into())?;
    let (Some(name), Some(seqid)) = (bytes.get(8..end), bytes.get(end..end + 4)) else { return Ok(None) };
    Ok(Some(Message {
        kind,
        name,
        seqid: number(seqid) as i32,
        strict: true,
        relays: relays.min(9),
        bytes: end + 4,
    }))
}

fn read_old(bytes: &[u8]) -> Result<Option<Message<'_>>, WireError> {
    let Some(name) = bytes.get(..4) else { return Ok(None) };
    let end = 4 + name_length(number(name).into())?;
    let (Some(name), Some(&kind)) = (bytes.get(4..end), bytes.get(end)) else { return Ok(None) };
    let Some(seqid) = bytes.get(end + 1..end + 5) else { return Ok(None) };
    let seqid = number(seqid) as i32;
    Ok(Some(Message { kind, name, seqid, strict: false, relays: relays::of(seqid), bytes: end + 5 }))
}

#[inline]
fn read_compact(bytes: &[u8]) -> Result<Option<Message<'_>>, WireError> {
    if bytes.first().is_some_and(|&first| first != COMPACT) {
        return Err(WireError::BadMagic);
    }
    let Some(&second) = bytes.get(1) else { return Ok(None) };
    if second & 0x1f != COMPACT_VERSION {
        return Err(WireError::Malformed("another version of the compact protocol"));
    }
    let number = |at: usize| {
        let read = varint(bytes.get(at..).unwrap_or(&[]), 5);
        read.map_err(|_| WireError::Malformed("a number of too many bytes"))
    };
    let Some((seqid, used)) = number(2)? else { return Ok(None) };
    let at = 2 + used;
    let Some((length, used)) = number(at)? else { return Ok(None) };
    let (start, end) = (at + used, at + used + name_length(length)?);
    let Some(name) = bytes.get(start..end) else { return Ok(None) };
    let seqid = seqid as u32 as i32;
    Ok(Some(Message { kind: second >> 5, name, seqid, strict: true, relays: relays::of(seqid), bytes: end }))
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn name_length(length: u64) -> Result<usize, WireError> {
    if length > MAX_NAME as u64 {
        return Err(WireError::Malformed("the name of a method is too long"));
    }
    Ok(length as usize)
}

/// Whether this first byte begins a compact message.
pub(super) fn is_compact(first: u8) -> bool {
    first == COMPACT
}

/// Writes the head of a message, with that of its frame, before a struct of this many bytes. The name is
/// given in parts. `infos` and flags are those of a TTHeader, if the form has one.
///
/// # Errors
/// The frame would exceed the maximum of its length field.
#[inline]
pub(super) fn write(
    out: &mut Output,
    form: Form,
    (infos, flags): (&[u8], u16),
    (kind, relays, seqid): (u8, u8, i32),
    name: [&[u8]; 3],
    body: usize,
) -> Result<(), TooLong> {
    let length: usize = name.iter().map(|part| part.len()).sum();
    let mut seq = [0; 5];
    let seq = put_varint(&mut seq, seqid as u32);
    let mut count = [0; 5];
    let count = put_varint(&mut count, length as u32);
    let head = match (form.encoding, form.strict) {
        (Encoding::Binary, true) => 12 + length,
        (Encoding::Binary, false) => 9 + length,
        (Encoding::Compact, _) => 2 + seq.len() + count.len() + length,
    };
    let framed =
        if form.framed { i32::try_from(head + body).map_err(|_| TooLong)?.to_be_bytes() } else { [0; 4] };
    let framed = if form.framed { &framed[..] } else { &[] };
    if form.ttheader {
        let fixed = ttheader::fixed(infos, flags, seqid, framed.len() + head + body).ok_or(TooLong)?;
        out.put(&fixed);
        out.put(infos);
    }
    out.put(framed);
    match (form.encoding, form.strict) {
        (Encoding::Binary, true) => {
            let [a, b, c, d] = (length as u32).to_be_bytes();
            out.put(&[STRICT[0], STRICT[1], relays, kind, a, b, c, d]);
            name.iter().for_each(|part| out.put(part));
            out.put(&seqid.to_be_bytes());
        }
        (Encoding::Binary, false) => {
            out.put(&(length as u32).to_be_bytes());
            name.iter().for_each(|part| out.put(part));
            let [a, b, c, d] = seqid.to_be_bytes();
            out.put(&[kind, a, b, c, d]);
        }
        (Encoding::Compact, _) => {
            out.put(&[COMPACT, kind << 5 | COMPACT_VERSION]);
            out.put(seq);
            out.put(count);
            name.iter().for_each(|part| out.put(part));
        }
    }
    Ok(())
}

/// The message exceeds the maximum length of a frame.
#[derive(Debug)]
pub(super) struct TooLong;

#[inline]
fn put_varint(room: &mut [u8; 5], mut value: u32) -> &[u8] {
    let mut at = 0;
    while value >= 0x80 {
        room[at] = value as u8 | 0x80;
        value >>= 7;
        at += 1;
    }
    room[at] = value as u8;
    &room[..=at]
}
