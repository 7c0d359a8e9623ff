//! A position in a file, and errors at it.

/// A position in a file, counted from 1; columns are characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// An error, and its position in the file.
pub(crate) struct Wrong {
    pub place: Place,
    pub what: String,
}

pub(crate) fn wrong(place: Place, what: impl Into<String>) -> Wrong {
    Wrong { place, what: what.into() }
}
