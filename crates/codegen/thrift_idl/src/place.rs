//! Where in a file something is, and what is wrong there.

/// A position in a file, counted from 1; columns are characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// What is wrong, and where in its file.
pub(crate) struct Wrong {
    pub place: Place,
    pub what: String,
}

pub(crate) fn wrong(place: Place, what: impl Into<String>) -> Wrong {
    Wrong { place, what: what.into() }
}
