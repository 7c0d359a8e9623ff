//! Reads the peer's bytes, step by step.
//!
//! Invariants: after a fault or a last message nothing of the input is read as a message again.
//! Limits:     `Limits::window` bounds the bytes of a body that were delivered and not granted; a head takes
//!             at most [`HEAD_TIME`].
//! Not here:   how a line, a size or a coding is parsed (`parse.rs`, `body.rs`).

use super::{
    End, H1, HEAD_TIME, LONG_CHUNK, MAX_BLANK_LINES,
    body::{self, Reading},
    encode::{self, BodyLength, Connection},
    error::Fault,
    parse::{Framed, MAX_HEAD, Scan},
    target,
};
use crate::http::{
    content::PLAIN_TEXT,
    framing::{Broken, Http, Known, Reply},
};
use bytes::BytesMut;
use polywire_wire::{Cx, Date, Limits, Role, WireError};
use std::time::Instant;

impl H1 {
    /// One step of reading. Hot: twice per request.
    #[inline]
    pub(super) fn step(&mut self, cx: &mut Cx<'_>) -> Result<Http, Fault> {
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
            Reading::Off | Reading::Held => Ok(Http::Blocked),
        }
    }

    pub(super) fn read_head(&mut self, cx: &mut Cx<'_>) -> Result<Http, Fault> {
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
        self.make_slot(slot);
        if !self.scan_head(cx, slot)? {
            return Ok(self.rest_inside_head(cx));
        }
        self.begun = None;
        match self.role {
            Role::Server => {
                if self.max_age.is_some() {
                    self.look_at_age(cx.now);
                }
                self.request(slot)
            }
            Role::Client => self.reply(),
        }
    }

    /// Whether too many requests wait for replies, or too many bytes for the peer.
    fn is_full(&self, cx: &Cx<'_>) -> bool {
        let last_is_old = self.live > 0 && {
            let last = (self.first + self.live - 1) % self.capacity();
            // An answer in HTTP/1.0 may end with the connection, so nothing is read ahead of it.
            self.slots[last as usize].minor == 0
        };
        self.live == self.capacity() || last_is_old || cx.out.room() == 0
    }

    /// Continues to read the head; returns whether it is complete.
    #[inline]
    fn scan_head(&mut self, cx: &mut Cx<'_>, slot: u32) -> Result<bool, Fault> {
        let head = &mut self.slots[slot as usize].head;
        if !self.scan.has_begun() {
            head.clear();
            // RFC 9112 2.2: "SHOULD ignore at least one empty line (CRLF) received prior to the
            // request-line".
            while self.blank < MAX_BLANK_LINES
                && self.role == Role::Server
                && cx.input.front().first() == Some(&b'\r')
            {
                match cx.input.peek(2) {
                    None => return Ok(false),
                    Some(b"\r\n") => cx.input.advance(2),
                    Some(_) => return Err(Fault::Control),
                }
                self.blank += 1;
            }
            if let Some((scan, n)) = self.head_cache.read(cx.input.front(), head) {
                self.scan = scan;
                cx.input.advance(n);
                return Ok(true);
            }
        }
        loop {
            let front = cx.input.front();
            let whole = front.len() == cx.input.len();
            let (n, done) = self.scan.head(self.role, front, head)?;
            cx.input.advance(n);
            if done {
                if self.count > 0 {
                    self.head_cache.keep(head, self.scan);
                }
                return Ok(true);
            }
            if whole {
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

    /// Makes the request that comes now the last one of an old connection.
    #[cold]
    fn look_at_age(&mut self, now: Instant) {
        let Some(age) = self.max_age else { return };
        self.draining |= now >= *self.old_from.get_or_insert_with(|| now + age);
    }

    /// Handles a complete head of a request.
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
            Framed::Unwritten => (Some(0), Reading::Length(0)),
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
        let this = &mut self.slots[slot as usize];
        this.head.upgrade = end && self.scan.asks_for_websocket() && this.head.verb() == "GET";
        if end {
            self.message_complete();
        }
        Ok(Http::Head { slot, id, end })
    }

    /// Handles a complete head of a reply.
    fn reply(&mut self) -> Result<Http, Fault> {
        let this = &mut self.slots[0];
        let status = this.head.status;
        let framed = self.scan.framed(Role::Client)?;
        if status == 101 && !this.upgrades {
            return Err(Fault::Upgraded);
        }
        if status < 200 && status != 101 {
            self.scan = Scan::default(); // "Skip 1xx": the reply is still to come
            return Ok(Http::Again);
        }
        let (length, reading) = match framed {
            _ if status == 101 => (None, Reading::UntilClose),
            // RFC 9112 6.3: these "cannot contain a message body, regardless of the fields present".
            _ if this.bodiless || matches!(status, 204 | 304) => (Some(0), Reading::Length(0)),
            Framed::Unwritten => (None, Reading::UntilClose),
            Framed::Length(n) => (Some(n), Reading::Length(n)),
            Framed::Chunked => (None, Reading::Size),
        };
        self.count += 1;
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

    /// Handles the end of a message.
    #[inline]
    pub(super) fn message_complete(&mut self) {
        self.scan = Scan::default();
        self.extensions = 0;
        self.skips = false;
        self.blank = 0;
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
        let gathers = self.slots[slot as usize].gathers && !self.skips;
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

    /// Body bytes from the front of the input: at most `left`, and no more than the window allows unless they
    /// are unwanted.
    #[inline]
    fn take(&mut self, cx: &mut Cx<'_>, left: u64, whole: bool) -> Taken {
        let bytes = (cx.input.len() as u64).min(left) as usize;
        if bytes == 0 {
            return Taken { bytes, http: self.need(cx, 1) };
        }
        if self.skips {
            cx.input.advance(bytes);
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
                let told = size > LONG_CHUNK && !self.skips;
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
        let (slot, wanted) = (self.current, !self.skips);
        if self.role == Role::Server {
            self.trailers.clear(); // those of a request are not read
            self.trailers.shrink();
        }
        self.message_complete();
        Ok(if wanted { Http::Data { slot, bytes: 0, end: true } } else { Http::Again })
    }

    /// More bytes of a body, if the peer can still send them.
    pub(super) fn need(&mut self, cx: &mut Cx<'_>, n: usize) -> Http {
        if self.eof { self.broken_off(cx) } else { Http::Need(n) }
    }

    /// The peer shut its side inside a message, or before the reply.
    #[cold]
    pub(super) fn broken_off(&mut self, cx: &mut Cx<'_>) -> Http {
        let (unwanted, in_body) = (self.skips, self.reading.is_in_body());
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

    /// Handles a fault of the peer: answers it if a request still waits for a reply, and reads nothing more.
    #[cold]
    pub(super) fn fault(&mut self, cx: &mut Cx<'_>, fault: Fault) -> Http {
        let (in_body, unwanted) = (self.reading.is_in_body(), self.skips);
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
            self.make_slot(slot);
            self.live += 1;
            self.slot(slot).sending.clear();
        }
        let farewell = error_reply(fault, cx.host.date(cx.now));
        let this = self.slot(slot);
        this.closes = true;
        this.sending.give_up(&farewell);
        self.advance(cx);
        if !in_body {
            return Http::Again;
        }
        Http::Reset { slot, why: Broken::Rules(fault.text()) }
    }

    /// Marks that no further message will be read.
    pub(super) fn end(&mut self, end: End) {
        self.end.get_or_insert(end);
        self.reading = Reading::Off;
        self.begun = None;
    }

    /// All replies are in `out`. Further bytes of the peer are discarded. The engine reads some of them,
    /// because otherwise the peer's kernel would discard the reply that the peer has not read yet (RFC 9112
    /// 9.6).
    #[cold]
    pub(super) fn ending(&mut self, cx: &mut Cx<'_>, end: End) -> Result<Http, WireError> {
        cx.input.advance(cx.input.len());
        match end {
            End::Closed => Ok(Http::Closed),
            End::Fault(fault) => Err(fault.wire()),
        }
    }
}

/// The number of body bytes that were handled, and the event to report.
struct Taken {
    bytes: usize,
    http: Http,
}

/// Bytes that may still be given up before some are granted.
pub(super) fn window(limits: &Limits, ungranted: i64) -> usize {
    usize::try_from(i64::from(limits.window) - ungranted).unwrap_or(0)
}

fn error_reply(fault: Fault, date: Option<Date>) -> BytesMut {
    let (mut bytes, text) = (BytesMut::new(), fault.text().as_bytes());
    let head = Reply {
        status: fault.status(),
        content_type: Some(PLAIN_TEXT),
        encoding: None,
        error: 0,
        allow: None,
        own: &[],
        fields: None,
        length: None,
        at_once: true,
    };
    encode::reply(&mut bytes, &head, 1, BodyLength::Length(text.len() as u64), Connection::Close, date);
    bytes.extend_from_slice(text);
    bytes
}
