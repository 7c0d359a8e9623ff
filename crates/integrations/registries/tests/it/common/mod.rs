//! What the tests of all registries use: a registry in the test's own memory, in virtual time.

#![allow(dead_code)] // each test binary uses its part

pub mod hostile;
pub mod http;
mod watching;

#[allow(unused_imports)] // each test binary uses its part
pub use watching::*;
