//! `example.EchoService`.

use crate::example::{EchoRequest, EchoResponse, EchoService};
use polywire::{Context, Reply, Status};

/// Answers with the message and the attachment it was given.
pub struct Echo;

impl EchoService for Echo {
    async fn echo(&self, cx: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        let reply = Reply::new(EchoResponse { message: request.message });
        if cx.attachment().is_empty() {
            return Ok(reply);
        }
        Ok(reply.attach(cx.attachment().clone()))
    }
}
