//! Generates messages, service traits and client stubs from `.proto`, `.fbs` and `.thrift` files, in a build
//! script. No `protoc`, no `flatc` and no compiler of Apache Thrift needed.
//!
//! ```no_run
//! // in main() of build.rs
//! polywire_build::compile("proto/echo.proto");
//! ```
//!
//! ```text
//! // main.rs
//! polywire::include!("echo"); // mod echo { EchoRequest, EchoService, EchoClient, … }
//! ```
//!
//! With options, or for several files: [`Config`].
//!
//! The output for a package: its messages and enums; per service a trait to implement and a client to call,
//! with all four kinds of methods; the descriptors, for JSON, reflection and tools.
//!
//! How it fits together: `generate` runs the others. `parsed` makes a descriptor set with protox or `protoc`,
//! `model` extracts what the service generator needs, `emit` writes Rust: messages by buffa's or prost's
//! generator, services by its own. `fbs` does all of this for FlatBuffers, whose files `polywire-fbs` parses,
//! and `thrift` for Thrift, whose files `polywire-thrift-idl` parses.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod config;
mod emit;
mod error;
mod fbs;
mod generate;
mod model;
mod parsed;
mod thrift;
mod written;

pub use config::Config;
pub use error::Error;

use std::path::Path;

/// Generates code for one `.proto`, `.fbs` or `.thrift` file and its imports. Call it once, from `build.rs`.
///
/// Imports are looked up in the file's own directory; [`Config::include`] adds others. Errors end the build
/// script with a message that contains file, line and column.
pub fn compile(file: impl AsRef<Path>) {
    if let Err(error) = Config::new().compile(&[file]) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
