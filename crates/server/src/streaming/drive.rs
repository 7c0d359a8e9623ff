//! Sends the stream that a handler returned to the sink of its call.

use crate::{binding, context::Context};
use polywire_call::{Metadata, Status};
use polywire_exchange::Sink;
use polywire_formats::{FormatError, Payload, rest::Rule};
use polywire_streams::{Form, Item, Lines, Stream};
use polywire_wire::{Answer, Outcome, Part};
use std::{
    future::{Future, poll_fn},
    pin::pin,
};

/// Runs a handler, and the stream that it returns, to the end.
pub(super) async fn answer<T, S>(
    cx: &Context,
    handler: impl Future<Output = Result<S, Status>>,
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
    let mut writer = Writer::begin(cx, sink, form, lines);
    let ended = send_all(cx, messages, &mut writer).await;
    if let Err(status) = &ended {
        writer.fail(status).await;
    }
    last_words(ended, cx)
}

async fn send_all<T: Payload>(
    cx: &Context,
    messages: impl Stream<Item = Result<T, Status>>,
    writer: &mut Writer<'_>,
) -> Result<(), Status> {
    let mut messages = pin!(messages);
    while let Some(message) = cx.unless_failed(poll_fn(|task| messages.as_mut().poll_next(task))).await? {
        writer.send(&message?).await?;
    }
    cx.settled().await
}

fn last_words(ended: Result<(), Status>, cx: &Context) -> Outcome {
    let mut outcome = ended.map_or_else(Outcome::from, |()| Outcome::default());
    cx.complete(&mut outcome);
    outcome
}

/// Writes messages in the form that the caller reads.
struct Writer<'c> {
    sink: Sink,
    form: Form,
    lines: Option<Lines>,
    /// By which a field of each message is sent.
    rule: Option<&'c Rule<'static>>,
}

impl<'c> Writer<'c> {
    /// Sends the head at once: a caller may wait for it before there is any message.
    fn begin(cx: &'c Context, mut sink: Sink, mut form: Form, lines: Option<Lines>) -> Self {
        let (mut metadata, compression) = cx.take_head();
        match lines {
            None => form.compression = compression, // plain HTTP has no mark for a compressed message
            Some(lines) => lines.prepare(&mut form, &mut metadata),
        }
        let metadata = Some(metadata).filter(|fields: &Metadata| !fields.is_empty()).map(Box::new);
        sink.answer(Answer { compression: form.compression, metadata, ..Answer::default() });
        let rule = lines.and_then(|_| binding::field_of(cx, form.content));
        Writer { sink, form, lines, rule }
    }

    async fn send<T: Payload>(&mut self, message: &T) -> Result<(), Status> {
        let mut part = match self.rule {
            None => message.to_part(&self.form)?,
            Some(rule) => {
                let field =
                    binding::reply_field(message, rule, self.form.json).map_err(FormatError::reply)?;
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
