//! The Rust blocks of the documentation, found and made into code that a test compiles; see README.md.

#![forbid(unsafe_code)]

pub mod blocks;
