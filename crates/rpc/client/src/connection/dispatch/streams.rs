//! Calls with streams, and streams that calls offer.

use super::Dispatch;
use polywire_base::{Key, Timer};
use polywire_call::Status;
use polywire_exchange::Line;
use polywire_wire::{Cx, Exchange, Machine, Outcome, Part};
use std::sync::Arc;

impl Dispatch {
    /// Counts a line that ended before it had a slot, if it is a stream.
    #[cold]
    pub(super) fn ended_unplaced(&self, line: &Line) {
        if line.has_pipe() {
            self.handle.stream_ended();
        }
    }

    /// Gives slots to the streams that a call offers, before the call is opened.
    #[cold]
    pub(super) fn enlist_offers(&mut self, call: u32) {
        let request = self.slots.get(call).and_then(|entry| self.desk.request(&entry.line));
        let offers = request.map_or_else(Box::default, |request| request.offers.clone());
        let offers = offers.into_iter().map(|offer| self.slots.place(offer, Timer::NONE, true)).collect();
        if let Some(entry) = self.slots.get_mut(call) {
            entry.offers = offers;
        }
    }

    /// The machine's exchanges for the streams in these slots.
    #[cold]
    pub(super) fn offered(&self, offers: &[Key]) -> Vec<Exchange> {
        offers.iter().map(|key| Exchange { token: key.bits(), slot: key.index }).collect()
    }

    /// Ends the streams of a call that offered them and has ended. If the call was never opened, its streams
    /// end with it; otherwise the machine decides.
    #[cold]
    pub(super) fn end_offers(&mut self, offers: Vec<Key>) {
        for offer in offers {
            if let Some((offer, entry)) = self.slots.listed(offer)
                && !entry.opened
            {
                let status = Status::cancelled("the call that offered the stream has ended");
                self.end(offer, Some(Outcome { status, ..Outcome::default() }));
            }
        }
    }

    /// The user breaks off a stream that its call has offered.
    #[cold]
    fn break_off(&mut self, slot: u32, exchange: Exchange, machine: &mut dyn Machine, cx: &mut Cx<'_>) {
        machine.reset(cx, exchange, Status::cancelled("the stream was broken off"));
        self.end(slot, None);
    }

    /// Serves a stream: grants what its reader has taken, and sends what its writer has queued.
    pub(super) fn serve_stream(&mut self, slot: u32, machine: &mut dyn Machine, cx: &mut Cx<'_>) {
        let Some(exchange) = self.slots.exchange(slot) else { return };
        let Some(entry) = self.slots.get_mut(slot).filter(|entry| entry.opened && entry.line.has_pipe())
        else {
            return;
        };
        let line = &entry.line;
        if entry.offered && line.is_broken() {
            return self.break_off(slot, exchange, machine, cx);
        }
        let taken = if line.is_dropped() { line.discard_parts() } else { line.taken() };
        if let Some((bytes, messages)) = taken {
            machine.grant(cx, exchange, bytes, messages);
        }
        let mut popped = false;
        while entry.credit.is_open() {
            let Some(part) = line.pop_part() else { break };
            popped = true;
            entry.credit = machine.send(cx, exchange, &part);
        }
        if popped {
            line.wake_writer();
        }
        if line.is_half() && !entry.half && line.is_drained() {
            entry.half = true;
            if entry.offered {
                machine.finish(cx, exchange, Outcome::default()); // an accepted stream ends with its sink
                return self.end(slot, None);
            }
            machine.send(cx, exchange, &Part::end());
        }
    }

    /// The line of a stream that has not ended.
    pub(super) fn stream(&self, exchange: Exchange) -> Option<&Arc<Line>> {
        let slot = self.slots.find(exchange)?;
        self.slots.get(slot).map(|entry| &entry.line).filter(|line| line.has_pipe())
    }
}
