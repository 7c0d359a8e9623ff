//! The messages of hello world, for `hello`; the clock that stands still; the compiler's version.

use std::{
    env,
    path::Path,
    process::{Command, exit},
};

fn main() {
    let config = polywire_build::Config::new().include("../bench/hello");
    if let Err(error) = config.compile(&["../bench/hello/hello.proto"]) {
        fail(&error.to_string());
    }
    let variable = |name| env::var(name).unwrap_or_else(|_| fail(&format!("cargo sets no {name}")));

    let clock = Path::new(&variable("OUT_DIR")).join("clock.so");
    let compiled =
        Command::new("cc").args(["-O2", "-fPIC", "-shared", "src/clock.c", "-o"]).arg(&clock).status();
    if !compiled.is_ok_and(|status| status.success()) {
        fail("cc does not compile src/clock.c");
    }
    println!("cargo::rerun-if-changed=src/clock.c");
    println!("cargo::rustc-env=COST_CLOCK={}", clock.display());

    let version = Command::new(variable("RUSTC")).arg("-V").output().expect("the compiler runs").stdout;
    println!("cargo::rustc-env=COST_COMPILER={}", String::from_utf8_lossy(&version).trim());
    println!("cargo::rustc-env=COST_TARGET={}", variable("TARGET"));
}

fn fail(why: &str) -> ! {
    eprintln!("{why}");
    exit(1);
}
