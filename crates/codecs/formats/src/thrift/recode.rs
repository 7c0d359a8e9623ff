//! A struct of one protocol in the other. Both tell the types of all values, so that no definition is needed.
//!
//! What a reader takes in several spellings has one: a `bool` is 0 or 1, a number has no more bytes than it
//! needs. Empty containers lose the types of elements that they do not have.

use super::{
    BinaryReader, BinaryWriter, CompactReader, CompactWriter, Encoding, Error, MAX_DEPTH, Reader, Type,
    Writer,
};
use crate::FormatError;
use polywire_base::IoBuf;

/// Writes the struct that is the body of a message in the other protocol.
///
/// # Errors
/// [`FormatError::Thrift`]: it is not such a struct, or has bytes after it. [`FormatError::TooLarge`]: the
/// result has more than `longest` bytes.
pub fn recode(from: Encoding, body: IoBuf, longest: usize) -> Result<IoBuf, FormatError> {
    let bytes = body.into_bytes();
    let mut room = Room { bytes: longest, longest };
    match from {
        Encoding::Binary => {
            let (mut reader, mut writer) = (BinaryReader::new(&bytes), CompactWriter::default());
            copy(Type::Struct, MAX_DEPTH, &mut reader, &mut writer, &mut room)?;
            reader.end()?;
            writer.finish()
        }
        Encoding::Compact => {
            let (mut reader, mut writer) = (CompactReader::new(&bytes), BinaryWriter::default());
            copy(Type::Struct, MAX_DEPTH, &mut reader, &mut writer, &mut room)?;
            reader.end()?;
            writer.finish()
        }
    }
    .ok_or(FormatError::TooLarge { limit: i32::MAX as usize })
}

/// What may still be written.
struct Room {
    /// In the binary protocol: in the compact one values have a few bytes more at most.
    bytes: usize,
    /// How many there were.
    longest: usize,
}

impl Room {
    fn take(&mut self, bytes: usize) -> Result<(), FormatError> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(FormatError::TooLarge { limit: self.longest })?;
        Ok(())
    }
}

/// Copies a value. `levels`: structs and containers that may be in each other there.
fn copy<R: Reader, W: Writer>(
    kind: Type,
    levels: usize,
    from: &mut R,
    to: &mut W,
    room: &mut Room,
) -> Result<(), FormatError> {
    room.take(kind.least_binary())?;
    let inside = levels.checked_sub(1).ok_or(Error::Depth);
    match kind {
        Type::Bool => to.bool(from.bool()?),
        Type::I8 => to.i8(from.i8()?),
        Type::I16 => to.i16(from.i16()?),
        Type::I32 => to.i32(from.i32()?),
        Type::I64 => to.i64(from.i64()?),
        Type::Double => to.double(from.double()?),
        Type::Uuid => to.uuid(&from.uuid()?),
        Type::Binary => {
            let value = from.binary()?;
            room.take(value.len())?;
            to.binary(&value);
        }
        Type::Struct => {
            let inside = inside?;
            let (read, written) = (from.begin_struct()?, to.begin_struct());
            while let Some((id, kind)) = from.field()? {
                room.take(3)?;
                to.field(id, kind);
                copy(kind, inside, from, to, room)?;
            }
            from.end_struct(read);
            to.end_struct(written);
        }
        Type::List | Type::Set => {
            let inside = inside?;
            let (element, count) = from.any_list()?.unwrap_or((Type::I8, 0));
            if kind == Type::Set {
                to.set(element, count)
            } else {
                to.list(element, count)
            }
            for _ in 0..count {
                copy(element, inside, from, to, room)?;
            }
        }
        Type::Map => {
            let inside = inside?;
            let (key, value, count) = from.any_map()?.unwrap_or((Type::I8, Type::I8, 0));
            to.map(key, value, count);
            for _ in 0..count {
                copy(key, inside, from, to, room)?;
                copy(value, inside, from, to, room)?;
            }
        }
    }
    Ok(())
}
