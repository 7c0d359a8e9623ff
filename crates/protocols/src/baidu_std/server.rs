//! Requests to calls.
//!
//! Admission comes before the body: `Host::admit` is asked once header and meta are here, and its verdict is kept in
//! [`Inward::Payload`] or [`Inward::Skip`] while the payload arrives. In the common case all of a request is in the
//! first segment and becomes an `Open` in one pass.

use super::frame::{Frame, Front};
use super::machine::{BaiduStd, Inward, Message};
use super::meta::{RpcMeta, usual_request};
use polywire_call::{Status, brpc};
use polywire_wire::{
    Compression, Compressions, Content, Cx, Event, Exchange, Head, Open, Route, Step, Target, WireError,
};
use std::time::Duration;

/// What a meta has numbers for.
const NAMED: Compressions =
    Compressions::NONE.with(Compression::SNAPPY).with(Compression::GZIP).with(Compression::ZLIB);

const BAD_META: WireError = WireError::Malformed("RpcMeta");

impl BaiduStd {
    /// Takes the next request, or says what is missing. Hot: once per request.
    #[inline]
    pub(super) fn poll_server<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        loop {
            match self.inward {
                Inward::Frame => {
                    if cx.out.room() == 0 {
                        return Ok(Step::Blocked); // a peer that does not read its replies gets no more of them
                    }
                    let frame = match Frame::peek(cx.input, self.limits.max_message)? {
                        Front::Frame(frame) => frame,
                        Front::Need(missing) => return Ok(Step::Need(missing)),
                        Front::Foreign => return Ok(Step::Foreign), // a server's connection may speak several protocols
                    };
                    if self.authenticate {
                        return self.ask_who(cx, &frame);
                    }
                    if let Err(status) = self.admit(cx, &frame)? {
                        self.skip_frame(cx, &frame);
                        self.refuse(cx, self.message.correlation_id, status);
                        continue;
                    }
                    cx.input.advance(frame.head_bytes());
                }
                Inward::Payload => {}
                Inward::Skip(left) => {
                    if !self.skip(cx, left) {
                        return Ok(Step::Need(1)); // one byte: whatever comes is thrown away, never gathered
                    }
                    continue;
                }
                Inward::Verdict => return Ok(Step::Blocked),
                Inward::Closed => return Ok(Step::Closed),
            }
            let payload_bytes = self.message.payload_bytes;
            if cx.input.len() < payload_bytes {
                self.inward = Inward::Payload;
                return Ok(Step::Need(payload_bytes - cx.input.len()));
            }
            if self.message.is_intact(cx.input) {
                break;
            }
            cx.host.withdraw(self.message.route, Some(payload_bytes));
            self.inward = Inward::Skip(payload_bytes);
            let status = brpc::status(brpc::EREQUEST, "Fail to verify checksum");
            self.refuse(cx, self.message.correlation_id, status);
        }
        self.inward = Inward::Frame;
        Ok(Step::Event(Event::Open(Open {
            exchange: Exchange { token: self.message.correlation_id, slot: Exchange::UNTRACKED },
            route: self.message.route,
            head: self.head(),
            body: cx.input.cut(self.message.payload_bytes),
            finished: true,
            streams: &[],
        })))
    }

    /// Reads the meta into `message` and asks for admission. `Err` in `Ok`: the status to answer with.
    #[inline]
    fn admit(&mut self, cx: &mut Cx<'_>, frame: &Frame) -> Result<Result<(), Status>, WireError> {
        let payload_bytes = frame.payload_bytes;
        let raw = frame.meta(cx.input);
        if let Some(names) = self.names.fields()
            && let Some((correlation_id, timeout_ms)) = usual_request(raw, names)
        {
            self.keep_raw(&[]);
            self.message = Message {
                correlation_id,
                payload_bytes,
                timeout_ms: timeout_ms.max(0) as u32,
                content: Content::PROTOBUF,
                ..Message::default()
            };
            return Ok(self.ask(cx));
        }
        // "meta does not parse (garbage, missing required name): close, no reply"
        let meta = RpcMeta::parse(raw).ok_or(BAD_META)?;
        self.names.set(meta.service, meta.method).ok_or(WireError::Malformed("a name that is not UTF-8"))?;
        self.keep_raw(if meta.extra { raw } else { &[] });
        let message = &mut self.message;
        message.correlation_id = meta.correlation_id;
        message.payload_bytes = payload_bytes;
        message.timeout_ms = meta.timeout_ms.max(0) as u32;
        message.content = Content(meta.content_type);
        message.compression = meta.compression();
        message.checksum = meta.checksum();
        let Some(attachment) = meta.attachment(payload_bytes) else {
            return Ok(Err(wrong_attachment(&meta, payload_bytes)));
        };
        message.attachment = attachment;
        Ok(self.ask(cx))
    }

    /// Asks the host about the request in `message`.
    #[inline]
    fn ask(&mut self, cx: &mut Cx<'_>) -> Result<(), Status> {
        let payload_bytes = self.message.payload_bytes;
        let route = cx.host.admit(&self.head(), Some(payload_bytes))?;
        if payload_bytes > route.max_message as usize {
            cx.host.withdraw(route, Some(payload_bytes));
            return Err(too_large(payload_bytes, route));
        }
        self.message.route = route;
        Ok(())
    }

    #[inline]
    fn head(&self) -> Head<'_> {
        let (service, method) = self.names.get();
        let timeout_ms = self.message.timeout_ms;
        Head {
            target: Target::Method { service, method },
            timeout: (timeout_ms > 0).then(|| Duration::from_millis(u64::from(timeout_ms))),
            attachment: self.message.attachment,
            content: self.message.content,
            compression: self.message.compression,
            accepts: NAMED,
            raw: &self.raw,
        }
    }

    /// The first frame of a connection whose peer has to say who it is. Its frame is read again after the verdict.
    #[cold]
    fn ask_who<'a>(&'a mut self, cx: &mut Cx<'_>, frame: &Frame) -> Result<Step<'a>, WireError> {
        let meta = RpcMeta::parse(frame.meta(cx.input)).ok_or(BAD_META)?;
        self.authenticate = false;
        self.inward = Inward::Verdict;
        self.message.correlation_id = meta.correlation_id;
        self.keep_raw(meta.authentication_data);
        Ok(Step::Event(Event::Authenticate { scheme: "baidu_std", credential: &self.raw }))
    }
}

#[cold]
fn wrong_attachment(meta: &RpcMeta<'_>, payload: usize) -> Status {
    let attachment = meta.attachment_size;
    brpc::status(
        brpc::EREQUEST,
        format!("attachment_size={attachment} is larger than payload_size={payload}"),
    )
}

#[cold]
fn too_large(payload: usize, route: Route) -> Status {
    let limit = route.max_message;
    brpc::status(brpc::EREQUEST, format!("The message of {payload} bytes exceeds the limit of {limit}"))
}
