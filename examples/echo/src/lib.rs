//! The service of the example: what server and client share, and the implementation.

#![forbid(unsafe_code)]

use echo::{EchoRequest, EchoResponse, EchoService};
use polywire::{Context, Reply, Server, Status};

polywire::include!("echo"); // mod echo { EchoRequest, EchoResponse, EchoService, EchoClient }

struct Echo;

impl EchoService for Echo {
    async fn echo(&self, cx: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        if request.message.is_empty() {
            return Err(Status::invalid_argument("say something"));
        }
        let reply = Reply::new(EchoResponse { message: request.message }).attach(cx.attachment().clone());
        // Fields are sent with the message, in both directions.
        Ok(match cx.metadata().get("user") {
            Some(user) => reply.with("greeted", user),
            None => reply,
        })
    }

    async fn hang(&self, _: &Context, _: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        // Dropped when the caller's deadline passes: there is nothing to clean up, and no thread waits.
        std::future::pending().await
    }
}

/// The server, without an address yet.
pub fn server() -> Server {
    Server::new().service(Echo.into_service())
}
