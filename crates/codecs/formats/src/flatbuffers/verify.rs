//! Checks that a buffer conforms to its schema: every offset, every alignment, every text, before anything is
//! read.
//!
//! A buffer may refer to the same table or string many times; a few bytes can then take long to visit. The
//! verifier counts everything that offsets lead to as if nothing were shared, up to a multiple of the
//! buffer's length. The values of a table are not counted: its vtable is, which has two bytes for each.
//!
//! The rules are those of FlatBuffers' own verifiers; `tests.rs` compares the Rust one with this on random
//! changes of valid buffers. One rule differs: an empty vector of wide items may have any alignment, as in
//! C++, which writes them so.

use super::{
    Tag, Verifiable, Verified,
    limits::{MAX_BYTES, MAX_DEPTH, MAX_TABLES},
};
use crate::FormatError;
use std::{borrow::Cow, fmt};

/// The maximum size of the verified contents as a multiple of the buffer's length, shared parts counted each
/// time.
const MAX_SHARING: usize = 16;
/// Bytes that every buffer may have, counted without sharing.
const ALWAYS: usize = 1 << 20;

/// The fault of a buffer, and the field that has it.
pub struct InvalidFlatbuffer(Box<Wrong>);

struct Wrong {
    what: Cow<'static, str>,
    at: usize,
    /// Names of fields, the innermost first.
    fields: Vec<Cow<'static, str>>,
}

impl InvalidFlatbuffer {
    #[cold]
    fn new(what: impl Into<Cow<'static, str>>, at: usize) -> Self {
        InvalidFlatbuffer(Box::new(Wrong { what: what.into(), at, fields: Vec::new() }))
    }

    #[cold]
    pub(super) fn within(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.0.fields.push(field.into());
        self
    }
}

impl From<InvalidFlatbuffer> for FormatError {
    #[cold]
    fn from(wrong: InvalidFlatbuffer) -> Self {
        FormatError::FlatBuffers(wrong.to_string().into())
    }
}

impl fmt::Display for InvalidFlatbuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong { what, at, fields } = &*self.0;
        write!(f, "{what}, at {at}")?;
        fields.iter().enumerate().try_for_each(|(index, field)| {
            write!(f, "{} `{field}`", if index == 0 { ", in field" } else { " of" })
        })
    }
}

impl fmt::Debug for InvalidFlatbuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Checks a buffer.
pub struct Verifier<'b> {
    buffer: &'b [u8],
    depth: u32,
    tables: u32,
    /// Bytes that may still be visited.
    left: usize,
}

impl<'b> Verifier<'b> {
    /// A verifier for a complete message.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] beyond 2 GiB.
    pub(super) fn of_message(buffer: &'b [u8]) -> Result<Self, FormatError> {
        match buffer.len() <= MAX_BYTES {
            true => Ok(Verifier::new(buffer)),
            false => Err(FormatError::TooLarge { limit: MAX_BYTES }),
        }
    }

    fn new(buffer: &'b [u8]) -> Self {
        let left = buffer.len().saturating_mul(MAX_SHARING).max(ALWAYS);
        Verifier { buffer, depth: 0, tables: 0, left }
    }

    /// Checks that this many bytes are present, at a multiple of `align`.
    ///
    /// # Errors
    /// The bytes are not a valid buffer.
    #[inline]
    pub fn range(&self, at: usize, size: usize, align: usize) -> Verified {
        if at & (align - 1) != 0 {
            return Err(unaligned(at, align));
        }
        match at.checked_add(size) {
            Some(end) if end <= self.buffer.len() => Ok(()),
            _ => Err(InvalidFlatbuffer::new("beyond the end of the buffer", at)),
        }
    }

    /// Counts bytes that an offset led to.
    #[inline]
    fn walked(&mut self, at: usize, size: usize) -> Verified {
        match self.left.checked_sub(size) {
            Some(left) => self.left = left,
            None => return Err(InvalidFlatbuffer::new("the apparent size is too large", at)),
        }
        Ok(())
    }

    #[inline(always)]
    fn read<const N: usize>(&self, at: usize) -> Result<[u8; N], InvalidFlatbuffer> {
        self.range(at, N, N)?;
        Ok(*self.buffer[at..].first_chunk().expect("`range` has seen them"))
    }

    /// Reads a length or an offset.
    #[inline(always)]
    fn offset(&self, at: usize) -> Result<usize, InvalidFlatbuffer> {
        self.read(at).map(|bytes| u32::from_le_bytes(bytes) as usize)
    }

    /// The position that the offset at `at` leads to.
    #[inline(always)]
    pub(super) fn follow(&self, at: usize) -> Result<usize, InvalidFlatbuffer> {
        Ok(at.saturating_add(self.offset(at)?))
    }

    /// Checks a text with its length before and a zero after it.
    #[inline]
    pub(super) fn string(&mut self, at: usize) -> Verified {
        let length = self.offset(at)?;
        let start = at + size_of::<u32>();
        self.range(start, length, 1)?;
        self.walked(at, size_of::<u32>() + length)?;
        let end = start + length;
        if self.buffer.get(end) != Some(&0) {
            return Err(InvalidFlatbuffer::new("a string without a zero after it", end));
        }
        super::read::utf8(&self.buffer[start..end])
            .map(drop)
            .ok_or_else(|| InvalidFlatbuffer::new("Utf8 error", start))
    }

    /// Checks values of this size, one after the other: any bytes are valid values.
    #[inline]
    pub(super) fn items(&mut self, at: usize, size: usize, align: usize) -> Verified {
        let length = self.offset(at)?;
        let size = length.saturating_mul(size);
        // C++ does not align a vector without items.
        self.range(at + size_of::<u32>(), size, if length == 0 { 1 } else { align })?;
        self.walked(at, size_of::<u32>() + size)
    }

    /// Checks a vector of offsets, one by one.
    pub(super) fn offsets(
        &mut self,
        at: usize,
        mut check: impl FnMut(&mut Self, usize) -> Verified,
    ) -> Verified {
        const SIZE: usize = size_of::<u32>();
        let length = self.offset(at)?;
        let start = at + SIZE;
        self.range(start, length.saturating_mul(SIZE), SIZE)?;
        self.walked(at, SIZE + length * SIZE)?;
        (0..length).try_for_each(|index| check(self, start + index * SIZE))
    }

    /// Checks a vector of unions: the vector with their types, each of `size` bytes, and that of their
    /// values. `check` is given the positions of a type and of its value.
    pub(super) fn unions(
        &mut self,
        types: usize,
        values: usize,
        size: usize,
        mut check: impl FnMut(&mut Self, usize, usize) -> Verified,
    ) -> Verified {
        self.items(types, size, size)?;
        if self.offset(types)? != self.offset(values)? {
            return Err(InvalidFlatbuffer::new("a vector of unions with another number of types", values));
        }
        let mut kind = types + size_of::<u32>();
        self.offsets(values, |verifier, at| {
            check(verifier, kind, at)?;
            kind += size;
            Ok(())
        })
    }

    /// Checks a message inside a vector of bytes; `check` gets the position of its root. The message counts
    /// as a part of this one: its tables, their depth, its size.
    pub(super) fn nested(&mut self, at: usize, check: impl FnOnce(&mut Self, usize) -> Verified) -> Verified {
        self.items(at, 1, 1)?;
        let start = at + size_of::<u32>();
        let message = &self.buffer[start..start + self.offset(at)?];
        let outer = std::mem::replace(&mut self.buffer, message);
        let checked = self.follow(0).and_then(|root| check(self, root));
        self.buffer = outer;
        checked
    }

    /// Checks a struct that is stored apart from the reference to it.
    #[inline]
    pub(super) fn apart(&mut self, at: usize, size: usize, align: usize) -> Verified {
        self.range(at, size, align)?;
        self.walked(at, size)
    }

    /// The number that identifies the variant of a union.
    #[inline]
    fn tag<K: Tag>(&self, at: usize) -> Result<K, InvalidFlatbuffer> {
        self.range(at, size_of::<K>(), size_of::<K>())?;
        Ok(K::read(self.buffer, at))
    }

    /// The buffer that is verified.
    pub(super) fn buffer(&self) -> &'b [u8] {
        self.buffer
    }

    /// Begins the table at `at`.
    ///
    /// # Errors
    /// Its vtable is invalid, or there are too many tables.
    #[inline]
    pub fn visit_table(&mut self, at: usize) -> Result<TableVerifier<'_, 'b>, InvalidFlatbuffer> {
        let back = i32::from_le_bytes(self.read(at)?);
        let vtable = usize::try_from(at as i64 - i64::from(back))
            .map_err(|_| InvalidFlatbuffer::new("a vtable before the buffer", at))?;
        let size = u16::from_le_bytes(self.read(vtable)?);
        if size % 2 != 0 {
            return Err(InvalidFlatbuffer::new("a vtable of odd length", vtable));
        }
        self.range(vtable, size.into(), 2)?;
        self.walked(at, size_of_val(&back) + usize::from(size))?;
        self.depth += 1;
        self.tables += 1;
        if self.depth > MAX_DEPTH {
            return Err(InvalidFlatbuffer::new("the depth limit of tables", at));
        }
        if self.tables > MAX_TABLES {
            return Err(InvalidFlatbuffer::new("too many tables", at));
        }
        let vtable = &self.buffer[vtable..vtable + usize::from(size)];
        Ok(TableVerifier { verifier: self, at, vtable })
    }

    /// Checks the value of a union.
    ///
    /// # Errors
    /// The fault in the buffer.
    pub fn verify_union_variant<T: Verifiable>(&mut self, variant: &'static str, at: usize) -> Verified {
        T::run_verifier(self, at).map_err(|wrong| wrong.within(variant))
    }
}

/// The fields of one table, one by one.
pub struct TableVerifier<'v, 'b> {
    verifier: &'v mut Verifier<'b>,
    at: usize,
    vtable: &'b [u8],
}

impl<'b> TableVerifier<'_, 'b> {
    /// The position of a field, if it is present.
    #[inline]
    fn place(&self, slot: u16) -> Option<usize> {
        let entry = self.vtable.get(usize::from(slot)..)?.first_chunk()?;
        match u16::from_le_bytes(*entry) {
            0 => None,
            offset => Some(self.at.saturating_add(usize::from(offset))),
        }
    }

    /// Checks a field, if it is present.
    ///
    /// # Errors
    /// The fault in the buffer, or that the field is missing.
    #[inline]
    pub fn visit_field<T: Verifiable>(
        self,
        name: &'static str,
        slot: u16,
        required: bool,
    ) -> Result<Self, InvalidFlatbuffer> {
        self.field(|| name.into(), slot, required, T::run_verifier)
    }

    /// Like [`TableVerifier::visit_field`], with `check` for the value.
    #[inline]
    pub(super) fn field(
        self,
        name: impl FnOnce() -> Cow<'static, str>,
        slot: u16,
        required: bool,
        check: impl FnOnce(&mut Verifier<'b>, usize) -> Verified,
    ) -> Result<Self, InvalidFlatbuffer> {
        match self.place(slot) {
            Some(at) => {
                check(self.verifier, at).map_err(|wrong| wrong.within(name()))?;
                Ok(self)
            }
            None if required => Err(missing(&name(), self.at)),
            None => Ok(self),
        }
    }

    /// Checks a union: the field with its type, and the value.
    ///
    /// # Errors
    /// The errors of [`TableVerifier::visit_field`].
    pub fn visit_union<K: Tag>(
        self,
        name: &'static str,
        slot: u16,
        required: bool,
        check: impl FnOnce(K, &mut Verifier<'b>, usize) -> Verified,
    ) -> Result<Self, InvalidFlatbuffer> {
        self.union(
            || name.into(),
            slot,
            required,
            |verifier, kind, at| check(verifier.tag(kind)?, verifier, at),
        )
    }

    /// Checks a vector of unions: the field with their types, and that with the values.
    ///
    /// # Errors
    /// The errors of [`TableVerifier::visit_field`].
    pub fn visit_unions<K: Tag>(
        self,
        name: &'static str,
        slot: u16,
        required: bool,
        mut check: impl FnMut(K, &mut Verifier<'b>, usize) -> Verified,
    ) -> Result<Self, InvalidFlatbuffer> {
        self.union(
            || name.into(),
            slot,
            required,
            |verifier, types, values| {
                let (types, values) = (verifier.follow(types)?, verifier.follow(values)?);
                verifier.unions(types, values, size_of::<K>(), |verifier, kind, at| {
                    check(verifier.tag(kind)?, verifier, at)
                })
            },
        )
    }

    /// Like [`TableVerifier::visit_union`], with the name computed on demand. `check` gets the positions of
    /// the two fields.
    pub(super) fn union(
        self,
        name: impl FnOnce() -> Cow<'static, str>,
        slot: u16,
        required: bool,
        check: impl FnOnce(&mut Verifier<'b>, usize, usize) -> Verified,
    ) -> Result<Self, InvalidFlatbuffer> {
        match (self.place(slot - 2), self.place(slot)) {
            (Some(kind), Some(at)) => {
                check(self.verifier, kind, at).map_err(|wrong| wrong.within(name()))?;
                Ok(self)
            }
            (None, None) if required => Err(missing(&name(), self.at)),
            (None, None) => Ok(self),
            _ => {
                Err(InvalidFlatbuffer::new("a union without its type, or a type alone", self.at)
                    .within(name()))
            }
        }
    }

    /// Ends the table.
    #[inline]
    pub fn finish(self) {
        self.verifier.depth -= 1;
    }
}

#[cold]
fn unaligned(at: usize, align: usize) -> InvalidFlatbuffer {
    InvalidFlatbuffer::new(format!("not aligned to {align} bytes"), at)
}

#[cold]
fn missing(name: &str, at: usize) -> InvalidFlatbuffer {
    InvalidFlatbuffer::new(format!("Missing required field `{name}`"), at)
}
