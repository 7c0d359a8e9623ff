//! Messages and stubs of `grpc.testing`; protox parses, so no `protoc` is needed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=../rust/proto");
    let descriptors = protox::compile(["grpc_testing.proto"], ["../rust/proto"])?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
