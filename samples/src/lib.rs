//! Generated code for tests: a module per sample of `crates/codegen/build/tests/generator/samples.rs`, and in
//! it one per package. The tests of what it does are those of `polywire-build` and `polywire`; golden files
//! have our part of the same code, and the outline of buffa's.

// Comments of generated code are those of buffa and of the samples.
#![allow(rustdoc::all)]
#![forbid(unsafe_code)]

/// The folder with a folder of generated files per sample.
pub const FOLDER: &str = env!("OUT_DIR");

macro_rules! samples {
    ($($name:ident)*) => { $(
        #[allow(missing_docs)]
        pub mod $name {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($name), "/polywire/all.rs"));
        }
    )* };
}

samples! { protobuf editions gbk mcpack rest ship views }
