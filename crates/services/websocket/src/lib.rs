//! WebSocket (RFC 6455): messages in both directions, between browsers and a server, or between programs.
//!
//! ```text
//!  route("/chat", handler)   a path at the port of all other protocols ──► WebSocket of the handler
//!  Calls                     methods of the server's services, called over WebSocket by browsers
//!  Connect                   the client, over a channel of the protocol http or h2
//! ```
//!
//! A server speaks it over HTTP/1.1 and over HTTP/2 (RFC 8441). Pings are answered, and the closing handshake
//! is made, while the socket is read; a server that stops closes its sockets with 1001. Requests of pages of
//! other origins are refused unless `Origins::allow` names them.
//!
//! ```no_run
//! use polywire::{Context, Server, websocket::{self, WebSocket}};
//!
//! # fn server() {
//! let echo = websocket::route("/echo", |_cx: Context, mut socket: WebSocket| async move {
//!     while let Some(message) = socket.next().await {
//!         socket.send(message?).await?; // waits while the peer does not read
//!     }
//!     Ok(())
//! });
//! let server = Server::new().service(echo).listen("127.0.0.1:8000");
//! # }
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `route.rs` | paths of a server |
//! | `calls.rs` | calls of services |
//! | `connect.rs` | the client |
//! | `socket.rs` | `WebSocket` and its halves |
//! | `line.rs` | what the halves share: frames out and in, Pongs, the closing handshake |
//! | `ends.rs` | bytes to and from the connection |
//! | `message.rs`, `options.rs` | messages; limits |
//! | `deflate.rs` | compression of messages |
//!
//! Not here: other extensions than permessage-deflate, compressed messages of [`Calls`].

#![forbid(unsafe_code)]

mod calls;
mod connect;
mod deflate;
mod ends;
mod line;
mod message;
mod options;
mod route;
mod socket;

pub use calls::{Calls, JSON, PROTO};
pub use connect::Connect;
pub use deflate::Deflate;
pub use message::Message;
pub use options::Options;
pub use polywire_protocols::http::websocket::{Close, code};
pub use route::{Route, route};
pub use socket::{Receiver, Sender, WebSocket};
