//! What goes through a call that may stream, in both directions.

use crate::{
    changes::FieldChanges,
    cluster::Cluster,
    decompression::{Decompressing, From, decompressing},
    failure, fields,
    queued::Queued,
    shadow::{Copying, Message},
    translation::Form,
};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Status};
use polywire_client::{Raw, Stream};
use polywire_exchange::{Sink, Source};
use polywire_server::{Call, Charge, Forwarded};
use polywire_streams::Lines;
use polywire_wire::{Answer, Compression, Outcome, Part};
use std::task::{Context, Poll, ready};

/// What an empty body stands for.
pub(crate) const EMPTY: &str = "{}";
/// Bytes of a message that is kept, to be recorded, while it is not known whether there is another.
const LONG: usize = 64 << 10;

/// At most one part in each direction waits here. It is taken only when the other side has room for it, so
/// that the credit of the slower side reaches the faster one.
pub(crate) struct Pump<'c> {
    pub call: &'c Call,
    pub cluster: &'c Cluster,
    pub form: &'c Form,
    /// How several messages are one body of plain HTTP.
    pub lines: Option<Lines>,
    /// What the caller sends; `None` once it has finished, or the server reads no more.
    pub source: Option<Source>,
    /// Charges its messages.
    pub onward: Forwarded,
    /// A compressed message, before it is `request`.
    pub inflating: Option<Decompressing>,
    pub request: Option<Part>,
    /// Whether there was one. An empty body of plain HTTP is a message without fields, but no part.
    pub has_request: bool,
    pub body_ended: bool,
    /// The call below has ended, or reads no more.
    pub is_unheard: bool,
    pub sent: Sent,
    pub below: Stream,
    /// Charges its messages.
    pub backward: Forwarded,
    /// A compressed message that the caller cannot read, before it is `reply`.
    pub reply_inflating: Option<Decompressing>,
    pub reply: Option<Part>,
    pub queued: Queued,
    /// Whether the head of the answer has gone on.
    pub answered: bool,
    pub sink: Sink,
    pub hops: &'c str,
    /// The only message so far of a call that is recorded.
    pub only: Option<Box<(IoBuf, Compression)>>,
    pub is_recorded: bool,
    /// If the call is copied.
    pub copying: &'c mut Option<Box<Copying>>,
    /// What the route changes of the fields.
    pub changes: Option<&'c FieldChanges>,
}

/// What the server was sent, as far as it is kept.
pub(crate) enum Sent {
    Nothing,
    One(Part),
    More,
}

/// A message of the caller without compression: which ones the server reads is not known, only that it reads
/// none. `inflated`: what was charged for it, if it had one.
pub(crate) fn forth(
    form: &Form,
    onward: &mut Forwarded,
    mut part: Part,
    inflated: Option<Charge>,
) -> Result<Part, Status> {
    part.finished = false; // `finish` says so
    if let Some(translation) = form.translation() {
        part.bytes = translation.streamed_request(onward, part.bytes)?;
    } else if let Some(charge) = inflated.or_else(|| onward.charge_received(part.bytes.len())) {
        charge.attach(&mut part.bytes);
    }
    Ok(part)
}

impl Pump<'_> {
    /// The only request was there, and has opened the call below.
    pub fn begin(&mut self, request: Part, first: Part) {
        if self.is_recorded {
            self.record(&request);
        }
        self.has_request = true;
        self.copy(&first);
        self.sent = Sent::One(first);
    }

    /// Makes the call below again if it has failed, no server has looked at it, and all that was sent is
    /// still here, which is at most one message.
    pub async fn go_again(&mut self) -> bool {
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

    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        if let Poll::Ready(Err(why)) = self.poll_requests(cx) {
            return Poll::Ready(Err(why));
        }
        let ended = self.poll_replies(cx);
        if ended.is_pending() {
            let _ = self.queued.poll_taken(&mut self.sink, self.reply.is_some(), cx); // it wakes this task
        }
        ended
    }

    fn poll_requests(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        while !self.is_unheard
            && let Some(source) = &mut self.source
        {
            if let Some(inflating) = &mut self.inflating {
                let (part, charge) = ready!(inflating.as_mut().poll(cx))?;
                self.inflating = None;
                self.goes_on(part, Some(charge))?;
            } else if self.request.is_none() {
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
                        if part.compression != Compression::NONE {
                            self.inflating = Some(decompressing(self.call, From::Caller, part));
                            continue;
                        }
                        self.goes_on(part, None)?;
                    }
                    None if self.lines.is_some() && !self.has_request => {
                        (self.has_request, self.body_ended) = (true, true);
                        self.goes_on(Part::message(EMPTY.into()), None)?;
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

    /// A message without compression. `inflated`: what was charged for it, if it had one.
    fn goes_on(&mut self, part: Part, inflated: Option<Charge>) -> Result<(), Status> {
        let part = forth(self.form, &mut self.onward, part, inflated)?;
        self.copy(&part);
        self.request = Some(part);
        Ok(())
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
            if let Some(inflating) = &mut self.reply_inflating {
                let (part, charge) = ready!(inflating.as_mut().poll(cx))?;
                self.reply_inflating = None;
                self.reply = Some(self.back(part, Some(charge))?);
                continue;
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
                    if part.compression != Compression::NONE && !self.reads(part.compression) {
                        self.reply_inflating = Some(decompressing(self.call, From::Server, part));
                    } else {
                        self.reply = Some(self.back(part, None)?);
                    }
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
        self.sent = Sent::More; // it is not needed again
        let compression = if self.reads(answer.compression) { answer.compression } else { Compression::NONE };
        let mut metadata = answer.metadata.and_then(|fields| fields::of_reply(&fields));
        self.changes.iter().for_each(|changes| changes.change_reply(&mut metadata));
        if let Some(lines) = self.lines {
            lines.announce(metadata.get_or_insert_with(|| Box::new(Metadata::new())));
        }
        self.sink.answer(Answer { status: 0, compression, metadata });
    }

    /// Whether the caller gets messages of this compression as they are.
    fn reads(&self, compression: Compression) -> bool {
        let is_same = self.form.translation().is_none() && self.lines.is_none();
        is_same && self.call.cx.accepts().contains(compression)
    }

    /// A message of the server, in a compression that the caller reads. `inflated`: what was charged for it,
    /// if it had another one.
    fn back(&mut self, mut part: Part, inflated: Option<Charge>) -> Result<Part, Status> {
        part.finished = false; // the outcome says so
        let mut charge = inflated;
        match self.form.translation() {
            Some(translation) => {
                let sent = self.form.sent();
                (part.bytes, charge) = translation.streamed_reply(&mut self.backward, sent, part.bytes)?;
            }
            None => {
                if self.lines.is_some() {
                    part.bytes = on_one_line(part.bytes);
                }
                if charge.is_none() {
                    let charged = self.backward.charge(part.bytes.len());
                    charge = charged.map_err(|error| failure::unreadable(error.reply()))?;
                }
            }
        }
        if let Some(lines) = self.lines {
            part.bytes = lines.message(part.bytes);
        }
        self.queued.add(charge);
        Ok(part)
    }

    pub fn outcome(&mut self) -> Outcome {
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
