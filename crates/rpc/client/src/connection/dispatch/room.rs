//! How a connection without room for a call behaves: the call waits, other connections are asked, and the
//! call goes to one of them or is opened here once there is room.
//!
//! Limits: at most [`MOST_WAITING`] calls wait; further ones are refused and counted (`Overcrowded`).

use super::Dispatch;
use crate::connection::error::moved;
use polywire_call::{Status, brpc};
use polywire_engine::Fault;
use polywire_wire::{Cx, Machine, Outcome};
use std::{
    sync::Weak,
    time::{Duration, Instant},
};

/// The most calls that wait on a connection for room, or for the connection itself; more are refused with
/// EOVERCROWDED.
const MOST_WAITING: usize = 64 << 10;

impl Dispatch {
    /// Queues the call until there is room, behind the calls before it.
    #[cold]
    pub(super) fn wait(&mut self, slot: u32) {
        if self.waiting.len() >= MOST_WAITING {
            return self.refuse(slot, "too many calls wait for this connection");
        }
        self.waiting.extend(self.slots.key(slot));
        if self.connected {
            self.fill();
        }
    }

    /// Ends a call for which the connection has no room, and counts it.
    fn refuse(&mut self, slot: u32, why: &str) {
        self.spec.config.faults.add(Fault::Overcrowded);
        let status: Status = brpc::status(brpc::EOVERCROWDED, why);
        self.end(slot, Some(Outcome { status: status.unprocessed(), ..Outcome::default() }));
    }

    /// Marks the connection as full: other connections are preferred from now on, and asked to take calls.
    #[cold]
    fn fill(&mut self) {
        if let Some(overflow) = &self.overflow {
            self.full = true;
            self.handle.fill();
            if let Some(others) = overflow.upgrade() {
                others.is_full(&self.handle);
            }
        }
    }

    /// Looks for room after the connection was full: moves waiting calls to connections with room, and takes
    /// calls again if it has room itself.
    #[cold]
    pub(super) fn look_for_room(&mut self, machine: &dyn Machine, cx: &Cx<'_>) {
        let relief = self.handle.take_relief();
        if relief > 0 && self.move_waiting(relief) {
            self.fill(); // more wait than may go there
        }
        if std::mem::take(&mut self.is_new) && !self.waiting.is_empty() {
            self.fill(); // they are more than the peer allows
        }
        if self.waiting.is_empty() && cx.out.len() <= self.busy / 2 && machine.vacancies() > 0 {
            self.full = false;
            self.handle.reopen();
            if let Some(others) = self.overflow.as_ref().and_then(Weak::upgrade) {
                others.has_room(&self.handle, machine.vacancies());
            }
        }
    }

    /// Ends at most `most` waiting attempts, the oldest first, so that their calls go to another connection.
    /// Returns whether others may still wait.
    fn move_waiting(&mut self, mut most: u32) -> bool {
        for n in 0..self.waiting.len() {
            let Some((slot, entry)) = self.slots.listed(self.waiting[n]) else { continue };
            if !entry.opened && entry.offers.is_empty() && !entry.line.has_pipe() {
                if most == 0 {
                    return true;
                }
                self.end(slot, Some(moved().into()));
                most -= 1;
            }
        }
        false
    }

    /// Applies the number of calls that the peer has announced: a connection that was added because others
    /// are full is now ready.
    #[cold]
    pub(super) fn allow(&mut self, exchanges: u32) {
        if !std::mem::replace(&mut self.connected, true) {
            self.handle.hear();
            self.spec.reached();
            self.is_new = self.overflow.is_some();
        }
        self.handle.allow(exchanges);
        self.full = self.overflow.is_some(); // so that the next look finds its room and tells the others
    }

    /// The connection owes the peer many bytes. Returns whether the call is sent all the same; else it has
    /// ended.
    #[cold]
    pub(super) fn may_be_sent(&mut self, slot: u32, owed: usize) -> bool {
        if owed <= self.spec.config.overfull || self.slots.get(slot).is_none() {
            self.fill();
            return true;
        }
        self.refuse(slot, "the connection owes too many unsent bytes");
        false
    }

    /// How long a call that waited may still take.
    fn left(&self, slot: u32, now: Instant) -> Option<Duration> {
        let request = self.desk.request(&self.slots.get(slot)?.line)?;
        Some(request.deadline?.saturating_duration_since(now))
    }

    /// Opens the calls that waited for room, in their order.
    pub(super) fn open_waiting(&mut self, machine: &mut dyn Machine, cx: &mut Cx<'_>) {
        while let Some(&key) = self.waiting.front() {
            let (slot, waits) = (key.index, self.slots.listed(key).is_some_and(|(_, entry)| !entry.opened));
            if waits && !self.open(slot, self.left(slot, cx.now), machine, cx) {
                if self.connected && !self.full {
                    self.fill();
                }
                return;
            }
            self.waiting.pop_front();
            if waits {
                self.serve_stream(slot, machine, cx); // what was sent meanwhile
            }
        }
    }
}
