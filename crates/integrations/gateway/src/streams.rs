//! Calls that may stream, of all four kinds: two directions that have nothing to do with each other but
//! their end.

use crate::{
    changes::FieldChanges,
    cluster::Cluster,
    failure::{self, Reason},
    fields, hops,
    passing::Passing,
    relay::{decompressed, readable},
    shadow::{Copying, Message},
    translation::{Form, Translation},
};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Status};
use polywire_client::{Raw, Stream, Target};
use polywire_exchange::{Sink, Source};
use polywire_formats::FormatError;
use polywire_server::{Call, came_whole, has_frames, lines_of};
use polywire_streams::Lines;
use polywire_wire::{Answer, Compression, Content, Outcome, Part};
use std::{
    future::poll_fn,
    task::{Context, Poll, ready},
};

/// What an empty body stands for.
const EMPTY: &str = "{}";
/// Bytes of a message that is kept, to be recorded, while it is not known whether there is another.
const LONG: usize = 64 << 10;

/// Relays a call until the server has ended it.
pub async fn relay(
    call: &Call,
    (mut source, sink): (Source, Sink),
    cluster: &Cluster,
    form: &Form,
    hops: &str,
    passing: &mut Passing,
) -> Result<Outcome, Status> {
    let lines = lines_of(&call.cx);
    if lines.is_some() && form.translation().is_some_and(Translation::takes_many) {
        let text = "the method takes a stream of messages, which plain HTTP cannot carry";
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if form.translation().is_some_and(Translation::answers_bytes) {
        let text = "a stream of replies that are google.api.HttpBody is not relayed";
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if lines.is_some() && call.content == Content::PROTOBUF {
        let text = "the method streams its replies, which plain HTTP carries as lines of JSON: send JSON";
        return Err(failure::own(Reason::Translate, Status::unimplemented(text)));
    }
    if lines.is_none() && !has_frames(&call.cx) {
        // Connect's call of one message: its caller reads no other answer, so nothing is to happen before it.
        let text = "a streaming method is called with content type application/connect+proto or +json";
        let status = Status::unimplemented(text).with_native(Native::Http(415));
        return Err(failure::own(Reason::Translate, status));
    }
    let (service, method) = call.cx.called();
    let takes_many = || cluster.known().is_some_and(|known| known.streams(service, method).requests);
    // A server of streaming_rpc that takes one request finds it in the call that opens the stream.
    let is_opened_by_request = cluster.channel.offers_streams() && !takes_many();
    let request = if came_whole(&call.cx) {
        Some(Part { compression: call.compression, ..Part::message(call.body.clone()) })
    } else if is_opened_by_request {
        Some(first_message(&mut source, lines.is_some()).await?)
    } else {
        None
    };
    let first = request.clone().map(|part| forth(call, form, part)).transpose()?;
    // Its messages are what the channel sends, which is the form here.
    let mut below = cluster.channel.stream(Target::named(service, method)).within(&call.cx).repeatable();
    if let Some(first) = &first {
        below = below.message(first.bytes.clone());
    }
    for (name, value) in fields::of_request(&call.cx, passing.changes.as_deref()) {
        below = below.metadata(name, value);
    }
    if let Some(tally) = passing.sends() {
        below = below.tally(tally);
    }
    if let Some(tries) = &passing.tries {
        below = tries.of_stream(below);
    }
    let below = below.metadata(hops::FIELD, hops).await.map_err(|status| cluster.failed(status))?;
    let mut pump = Pump {
        call,
        cluster,
        form,
        lines,
        source: Some(source),
        request: None,
        has_request: false,
        body_ended: request.is_some(),
        is_unheard: false,
        sent: Sent::Nothing,
        below,
        reply: None,
        answered: false,
        sink,
        hops,
        only: None,
        is_recorded: call.cx.is_recorded(),
        copying: &mut passing.copying,
        changes: passing.changes.as_deref(),
    };
    if let Some((request, first)) = request.zip(first) {
        pump.begin(request, first);
    }
    let outcome = loop {
        match poll_fn(|cx| pump.poll(cx)).await {
            Ok(()) if pump.go_again().await => {}
            Ok(()) => break Ok(pump.outcome()),
            Err(why) => break Err(why),
        }
    };
    let Pump { answered, mut sink, .. } = pump;
    passing.answered();
    if let (Some(lines), true) = (lines, answered) {
        let status = outcome.as_ref().map_or_else(|status| status, |outcome| &outcome.status);
        if !status.is_ok() {
            // The head has said that all is well. It fails if the call is over.
            let _ = sink.send(Part::message(lines.failure(status))).await;
        }
    }
    outcome
}

/// Whether its caller says that it streams, as those by Connect do.
pub fn is_of_connect(call: &Call) -> bool {
    const TYPE: &[u8] = b"application/connect+";
    let mut has = false;
    call.cx.visit_fields(|name, value| {
        let begin = value.get(..TYPE.len());
        has |= name.eq_ignore_ascii_case("content-type")
            && begin.is_some_and(|begin| begin.eq_ignore_ascii_case(TYPE));
    });
    has
}

/// At most one part in each direction waits here. It is taken only when the other side has room for it, so
/// that the credit of the slower side reaches the faster one.
struct Pump<'c> {
    call: &'c Call,
    cluster: &'c Cluster,
    form: &'c Form,
    /// How several messages are one body of plain HTTP.
    lines: Option<Lines>,
    /// What the caller sends; `None` once it has finished, or the server reads no more.
    source: Option<Source>,
    request: Option<Part>,
    /// Whether there was one. An empty body of plain HTTP is a message without fields, but no part.
    has_request: bool,
    body_ended: bool,
    /// The call below has ended, or reads no more.
    is_unheard: bool,
    sent: Sent,
    below: Stream,
    reply: Option<Part>,
    /// Whether the head of the answer has gone on.
    answered: bool,
    sink: Sink,
    hops: &'c str,
    /// The only message so far of a call that is recorded.
    only: Option<Box<(IoBuf, Compression)>>,
    is_recorded: bool,
    /// If the call is copied.
    copying: &'c mut Option<Box<Copying>>,
    /// What the route changes of the fields.
    changes: Option<&'c FieldChanges>,
}

/// What the server was sent, as far as it is kept.
enum Sent {
    Nothing,
    One(Part),
    More,
}

/// The request of a method that takes one. `may_lack`: no body is one without fields.
///
/// # Errors
/// UNIMPLEMENTED: the caller sends none.
async fn first_message(source: &mut Source, may_lack: bool) -> Result<Part, Status> {
    let first = source.next().await.transpose()?;
    let first = first.or_else(|| may_lack.then(|| Part::message(EMPTY.into())));
    first.ok_or_else(failure::no_message)
}

/// A message of the caller. Which compressions the server reads is not known, only that it reads none.
fn forth(call: &Call, form: &Form, mut part: Part) -> Result<Part, Status> {
    part.finished = false; // `finish` says so
    if part.compression != Compression::NONE {
        part.bytes = decompressed(call, part.compression, part.bytes, FormatError::request)?;
        part.compression = Compression::NONE;
    }
    if let Some(translation) = form.translation() {
        part.bytes = translation.request(part.bytes)?;
    }
    Ok(part)
}

impl Pump<'_> {
    /// The only request was there, and has opened the call below.
    fn begin(&mut self, request: Part, first: Part) {
        if self.is_recorded {
            self.record(&request);
        }
        self.has_request = true;
        self.copy(&first);
        self.sent = Sent::One(first);
    }

    /// Makes the call below again if it has failed, no server has looked at it, and all that was sent is
    /// still here, which is at most one message.
    async fn go_again(&mut self) -> bool {
        if self.answered {
            return false;
        }
        let message = match std::mem::replace(&mut self.sent, Sent::More) {
            Sent::Nothing if self.source.is_some() => None,
            Sent::One(part) if self.source.is_none() => Some(part.bytes),
            Sent::One(part) if self.request.is_none() => {
                self.request = Some(part);
                None
            }
            _ => return false,
        };
        self.sent = match &message {
            Some(bytes) => Sent::One(Part::message(bytes.clone())),
            None => Sent::Nothing,
        };
        self.is_unheard = false;
        self.below.again(message).await
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        if let Poll::Ready(Err(why)) = self.poll_requests(cx) {
            return Poll::Ready(Err(why));
        }
        self.poll_replies(cx)
    }

    fn poll_requests(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        while !self.is_unheard
            && let Some(source) = &mut self.source
        {
            if self.request.is_none() {
                let next = if self.body_ended { Poll::Ready(None) } else { source.poll_next(cx) };
                if next.is_pending() && self.only.as_ref().is_some_and(|only| only.0.len() > LONG) {
                    self.only = None;
                }
                match ready!(next) {
                    Some(part) => {
                        let part = part?;
                        if self.is_recorded {
                            self.record(&part);
                        }
                        self.has_request = true;
                        let part = forth(self.call, self.form, part)?;
                        self.copy(&part);
                        self.request = Some(part);
                    }
                    None if self.lines.is_some() && !self.has_request => {
                        (self.has_request, self.body_ended) = (true, true);
                        let part = forth(self.call, self.form, Part::message(EMPTY.into()))?;
                        self.copy(&part);
                        self.request = Some(part);
                    }
                    None => {
                        self.source = None;
                        self.below.finish();
                        if let Some(only) = self.only.take() {
                            self.call.cx.record(&only.0, only.1);
                        }
                        if let Some(copying) = self.copying {
                            copying.post();
                        }
                        break;
                    }
                }
            }
            let kept = if matches!(self.sent, Sent::Nothing) { self.request.clone() } else { None };
            match ready!(self.below.poll_send(&mut self.request, cx)) {
                Ok(()) => self.sent = kept.map_or(Sent::More, Sent::One),
                // The call below has ended or reads no more: its status comes by the answer.
                Err(_) if self.answered => self.source = None,
                Err(_) => self.is_unheard = true,
            }
        }
        Poll::Ready(Ok(()))
    }

    #[cold]
    fn record(&mut self, part: &Part) {
        self.is_recorded = !self.has_request;
        self.only = self.is_recorded.then(|| Box::new((part.bytes.clone(), part.compression)));
    }

    fn copy(&mut self, part: &Part) {
        if let Some(copying) = self.copying {
            let (bytes, content, attachment) = (&part.bytes, self.form.sent(), &IoBuf::new());
            let (called, compression) = (self.call.cx.called(), Compression::NONE);
            copying.message(
                &self.call.cx,
                &Message { called, bytes, content, compression, attachment, hops: self.hops },
            );
        }
    }

    fn poll_replies(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        loop {
            if self.reply.is_some() && ready!(self.sink.poll_send(&mut self.reply, cx)).is_err() {
                return Poll::Ready(Err(Status::cancelled("the caller reads no more")));
            }
            let next = self.below.poll_next(cx);
            // The head comes before the first part, and its arrival wakes whoever waits for one.
            if let Some(answer) = self.below.answer() {
                self.answer(answer);
            }
            match ready!(next) {
                Some(Ok(part)) => {
                    if let Some(copying) = self.copying.as_mut().filter(|copying| copying.compares()) {
                        let (body, compression) = (part.bytes.clone(), part.compression);
                        copying.reply(Raw { body, content: self.form.sent(), compression });
                    }
                    self.reply = Some(self.back(part)?);
                }
                // a failure has an outcome as well, with its fields
                Some(Err(_)) | None => return Poll::Ready(Ok(())),
            }
        }
    }

    fn answer(&mut self, answer: Answer) {
        if std::mem::replace(&mut self.answered, true) {
            return;
        }
        let accepted = self.call.cx.accepts().contains(answer.compression);
        let is_same = self.form.translation().is_none() && self.lines.is_none();
        let compression = if accepted && is_same { answer.compression } else { Compression::NONE };
        let mut metadata = answer.metadata.and_then(|fields| fields::of_reply(&fields));
        self.changes.iter().for_each(|changes| changes.change_reply(&mut metadata));
        if let Some(lines) = self.lines {
            lines.announce(metadata.get_or_insert_with(|| Box::new(Metadata::new())));
        }
        self.sink.answer(Answer { status: 0, compression, metadata });
    }

    /// A message of the server.
    fn back(&self, mut part: Part) -> Result<Part, Status> {
        part.finished = false; // the outcome says so
        if self.form.translation().is_none() && self.lines.is_none() {
            (part.bytes, part.compression) = readable(self.call, part.compression, part.bytes)?;
            return Ok(part);
        }
        let plain = decompressed(self.call, part.compression, part.bytes, FormatError::reply)?;
        part.bytes = match self.form.translation() {
            Some(translation) => translation.reply(self.form.sent(), plain)?.0,
            None => on_one_line(plain),
        };
        part.compression = Compression::NONE;
        if let Some(lines) = self.lines {
            part.bytes = lines.message(part.bytes);
        }
        Ok(part)
    }

    fn outcome(&mut self) -> Outcome {
        let Outcome { status, headers, trailers, .. } = self.below.outcome().unwrap_or_default();
        if let Some(copying) = self.copying.as_mut().filter(|copying| copying.compares()) {
            copying.ended(&status, trailers.as_deref());
        }
        if status.is_ok() && self.lines.is_some() {
            // A stream without messages has no head of its own over gRPC: it is lines all the same.
            self.answer(Answer { metadata: headers.clone(), ..Answer::default() });
        }
        let passed = |fields: Option<Box<_>>| fields.and_then(|fields| fields::of_reply(&fields));
        if !status.is_ok() {
            let status = trailers.into_iter().fold(status, |status, fields| status.with_trailers(*fields));
            return Outcome { headers: passed(headers), ..self.cluster.failed(status).into() };
        }
        Outcome { status, headers: passed(headers), trailers: passed(trailers), ..Outcome::default() }
    }
}

/// JSON of a server, which may have been written for people: line breaks in it are white space.
fn on_one_line(mut json: IoBuf) -> IoBuf {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let bytes = json.contiguous();
    if !bytes.iter().any(is_break) {
        return json;
    }
    let line: Vec<u8> = bytes.iter().map(|byte| if is_break(byte) { b' ' } else { *byte }).collect();
    line.into()
}
