//! Turns calls into requests, and replies into the ends of calls.
//!
//! The correlation id is the dispatcher's token, which holds version and slot. The dispatcher knows whether
//! the call of a reply still exists; it is asked before a payload is buffered.

use super::machine::{Inward, Leaving, Pbrpc};
use super::{Dialect, Extension, Frame, Front, Replied};
use crate::reply_fields;
use polywire_call::{Metadata, Status, brpc};
use polywire_wire::{Credit, Cx, Event, Exchange, Notice, Outcome, Outgoing, Refusal, Role, Step, WireError};

impl<W: Dialect> Pbrpc<W> {
    /// Writes a request. Hot: once per call.
    #[inline]
    pub(super) fn open_call(
        &mut self,
        cx: &mut Cx<'_>,
        exchange: Exchange,
        call: &Outgoing<'_>,
    ) -> Result<Credit, Refusal> {
        if self.role() == Role::Server {
            return Err(Refusal::WrongRole);
        }
        if self.leaving != Leaving::No {
            return Err(Refusal::Draining);
        }
        if !call.finished || call.streamed || !call.streams.is_empty() {
            return W::Extension::open(self, cx, exchange, call);
        }
        W::put_request(cx.out, exchange.token, &self.credential, call)?;
        self.forget_credential();
        Ok(Credit::CLOSED)
    }

    /// The credential has left: "first request of a connection only".
    #[inline]
    pub fn forget_credential(&mut self) {
        if !self.credential.is_empty() {
            self.credential = Box::default();
        }
    }

    /// Takes the next reply, or returns what is missing. Hot: once per reply.
    #[inline]
    pub fn poll_client(&mut self, cx: &mut Cx<'_>) -> Result<Step<'static>, WireError> {
        loop {
            match self.inward {
                Inward::Frame => {
                    if self.leaving == Leaving::Unreported {
                        self.leaving = Leaving::Known;
                        return Ok(Step::Event(Event::Notice(Notice::Draining)));
                    }
                    let frame = match Frame::peek::<W>(cx.input, self.limits.max_message)? {
                        Front::Frame(frame) => frame,
                        Front::Need(missing) => return Ok(Step::Need(missing)),
                        Front::Foreign if self.extension.is_live() => return Ok(Step::Foreign),
                        Front::Foreign => return Err(WireError::BadMagic), // the client chose the protocol
                    };
                    match self.reply(cx, &frame)? {
                        Verdict::Wanted => cx.input.advance(frame.head_bytes::<W>()),
                        Verdict::Failed(outcome) => {
                            self.skip_frame(cx, &frame);
                            return Ok(Step::Event(Event::Finish {
                                exchange: self.exchange(),
                                outcome: *outcome,
                            }));
                        }
                        Verdict::Ignored => {
                            self.skip_frame(cx, &frame);
                            continue;
                        }
                    }
                }
                Inward::Payload => {}
                Inward::Skip(left) => {
                    if !self.skip(cx, left) {
                        return Ok(Step::Need(1)); // one byte: whatever comes is thrown away, never gathered
                    }
                    continue;
                }
                Inward::Verdict { .. } | Inward::Closed => return Ok(Step::Closed),
            }
            let payload_bytes = self.message.payload_bytes;
            if cx.input.len() < payload_bytes {
                self.inward = Inward::Payload;
                return Ok(Step::Need(payload_bytes - cx.input.len()));
            }
            let exchange = self.exchange();
            if !self.message.is_intact(cx.input) {
                self.inward = Inward::Skip(payload_bytes);
                let outcome = *failed(brpc::EREQUEST, "Fail to verify checksum");
                return Ok(Step::Event(Event::Finish { exchange, outcome }));
            }
            self.inward = Inward::Frame;
            let outcome = Outcome {
                status: Status::OK,
                body: cx.input.cut(payload_bytes),
                attachment: self.message.attachment,
                content: self.message.content,
                compression: self.message.compression,
                reply: true,
                accept: false,
                headers: None,
                trailers: self.message.trailers.take(),
            };
            return Ok(Step::Event(Event::Finish { exchange, outcome }));
        }
    }

    #[inline]
    fn exchange(&self) -> Exchange {
        let token = self.message.correlation_id;
        Exchange { token, slot: token as u32 }
    }

    /// Reads a reply's meta into `message`.
    #[inline]
    fn reply(&mut self, cx: &mut Cx<'_>, frame: &Frame) -> Result<Verdict, WireError> {
        let payload_bytes = frame.payload_bytes;
        Ok(match W::read_reply(frame.meta::<W>(cx.input), payload_bytes, &mut self.message) {
            Replied::Good => self.admit_reply(cx),
            // "error_code != 0: call fails with that code and text; body ignored."
            Replied::Failed { code, text } => {
                let text = String::from_utf8_lossy(text);
                let mut trailers = self.message.trailers.take();
                let status = reply_fields::take_failure(code, &text, &mut trailers);
                self.failure(status, trailers)
            }
            Replied::Wrong(what) => Verdict::Failed(failed(brpc::ERESPONSE, what)),
            // "Meta that does not parse: frame dropped, connection stays, the call runs into its timeout."
            Replied::Ignored => Verdict::Ignored,
            Replied::Broken(error) => return Err(error),
        })
    }

    /// Asks the host whether the payload may be buffered.
    #[inline]
    fn admit_reply(&self, cx: &mut Cx<'_>) -> Verdict {
        let payload_bytes = self.message.payload_bytes;
        if !cx.host.admit_reply(self.exchange(), payload_bytes) {
            return Verdict::Failed(refused_reply(payload_bytes));
        }
        Verdict::Wanted
    }

    #[cold]
    fn failure(&mut self, status: Status, trailers: Option<Box<Metadata>>) -> Verdict {
        // ELOGOFF "also marks the connection at the client as leaving", unless it is a handler's.
        if status.is_retryable() && brpc::number(&status) == brpc::ELOGOFF && self.leaving == Leaving::No {
            self.leaving = Leaving::Unreported;
        }
        Verdict::Failed(Box::new(Outcome { status, trailers, ..Outcome::default() }))
    }
}

/// The action for a reply's payload.
enum Verdict {
    Wanted,
    Failed(Box<Outcome>),
    Ignored,
}

#[cold]
fn failed(number: i32, text: &'static str) -> Box<Outcome> {
    Box::new(Outcome { status: brpc::status(number, text), ..Outcome::default() })
}

#[cold]
fn refused_reply(bytes: usize) -> Box<Outcome> {
    let status = Status::resource_exhausted(format!("the reply of {bytes} bytes is too large"));
    Box::new(Outcome { status, ..Outcome::default() })
}
