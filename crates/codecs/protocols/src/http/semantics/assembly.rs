//! Limits how many long messages a peer may send at once.
//!
//! ```text
//!  longer than a window ──► line ──► room for all of it, or no other is beyond it ────► window opened for all of it
//!                                    ▲                                                        │
//!                                    └──────────── it is complete, or given up ◄──────────────┘
//! ```
//!
//! A message that fits into its stream's window needs no further permission. For a longer one the window is
//! opened (rule 5 of the contract) while there is room for it beside those that are arriving; the others wait
//! in order, with the bytes that their windows already allow. One message at a time may exceed the room, so
//! that a message can end that is longer than all the room, or whose length is unknown.
//!
//! The connection's window is not affected: if it were not reopened for data of waiting messages, admitted
//! messages would have to wait for it.
//!
//! Limits: [`Limits::max_message`](polywire_wire::Limits::max_message) for all together, and one message
//!         beyond it.

use super::{Admission, Semantics};
use crate::http::{dialects::Kind, framing::Framing};
use polywire_wire::Role;
use std::{collections::VecDeque, time::Instant};

/// The messages of one connection that are longer than a window.
#[derive(Default)]
pub(super) struct Assembly {
    /// Number of admitted bytes.
    used: usize,
    /// Slots whose messages wait for room, in order.
    line: VecDeque<u32>,
    /// The slot whose message was admitted although there was no room.
    beyond: Option<u32>,
}

impl Assembly {
    /// Whether no message waits for room.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// Whether a message has a place.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.used > 0
    }
}

impl<F: Framing> Semantics<F> {
    /// Opens the window for a message of `total` bytes, at once or in its turn.
    #[inline]
    pub(super) fn open_window_for(&mut self, now: Instant, slot: u32, total: usize) {
        let place = &self.calls[slot as usize].flow.place;
        if self.role == Role::Client || total <= self.limits.window as usize || total <= place.allowed {
            return self.open_for(slot, total);
        }
        self.line_up(now, slot, total);
    }

    /// Doubles the allowance of a message of unknown length, when most of it has arrived.
    pub(super) fn open_window_further(&mut self, now: Instant, slot: u32, longest: usize) {
        let call = &self.calls[slot as usize];
        let may_come = call.flow.place.wanted.max(self.limits.window as usize);
        if call.body.bytes.len() > may_come / 2 {
            self.open_window_for(now, slot, (2 * may_come).min(longest.saturating_add(1)));
        }
    }

    #[cold]
    fn line_up(&mut self, now: Instant, slot: u32, total: usize) {
        let call = &mut self.calls[slot as usize];
        call.flow.place.wanted = call.flow.place.wanted.max(total);
        if !std::mem::replace(&mut call.flow.place.waits, true) {
            match self.assembly.beyond == Some(slot) {
                true => self.assembly.line.push_front(slot), // or it would wait for itself
                false => self.assembly.line.push_back(slot),
            }
        }
        self.open_window_of_next(now);
        let call = &mut self.calls[slot as usize];
        if call.flow.place.waits {
            call.flow.since = None; // it is not the peer's fault that it takes long
        }
    }

    /// Admits waiting messages, as far as there is room; returns whether there was any.
    #[cold]
    pub(super) fn open_window_of_next(&mut self, now: Instant) -> bool {
        let mut some = false;
        while let Some(&slot) = self.assembly.line.front() {
            let Assembly { used, beyond, .. } = self.assembly;
            let place = &mut self.calls[slot as usize].flow.place;
            let more = place.wanted - place.allowed;
            let fits = used + more <= self.limits.max_message as usize;
            if self.framing.is_crowded() || !fits && beyond.is_some_and(|other| other != slot) {
                break;
            }
            some = true;
            place.waits = false;
            place.allowed = place.wanted;
            let total = place.wanted;
            self.assembly.line.pop_front();
            self.assembly.used += more;
            if !fits {
                self.assembly.beyond = Some(slot);
            }
            self.calls[slot as usize].flow.since.get_or_insert(now);
            self.open_for(slot, total);
        }
        some
    }

    /// Opens the window for the whole message.
    #[inline]
    fn open_for(&mut self, slot: u32, total: usize) {
        let call = &mut self.calls[slot as usize];
        let missing = total.saturating_sub(call.body.bytes.len());
        let text = call.form.kind == Kind::GrpcWebText;
        let raw = if text { missing.div_ceil(3) * 4 + 4 } else { missing };
        if missing > 0 {
            call.flow.borrowed += self.framing.ensure(slot, raw);
        }
    }

    /// Returns the room of a message that is complete or cancelled.
    #[inline]
    pub(super) fn leave(&mut self, slot: u32) {
        if self.calls[slot as usize].flow.place.wanted > 0 {
            self.give_room(slot);
        }
    }

    #[cold]
    fn give_room(&mut self, slot: u32) {
        let call = &mut self.calls[slot as usize];
        let place = std::mem::take(&mut call.flow.place);
        if matches!(call.server.admission, Admission::Opened | Admission::Waiting) {
            call.flow.since = None; // of a stream the next message has its own time
        }
        self.assembly.used -= place.allowed;
        if place.waits {
            self.assembly.line.retain(|waiting| *waiting != slot);
        }
        if self.assembly.beyond == Some(slot) {
            self.assembly.beyond = None;
        }
    }
}
