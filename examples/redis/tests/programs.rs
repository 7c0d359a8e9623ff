//! The client against both servers: its output is the README's.

use polywire_example_redis::{own, store};
use std::process::Command;

#[test]
fn the_client_prints_what_the_readme_shows() {
    let servers = [store(), own()].map(|server| server.listen("127.0.0.1:0").start().unwrap());
    let addresses = servers.iter().map(|server| server.addresses()[0].to_string());
    let output = Command::new(env!("CARGO_BIN_EXE_redis-example-client")).args(addresses).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(include_str!("../README.md").contains(&format!("```text\n{said}```")), "{said}");
}
