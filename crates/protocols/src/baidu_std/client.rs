//! Calls to requests, replies to the end of calls.
//!
//! The correlation id is the dispatcher's token, version and slot in one. Whether a reply still finds its call, the
//! dispatcher knows; it is asked before a payload is buffered.

use super::checksum::Checksum;
use super::encode;
use super::frame::Frame;
use super::machine::{BaiduStd, Inward};
use super::meta::RpcMeta;
use super::metadata;
use polywire_call::{Metadata, Origin, Status, brpc};
use polywire_wire::{
    Compression, Content, Credit, Cx, Event, Exchange, Notice, Outcome, Outgoing, Refusal, Role, Step,
    WireError,
};

/// A reply that announced success.
pub(super) struct Reply {
    exchange: Exchange,
    payload_bytes: usize,
    attachment: u32,
    content: Content,
    compression: Compression,
    checksum: Option<Checksum>,
    trailers: Option<Box<Metadata>>,
}

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
            let reply = match std::mem::replace(&mut self.inward, Inward::Frame) {
                Inward::Frame => {
                    if self.tell_draining {
                        self.tell_draining = false;
                        return Ok(Step::Event(Event::Notice(Notice::Draining)));
                    }
                    let frame = match self.next_frame(cx)? {
                        Ok(frame) => frame,
                        Err(step) => return Ok(step),
                    };
                    match self.reply(cx, &frame) {
                        Verdict::Wanted(reply) => {
                            cx.input.advance(frame.head_bytes());
                            reply
                        }
                        Verdict::Failed(exchange, outcome) => {
                            self.skip_frame(cx, &frame);
                            return Ok(finish(exchange, outcome));
                        }
                        Verdict::Ignored => {
                            self.skip_frame(cx, &frame);
                            continue;
                        }
                    }
                }
                Inward::Reply(reply) => reply,
                Inward::Skip(left) => {
                    if !self.skip(cx, left) {
                        return Ok(Step::Need(1));
                    }
                    continue;
                }
                other => {
                    self.inward = other;
                    return Ok(Step::Closed);
                }
            };
            if cx.input.len() < reply.payload_bytes {
                let missing = reply.payload_bytes - cx.input.len();
                self.inward = Inward::Reply(reply);
                return Ok(Step::Need(missing));
            }
            let body = cx.input.cut(reply.payload_bytes);
            if reply.checksum.is_some_and(|checksum| !checksum.matches(&body, reply.attachment)) {
                return Ok(finish(reply.exchange, failed(brpc::EREQUEST, "Fail to verify checksum")));
            }
            return Ok(finish(
                reply.exchange,
                Outcome {
                    body,
                    attachment: reply.attachment,
                    content: reply.content,
                    compression: reply.compression,
                    reply: true,
                    trailers: reply.trailers,
                    ..Outcome::default()
                },
            ));
        }
    }

    /// Reads a reply's meta.
    #[inline]
    fn reply(&mut self, cx: &mut Cx<'_>, frame: &Frame) -> Verdict {
        let head = cx.input.peek(frame.head_bytes()).expect("`Frame::peek` saw header and meta");
        let raw = &head[head.len() - frame.meta_bytes..];
        // "Meta that does not parse: frame dropped, connection stays, the call runs into its timeout."
        let Some(meta) = RpcMeta::parse(raw) else { return Verdict::Ignored };
        let token = meta.correlation_id;
        let exchange = Exchange { token, slot: token as u32 };
        let trailers = if meta.extra { metadata::trailers(raw) } else { None };
        // "error_code != 0: call fails with that code and text; body ignored."
        if meta.error_code != 0 {
            return self.failure(exchange, &meta, trailers);
        }
        let Some(attachment) = meta.attachment(frame.payload_bytes) else {
            return Verdict::Failed(
                exchange,
                failed(brpc::ERESPONSE, "attachment_size is larger than the payload"),
            );
        };
        if !cx.host.admit_reply(exchange, frame.payload_bytes) {
            return Verdict::Failed(exchange, unwelcome(frame.payload_bytes));
        }
        Verdict::Wanted(Reply {
            exchange,
            payload_bytes: frame.payload_bytes,
            attachment,
            content: Content(meta.content_type),
            compression: meta.compression(),
            checksum: meta.checksum(),
            trailers,
        })
    }

    #[cold]
    fn failure(
        &mut self,
        exchange: Exchange,
        meta: &RpcMeta<'_>,
        trailers: Option<Box<Metadata>>,
    ) -> Verdict {
        // ELOGOFF "also marks the connection at the client as leaving".
        if meta.error_code == brpc::ELOGOFF && !self.draining {
            self.draining = true;
            self.tell_draining = true;
        }
        let text = String::from_utf8_lossy(meta.error_text);
        let status = brpc::status(meta.error_code, text).with_origin(Origin::Remote);
        Verdict::Failed(exchange, Outcome { status, trailers, ..Outcome::default() })
    }
}

/// What a reply's meta says about its payload.
enum Verdict {
    Wanted(Reply),
    Failed(Exchange, Outcome),
    Ignored,
}

#[inline]
fn finish(exchange: Exchange, outcome: Outcome) -> Step<'static> {
    Step::Event(Event::Finish { exchange, outcome })
}

#[cold]
fn failed(number: i32, text: &'static str) -> Outcome {
    Outcome { status: brpc::status(number, text), ..Outcome::default() }
}

#[cold]
fn unwelcome(bytes: usize) -> Outcome {
    let status = Status::resource_exhausted(format!("the reply of {bytes} bytes is too large"));
    Outcome { status, ..Outcome::default() }
}
