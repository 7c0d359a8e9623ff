//! The client against the server: its output is the README's. Also a peer that uses a plain socket.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    process::Command,
};

#[test]
fn the_client_prints_what_the_readme_shows() {
    let running = polywire_example_own_protocol::server().listen("127.0.0.1:0").start().unwrap();
    let address = running.addresses()[0].to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_own-protocol-client")).arg(address).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(include_str!("../README.md").contains(&format!("```text\n{said}```")), "{said}");
}

#[test]
fn lines_of_a_socket_are_answered_one_by_one() {
    let running = polywire_example_own_protocol::server().listen("127.0.0.1:0").start().unwrap();
    let mut socket = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
    let requests = [
        r#"CALL echo.EchoService/Echo {"message":"one"}"#,
        "CALL echo.EchoService/None {}",
        r#"CALL echo.EchoService/Echo {"message":""}"#,
        r#"CALL echo.EchoService/Echo {"message":"two"}"#,
    ];
    socket.write_all(format!("{}\n", requests.join("\n")).as_bytes()).unwrap();
    let lines: Vec<_> = BufReader::new(socket).lines().take(requests.len()).map(Result::unwrap).collect();
    assert_eq!(lines[0], r#"+{"message":"one by line"}"#);
    assert!(lines[1].starts_with("-UNIMPLEMENTED "), "{lines:?}");
    assert_eq!(lines[2], "-INVALID_ARGUMENT say something");
    assert_eq!(lines[3], r#"+{"message":"two by line"}"#);
}
