//! The service `example.EchoService`.

use crate::example::{EchoRequest, EchoResponse, EchoService};
use polywire::{Context, RawStream, Reply, Status, brpc};

/// Replies with the message and the attachment of the request, and echoes streams inside the call.
pub struct Echo;

impl EchoService for Echo {
    async fn echo(&self, cx: &Context, request: EchoRequest) -> Result<Reply<EchoResponse>, Status> {
        for stream in cx.accept_streams() {
            tokio::spawn(repeat(stream));
        }
        let reply = Reply::new(EchoResponse { message: request.message });
        if cx.attachment().is_empty() {
            return Ok(reply);
        }
        Ok(reply.attach(cx.attachment().clone()))
    }
}

async fn repeat(stream: RawStream) -> Result<(), Status> {
    let (mut sender, mut receiver) = stream.split();
    while let Some(message) = receiver.next().await.transpose()? {
        match sender.send(message).await {
            // the peer only sends, and reads nothing
            Err(status) if brpc::number(&status) == brpc::EBADF => {}
            sent => sent?,
        }
    }
    Ok(())
}
