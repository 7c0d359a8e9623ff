//! A custom protocol, and a service that can be called over it and over all others.
//!
//! ```text
//! request   CALL echo.EchoService/Echo {"message":"hello"}\n
//! reply     +{"message":"hello"}\n
//! failure   -NOT_FOUND no such method\n
//! ```
//!
//! One request at a time on a connection; bodies are JSON, in which no line ends. `server` and `client` are
//! the two ends of a connection: state machines that take bytes and return bytes, without a socket; `frame`
//! reads lines for both.

#![forbid(unsafe_code)]

mod client;
mod frame;
mod server;

use echo::{EchoRequest, EchoResponse, EchoService};
use polywire::{
    Content, Context, Reply, Server, Status,
    wire::{Connections, Protocol, Setup, Sniff},
};

polywire::include!("echo");

/// The beginning of every request.
const CALL: &[u8] = b"CALL ";

/// The protocol, to be added to servers and channels.
pub static PROTOCOL: Protocol = Protocol {
    name: "line",
    sniff,
    connections: Connections::EXCLUSIVE,
    content: |parameter| parameter.is_empty().then_some(Content::JSON),
    machine: Some(|setup| match setup {
        Setup::Server(setup) => Box::new(server::Line::new(setup)),
        Setup::Client(setup) => Box::new(client::Line::new(setup)),
    }),
    ..Protocol::DEFAULT
};

/// Detects the protocol by the first bytes of a connection.
fn sniff(bytes: &[u8]) -> Sniff {
    let known = bytes.len().min(CALL.len());
    match (bytes[..known] == CALL[..known], CALL.len() - known) {
        (false, _) => Sniff::NotMine,
        (true, 0) => Sniff::Mine,
        (true, missing) => Sniff::NeedMore(missing),
    }
}

/// A service that is independent of protocols.
struct Echo;

impl EchoService for Echo {
    async fn echo(&self, cx: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        if request.message.is_empty() {
            return Err(Status::invalid_argument("say something"));
        }
        Ok(EchoResponse { message: format!("{} by {}", request.message, cx.protocol()) }.into())
    }
}

/// A server that answers the protocol in addition to the built-in ones, without an address yet.
pub fn server() -> Server {
    Server::new().protocol(&PROTOCOL).service(Echo.into_service())
}
