//! The connection itself: preface, SETTINGS, keepalive, GOAWAY.
//!
//! ```text
//!  server:  SETTINGS ─► … ─► GOAWAY(2^31-1), PING ─► answer, or 1 s ─► GOAWAY(last) ─► last stream ends ─► closed
//!  client:  preface, SETTINGS ─► … ─► GOAWAY received: streams above its last were not looked at, no new ones
//! ```
//!
//! Source: docs/wire/grpc.md section 1 (SETTINGS, GOAWAY), section 2 ("Keepalive"); RFC 9113 3.4, 6.5, 6.8

use super::{
    Code, End, Fault, GoawayState, H2, MAX_31, News, PREFACE, Stage, Timer,
    frame::{self, goaway::Goaway, ping::Payload, settings},
    head::MOST,
    pings,
    streams::{Inbound, Update},
    windows::CONNECTION_WINDOW,
};
use crate::http::framing::{Broken, Http};
use polywire_wire::{Cx, Role, WireError};
use std::time::Duration;

/// Time that a client has to receive the first GOAWAY, if it does not answer the PING after it.
const DRAIN_TIME: Duration = Duration::from_secs(1);

/// Number of slots that a connection keeps even if it has few streams.
const SPARE_SLOTS: usize = 8;
/// Time after which further slots that were not used are freed.
const SPARE_TIME: Duration = Duration::from_secs(5);

impl H2 {
    /// Writes the preface and SETTINGS.
    #[cold]
    pub(super) fn send_preface(&mut self, cx: &mut Cx<'_>) {
        let limits = &self.limits;
        let own = match self.role {
            Role::Client => (settings::ENABLE_PUSH, 0),
            Role::Server => (settings::MAX_CONCURRENT_STREAMS, limits.streams.max(1)),
        };
        let settings = [
            own,
            (settings::INITIAL_WINDOW_SIZE, limits.window.min(MAX_31)),
            (settings::MAX_FRAME_SIZE, self.settings.local.frame()),
            (settings::MAX_HEADER_LIST_SIZE, limits.head.min(MOST)),
            (settings::ENABLE_CONNECT_PROTOCOL, 1),
        ];
        let settings = &settings[..settings.len() - usize::from(!self.connects)];
        self.stage = match self.role {
            Role::Client => {
                cx.out.put(PREFACE);
                Stage::Frames
            }
            Role::Server => Stage::Preface,
        };
        self.announce(cx, settings);
        self.update_connection(cx);
        let keepalive = self.limits.keepalive;
        self.clock.set(Timer::Keepalive, keepalive.every.map(|every| cx.now + every));
        if self.role == Role::Server {
            self.clock.set(Timer::Age, keepalive.max_age.map(|age| cx.now + age));
            self.clock.set(Timer::Idle, keepalive.max_idle.map(|idle| cx.now + idle));
            self.idle = Some(cx.now);
        }
    }

    fn announce(&mut self, cx: &mut Cx<'_>, settings: &[(u16, u32)]) {
        frame::settings::write(cx.out.tail(), settings);
        self.settings.local.on_sent();
        self.guard.asked();
        let (limit, _) = self.limits.patience.times();
        self.clock.set(Timer::Settings, limit.map(|limit| cx.now + limit));
    }

    /// Announces longer frames, because a long message is expected.
    #[cold]
    fn lengthen(&mut self, cx: &mut Cx<'_>) {
        let frame = self.settings.local.lengthen();
        self.announce(cx, &[(settings::MAX_FRAME_SIZE, frame)]);
    }

    /// Writes queued frames of commands, and those that are due. Called before anything is read.
    #[inline]
    pub(super) fn settle(&mut self, cx: &mut Cx<'_>) -> Result<(), Fault> {
        if self.shutdown.is_over() {
            return Ok(());
        }
        if self.clock.soonest().is_some_and(|at| at <= cx.now) {
            self.tick(cx)?;
        }
        if self.settings.local.is_short() {
            self.lengthen(cx);
        }
        while let Some(listed) = self.windows.updating.pop() {
            if let Some(slot) = self.streams.slot_of(listed) {
                self.update_stream(cx, slot);
            }
        }
        while let Some(listed) = self.loose.pop() {
            if let Some(slot) = self.streams.slot_of(listed)
                && self.streams.get(slot).is_released()
            {
                self.part(cx, slot);
            }
        }
        if self.sending.starved {
            self.relieve();
        }
        if self.streams.slots_kept() > SPARE_SLOTS && !self.clock.is_set(Timer::Spare) {
            self.clock.set(Timer::Spare, Some(cx.now + SPARE_TIME));
        }
        if self.streams.live() == 0 {
            self.rest(cx);
        }
        Ok(())
    }

    /// Called when no stream is open any more.
    fn rest(&mut self, cx: &mut Cx<'_>) {
        if let (Role::Server, GoawayState::Sent(_)) = (self.role, self.shutdown.local) {
            self.shutdown.close();
        }
        if self.idle.is_none() && self.limits.keepalive.max_idle.is_some() {
            self.idle = Some(cx.now);
            let at = self.limits.keepalive.max_idle.map(|idle| cx.now + idle);
            self.clock.set(Timer::Idle, at);
        }
    }

    #[cold]
    fn tick(&mut self, cx: &mut Cx<'_>) -> Result<(), Fault> {
        while let Some(timer) = self.clock.ring(cx.now) {
            match timer {
                Timer::Settings => {
                    return Err(Fault::Silent(Code::SETTINGS_TIMEOUT, "SETTINGS not acknowledged"));
                }
                Timer::Pong => return Err(Fault::Silent(Code::NO_ERROR, "no answer to PING")),
                Timer::Keepalive => self.keep_alive(cx),
                Timer::Drain => self.send_final_goaway(cx),
                Timer::Stall => self.look_for_stalled(cx),
                Timer::Spare => {
                    let left = self.streams.shrink(SPARE_SLOTS) as u32;
                    self.windows.updating.shrink_to(SPARE_SLOTS);
                    self.sending.ready.shrink_to(SPARE_SLOTS);
                    self.lingering.shrink_to(SPARE_SLOTS);
                    self.news.push_front(News::Slots(left)); // before a command can open one of them anew
                }
                Timer::Linger => self.stop_lingering(cx),
                Timer::Age => {
                    self.drain(cx);
                    let grace = self.limits.keepalive.max_age_grace;
                    self.clock.set(Timer::Grace, grace.map(|grace| cx.now + grace));
                }
                Timer::Grace => self.close_now(cx),
                Timer::Idle => {
                    let max = self.limits.keepalive.max_idle.unwrap_or_default();
                    if self.idle.is_some_and(|since| cx.now >= since + max) {
                        self.drain(cx);
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks whether the peer has sent nothing for too long.
    fn keep_alive(&mut self, cx: &mut Cx<'_>) {
        let keepalive = self.limits.keepalive;
        let Some(every) = keepalive.every else { return };
        let due = self.pings.last_frame().map_or(cx.now, |heard| heard + every);
        if due > cx.now {
            return self.clock.set(Timer::Keepalive, Some(due));
        }
        self.clock.set(Timer::Keepalive, Some(cx.now + every));
        if keepalive.idle || self.streams.live() > 0 {
            self.ask(cx, pings::ALIVE);
            if !self.clock.is_set(Timer::Pong) {
                self.clock.set(Timer::Pong, Some(cx.now + keepalive.within));
            }
        }
    }

    /// Sends a PING.
    fn ask(&mut self, cx: &mut Cx<'_>, payload: Payload) {
        frame::ping::write(cx.out.tail(), false, payload);
        self.guard.asked();
    }

    /// Accounts for received DATA: the connection's window is reopened at once, before the bytes are taken.
    #[inline]
    pub(super) fn receive(&mut self, cx: &mut Cx<'_>, bytes: usize) {
        self.windows.inward.receive(bytes);
        self.windows.inward.grant(bytes);
        self.windows.bdp.receive(bytes);
        if self.windows.inward.is_half_due() {
            self.update_connection(cx);
            self.measure(cx);
        }
    }

    fn update_connection(&mut self, cx: &mut Cx<'_>) {
        let due = self.windows.inward.due();
        if due > 0 {
            frame::window_update::write(cx.out.tail(), 0, due);
            self.windows.inward.on_update_sent(due);
        }
    }

    fn measure(&mut self, cx: &mut Cx<'_>) {
        if self.windows.bdp.begin(cx.now) {
            self.ask(cx, pings::BDP);
        }
    }

    /// Notes that this stream's window may have to be reopened.
    pub(super) fn update(&mut self, slot: u32, update: Update) {
        let inbound = &mut self.streams.at(slot).inbound;
        let most = inbound.update.max(update);
        if std::mem::replace(&mut inbound.update, most) == Update::Unlisted {
            self.windows.updating.push(self.streams.listed(slot));
        }
    }

    fn update_stream(&mut self, cx: &mut Cx<'_>, slot: u32) {
        let room = self.limits.window_growth - self.windows.growth;
        let wanted = self.windows.bdp.product().saturating_sub(self.limits.window);
        let stream = self.streams.at(slot);
        let update = std::mem::take(&mut stream.inbound.update);
        if !stream.state.can_recv() {
            return;
        }
        let Inbound { window, growth: grown, .. } = &mut stream.inbound;
        let growth = wanted.saturating_sub(*grown).min(room);
        if growth > 0 {
            window.widen(growth);
            *grown += growth;
            self.windows.growth += growth;
        }
        let due = window.due();
        if due > 0 && (update == Update::Urgent || window.is_half_due()) {
            frame::window_update::write(cx.out.tail(), stream.id, due);
            window.on_update_sent(due);
            self.measure(cx);
        }
    }

    /// Handles the peer's SETTINGS, or its acknowledgement of ours.
    pub(super) fn settings(
        &mut self,
        cx: &mut Cx<'_>,
        ack: bool,
        settings: &[(u16, u32)],
    ) -> Result<(), Fault> {
        self.guard.control(cx.now)?;
        if ack {
            if self.settings.local.acknowledge() {
                self.clock.set(Timer::Settings, None);
            }
            return Ok(());
        }
        for &(id, value) in settings {
            self.guard.control(cx.now)?; // one that changes windows looks at every stream
            match id {
                settings::HEADER_TABLE_SIZE => self.encoder.limit(value as usize),
                settings::ENABLE_PUSH if self.role == Role::Client && value != 0 => {
                    return Err(Fault::protocol("a server turns push on"));
                }
                settings::MAX_CONCURRENT_STREAMS if self.role == Role::Client => {
                    self.settings.peer.streams = Some(value);
                    self.news.push_back(News::Limit(value));
                }
                settings::INITIAL_WINDOW_SIZE => self.initial_window(value)?,
                settings::MAX_FRAME_SIZE => self.settings.peer.frame = value,
                settings::MAX_HEADER_LIST_SIZE => self.settings.peer.head = value,
                settings::ENABLE_CONNECT_PROTOCOL => self.settings.peer.connects = value == 1,
                _ => {}
            }
        }
        if !self.settings.peer.has_sent_settings() {
            self.unlimited();
        }
        frame::settings::write_ack(cx.out.tail());
        self.pump(cx);
        let crumbs = std::mem::take(&mut self.sending.crumbs);
        self.pay(cx, crumbs)?;
        self.guard.answer(cx.out)
    }

    /// The first SETTINGS set no limit of streams, so streams are unlimited.
    fn unlimited(&mut self) {
        self.settings.peer.streams = Some(u32::MAX);
        if self.role == Role::Client {
            self.news.push_back(News::Limit(self.limits.streams));
        }
    }

    /// 6.9.2: "MUST adjust the size of all stream flow-control windows that it maintains by the difference".
    fn initial_window(&mut self, value: u32) -> Result<(), Fault> {
        let change = i64::from(value) - i64::from(self.settings.peer.window);
        self.settings.peer.window = value;
        for slot in self.streams.slots() {
            let stream = self.streams.at(slot);
            stream.outbound.window += change;
            if stream.outbound.window > i64::from(MAX_31) {
                return Err(Fault::Connection(Code::FLOW_CONTROL_ERROR, "SETTINGS open a window too far"));
            }
            self.make_ready(slot);
        }
        Ok(())
    }

    pub(super) fn ping(&mut self, cx: &mut Cx<'_>, ack: bool, payload: Payload) -> Result<(), Fault> {
        self.guard.control(cx.now)?;
        if ack {
            self.pong(cx, payload);
            return Ok(());
        }
        frame::ping::write(cx.out.tail(), true, payload);
        if self.role == Role::Server {
            self.pings.on_ping(cx.now, &self.limits.keepalive, self.streams.live() == 0)?;
        }
        self.guard.answer(cx.out)
    }

    fn pong(&mut self, cx: &mut Cx<'_>, payload: Payload) {
        match payload {
            pings::ALIVE => self.clock.set(Timer::Pong, None),
            pings::DRAIN => self.send_final_goaway(cx),
            pings::BDP if self.windows.bdp.end(cx.now) => {
                let wanted = self.windows.bdp.product().max(CONNECTION_WINDOW);
                self.windows.inward.widen(wanted.saturating_sub(self.windows.inward.limit()));
            }
            _ => {}
        }
    }

    /// Handles GOAWAY of the peer: a server has not processed streams above `last`.
    pub(super) fn goaway(&mut self, goaway: Goaway<'_>) {
        let last = goaway.last;
        self.shutdown.note_reason(goaway.code, goaway.debug);
        if goaway.is_about_pings() && self.role == Role::Client {
            self.news.push_back(News::Calm);
        }
        if !std::mem::replace(&mut self.shutdown.peer_leaves, true) && self.role == Role::Client {
            self.news.push_back(News::Draining);
        }
        if self.role == Role::Server {
            return;
        }
        for slot in self.streams.slots() {
            let stream = self.streams.at(slot);
            if stream.id > last && stream.state.can_recv() {
                if stream.break_off(Broken::Refused) {
                    self.news.push_back(News::Broken(self.streams.listed(slot)));
                }
                self.lose(slot);
            }
        }
    }

    /// Begins the shutdown: a server sends its first GOAWAY; a client opens nothing more.
    pub(super) fn drain(&mut self, cx: &mut Cx<'_>) {
        if self.shutdown.local != GoawayState::No || self.shutdown.is_over() {
            return;
        }
        if self.stage == Stage::New {
            self.send_preface(cx);
        }
        if self.role == Role::Client {
            self.shutdown.local = GoawayState::Sent(0);
            return;
        }
        frame::goaway::write(cx.out.tail(), MAX_31, Code::NO_ERROR, "");
        self.ask(cx, pings::DRAIN);
        self.clock.set(Timer::Drain, Some(cx.now + DRAIN_TIME));
        self.shutdown.local = GoawayState::Warned;
    }

    /// Writes the final GOAWAY: requests received until now are served.
    pub(super) fn send_final_goaway(&mut self, cx: &mut Cx<'_>) {
        if self.shutdown.local == GoawayState::Warned {
            frame::goaway::write(cx.out.tail(), self.last, Code::NO_ERROR, "");
            self.clock.set(Timer::Drain, None);
            self.shutdown.local = GoawayState::Sent(self.last);
        }
    }

    /// Ends the connection at once, as the engine asks for.
    pub(super) fn close_now(&mut self, cx: &mut Cx<'_>) {
        if !self.shutdown.is_over() && self.stage != Stage::New {
            frame::goaway::write(cx.out.tail(), self.last_of_peer(), Code::NO_ERROR, "");
        }
        self.shutdown.close();
    }

    /// The highest stream of the peer that was handled.
    fn last_of_peer(&self) -> u32 {
        match (self.role, self.shutdown.local) {
            (Role::Client, _) => 0, // servers open none
            (Role::Server, GoawayState::Sent(last)) => last,
            (Role::Server, _) => self.last,
        }
    }

    /// Handles a fault of the peer: sends the error, and reads nothing more.
    #[cold]
    pub(super) fn fault(&mut self, cx: &mut Cx<'_>, fault: Fault) -> Result<Http, WireError> {
        let (code, text) = fault.goaway();
        frame::goaway::write(cx.out.tail(), self.last_of_peer(), code, text);
        let end = End::Fault(fault);
        self.shutdown.end = Some(end);
        self.ending(cx, end)
    }

    /// Skips further bytes of the peer.
    #[cold]
    pub(super) fn ending(&mut self, cx: &mut Cx<'_>, end: End) -> Result<Http, WireError> {
        cx.input.advance(cx.input.len());
        match end {
            End::Closed => Ok(Http::Closed),
            End::Fault(fault) => Err(fault.wire()),
        }
    }
}
