//! `flat.Echo`, in FlatBuffers.

use crate::flat::{Echo, MessageBuf};
use polywire::{Context, Reply, Status};

/// Replies with the message and the attachment of the request.
pub struct Flat;

impl Echo for Flat {
    async fn echo(&self, cx: &Context, request: MessageBuf) -> Result<Reply<MessageBuf>, Status> {
        let text = request.get().message().unwrap_or_default();
        Ok(Reply::new(crate::flat::message(text)).attach(cx.attachment().clone()))
    }
}
