//! The client against the server: its output is the README's.

use std::{
    io::{Read, Write},
    net::TcpStream,
    process::Command,
};

#[test]
fn the_client_prints_what_the_readme_shows() {
    let running = polywire_example_http::server().listen("127.0.0.1:0").start().unwrap();
    let address = running.addresses()[0].to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_http-client")).arg(address).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(include_str!("../README.md").contains(&format!("```text\n{said}```")), "{said}");
}

/// Sends one request as it is and reads until the server closes.
fn exchange(request: &str) -> String {
    let running = polywire_example_http::server().listen("127.0.0.1:0").start().unwrap();
    let mut stream = TcpStream::connect(running.addresses()[0].to_string()).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

fn request(path: &str, body: &str, connection: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: shop\r\nconnection: {connection}\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

fn post(path: &str, body: &str) -> String {
    exchange(&request(path, body, "close"))
}

#[test]
fn curl_gets_json_for_json() {
    let reply = post("/shop.Items/Put", r#"{"name":"tea","price_cents":450,"tags":["green"]}"#);
    assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
    assert!(reply.ends_with(r#"{"name":"tea","price_cents":450,"tags":["green"]}"#), "{reply}");
}

#[test]
fn the_restful_path_names_what_is_not_there() {
    let reply = exchange("GET /v1/items/gold HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n");
    assert!(reply.starts_with("HTTP/1.1 404 Not Found\r\n"), "{reply}");
    assert!(reply.contains(r#"no item "gold""#), "{reply}");
}

#[test]
fn a_rule_binds_path_and_body() {
    let put = request("/shop.Items/Put", r#"{"name":"tea","price_cents":450}"#, "keep-alive");
    let reprice = request("/v1/items/tea:reprice", r#"{"priceCents":400}"#, "close");
    let reply = exchange(&(put + &reprice));
    assert!(reply.ends_with(r#"{"name":"tea","priceCents":"400"}"#), "{reply}");
    let reply = post("/v1/items/gold:reprice", r#"{"priceCents":"x"}"#);
    assert!(reply.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{reply}");
    assert!(reply.contains(r#"{"code":3,"message":"#), "{reply}");
}

#[test]
fn the_raw_handler_chooses_status_headers_and_content_type() {
    let reply = post("/label/html", "a < b");
    assert!(reply.starts_with("HTTP/1.1 201 Created\r\n"), "{reply}");
    let head = reply.to_ascii_lowercase();
    assert!(head.contains("content-type: text/html; charset=utf-8\r\n"), "{reply}");
    assert!(head.contains("x-letters: 5\r\n"), "{reply}");
    assert!(reply.ends_with("<b>a &lt; b</b>\n"), "{reply}");
}

#[test]
fn the_raw_handler_refuses_what_is_no_post() {
    let reply = exchange("GET /label/html HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n");
    assert!(reply.starts_with("HTTP/1.1 405 Method Not Allowed\r\n"), "{reply}");
}
