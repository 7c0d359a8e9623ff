//! Code for the targets that need some made from a schema.

fn main() -> Result<(), polywire_build::Error> {
    println!("cargo::rerun-if-changed=schema");
    let config =
        polywire_build::Config::new().runtime_path("::polywire_formats").mcpack(true).object_api(true);
    config.compile(&["schema/tree.fbs", "../crates/codegen/build/tests/protos/mcpack.proto"])
}
