//! Code for the targets that need some made from a schema.

fn main() -> Result<(), polywire_build::Error> {
    println!("cargo::rerun-if-changed=schema");
    polywire_build::Config::new().runtime_path("::polywire_formats").compile(&["schema/tree.fbs"])
}
