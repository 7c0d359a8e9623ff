//! Calls of services over WebSocket.

use polywire_protocols::http::websocket;
pub use polywire_protocols::http::websocket::{JSON, PROTO};
use polywire_server::{Preset, Servable, Server};
use std::sync::Arc;

/// Lets browsers call the methods of the server's services over WebSocket, with streams of all kinds:
/// `Server::new().service(talk.into_service()).service(websocket::Calls)`. A method is reached as
/// `/package.Service/Method`, with the subprotocol [`JSON`] or [`PROTO`]. docs/wire/websocket.md defines
/// messages and the end of a call; `polywire.js`, beside the example, is a client.
#[derive(Clone, Copy, Default, Debug)]
pub struct Calls;

impl Servable for Calls {
    fn add_to<P: Preset>(self, server: Server<P>) -> Server<P> {
        server.extension(Arc::new(websocket::Calls))
    }
}
