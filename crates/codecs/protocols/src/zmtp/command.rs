//! Commands and the properties of READY.
//!
//! ```text
//! command     name length u8 | name | data
//! property    name length u8 | name | value length u32 big-endian | value
//! ```
//!
//! Source: docs/wire/zmtp.md, section 2

use super::{
    Kind, Settings,
    error::Fault,
    frame::{self, COMMAND},
};
use bytes::{BufMut, BytesMut};

/// Longest identity: its length is one byte in libzmq.
pub(super) const MAX_IDENTITY: usize = 255;
/// Longest name of a property.
const MAX_NAME: usize = 255;

/// A command, read by reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Command<'a> {
    pub name: &'a [u8],
    pub data: &'a [u8],
}

impl<'a> Command<'a> {
    pub fn read(body: &'a [u8]) -> Result<Self, Fault> {
        let (&length, rest) = body.split_first().ok_or(Fault::Command)?;
        let (name, data) = rest.split_at_checked(length.into()).ok_or(Fault::Command)?;
        if name.is_empty() {
            return Err(Fault::Command);
        }
        Ok(Command { name, data })
    }
}

/// Writes a command as a frame.
pub(super) fn put(out: &mut BytesMut, name: &str, data: &[u8]) {
    frame::put_head(out, COMMAND, 1 + name.len() + data.len());
    out.put_u8(name.len() as u8);
    out.put_slice(name.as_bytes());
    out.put_slice(data);
}

/// Writes ERROR with its reason.
pub(super) fn put_error(out: &mut BytesMut, reason: &str) {
    let reason = &reason.as_bytes()[..reason.len().min(255)];
    let mut data = Vec::with_capacity(1 + reason.len());
    data.push(reason.len() as u8);
    data.extend_from_slice(reason);
    put(out, "ERROR", &data);
}

/// The reason of an ERROR, as it may stand in a text: bounded, printable.
pub(super) fn error_reason(data: &[u8]) -> Result<String, Fault> {
    let (&length, rest) = data.split_first().ok_or(Fault::Command)?;
    let reason = rest.get(..length.into()).ok_or(Fault::Command)?;
    Ok(String::from_utf8_lossy(reason).escape_debug().collect())
}

/// Writes the properties of this side's READY or INITIATE.
pub(super) fn put_properties(out: &mut BytesMut, kind: Kind, settings: &Settings) {
    let mut property = |name: &str, value: &[u8]| {
        out.put_u8(name.len() as u8);
        out.put_slice(name.as_bytes());
        out.put_u32(value.len() as u32);
        out.put_slice(value);
    };
    property("Socket-Type", kind.name().as_bytes());
    if kind.has_identity() {
        property("Identity", &settings.identity);
    }
    for (name, value) in settings.properties.iter().filter(|(name, _)| name.len() <= MAX_NAME) {
        property(name, value);
    }
}

/// The properties of the peer that are used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Properties {
    pub kind: Kind,
    pub identity: Vec<u8>,
    /// All properties, as they were received.
    pub all: Vec<u8>,
}

impl Properties {
    /// Reads the properties. Unknown ones are ignored; of several with the same name the first counts.
    pub fn read(mut data: &[u8]) -> Result<Self, Fault> {
        let (mut kind, mut identity, all) = (None, None, data.to_vec());
        while let Some((name, value)) = property(&mut data)? {
            if name.eq_ignore_ascii_case(b"Socket-Type") && kind.is_none() {
                kind = Some(Kind::of(value).ok_or(Fault::SocketType)?);
            } else if name.eq_ignore_ascii_case(b"Identity") && identity.is_none() {
                identity = Some(value);
            }
        }
        let identity = identity.unwrap_or_default();
        if identity.len() > MAX_IDENTITY || identity.first() == Some(&0) {
            return Err(Fault::Identity); // names that begin with zero are ours to give
        }
        Ok(Properties { kind: kind.ok_or(Fault::SocketType)?, identity: identity.to_vec(), all })
    }
}

/// Names and values of the properties in [`polywire_wire::Notice::Peer`].
pub fn properties(mut data: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || property(&mut data).ok().flatten())
}

fn property<'a>(data: &mut &'a [u8]) -> Result<Option<(&'a [u8], &'a [u8])>, Fault> {
    let Some((&length, rest)) = data.split_first() else { return Ok(None) };
    let (name, rest) = rest.split_at_checked(length.into()).ok_or(Fault::Command)?;
    let (length, rest) = rest.split_at_checked(4).ok_or(Fault::Command)?;
    let length = u32::from_be_bytes(length.try_into().expect("four bytes"));
    let length = usize::try_from(length).map_err(|_| Fault::Command)?;
    let (value, rest) = rest.split_at_checked(length).ok_or(Fault::Command)?;
    *data = rest;
    Ok(Some((name, value)))
}
