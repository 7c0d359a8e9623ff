//! The two formats, and the head of a frame in each.

use polywire_wire::{Content, Sniff, WireError};

pub(super) const MAGIC: u8 = 0x27;
/// Bodies of format A are shorter, "else the connection closes".
const LIMIT_A: u32 = 10 << 20;
/// If the first body in format B is longer than this, the connection is taken to be of another protocol:
/// "default 64 MiB".
const SNIFFED_B: u64 = 64 << 20;

/// The format of frames and values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// v0.12 and v0.20: msgpack, replies in any order.
    A,
    /// v0.21: struct_pack and text, replies in order.
    B,
    /// B between peers that both called `enable_cross_ending(true)`: numbers of heads are big-endian.
    CrossB,
}

/// The header of a frame, in either format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Frame {
    /// Whether the frame is a subscription or a delivery instead of a call or a reply.
    pub topic: bool,
    /// Id of the function or topic; 0 in a reply.
    pub function: u32,
    /// A: chosen by the client. B: 0.
    pub id: u64,
    /// Length of the body in bytes.
    pub body: u32,
    /// Relays that a request has passed, if it says so; 9 at most.
    pub relays: u8,
}

/// Before the number of relays in A, in the padding after the type.
const RELAYS_A: &[u8] = b"r";
/// The same in B, in the number in order, which nobody sets.
const RELAYS_B: &[u8] = b"relays=";

impl Format {
    /// The format named after the colon in a protocol's name.
    pub fn named(name: &str) -> Option<Format> {
        match name {
            "a" | "A" => Some(Format::A),
            "" | "b" | "B" => Some(Format::B),
            "cross" => Some(Format::CrossB),
            _ => None,
        }
    }

    /// The content type of values.
    pub fn content(self) -> Content {
        match self {
            Format::A => Content::MSGPACK,
            Format::B | Format::CrossB => Content::STRUCT_PACK,
        }
    }

    pub(super) fn head_bytes(self) -> usize {
        match self {
            Format::A => 20,
            Format::B | Format::CrossB => 32,
        }
    }

    /// Length of the longest body, in bytes.
    pub(super) fn longest(self, max_message: u32) -> u32 {
        match self {
            Format::A => max_message.min(LIMIT_A - 1),
            Format::B | Format::CrossB => max_message,
        }
    }

    /// Reads a head of [`Format::head_bytes`] bytes.
    ///
    /// # Errors
    /// The bytes are not a header of this format, or the body is too long.
    pub(super) fn read(self, head: &[u8], max_message: u32) -> Result<Frame, WireError> {
        if head[0] != MAGIC {
            return Err(WireError::BadMagic);
        }
        let frame = match self {
            Format::A => Frame {
                topic: is_topic(head[1])?,
                function: u32::from_le_bytes(field(head, 16)),
                id: u64::from_le_bytes(field(head, 8)),
                body: u32::from_le_bytes(field(head, 4)),
                relays: relays(RELAYS_A, &head[2..4]),
            },
            Format::B | Format::CrossB => {
                if head[24..32] != [0; 8] {
                    return Err(WireError::Malformed("an attachment"));
                }
                let body = self.number(u64::from_le_bytes(field(head, 16)), u64::swap_bytes);
                Frame {
                    topic: is_topic(head[3])?,
                    function: self.number(u32::from_le_bytes(field(head, 4)), u32::swap_bytes),
                    id: 0,
                    body: u32::try_from(body).map_err(|_| WireError::TooLarge)?,
                    relays: relays(RELAYS_B, &head[8..16]),
                }
            }
        };
        if frame.body > self.longest(max_message) { Err(WireError::TooLarge) } else { Ok(frame) }
    }

    /// "A receiver can guess: body_len read little-endian that exceeds the limit while the byte-swapped value
    /// is small means the peer uses that mode."
    pub(super) fn is_crossed(head: &[u8], max_message: u32) -> bool {
        let body = u64::from_le_bytes(field(head, 16));
        body > u64::from(max_message) && body.swap_bytes() <= u64::from(max_message)
    }

    /// Encodes a header, of which the first [`Format::head_bytes`] count.
    pub(super) fn write(self, frame: Frame) -> [u8; 32] {
        let mut head = [0; 32];
        head[0] = MAGIC;
        match self {
            Format::A => {
                head[1] = frame.topic.into();
                put_relays(&mut head[2..4], RELAYS_A, frame.relays);
                head[4..8].copy_from_slice(&frame.body.to_le_bytes());
                head[8..16].copy_from_slice(&frame.id.to_le_bytes());
                head[16..20].copy_from_slice(&frame.function.to_le_bytes());
            }
            Format::B | Format::CrossB => {
                head[3] = frame.topic.into();
                head[4..8].copy_from_slice(&self.number(frame.function, u32::swap_bytes).to_le_bytes());
                put_relays(&mut head[8..16], RELAYS_B, frame.relays);
                let body = self.number(u64::from(frame.body), u64::swap_bytes);
                head[16..24].copy_from_slice(&body.to_le_bytes());
            }
        }
        head
    }

    fn number<N>(self, number: N, swap: fn(N) -> N) -> N {
        if self == Format::CrossB { swap(number) } else { number }
    }
}

/// The number of relays in a place that has a byte more than the words before it.
fn relays(words: &[u8], place: &[u8]) -> u8 {
    match place.strip_prefix(words) {
        Some(&[digit @ b'1'..=b'9']) => digit - b'0',
        _ => 0,
    }
}

fn put_relays(place: &mut [u8], words: &[u8], relays: u8) {
    if relays > 0 {
        place[..words.len()].copy_from_slice(words);
        place[words.len()] = b'0' + relays;
    }
}

fn is_topic(kind: u8) -> Result<bool, WireError> {
    match kind {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(WireError::Malformed("a frame of an unknown type")),
    }
}

fn field<const N: usize>(head: &[u8], at: usize) -> [u8; N] {
    head[at..at + N].try_into().expect("inside of a head")
}

pub(super) fn sniff(bytes: &[u8]) -> Sniff {
    match recognise(bytes) {
        Recognised::As(_) => Sniff::Mine,
        Recognised::NotMine => Sniff::NotMine,
        Recognised::NeedMore => Sniff::NeedMore(1),
    }
}

/// The format of the first bytes of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Recognised {
    As(Format),
    NeedMore,
    NotMine,
}

/// Recognises the format of the first bytes of a connection. The magic has only one byte, so the shape after
/// it counts.
///
/// | offset | A | B |
/// | --- | --- | --- |
/// | 1 | type, 0 or 1 | 0 |
/// | 2, 3 | anything | 0; type, 0 or 1 |
/// | 4 | body length | function |
/// | 8 | request id | 0, or words of a relay |
/// | 16 | function | body length |
/// | 20 | msgpack array, unless it is a heartbeat | |
/// | 24 | | 0 |
///
/// "Bytes 8..16 not all zero or byte 1 = 1 means A; all 20 bytes zero after the magic means A heartbeat;
/// otherwise B."
///
/// Source: docs/wire/rest_rpc.md, section 6
pub(super) fn recognise(bytes: &[u8]) -> Recognised {
    match *bytes {
        [] => return Recognised::NeedMore,
        [MAGIC] => return Recognised::NeedMore,
        [MAGIC, 0 | 1, ..] => {}
        _ => return Recognised::NotMine,
    }
    let zero = |from: usize, to: usize| bytes.iter().take(to).skip(from).all(|&byte| byte == 0);
    match of_relay(bytes) {
        _ if bytes[1] == 1 => return call_of_a(bytes),
        Some(true) => return frame_of_b(bytes),
        Some(false) => return Recognised::NeedMore,
        None if !zero(8, 16) => return call_of_a(bytes),
        None => {}
    }
    if bytes.len() < 20 {
        // Both formats are possible; a format that the first bytes exclude is not waited for.
        let a = !matches!(call_of_a(bytes), Recognised::NotMine) || zero(4, 20);
        let b = !matches!(frame_of_b(bytes), Recognised::NotMine);
        return if a || b { Recognised::NeedMore } else { Recognised::NotMine };
    }
    if zero(4, 20) { Recognised::As(Format::A) } else { frame_of_b(bytes) }
}

/// A frame of A that has a body.
fn call_of_a(bytes: &[u8]) -> Recognised {
    let length = bytes.get(4..8).map(|_| u32::from_le_bytes(field(bytes, 4)));
    match (length, bytes.get(20)) {
        (Some(0 | LIMIT_A..), _) => Recognised::NotMine,
        (_, None) => Recognised::NeedMore,
        (_, Some(0x90..=0x9f | 0xdc | 0xdd)) => Recognised::As(Format::A),
        (_, Some(_)) => Recognised::NotMine,
    }
}

/// Whether the words of a relay are where B has its number in order; `false`: they begin there.
fn of_relay(bytes: &[u8]) -> Option<bool> {
    let shown = bytes.get(8..bytes.len().min(16)).filter(|shown| !shown.is_empty())?;
    match shown.len() {
        8 => (relays(RELAYS_B, shown) > 0).then_some(true),
        _ => RELAYS_B.starts_with(shown).then_some(false),
    }
}

fn frame_of_b(bytes: &[u8]) -> Recognised {
    let zero = |from: usize, to: usize| bytes.iter().take(to).skip(from).all(|&byte| byte == 0);
    let length = bytes.get(16..24).map(|_| u64::from_le_bytes(field(bytes, 16)));
    let crossed = length.is_some_and(|length| length > SNIFFED_B);
    let length_fits = length.is_none_or(|length| length.min(length.swap_bytes()) <= SNIFFED_B);
    let kind_fits = bytes.get(3).is_none_or(|&kind| kind <= 1);
    let order_fits = zero(8, 16) || of_relay(bytes).is_some();
    match zero(1, 3) && kind_fits && order_fits && length_fits && zero(24, 32) {
        false => Recognised::NotMine,
        true if bytes.len() < 32 => Recognised::NeedMore,
        true if crossed => Recognised::As(Format::CrossB),
        true => Recognised::As(Format::B),
    }
}
