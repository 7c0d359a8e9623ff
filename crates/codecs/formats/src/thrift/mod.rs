//! Thrift's structs in its binary and its compact protocol, read and written in one pass.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `types.rs` | the types of values on the wire |
//! | `read.rs`, `write.rs` | the traits [`Reader`] and [`Writer`], which generated code is generic over |
//! | `binary.rs`, `compact.rs` | the two protocols |
//! | `buffer.rs` | where writers put their bytes |
//! | `recode.rs` | a struct of one protocol in the other |
//! | `scan.rs` | where a struct ends, without reading it: messages without a frame, unknown fields |
//! | `value.rs` | [`Value`], and the Rust types that stand for the types of a `.thrift` file |
//! | `scalars.rs` | [`Double`] and [`Uuid`] |
//! | `error.rs` | what can be wrong |
//!
//! A body of `Content::THRIFT` or `Content::THRIFT_COMPACT` is one struct: the arguments of a call or its
//! result.
//!
//! Limits: values are nested [`MAX_DEPTH`] deep at most. A container whose count does not fit into what is
//!         left of the message is refused before memory is reserved for it, and at most [`RESERVED`] bytes
//!         are reserved at once.
//!
//! Not here: heads of messages and frames, which are in the protocol.

mod binary;
mod buffer;
mod compact;
mod error;
mod read;
mod recode;
mod scalars;
mod scan;
#[cfg(test)]
mod tests;
mod types;
mod value;
mod write;

pub use binary::{BinaryReader, BinaryWriter};
pub use bytes::Bytes;
pub use compact::{CompactReader, CompactWriter, varint};
pub use error::Error;
pub use read::{Reader, Scope};
pub use recode::recode;
pub use scalars::{Double, Uuid};
pub use scan::Scan;
pub use types::Type;
pub use value::Value;
pub use write::Writer;

use crate::FormatError;
use polywire_base::IoBuf;
use polywire_wire::Content;

/// The maximum nesting of structs and containers.
pub const MAX_DEPTH: usize = 64;

/// Most bytes of memory that are reserved for a container before its elements are read.
pub const RESERVED: usize = 64 << 10;

/// From this length on, a `binary` value shares the memory of the message that it was read from, or is sent
/// by reference.
const SHARED_FROM: usize = 4 << 10;

/// The two encodings of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// Numbers of fixed length, big-endian.
    #[default]
    Binary,
    /// The compact protocol, with numbers of variable length.
    Compact,
}

impl Encoding {
    /// The content type of bodies in this encoding.
    pub const fn content(self) -> Content {
        match self {
            Encoding::Binary => Content::THRIFT,
            Encoding::Compact => Content::THRIFT_COMPACT,
        }
    }

    /// The encoding of a body; `None`: it is no struct of Thrift.
    pub const fn of(content: Content) -> Option<Encoding> {
        match content {
            Content::THRIFT => Some(Encoding::Binary),
            Content::THRIFT_COMPACT => Some(Encoding::Compact),
            _ => None,
        }
    }
}

/// Reads the struct that is the body of a message.
///
/// # Errors
/// [`FormatError::Thrift`]: the body is not such a struct, or has bytes after it.
pub fn decode<T: Value>(encoding: Encoding, body: IoBuf) -> Result<T, FormatError> {
    let bytes = body.into_bytes();
    let read = match encoding {
        Encoding::Binary => {
            let mut reader = BinaryReader::new(&bytes);
            T::read(&mut reader).and_then(|value| reader.end().map(|()| value))
        }
        Encoding::Compact => {
            let mut reader = CompactReader::new(&bytes);
            T::read(&mut reader).and_then(|value| reader.end().map(|()| value))
        }
    };
    read.map_err(FormatError::from)
}

/// Writes a struct as the body of a message.
///
/// # Errors
/// [`FormatError::TooLarge`]: a string or a container of more than 2³¹ - 1 bytes or elements.
pub fn encode<T: Value>(encoding: Encoding, value: &T) -> Result<IoBuf, FormatError> {
    let written = match encoding {
        Encoding::Binary => {
            let mut writer = BinaryWriter::default();
            value.write(&mut writer);
            writer.finish()
        }
        Encoding::Compact => {
            let mut writer = CompactWriter::default();
            value.write(&mut writer);
            writer.finish()
        }
    };
    written.ok_or(FormatError::TooLarge { limit: i32::MAX as usize })
}
