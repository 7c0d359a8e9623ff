//! Types, heads, and fields read by reference.
//!
//! | head | layout | used for |
//! | --- | --- | --- |
//! | fixed, 2 bytes | type u8, name_size u8 | numbers and null: value size = type & 0x0f |
//! | short, 3 bytes | type u8 with bit 0x80, name_size u8, value_size u8 | strings and binaries up to 255 bytes |
//! | long, 6 bytes | type u8, name_size u8, value_size u32 | everything else |
//!
//! Source: docs/wire/mcpack.md, "Field = head + name + value" and "Type codes"

use crate::FormatError;

pub const OBJECT: u8 = 0x10;
pub const ARRAY: u8 = 0x20;
pub const ISOARRAY: u8 = 0x30;
pub const OBJECT_ISOARRAY: u8 = 0x40;
pub const STRING: u8 = 0x50;
pub const BINARY: u8 = 0x60;
pub const INT8: u8 = 0x11;
pub const INT16: u8 = 0x12;
pub const INT32: u8 = 0x14;
pub const INT64: u8 = 0x18;
pub const UINT8: u8 = 0x21;
pub const UINT16: u8 = 0x22;
pub const UINT32: u8 = 0x24;
pub const UINT64: u8 = 0x28;
pub const BOOL: u8 = 0x31;
pub const FLOAT: u8 = 0x44;
pub const DOUBLE: u8 = 0x48;
pub const NULL: u8 = 0x61;

/// Bit of a type with a short head.
pub(super) const SHORT: u8 = 0x80;
/// "value size = type & 0x0f"
pub(super) const SIZE: u8 = 0x0f;

/// Longest name with its NUL, bytes.
pub(super) const MAX_NAME_SIZE: usize = 255;

/// A field in its encoded form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field<'a> {
    /// One of the type codes of this module, without the bit for a short head, or an unknown type.
    pub code: u8,
    /// The name without its NUL; empty if there is none.
    pub name: &'a [u8],
    pub value: &'a [u8],
}

impl<'a> Field<'a> {
    /// The bytes of a text: "last byte dropped, need not be NUL; size 0 = error"; of a binary, all bytes.
    pub fn bytes(&self) -> Option<&'a [u8]> {
        match self.code {
            STRING => self.value.split_last().map(|(_, text)| text),
            BINARY => Some(self.value),
            _ => None,
        }
    }

    /// Whether the value is the one that brpc writes for an unset field.
    #[inline]
    pub(super) fn stands_for_none(&self) -> Result<bool, FormatError> {
        Ok(self.code == ARRAY && Fields::of(self.value)?.is_empty())
    }

    /// The fields in an object or array.
    ///
    /// # Errors
    /// [`FormatError::Mcpack`] if it is neither.
    pub fn fields(&self) -> Result<Fields<'a>, FormatError> {
        match self.code {
            OBJECT | ARRAY | OBJECT_ISOARRAY => Fields::of(self.value),
            _ => Err(FormatError::mcpack("neither object nor array")),
        }
    }
}

/// Fields that follow one after the other.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// The fields of an object's or array's value. Its count is ignored: "informative".
    ///
    /// # Errors
    /// [`FormatError::Mcpack`] if it is shorter than a count.
    #[inline]
    pub fn of(value: &'a [u8]) -> Result<Self, FormatError> {
        match value.split_first_chunk::<4>() {
            Some((_, rest)) => Ok(Fields { rest }),
            None => Err(FormatError::mcpack("a group without its count")),
        }
    }

    /// Fields without a count before them.
    pub fn bare(rest: &'a [u8]) -> Self {
        Fields { rest }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next field that is not deleted, or `None` at the end.
    ///
    /// # Errors
    /// [`FormatError::Mcpack`] if the field passes the end of its group.
    #[inline]
    #[allow(clippy::should_implement_trait)] // not an iterator: an error ends it
    pub fn next(&mut self) -> Result<Option<Field<'a>>, FormatError> {
        while !self.rest.is_empty() {
            let field = self.take().ok_or_else(cut_off)?;
            // "Deleted field: (type & 0x70) == 0. Skip head + name + value and continue."
            if field.code & 0x70 != 0 {
                return Ok(Some(field));
            }
        }
        Ok(None)
    }

    /// The member with this name; the last one if there are several.
    ///
    /// # Errors
    /// [`FormatError::Mcpack`] if a field is truncated.
    pub fn find(mut self, name: &[u8]) -> Result<Option<Field<'a>>, FormatError> {
        let mut found = None;
        while let Some(field) = self.next()? {
            if field.name == name {
                found = Some(field);
            }
        }
        Ok(found)
    }

    #[inline]
    fn take(&mut self) -> Option<Field<'a>> {
        let (&[code, name_size], rest) = self.rest.split_first_chunk::<2>()?;
        let (code, value_size, rest) = if code & SIZE != 0 {
            (code, usize::from(code & SIZE), rest)
        } else if code & SHORT != 0 {
            let (&size, rest) = rest.split_first()?;
            (code & !SHORT, usize::from(size), rest)
        } else {
            let (size, rest) = rest.split_first_chunk()?;
            (code, u32::from_le_bytes(*size) as usize, rest)
        };
        let (name, rest) = rest.split_at_checked(usize::from(name_size))?;
        let (value, rest) = rest.split_at_checked(value_size)?;
        self.rest = rest;
        // "name_size counts the trailing NUL; 0 = no name"
        let name = name.split_last().map_or(&[][..], |(_, name)| name);
        Some(Field { code, name, value })
    }
}

#[cold]
fn cut_off() -> FormatError {
    FormatError::mcpack("a field passes the end of its group")
}
