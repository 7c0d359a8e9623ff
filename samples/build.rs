//! Generates each sample into a folder of its own.

use std::{env, path::Path};

#[path = "../crates/codegen/build/tests/generator/samples.rs"]
mod samples;

use samples::{EDITIONS, GBK, MCPACK, PROTOBUF, REST, SHIP, VIEWS};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tests = Path::new("../crates/codegen/build/tests");
    println!("cargo::rerun-if-changed={}", tests.join("generator/samples.rs").display());
    for sample in [PROTOBUF, EDITIONS, GBK, MCPACK, REST, SHIP, VIEWS] {
        sample.compile(tests, &Path::new(&env::var("OUT_DIR")?).join(sample.name))?;
    }
    Ok(())
}
