//! The trait that reads the values of a message.

use super::{Bytes, Error, Type, Uuid};

/// The enclosing struct, as [`Reader::begin_struct`] returned it.
#[derive(Clone, Copy, Debug)]
#[must_use = "the struct around it continues with this"]
pub struct Scope(pub(super) i16);

/// Reads one message in one protocol. Generated code is generic over the reader, so that each protocol has
/// its own code without a virtual call.
///
/// After [`Reader::field`] exactly one value has to be read or skipped. No method reserves memory for more
/// than the message can contain.
pub trait Reader: Sized {
    /// A struct begins.
    ///
    /// # Errors
    /// [`Error::Depth`].
    fn begin_struct(&mut self) -> Result<Scope, Error>;
    /// Id and type of the next field of a struct; `None`: the struct is over, and [`Reader::end_struct`]
    /// follows.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::Type`].
    fn field(&mut self) -> Result<Option<(i16, Type)>, Error>;
    /// Ends a struct. `outer`: the result of [`Self::begin_struct`].
    fn end_struct(&mut self, outer: Scope);
    /// # Errors
    /// [`Error::Truncated`].
    fn bool(&mut self) -> Result<bool, Error>;
    /// # Errors
    /// [`Error::Truncated`].
    fn i8(&mut self) -> Result<i8, Error>;
    /// # Errors
    /// [`Error::Truncated`], [`Error::Varint`].
    fn i16(&mut self) -> Result<i16, Error>;
    /// # Errors
    /// [`Error::Truncated`], [`Error::Varint`].
    fn i32(&mut self) -> Result<i32, Error>;
    /// # Errors
    /// [`Error::Truncated`], [`Error::Varint`].
    fn i64(&mut self) -> Result<i64, Error>;
    /// # Errors
    /// [`Error::Truncated`].
    fn double(&mut self) -> Result<f64, Error>;
    /// # Errors
    /// [`Error::Truncated`], [`Error::NotUtf8`].
    fn string(&mut self) -> Result<String, Error>;
    /// Reads bytes; long ones share the memory of the message.
    ///
    /// # Errors
    /// [`Error::Truncated`].
    fn binary(&mut self) -> Result<Bytes, Error>;
    /// # Errors
    /// [`Error::Truncated`].
    fn uuid(&mut self) -> Result<Uuid, Error>;
    /// Type and number of the elements of a list or set; `None`: it has none.
    ///
    /// # Errors
    /// [`Error::Truncated`]: the message is too short for this many.
    fn any_list(&mut self) -> Result<Option<(Type, usize)>, Error>;
    /// Types and number of the entries of a map; `None`: it has none.
    ///
    /// # Errors
    /// The errors of [`Reader::any_list`].
    fn any_map(&mut self) -> Result<Option<(Type, Type, usize)>, Error>;
    /// Number of elements of a list, all of this type.
    ///
    /// # Errors
    /// The errors of [`Reader::any_list`], and [`Error::Elements`].
    #[inline]
    fn list(&mut self, kind: Type) -> Result<usize, Error> {
        let Some((found, count)) = self.any_list()? else { return Ok(0) };
        expect(kind, found).map(|()| count)
    }
    /// Number of elements of a set.
    ///
    /// # Errors
    /// The errors of [`Reader::list`].
    #[inline]
    fn set(&mut self, kind: Type) -> Result<usize, Error> {
        self.list(kind)
    }
    /// Number of entries of a map.
    ///
    /// # Errors
    /// The errors of [`Reader::list`].
    #[inline]
    fn map(&mut self, key: Type, value: Type) -> Result<usize, Error> {
        let Some((found_key, found_value, count)) = self.any_map()? else { return Ok(0) };
        expect(key, found_key)?;
        expect(value, found_value).map(|()| count)
    }
    /// Skips the value of a field that is unknown, or has another type than the definition.
    ///
    /// # Errors
    /// As for reading it.
    fn skip(&mut self, kind: Type) -> Result<(), Error>;
}

/// Refuses elements of another type than the definition.
#[inline]
fn expect(expected: Type, found: Type) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Elements { expected, found }) }
}
