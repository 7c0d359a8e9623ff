//! gRPC, grpc-web and Connect over HTTP/1: what each writes and how it reads. The framing makes no difference
//! to them; that gRPC needs HTTP/2 is checked elsewhere.

mod bad_input;
mod client;
mod codes;
mod connect;
mod golden;
mod noise;
mod round_trip;
mod server;

use super::lines;
use crate::http::{self, dialects::Kind};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_machine_testing::{Octets, Seen, SeenOpen, Side};
use polywire_wire::{ClientSetup, Content, Delivery, Outcome, Protocol, Streams};

/// gRPC over HTTP/1, which is not used in practice, but makes no difference to semantics.
static GRPC: Protocol = Protocol {
    name: "grpc",
    streams: Streams::Messages,
    content: |_| Some(Content::PROTOBUF),
    machine: Some(|setup| http::h1::over(setup, Kind::Grpc)),
    ..http::PROTOCOL
};

/// The protocols of a client, with their content types.
const KINDS: [(&Protocol, &str, &str); 4] = [
    (&GRPC, "", "application/grpc"),
    (&http::GRPC_WEB, "", "application/grpc-web+proto"),
    (&http::GRPC_WEB, "text", "application/grpc-web-text+proto"),
    (&http::CONNECT, "", "application/connect+proto"),
];

fn server() -> Side {
    Side::server(&http::PROTOCOL)
}

fn streaming() -> Side {
    server().hosted(|host| host.deliver(Delivery::Messages))
}

fn client(protocol: &'static Protocol, parameter: &'static str) -> Side {
    Side::new(protocol, ClientSetup { authority: "test", parameter, ..ClientSetup::default() })
}

/// The five-byte prefix and a message.
fn envelope(flags: u8, message: impl AsRef<[u8]>) -> Vec<u8> {
    let message = message.as_ref();
    let length = (message.len() as u32).to_be_bytes();
    [&[flags][..], &length, message].concat()
}

/// A request with these fields after the usual ones.
fn request(content_type: &str, more: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head = format!(
        "POST /pkg.Service/Method HTTP/1.1|Host: x|Content-Type: {content_type}|Content-Length: {}|{more}|",
        body.len()
    );
    [&lines(&head)[..], body].concat()
}

/// A reply with status 200, these fields, its body in one chunk, and trailers.
fn reply(content_type: &str, more: &str, body: impl AsRef<[u8]>, trailers: &str) -> Vec<u8> {
    let body = body.as_ref();
    let mut bytes =
        lines(&format!("HTTP/1.1 200 OK|Content-Type: {content_type}|Transfer-Encoding: chunked|{more}|"));
    if !body.is_empty() {
        bytes.extend(format!("{:x}\r\n", body.len()).bytes());
        bytes.extend_from_slice(body);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend(lines(&format!("0|{trailers}|")));
    bytes
}

/// Head, body without its chunks, and trailers of what a side has written; line ends are bars in head and
/// trailers.
#[derive(Debug, PartialEq)]
struct Said {
    head: String,
    body: Octets,
    trailers: String,
}

impl Said {
    /// # Panics
    /// If the side has not written a whole message.
    #[track_caller]
    fn of(side: &mut Side) -> Said {
        let bytes = side.written();
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").expect("a whole head") + 4;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().replace("\r\n", "|");
        let head = text(&bytes[..end]);
        let mut rest = &bytes[end..];
        if !head.contains("Transfer-Encoding: chunked") {
            return Said { head, body: Octets(rest.to_vec()), trailers: String::new() };
        }
        let mut body = Vec::new();
        loop {
            let line = rest.windows(2).position(|w| w == b"\r\n").expect("a chunk's size");
            let size = usize::from_str_radix(std::str::from_utf8(&rest[..line]).unwrap(), 16).unwrap();
            rest = &rest[line + 2..];
            if size == 0 {
                return Said { head, body: Octets(body), trailers: text(rest) };
            }
            body.extend_from_slice(&rest[..size]);
            rest = &rest[size + 2..];
        }
    }
}

fn message(bytes: impl AsRef<[u8]>) -> Outcome {
    let body = IoBuf::copy_from_slice(bytes.as_ref());
    Outcome { body, reply: true, ..Outcome::default() }
}

fn failed(status: Status) -> Outcome {
    Outcome { status, ..Outcome::default() }
}

#[track_caller]
fn only_open(seen: &[Seen]) -> &SeenOpen {
    match seen {
        [Seen::Open(open)] => open,
        other => panic!("expected one Open, saw {other:?}"),
    }
}
