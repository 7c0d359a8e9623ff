//! Reads the peer's bytes, frame by frame.
//!
//! A frame is checked when its header has arrived: errors in the header are answered before the payload has
//! arrived. DATA then waits for its whole payload, whose length the windows limit, so that a body consists of
//! few segments. The payload is shared, not copied.
//!
//! Source: docs/wire/grpc.md section 1 (table of frames); RFC 9113 5.1, 5.4, 6

use super::{
    Code, Fault, GoawayState, H2, MAX_31, Move, News, PREFACE, Stage, State,
    frame::{self, HEADER_BYTES, Header, Kind, settings},
    streams::Answer,
};
use crate::http::framing::{Broken, Framing, Http};
use polywire_wire::{Cx, Role};

/// A smaller increment of a window counts as a control frame.
const SMALL_INCREMENT: u32 = 256;

impl H2 {
    /// Reads on until there is something to report.
    #[inline]
    pub(super) fn step(&mut self, cx: &mut Cx<'_>) -> Result<Http, Fault> {
        if self.stage == Stage::Preface && !self.preface(cx)? {
            return Ok(self.need(cx, PREFACE.len() - cx.input.len()));
        }
        loop {
            if self.skip > 0 && !self.skip(cx) {
                return Ok(self.need(cx, self.skip));
            }
            let Some(bytes) = cx.input.peek(HEADER_BYTES) else {
                return Ok(self.need(cx, HEADER_BYTES - cx.input.len()));
            };
            let header = Header::parse(bytes.try_into().expect("nine bytes"));
            self.pings.on_frame(cx.now);
            match self.frame(cx, &header) {
                Ok(Some(http)) => return Ok(http),
                Ok(None) => {}
                Err(Fault::Stream(id, code, text)) => {
                    self.pass_over(cx, &header)?;
                    self.stream_fault(cx, id, code, text)?;
                }
                Err(fault) => return Err(fault),
            }
            if !self.news.is_empty() || self.shutdown.is_over() {
                return Ok(Http::Again);
            }
        }
    }

    /// Reads the preface (RFC 9113 3.4); false if it is incomplete.
    fn preface(&mut self, cx: &mut Cx<'_>) -> Result<bool, Fault> {
        let n = cx.input.len().min(PREFACE.len());
        if cx.input.peek(n) != Some(&PREFACE[..n]) {
            return Err(Fault::protocol("not the preface of HTTP/2"));
        }
        if n == PREFACE.len() {
            cx.input.advance(n);
            self.stage = Stage::Frames;
        }
        Ok(self.stage == Stage::Frames)
    }

    /// Skips unwanted bytes; returns whether all of them were skipped.
    fn skip(&mut self, cx: &mut Cx<'_>) -> bool {
        let n = self.skip.min(cx.input.len());
        cx.input.advance(n);
        self.skip -= n;
        self.skip == 0
    }

    /// Drops a frame whose header is at the front.
    fn pass_over(&mut self, cx: &mut Cx<'_>, header: &Header) -> Result<(), Fault> {
        cx.input.advance(HEADER_BYTES);
        self.skip = header.length;
        if header.kind == Kind::DATA {
            self.receive(cx, header.length);
        }
        Ok(())
    }

    #[inline]
    fn frame(&mut self, cx: &mut Cx<'_>, header: &Header) -> Result<Option<Http>, Fault> {
        if !self.settings.peer.has_sent_settings() {
            self.first(header)?;
        }
        if header.length > self.settings.local.frame() as usize {
            return Err(Fault::frame_size("frame longer than SETTINGS_MAX_FRAME_SIZE"));
        }
        if let Some(block) = &self.block {
            frame::continuation::check(header, block.stream)?;
            return self.continuation(cx, header);
        }
        match header.kind {
            Kind::DATA => self.data_frame(cx, header),
            Kind::HEADERS => self.headers(cx, header),
            Kind::CONTINUATION => Err(Fault::protocol("CONTINUATION without a header block")),
            Kind::PUSH_PROMISE => frame::push_promise::parse().map(|()| None),
            Kind::WINDOW_UPDATE
            | Kind::PRIORITY
            | Kind::RST_STREAM
            | Kind::SETTINGS
            | Kind::PING
            | Kind::GOAWAY => self.control(cx, header),
            // 4.1: "MUST ignore and discard frames of unknown types"
            Kind(_) => {
                self.guard.control(cx.now)?;
                self.pass_over(cx, header).map(|()| None)
            }
        }
    }

    /// 3.4: the first frame is SETTINGS.
    #[cold]
    fn first(&mut self, header: &Header) -> Result<(), Fault> {
        if header.kind != Kind::SETTINGS || header.has(frame::flag::ACK) {
            return Err(Fault::protocol("the first frame is not SETTINGS"));
        }
        Ok(())
    }

    #[inline]
    fn data_frame(&mut self, cx: &mut Cx<'_>, header: &Header) -> Result<Option<Http>, Fault> {
        frame::data::check(header)?;
        let Header { length, stream: id, .. } = *header;
        if length as i64 > self.windows.inward.open() {
            return Err(Fault::Connection(Code::FLOW_CONTROL_ERROR, "more than the connection's window"));
        }
        let Some(slot) = self.streams.find(id) else { return self.data_without_stream(cx, header) };
        let end = header.has(frame::flag::END_STREAM);
        self.check_data(slot, header)?;
        if cx.input.len() < HEADER_BYTES + length {
            return Ok(Some(self.need(cx, HEADER_BYTES + length - cx.input.len())));
        }
        let padded = header.has(frame::flag::PADDED);
        let first =
            if padded { cx.input.peek(HEADER_BYTES + 1).map(|bytes| bytes[HEADER_BYTES]) } else { None };
        let (bytes, padding) = frame::data::shape(header, first)?;
        let stream = self.streams.at(slot);
        if let Some(left) = &mut stream.inbound.expected {
            // 8.1.1: the sum of DATA "is not equal" to content-length: malformed
            let rest = left.checked_sub(bytes as u64).filter(|rest| !end || *rest == 0);
            *left = rest.ok_or(Fault::Stream(id, Code::PROTOCOL_ERROR, "body and content-length differ"))?;
        }
        stream.inbound.window.receive(length);
        let wanted = !stream.is_released();
        let unwanted = if wanted { length - bytes } else { length };
        // Who has a reply already needs no room for more.
        let has_reply = !wanted && stream.state == State::HalfClosedLocal;
        if unwanted > 0 && !end && !has_reply {
            self.grant(slot, unwanted);
        }
        if bytes == 0 && !end {
            self.guard.control(cx.now)?;
        } else {
            self.guard.progress();
        }
        cx.input.advance(HEADER_BYTES + usize::from(padded));
        self.skip = padding;
        self.receive(cx, length);
        if end {
            self.advance(slot, Move::RecvEnd);
        }
        if wanted {
            return Ok(Some(Http::Data { slot, bytes, end }));
        }
        self.skip += bytes;
        if end {
            self.free_if_over(cx, slot);
        }
        Ok(None)
    }

    /// Checks the header of DATA on an open stream.
    #[inline]
    fn check_data(&self, slot: u32, header: &Header) -> Result<(), Fault> {
        let stream = self.streams.get(slot);
        let fault = |code, text| Err(Fault::Stream(header.stream, code, text));
        if !stream.state.can_recv() {
            return fault(Code::STREAM_CLOSED, "DATA after the end of its stream");
        }
        if self.role == Role::Client && stream.answer != Answer::Begun {
            return fault(Code::PROTOCOL_ERROR, "DATA before the head of the reply");
        }
        // 6.9.2: before our SETTINGS arrived, windows had their initial size.
        let slack = if self.settings.local.is_known() {
            0
        } else {
            settings::DEFAULT_WINDOW.saturating_sub(self.limits.window)
        };
        let open = stream.inbound.window.open();
        if header.length as i64 > open + i64::from(slack) {
            return fault(Code::FLOW_CONTROL_ERROR, "more than the stream's window");
        }
        Ok(())
    }

    /// Handles DATA on a stream that is not open.
    #[cold]
    fn data_without_stream(&mut self, cx: &mut Cx<'_>, header: &Header) -> Result<Option<Http>, Fault> {
        if self.is_idle(header.stream) {
            return Err(Fault::protocol("DATA on an idle stream"));
        }
        if !self.was_reset(header.stream) {
            // 5.1: "MUST treat that as a stream error". It is no mistake that counts: grpc-java sends the
            // request of a call that is cancelled at once behind its RST_STREAM.
            frame::rst_stream::write(cx.out.tail(), header.stream, Code::STREAM_CLOSED);
            self.remember_reset(header.stream);
            self.guard.control(cx.now)?;
            self.guard.answer(cx.out)?;
        } else if header.length == 0 {
            self.guard.control(cx.now)?; // what has bytes is bounded by the window
        }
        self.pass_over(cx, header).map(|()| None)
    }

    /// Handles frames of fixed or small size, which are read whole.
    #[inline]
    fn control(&mut self, cx: &mut Cx<'_>, header: &Header) -> Result<Option<Http>, Fault> {
        let Header { length, kind, stream: id, .. } = *header;
        if length > settings::DEFAULT_FRAME as usize {
            return Err(Fault::frame_size("long control frame"));
        }
        let whole = HEADER_BYTES + length;
        let Some(bytes) = cx.input.peek(whole) else {
            return Ok(Some(self.need(cx, whole - cx.input.len())));
        };
        let payload = &bytes[HEADER_BYTES..];
        match kind {
            Kind::WINDOW_UPDATE => {
                let increment = frame::window_update::parse(header, payload)?;
                self.window_update(cx, id, increment)?;
            }
            Kind::RST_STREAM => {
                let code = frame::rst_stream::parse(header, payload)?;
                self.rst_stream(cx, id, code)?;
            }
            Kind::SETTINGS => {
                let settings = frame::settings::parse(header, payload)?;
                self.settings(cx, header.has(frame::flag::ACK), &settings)?;
            }
            Kind::PING => {
                let payload = frame::ping::parse(header, payload)?;
                self.ping(cx, header.has(frame::flag::ACK), payload)?;
            }
            Kind::GOAWAY => {
                let goaway = frame::goaway::parse(header, payload)?;
                self.goaway(goaway);
            }
            _ => {
                frame::priority::parse(header, payload)?;
                self.guard.control(cx.now)?;
            }
        }
        cx.input.advance(whole);
        Ok(None)
    }

    fn window_update(&mut self, cx: &mut Cx<'_>, id: u32, increment: u32) -> Result<(), Fault> {
        const WINDOW_OVERFLOW: &str = "window above 2^31 - 1";
        if increment < SMALL_INCREMENT {
            self.guard.control(cx.now)?;
        }
        if id == 0 {
            self.windows.outward += i64::from(increment);
            if self.windows.outward > i64::from(MAX_31) {
                return Err(Fault::Connection(Code::FLOW_CONTROL_ERROR, WINDOW_OVERFLOW));
            }
        } else if let Some(slot) = self.streams.find(id) {
            let stream = self.streams.at(slot);
            let open = stream.outbound.window + i64::from(increment);
            if open > i64::from(MAX_31) {
                return Err(Fault::Stream(id, Code::FLOW_CONTROL_ERROR, WINDOW_OVERFLOW));
            }
            stream.outbound.window = open;
            self.make_ready(slot);
        } else if self.is_idle(id) {
            return Err(Fault::protocol("WINDOW_UPDATE on an idle stream"));
        }
        self.pump(cx);
        // A short frame that this WINDOW_UPDATE lets go is as good as any other, or small windows would end
        // connections. One that lets many go, since SETTINGS have opened windows by a few bytes, costs for
        // each.
        let crumbs = std::mem::take(&mut self.sending.crumbs);
        if crumbs > 0 {
            self.guard.sent();
        }
        self.pay(cx, crumbs.saturating_sub(1))
    }

    /// Counts `crumbs` short frames that the peer's small windows have caused.
    pub(super) fn pay(&mut self, cx: &mut Cx<'_>, crumbs: u32) -> Result<(), Fault> {
        for _ in 0..crumbs {
            self.guard.control(cx.now)?;
        }
        Ok(())
    }

    fn rst_stream(&mut self, cx: &mut Cx<'_>, id: u32, code: Code) -> Result<(), Fault> {
        let Some(slot) = self.streams.find(id) else {
            if let Some(at) = self.reset.iter().rposition(|&reset| reset == id) {
                self.reset.swap_remove_back(at);
                return Ok(()); // both sides have reset it, once each
            }
            self.guard.control(cx.now)?;
            let idle = self.is_idle(id);
            return if idle { Err(Fault::protocol("RST_STREAM on an idle stream")) } else { Ok(()) };
        };
        let stream = self.streams.get(slot);
        let (stalled, whole) = (stream.outbound.is_stalled, !stream.state.can_recv());
        if self.role == Role::Server && stream.answer != Answer::Begun {
            self.guard.reset(cx.now);
        }
        self.lose(slot);
        if self.role == Role::Client && whole {
            // The reply is complete; only the rest of the request is not needed (RFC 9113 8.1).
            if stalled {
                self.news.push_back(News::Writable(self.streams.listed(slot)));
            }
            self.free_if_over(cx, slot);
            return Ok(());
        }
        let why = if code == Code::REFUSED_STREAM { Broken::Refused } else { Broken::Code(code.0) };
        self.report_broken(cx, slot, why);
        Ok(())
    }

    /// Reports to semantics that the peer ended the stream early, unless their exchange has ended.
    pub(super) fn report_broken(&mut self, cx: &mut Cx<'_>, slot: u32, why: Broken) {
        let stream = self.streams.at(slot);
        if !stream.break_off(why) {
            return self.free_if_over(cx, slot);
        }
        self.news.push_back(News::Broken(self.streams.listed(slot)));
    }

    /// 5.4.2: resets the stream; the connection stays open.
    #[cold]
    pub(super) fn stream_fault(
        &mut self,
        cx: &mut Cx<'_>,
        id: u32,
        code: Code,
        text: &'static str,
    ) -> Result<(), Fault> {
        match self.streams.find(id) {
            Some(slot) => self.break_stream(cx, slot, code, text),
            None => {
                frame::rst_stream::write(cx.out.tail(), id, code);
                self.remember_reset(id);
                self.count_mistake(cx)
            }
        }
    }

    /// Resets an open stream because of a mistake of the peer.
    pub(super) fn break_stream(
        &mut self,
        cx: &mut Cx<'_>,
        slot: u32,
        code: Code,
        text: &'static str,
    ) -> Result<(), Fault> {
        let id = self.streams.get(slot).id;
        frame::rst_stream::write(cx.out.tail(), id, code);
        self.remember_reset(id);
        self.lose(slot);
        self.report_broken(cx, slot, Broken::Rules(text));
        self.count_mistake(cx)
    }

    pub(super) fn count_mistake(&mut self, cx: &mut Cx<'_>) -> Result<(), Fault> {
        self.guard.mistake(cx.now)?;
        self.guard.answer(cx.out)
    }

    /// Whether no stream of this id has been opened yet.
    pub(super) fn is_idle(&self, id: u32) -> bool {
        id > self.last || id.is_multiple_of(2)
    }

    /// Whether this side reset the stream, so that frames which were already on their way are not the peer's
    /// fault. All streams that a client no longer has were closed by the client.
    pub(super) fn was_reset(&self, id: u32) -> bool {
        self.role == Role::Client || self.is_after_goaway(id) || self.reset.contains(&id)
    }

    /// Whether the server's GOAWAY excludes this stream.
    fn is_after_goaway(&self, id: u32) -> bool {
        matches!(self.shutdown.local, GoawayState::Sent(last) if id > last)
    }

    /// Asks for more bytes, if the peer can still send them.
    pub(super) fn need(&mut self, _: &mut Cx<'_>, n: usize) -> Http {
        if self.shutdown.eof { self.cut_off() } else { Http::Need(n) }
    }

    /// The peer has closed its sending side: incomplete messages are lost. Complete requests are still
    /// answered.
    #[cold]
    fn cut_off(&mut self) -> Http {
        for slot in self.streams.slots() {
            let stream = self.streams.at(slot);
            if stream.state.can_recv() && !stream.is_released() {
                let unanswered = self.role == Role::Client && stream.answer != Answer::Begun;
                stream.break_off(if unanswered { Broken::NoReply } else { Broken::Cut });
                self.news.push_back(News::Broken(self.streams.listed(slot)));
                self.lose(slot);
            } else if stream.is_released() && stream.state == State::HalfClosedLocal {
                self.lose(slot);
                self.free(slot);
            }
        }
        if !self.news.is_empty() {
            return Http::Again;
        }
        if self.role == Role::Server && self.streams.live() > 0 {
            return Http::Blocked;
        }
        self.shutdown.close();
        Http::Again
    }
}
