//! A record: one request.
//!
//! ```text
//!  0        4               8               12         12+meta_size             12+body_size
//!  +--------+---------------+---------------+----------+-----------+----- - - -----+
//!  | "PRPC" | body_size u32 | meta_size u32 | meta     | payload                   |
//!  +--------+---------------+---------------+----------+-----------+----- - - -----+
//!            big-endian                      `------------ body_size -------------'
//! ```
//!
//! Source:     docs/wire/rpc_dump.md, "Record" and "Reader rules"
//! Limits:     body_size at most [`MAX_RECORD`] unless the reader is given another limit; checked before
//!             anything is allocated.
//! Errors:     [`Problem`]; each of them ends the file, as in brpc.

use crate::Meta;
use bytes::Bytes;
use std::fmt;

/// Length of magic and lengths in bytes.
pub const HEADER_BYTES: usize = 12;
/// Longest meta and payload together in bytes: brpc's `max_body_size`.
pub const MAX_RECORD: u32 = 64 << 20;

const MAGIC: &[u8; 4] = b"PRPC";

/// A request as a file of recorded requests has it.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Record {
    pub meta: Meta,
    /// The request as it was received, after its own head and meta.
    pub payload: Bytes,
}

/// The reason why a file cannot be read further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The record does not begin with `PRPC`.
    Magic,
    /// The record is longer than the limit.
    TooLong(u32),
    /// The meta is longer than the record.
    MetaSize,
    /// The meta cannot be read.
    Meta(&'static str),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Magic => f.write_str("no record begins here: its first four bytes are not PRPC"),
            Problem::TooLong(bytes) => write!(f, "a record of {bytes} bytes is longer than the limit"),
            Problem::MetaSize => f.write_str("the meta is longer than its record"),
            Problem::Meta(what) => write!(f, "the meta cannot be read: {what}"),
        }
    }
}
impl std::error::Error for Problem {}

/// The lengths of a record.
#[derive(Clone, Copy)]
pub(crate) struct Header {
    pub body: u32,
    pub meta: u32,
}

impl Header {
    /// Reads a header.
    ///
    /// # Errors
    /// The magic, or a length that no record may have.
    pub fn parse(bytes: &[u8; HEADER_BYTES], max: u32) -> Result<Header, Problem> {
        let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (body, meta) = (number(4), number(8));
        if !bytes.starts_with(MAGIC) {
            Err(Problem::Magic)
        } else if body > max {
            Err(Problem::TooLong(body))
        } else if meta > body {
            Err(Problem::MetaSize)
        } else {
            Ok(Header { body, meta })
        }
    }
}

impl Record {
    /// Reads the record at the front: it and its length in bytes; `None` if more bytes are needed.
    ///
    /// # Errors
    /// The error in the record.
    pub fn parse(bytes: &[u8], max: u32) -> Result<Option<(Record, usize)>, Problem> {
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            let shown = bytes.len().min(MAGIC.len());
            let may_be = bytes[..shown] == MAGIC[..shown];
            return if may_be { Ok(None) } else { Err(Problem::Magic) };
        };
        let header = Header::parse(header, max)?;
        let Some(body) = bytes[HEADER_BYTES..].get(..header.body as usize) else { return Ok(None) };
        let record = Record::of(header, Bytes::copy_from_slice(body))?;
        Ok(Some((record, HEADER_BYTES + header.body as usize)))
    }

    pub(crate) fn of(header: Header, mut body: Bytes) -> Result<Record, Problem> {
        let meta = body.split_to(header.meta as usize);
        Ok(Record { meta: Meta::parse(&meta).map_err(Problem::Meta)?, payload: body })
    }

    /// The bytes of the record.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = head(&self.meta, self.payload.len());
        bytes.extend_from_slice(&self.payload);
        bytes
    }

    /// The payload without its attachment, and the attachment.
    pub fn split(&self) -> (Bytes, Bytes) {
        let attachment = self.meta.attachment_size.unwrap_or(0).max(0) as usize;
        let at = self.payload.len().saturating_sub(attachment);
        (self.payload.slice(..at), self.payload.slice(at..))
    }
}

/// Header and meta of a record whose payload has this many bytes.
pub(crate) fn head(meta: &Meta, payload: usize) -> Vec<u8> {
    let mut bytes = vec![0; HEADER_BYTES];
    meta.encode(&mut bytes);
    let meta = bytes.len() - HEADER_BYTES;
    bytes[..4].copy_from_slice(MAGIC);
    bytes[4..8].copy_from_slice(&((meta + payload) as u32).to_be_bytes());
    bytes[8..12].copy_from_slice(&(meta as u32).to_be_bytes());
    bytes
}
