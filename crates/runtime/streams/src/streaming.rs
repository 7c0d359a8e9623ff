//! The receiving half of a stream.

use crate::{
    Form, Inflating, Inflation, Item, Lines,
    inflating::Room,
    lines::{Item as LinesItem, Reader, Rest},
};
use futures_core::Stream;
use polywire_base::IoBuf;
use polywire_call::{Metadata, Origin, Status};
use polywire_exchange::Source;
use polywire_formats::{
    FormatError,
    rest::{self, Rule},
};
use polywire_wire::{Answer, Compression, Content, Outcome, Part, Role};
use std::{
    collections::VecDeque,
    future::poll_fn,
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

/// Messages as they arrive: requests of a caller, or replies of a server.
///
/// It is a [`Stream`], and can be read without any further crate:
///
/// ```
/// # mod polywire { pub use {polywire_call::*, polywire_formats::wkt, polywire_streams::*}; }
/// use polywire::{Status, Streaming, wkt::UInt64Value};
///
/// async fn total(mut incoming: Streaming<UInt64Value>) -> Result<u64, Status> {
///     let mut total = 0;
///     while let Some(part) = incoming.next().await.transpose()? {
///         total += part.value;
///     }
///     Ok(total)
/// }
/// ```
///
/// Reading slowly slows the peer. If the stream failed, the error is returned once, after the messages that
/// arrived before it.
///
/// If it is dropped before its end, a client cancels the call and notifies the peer; a server receives
/// nothing more from the caller, and the handler may go on answering.
#[must_use = "dropping it cancels the stream"]
pub struct Streaming<T> {
    source: Source,
    form: Form,
    /// Set if the parts are pieces of a text without frames. It splits them into messages.
    lines: Option<Reader>,
    /// The rule of `google.api.http` that the call was made by. It turns JSON, or bytes, into messages.
    rule: Option<&'static Rule<'static>>,
    /// Content type of a body whose pieces are messages: the bytes of `google.api.HttpBody`.
    bytes: Option<String>,
    /// The last messages of the text, and the status of the stream, while they still have to be returned.
    ended: Option<(VecDeque<IoBuf>, Status)>,
    /// The pieces of a message whose last piece has not arrived.
    pieces: IoBuf,
    /// Compression of the last message.
    compression: Compression,
    /// Server: accounts for decompressed messages; `None`: they are not counted.
    inflating: Option<Arc<Inflating>>,
    /// The last message, if it was inflated.
    inflation: Option<Inflation>,
    /// A compressed message that waits until it may be inflated.
    waiting: Option<Box<(Room, Part)>>,
    /// Whether the head was waited for; it is in `metadata`, if there was one.
    opened: bool,
    /// The first message or the end, if it arrived while the head was awaited.
    first: Option<Option<Result<T, Status>>>,
    metadata: Metadata,
    trailers: Metadata,
    over: bool,
    on_end: Option<OnEnd>,
    message: PhantomData<fn() -> T>,
}

/// Called once with the end of a stream; `None`: the stream was dropped before its end.
pub type OnEnd = Box<dyn FnOnce(Option<&Ending<'_>>) + Send + Sync>;

/// The end of a stream.
pub struct Ending<'a> {
    /// The status that the caller receives.
    pub call: &'a Status,
    /// The status on the connection. It may differ: a text may contain the reason for its failure, and a
    /// message that cannot be decoded ends the stream for the caller while it continues on the connection.
    pub exchange: &'a Status,
}

impl<T> Streaming<T> {
    pub fn new(source: Source, form: Form) -> Self {
        Streaming {
            source,
            form,
            lines: None,
            rule: None,
            bytes: None,
            ended: None,
            pieces: IoBuf::new(),
            compression: Compression::NONE,
            inflating: None,
            inflation: None,
            waiting: None,
            // At a server, the head in the line is the handler's own.
            opened: form.role == Role::Server,
            first: None,
            metadata: Metadata::new(),
            trailers: Metadata::new(),
            over: false,
            on_end: None,
            message: PhantomData,
        }
    }

    /// Sets the accounting of decompressed messages; to be called before anything was read.
    pub fn inflating(mut self, inflating: Option<Arc<Inflating>>) -> Self {
        self.inflating = inflating;
        self
    }

    /// Sets the function that is called at the end, after all messages were returned.
    pub fn on_end(mut self, told: Option<OnEnd>) -> Self {
        self.on_end = match (self.on_end.take(), told) {
            (Some(first), Some(second)) => Some(Box::new(move |ending| {
                first(ending);
                second(ending);
            })),
            (first, second) => first.or(second),
        };
        if self.over {
            self.tell(&Status::OK, &Status::OK); // it has ended with its head, successfully
        }
        self
    }

    /// Sets the kind of a text without frames, before anything was read.
    pub fn divided(mut self, lines: Lines) -> Self {
        self.form.content = Lines::content(self.form.content);
        self.lines = Some(Reader::new(lines, self.form.longest.message));
        self
    }

    /// Sets the rule of `google.api.http` that the call was made by, before anything was read.
    pub fn by_rule(mut self, rule: &'static Rule<'static>) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Sets that each piece of the body is a message of bytes, of this content type, before anything was
    /// read.
    pub fn of_bytes(mut self, content_type: String) -> Self {
        self.bytes = Some(content_type);
        self
    }

    /// Fields of the reply's head: gRPC's initial metadata, HTTP header fields. Empty before they arrive, see
    /// [`Streaming::opened`], and at a server, where the handler's context has the fields of the request.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Fields after the last message: gRPC's trailing metadata. Empty before the end.
    pub fn trailers(&self) -> &Metadata {
        &self.trailers
    }

    /// Compression of the last message as it arrived.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// The status of the call, if it has ended; messages that arrived before may still be queued.
    pub fn status(&self) -> Option<Status> {
        self.source.end()
    }

    fn head(&mut self, answer: Answer) {
        self.opened = true;
        self.metadata = answer.metadata.map(|fields| *fields).unwrap_or_default();
    }

    fn tell(&mut self, call: &Status, exchange: &Status) {
        if let Some(told) = self.on_end.take() {
            told(Some(&Ending { call, exchange }));
        }
    }

    /// Ends the stream because a message cannot be decoded, or reports a failure: anything after it might be
    /// misread.
    fn fail(&mut self, status: Status) -> Status {
        self.over = true;
        let exchange = self.source.end().unwrap_or_else(|| Status::cancelled("the rest is not read"));
        self.tell(&status, &exchange);
        status
    }

    /// Ends the stream, and keeps the trailers that came with the end.
    fn end(&mut self, mut status: Status, exchange: &Status) -> Option<Result<T, Status>> {
        self.over = true;
        if let Some(outcome) = self.source.outcome() {
            if self.rule.is_some() && !status.is_ok() {
                let Outcome { body, compression, .. } = &outcome;
                status = rest::explained(status, body.clone(), *compression, self.form.longest.message);
            }
            self.trailers = outcome.trailers.map(|fields| *fields).unwrap_or_default();
        }
        self.tell(&status, exchange);
        let failed = !status.is_ok();
        failed.then(|| match self.trailers.is_empty() {
            true => Err(status),
            false => Err(status.with_trailers(self.trailers.clone())),
        })
    }
}

impl<T: Item> Streaming<T> {
    /// The next message; `None` at the end.
    ///
    /// # Cancel safety
    /// A dropped future has taken nothing.
    pub async fn next(&mut self) -> Option<Result<T, Status>> {
        poll_fn(|cx| self.poll_message(cx)).await
    }

    /// Waits for the head of the reply, which may arrive long before the first message.
    ///
    /// # Errors
    /// The call ended without one.
    pub async fn opened(&mut self) -> Result<&Metadata, Status> {
        poll_fn(|cx| self.poll_opened(cx)).await?;
        Ok(&self.metadata)
    }

    fn poll_opened(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        if self.opened {
            return Poll::Ready(Ok(()));
        }
        if let Some(answer) = ready!(self.source.poll_answer(cx)) {
            self.head(answer);
            return Poll::Ready(Ok(()));
        }
        self.opened = true;
        match ready!(self.poll_message(cx)) {
            Some(Err(status)) => Poll::Ready(Err(status)),
            other => {
                self.first = Some(other);
                Poll::Ready(Ok(()))
            }
        }
    }

    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T, Status>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(first);
        }
        if self.over {
            return Poll::Ready(None);
        }
        if self.ended.is_some() {
            return Poll::Ready(self.last_message());
        }
        loop {
            if let Some(line) = self.next_line() {
                return Poll::Ready(Some(line));
            }
            let next = match self.inflating.is_some() {
                false => ready!(self.source.poll_next(cx)),
                true => ready!(self.poll_part(cx)),
            };
            if !self.opened
                && let Some(answer) = self.source.answer()
            {
                self.head(answer);
            }
            let part = match next {
                Some(Ok(part)) => part,
                Some(Err(status)) => return Poll::Ready(self.last(status)),
                None => return Poll::Ready(self.last(Status::OK)),
            };
            if let Some(lines) = &mut self.lines {
                lines.push(part.bytes);
                continue;
            }
            if self.bytes.is_some() {
                if part.bytes.is_empty() {
                    continue;
                }
                let read = self.message_of_bytes(part.bytes);
                return Poll::Ready(Some(read.map_err(|status| self.fail(status))));
            }
            match self.message(part) {
                None => {}
                Some(Ok(message)) => return Poll::Ready(Some(Ok(message))),
                Some(Err(status)) => return Poll::Ready(Some(Err(self.fail(status)))),
            }
        }
    }

    /// The next part, as soon as it may be inflated if it is compressed.
    #[cold]
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Part, Status>>> {
        self.inflation = None; // its reader asks for the next one
        loop {
            if let Some(waiting) = &mut self.waiting {
                ready!(waiting.0.as_mut().poll(cx));
                return Poll::Ready(self.waiting.take().map(|waiting| Ok(waiting.1)));
            }
            match ready!(self.source.poll_next(cx)) {
                Some(Ok(part)) if part.compression != Compression::NONE => {
                    let room = self.inflating.as_ref().and_then(Inflating::boxed_room);
                    let Some(room) = room else { return Poll::Ready(Some(Ok(part))) };
                    self.waiting = Some(Box::new((room, part)));
                }
                next => return Poll::Ready(next),
            }
        }
    }

    /// Decodes a whole message.
    #[inline]
    fn decode(&mut self, bytes: IoBuf, compression: Compression) -> Result<T, Status> {
        match self.inflating.is_some() && compression != Compression::NONE {
            false => T::from_bytes(&self.form, bytes, compression),
            true => self.decode_inflated(bytes, compression),
        }
    }

    #[cold]
    fn decode_inflated(&mut self, bytes: IoBuf, compression: Compression) -> Result<T, Status> {
        let Some(inflating) = &self.inflating else { return T::from_bytes(&self.form, bytes, compression) };
        let inflated = inflating.inflate(compression, bytes, self.form.longest);
        let (bytes, inflation) = inflated.map_err(|error| self.form.fault(error))?;
        self.inflation = Some(inflation);
        T::from_bytes(&self.form, bytes, Compression::NONE)
    }

    /// The next message of a body of lines, if one is complete.
    fn next_line(&mut self) -> Option<Result<T, Status>> {
        let read = match self.lines.as_mut()?.read() {
            Ok(None) => return None,
            Ok(Some(LinesItem::Message(bytes))) => self.message_of_json(bytes),
            Ok(Some(LinesItem::Failure(said))) => Err(said),
            Err(error) => Err(self.form.fault(error)),
        };
        Some(read.map_err(|status| self.fail(status)))
    }

    /// The end of the parts. The last line of a body of lines is delivered before it.
    fn last(&mut self, status: Status) -> Option<Result<T, Status>> {
        let Some(mut lines) = self.lines.take() else { return self.end(status.clone(), &status) };
        let Rest { messages, failure } = lines.end(status.is_ok());
        match failure {
            // A caller that cancelled, or whose deadline passed, gets that status.
            Some(said) if status.origin() != Origin::Local => self.end(said, &status),
            _ => {
                self.ended = Some((messages.into(), status));
                self.last_message()
            }
        }
    }

    /// The last messages of a body of lines, then its end.
    fn last_message(&mut self) -> Option<Result<T, Status>> {
        let (mut messages, status) = self.ended.take()?;
        let Some(bytes) = messages.pop_front() else { return self.end(status.clone(), &status) };
        let read = self.message_of_json(bytes);
        if read.is_ok() {
            self.ended = Some((messages, status));
        }
        Some(read.map_err(|status| self.fail(status)))
    }

    /// A message of a body of lines.
    fn message_of_json(&self, mut json: IoBuf) -> Result<T, Status> {
        let Some(rule) = self.rule else { return T::from_bytes(&self.form, json, Compression::NONE) };
        let wire = rule.read_reply(json.contiguous()).map_err(|error| self.form.fault(error))?;
        self.message_of_wire(wire)
    }

    /// Makes a message from a piece of a body whose pieces are messages.
    fn message_of_bytes(&self, mut piece: IoBuf) -> Result<T, Status> {
        let (Some(rule), Some(content_type)) = (self.rule, &self.bytes) else {
            return T::from_bytes(&self.form, piece, Compression::NONE);
        };
        self.message_of_wire(rule.read_reply_bytes(content_type, piece.contiguous()))
    }

    fn message_of_wire(&self, wire: Vec<u8>) -> Result<T, Status> {
        let form = Form { content: Content::PROTOBUF, longest: usize::MAX.into(), ..self.form };
        T::from_bytes(&form, wire.into(), Compression::NONE)
    }

    /// The message that this part completes, if it does.
    #[inline]
    fn message(&mut self, part: Part) -> Option<Result<T, Status>> {
        self.compression = part.compression;
        if self.pieces.len() + part.bytes.len() > self.form.longest.message {
            return Some(Err(self.form.fault(FormatError::TooLarge { limit: self.form.longest.message })));
        }
        if part.end_of_message && self.pieces.is_empty() {
            return Some(self.decode(part.bytes, part.compression));
        }
        self.pieces.append(part.bytes);
        let whole = part.end_of_message || (part.finished && !self.pieces.is_empty());
        whole.then(|| {
            let bytes = std::mem::take(&mut self.pieces);
            self.decode(bytes, part.compression)
        })
    }
}

impl<T> Unpin for Streaming<T> {}

impl<T: Item> Stream for Streaming<T> {
    type Item = Result<T, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_message(cx)
    }
}

impl<T> Drop for Streaming<T> {
    fn drop(&mut self) {
        if let Some(told) = self.on_end.take() {
            // The stream may have ended without being read to its end.
            let ended = self.source.end();
            told(ended.as_ref().map(|status| Ending { call: status, exchange: status }).as_ref());
        }
    }
}
