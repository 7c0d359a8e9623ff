//! The clients against the server: their output is the README's.

use std::process::Command;

fn said(program: &str) -> String {
    // The server calls itself, so its address must be known before it listens.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let running = polywire_example_grpc::server(&address).unwrap().serve(listener).unwrap();
    let output = Command::new(program).arg(address).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    drop(running);
    said
}

#[test]
fn the_clients_print_what_the_readme_shows() {
    for program in [
        env!("CARGO_BIN_EXE_grpc-client"),
        env!("CARGO_BIN_EXE_grpc-patience"),
        env!("CARGO_BIN_EXE_grpc-reflect"),
    ] {
        let said = said(program);
        assert!(include_str!("../README.md").contains(&format!("```text\n{said}```")), "{said}");
    }
}
