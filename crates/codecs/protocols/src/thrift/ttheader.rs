//! TTHeader: the frame of Kitex and volo, with facts about the call before the message.
//!
//! ```text
//!  0        4       6       8         12     14         15   16             14+4h
//!  +--------+-------+-------+---------+------+----------+----+------ - - ---+--- - -
//!  | length | 10 00 | flags | seqid   | h    | protocol | 00 | infos, zeros | message
//!  +--------+-------+-------+---------+------+----------+----+------ - - ---+--- - -
//!  length: of what follows it                          no transforms
//!
//!  info  01  count u16, { length u16, key, length u16, value }…   texts
//!        10  count u16, { key u16, length u16, value }…           numbers
//!        11  length u16, value                                    the token
//!        00                                                       nothing
//! ```
//!
//! Source: docs/wire/ttheader.md
//! Limits: infos with their head have at most `Limits::head`.

use polywire_formats::thrift::Encoding;
use polywire_wire::{Limits, WireError};

const MAGIC: [u8; 2] = [0x10, 0];
/// Bytes of the field `length`, which it does not count.
const LENGTH: usize = 4;

/// Flag: replies may come in another order than the calls.
pub(super) const ANY_ORDER: u16 = 1;
/// Frames of a stream, calls in the other direction, and a handshake: they are no calls.
const OTHER_USES: u16 = 0x02 | 0x08 | 0x10;
const OTHER_USE: &str = "a TTHeader of a stream, a handshake or a callback, which are not supported";

/// Protocols of the message. Its first bytes say which it is: Kitex sends 0 whatever it is.
const BINARY: u8 = 0;
const COMPACT: u8 = 2;

/// The protocol of messages of this encoding.
pub(super) fn protocol(encoding: Encoding) -> u8 {
    match encoding {
        Encoding::Binary => BINARY,
        Encoding::Compact => COMPACT,
    }
}

const PADDING: u8 = 0;
const TEXTS: u8 = 1;
const NUMBERS: u8 = 0x10;
const TOKEN: u8 = 0x11;

/// The fixed part of a header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub flags: u16,
    pub seqid: i32,
    /// Bytes up to the message.
    pub message: usize,
    /// Bytes up to the end of the frame.
    pub end: usize,
}

impl Header {
    /// Bytes of the fixed part.
    pub const BYTES: usize = 14;
    /// Most bytes after the fixed part, in Kitex 0.15.1.
    pub const MOST: usize = 64 << 10;
    /// Most of them in a first frame that is recognised. Where a head of nshead has a printable character of
    /// its name, and MongoDB's messages their opcode, a header has the size of more than that.
    pub const MOST_RECOGNISED: usize = 4 * 0x1fff;

    /// Reads the fixed part; `None`: it is not complete.
    ///
    /// # Errors
    /// The frame is no call or reply, or too long.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Option<Header>, WireError> {
        let Some(bytes) = bytes.first_chunk::<{ Self::BYTES }>() else { return Ok(None) };
        let [a, b, c, d, magic @ .., _, _, _, _, _, _, _, _] = *bytes;
        let length = u32::from_be_bytes([a, b, c, d]);
        let [flags, size] = [6, 12].map(|at| u16::from_be_bytes([bytes[at], bytes[at + 1]]));
        let seqid = i32::from_be_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
        if magic != MAGIC {
            return Err(WireError::BadMagic);
        }
        let message = Self::BYTES + 4 * usize::from(size);
        if length > limits.max_message || message - Self::BYTES > limits.head as usize {
            return Err(WireError::TooLarge);
        }
        let end = LENGTH + length as usize;
        let is_call = flags & OTHER_USES == 0;
        if size == 0 || message > end || is_call && message == end {
            return Err(WireError::Malformed("the size of a TTHeader"));
        }
        if !is_call {
            return Err(WireError::Malformed(OTHER_USE));
        }
        Ok(Some(Header { flags, seqid, message, end }))
    }

    /// Whether these first bytes can be a header's; `None`: more are needed. Those of a stream are, too, so
    /// that they are refused by what they are.
    pub fn sniff(bytes: &[u8]) -> Option<bool> {
        let shown = bytes.len().clamp(LENGTH, LENGTH + MAGIC.len());
        if bytes.get(LENGTH..shown).is_some_and(|magic| magic != &MAGIC[..magic.len()]) {
            return Some(false);
        }
        let limits = Limits::DEFAULT.max_message(u32::MAX).head(Self::MOST_RECOGNISED as u32);
        match Self::read(bytes, &limits) {
            Ok(None) => None,
            Ok(Some(_)) | Err(WireError::Malformed(OTHER_USE)) => Some(true),
            Err(_) => Some(false),
        }
    }
}

/// A fact that a header has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Info<'a> {
    Text(&'a [u8], &'a [u8]),
    Number(u16, &'a [u8]),
    Token(&'a [u8]),
}

impl<'a> Info<'a> {
    /// What no two infos of a header have in common.
    pub fn key(&self) -> (u8, u16, &'a [u8]) {
        match *self {
            Info::Token(_) => (TOKEN, 0, b""),
            Info::Text(key, _) => (TEXTS, 0, key),
            Info::Number(key, _) => (NUMBERS, key, b""),
        }
    }
}

/// Visits the infos after the fixed part of a header; the protocol of its message.
///
/// # Errors
/// The header is malformed, or its message is of no Thrift, or transformed.
pub(super) fn read_infos<'a>(header: &'a [u8], mut visit: impl FnMut(Info<'a>)) -> Result<u8, WireError> {
    let mut rest = header;
    let protocol = match (byte(&mut rest), byte(&mut rest)) {
        (Some(protocol @ (BINARY | COMPACT)), Some(0)) => protocol,
        (Some(_), Some(0)) => return Err(WireError::Malformed("a TTHeader before another protocol")),
        _ => return Err(WireError::Malformed("a TTHeader with transforms")),
    };
    while let Some(kind) = byte(&mut rest) {
        let read = match kind {
            PADDING => Some(()),
            TEXTS => repeat(&mut rest, |rest| {
                visit(Info::Text(text(rest)?, text(rest)?));
                Some(())
            }),
            NUMBERS => repeat(&mut rest, |rest| {
                visit(Info::Number(short(rest)?, text(rest)?));
                Some(())
            }),
            TOKEN => text(&mut rest).map(|token| visit(Info::Token(token))),
            _ => None,
        };
        read.ok_or(WireError::Malformed("an info of a TTHeader"))?;
    }
    Ok(protocol)
}

/// Reads a count, and as many entries.
fn repeat<'a>(rest: &mut &'a [u8], mut entry: impl FnMut(&mut &'a [u8]) -> Option<()>) -> Option<()> {
    (0..short(rest)?).try_for_each(|_| entry(rest))
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (&first, tail) = rest.split_first()?;
    *rest = tail;
    Some(first)
}

fn short(rest: &mut &[u8]) -> Option<u16> {
    let (&first, tail) = rest.split_first_chunk()?;
    *rest = tail;
    Some(u16::from_be_bytes(first))
}

fn text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = short(rest)?;
    let (text, tail) = rest.split_at_checked(length.into())?;
    *rest = tail;
    Some(text)
}

/// Infos to be written.
#[derive(Default)]
pub(super) struct Infos {
    token: Option<Vec<u8>>,
    texts: Entries,
    numbers: Entries,
    /// A key or value has more bytes than its length can say.
    too_long: bool,
}

#[derive(Default)]
struct Entries {
    count: usize,
    bytes: Vec<u8>,
}

impl Infos {
    /// Adds a text whose key has these parts.
    pub fn text(&mut self, key: [&str; 2], value: &[u8]) {
        self.texts.count += 1;
        self.too_long |= put(&mut self.texts.bytes, key.map(str::as_bytes));
        self.too_long |= put(&mut self.texts.bytes, [value, &[]]);
    }

    pub fn number(&mut self, key: u16, value: &[u8]) {
        self.numbers.count += 1;
        self.numbers.bytes.extend(key.to_be_bytes());
        self.too_long |= put(&mut self.numbers.bytes, [value, &[]]);
    }

    pub fn token(&mut self, token: &[u8]) {
        self.token = Some(token.to_vec());
    }

    /// What is after the fixed part, before a message of this protocol; `None`: it is too long.
    pub fn written(self, protocol: u8) -> Option<Vec<u8>> {
        let mut written = vec![protocol, 0];
        let mut too_long = self.too_long;
        if let Some(token) = &self.token {
            written.push(TOKEN);
            too_long |= put(&mut written, [token, &[]]);
        }
        for (kind, Entries { count, bytes }) in [(TEXTS, self.texts), (NUMBERS, self.numbers)] {
            if count > 0 {
                written.push(kind);
                written.extend((count as u16).to_be_bytes());
                written.extend(bytes);
            }
        }
        written.resize(written.len().next_multiple_of(4), PADDING);
        (!too_long && written.len() <= Header::MOST).then_some(written)
    }
}

/// Appends a text of two parts; whether it is too long.
fn put(to: &mut Vec<u8>, parts: [&[u8]; 2]) -> bool {
    let length = parts[0].len() + parts[1].len();
    to.extend((length as u16).to_be_bytes());
    parts.iter().for_each(|part| to.extend_from_slice(part));
    length > usize::from(u16::MAX)
}

/// The fixed part of a header before these infos and a message of this many bytes; `None`: the frame would
/// exceed the maximum of its length field.
pub(super) fn fixed(infos: &[u8], flags: u16, seqid: i32, message: usize) -> Option<[u8; Header::BYTES]> {
    let length = i32::try_from(Header::BYTES - LENGTH + infos.len() + message).ok()?;
    let mut fixed = [0; Header::BYTES];
    fixed[..4].copy_from_slice(&length.to_be_bytes());
    fixed[4..6].copy_from_slice(&MAGIC);
    fixed[6..8].copy_from_slice(&flags.to_be_bytes());
    fixed[8..12].copy_from_slice(&seqid.to_be_bytes());
    fixed[12..].copy_from_slice(&((infos.len() / 4) as u16).to_be_bytes());
    Some(fixed)
}
