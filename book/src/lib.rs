//! Finds the Rust blocks of the documentation and generates code that a test compiles; see README.md.

#![forbid(unsafe_code)]

pub mod blocks;
