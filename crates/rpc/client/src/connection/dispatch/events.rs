//! The events of a connection's machine, and of the connection, in terms of its calls.

use super::{Dispatch, replies::Replies};
use crate::connection::error::{deadline_exceeded, ended};
use polywire_base::{LineGate, Output};
use polywire_call::{Origin, Status, brpc};
use polywire_engine::{Dispatcher, Next, Turn, Wires};
use polywire_exchange::Line;
use polywire_wire::{Credit, Event, Exchange, Notice, Open, Outcome, Protocol};
use std::{task::Waker, time::Instant};

impl Dispatcher for Dispatch {
    type Host = Replies;

    fn request(&mut self, _: Open<'_>, _: &mut Turn) -> Next {
        Next::Continue // servers call nobody
    }

    #[inline]
    fn outcome(&mut self, exchange: Exchange, mut outcome: Outcome) -> Next {
        if !outcome.status.is_ok() {
            let slot = self.slots.find(exchange);
            outcome.status = self.of_call(slot, std::mem::take(&mut outcome.status));
        }
        if let Some(charged) = &self.charged {
            charged.ended(exchange, &mut outcome);
        }
        if let Some(slot) = self.slots.take(exchange) {
            self.ended(slot, Some(outcome));
        }
        self.next()
    }

    fn event(&mut self, event: Event<'_>, _turn: &mut Turn) -> Next {
        match event {
            // The peer refuses the connection as a whole (ZeroMQ's ERROR), and closes it.
            Event::Reset { exchange: Exchange::CONNECTION, why } => {
                self.refused = Some(why);
                Next::Continue
            }
            Event::Reset { exchange, why } => {
                if let Some(slot) = self.slots.find(exchange) {
                    let status = self.of_call(Some(slot), why);
                    self.end(slot, Some(Outcome { status, ..Outcome::default() }));
                }
                self.next()
            }
            Event::Answer { exchange, answer } => {
                if let Some(line) = self.stream(exchange) {
                    line.push_answer(answer);
                }
                Next::Continue
            }
            // What the peer pushes without a call (Redis) has no reader: it is dropped, and granted so that
            // the replies behind it still come.
            Event::Part { exchange: Exchange::CONNECTION, part } => {
                self.dropped = (self.dropped.0 + part.bytes.len(), self.dropped.1 + 1);
                Next::Commands
            }
            Event::Part { exchange, part } => {
                if let Some(charged) = &self.charged {
                    charged.handed_over(exchange, part.bytes.len());
                }
                let Some(line) = self.stream(exchange) else { return Next::Continue };
                if line.push_part(part).is_err() {
                    debug_assert!(false, "the machine delivered more than was granted");
                    return Next::Close;
                }
                if line.is_dropped() {
                    Line::post(line); // so that it is thrown away and granted
                    return Next::Commands;
                }
                Next::Continue
            }
            Event::Credit { exchange, credit } => {
                let Some(entry) = self.slots.find_mut(exchange) else { return Next::Continue };
                entry.credit = credit;
                Line::post(&entry.line);
                Next::Commands
            }
            Event::Stopped { exchange } => {
                let Some(entry) = self.slots.find_mut(exchange) else { return Next::Continue };
                entry.credit = Credit::OPEN; // what is queued goes nowhere
                if let Some(line) = self.stream(exchange) {
                    line.stop();
                    Line::post(line);
                }
                Next::Commands
            }
            Event::Notice(Notice::Draining) => {
                self.lost("the server takes no further calls");
                self.handle.retire();
                Next::Continue
            }
            Event::Notice(Notice::Calm) => {
                self.spec.keepalive.slow_down();
                Next::Continue
            }
            Event::Notice(Notice::PeerLimit { exchanges }) => {
                self.allow(exchanges);
                Next::Commands
            }
            Event::Notice(_) | Event::Open(_) | Event::Finish { .. } | Event::Authenticate(_) => self.next(),
        }
    }

    /// Takes what callers have posted, at most `most` lines; returns how many.
    fn commands(&mut self, wires: &mut Wires<'_, Replies>, most: usize) -> usize {
        let Some((machine, mut cx)) = wires.machine(0) else { return 0 };
        let cx = &mut cx;
        if !self.waiting.is_empty() {
            self.open_waiting(machine, cx);
        }
        if self.full {
            self.look_for_room(machine, cx);
        }
        let (bytes, messages) = std::mem::take(&mut self.dropped);
        if messages > 0 {
            machine.grant(cx, Exchange::CONNECTION, bytes, messages);
        }
        let mut n = 0;
        while n < most {
            let Some(line) = self.next_line() else { break };
            self.serve(line, machine, cx);
            n += 1;
        }
        if n > 0 {
            self.handle.tally.started_at(cx.now);
        }
        if n > 0 && (self.overflow.is_some() || self.spec.idle.is_some()) {
            self.handle.mark_used();
        }
        if !self.waiting.is_empty() && n > 0 {
            self.open_waiting(machine, cx); // a call that was given up made room
        }
        n
    }

    fn sleep(&mut self, waker: &Waker) -> bool {
        let calls = self.pending().saturating_sub(self.handle.streams() as usize);
        self.crowd.seen(calls);
        self.lines.is_empty() && self.desk.inbox().sleep(waker)
    }

    fn expire(&mut self, wires: &mut Wires<'_, Replies>) -> Option<Instant> {
        let mut fired = self.fire(wires.now);
        if let Some((machine, mut cx)) = wires.machine(0) {
            for slot in fired.drain(..) {
                let status = deadline_exceeded(&self.spec.address, self.awaited(slot));
                self.reset(slot, machine, &mut cx, Status::deadline_exceeded(""));
                self.end(slot, Some(status.into()));
            }
            self.open_waiting(machine, &mut cx);
        }
        self.deadlines.put_back(fired);
        self.deadlines.next()
    }

    fn next_deadline(&self) -> Option<Instant> {
        self.deadlines.next()
    }

    fn recognised(&mut self, _host: &mut Replies, _protocol: &'static Protocol) {}

    fn pending(&self) -> usize {
        self.slots.in_use()
    }

    fn is_over(&self) -> bool {
        self.is_idle() && self.handle.is_retired()
    }

    /// A call that was taken in the turn in which the peer's end was read is not sent.
    fn input_ended(&mut self, out: &Output) -> Option<u64> {
        self.take_back(out)
    }

    fn takes_back(&mut self, out: &Output) -> Option<u64> {
        self.take_back(out)
    }

    fn closed(&mut self, _host: &mut Replies, why: Status) {
        static GATE: LineGate = LineGate::new(10, 1);
        if tracing::enabled!(tracing::Level::DEBUG)
            && let Some(left_out) = GATE.pass()
        {
            let (address, protocol) = (&*self.spec.address, self.spec.protocol.name);
            tracing::debug!(address, protocol, why = why.message(), left_out, "a connection has ended");
        }
        let why = match self.refused.take() {
            Some(refused) => refused,
            None => {
                self.lost(why.message()); // before its calls are tried again
                if why.origin() == Origin::Local {
                    why
                } else {
                    why.with_origin(Origin::Transport).retryable()
                }
            }
        };
        let text = self.place(&why);
        self.abandon(why.with_message(text));
    }
}

impl Dispatch {
    /// Ends the connection's service: it has ended or takes no further calls. Balancers are notified, unless
    /// the end was intended.
    #[cold]
    fn lost(&self, why: &str) {
        if self.handle.is_alive() {
            let was_reached = self.connected || !self.spec.protocol.peer_limits_calls;
            let calls = self.handle.tally.counts();
            self.spec.lost(why, was_reached, calls.succeeded + calls.failed > 0);
        }
    }

    /// The text of a status that is about the connection, with the address and the protocol: often the one
    /// does not answer the other.
    fn place(&self, why: &Status) -> String {
        let name = self.spec.protocol.name;
        let hint = match self.has_refused(why) {
            true => format!("; it said nothing: does it speak {name}, or want TLS?"),
            false => String::new(),
        };
        format!("{} ({name}): {}{hint}", self.spec.address, why.message())
    }

    /// Whether a server has closed a plain connection after a request without having sent anything, as a
    /// server does that expects another protocol or TLS.
    #[cold]
    fn has_refused(&self, why: &Status) -> bool {
        brpc::number(why) == brpc::EEOF
            && !self.spec.connector.has_tls()
            && !self.spec.address.starts_with("unix:")
            && self.handle.is_mute()
    }

    /// Takes back the calls of which no byte was written. Over TLS none: sealed bytes may leave later than
    /// they count as written, and earlier.
    #[cold]
    fn take_back(&mut self, out: &Output) -> Option<u64> {
        if self.spec.connector.has_tls() { None } else { self.slots.take_back(out.flushed()) }
    }

    /// The status of a call that a machine ends. What it takes for the fate of a call that was taken back, as
    /// an end in place of a reply, is nothing of the kind.
    #[cold]
    fn of_call(&self, slot: Option<u32>, why: Status) -> Status {
        let is_sent = slot.and_then(|slot| self.slots.get(slot)).is_none_or(|entry| entry.opened);
        self.with_place(if is_sent { why } else { ended() })
    }

    /// Adds the server's address and the protocol to the text of a status that is about the connection. A
    /// status from the server stays unchanged.
    #[cold]
    fn with_place(&self, why: Status) -> Status {
        if why.origin() != Origin::Transport {
            return why;
        }
        let text = self.place(&why);
        why.with_message(text)
    }
}
