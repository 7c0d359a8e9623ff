//! An echo of messages in two ways: over a stream inside a call, and as a streaming method.

use polywire::{Context, RawStream, Reply, Server, Status, Stream, Streaming};

polywire::include!("chat");
use chat::{Line, Room, Talk};

/// Accepts the stream that its caller offers.
pub struct Lobby;

impl Room for Lobby {
    async fn join(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        let stream = cx.accept_stream()?;
        tokio::spawn(echo(stream)); // outlives the call
        Ok(Line { text: format!("welcome, {}", request.text) }.into())
    }
}

/// Sends back what arrives, until the peer closes.
async fn echo(mut stream: RawStream) -> Result<(), Status> {
    while let Some(message) = stream.next().await.transpose()? {
        stream.send(message).await?;
    }
    Ok(())
}

/// Answers gRPC, Connect and streaming_rpc alike.
pub struct Echo;

impl Talk for Echo {
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

pub fn server() -> Server {
    Server::new().service(Lobby.into_service()).service(Echo.into_service())
}
