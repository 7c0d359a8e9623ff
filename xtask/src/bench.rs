//! `cargo xtask bench`: builds the program and the benchmark workspace, then runs its driver.
//!
//! The driver and the rival implementations are in `bench/`, a separate workspace, so that neither README
//! command builds them.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::bench_page;

/// Runs `bench/`'s driver with `options`, and returns its exit code. With `--tables` the page is made anew
/// from the records.
pub fn run(root: &Path, options: &[String]) -> ExitCode {
    let bench = root.join("bench");
    let built = cargo(root, &["build", "--release", "--package", "polywire-cli", "--features", "full"])
        .and_then(|()| cargo(&bench, &["build", "--release", "--bins"]));
    if let Err(said) = built {
        eprintln!("bench: {said}");
        return ExitCode::FAILURE;
    }
    match Command::new(bench.join("target/release/bench")).args(options).status() {
        Ok(status) if status.success() && options.iter().any(|option| option == "--tables") => {
            crate::done("bench", bench_page::write(root))
        }
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("bench: cannot run the driver: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs cargo in `folder`.
fn cargo(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(folder).args(arguments);
    // If the caller's environment set the target directory, the two workspaces would share it and the driver
    // be lost. The variables that cargo set for xtask look like a change to build scripts: ring, and
    // everything that depends on it, would be rebuilt.
    let told = ["CARGO_TARGET_DIR", "CARGO_MANIFEST_", "CARGO_PKG_"];
    for (name, _) in std::env::vars_os() {
        if told.iter().any(|begin| name.to_string_lossy().starts_with(begin)) {
            command.env_remove(name);
        }
    }
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("cargo {} failed in {}", arguments.join(" "), folder.display())),
        Err(error) => Err(format!("cannot run cargo: {error}")),
    }
}
