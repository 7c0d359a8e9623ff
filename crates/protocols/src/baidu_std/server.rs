//! Requests to calls.
//!
//! Admission comes before the body: `Host::admit` is asked once header and meta are here, and its verdict is kept in
//! [`Inward::Request`] or [`Inward::Skip`] while the payload arrives. In the common case all of a request is in the
//! first segment and becomes an `Open` in one pass.

use super::checksum::Checksum;
use super::frame::Frame;
use super::machine::{BaiduStd, Inward};
use super::meta::RpcMeta;
use polywire_base::IoBuf;
use polywire_call::{Status, brpc};
use polywire_wire::{Compression, Content, Cx, Event, Exchange, Head, Open, Route, Step, Target, WireError};
use std::time::Duration;

/// An admitted request; its names and metadata are in the machine.
#[derive(Clone, Copy)]
pub(super) struct Request {
    route: Route,
    correlation_id: u64,
    timeout: Option<Duration>,
    payload_bytes: usize,
    attachment: u32,
    content: Content,
    compression: Compression,
    checksum: Option<Checksum>,
}

const BAD_META: WireError = WireError::Malformed("RpcMeta");

impl BaiduStd {
    /// Longer metas are not kept beyond their request, in bytes.
    const KEEP_RAW: usize = 1 << 10;

    /// Takes the next request, or says what is missing. Hot: once per request.
    #[inline]
    pub(super) fn poll_server<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        let (request, body) = loop {
            let request = match self.inward {
                Inward::Frame => {
                    if cx.out.room() == 0 {
                        return Ok(Step::Blocked); // a peer that does not read its replies gets no more of them
                    }
                    let frame = match self.next_frame(cx)? {
                        Ok(frame) => frame,
                        Err(step) => return Ok(step),
                    };
                    if self.authenticate {
                        return self.ask_who(cx, &frame);
                    }
                    match self.admit(cx, &frame)? {
                        Ok(request) => {
                            cx.input.advance(frame.head_bytes());
                            request
                        }
                        Err((correlation_id, status)) => {
                            self.skip_frame(cx, &frame);
                            self.refuse(cx, correlation_id, status);
                            continue;
                        }
                    }
                }
                Inward::Request(request) => request,
                Inward::Skip(left) => {
                    if !self.skip(cx, left) {
                        return Ok(Step::Need(1)); // one byte: whatever comes is thrown away, never gathered
                    }
                    continue;
                }
                Inward::Verdict { .. } => return Ok(Step::Blocked),
                Inward::Closed | Inward::Reply(_) => return Ok(Step::Closed),
            };
            if cx.input.len() < request.payload_bytes {
                self.inward = Inward::Request(request);
                return Ok(Step::Need(request.payload_bytes - cx.input.len()));
            }
            self.inward = Inward::Frame;
            let body = cx.input.cut(request.payload_bytes);
            match request.checksum {
                Some(checksum) if !checksum.matches(&body, request.attachment) => {
                    cx.host.withdraw(request.route, Some(request.payload_bytes));
                    let status = brpc::status(brpc::EREQUEST, "Fail to verify checksum");
                    self.refuse(cx, request.correlation_id, status);
                }
                _ => break (request, body),
            }
        };
        Ok(Step::Event(Event::Open(self.opened(&request, body))))
    }

    /// Reads the meta and asks for admission. `Err` in `Ok`: the status that answers this correlation id.
    #[inline]
    fn admit(&mut self, cx: &mut Cx<'_>, frame: &Frame) -> Result<Result<Request, (u64, Status)>, WireError> {
        let head = cx.input.peek(frame.head_bytes()).expect("`Frame::peek` saw header and meta");
        let raw = &head[head.len() - frame.meta_bytes..];
        // "meta does not parse (garbage, missing required name): close, no reply"
        let meta = RpcMeta::parse(raw).ok_or(BAD_META)?;
        self.names.set(meta.service, meta.method).ok_or(WireError::Malformed("a name that is not UTF-8"))?;
        self.keep_raw(if meta.extra { raw } else { &[] });
        let id = meta.correlation_id;
        let Some(attachment) = meta.attachment(frame.payload_bytes) else {
            return Ok(Err((id, wrong_attachment(&meta, frame))));
        };
        let mut request = Request {
            route: Route::default(),
            correlation_id: id,
            timeout: (meta.timeout_ms > 0).then(|| Duration::from_millis(meta.timeout_ms as u64)),
            payload_bytes: frame.payload_bytes,
            attachment,
            content: Content(meta.content_type),
            compression: meta.compression(),
            checksum: meta.checksum(),
        };
        let announced = Some(frame.payload_bytes);
        match cx.host.admit(&self.head(&request), announced) {
            Ok(route) if frame.payload_bytes > route.max_message as usize => {
                cx.host.withdraw(route, announced);
                Ok(Err((id, too_large(frame, route))))
            }
            Ok(route) => {
                request.route = route;
                Ok(Ok(request))
            }
            Err(status) => Ok(Err((id, status))),
        }
    }

    #[inline]
    fn keep_raw(&mut self, raw: &[u8]) {
        self.raw.clear();
        if !raw.is_empty() || self.raw.capacity() > 0 {
            self.replace_raw(raw);
        }
    }

    #[cold]
    fn replace_raw(&mut self, raw: &[u8]) {
        self.raw.shrink_to(BaiduStd::KEEP_RAW.max(raw.len()));
        self.raw.extend_from_slice(raw);
    }

    /// The first frame of a connection whose peer has to say who it is. Its frame is read again after the verdict.
    #[cold]
    fn ask_who<'a>(&'a mut self, cx: &mut Cx<'_>, frame: &Frame) -> Result<Step<'a>, WireError> {
        let head = cx.input.peek(frame.head_bytes()).expect("`Frame::peek` saw header and meta");
        let meta = RpcMeta::parse(&head[head.len() - frame.meta_bytes..]).ok_or(BAD_META)?;
        self.authenticate = false;
        self.inward = Inward::Verdict { correlation_id: meta.correlation_id };
        self.raw.clear();
        self.raw.extend_from_slice(meta.authentication_data);
        Ok(Step::Event(Event::Authenticate { scheme: "baidu_std", credential: &self.raw }))
    }

    #[inline]
    fn head(&self, request: &Request) -> Head<'_> {
        let (service, method) = self.names.get();
        Head {
            target: Target::Method { service, method },
            timeout: request.timeout,
            attachment: request.attachment,
            content: request.content,
            compression: request.compression,
            raw: &self.raw,
        }
    }

    #[inline]
    fn opened(&self, request: &Request, body: IoBuf) -> Open<'_> {
        Open {
            exchange: Exchange { token: request.correlation_id, slot: Exchange::UNTRACKED },
            route: request.route,
            head: self.head(request),
            body,
            finished: true,
            streams: &[],
        }
    }
}

#[cold]
fn wrong_attachment(meta: &RpcMeta<'_>, frame: &Frame) -> Status {
    let (attachment, payload) = (meta.attachment_size, frame.payload_bytes);
    brpc::status(
        brpc::EREQUEST,
        format!("attachment_size={attachment} is larger than payload_size={payload}"),
    )
}

#[cold]
fn too_large(frame: &Frame, route: Route) -> Status {
    let (payload, limit) = (frame.payload_bytes, route.max_message);
    brpc::status(brpc::EREQUEST, format!("The message of {payload} bytes exceeds the limit of {limit}"))
}
