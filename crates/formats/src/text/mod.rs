//! Text format.

pub(crate) mod escape;
