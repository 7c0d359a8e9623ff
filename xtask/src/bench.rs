//! `cargo xtask bench`: builds the program and the benchmark workspace, then hands over to its driver.
//!
//! The driver and the rivals live in `bench/`, a workspace of its own, so that neither README command builds them.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Runs `bench/`'s driver with `options`; its exit code is ours.
pub fn run(root: &Path, options: &[String]) -> ExitCode {
    let bench = root.join("bench");
    let built = cargo(root, &["build", "--release", "--package", "polywire-cli"])
        .and_then(|()| cargo(&bench, &["build", "--release", "--bins"]));
    if let Err(said) = built {
        eprintln!("bench: {said}");
        return ExitCode::FAILURE;
    }
    match Command::new(bench.join("target/release/bench")).args(options).status() {
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
    // Told where to build by the caller's environment, the two workspaces would share a folder and the driver be lost. What
    // cargo told xtask of itself looks to build scripts like a change: ring, and all that stands on it, would be built anew.
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
