//! How calls end: what is counted then, and who ends them before their handlers do.

use super::{Dispatch, entered::Entered, live::NO_METHOD};
use crate::{call_metrics::Way, router::Router, spans::Traced};
use polywire_base::Timer;
use polywire_call::{Code, Status, brpc};
use polywire_engine::{Next, Wires, clock};
use polywire_wire::{Exchange, Outcome};
use std::time::{Duration, Instant};

/// Timers fire up to this long after they are due.
const TICK: Duration = Duration::from_millis(1);

impl Dispatch {
    /// A request that is refused before its handler is called.
    #[cold]
    pub(super) fn turned_away(
        &self,
        exchange: Exchange,
        (method, system): (u32, &'static str),
        outcome: Outcome,
    ) -> Next {
        self.table.shared.stats.turned_away(Some(method), Way::new(system, &outcome.status));
        Next::Finish(exchange, outcome)
    }

    /// Updates the statistics of a handler that has ended, after so many bytes of messages were received and
    /// sent before its outcome.
    #[inline]
    pub(super) fn ended(
        &self,
        (method, system): (u32, &'static str),
        outcome: &mut Outcome,
        took: Duration,
        (received, sent): (u64, u64),
    ) {
        let stats = &self.table.shared.stats;
        if !outcome.status.is_ok() {
            outcome.status = std::mem::take(&mut outcome.status).of_handler();
            stats.trouble(method).failed(&outcome.status);
        }
        let way = Way::new(system, &outcome.status);
        stats.ended(method, way, took);
        if stats.wants_sizes(system) {
            stats.add_sizes(method, way, received, sent + outcome.body.len() as u64);
        }
    }

    /// A handler has ended in the turn in which its call came, after `took`.
    #[inline(always)]
    pub(super) fn ended_at_once(
        &self,
        (of, received): ((u32, &'static str), u64),
        outcome: &mut Outcome,
        entered: &mut Entered,
        traced: Option<&Traced>,
        (now, took): (Instant, Duration),
    ) {
        self.ended(of, outcome, took, (received, 0));
        entered.end(now, took, outcome.status.is_ok());
        if let Some(traced) = traced {
            self.trace_end(traced, of, now, &outcome.status, outcome.body.len());
        }
    }

    /// A call that may be recorded has ended.
    pub(super) fn trace_end(
        &self,
        traced: &Traced,
        (method, system): (u32, &'static str),
        now: Instant,
        status: &Status,
        reply_bytes: usize,
    ) {
        let shared = &self.table.shared;
        let durations = || shared.stats.durations(method, Way { system, code: Code::Ok });
        let method = &shared.methods[method as usize];
        traced.end(&shared.tracer, &self.connection, (method, &durations), now, status, reply_bytes);
    }

    /// Ends a call that its caller gives up. Callers give up at their deadlines, too, which they may notice a
    /// moment before this side does.
    pub(super) fn leave(&mut self, key: u32, why: Status, now: Instant) {
        let Some(live) = self.live.at_mut(key) else { return };
        if live.deadline.is_none_or(|at| at > now + TICK) {
            return self.abort(key, why, Ender::Caller);
        }
        live.entered.end(now, now.saturating_duration_since(live.began), false);
        self.abort(key, brpc::status(brpc::ERPCTIMEDOUT, why.message()), Ender::Deadline);
    }

    /// Ends a call whose deadline has passed.
    pub(super) fn late(&mut self, key: u32, wires: &mut Wires<'_, Router>) {
        let Some(live) = self.live.at_mut(key) else { return };
        live.timer = Timer::NONE; // fired, so no longer armed
        let (exchange, machine) = (live.exchange, live.machine);
        let took = wires.now - live.began;
        live.entered.end(wires.now, took, false);
        self.abort(key, brpc::status(brpc::ERPCTIMEDOUT, ""), Ender::Deadline);
        if let Some((machine, mut cx)) = wires.machine(machine) {
            machine.finish(&mut cx, exchange, expired().into());
        }
    }

    /// Ends a call before its handler does: the handler is dropped, and its streams end with `why`.
    pub(super) fn abort(&mut self, key: u32, why: Status, by: Ender) {
        if let Some(live) = self.remove(key) {
            let now = clock::now();
            if live.method != NO_METHOD {
                let stats = &self.table.shared.stats;
                let trouble = stats.trouble(live.method);
                // Whatever becomes of its connection: a call that its caller gives up is cancelled.
                let mut way = Way { system: live.system, code: Code::Cancelled };
                match by {
                    Ender::Caller => trouble.given_up(&why, live.line.has_pipe()),
                    Ender::Deadline => {
                        way = Way::new(live.system, &why);
                        trouble.late.add(1);
                        trouble.failed(&why);
                    }
                    Ender::Operator => {
                        way = Way::new(live.system, &why);
                        trouble.failed(&why);
                    }
                }
                stats.ended(live.method, way, now.saturating_duration_since(live.began));
                if stats.wants_sizes(live.system) {
                    stats.add_sizes(live.method, way, live.received, live.sent);
                }
            }
            if let Some(traced) = live.traced() {
                let of = (live.method, live.system);
                match by {
                    Ender::Caller => self.trace_end(traced, of, now, &Status::cancelled(why.message()), 0),
                    Ender::Deadline | Ender::Operator => self.trace_end(traced, of, now, &why, 0),
                }
            }
            if matches!(by, Ender::Deadline) {
                live.line.note_late();
            }
            if live.line.has_pipe() {
                self.desk.complete(&live.line, Outcome { status: why, ..Outcome::default() });
            } else {
                self.desk.cancel(&live.line);
            }
        }
    }
}

/// Who ends a call before its handler does.
pub(super) enum Ender {
    /// The peer resets it, or is gone.
    Caller,
    Deadline,
    Operator,
}

#[cold]
pub(super) fn expired() -> Status {
    brpc::status(brpc::ERPCTIMEDOUT, "the deadline of the call has passed")
}
