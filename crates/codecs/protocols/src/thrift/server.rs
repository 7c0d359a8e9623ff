//! The server's machine: messages to calls, outcomes to messages.
//!
//! ```text
//!                          .----- unframed ---> Scan ----.
//!                          |                             |
//!  Start --> Head --admit--+----- framed -----> Body ----+--> Open --> Head
//!             |            |
//!             |            `----- refused ----> Skip, SkipScan --> Head
//!             `--> Verdict --> Head
//! ```
//!
//! A message without a frame ends where its struct ends, which a resumable scan finds. If the message is
//! refused, its bytes are dropped as the scan passes them. A frame with a TTHeader is a frame.

use super::{
    ANY_METHOD, ApplicationException, BizStatus, ExceptionType, Form, MAX_NAME, Named, Settings, biz_status,
    exception,
    fields::{self, Way},
    frame::{self, Frame},
    message::{self, CALL, EXCEPTION, MAX_HEAD, ONEWAY, REPLY},
    name::{self, Name},
    order::{Caller, Calls, Fields, Reply},
    sniff::{in_header, recognise},
    ttheader::{self, ANY_ORDER, Header, Info, Infos, read_infos},
};
use crate::{arrived::Arrived, backlog, reply_fields};
use polywire_base::{IoBuf, Output};
use polywire_call::{Metadata, Native, Status, brpc};
use polywire_formats::thrift::{self, Scan};
use polywire_wire::{
    Claim, Cx, Event, Exchange, Goodbye, Head, Host, Limits, Machine, Open, Outcome, Route, ServerSetup,
    Sniff, Step, Target, Validity, WireError,
};
use std::time::Duration;

/// Marks the token of a call that has no reply.
const NO_REPLY: u64 = 1 << 63;

/// Most bytes of fields whose memory is kept for the next call.
const KEPT: usize = 1 << 10;

pub(super) struct Server {
    limits: Limits,
    named: bool,
    form: Form,
    state: State,
    /// Whether the application still has to decide about the peer.
    authenticate: bool,
    current: Current,
    calls: Calls,
    /// Calls under way that have no reply.
    oneways: u32,
    arrived: Arrived,
    /// Whether replies are sent as soon as they are there.
    any_order: bool,
    /// Whether the peer has said that it compares seqids. It then knows a frame of no call, too.
    multiplexes: bool,
}

/// The message that is arriving.
struct Current {
    kind: u8,
    seqid: i32,
    strict: bool,
    name: Name,
    /// The service in its TTHeader.
    service: Name,
    /// The method's name in the reply: without the service, which only clients that multiplex send.
    reply_name: Name,
    /// The number of both names if the server has such a method, else that of `name`.
    id: u64,
    /// Whether the server has neither, so that its catch-all gets the call by its names.
    is_caught: bool,
    /// Relays that it has passed, if it is known.
    relays: u8,
    protocol: u8,
    timeout: Option<Duration>,
    /// Its fields, see `fields.rs`.
    raw: Vec<u8>,
    /// Bytes of the message's struct; 0 until they are known.
    body: usize,
}

enum State {
    /// No byte has arrived.
    Start,
    Head,
    /// The struct of an admitted request in a frame.
    Body(Route),
    /// The same message without a frame, whose end is found by a scan.
    Scan(Route, Scan),
    /// This many bytes are dropped.
    Skip(usize),
    SkipScan(Scan),
    Verdict,
    Closed,
}

/// An event to report, or the reason why nothing is reported.
enum Next {
    Open(Route),
    Authenticate,
    Need(usize),
    Blocked,
    Closed,
}

impl Server {
    pub(super) fn new(setup: &ServerSetup<'_>) -> Self {
        let settings = setup.extensions.and_then(|all| all.get::<Settings>());
        let name = Name::new(b"");
        let settings = settings.map(|settings| *settings).unwrap_or_default();
        Server {
            limits: setup.limits,
            any_order: settings.any_order,
            multiplexes: false,
            named: setup.extensions.is_some_and(|all| all.get::<Named>().is_some()),
            form: Form::default(),
            state: State::Start,
            authenticate: setup.authenticate,
            current: Current {
                kind: 0,
                seqid: 0,
                strict: true,
                id: name::id(b""),
                is_caught: false,
                relays: 0,
                reply_name: name.clone(),
                service: name.clone(),
                name,
                protocol: 0,
                timeout: None,
                raw: Vec::new(),
                body: 0,
            },
            calls: Calls::default(),
            oneways: 0,
            arrived: Arrived::default(),
        }
    }

    #[inline]
    fn next(&mut self, cx: &mut Cx<'_>) -> Result<Next, WireError> {
        loop {
            match &mut self.state {
                State::Start | State::Head if self.arrived.is_over() => match self.under_way() {
                    0 => self.state = State::Closed,
                    _ => return Ok(Next::Blocked),
                },
                State::Start => match self.recognise(cx)? {
                    0 => self.state = State::Head,
                    missing => return Ok(Next::Need(missing)),
                },
                State::Head => {
                    self.current.forget_fields();
                    if cx.out.room() == 0 || self.under_way() >= self.limits.calls.max(1) as usize {
                        // A peer that does not read its replies gets no more of them.
                        return Ok(Next::Blocked);
                    }
                    if let Some(rest) = self.head(cx)? {
                        return Ok(rest);
                    }
                }
                State::Body(route) => {
                    let missing = self.current.body.saturating_sub(cx.input.len());
                    if missing > 0 {
                        return Ok(Next::Need(missing));
                    }
                    return Ok(Next::Open(*route));
                }
                State::Scan(route, scan) => {
                    let (route, found) = (*route, find_end(scan, cx)?);
                    let least = found.unwrap_or(scan.least());
                    if least > route.max_message.min(self.limits.max_message) as usize {
                        let scan = std::mem::replace(scan, Scan::of_struct(self.form.encoding));
                        cx.host.withdraw(route, None);
                        self.too_long(cx, least, route.max_message);
                        match found {
                            Some(end) => self.state = State::Skip(end),
                            None => self.state = State::SkipScan(scan),
                        }
                    } else if let Some(end) = found {
                        self.current.body = end;
                        return Ok(Next::Open(route));
                    } else {
                        return Ok(Next::Need(scan.missing(cx.input.len())));
                    }
                }
                State::Skip(left) => {
                    let here = (*left).min(cx.input.len());
                    cx.input.advance(here);
                    self.arrived.took(here);
                    *left -= here;
                    if *left > 0 {
                        return Ok(Next::Need(1)); // one byte: whatever comes is dropped, never gathered
                    }
                    self.state = State::Head;
                }
                State::SkipScan(scan) => {
                    let found = find_end(scan, cx)?;
                    let gone = scan.forget(cx.input.len());
                    cx.input.advance(gone);
                    self.arrived.took(gone);
                    if found.is_none() {
                        return Ok(Next::Need(1));
                    }
                    self.state = State::Head;
                }
                State::Verdict => return Ok(Next::Blocked),
                State::Closed => return Ok(Next::Closed),
            }
        }
    }

    /// The number of calls that have no reply yet, and of those whose reply waits for them.
    #[inline]
    fn under_way(&self) -> usize {
        self.calls.len() + self.oneways as usize
    }

    /// Finds the form of the first message; the number of bytes that are missing for that.
    #[cold]
    fn recognise(&mut self, cx: &mut Cx<'_>) -> Result<usize, WireError> {
        let shown = cx.input.peek(cx.input.len().min(4 + MAX_HEAD)).unwrap_or(&[]);
        self.form = match recognise(shown) {
            Ok(form) => form,
            Err(Sniff::NeedMore(missing)) => return Ok(missing),
            Err(_) => return Err(WireError::BadMagic),
        };
        if !self.form.ttheader {
            return Ok(0);
        }
        let Header { message: start, end, .. } = match frame::read(cx.input, self.form, &self.limits)? {
            Ok(Frame { header: Some(header), .. }) => header,
            Ok(_) => return Err(WireError::BadMagic),
            Err(missing) => return Ok(missing),
        };
        let shown = cx.input.len().min(end).min(start + MAX_HEAD);
        match in_header(&cx.input.peek(shown).unwrap_or(&[])[start..]) {
            Ok(form) => self.form = form,
            Err(Sniff::NeedMore(missing)) if shown < end => return Ok(missing),
            Err(_) => return Err(WireError::Malformed("no message of Thrift after a TTHeader")),
        }
        Ok(0)
    }

    /// Reads the head of a message, and asks the host to admit it; `None` if the input has to be looked at
    /// again.
    #[inline]
    fn head(&mut self, cx: &mut Cx<'_>) -> Result<Option<Next>, WireError> {
        let frame = match frame::read(cx.input, self.form, &self.limits)? {
            Ok(frame) => frame,
            Err(missing) => return Ok(Some(Next::Need(missing))),
        };
        let most = frame.end.unwrap_or(usize::MAX);
        let shown = cx.input.len().min(frame.start + MAX_HEAD).min(most);
        let bytes = cx.input.peek(shown).unwrap_or(&[]);
        let Some(message) = message::read(self.form.encoding, &bytes[frame.start..])? else {
            if shown >= most {
                return Err(WireError::Malformed("a frame that ends in the head of its message"));
            }
            return Ok(Some(Next::Need(1)));
        };
        let head = frame.start + message.bytes;
        let body = frame.end.map(|end| end - head);
        let (mut infos, mut service): (&[u8], &[u8]) = (&[], &[]);
        if let Some(header) = frame.header {
            if message.name.is_empty() {
                return Err(WireError::Malformed("a message without a name after a TTHeader"));
            }
            infos = &bytes[Header::BYTES..header.message];
            service = self.current.read(infos, message.name)?;
            self.multiplexes |= header.flags & ANY_ORDER != 0;
        }
        self.current.kind = message.kind;
        self.current.seqid = message.seqid;
        self.current.strict = message.strict;
        // After a TTHeader they are one of the fields.
        self.current.relays = if frame.header.is_none() { message.relays } else { 0 };
        self.current.set_names(message.name, service, self.named, &*cx.host);
        if self.named || self.current.is_caught || !infos.is_empty() {
            self.current.put_fields(self.named, infos);
        }
        if std::mem::take(&mut self.authenticate) {
            self.state = State::Verdict;
            return Ok(Some(Next::Authenticate));
        }
        cx.input.advance(head);
        self.arrived.took(head);
        self.current.body = body.unwrap_or(0);
        self.admit(cx, body);
        Ok(None)
    }

    /// Asks the host to admit a request whose struct has this many bytes, if that is known.
    #[inline]
    fn admit(&mut self, cx: &mut Cx<'_>, body: Option<usize>) {
        let kind = self.current.kind;
        let admitted = match kind {
            CALL | ONEWAY => cx.host.admit(&self.describe(), body).map_err(|why| self.named(why)),
            _ => Err(ExceptionType::INVALID_MESSAGE_TYPE.status(format!("a request of type {kind}"))),
        };
        self.state = match (admitted, body) {
            (Ok(route), Some(body)) if body <= route.max_message as usize => State::Body(route),
            (Ok(route), Some(body)) => {
                cx.host.withdraw(route, Some(body));
                self.too_long(cx, body, route.max_message);
                State::Skip(body)
            }
            (Ok(route), None) => State::Scan(route, Scan::of_struct(self.form.encoding)),
            (Err(status), body) => {
                self.refuse(cx, &status);
                match (&self.state, body) {
                    (State::Closed, _) => State::Closed,
                    (_, Some(body)) => State::Skip(body),
                    (_, None) => State::SkipScan(Scan::of_struct(self.form.encoding)),
                }
            }
        };
    }

    #[inline]
    fn describe(&self) -> Head<'_> {
        // The number of all other methods is no name's.
        let number = if self.current.id == ANY_METHOD { 0 } else { self.current.id };
        let bound = Target::Bound { protocol: super::PROTOCOL.name, number };
        let target = if self.current.is_caught { self.current.names().unwrap_or(bound) } else { bound };
        let Current { raw, timeout, .. } = &self.current;
        Head { raw, timeout: *timeout, ..Head::new(target, self.form.encoding.content()) }
    }

    /// Adds the method's name to the status for an unknown method: the host knows a method by its number
    /// alone.
    #[cold]
    fn named(&self, why: Status) -> Status {
        if why.native() != Native::Brpc(brpc::ENOMETHOD) {
            return why;
        }
        let (name, protocol) = (self.current.name.shown(), super::PROTOCOL.name);
        brpc::status(brpc::ENOMETHOD, format!("Fail to find method={name} of what is bound to {protocol}"))
    }

    #[cold]
    fn too_long(&mut self, cx: &mut Cx<'_>, bytes: usize, limit: u32) {
        let text = format!("the message of {bytes} bytes exceeds the limit of {limit}");
        self.refuse(cx, &Status::resource_exhausted(text));
    }

    /// Answers the current request, in its turn.
    #[cold]
    fn refuse(&mut self, cx: &mut Cx<'_>, status: &Status) {
        if brpc::number(status) == brpc::ECLOSE {
            self.state = State::Closed; // "close the connection instead of answering"
        } else if self.current.kind != ONEWAY {
            let number = self.calls.add(self.caller());
            self.answer(cx, number, self.failure(status));
        }
    }

    #[inline]
    fn caller(&self) -> Caller {
        let Current { reply_name, seqid, strict, protocol, .. } = &self.current;
        Caller { name: reply_name.clone(), seqid: *seqid, strict: *strict, protocol: *protocol }
    }

    /// The reply to a call that failed.
    #[cold]
    fn failure(&self, status: &Status) -> Reply {
        let biz_status = BizStatus::of(status).filter(|_| self.form.ttheader);
        let fields = self.form.ttheader.then(|| Box::new(fields_of_failure(status)));
        if biz_status.is_some() {
            return Reply { kind: REPLY, body: IoBuf::from(&[0][..]), fields }; // an empty struct
        }
        let exception = ApplicationException::of(status);
        let body = thrift::encode(self.form.encoding, &exception).unwrap_or_default();
        Reply { kind: EXCEPTION, body, fields }
    }

    #[inline]
    fn answer(&mut self, cx: &mut Cx<'_>, number: u64, reply: Reply) {
        let (form, out, closes) = (self.form, &mut *cx.out, self.arrived.is_stopping());
        self.calls.answer(number, reply, self.any_order || self.multiplexes, |caller, reply| {
            put(out, form, caller, reply, closes);
        });
    }

    /// Number of the current call, which is under way from now on.
    #[inline]
    fn begin(&mut self) -> u64 {
        if self.current.kind == ONEWAY {
            self.oneways += 1;
            return NO_REPLY;
        }
        self.calls.add(self.caller())
    }
}

impl Current {
    /// Reads what a TTHeader says of the message after it, which has this name; the service.
    fn read<'a>(&mut self, infos: &'a [u8], name: &[u8]) -> Result<&'a [u8], WireError> {
        let mut service: &[u8] = b"";
        let mut timeout = None;
        self.protocol = read_infos(infos, |info| match info {
            Info::Text(key, value) if key == fields::SERVICE.as_bytes() => service = value,
            Info::Number(fields::TIMEOUT, value) => timeout = fields::timeout(value),
            _ => {}
        })?;
        self.timeout = timeout;
        // The name of a client that multiplexes has the service, and both have at most `MAX_NAME` bytes.
        let is_apart = !name.contains(&b':') && service.len() + 1 + name.len() <= MAX_NAME;
        Ok(if is_apart { service } else { b"" })
    }

    /// Looks for the method of the service that was named, or else for any of this name: services are called
    /// otherwise at some clients.
    #[inline]
    fn set_names(&mut self, name: &[u8], service: &[u8], takes_all: bool, host: &dyn Host) {
        if self.name.as_bytes() == name && self.service.as_bytes() == service {
            return;
        }
        self.name = Name::new(name);
        self.service = Name::new(service);
        self.reply_name = Name::new(name::without_service(name));
        self.id = name::id(name);
        if !service.is_empty() {
            let id = name::id(&self.whole_name().concat());
            if host.is_bound(super::PROTOCOL.name, id) {
                self.id = id;
            }
        }
        self.is_caught = !takes_all && host.has_catch_all() && !host.is_bound(super::PROTOCOL.name, self.id);
    }

    /// The names for a catch-all. A call that names no service is one of the service `thrift`. `None`: they
    /// are no text.
    #[cold]
    fn names(&self) -> Option<Target<'_>> {
        let name = str::from_utf8(self.name.as_bytes()).ok()?;
        let service = str::from_utf8(self.service.as_bytes()).ok()?;
        let (service, method) = match name.split_once(':') {
            Some(both) => both,
            None if service.is_empty() => (super::PROTOCOL.name, name),
            None => (service, name),
        };
        Some(Target::Method { service, method })
    }

    /// `Calculator:add`, if the service was named.
    fn whole_name(&self) -> [&[u8]; 3] {
        let service = self.service.as_bytes();
        [service, if service.is_empty() { b"" } else { b":" }, self.name.as_bytes()]
    }

    /// Keeps the fields, with the name of the method if the server is to see it: `Calculator:add`, as without
    /// a TTHeader, so that a proxy can send it on.
    fn put_fields(&mut self, named: bool, infos: &[u8]) {
        let mut raw = std::mem::take(&mut self.raw);
        let name = if named { self.whole_name() } else { [&[][..]; 3] };
        let is_oneway = self.is_caught && self.kind == ONEWAY;
        fields::put_raw(&mut raw, name, (self.relays, is_oneway), infos);
        self.raw = raw;
    }

    /// Gives back the memory of many fields: a connection may be idle for long.
    #[inline]
    fn forget_fields(&mut self) {
        if self.raw.capacity() > KEPT {
            self.raw = Vec::new();
        }
    }
}

/// Looks for the end of a struct in all that has arrived.
#[inline]
fn find_end(scan: &mut Scan, cx: &mut Cx<'_>) -> Result<Option<usize>, WireError> {
    let in_front = scan.advance(cx.input.front());
    let found = match in_front {
        Ok(None) if cx.input.front().len() < cx.input.len() => {
            let all = cx.input.len();
            scan.advance(cx.input.peek(all).unwrap_or(&[]))
        }
        found => found,
    };
    found.map_err(|_| WireError::Malformed("a message that is no struct"))
}

/// The fields of the reply to a call that failed: what its exception does not say, or what it is instead of
/// one.
#[cold]
fn fields_of_failure(status: &Status) -> Fields {
    let is_apart =
        |name: &str| biz_status::is_part(name) || reply_fields::is_status(name) || name == exception::FIELD;
    let others = status.metadata().iter().filter(|(name, _)| !is_apart(name)).collect();
    let mut own;
    if BizStatus::of(status).is_some() {
        own = status.metadata().iter().filter(|(name, _)| biz_status::is_part(name)).collect::<Metadata>();
        own.insert(biz_status::MESSAGE, status.message());
    } else {
        let number = Some(brpc::number(status)).filter(|&number| brpc::is_refusal(number));
        own = reply_fields::of_failure(number.unwrap_or(brpc::EINTERNAL), status, None);
    }
    Fields { own, others }
}

/// Writes a reply. `closes`: the connection ends soon.
#[inline]
fn put(out: &mut Output, form: Form, caller: &Caller, reply: Reply, closes: bool) {
    let form = Form { strict: caller.strict, ..form };
    let infos = match form.ttheader {
        true => infos(caller, reply.kind, reply.fields.as_deref(), closes),
        false => Some(Vec::new()),
    };
    let name = [&[], &[], caller.name.as_bytes()];
    let written = infos.map(|infos| {
        message::write(out, form, (&infos, 0), (reply.kind, 0, caller.seqid), name, reply.body.len())
    });
    match written {
        Some(Ok(())) => out.share(&reply.body),
        Some(Err(_)) | None => put_too_long(out, form, caller, closes),
    }
}

#[cold]
fn put_too_long(out: &mut Output, form: Form, caller: &Caller, closes: bool) {
    let status = brpc::status(brpc::ERESPONSE, "the reply is longer than a frame can be");
    let body = thrift::encode(form.encoding, &ApplicationException::of(&status)).unwrap_or_default();
    let name = [&[], &[], caller.name.as_bytes()];
    let infos = match form.ttheader {
        true => infos(caller, EXCEPTION, None, closes).expect("two short infos"),
        false => Vec::new(),
    };
    if message::write(out, form, (&infos, 0), (EXCEPTION, 0, caller.seqid), name, body.len()).is_ok() {
        out.share(&body);
    }
}

/// Says that the connection ends, in the frame of no call in which Kitex's clients of many calls look for it.
#[cold]
fn put_end(out: &mut Output, form: Form) {
    let form = Form { framed: false, strict: true, ..form };
    let mut infos = Infos::default();
    infos.text([fields::CLOSES, ""], b"1");
    let infos = infos.written(ttheader::protocol(form.encoding)).expect("one short info");
    let empty = [0];
    if message::write(out, form, (&infos, 0), (REPLY, 0, 0), [b"", b"", b"none"], empty.len()).is_ok() {
        out.put(&empty);
    }
}

/// The infos of a reply; `None`: they are too long.
fn infos(caller: &Caller, kind: u8, fields: Option<&Fields>, closes: bool) -> Option<Vec<u8>> {
    let mut infos = Infos::default();
    infos.number(fields::KIND, kind.to_string().as_bytes());
    if let Some(Fields { own, others }) = fields {
        own.iter().for_each(|(name, value)| infos.text([name, ""], value));
        others.iter().for_each(|(name, value)| fields::add(Way::Reply, &mut infos, name, value));
    }
    if closes {
        infos.text([fields::CLOSES, ""], b"1");
    }
    infos.written(caller.protocol)
}

impl Machine for Server {
    #[inline]
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        match self.next(cx)? {
            Next::Open(route) => {
                let body: IoBuf = cx.input.cut(self.current.body);
                self.arrived.took(body.len());
                self.state = State::Head;
                let token = self.begin();
                let exchange = Exchange { token, slot: Exchange::UNTRACKED };
                let head = self.describe();
                Ok(Step::Event(Event::Open(Open {
                    exchange,
                    route,
                    head,
                    body,
                    finished: true,
                    streams: &[],
                })))
            }
            Next::Authenticate => {
                let claim = Claim { head: Some(self.describe()), ..Claim::new(super::PROTOCOL.name, None) };
                Ok(Step::Event(Event::Authenticate(claim)))
            }
            Next::Need(n) => Ok(Step::Need(n)),
            Next::Blocked => Ok(Step::Blocked),
            Next::Closed => Ok(Step::Closed),
        }
    }

    #[inline]
    fn finish(&mut self, cx: &mut Cx<'_>, exchange: Exchange, mut outcome: Outcome) {
        if exchange.token == NO_REPLY {
            self.oneways = self.oneways.saturating_sub(1);
            if brpc::number(&outcome.status) == brpc::ECLOSE {
                self.state = State::Closed;
            }
            return;
        }
        let owed = cx.out.len() + self.calls.held();
        backlog::replace_beyond(cx, &self.limits.patience, owed, &mut outcome);
        let reply = if !outcome.status.is_ok() {
            if brpc::number(&outcome.status) == brpc::ECLOSE {
                self.state = State::Closed;
                return;
            }
            self.failure(&outcome.into_status())
        } else if outcome.content != self.form.encoding.content() {
            self.failure(&Status::internal("the reply has another encoding than the request"))
        } else {
            outcome.join_fields();
            let fields = outcome.trailers.filter(|_| self.form.ttheader);
            let fields = fields.map(|others| Box::new(Fields { others: *others, ..Fields::default() }));
            Reply { kind: REPLY, body: outcome.body, fields }
        };
        self.answer(cx, exchange.token, reply);
    }

    /// A cancelled call is answered all the same: its caller waits, and so do the callers after it.
    fn reset(&mut self, cx: &mut Cx<'_>, exchange: Exchange, why: Status) {
        let status = if why.is_ok() { Status::cancelled("the call was given up") } else { why };
        self.finish(cx, exchange, status.into());
    }

    fn authenticated(&mut self, _cx: &mut Cx<'_>, verdict: Result<Validity, Status>) {
        if let State::Verdict = self.state {
            self.state = if verdict.is_ok() { State::Head } else { State::Closed };
        }
    }

    /// Only a peer that multiplexes over TTHeaders knows a message that announces the end, and a refusal
    /// would look like a failure of the handler. A draining server answers the requests of which a byte has
    /// arrived, then closes.
    fn goodbye(&mut self, cx: &mut Cx<'_>, phase: Goodbye) {
        match phase {
            Goodbye::Drain => {
                if self.multiplexes && !self.arrived.is_stopping() {
                    put_end(cx.out, self.form);
                }
                self.arrived.stop(cx.input, self.is_receiving());
            }
            Goodbye::Close => self.state = State::Closed,
        }
    }

    /// Whether a head was read, and is no longer in the input, whose struct is still arriving.
    fn is_receiving(&self) -> bool {
        matches!(self.state, State::Body(_) | State::Scan(..) | State::Skip(_) | State::SkipScan(_))
    }

    fn held(&self) -> usize {
        self.calls.held() + self.current.raw.capacity()
    }

    fn holds(&self) -> bool {
        self.calls.held() > 0
    }
}
