//! The first half of a server's work: reading requests.

use super::{Admission, BodyEnd, Call, Found, ReplyState, Semantics, ServerCall, auth, body::Bad};
use crate::http::{
    dialects::{Form, Kind, connect},
    framing::{Abort, Framing, HeadBlock, Known},
    origin, status,
    websocket::{Served, calls},
};
use polywire_base::IoBuf;
use polywire_call::{Native, Status};
use polywire_wire::{Claim, Compression, Cx, Delivery, Exchange, Role, Sender, Validity, is_undecided};
use std::time::Instant;

/// The method CONNECT: the bytes after such a request would be a tunnel, not requests.
const CONNECT: &str = "CONNECT";
const OPTIONS: &str = "OPTIONS";
/// Methods named in `allow` where one is refused; others reach handlers, too.
const ALLOWED: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// The reason for refusing a request before its method is looked up.
#[inline]
fn refusal(head: &HeadBlock, websockets: Served) -> Option<(Status, Option<&'static str>)> {
    let native = |code, text: &str| Status::invalid_argument(text).with_native(Native::Http(code));
    if let Some(value) = head.known(Known::Expect)
        && (head.is_repeated(Known::Expect) || !value.eq_ignore_ascii_case(b"100-continue"))
    {
        return Some((native(417, "only 100-continue can be expected"), None));
    }
    if head.is_repeated(Known::Authorization) {
        return Some((native(400, "more than one authorization"), None));
    }
    match head.verb() {
        _ if head.connects && !(head.upgrade && websockets.any()) => {
            Some((native(501, "no such protocol is begun by CONNECT"), None))
        }
        CONNECT => Some((native(501, "CONNECT is not supported"), None)),
        "TRACE" => Some((native(405, "TRACE is not allowed"), Some(ALLOWED))),
        _ => None,
    }
}

/// The reason for refusing a request of this dialect with a plain HTTP status, before all other checks.
#[inline]
fn wrong_verb(form: &Form, head: &HeadBlock) -> Option<Status> {
    let by_get = matches!(form.kind, Kind::Plain | Kind::ConnectGet | Kind::WebSocket);
    let wrong = !by_get && head.verb() != "POST";
    wrong.then(|| Status::invalid_argument("calls are made with POST").with_native(Native::Http(405)))
}

impl<F: Framing> Semantics<F> {
    /// Notes that `Open` was delivered, with or before the end of the body.
    #[inline]
    pub(super) fn opened(&mut self, slot: u32, end: bool) {
        let call = &mut self.calls[slot as usize];
        (call.server.admission, call.flow.since) = (Admission::Opened, None);
        self.unopened -= 1;
        if end {
            call.body.end = BodyEnd::Delivered;
            self.leave(slot);
        }
    }

    /// Handles a request's head.
    #[inline]
    pub(super) fn request(&mut self, cx: &mut Cx<'_>, slot: u32, id: u64, end: bool) -> Option<Found> {
        self.begin(slot, Exchange { token: id, slot });
        let head = self.framing.head(slot);
        let call = &mut self.calls[slot as usize];
        if head.verb() == "HEAD" {
            call.reply = ReplyState::DueBodiless;
        }
        if end {
            call.body.end = BodyEnd::Here;
        }
        if let Some((why, allow)) = refusal(head, self.websockets) {
            if head.verb() == CONNECT {
                self.framing.close();
            }
            self.refuse(cx, slot, &why, allow);
            return None;
        }
        if head.verb() == OPTIONS && self.is_answered(cx, slot) {
            return None;
        }
        let (form, sender) = match self.form_of(slot) {
            Ok(form) => form,
            Err(why) => {
                self.refuse(cx, slot, &why, None);
                return None;
            }
        };
        let head = self.framing.head(slot);
        if let Some(why) = wrong_verb(&form, head) {
            self.refuse(cx, slot, &why, Some("POST"));
            return None;
        }
        let call = &mut self.calls[slot as usize];
        (call.form, call.sender) = (form, sender);
        match form.timeout(head) {
            Ok(timeout) => call.server.timeout = timeout,
            Err(why) => {
                self.fail(cx, slot, &why, None);
                return None;
            }
        }
        if let Some(why) = form.refusal(head) {
            self.fail(cx, slot, &why, None);
            return None;
        }
        if self.auth.stops(head) && !self.is_open_to_all(cx, slot) {
            self.auth.ask(slot, end, cx.now);
            return Some(Found::Authenticate { slot });
        }
        self.admit(cx, slot, end)
    }

    /// Refuses a request whose head is longer than allowed, in the form of its dialect as far as that is
    /// known.
    #[cold]
    pub(super) fn refuse_head(&mut self, cx: &mut Cx<'_>, slot: u32, id: u64, end: bool) -> Option<Found> {
        self.begin(slot, Exchange { token: id, slot });
        let head = self.framing.head(slot);
        let call = &mut self.calls[slot as usize];
        if head.verb() == "HEAD" {
            call.reply = ReplyState::DueBodiless;
        }
        if end {
            call.body.end = BodyEnd::Here;
        }
        call.form = Form::of_request(head).unwrap_or_default();
        self.fail(cx, slot, &status::large_head(), None);
        None
    }

    /// The form and the sender of the head in this slot; computed once for heads that are alike.
    #[inline]
    fn form_of(&mut self, slot: u32) -> Result<(Form, Sender), Status> {
        let head = self.framing.head(slot);
        match self.form {
            (like, form, sender) if like != 0 && like == head.like => Ok((form, sender)),
            _ => {
                let form = match head.upgrade && self.websockets.calls {
                    true => calls::form(head, F::fields).map_or_else(|| Form::of_request(head), Ok)?,
                    false => Form::of_request(head)?,
                };
                let sender = origin::sender(head, self.origins.as_deref(), self.way, F::fields);
                self.form = (head.like, form, sender);
                Ok((form, sender))
            }
        }
    }

    /// Handles the verdict on the peer's credential.
    pub(super) fn admit_peer(&mut self, cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        let Some((waiting, since)) = self.auth.asked() else { return };
        let (slot, _) = waiting;
        if since < cx.now {
            self.skip_time(since, cx.now);
        }
        match verdict {
            Ok(validity) => {
                let credential = auth::credential_of(self.framing.head(slot));
                self.auth.accept(waiting, credential, validity);
            }
            Err(why) => {
                // Calls of the other dialects share connections with calls of other callers.
                if self.calls[slot as usize].form.kind == Kind::Plain {
                    self.framing.close();
                }
                if !is_undecided(&why) {
                    self.framing.on_refused_credential(cx);
                }
                // brpc's own text and status, where its clients may see them.
                let brpc =
                    self.calls[slot as usize].form.kind == Kind::Plain && !self.fails_in_json(cx, slot);
                self.fail(cx, slot, &status::unauthenticated(why, brpc), None);
            }
        }
    }

    /// The credential and the head of the request in this slot, for the host.
    #[cold]
    pub(super) fn claim(&self, slot: u32) -> Claim<'_> {
        let (block, Call { form, sender, server: ServerCall { timeout, .. }, .. }) =
            (self.framing.head(slot), &self.calls[slot as usize]);
        let head = Some(form.head(block, *timeout, *sender));
        let credential = Some(auth::credential_of(block)).filter(|credential| !credential.is_empty());
        Claim { head, ..Claim::new(auth::SCHEME, credential) }
    }

    /// Whether the method of this request is open to peers without a credential.
    #[cold]
    fn is_open_to_all(&self, cx: &mut Cx<'_>, slot: u32) -> bool {
        let Call { form, sender, server: ServerCall { timeout, .. }, .. } = self.calls[slot as usize];
        cx.host.is_open_to_all(&form.head(self.framing.head(slot), timeout, sender))
    }

    /// Asks the host about the request in this slot.
    #[inline]
    pub(super) fn admit(&mut self, cx: &mut Cx<'_>, slot: u32, end: bool) -> Option<Found> {
        let block = self.framing.head(slot);
        let Call { mut form, sender, server: ServerCall { timeout, .. }, .. } = self.calls[slot as usize];
        self.last_path.keep(block);
        let head = form.head_to(self.last_path.target(form.kind, block), block, timeout, sender);
        // In an enveloped body each message states its length.
        let announced = if form.kind.is_enveloped() { None } else { block.length };
        let announced = announced.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let unreadable = head.compression == Compression::UNKNOWN && !end;
        let expects = block.known(Known::Expect).is_some() && !end;
        let asks = block.upgrade;
        let route = match cx.host.admit(&head, announced) {
            Ok(route) => route,
            Err(why) => {
                self.refuse_request(cx, slot, &why);
                return None;
            }
        };
        if route.delivery == Delivery::Pieces {
            form.kind = Kind::Plain; // a handler that takes pieces reads and writes envelopes itself
        }
        let call = &mut self.calls[slot as usize];
        (call.server.route, call.form) = (route, form);
        call.server.admission = Admission::Admitted { announced };
        call.flow.since = (!end).then_some(cx.now);
        self.unopened += 1;
        let end = match asks {
            true => self.hold_for_websocket(cx, slot, end)?,
            false => end,
        };
        if route.delivery != Delivery::Pieces {
            let longest = self.longest(slot);
            if announced.is_some_and(|n| n > longest) {
                return self.overflows(cx, slot, longest);
            }
            if unreadable {
                self.withdraw(cx, slot);
                self.refuse(cx, slot, &status::unsupported_coding(), None); // plain: the others ask before
                return None;
            }
        }
        if expects {
            self.framing.proceed(cx, slot);
        }
        if form.kind == Kind::ConnectGet {
            if !route.no_side_effects {
                self.withdraw(cx, slot);
                let why = Status::unimplemented("GET is for methods without side effects");
                self.refuse(cx, slot, &why.with_native(Native::Http(405)), Some("POST"));
                return None;
            }
            let Some(message) = connect::get::message(connect::query(self.framing.head(slot))) else {
                self.withdraw(cx, slot);
                self.fail(cx, slot, &Status::invalid_argument("the query holds no message"), None);
                return None;
            };
            let longest = self.longest(slot);
            if message.len() > longest {
                return self.overflows(cx, slot, longest);
            }
            self.calls[slot as usize].body.bytes = message.into();
        }
        if route.delivery == Delivery::Whole {
            if end && form.kind.is_enveloped() {
                return self.bad(cx, slot, Bad::Missing);
            }
            if end {
                self.opened(slot, true);
                return Some(Found::Open { slot, finished: true });
            }
            if let (Some(n), false) = (announced, form.kind.is_enveloped()) {
                self.open_window_for(cx.now, slot, n);
            }
            return None;
        }
        self.opened(slot, end);
        if let (Delivery::Messages, Some(n), false) = (route.delivery, announced, end) {
            self.open_window_for(cx.now, slot, n);
        }
        Some(Found::Open { slot, finished: end })
    }

    /// Answers OPTIONS that concerns no method: a preflight of a page that may call, or a request for the
    /// server as a whole (RFC 9110 9.3.7).
    #[cold]
    fn is_answered(&mut self, cx: &mut Cx<'_>, slot: u32) -> bool {
        if self.is_preflight(cx, slot) {
            return true;
        }
        let head = self.framing.head(slot);
        let whole = head.text(head.target) == "*";
        if whole {
            self.respond_options(cx, slot, ALLOWED);
        }
        whole
    }

    /// Answers a request that the host refuses. OPTIONS for an existing path is answered with the methods
    /// that may be used.
    #[cold]
    fn refuse_request(&mut self, cx: &mut Cx<'_>, slot: u32, why: &Status) {
        let allow = why.metadata().get_str("allow");
        if let Some(why) = allow.and_then(|_| self.without_subprotocol(cx, slot)) {
            return self.refuse(cx, slot, &why, None);
        }
        match (self.calls[slot as usize].form.kind, allow) {
            (Kind::Plain, Some(allow)) if self.framing.head(slot).verb() == OPTIONS => {
                self.respond_options(cx, slot, allow);
            }
            (Kind::Plain, allow) => self.refuse(cx, slot, why, allow),
            _ => {
                // A refusal that says when to come again has no other field.
                let fields = why.metadata().get(Status::RETRY_PUSHBACK).map(|_| why.metadata());
                self.fail(cx, slot, why, fields);
            }
        }
    }

    /// Handles a piece of a request's body.
    #[inline]
    pub(super) fn request_data(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        bytes: IoBuf,
        end: bool,
    ) -> Option<Found> {
        let call = &self.calls[slot as usize];
        call.exchange?;
        if call.form.kind == Kind::WebSocket {
            return self.frames_in(cx, slot, bytes, end);
        }
        // The message of a GET is in its query.
        let bytes = if call.form.kind == Kind::ConnectGet { IoBuf::new() } else { bytes };
        if let Err(bad) = self.keep(slot, bytes, end) {
            return self.bad(cx, slot, bad);
        }
        let call = &mut self.calls[slot as usize];
        if call.form.kind.is_enveloped() {
            return self.request_messages(cx, slot);
        }
        if call.is_piecewise(Role::Server) {
            return self.part(slot);
        }
        let longest = self.longest(slot);
        let call = &mut self.calls[slot as usize];
        if call.body.bytes.len() > longest {
            return self.overflows(cx, slot, longest);
        }
        if !end {
            // A single message needs the whole body, without regard to grants (rule 5).
            if self.framing.head(slot).length.is_none() {
                self.open_window_further(cx.now, slot, longest);
            }
            return None;
        }
        if call.server.route.delivery == Delivery::Messages {
            return self.part(slot);
        }
        self.opened(slot, true);
        Some(Found::Open { slot, finished: true })
    }

    /// Delivers the complete messages of an enveloped body.
    #[inline]
    fn request_messages(&mut self, cx: &mut Cx<'_>, slot: u32) -> Option<Found> {
        if self.calls[slot as usize].server.route.delivery != Delivery::Whole {
            return self.message(cx, slot);
        }
        loop {
            match self.next(cx, slot) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(bad) => return self.bad(cx, slot, bad),
            }
        }
        let inside = self.is_inside(slot);
        let call = &mut self.calls[slot as usize];
        if !call.body.end.is_complete() {
            return None;
        }
        if inside {
            return self.bad(cx, slot, Bad::Short);
        }
        if !call.body.has_message {
            return self.bad(cx, slot, Bad::Missing);
        }
        self.opened(slot, true);
        Some(Found::Open { slot, finished: true })
    }

    /// The framing announces this many further bytes of a request's body.
    #[cold]
    pub(super) fn request_coming(&mut self, cx: &mut Cx<'_>, slot: u32, bytes: u64) -> Option<Found> {
        let call = &self.calls[slot as usize];
        call.exchange?;
        let total = bytes.saturating_add(call.body.bytes.len() as u64);
        let longest = self.longest(slot);
        let whole = !call.is_piecewise(Role::Server) && !call.form.kind.is_enveloped();
        let too_long = whole && total > longest as u64;
        if too_long { self.overflows(cx, slot, longest) } else { None }
    }

    /// The body is longer than the route allows: "413 + close".
    #[cold]
    fn overflows(&mut self, cx: &mut Cx<'_>, slot: u32, longest: usize) -> Option<Found> {
        let call = &self.calls[slot as usize];
        let (told, answered, form) = (call.opened_exchange(), call.reply.has_begun(), call.form);
        let why = match form.kind {
            Kind::Plain => status::too_large(longest),
            _ => Bad::Long(longest).status(Role::Server),
        };
        self.withdraw(cx, slot);
        if answered {
            self.end(slot);
            self.framing.reset(cx, slot, Abort::Cancel);
        } else {
            if form.kind == Kind::Plain {
                self.framing.close();
            }
            self.fail(cx, slot, &why, None);
        }
        Some(Found::Reset { exchange: told?, why: why.into() })
    }

    /// Gives up requests, and messages of streams in assembly, that their peers have not completed since
    /// `begun` or before; returns their number.
    #[cold]
    pub(super) fn give_up_late(&mut self, cx: &mut Cx<'_>, begun: Instant) -> u32 {
        if self.auth.is_asking() {
            return 0; // nothing is read
        }
        let mut late = Vec::new();
        for (slot, call) in self.calls.iter_mut().enumerate() {
            if let Some(since) = call.expected_since().filter(|since| *since <= begun) {
                match call.goes_on(cx.now.saturating_duration_since(since)) {
                    true => call.flow.since = Some(cx.now),
                    false => late.push(slot as u32),
                }
            }
        }
        for &slot in &late {
            let told = self.calls[slot as usize].opened_exchange();
            let why = status::late_body();
            self.withdraw(cx, slot);
            self.framing.close(); // HTTP/1: nothing can follow this body
            self.fail(cx, slot, &why, None);
            if let Some(exchange) = told {
                self.ended.push_back(Found::Reset { exchange, why: why.into() });
            }
        }
        late.len() as u32
    }

    /// Releases the host's reservation for a request that is not opened.
    pub(super) fn withdraw(&mut self, cx: &mut Cx<'_>, slot: u32) {
        let Some(call) = self.calls.get_mut(slot as usize) else { return };
        match call.server.admission {
            Admission::Admitted { announced } => {
                call.server.admission = Admission::Pending;
                self.unopened -= 1;
                cx.host.withdraw(call.server.route, announced);
            }
            Admission::Waiting => cx.host.withdraw(call.server.route, None),
            Admission::Pending | Admission::Opened => {}
        }
    }
}
