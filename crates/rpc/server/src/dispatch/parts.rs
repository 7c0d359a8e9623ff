//! The messages of calls that stream, between their queues and their machines.

use super::{Dispatch, live::NO_METHOD};
use crate::{call_metrics::Way, router::Router};
use polywire_call::Status;
use polywire_engine::{Next, Wires, clock};
use polywire_exchange::Line;
use polywire_wire::{Answer, Credit, Exchange, Outcome, Part};

/// What a message of a stream takes at least beside its bytes, until its handler takes it.
const PART_BYTES: usize = 24;

impl Dispatch {
    #[cold]
    fn broken_off(&mut self, key: u32) {
        if let Some(live) = self.remove(key) {
            self.desk.cancel(&live.line);
        }
    }

    /// Moves parts between a live call's queues and its machine as far as possible, and finishes the call
    /// when it is complete.
    pub(super) fn serve(&mut self, key: u32, wires: &mut Wires<'_, Router>) {
        let Some(live) = self.live.at_mut(key) else { return };
        let Some((machine, mut cx)) = wires.machine(live.machine) else { return };
        let exchange = live.exchange;
        if live.stream && live.line.is_broken() {
            machine.reset(&mut cx, exchange, Status::cancelled("the stream was broken off"));
            return self.broken_off(key);
        }
        if live.last.is_none() {
            // read before the parts, so that all parts sent before it are seen
            live.last = self.desk.take_answer(&live.line);
        }
        if live.line.has_pipe() {
            // A handler that has dropped its source receives no more, but may go on sending.
            let deaf = live.line.is_dropped();
            let taken = if deaf { live.line.discard_parts() } else { live.line.taken() };
            if let Some((bytes, messages)) = taken {
                let less = (bytes + messages as usize * PART_BYTES).min(live.untaken); // the first message came with the call
                (live.untaken, self.held) = (live.untaken - less, self.held - less);
                machine.grant(&mut cx, exchange, bytes, messages);
            }
            if !live.answered {
                // read before the head, which the handler sets before it sends parts
                let parts = !live.line.is_drained();
                let given = live.line.pop_answer();
                if let Some(answer) = given.or_else(|| parts.then(Answer::default)) {
                    live.answered = true;
                    live.credit = machine.answer(&mut cx, exchange, &answer);
                }
            }
            let mut popped = false;
            // Not before the head, which may have come with the first part just now: both are served then.
            while live.answered && live.credit.is_open() {
                let Some(part) = live.line.pop_part() else { break };
                popped = true;
                live.sent += part.bytes.len() as u64;
                live.credit = machine.send(&mut cx, exchange, &part);
            }
            if popped {
                live.line.wake_writer();
            }
        }
        if live.stream && live.last.is_none() && live.line.is_half() && live.line.is_drained() {
            live.last = Some(Outcome::default()); // an accepted stream ends with its sink
        }
        if live.last.is_some() && live.line.is_drained() {
            let Some(mut live) = self.remove(key) else { return };
            let mut outcome = live.last.take().unwrap_or_default();
            if live.method != NO_METHOD {
                let took = wires.now - live.began;
                if live.line.is_refused() {
                    // Its handler has not run: the status says so, and limiters measure nothing.
                    self.table.shared.stats.refused.add(1);
                    self.table.shared.stats.trouble(live.method).refused.add(1);
                    let way = Way::new(live.system, &outcome.status);
                    self.table.shared.stats.turned_away(Some(live.method), way);
                } else {
                    self.ended((live.method, live.system), &mut outcome, took, (live.received, live.sent));
                    live.entered.end(wires.now, took, outcome.status.is_ok());
                }
            }
            if let Some(traced) = live.traced() {
                let of = (live.method, live.system);
                self.trace_end(traced, of, clock::now(), &outcome.status, outcome.body.len());
            }
            self.desk.cancel(&live.line);
            if let Some((machine, mut cx)) = wires.machine(live.machine) {
                machine.finish(&mut cx, exchange, outcome);
            }
        }
    }

    /// The peer reads no more parts: what is queued for it is discarded.
    #[cold]
    pub(super) fn stop(&mut self, exchange: Exchange) {
        let Some(key) = self.find(exchange) else { return };
        let live = self.live.at_mut(key).expect("found above");
        live.credit = Credit::OPEN;
        live.line.stop();
        Line::post(&live.line);
    }

    pub(super) fn part(&mut self, exchange: Exchange, part: Part) -> Next {
        if let Some(key) = self.find(exchange) {
            let live = self.live.at_mut(key).expect("found above");
            let line = &live.line;
            live.received += part.bytes.len() as u64;
            if line.has_pipe() {
                let bytes = part.bytes.len() + PART_BYTES;
                (live.untaken, self.held) = (live.untaken + bytes, self.held + bytes);
                if line.push_part(part).is_err() {
                    debug_assert!(false, "the machine delivered more than was granted");
                    return Next::Close;
                }
            }
            if line.is_dropped() {
                Line::post(line); // so that the queued parts are discarded and their credit returned
                return Next::Commands;
            }
        }
        Next::Continue
    }
}
