//! Publications as a client receives them.

use super::values::{Form, of_text};
use polywire_call::{Content, Status};
use polywire_formats::FormatError;
use serde::de::DeserializeOwned;

/// The publications of a server under one key. Dropping it stops the delivery here; the protocol has no
/// message for that, so the server continues to send to the connection.
///
/// A subscription ends with its connection; then subscribe again. A subscriber that reads too slowly blocks
/// its connection, which it shares with calls, and the server drops publications. So use a separate channel
/// for each busy subscription.
pub struct Subscription<T> {
    stream: polywire_client::Stream,
    content: Content,
    form: Form<T>,
}

impl<T: DeserializeOwned> Subscription<T> {
    pub(super) fn new(stream: polywire_client::Stream, content: Content) -> Self {
        Subscription { stream, content, form: Form::of_value() }
    }

    /// The next publication. At the end it returns the error that ended the subscription, then `None`. A
    /// publication that cannot be read as `T` is a single error, after which others may follow.
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
