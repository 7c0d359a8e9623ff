//! The client against both servers: its output is the README's.

use polywire::Server;
use polywire_example_axum::{Board, notes::Notes};
use std::process::Command;

fn client_prints_the_readme(address: String) {
    let output = Command::new(env!("CARGO_BIN_EXE_axum-client")).arg(address).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(include_str!("../README.md").contains(&format!("```text\n{said}```")), "{said}");
}

#[test]
fn the_router_behind_our_port() {
    let board = Board::default();
    let server = Server::new().service(board.clone().into_service()).fallback(board.page());
    let running = server.listen("127.0.0.1:0").start().unwrap();
    client_prints_the_readme(running.addresses()[0].to_string());
}

#[test]
fn our_service_behind_the_router() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let board = Board::default();
    let exported = Server::new().service(board.clone().into_service()).into_tower().unwrap();
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async move { axum::serve(listener, board.page().fallback_service(exported)).await });
    client_prints_the_readme(address.to_string());
}
