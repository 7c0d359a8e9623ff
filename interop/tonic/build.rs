//! Messages and stubs of `grpc.testing`; protox parses, so no `protoc` is needed. And the programs of tonic
//! that docs/from-tonic.md shows beside ours, to be compiled.

#[path = "../../book/src/blocks.rs"]
#[allow(dead_code)]
mod blocks;

use std::{env, fs, path::PathBuf};

const PAGE: &str = "../../docs/from-tonic.md";
const ECHO: &str = "../../book/proto";
const DEMO: &str = "../../crates/cli/proto";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=../rust/proto");
    let descriptors = protox::compile(["grpc_testing.proto"], ["../rust/proto"])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;

    println!("cargo::rerun-if-changed={DEMO}");
    tonic_prost_build::configure().compile_fds(protox::compile(["example/streams.proto"], [DEMO])?)?;

    println!("cargo::rerun-if-changed={ECHO}");
    println!("cargo::rerun-if-changed={PAGE}");
    tonic_prost_build::configure().compile_fds(protox::compile(["echo.proto"], [ECHO])?)?;
    let found = blocks::find(&fs::read_to_string(PAGE)?, "rust,tonic")?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?).join("pages.rs");
    fs::write(out, blocks::module("docs/from-tonic.md", &found))?;
    Ok(())
}
