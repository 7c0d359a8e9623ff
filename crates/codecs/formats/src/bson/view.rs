//! Documents inside of bytes, and their elements.

use super::{
    EMPTY_BYTES, Error, Kind, MAX_DEPTH, Value,
    value::{document, name},
};

/// A document or an array inside another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    /// The document's bytes: they begin with their length and end with a NUL.
    bytes: &'a [u8],
}

impl<'a> View<'a> {
    /// Splits a document off the front of `bytes`, and returns it with the bytes after it. Only length and
    /// end are checked; a malformed element ends its [`View::iter`].
    ///
    /// # Errors
    /// The length is not there, or no NUL at the end.
    pub fn shallow(bytes: &'a [u8]) -> Result<(View<'a>, &'a [u8]), Error> {
        document(bytes)
    }

    pub(super) fn of(bytes: &'a [u8]) -> View<'a> {
        View { bytes }
    }

    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.len() == EMPTY_BYTES
    }

    /// The value of the first element of this name.
    pub fn get(&self, name: &str) -> Option<Value<'a>> {
        self.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Names and values, in their order.
    pub fn iter(&self) -> Elements<'a> {
        Elements { rest: &self.bytes[4..self.bytes.len() - 1] }
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Shown { view: *self, levels: MAX_DEPTH }.fmt(f)
    }
}

/// A document to print down to a number of levels: a view that was not checked may be nested deeper than the
/// stack allows.
struct Shown<'a> {
    view: View<'a>,
    levels: usize,
}

impl std::fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(levels) = self.levels.checked_sub(1) else { return f.write_str("{..}") };
        let mut map = f.debug_map();
        for (name, value) in self.view.iter() {
            match value.as_view() {
                Some(view) => map.entry(&name, &Shown { view, levels }),
                None => map.entry(&name, &value),
            };
        }
        map.finish()
    }
}

/// Names and values of a document, in their order. It ends at an invalid element; a checked document has
/// none.
#[derive(Clone)]
pub struct Elements<'a> {
    rest: &'a [u8],
}

impl<'a> Elements<'a> {
    /// The next element.
    ///
    /// # Errors
    /// The element is invalid.
    pub fn read(&mut self) -> Result<Option<(&'a str, Value<'a>)>, Error> {
        let Some((&kind, rest)) = self.rest.split_first() else { return Ok(None) };
        let kind = Kind::of(kind).ok_or(Error::Type(kind))?;
        let (name, rest) = name(rest)?;
        let (value, rest) = Value::read(kind, rest)?;
        self.rest = rest;
        Ok(Some((name, value)))
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = (&'a str, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.read().unwrap_or_default();
        if next.is_none() {
            self.rest = &[];
        }
        next
    }
}
