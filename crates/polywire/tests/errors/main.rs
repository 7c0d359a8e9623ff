//! What fails and how it is said.

mod json;
mod survives;
