//! The begin and end of streams, on the wire and for semantics.
//!
//! A stream ends twice: on the wire, when both halves are over, and for semantics, when their exchange ends.
//! Its slot is free when both have happened, in either order.
//!
//! Source: RFC 9113 5.1, 5.4.2, 8.1; rule 1 of the contract

use super::{
    Code, H2, Move, State, Window, frame,
    streams::{Phase, Tail},
};
use polywire_base::IoBuf;
use polywire_wire::{Cx, Role};

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
            let code = self.closing_code(stream.state);
            return self.break_off(cx, slot, code);
        }
        if stream.state == State::Closed {
            self.free(slot);
        }
    }

    /// The error code that ends a stream in this state after semantics have ended their exchange. RFC 9113
    /// 8.1: "a server MAY request that the client abort transmission [...] with an error code of NO_ERROR
    /// after sending a complete response".
    pub(super) fn closing_code(&self, state: State) -> Code {
        let replied = self.role == Role::Server && state == State::HalfClosedLocal;
        if replied { Code::NO_ERROR } else { Code::CANCEL }
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
