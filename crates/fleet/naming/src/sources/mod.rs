//! The sources, a folder each, all of one shape: `SCHEME`, the source, and how its answers are read.

pub mod dlist;
pub mod dns;
pub mod file;
pub mod host;
pub mod list;
