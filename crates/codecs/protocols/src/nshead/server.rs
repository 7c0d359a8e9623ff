//! Turns requests into calls.
//!
//! If the head names the method, a request is admitted before its body arrives; otherwise afterwards.

use super::dialect::{Dialect, Refused, Request};
use super::fields;
use super::machine::{Expected, Serial, State};
use polywire_call::{Status, brpc};
use polywire_wire::{Claim, Compression, Content, Cx, Event, Exchange, Head, Open, Route, Step, WireError};

impl<D: Dialect> Serial<D> {
    pub(super) fn poll_server<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        let (route, request) = loop {
            match self.state {
                State::Head if self.arrived.is_over() => self.state = State::Closed,
                State::Head => {
                    if cx.out.room() == 0 {
                        return Ok(Step::Blocked); // a peer that does not read its replies gets no more of them
                    }
                    let (head, body_len) = match self.front(cx.input)? {
                        Ok(front) => front,
                        Err(missing) => return Ok(Step::Need(missing)),
                    };
                    if std::mem::take(&mut self.authenticate) {
                        self.state = State::Verdict;
                        return Ok(Step::Event(Event::Authenticate(self.claim(head))));
                    }
                    cx.input.advance(super::Head::BYTES);
                    self.arrived.took(super::Head::BYTES);
                    self.begin(cx, head, body_len as usize);
                }
                State::Body(expected) => {
                    if cx.input.len() < expected.bytes {
                        return Ok(Step::Need(expected.bytes - cx.input.len()));
                    }
                    if let Some(opened) = self.read(cx, expected)? {
                        break opened;
                    }
                }
                State::Rest | State::Verdict => return Ok(Step::Blocked),
                State::Closed => return Ok(Step::Closed),
            }
        };
        self.state = State::Rest;
        self.exchange = Exchange { token: self.exchange.token + 1, slot: Exchange::UNTRACKED };
        Ok(Step::Event(Event::Open(Open {
            exchange: self.exchange,
            route,
            head: self.describe(request.content, request.compression),
            body: request.body,
            finished: true,
            streams: &[],
        })))
    }

    /// The claim of the first request: no credential, and its method if the head names it. The head is read
    /// again after the verdict.
    #[cold]
    fn claim(&mut self, head: super::Head) -> Claim<'_> {
        let compression = self.dialect.read_head(&head);
        self.begin_fields(&head);
        let head = D::HEAD_NAMES.then(|| self.describe(Content::PROTOBUF, compression));
        Claim { head, ..Claim::new(D::NAME, None) }
    }

    /// Handles a head: admits the request if the head is enough for that.
    fn begin(&mut self, cx: &mut Cx<'_>, head: super::Head, bytes: usize) {
        self.head = head;
        let compression = self.dialect.read_head(&head);
        self.begin_fields(&head);
        let route = match D::HEAD_NAMES.then(|| self.admit(cx, Content::PROTOBUF, compression, bytes)) {
            Some(Err(status)) => return self.fail(cx, &status, None),
            Some(Ok(route)) => Some(route),
            None => None,
        };
        self.state = State::Body(Expected { bytes, route });
    }

    /// Handles a body: returns the request, if it is valid and admitted.
    fn read(&mut self, cx: &mut Cx<'_>, expected: Expected) -> Result<Option<(Route, Request)>, WireError> {
        let body = cx.input.cut(expected.bytes);
        self.arrived.took(expected.bytes);
        if cx.host.records() {
            cx.host.received(&self.head.write(expected.bytes as u32), &body);
        }
        let request = match self.dialect.read_request(&self.head, body) {
            Ok(request) => request,
            Err(refused) => {
                if let Some(route) = expected.route {
                    cx.host.withdraw(route, Some(expected.bytes));
                }
                return match refused {
                    Refused::Close(what) => Err(WireError::Malformed(what)),
                    Refused::Answer(status) => {
                        self.fail(cx, &status, None);
                        Ok(None)
                    }
                };
            }
        };
        if let Some(log_id) = self.dialect.log_id() {
            fields::begin(&mut self.raw, log_id);
        }
        self.dialect.put_fields(&mut self.raw);
        let admitted = match expected.route {
            Some(route) => Ok(route),
            None => self.admit(cx, request.content, request.compression, request.body.len()),
        };
        match admitted {
            Ok(route) => Ok(Some((route, request))),
            Err(status) => {
                self.fail(cx, &status, None);
                Ok(None)
            }
        }
    }

    fn admit(
        &mut self,
        cx: &mut Cx<'_>,
        content: Content,
        compression: Compression,
        bytes: usize,
    ) -> Result<Route, Status> {
        let route = cx.host.admit(&self.describe(content, compression), Some(bytes))?;
        if bytes > route.max_message as usize {
            cx.host.withdraw(route, Some(bytes));
            let limit = route.max_message;
            let text = format!("The message of {bytes} bytes exceeds the limit of {limit}");
            return Err(brpc::status(brpc::EREQUEST, text));
        }
        Ok(route)
    }

    fn describe(&self, content: Content, compression: Compression) -> Head<'_> {
        Head {
            target: self.dialect.target(),
            timeout: None,
            attachment: self.dialect.attachment(),
            content,
            compression,
            accepts: D::ACCEPTS,
            sender: Default::default(),
            dialect: Default::default(),
            raw: &self.raw,
            ids: true,
        }
    }

    fn begin_fields(&mut self, head: &super::Head) {
        fields::begin(&mut self.raw, u64::from(head.log_id));
        if D::COUNTS_RELAYS {
            fields::put_relays_of(&mut self.raw, head);
        }
    }
}
