//! The client against the server: its output is the README's; and the files of the page.
//! `interop/run chromium` opens the page itself.

use polywire::{Channel, Code};
use polywire_example_websocket::room::{Line, RoomClient};
use std::{
    io::{Read, Write},
    net::TcpStream,
    process::Command,
};

#[test]
fn the_client_prints_what_the_readme_shows() {
    let running = polywire_example_websocket::server().listen("127.0.0.1:0").start().unwrap();
    let address = running.addresses()[0].to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_websocket-client")).arg(address).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(include_str!("../README.md").contains(&format!("```text\n{said}```")), "{said}");
}

#[test]
fn the_page_and_both_of_its_scripts_are_there() {
    let running = polywire_example_websocket::server().listen("127.0.0.1:0").start().unwrap();
    let get = |path: &str| {
        let mut connection = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
        write!(connection, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{path}: {answer}");
        answer.to_lowercase()
    };
    assert!(get("/room").contains("content-type: text/html"));
    assert!(get("/room").contains("src=\"room.js\""));
    assert!(get("/room.js").contains("content-type: text/javascript"));
    assert!(get("/polywire.js").contains("export class call"));
}

/// What is said is kept for all who are slow: whoever says it has no say in how long it is, whichever field
/// it is in.
#[tokio::test]
async fn a_line_has_a_bound_with_the_name_of_who_says_it() {
    let running = polywire_example_websocket::server().listen("127.0.0.1:0").start().unwrap();
    let channel = Channel::builder(running.addresses()[0].to_string()).protocol("grpc").build().unwrap();
    for (who, text) in [("guest".to_owned(), "x".repeat(2000)), ("x".repeat(2000), "hello".to_owned())] {
        let mut talk = RoomClient::new(channel.clone()).talk().await.unwrap();
        assert_eq!(talk.next().await.unwrap().unwrap().text, "welcome");
        talk.send(Line { who, text }).await.unwrap();
        assert_eq!(talk.next().await.unwrap().unwrap_err().code(), Code::InvalidArgument);
    }
}
