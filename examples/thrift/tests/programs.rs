//! The client against the server: its output is the README's.

use std::process::Command;

#[test]
fn the_client_prints_what_the_readme_shows() {
    let running = polywire_example_thrift::server().listen("127.0.0.1:0").start().expect("it starts");
    let address = running.addresses()[0].to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_thrift-client")).arg(address).output().expect("it runs");
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(include_str!("../README.md").contains(&format!("```text\n{said}```")), "{said}");
}
