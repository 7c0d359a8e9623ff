//! Calls to requests, replies to the end of calls.
//!
//! The correlation id is the dispatcher's token, version and slot in one. Whether a reply still finds its call, the
//! dispatcher knows; it is asked before a payload is buffered.

use super::encode;
use super::frame::{Frame, Front};
use super::machine::{BaiduStd, Inward, Message};
use super::meta::{RpcMeta, usual_reply};
use super::metadata;
use polywire_call::{Origin, Status, brpc};
use polywire_wire::{
    Content, Credit, Cx, Event, Exchange, Notice, Outcome, Outgoing, Refusal, Role, Step, WireError,
};

impl BaiduStd {
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
        if self.draining {
            return Err(Refusal::Draining);
        }
        if !call.finished || call.streamed || !call.streams.is_empty() {
            return Err(Refusal::Unsupported);
        }
        encode::request(cx.out, exchange.token, &self.credential, call).map_err(|_| Refusal::TooLarge)?;
        if !self.credential.is_empty() {
            self.credential = Box::default(); // "first request of a connection only"
        }
        Ok(Credit::CLOSED)
    }

    /// Takes the next reply, or says what is missing. Hot: once per reply.
    #[inline]
    pub(super) fn poll_client(&mut self, cx: &mut Cx<'_>) -> Result<Step<'static>, WireError> {
        loop {
            match self.inward {
                Inward::Frame => {
                    if self.tell_draining {
                        self.tell_draining = false;
                        return Ok(Step::Event(Event::Notice(Notice::Draining)));
                    }
                    let frame = match Frame::peek(cx.input, self.limits.max_message)? {
                        Front::Frame(frame) => frame,
                        Front::Need(missing) => return Ok(Step::Need(missing)),
                        Front::Foreign => return Err(WireError::BadMagic), // a client's speaks what the client chose
                    };
                    match self.reply(cx, &frame) {
                        Verdict::Wanted => cx.input.advance(frame.head_bytes()),
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
                Inward::Verdict | Inward::Closed => return Ok(Step::Closed),
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
    fn reply(&mut self, cx: &mut Cx<'_>, frame: &Frame) -> Verdict {
        let raw = frame.meta(cx.input);
        if let Some(correlation_id) = usual_reply(raw) {
            self.message = Message {
                correlation_id,
                payload_bytes: frame.payload_bytes,
                content: Content::PROTOBUF,
                ..Message::default()
            };
            return self.welcome(cx);
        }
        // "Meta that does not parse: frame dropped, connection stays, the call runs into its timeout."
        let Some(meta) = RpcMeta::parse(raw) else { return Verdict::Ignored };
        let message = &mut self.message;
        message.correlation_id = meta.correlation_id;
        message.payload_bytes = frame.payload_bytes;
        message.content = Content(meta.content_type);
        message.compression = meta.compression();
        message.checksum = meta.checksum();
        message.trailers = if meta.extra { metadata::trailers(raw) } else { None };
        // "error_code != 0: call fails with that code and text; body ignored."
        if meta.error_code != 0 {
            return self.failure(&meta);
        }
        let Some(attachment) = meta.attachment(frame.payload_bytes) else {
            return Verdict::Failed(failed(brpc::ERESPONSE, "attachment_size is larger than the payload"));
        };
        message.attachment = attachment;
        self.welcome(cx)
    }

    /// Asks whether the payload may be buffered.
    #[inline]
    fn welcome(&self, cx: &mut Cx<'_>) -> Verdict {
        let payload_bytes = self.message.payload_bytes;
        if !cx.host.admit_reply(self.exchange(), payload_bytes) {
            return Verdict::Failed(unwelcome(payload_bytes));
        }
        Verdict::Wanted
    }

    #[cold]
    fn failure(&mut self, meta: &RpcMeta<'_>) -> Verdict {
        // ELOGOFF "also marks the connection at the client as leaving".
        if meta.error_code == brpc::ELOGOFF && !self.draining {
            self.draining = true;
            self.tell_draining = true;
        }
        let text = String::from_utf8_lossy(meta.error_text);
        let status = brpc::status(meta.error_code, text).with_origin(Origin::Remote);
        let trailers = self.message.trailers.take();
        Verdict::Failed(Box::new(Outcome { status, trailers, ..Outcome::default() }))
    }
}

/// What a reply's meta says about its payload.
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
fn unwelcome(bytes: usize) -> Box<Outcome> {
    let status = Status::resource_exhausted(format!("the reply of {bytes} bytes is too large"));
    Box::new(Outcome { status, ..Outcome::default() })
}
