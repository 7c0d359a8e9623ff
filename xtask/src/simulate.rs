//! `cargo xtask simulate`: builds the simulator with optimisation, since it is ten times faster so, and runs
//! it.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Runs `simulate/` with `options`, and returns its exit code.
pub fn run(root: &Path, options: &[String]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--quiet", "--release", "--package", "polywire-simulate"]);
    command.arg("--manifest-path").arg(root.join("Cargo.toml")).arg("--").args(options);
    match command.status() {
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("simulate: cannot run cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
