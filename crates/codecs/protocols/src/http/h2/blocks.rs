//! Header blocks: the stream of each, and its handling.
//!
//! Every block is decoded, even if its fields are not used, because the tables of both sides must stay equal
//! (docs/wire/grpc.md, "Header rules").
//!
//! Source: docs/wire/grpc.md section 1; RFC 9113 4.3, 5.1, 6.2, 6.10, 8.1
//! Limits: a head longer than `Limits::head` is decoded and costs its own call. A block of several frames may
//!         be four times that long; then the connection ends, because the table would have to be kept in step
//!         without end (CVE-2024-27316 and similar). [`FRAMES`] bounds the frames of a block. While the heads
//!         of all open streams take half of `Limits::streams` times `Limits::head`, further requests are
//!         refused with REFUSED_STREAM.

use super::{
    Code, Fault, GoawayState, H2, Move,
    frame::{self, HEADER_BYTES, Header, flag, settings},
    head::{Bad, MOST, Trailers},
    streams::{Answer, Phase},
};
use crate::http::framing::{Broken, Framing, Http};
use polywire_wire::{Cx, Denied, Flood, Role};
use std::time::Instant;

/// Most frames of one header block.
const FRAMES: u32 = 32;

/// A header block whose end has not come.
pub(super) struct Block {
    pub stream: u32,
    end: bool,
    /// An error of the stream, which is answered after the block.
    fault: Option<Fault>,
    bytes: Vec<u8>,
    frames: u32,
}

impl Block {
    pub fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// The stream that a block belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// Server: a new request.
    New,
    /// Client: the reply of this slot.
    Reply(u32),
    Trailers(u32),
    /// Server: a request above the limit of streams.
    Refused,
    /// No stream: the block is decoded for the table only.
    TableOnly,
}

/// The contents of a block.
enum Decoded {
    Request(u32),
    Reply(u32),
    Trailers(u32),
    /// Client: a 1xx reply; the final reply is still to come.
    Interim,
    Bad(u32, Bad),
    Refused,
    Nothing,
}

impl H2 {
    #[inline]
    pub(super) fn headers(&mut self, cx: &mut Cx<'_>, header: &Header) -> Result<Option<Http>, Fault> {
        let whole = HEADER_BYTES + header.length;
        let Some(bytes) = cx.input.peek(whole) else {
            return Ok(Some(self.need(cx, whole - cx.input.len())));
        };
        let (fragment, fault) = frame::headers::parse(header, &bytes[HEADER_BYTES..])?;
        let (id, end) = (header.stream, header.has(flag::END_STREAM));
        if !header.has(flag::END_HEADERS) {
            let bytes = fragment.to_vec();
            self.block = Some(Box::new(Block { stream: id, end, fault, bytes, frames: 1 }));
            cx.input.advance(whole);
            return Ok(None);
        }
        let decoded = self.decode(cx.now, id, end, fragment)?;
        cx.input.advance(whole);
        self.decoded(cx, id, end, decoded, fault)
    }

    #[cold]
    pub(super) fn continuation(&mut self, cx: &mut Cx<'_>, header: &Header) -> Result<Option<Http>, Fault> {
        let block = self.block.as_mut().expect("looked at by the caller");
        block.frames += 1;
        let (frames, length) = (block.frames, block.bytes.len() + header.length);
        if frames > FRAMES {
            return Err(Fault::Flood(Flood::Heads, "header block in too many frames"));
        }
        if length > 4 * self.limits.head.clamp(settings::DEFAULT_FRAME, MOST) as usize {
            return Err(Fault::Flood(Flood::Heads, "header block too long"));
        }
        let whole = HEADER_BYTES + header.length;
        let Some(bytes) = cx.input.peek(whole) else {
            self.block.as_mut().expect("there is one").frames -= 1; // comes again
            return Ok(Some(self.need(cx, whole - cx.input.len())));
        };
        let block = self.block.as_mut().expect("there is one");
        block.bytes.extend_from_slice(&bytes[HEADER_BYTES..]);
        cx.input.advance(whole);
        if !header.has(flag::END_HEADERS) {
            return Ok(None);
        }
        let Some(block) = self.block.take() else { return Ok(None) };
        let decoded = self.decode(cx.now, block.stream, block.end, &block.bytes)?;
        self.decoded(cx, block.stream, block.end, decoded, block.fault)
    }

    #[inline]
    fn target_of(&mut self, now: Instant, id: u32) -> Result<Target, Fault> {
        if let Some(slot) = self.streams.find(id) {
            let stream = self.streams.get(slot);
            if stream.is_released() || !stream.state.can_recv() {
                return if stream.state.can_recv() { Ok(Target::Trailers(slot)) } else { self.closed(id) };
            }
            let reply = self.role == Role::Client && stream.answer != Answer::Begun;
            return Ok(if reply { Target::Reply(slot) } else { Target::Trailers(slot) });
        }
        if self.role == Role::Client {
            return if self.is_idle(id) {
                Err(Fault::protocol("reply on an idle stream"))
            } else {
                Ok(Target::TableOnly)
            };
        }
        if id.is_multiple_of(2) {
            return Err(Fault::protocol("a client's stream has an even id"));
        }
        if id <= self.last {
            return self.closed(id);
        }
        self.last = id;
        if let GoawayState::Sent(_) = self.shutdown.local {
            return Ok(Target::TableOnly); // 6.8: above the last stream of GOAWAY
        }
        if self.streams.live() >= self.limits.streams.max(1)
            || self.has_long_heads()
            || self.is_crowded()
            || self.guard.refuses(now)
        {
            return Ok(Target::Refused);
        }
        Ok(Target::New)
    }

    /// Whether the heads of open streams take half of their possible total: a few bytes of HPACK may stand
    /// for a long field, so that limits on received bytes do not limit them.
    #[inline]
    fn has_long_heads(&self) -> bool {
        let all = (self.limits.streams as usize).saturating_mul(self.limits.head.min(MOST) as usize);
        self.streams.heads() >= all / 2
    }

    /// 5.1: HEADERS on a closed stream, or after its end.
    #[cold]
    fn closed(&self, id: u32) -> Result<Target, Fault> {
        if self.was_reset(id) {
            return Ok(Target::TableOnly);
        }
        Err(Fault::Connection(Code::STREAM_CLOSED, "HEADERS on a closed stream"))
    }

    /// Decodes a block into the stream that it belongs to, or for the table alone.
    #[inline]
    fn decode(&mut self, now: Instant, id: u32, end: bool, block: &[u8]) -> Result<Decoded, Fault> {
        let compression =
            |error: super::hpack::Error| Fault::Connection(Code::COMPRESSION_ERROR, error.text());
        let most = self.limits.head;
        let (slot, from) = match self.target_of(now, id)? {
            Target::New => (self.begin(id, Phase::Unreported), Role::Client),
            Target::Reply(slot) => (slot, Role::Server),
            Target::Trailers(slot) => {
                let mut trailers = Trailers::new(&mut self.streams.at(slot).trailers, most);
                let visit = |name: &[u8], value: &[u8], field| trailers.field(name, value, field);
                self.decoder.decode(block, visit).map_err(compression)?;
                let result =
                    if end { trailers.finish() } else { Err(Bad::Malformed("HEADERS inside a body")) };
                return Ok(result.map_or_else(|bad| Decoded::Bad(slot, bad), |()| Decoded::Trailers(slot)));
            }
            other => {
                self.decoder.decode(block, |_, _, _| {}).map_err(compression)?;
                return Ok(if other == Target::Refused { Decoded::Refused } else { Decoded::Nothing });
            }
        };
        let stream = self.streams.at(slot);
        let reading = self.read_blocks.read(&mut self.decoder, block, &mut stream.head, most);
        let finished = reading.map_err(compression)?.finish(from);
        self.streams.note_head(slot);
        if let Err(bad) = finished {
            return Ok(Decoded::Bad(slot, bad));
        }
        if from == Role::Client {
            return Ok(Decoded::Request(slot));
        }
        Ok(match self.streams.get(slot).head.status {
            // 8.6: "HTTP/2 removes support for the 101"; an interim reply does not end the stream
            101 => Decoded::Bad(slot, Bad::Malformed("101 in HTTP/2")),
            100..=199 if end => Decoded::Bad(slot, Bad::Malformed("the stream ends with an interim reply")),
            100..=199 => Decoded::Interim,
            _ => Decoded::Reply(slot),
        })
    }

    /// Handles a decoded block; `fault`: an error in its frame.
    #[inline]
    fn decoded(
        &mut self,
        cx: &mut Cx<'_>,
        id: u32,
        end: bool,
        decoded: Decoded,
        fault: Option<Fault>,
    ) -> Result<Option<Http>, Fault> {
        if let Some(Fault::Stream(_, code, text)) = fault {
            return self.refuse_stream(cx, id, decoded, code, text);
        }
        match decoded {
            Decoded::Request(_) | Decoded::Reply(_) | Decoded::Trailers(_) => self.guard.progress(),
            Decoded::Nothing => self.guard.control(cx.now)?,
            Decoded::Interim | Decoded::Bad(..) | Decoded::Refused => {}
        }
        match decoded {
            Decoded::Request(slot) => self.message(cx, slot, id, end),
            Decoded::Reply(slot) => {
                let stream = self.streams.at(slot);
                let before = std::mem::replace(&mut stream.answer, Answer::Begun);
                if before == Answer::DueBodiless || matches!(stream.head.status, 204 | 304) {
                    stream.head.length = Some(0); // RFC 9110 6.4.1: no body, whatever the fields say
                }
                self.message(cx, slot, id, end)
            }
            Decoded::Trailers(slot) => {
                let stream = self.streams.get(slot);
                if stream.inbound.expected.is_some_and(|left| left > 0) {
                    return self.body_differs(cx, id);
                }
                let wanted = !stream.is_released();
                self.advance(slot, Move::RecvEnd);
                if wanted {
                    return Ok(Some(Http::Data { slot, bytes: 0, end: true }));
                }
                self.free_if_over(cx, slot);
                Ok(None)
            }
            Decoded::Interim => self.guard.control(cx.now).map(|()| None),
            Decoded::Bad(slot, bad) => self.bad_head(cx, slot, id, end, bad),
            Decoded::Refused => {
                if self.is_crowded() || self.has_long_heads() || self.guard.refuses(cx.now) {
                    cx.host.denied(Denied::Request);
                }
                frame::rst_stream::write(cx.out.tail(), id, Code::REFUSED_STREAM);
                self.remember_reset(id);
                self.guard.refused(cx.now)?;
                self.guard.answer(cx.out).map(|()| None)
            }
            Decoded::Nothing => Ok(None),
        }
    }

    /// Reports a head to semantics.
    #[inline]
    fn message(&mut self, cx: &mut Cx<'_>, slot: u32, id: u32, end: bool) -> Result<Option<Http>, Fault> {
        let stream = self.streams.at(slot);
        if end && stream.head.length.is_some_and(|n| n > 0) {
            return self.body_differs(cx, id);
        }
        stream.report();
        if end {
            stream.head.length = Some(0);
            self.advance(slot, Move::RecvEnd);
        } else {
            stream.inbound.expected = stream.head.length;
        }
        Ok(Some(Http::Head { slot, id: id.into(), end }))
    }

    #[cold]
    fn body_differs(&mut self, cx: &mut Cx<'_>, id: u32) -> Result<Option<Http>, Fault> {
        if let Some(slot) = self.streams.find(id) {
            self.streams.at(slot).refuse();
        }
        self.stream_fault(cx, id, Code::PROTOCOL_ERROR, "body and content-length differ").map(|()| None)
    }

    #[cold]
    fn refuse_stream(
        &mut self,
        cx: &mut Cx<'_>,
        id: u32,
        decoded: Decoded,
        code: Code,
        text: &'static str,
    ) -> Result<Option<Http>, Fault> {
        if let Decoded::Request(slot) | Decoded::Bad(slot, _) = decoded {
            self.streams.at(slot).refuse();
        }
        self.stream_fault(cx, id, code, text).map(|()| None)
    }

    #[cold]
    fn bad_head(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        id: u32,
        end: bool,
        bad: Bad,
    ) -> Result<Option<Http>, Fault> {
        let stream = self.streams.at(slot);
        match bad {
            Bad::Malformed(text) => {
                stream.refuse();
                self.break_stream(cx, slot, Code::PROTOCOL_ERROR, text)?;
            }
            Bad::TooLarge if stream.phase == Phase::Unreported => {
                stream.report();
                if end {
                    self.advance(slot, Move::RecvEnd);
                }
                self.guard.answer(cx.out)?;
                return Ok(Some(Http::TooLarge { slot, id: id.into(), end }));
            }
            Bad::TooLarge => {
                self.break_off(cx, slot, Code::ENHANCE_YOUR_CALM);
                self.report_broken(cx, slot, Broken::TooLarge);
                // A client has opened the stream, so its own calls bound how often that happens.
                if self.role == Role::Server {
                    self.count_mistake(cx)?;
                }
            }
        }
        Ok(None)
    }
}
