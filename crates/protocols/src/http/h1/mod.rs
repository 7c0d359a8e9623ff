//! HTTP/1.0 and HTTP/1.1 as a framing under HTTP semantics.
//!
//! ```text
//!           first           first + live
//!   slots: | answered next | … | read last | free …        a ring of at most `Limits::exchanges`
//!              ^ in turn: speaks to `out`      ^ the head being read
//! ```
//!
//! Source:     docs/wire/http.md sections 4 to 6; RFC 9112
//! Invariants: replies leave in the order of their requests, however they were finished; after a fault or a last
//!             request no byte of input is read as a message again.
//! Limits:     requests read and not answered `Limits::exchanges`; heads see `scan.rs`; bytes of a body given up and
//!             not ungranted `Limits::window`; an unwanted body up to [`SKIP`] is skipped for the sake of the
//!             connection; a head takes at most [`HEAD_TIME`].
//! Errors:     see [`Fault`](error::Fault).
//! Not here:   which request is answered how (`semantics`), when an idle connection ends (engine).
//!
//! A client has one request outstanding: slot 0.

mod body;
mod error;
mod scan;
mod sending;
mod target;
mod write;

use super::{
    content::PLAIN_TEXT,
    framing::{Broken, Framing, HeadBlock, Http, Known, Reply, Request},
};
use body::Reading;
use bytes::BytesMut;
use error::Fault;
use polywire_base::IoBuf;
use polywire_wire::{Cx, Goodbye, Limits, Refusal, Role, Setup, WireError};
pub(crate) use scan::MAX_START_LINE;
use scan::{Framed, MAX_HEAD, Scan};
use sending::Sending;
use std::time::{Duration, Instant};
use write::{Connection, Preamble, Said};

/// From the first byte of a head to its last; then 408.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(10);
/// Bytes of an unwanted body that are skipped to keep the connection.
pub(crate) const SKIP: usize = 64 << 10;
/// Longer chunks are announced to semantics before their bytes are read.
const LONG_CHUNK: u64 = 64 << 10;

/// One connection.
pub(crate) struct H1 {
    role: Role,
    limits: Limits,
    /// Client: what every request says.
    preamble: Preamble,
    /// Grows up to `Limits::exchanges`.
    slots: Vec<Slot>,
    /// Index of the request whose reply is in turn.
    first: u32,
    /// Requests read and not yet answered to their end.
    live: u32,
    /// Requests read so far.
    count: u64,
    reading: Reading,
    /// The slot whose body is being read.
    current: u32,
    scan: Scan,
    /// Bytes of chunk extensions of this message.
    extensions: usize,
    /// Fields behind the body of the last message.
    trailers: HeadBlock,
    /// The one empty line that may stand before a request has come.
    blank: bool,
    /// The rest of this body is unwanted; so many bytes may be skipped.
    skip: Option<usize>,
    /// When the head being read began.
    begun: Option<Instant>,
    /// No further message is read; what `poll` says once all that is owed is in `out`.
    end: Option<End>,
    draining: bool,
    eof: bool,
    /// Slots whose senders may go on.
    writable: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Closed,
    Fault(Fault),
}

#[derive(Default)]
struct Slot {
    head: HeadBlock,
    id: u64,
    minor: u8,
    keep_alive: bool,
    /// `100 Continue` has been sent, or is owed once this slot is in turn.
    proceeds: bool,
    /// The connection ends behind this reply.
    closes: bool,
    /// Client: the reply has no body, whatever its head says.
    bodiless: bool,
    /// The body is wanted in one piece.
    gathers: bool,
    /// Bytes given up to semantics and not granted; below 0 while a whole message is let in (rule 5).
    ungranted: i64,
    sending: Sending,
}

impl H1 {
    pub fn new(role: Role, setup: &Setup<'_>) -> Self {
        let printable = |bytes: &[u8]| bytes.iter().all(|&b| super::fields::is_value_byte(b));
        let authority = if printable(setup.authority.as_bytes()) { setup.authority } else { "" };
        let credential = if printable(setup.credential) { setup.credential } else { b"" };
        H1 {
            role,
            limits: setup.limits,
            preamble: match role {
                Role::Client => Preamble::new(authority, credential),
                Role::Server => Preamble::default(),
            },
            slots: Vec::new(),
            first: 0,
            live: 0,
            count: 0,
            reading: Reading::Head,
            current: 0,
            scan: Scan::default(),
            extensions: 0,
            trailers: HeadBlock::default(),
            blank: false,
            skip: None,
            begun: None,
            end: None,
            draining: false,
            eof: false,
            writable: Vec::new(),
        }
    }

    fn capacity(&self) -> u32 {
        self.limits.exchanges.max(1)
    }

    /// Slot of the request that is read next, or being read.
    fn next(&self) -> u32 {
        (self.first + self.live) % self.capacity()
    }

    fn in_turn(&self, slot: u32) -> bool {
        self.role == Role::Client || self.live > 0 && self.first == slot
    }

    fn is_last(&self, slot: u32) -> bool {
        self.live > 0 && (self.first + self.live - 1) % self.capacity() == slot
    }

    fn reads_body_of(&self, slot: u32) -> bool {
        self.reading.is_in_body() && self.current == slot && self.skip.is_none()
    }

    fn slot(&mut self, slot: u32) -> &mut Slot {
        &mut self.slots[slot as usize]
    }

    /// One step of reading. Hot: twice per request.
    #[inline]
    fn step(&mut self, cx: &mut Cx<'_>) -> Result<Http, Fault> {
        match self.reading {
            Reading::Head => self.read_head(cx),
            Reading::Length(left) => Ok(self.read_length(cx, left)),
            Reading::Chunk(left) => Ok(self.read_chunk(cx, left)),
            Reading::UntilClose => Ok(self.read_until_close(cx)),
            Reading::Size => self.read_size(cx),
            Reading::After => match body::line_end(cx.input)? {
                true => {
                    self.reading = Reading::Size;
                    Ok(Http::Again)
                }
                false => Ok(self.need(cx, 1)),
            },
            Reading::Trailers => self.read_trailers(cx),
            Reading::Off => Ok(Http::Blocked),
        }
    }

    fn read_head(&mut self, cx: &mut Cx<'_>) -> Result<Http, Fault> {
        if cx.input.is_empty() && !self.scan.has_begun() {
            return Ok(self.rest_between_messages(cx));
        }
        if self.begun.is_some_and(|begun| cx.now.saturating_duration_since(begun) >= HEAD_TIME) {
            return Err(Fault::Slow);
        }
        match self.role {
            Role::Server if self.is_full(cx) => return Ok(Http::Blocked),
            Role::Client if self.live == 0 => return Err(Fault::Unasked),
            _ => {}
        }
        let slot = if self.role == Role::Server { self.next() } else { 0 };
        if self.slots.len() <= slot as usize {
            self.slots.push(Slot::default());
        }
        if !self.scan_head(cx, slot)? {
            return Ok(self.rest_inside_head(cx));
        }
        self.begun = None;
        match self.role {
            Role::Server => self.request(slot),
            Role::Client => self.reply(),
        }
    }

    /// Too many requests wait for replies, or too many bytes for the peer.
    fn is_full(&self, cx: &Cx<'_>) -> bool {
        let last_is_old = self.live > 0 && {
            let last = (self.first + self.live - 1) % self.capacity();
            // An answer in 1.0 may need the end of the connection for its own end: nothing is read ahead.
            self.slots[last as usize].minor == 0
        };
        self.live == self.capacity() || last_is_old || cx.out.room() == 0
    }

    /// Reads on in the head; true: it is complete.
    #[inline]
    fn scan_head(&mut self, cx: &mut Cx<'_>, slot: u32) -> Result<bool, Fault> {
        let head = &mut self.slots[slot as usize].head;
        if !self.scan.has_begun() {
            head.clear();
            // RFC 9112 2.2: "SHOULD ignore at least one empty line (CRLF) received prior to the request-line".
            if !self.blank && self.role == Role::Server && cx.input.front().first() == Some(&b'\r') {
                match cx.input.peek(2) {
                    None => return Ok(false),
                    Some(b"\r\n") => cx.input.advance(2),
                    Some(_) => return Err(Fault::Control),
                }
                self.blank = true;
            }
        }
        loop {
            let (n, done) = self.scan.head(self.role, cx.input.front(), head)?;
            cx.input.advance(n);
            if done {
                return Ok(true);
            }
            if cx.input.front().len() == cx.input.len() {
                return Ok(false);
            }
            let rest = cx.input.len().min(MAX_HEAD + 1);
            cx.input.peek(rest); // a line lies across segments: in one piece it can be read
        }
    }

    fn rest_between_messages(&mut self, cx: &mut Cx<'_>) -> Http {
        if self.role == Role::Client && self.live > 0 {
            return self.need(cx, 1);
        }
        if self.eof || self.draining {
            self.end(End::Closed);
            return Http::Again;
        }
        Http::Need(1)
    }

    #[cold]
    fn rest_inside_head(&mut self, cx: &mut Cx<'_>) -> Http {
        if self.role == Role::Server {
            self.begun.get_or_insert(cx.now);
        }
        self.need(cx, 1)
    }

    /// A request's head is complete.
    #[inline]
    fn request(&mut self, slot: u32) -> Result<Http, Fault> {
        let framed = self.scan.framed(Role::Server)?;
        let minor = self.scan.minor;
        self.count += 1;
        let id = self.count;
        let this = &mut self.slots[slot as usize];
        if !this.head.target.of(&this.head.raw).starts_with(b"/") {
            target::unusual(&mut this.head)?;
        }
        (this.id, this.minor, this.keep_alive) = (id, minor, self.scan.keeps_alive());
        (this.proceeds, this.closes, this.gathers, this.ungranted) = (false, false, false, 0);
        this.sending.clear();
        if minor == 0 {
            this.head.forget(Known::Expect); // "Ignore from 1.0"
        }
        let (length, reading) = match framed {
            Framed::Unsaid => (Some(0), Reading::Length(0)),
            Framed::Length(n) => (Some(n), Reading::Length(n)),
            Framed::Chunked => (None, Reading::Size),
        };
        this.head.length = length;
        if !this.keep_alive || self.draining {
            self.end.get_or_insert(End::Closed);
        }
        self.live += 1;
        self.current = slot;
        self.reading = reading;
        let end = length == Some(0);
        if end {
            self.message_complete();
        }
        Ok(Http::Head { slot, id, end })
    }

    /// A reply's head is complete.
    fn reply(&mut self) -> Result<Http, Fault> {
        let this = &mut self.slots[0];
        let status = this.head.status;
        let framed = self.scan.framed(Role::Client)?;
        if status == 101 {
            return Err(Fault::Upgraded);
        }
        if status < 200 {
            self.scan = Scan::default(); // "Skip 1xx": the reply is still to come
            return Ok(Http::Again);
        }
        let (length, reading) = match framed {
            // RFC 9112 6.3: these "cannot contain a message body, regardless of the fields present".
            _ if this.bodiless || matches!(status, 204 | 304) => (Some(0), Reading::Length(0)),
            Framed::Unsaid => (None, Reading::UntilClose),
            Framed::Length(n) => (Some(n), Reading::Length(n)),
            Framed::Chunked => (None, Reading::Size),
        };
        this.head.length = length;
        (this.gathers, this.ungranted) = (false, 0);
        this.keep_alive = self.scan.keeps_alive() && reading != Reading::UntilClose;
        self.trailers.clear();
        self.reading = reading;
        let end = length == Some(0);
        if end {
            self.message_complete();
        }
        Ok(Http::Head { slot: 0, id: 0, end })
    }

    /// The last byte of a message has been read.
    #[inline]
    fn message_complete(&mut self) {
        self.scan = Scan::default();
        self.extensions = 0;
        self.skip = None;
        self.blank = false;
        if self.role == Role::Client {
            self.live = 0;
            let this = &self.slots[0];
            if !this.keep_alive || !this.sending.done || self.draining {
                self.end.get_or_insert(End::Closed);
            }
        }
        self.reading = if self.end.is_some() { Reading::Off } else { Reading::Head };
    }

    #[inline]
    fn read_length(&mut self, cx: &mut Cx<'_>, left: u64) -> Http {
        let slot = self.current;
        let have = cx.input.len();
        let gathers = self.slots[slot as usize].gathers && self.skip.is_none();
        if gathers && (have as u64) < left {
            return self.need(cx, (left - have as u64) as usize);
        }
        let Taken { bytes, http } = self.take(cx, left, gathers);
        let left = left - bytes as u64;
        if self.reading == Reading::Off || bytes == 0 {
            return http;
        }
        self.reading = Reading::Length(left);
        let end = left == 0;
        if end {
            self.message_complete();
        }
        match http {
            Http::Data { .. } => Http::Data { slot, bytes, end },
            other => other,
        }
    }

    fn read_chunk(&mut self, cx: &mut Cx<'_>, left: u64) -> Http {
        let Taken { bytes, http } = self.take(cx, left, false);
        let left = left - bytes as u64;
        if self.reading != Reading::Off {
            self.reading = if left == 0 { Reading::After } else { Reading::Chunk(left) };
        }
        http
    }

    fn read_until_close(&mut self, cx: &mut Cx<'_>) -> Http {
        if cx.input.is_empty() && self.eof {
            self.message_complete();
            return Http::Data { slot: self.current, bytes: 0, end: true };
        }
        self.take(cx, u64::MAX, false).http
    }

    /// Body bytes from the front of the input: at most `left`, and no more than the window or the patience for unwanted
    /// ones allows.
    #[inline]
    fn take(&mut self, cx: &mut Cx<'_>, left: u64, whole: bool) -> Taken {
        let bytes = (cx.input.len() as u64).min(left) as usize;
        if bytes == 0 {
            return Taken { bytes, http: self.need(cx, 1) };
        }
        if let Some(patience) = self.skip {
            cx.input.advance(bytes);
            self.skip = Some(patience.saturating_sub(bytes));
            if bytes > patience {
                self.end(End::Closed);
            }
            return Taken { bytes, http: Http::Again };
        }
        let this = &mut self.slots[self.current as usize];
        let bytes = if whole { bytes } else { bytes.min(window(&self.limits, this.ungranted)) };
        if bytes == 0 {
            return Taken { bytes, http: Http::Blocked };
        }
        this.ungranted += bytes as i64;
        Taken { bytes, http: Http::Data { slot: self.current, bytes, end: false } }
    }

    fn read_size(&mut self, cx: &mut Cx<'_>) -> Result<Http, Fault> {
        match body::size_line(cx.input, &mut self.extensions)? {
            None => Ok(self.need(cx, 1)),
            Some(0) => {
                self.scan = Scan::default();
                self.trailers.clear();
                self.reading = Reading::Trailers;
                Ok(Http::Again)
            }
            Some(size) => {
                self.reading = Reading::Chunk(size);
                let told = size > LONG_CHUNK && self.skip.is_none();
                Ok(if told { Http::Coming { slot: self.current, bytes: size } } else { Http::Again })
            }
        }
    }

    fn read_trailers(&mut self, cx: &mut Cx<'_>) -> Result<Http, Fault> {
        loop {
            let (n, done) = self.scan.trailers(cx.input.front(), &mut self.trailers)?;
            cx.input.advance(n);
            if done {
                break;
            }
            if cx.input.front().len() == cx.input.len() {
                return Ok(self.need(cx, 1));
            }
            let rest = cx.input.len().min(MAX_HEAD + 1);
            cx.input.peek(rest);
        }
        let (slot, wanted) = (self.current, self.skip.is_none());
        self.message_complete();
        Ok(if wanted { Http::Data { slot, bytes: 0, end: true } } else { Http::Again })
    }

    /// More bytes of a body, if the peer can still send them.
    fn need(&mut self, cx: &mut Cx<'_>, n: usize) -> Http {
        if self.eof { self.broken_off(cx) } else { Http::Need(n) }
    }

    /// The peer shut its side inside a message, or before the reply.
    #[cold]
    fn broken_off(&mut self, cx: &mut Cx<'_>) -> Http {
        let (unwanted, in_body) = (self.skip.is_some(), self.reading.is_in_body());
        let has_call = match self.role {
            Role::Server => in_body && !unwanted,
            Role::Client => self.live > 0,
        };
        self.end(End::Closed);
        if !has_call {
            return Http::Again;
        }
        let slot = self.current;
        let answered = in_body || self.scan.has_begun();
        match self.role {
            Role::Server => {
                self.slot(slot).sending.give_up(b"");
                self.advance(cx);
            }
            Role::Client => self.live = 0,
        }
        Http::Reset { slot, why: if answered { Broken::Cut } else { Broken::NoReply } }
    }

    /// The peer broke the rules: say so where a reply is still owed, read nothing more.
    #[cold]
    fn fault(&mut self, cx: &mut Cx<'_>, fault: Fault) -> Http {
        let (in_body, unwanted) = (self.reading.is_in_body(), self.skip.is_some());
        self.end = Some(End::Fault(fault));
        self.reading = Reading::Off;
        self.begun = None;
        if self.role == Role::Client {
            let called = std::mem::take(&mut self.live) > 0;
            let reset = Http::Reset { slot: 0, why: Broken::Rules(fault.text()) };
            return if called { reset } else { Http::Again };
        }
        if unwanted {
            return Http::Again;
        }
        let slot = if in_body { self.current } else { self.next() };
        if !in_body {
            if self.slots.len() <= slot as usize {
                self.slots.push(Slot::default());
            }
            self.live += 1;
            self.slot(slot).sending.clear();
        }
        let farewell = farewell(fault);
        let this = self.slot(slot);
        this.closes = true;
        this.sending.give_up(&farewell);
        self.advance(cx);
        if !in_body {
            return Http::Again;
        }
        Http::Reset { slot, why: Broken::Rules(fault.text()) }
    }

    /// No further message will be read.
    fn end(&mut self, end: End) {
        self.end.get_or_insert(end);
        self.reading = Reading::Off;
        self.begun = None;
    }

    /// All that is owed is in `out`. What the peer still sends is for nobody; the engine swallows some of it, lest the
    /// peer's kernel drop the reply it has not read yet (RFC 9112 9.6).
    #[cold]
    fn ending(&mut self, cx: &mut Cx<'_>, end: End) -> Result<Http, WireError> {
        cx.input.advance(cx.input.len());
        match end {
            End::Closed => Ok(Http::Closed),
            End::Fault(fault) => Err(fault.wire()),
        }
    }

    /// Server: says what is in turn, and retires what has been said.
    #[inline]
    fn advance(&mut self, cx: &mut Cx<'_>) {
        while self.live > 0 {
            let slot = self.first;
            let this = &mut self.slots[slot as usize];
            if !this.sending.done {
                this.sending.pump(cx.out);
                if !this.sending.done {
                    self.wake_sender(slot);
                    break;
                }
            }
            let closes = this.closes;
            self.first = (self.first + 1) % self.capacity();
            self.live -= 1;
            if closes {
                self.live = 0;
                self.end(End::Closed);
            } else if self.live > 0 && self.slots[self.first as usize].proceeds {
                self.say_continue(cx, self.first);
            }
        }
        if self.live == 0 && !self.scan.has_begun() {
            self.first = 0; // so that a connection without pipelining lives in one slot
        }
    }

    /// `100 Continue`, unless the body is coming anyway.
    fn say_continue(&mut self, cx: &mut Cx<'_>, slot: u32) {
        if self.reads_body_of(slot) && cx.input.is_empty() && !self.slots[slot as usize].sending.has_begun() {
            cx.out.put(b"HTTP/1.1 100 Continue\r\n\r\n");
        }
    }

    fn wake_sender(&mut self, slot: u32) {
        let enough = self.limits.backlog as usize / 2;
        let sending = &mut self.slots[slot as usize].sending;
        if sending.stalled && sending.queued() <= enough {
            sending.stalled = false;
            self.writable.push(slot);
        }
    }

    /// The reply is all said although the body is not all read. True: the rest is skipped and the connection lives.
    fn skips_rest(&mut self, slot: u32) -> bool {
        let this = &self.slots[slot as usize];
        // Whoever waits for `100 Continue` and gets a final status may send the body or not: nobody can tell.
        let waits = this.head.known(Known::Expect).is_some() && !this.proceeds;
        let small = !matches!(self.reading, Reading::Length(left) if left > SKIP as u64);
        let skips = small && !waits && self.end.is_none();
        if skips {
            self.skip = Some(SKIP);
        }
        skips
    }
}

/// So many bytes of a body are dealt with, and this is to be reported.
struct Taken {
    bytes: usize,
    http: Http,
}

/// Bytes that may still be given up before some are granted.
fn window(limits: &Limits, ungranted: i64) -> usize {
    usize::try_from(i64::from(limits.window) - ungranted).unwrap_or(0)
}

fn farewell(fault: Fault) -> BytesMut {
    let (mut bytes, text) = (BytesMut::new(), fault.text().as_bytes());
    let head = Reply {
        status: fault.status(),
        content_type: Some(PLAIN_TEXT),
        encoding: None,
        error: 0,
        allow: None,
        fields: None,
        length: None,
    };
    write::reply(&mut bytes, &head, 1, Said::Length(text.len() as u64), Connection::Close);
    bytes.extend_from_slice(text);
    bytes
}

impl Framing for H1 {
    #[inline]
    fn poll(&mut self, cx: &mut Cx<'_>) -> Result<Http, WireError> {
        if let Some(slot) = self.writable.pop() {
            let queued = self.slots[slot as usize].sending.queued();
            return Ok(Http::Writable { slot, room: (self.limits.backlog as usize).saturating_sub(queued) });
        }
        if let Some(end) = self.end
            && self.live == 0
        {
            return self.ending(cx, end);
        }
        match self.step(cx) {
            Ok(http) => Ok(http),
            Err(fault) => Ok(self.fault(cx, fault)),
        }
    }

    fn head(&self, slot: u32) -> &HeadBlock {
        &self.slots[slot as usize].head
    }

    fn trailers(&self, _: u32, visit: &mut dyn FnMut(&str, &[u8])) {
        scan::visit_lines(&self.trailers.raw, visit);
    }

    fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
        target::visit(raw, visit);
    }

    #[inline]
    fn open(&mut self, cx: &mut Cx<'_>, request: &Request<'_>, end: bool) -> Result<u32, Refusal> {
        if self.end.is_some() || self.draining || self.eof {
            return Err(Refusal::Draining);
        }
        if self.live > 0 {
            return Err(Refusal::Full);
        }
        if self.slots.is_empty() {
            self.slots.push(Slot::default());
        }
        self.live = 1;
        let this = &mut self.slots[0];
        this.bodiless = request.verb == "HEAD";
        this.sending.clear();
        let said = match request.length {
            Some(n) => Said::Length(n),
            None if end => Said::Nothing,
            None => Said::Chunked,
        };
        write::request(this.sending.begin(cx.out, true, said, end), request, &self.preamble, said);
        Ok(0)
    }

    fn proceed(&mut self, cx: &mut Cx<'_>, slot: u32) {
        self.slot(slot).proceeds = true;
        if self.in_turn(slot) {
            self.say_continue(cx, slot);
        }
    }

    #[inline]
    fn respond(&mut self, cx: &mut Cx<'_>, slot: u32, reply: &Reply<'_>, end: bool) {
        let in_turn = self.in_turn(slot);
        let minor = self.slots[slot as usize].minor;
        let said = match reply.length {
            Some(n) => Said::Length(n),
            None if end || minor == 0 => Said::Nothing,
            None => Said::Chunked,
        };
        let until_close = said == Said::Nothing && !end;
        let whole = end || reply.length.is_some();
        let mut closes = !self.slots[slot as usize].keep_alive || until_close;
        closes |= self.end.is_some() && self.is_last(slot);
        if whole && self.reads_body_of(slot) && (closes || !self.skips_rest(slot)) {
            closes = true;
            self.end(End::Closed);
        }
        let connection = match (closes, minor) {
            (true, _) => Connection::Close,
            (false, 1) => Connection::Unsaid,
            (false, _) => Connection::KeepAlive,
        };
        if closes && !self.reading.is_in_body() {
            self.end(End::Closed);
        }
        let this = &mut self.slots[slot as usize];
        this.closes = closes;
        write::reply(this.sending.begin(cx.out, in_turn, said, end), reply, minor, said, connection);
        if end && in_turn {
            self.advance(cx);
        }
    }

    #[inline]
    fn data(&mut self, cx: &mut Cx<'_>, slot: u32, bytes: &IoBuf, end: bool) -> usize {
        let in_turn = self.in_turn(slot);
        let this = &mut self.slots[slot as usize];
        this.sending.data(cx.out, in_turn, bytes, end);
        let (queued, closes) = (this.sending.queued(), this.closes);
        if self.role == Role::Server {
            // A streamed answer that ends before the upload does.
            if end && self.reads_body_of(slot) && (closes || !self.skips_rest(slot)) {
                self.slots[slot as usize].closes = true;
                self.end(End::Closed);
            }
            if end && in_turn {
                self.advance(cx);
            }
        }
        queued
    }

    fn reset(&mut self, cx: &mut Cx<'_>, slot: u32) {
        match self.role {
            Role::Client => {
                self.live = 0;
                self.end(End::Closed);
            }
            Role::Server => {
                let this = self.slot(slot);
                this.closes = true;
                this.sending.give_up(b"");
                if self.reads_body_of(slot) {
                    self.end(End::Closed);
                }
                self.advance(cx);
            }
        }
    }

    fn grant(&mut self, slot: u32, bytes: usize) {
        let this = self.slot(slot);
        // More than was given up opens nothing.
        this.ungranted = (this.ungranted - bytes as i64).max(this.ungranted.min(0));
    }

    fn ensure(&mut self, slot: u32, missing: usize) -> usize {
        let whole = matches!(self.reading, Reading::Length(left) if left <= missing as u64);
        let window = window(&self.limits, self.slots[slot as usize].ungranted);
        let borrowed = missing.saturating_sub(window);
        let gathers = whole && self.reads_body_of(slot);
        let this = self.slot(slot);
        this.gathers |= gathers;
        this.ungranted -= borrowed as i64;
        borrowed
    }

    fn stall(&mut self, slot: u32) {
        self.slot(slot).sending.stalled = true;
    }

    fn room(&mut self, cx: &mut Cx<'_>) {
        match self.role {
            Role::Server => self.advance(cx),
            Role::Client => {
                if let Some(this) = self.slots.first_mut()
                    && self.live > 0
                {
                    this.sending.pump(cx.out);
                    self.wake_sender(0);
                }
            }
        }
    }

    fn eof(&mut self) {
        self.eof = true;
    }

    fn deadline(&self) -> Option<Instant> {
        self.begun.map(|begun| begun + HEAD_TIME)
    }

    fn goodbye(&mut self, phase: Goodbye) {
        match phase {
            // A request whose first bytes are here is still taken; its reply says that it is the last.
            Goodbye::Drain => self.draining = true,
            Goodbye::Close => {
                self.live = 0;
                self.end(End::Closed);
            }
        }
    }

    fn close(&mut self) {
        self.end.get_or_insert(End::Closed);
        if self.reading == Reading::Head {
            self.reading = Reading::Off;
        }
    }

    fn vacancies(&self) -> u32 {
        let open = self.end.is_none() && !self.draining && !self.eof && self.live == 0;
        u32::from(self.role == Role::Client && open)
    }

    fn held(&self) -> usize {
        let slot = if self.role == Role::Server { self.next() } else { 0 };
        let partial = match self.reading {
            Reading::Head if self.scan.has_begun() => self.slots[slot as usize].head.raw.len(),
            _ => 0,
        };
        let queued = (0..self.live).map(|n| (self.first + n) % self.capacity());
        let queued: usize = queued.map(|slot| self.slots[slot as usize].sending.held()).sum();
        partial + queued + self.trailers.raw.len()
    }
}
