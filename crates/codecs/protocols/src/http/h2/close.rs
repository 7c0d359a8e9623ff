//! The begin and end of streams, on the wire and for semantics.
//!
//! A stream ends twice: on the wire, when both halves are over, and for semantics, when their exchange ends.
//! Its slot is free when both have happened, in either order.
//!
//! Source: RFC 9113 5.1, 5.4.2, 8.1; rule 1 of the contract

use super::{
    Code, H2, Move, State, Timer, Window, frame,
    streams::{Phase, Tail},
};
use polywire_base::IoBuf;
use polywire_wire::{Cx, Role};
use std::time::Duration;

/// How long a request may go on behind its reply before its stream is reset: meanwhile the client reads the
/// reply, and most requests end by themselves.
pub(super) const LINGER: Duration = Duration::from_millis(100);

impl H2 {
    /// Opens a stream in a slot, with the windows that the SETTINGS give.
    pub(super) fn begin(&mut self, id: u32, phase: Phase) -> u32 {
        self.idle = None;
        let slot = self.streams.open(id, phase);
        let (inbound, outbound) = (self.limits.window, self.settings.peer.window);
        let stream = self.streams.at(slot);
        stream.inbound.window = Window::new(inbound);
        stream.outbound.window = outbound.into();
        slot
    }

    pub(super) fn free(&mut self, slot: u32) {
        self.windows.growth -= self.streams.get(slot).inbound.growth;
        self.streams.free(slot);
    }

    /// Changes the stream's state; the id of a closed stream is removed from the table.
    pub(super) fn advance(&mut self, slot: u32, step: Move) {
        let state = self.streams.get(slot).state.after(step).unwrap_or(State::Closed);
        if state == State::Closed {
            self.streams.close(slot);
        } else {
            self.streams.at(slot).state = state;
        }
    }

    /// Writes what is still due, and frees the stream when the wire and semantics both have ended it.
    #[inline]
    pub(super) fn free_if_over(&mut self, cx: &mut Cx<'_>, slot: u32) {
        let stream = self.streams.get(slot);
        if !stream.is_released() {
            return;
        }
        if stream.state == State::HalfClosedLocal {
            return self.part(cx, slot);
        }
        if stream.state == State::Closed {
            self.free(slot);
        }
    }

    /// Ends a stream that semantics have released while the peer's half is open, maybe later.
    ///
    /// RFC 9113 8.1: "a server MAY request that the client abort transmission [...] with an error code of
    /// NO_ERROR after sending a complete response". It has [`LINGER`] to end by itself, since clients such as
    /// curl take a reply for broken if they read RST_STREAM together with it while they send.
    pub(super) fn part(&mut self, cx: &mut Cx<'_>, slot: u32) {
        let replied = self.role == Role::Server && self.streams.get(slot).state == State::HalfClosedLocal;
        if !replied {
            return self.break_off(cx, slot, Code::CANCEL);
        }
        if self.lingering.len() > 2 * self.streams.live() as usize {
            let streams = &self.streams;
            self.lingering.retain(|(_, listed)| streams.slot_of(*listed).is_some());
        }
        self.lingering.push_back((cx.now + LINGER, self.streams.listed(slot)));
        if !self.clock.is_set(Timer::Linger) {
            self.clock.set(Timer::Linger, Some(cx.now + LINGER));
        }
    }

    /// Resets the streams whose requests have not ended in time.
    pub(super) fn stop_lingering(&mut self, cx: &mut Cx<'_>) {
        while let Some((at, listed)) = self.lingering.front().copied() {
            if at > cx.now {
                return self.clock.set(Timer::Linger, Some(at));
            }
            self.lingering.pop_front();
            if let Some(slot) = self.streams.slot_of(listed) {
                self.break_off(cx, slot, Code::NO_ERROR);
            }
        }
    }

    /// Ends a stream in both directions with RST_STREAM, if it has not ended.
    pub(super) fn break_off(&mut self, cx: &mut Cx<'_>, slot: u32, code: Code) {
        let stream = self.streams.get(slot);
        if stream.is_taken() && stream.state != State::Closed {
            let id = stream.id;
            frame::rst_stream::write(cx.out.tail(), id, code);
            self.remember_reset(id);
            self.lose(slot);
        }
        let stream = self.streams.get(slot);
        if stream.is_released() && stream.state == State::Closed {
            self.free(slot);
        }
    }

    /// Closes the stream and drops its queued bytes.
    pub(super) fn lose(&mut self, slot: u32) {
        self.advance(slot, Move::Reset);
        let stream = self.streams.at(slot);
        self.sending.queued -= stream.outbound.queue.len();
        stream.outbound.queue = IoBuf::new();
        stream.outbound.tail = Tail::End;
    }

    pub(super) fn remember_reset(&mut self, id: u32) {
        /// The number of ids that are remembered. Frames on older ids are answered like frames on closed
        /// streams.
        const RESETS: usize = 1024;
        if self.reset.len() == RESETS {
            self.reset.pop_front();
        }
        self.reset.push_back(id);
    }
}
