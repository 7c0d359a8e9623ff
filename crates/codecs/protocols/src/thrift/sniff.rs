//! The form of the messages of a connection, by its first bytes.
//!
//! | first bytes | form |
//! | --- | --- |
//! | `80 01`, any byte, type 1 or 4, a length of a name | unframed, strict |
//! | `82`, then `21` or `81` | unframed, compact |
//! | a length, `80 01`, any byte, type 1 or 4 | framed, strict |
//! | a length, `82`, `21` or `81` | framed, compact |
//! | a length, `10 00`, flags of a call, a seqid, the size of a header that fits into it | TTHeader |
//! | a length, a length of a name that fits into it, a name of visible characters, type 1 or 4 | framed, old |
//! | a length of a name, a name of visible characters, type 1 or 4 | unframed, old |
//!
//! A frame has at most 64 MiB, so that its first byte is 4 at most. The old form has no magic. A name of
//! visible characters after its own length, which has 256 bytes at most, and a type after it, exclude all
//! other built-in protocols: those with a head of nshead have zeros where the name would be.
//!
//! Source: docs/wire/thrift.md, "Detection"

use super::{
    Form, MAX_NAME,
    message::{CALL, ONEWAY, is_compact},
    ttheader::Header,
};
use crate::sniff::magic;
use polywire_formats::thrift::Encoding;
use polywire_wire::Sniff;

/// Longest frame that is recognised, in bytes.
const LONGEST: u32 = 64 << 20;

pub(super) fn sniff(bytes: &[u8]) -> Sniff {
    match recognise(bytes) {
        Ok(_) => Sniff::Mine,
        Err(sniff) => sniff,
    }
}

/// The form of these bytes. That of the message in a frame with a TTHeader is not known before its first
/// bytes, see [`in_header`].
///
/// # Errors
/// More bytes are needed, or no form has such bytes.
pub(super) fn recognise(bytes: &[u8]) -> Result<Form, Sniff> {
    let framed = Form::default();
    match bytes {
        [] => Err(Sniff::NeedMore(1)),
        [0x80, ..] => strict(bytes).map(|()| Form { framed: false, ..framed }),
        [first, ..] if is_compact(*first) => {
            compact(bytes).map(|()| Form { framed: false, encoding: Encoding::Compact, ..framed })
        }
        [0..=4, ..] => after_length(bytes),
        _ => Err(Sniff::NotMine),
    }
}

/// The form of a message, by its first bytes, that is after a TTHeader.
///
/// # Errors
/// More bytes are needed, or no form has such bytes there: an old message has no magic.
pub(super) fn in_header(message: &[u8]) -> Result<Form, Sniff> {
    match recognise(message)? {
        Form { strict: false, .. } | Form { ttheader: true, .. } => Err(Sniff::NotMine),
        form => Ok(Form { ttheader: true, ..form }),
    }
}

/// A frame, or an old message without one.
fn after_length(bytes: &[u8]) -> Result<Form, Sniff> {
    let (Some(length), Some(&fifth)) = (bytes.first_chunk(), bytes.get(4)) else {
        return Err(Sniff::NeedMore(1));
    };
    let length = u32::from_be_bytes(*length);
    let framed = Form::default();
    let message = &bytes[4..];
    match fifth {
        _ if length > LONGEST => Err(Sniff::NotMine),
        0x10 => match Header::sniff(bytes) {
            Some(true) => Ok(Form { framed: false, ttheader: true, ..framed }),
            Some(false) => Err(Sniff::NotMine),
            None => Err(Sniff::NeedMore(1)),
        },
        0x80 => strict(message).map(|()| framed),
        first if is_compact(first) => {
            compact(message).map(|()| Form { encoding: Encoding::Compact, ..framed })
        }
        0 => old(message, length as usize).map(|()| Form { strict: false, ..framed }),
        _ => old(bytes, usize::MAX).map(|()| Form { framed: false, strict: false, ..framed }),
    }
}

/// Checks a strict message: its version, its type and the length of a name.
fn strict(bytes: &[u8]) -> Result<(), Sniff> {
    match magic(&[0x80, 1], bytes) {
        Sniff::Mine => {}
        other => return Err(other),
    }
    kind(bytes.get(3))?;
    match bytes.get(4..8).map(|length| u32::from_be_bytes([length[0], length[1], length[2], length[3]])) {
        Some(length) if (1..=MAX_NAME as u32).contains(&length) => Ok(()),
        Some(_) => Err(Sniff::NotMine),
        None => Err(Sniff::NeedMore(1)),
    }
}

/// Checks a compact message: its version and its type.
fn compact(bytes: &[u8]) -> Result<(), Sniff> {
    match bytes.get(1) {
        Some(0x21 | 0x81) => Ok(()),
        Some(_) => Err(Sniff::NotMine),
        None => Err(Sniff::NeedMore(1)),
    }
}

/// Checks an old message of at most this many bytes, up to its type.
fn old(bytes: &[u8], most: usize) -> Result<(), Sniff> {
    let Some(length) = bytes.first_chunk() else { return Err(Sniff::NeedMore(1)) };
    let length = u32::from_be_bytes(*length) as usize;
    if !(1..=MAX_NAME).contains(&length) || length + 9 > most {
        return Err(Sniff::NotMine);
    }
    let name = &bytes[4..bytes.len().min(4 + length)];
    if !name.iter().all(u8::is_ascii_graphic) {
        return Err(Sniff::NotMine);
    }
    kind(bytes.get(4 + length))
}

/// Checks that the type is that of a request.
fn kind(byte: Option<&u8>) -> Result<(), Sniff> {
    match byte {
        Some(&(CALL | ONEWAY)) => Ok(()),
        Some(_) => Err(Sniff::NotMine),
        None => Err(Sniff::NeedMore(1)),
    }
}
