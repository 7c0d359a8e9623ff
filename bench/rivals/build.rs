//! volo's code for the service that ours is generated for, too.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=../proto/echo.thrift");
    Ok(volo_build::Builder::thrift().add_service("../proto/echo.thrift").write()?)
}
