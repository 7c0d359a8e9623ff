//! Makes messages and stubs from the demo's protos: ours, and tonic's beside them; and those of our own
//! loads; and the descriptors of the echo service, for proxies that know methods by them. protox parses all,
//! so no `protoc` is needed.

use std::path::PathBuf;

const DEMO: &str = "../crates/cli/proto";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={DEMO}");
    let demo = |name: &str| format!("{DEMO}/{name}");
    let ours = [demo("example/echo.proto"), demo("example/streams.proto"), demo("benchmark.proto")];
    let files = ours
        .into_iter()
        .chain(["proto/orders.proto", "proto/benchmark.fbs", "proto/echo.thrift"].map(str::to_owned));
    let config = polywire_build::Config::new().include(DEMO).include("proto");
    config.mcpack(true).compile(&files.collect::<Vec<_>>())?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let echo = protox::Compiler::new([DEMO])?
        .include_imports(true)
        .open_file("example/echo.proto")?
        .encode_file_descriptor_set();
    std::fs::write(out.join("echo.pb"), echo)?;
    // Both name their files after the package.
    let tonic = out.join("tonic");
    std::fs::create_dir_all(&tonic)?;
    let protos = ["example/echo.proto", "example/streams.proto", "helloworld.proto"];
    tonic_prost_build::configure().out_dir(tonic).compile_fds(protox::compile(protos, [DEMO])?)?;
    Ok(())
}
