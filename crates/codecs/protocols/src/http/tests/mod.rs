//! The rules of the sheet, row by row; golden bytes from docs/wire/http.md section 8.

mod client;
mod client_streams;
mod date;
mod dialects;
mod golden;
mod heads;
mod limits;
mod noise;
mod origin;
mod pipelining;
mod replies;
mod round_trip;
mod server_streams;
mod smuggling;
mod sniff;
mod websocket;

use super::PROTOCOL;
use polywire_machine_testing::{Seen, SeenOpen, Side};
use polywire_wire::{ClientSetup, Limits, ServerSetup};

/// A server with default limits.
fn server() -> Side {
    Side::server(&PROTOCOL)
}

fn client() -> Side {
    Side::client(&PROTOCOL)
}

fn server_with(limits: Limits) -> Side {
    Side::new(&PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
}

fn client_with(limits: Limits) -> Side {
    Side::new(&PROTOCOL, ClientSetup { limits, authority: "test", ..ClientSetup::default() })
}

/// Bars stand for line ends: `POST / HTTP/1.1|Host: x||body`.
fn lines(text: &str) -> Vec<u8> {
    text.replace('|', "\r\n").into_bytes()
}

/// Feeds lines and returns what was opened.
#[track_caller]
fn opened(side: &mut Side, text: &str) -> SeenOpen {
    side.feed(lines(text)).poll().expect_open()
}

/// Everything written so far, with bars for line ends.
fn said(side: &mut Side) -> String {
    String::from_utf8(side.written()).expect("replies of tests are text").replace("\r\n", "|")
}

/// Answers each request with its own body.
fn echo(side: &mut Side, seen: &Seen) {
    if let Seen::Open(open) = seen {
        side.reply(open, &open.body);
    }
}
