//! The services of the example, shared by server, client and benchmark.

#![forbid(unsafe_code)]

use flat::{Echo, MessageArgs, MessageBuf};
use polywire::{Context, Reply, Server, Status, Stream, flatbuffers::Flat};
use proto::EchoService;

polywire::include!(); // mod flat { Message, MessageBuf, MessageArgs, Echo, EchoClient }, mod proto { … }

/// Builds a message from its end to its beginning, in the buffer that will be written to the socket.
pub fn message(sequence: u64, text: &str) -> MessageBuf {
    Flat::build_with_capacity(128 + text.len(), |builder| {
        let text = Some(builder.create_string(text));
        flat::Message::create(builder, &MessageArgs { opcode: 1, sequence, text, ..MessageArgs::default() })
    })
}

struct FlatEcho;

impl Echo for FlatEcho {
    async fn echo(&self, cx: &Context, request: MessageBuf) -> Result<Reply<MessageBuf>, Status> {
        let request = request.get(); // a view: nothing is copied
        let text = request.text().unwrap_or_default();
        if text.is_empty() {
            return Err(Status::invalid_argument("say something"));
        }
        Ok(Reply::new(message(request.sequence(), text)).attach(cx.attachment().clone()))
    }

    async fn repeat(
        &self,
        cx: &Context,
        request: MessageBuf,
    ) -> Result<impl Stream<Item = Result<MessageBuf, Status>>, Status> {
        let (tx, rx) = polywire::stream(16);
        cx.spawn(async move {
            let text = request.get().text().unwrap_or_default();
            for sequence in 0..request.get().sequence() {
                tx.send(message(sequence, text)).await?;
            }
            Ok(())
        });
        Ok(rx)
    }
}

struct ProtoEcho;

impl EchoService for ProtoEcho {
    async fn echo(&self, cx: &Context, request: proto::Message) -> Result<Reply<proto::Message>, Status> {
        Ok(Reply::new(request).attach(cx.attachment().clone()))
    }
}

/// The server, without an address yet: both kinds of messages on one port.
pub fn server() -> Server {
    Server::new().service(FlatEcho.into_service()).service(ProtoEcho.into_service())
}
