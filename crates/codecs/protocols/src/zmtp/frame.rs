//! Frames: their heads, and messages as frames back to back.
//!
//! | offset | size | field |
//! | --- | --- | --- |
//! | 0 | 1 | flags: bit 0 MORE, bit 1 LONG, bit 2 COMMAND, others zero |
//! | 1 | 1 or 8 | length of the body: u8, or with LONG u64 big-endian, top bit zero |
//!
//! Source: docs/wire/zmtp.md, section 2

use super::error::Fault;
use bytes::{BufMut, Bytes, BytesMut};
use polywire_base::{IoBuf, Output};

pub(super) const MORE: u8 = 1;
pub(super) const LONG: u8 = 2;
pub(super) const COMMAND: u8 = 4;
/// Longest head in bytes.
pub(super) const MAX_HEAD: usize = 9;
/// Longest body of a short frame.
const SHORT: usize = 255;

/// The head of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub flags: u8,
    /// Length of the head: 2 or 9.
    pub head: usize,
    /// Length of the body.
    pub body: usize,
}

impl Head {
    /// The head at the front; `None`: not yet whole. Hot: once per frame.
    #[inline]
    pub fn read(front: &[u8], most: usize) -> Result<Option<Head>, Fault> {
        let Some(&flags) = front.first() else { return Ok(None) };
        if flags & !(MORE | LONG | COMMAND) != 0 || flags & (MORE | COMMAND) == (MORE | COMMAND) {
            return Err(Fault::Flags);
        }
        let (head, body) = if flags & LONG == 0 {
            let Some(&body) = front.get(1) else { return Ok(None) };
            (2, usize::from(body))
        } else {
            let Some(body) = front.get(1..MAX_HEAD) else { return Ok(None) };
            let body = u64::from_be_bytes(body.try_into().expect("eight bytes"));
            (MAX_HEAD, usize::try_from(body).map_err(|_| Fault::TooLarge)?)
        };
        if body > most {
            return Err(Fault::TooLarge);
        }
        Ok(Some(Head { flags, head, body }))
    }

    pub fn total(&self) -> usize {
        self.head + self.body // `body` is at most what a limit allows
    }

    pub fn is_command(&self) -> bool {
        self.flags & COMMAND != 0
    }

    pub fn has_more(&self) -> bool {
        self.flags & MORE != 0
    }
}

/// Writes the head of a frame: "Send short when size <= 255."
#[inline]
pub(super) fn put_head(out: &mut BytesMut, flags: u8, body: usize) {
    if body <= SHORT {
        out.put_slice(&[flags, body as u8]);
    } else {
        out.put_u8(flags | LONG);
        out.put_u64(body as u64);
    }
}

/// Writes one frame whose body is in one piece.
pub(super) fn put(out: &mut BytesMut, flags: u8, body: &[u8]) {
    put_head(out, flags, body.len());
    out.put_slice(body);
}

/// Writes a message: its frames in order, long ones by reference.
#[inline]
pub fn write_message<'f>(out: &mut Output, frames: impl IntoIterator<Item = &'f Bytes>) {
    let mut frames = frames.into_iter();
    let mut next = frames.next();
    while let Some(frame) = next {
        next = frames.next();
        put_head(out.tail(), if next.is_some() { MORE } else { 0 }, frame.len());
        if frame.len() < Output::SHARE_FROM { out.put(frame) } else { out.push(frame.clone()) }
    }
}

/// Iterates over the frames of messages in wire form. Each frame shares their memory, and comes with whether
/// more frames of its message follow. Bytes that are not a frame end the iteration; a machine delivers whole
/// frames only.
pub struct Frames(IoBuf);

impl Frames {
    pub fn of(wire: IoBuf) -> Self {
        Frames(wire)
    }
}

impl Iterator for Frames {
    type Item = (Bytes, bool);

    #[inline]
    fn next(&mut self) -> Option<(Bytes, bool)> {
        cut_frame(&mut self.0)
    }
}

/// Takes the first frame from messages in wire form; returns also whether more of its message follow. `None`
/// if there is no frame.
#[inline]
pub fn cut_frame(wire: &mut IoBuf) -> Option<(Bytes, bool)> {
    let here = wire.len();
    let head = match Head::read(wire.front(), here) {
        Ok(Some(head)) => head,
        Ok(None) => Head::read(wire.peek(here.min(MAX_HEAD))?, here).ok()??,
        Err(_) => return None,
    };
    if head.total() > here {
        return None;
    }
    wire.advance(head.head);
    Some((wire.cut(head.body).into_bytes(), head.has_more()))
}

pub(super) fn head_bytes(body: usize) -> usize {
    if body <= SHORT { 2 } else { MAX_HEAD }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_255_is_short_and_256_is_long() {
        for (length, head) in [(0, 2), (255, 2), (256, 9), (70_000, 9)] {
            let mut out = BytesMut::new();
            put_head(&mut out, MORE, length);
            let read = Head::read(&out, 1 << 20).unwrap().unwrap();
            assert_eq!((read.head, read.body, read.has_more()), (head, length, true));
            for short in 0..out.len() {
                assert_eq!(Head::read(&out[..short], 1 << 20), Ok(None));
            }
        }
    }

    #[test]
    fn reserved_flags_and_long_lengths_are_refused() {
        for flags in 0..=255u8 {
            let front = [flags, 0, 0, 0, 0, 0, 0, 0, 0];
            let legal = flags < 8 && flags & 5 != 5;
            assert_eq!(Head::read(&front, 10).is_ok(), legal, "{flags:#04x}");
        }
        assert_eq!(Head::read(&[0, 11], 10), Err(Fault::TooLarge));
        let mut long = [0xff; 9];
        long[0] = LONG;
        assert_eq!(Head::read(&long, usize::MAX >> 1), Err(Fault::TooLarge));
    }

    #[test]
    fn frames_of_a_message_come_back() {
        let frames = [Bytes::from_static(b"a"), Bytes::new(), Bytes::from(vec![7; 3000])];
        let mut out = Output::default();
        write_message(&mut out, &frames);
        let read: Vec<_> = Frames::of(out.take()).collect();
        assert_eq!(read.iter().map(|(f, _)| f.clone()).collect::<Vec<_>>(), frames);
        assert_eq!(read.iter().map(|(_, more)| *more).collect::<Vec<_>>(), [true, true, false]);
    }
}
