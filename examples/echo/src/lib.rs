//! The service of the example: what server and client share, and what the server answers.

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
        // Fields travel beside the message, both ways.
        Ok(match cx.metadata().get("user") {
            Some(user) => reply.with("greeted", user),
            None => reply,
        })
    }

    async fn hang(&self, _: &Context, _: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        // Dropped when the caller's deadline passes: there is nothing to clean up, and no thread that waits.
        std::future::pending().await
    }
}

/// The server, listening nowhere yet.
pub fn server() -> Server {
    Server::new().service(Echo.into_service())
}
