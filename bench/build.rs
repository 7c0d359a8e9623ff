//! Makes messages and stubs: ours from the demo's own service, the rival's from `proto/bench.proto`. protox parses both, so
//! no `protoc` is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=proto");
    polywire_build::Config::new()
        .include("../crates/cli/proto")
        .compile(&["../crates/cli/proto/example/echo.proto"])?;
    let descriptors = protox::compile(["bench.proto"], ["proto"])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
