//! Code of the messages and services in `proto`. It is committed, so that building the program needs no code
//! generator. The test `standard` of `xtask` checks that it is up to date.

#![allow(
    clippy::all,
    dead_code,
    missing_docs,
    non_camel_case_types,
    unused_imports,
    unused_qualifications,
    rustdoc::all
)]

pub mod cluster {
    include!("generated/cluster.rs");
}
pub mod example {
    include!("generated/example.rs");
}
pub mod flat {
    include!("generated/flat.rs");
}
pub mod flat_test {
    include!("generated/flat_test.rs");
}
pub mod helloworld {
    include!("generated/helloworld.rs");
}
pub mod test {
    include!("generated/test.rs");
}
