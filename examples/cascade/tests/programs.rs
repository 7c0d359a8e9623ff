//! The program's output is that of the README.

use std::process::Command;

#[test]
fn the_program_prints_what_the_readme_shows() {
    let output = Command::new(env!("CARGO_BIN_EXE_cascade")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(include_str!("../README.md").contains(&format!("```text\n{said}```")), "{said}");
}
