//! What is published, as it comes.

use super::values::{Form, of_text};
use polywire_call::{Content, Status};
use polywire_formats::FormatError;
use serde::de::DeserializeOwned;

/// What a server publishes under one key. Dropping it ends it here; the protocol has no word for that, so the server goes
/// on sending to the connection.
///
/// It ends with its connection: then subscribe again. Who takes too little stops the connection it shares with calls, and
/// the server drops what does not fit: a channel of its own for each busy subscription is the way to go.
pub struct Subscription<T> {
    stream: polywire_client::Stream,
    content: Content,
    form: Form<T>,
}

impl<T: DeserializeOwned> Subscription<T> {
    pub(super) fn new(stream: polywire_client::Stream, content: Content) -> Self {
        Subscription { stream, content, form: Form::of_value() }
    }

    /// The next one; `None` at the end, behind the reason for it. One that cannot be read as `T` is an error by itself.
    pub async fn next(&mut self) -> Option<Result<T, Status>> {
        let mut part = match self.stream.next().await? {
            Ok(part) => part,
            Err(status) => return Some(Err(status)),
        };
        let bytes = part.bytes.contiguous();
        let value = match self.content {
            Content::MSGPACK if self.form.is_text() => of_text(bytes),
            content => self.form.decode(content, bytes),
        };
        Some(value.map_err(FormatError::reply))
    }
}
