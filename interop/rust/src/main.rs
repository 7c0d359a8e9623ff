//! Runs the program that this file is called by the name of: see `polywire_interop`.

use std::{path::Path, process::ExitCode};

fn main() -> ExitCode {
    let path = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy();
    polywire_interop::programs::run(&name)
}
