//! `cargo xtask bench`: builds the program and the benchmark workspace, then hands over to its driver.
//!
//! The driver and the rivals live in `bench/`, a workspace of its own, so that neither README command builds them.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Runs `bench/`'s driver with `options`; its exit code is ours.
pub fn run(root: &Path, options: &[String]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let steps = [(
        "the program",
        Command::new(&cargo)
            .current_dir(root)
            .args(["build", "--release", "--package", "polywire-cli"])
            .status(),
    )];
    for (what, status) in steps {
        match status {
            Ok(status) if status.success() => {}
            Ok(_) => {
                eprintln!("bench: building {what} failed");
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("bench: cannot run cargo: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let driver = Command::new(&cargo)
        .current_dir(root.join("bench"))
        .args(["run", "--release", "--quiet", "--bin", "bench", "--"])
        .args(options)
        .status();
    match driver {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("bench: cannot run cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
