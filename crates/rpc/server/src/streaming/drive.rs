//! Sends the stream that a handler returned to the sink of its call.

use crate::{binding, context::Context};
use polywire_call::{Metadata, Status};
use polywire_exchange::Sink;
use polywire_formats::{FormatError, Payload, rest::Rule};
use polywire_streams::{Form, Item, Lines, Stream};
use polywire_wire::{Answer, Outcome, Part};
use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
};

/// Runs a handler, and the stream that it returns, to the end.
pub(super) async fn answer<T, S>(
    cx: &Context,
    handler: Pin<&mut impl Future<Output = Result<S, Status>>>,
    sink: Sink,
    form: Form,
    lines: Option<Lines>,
) -> Outcome
where
    T: Payload,
    S: Stream<Item = Result<T, Status>>,
{
    let messages = match cx.unless_failed(handler).await.and_then(|returned| returned) {
        Ok(messages) => messages,
        Err(status) => {
            let mut outcome = binding::failed(status, cx);
            cx.complete(&mut outcome);
            return outcome;
        }
    };
    let messages = pin!(messages);
    let mut writer = Writer::begin(cx, sink, form, lines);
    let mut outcome = match send_all(cx, messages, &mut writer).await {
        Ok(()) => {
            writer.send_head(String::new()); // if there was no message
            Outcome::default()
        }
        Err(status) if writer.head.is_some() => binding::failed(status, cx),
        Err(status) => {
            writer.fail(&status).await;
            status.into()
        }
    };
    cx.complete(&mut outcome);
    outcome
}

async fn send_all<T: Payload>(
    cx: &Context,
    mut messages: Pin<&mut impl Stream<Item = Result<T, Status>>>,
    writer: &mut Writer<'_>,
) -> Result<(), Status> {
    while let Some(message) =
        cx.unless_failed(pin!(poll_fn(|task| messages.as_mut().poll_next(task)))).await?
    {
        writer.send(&message?).await?;
    }
    cx.settled().await
}

/// Writes messages in the form that the caller reads.
struct Writer<'c> {
    cx: &'c Context,
    sink: Sink,
    form: Form,
    lines: Option<Lines>,
    /// Whether the messages are bodies of plain bytes, see [`binding::answers_bytes`].
    bytes: bool,
    /// The rule that selects the field of each message that is sent.
    rule: Option<&'c Rule<'static>>,
    /// The head, while it waits for the first message: that has the content type of a body of plain bytes.
    head: Option<Metadata>,
}

impl<'c> Writer<'c> {
    /// Sends the head at once, if possible: a caller may wait for it before there is any message.
    fn begin(cx: &'c Context, sink: Sink, mut form: Form, lines: Option<Lines>) -> Self {
        let (mut metadata, compression) = cx.take_head();
        let bytes = lines.is_some() && binding::answers_bytes(cx);
        let lines = lines.filter(|_| !bytes);
        match lines {
            None if bytes => {}
            None => form.compression = compression, // plain HTTP has no mark for a compressed message
            Some(lines) => lines.prepare(&mut form, &mut metadata),
        }
        let rule = lines.and_then(|_| binding::field_of(cx, form.content));
        let mut writer = Writer { cx, sink, form, lines, bytes, rule, head: Some(metadata) };
        if !bytes {
            writer.send_head(String::new());
        }
        writer
    }

    /// Sends the head, unless it was sent.
    fn send_head(&mut self, content_type: String) {
        let Some(mut metadata) = self.head.take() else { return };
        binding::add_content_type(&mut metadata, content_type);
        let metadata = Some(metadata).filter(|fields: &Metadata| !fields.is_empty()).map(Box::new);
        self.sink.answer(Answer { compression: self.form.compression, metadata, ..Answer::default() });
    }

    async fn send<T: Payload>(&mut self, message: &T) -> Result<(), Status> {
        let json = self.form.json;
        let mut part = match self.rule {
            _ if self.bytes => {
                let bytes = binding::reply_bytes(message, self.cx, json).map_err(FormatError::reply)?;
                self.send_head(bytes.content_type);
                self.form.part(bytes.data.into())
            }
            None => message.to_part(&self.form)?,
            Some(rule) => {
                let field = binding::reply_field(message, rule, json).map_err(FormatError::reply)?;
                self.form.part(field)
            }
        };
        if let Some(lines) = self.lines {
            part.bytes = lines.message(part.bytes);
        }
        self.sink.send(part).await
    }

    /// Reports a failure. A body of lines contains it as a line; other streams end with it as their status.
    async fn fail(&mut self, status: &Status) {
        if let Some(lines) = self.lines {
            let part = Part::message(lines.failure(status));
            let _ = self.sink.send(part).await; // fails if the call is over
        }
    }
}
