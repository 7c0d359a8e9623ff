//! Makes messages and stubs from the demo's protos: ours, and tonic's beside them. protox parses both, so no `protoc` is
//! needed.

use std::path::PathBuf;

const DEMO: &str = "../crates/cli/proto";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={DEMO}");
    polywire_build::Config::new().include(DEMO).compile(&[format!("{DEMO}/example/echo.proto")])?;
    // Both name their files after the package.
    let tonic = PathBuf::from(std::env::var("OUT_DIR")?).join("tonic");
    std::fs::create_dir_all(&tonic)?;
    let protos = ["example/echo.proto", "example/streams.proto", "helloworld.proto"];
    tonic_prost_build::configure().out_dir(tonic).compile_fds(protox::compile(protos, [DEMO])?)?;
    Ok(())
}
