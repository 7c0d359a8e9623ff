//! The programs of tonic that docs/from-tonic.md shows: compiled, not run.

#![allow(dead_code)]

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

fn main() {}
