//! From events to handlers and back: the calls of one connection.
//!
//! ```text
//!  Open --> limits --> handler --Ready--> Finish at once (no table touched)
//!                          `----Pending--> Live slot, Line, deadline armed; its outcome comes back by the inbox
//!  Part, Credit, Reset, Finish --> Live by exchange.slot, token compared
//! ```

mod asking;
mod ending;
mod entered;
mod live;
mod opening;
mod parts;
mod tasks;

use self::{asking::Authentication, live::Live};
use crate::{context::Connection, ends::OpenConnection, limits::client_of, router::Router, table::Table};
use polywire_base::{LineGate, Slab, Wheel};
use polywire_call::Status;
use polywire_engine::{
    Config, Dispatcher, Next, Peer, Question, Shard, Turn, Wires, clock, transport::Security,
};
use polywire_exchange::{Desk, Line};
use polywire_hub::{Decision, Seat};
use polywire_trace::Lane;
use polywire_wire::{Event, Exchange, Notice, Open, Outcome, Protocol};
use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    task::Waker,
    time::Instant,
};

/// The calls of one server connection.
pub(crate) struct Dispatch {
    table: Arc<Table>,
    shard: Arc<Shard>,
    connection: Arc<Connection>,
    /// State of the authentication; set when the authenticator is first asked.
    authentication: Option<Box<Authentication>>,
    config: Arc<Config>,
    /// See [`client_of`].
    client: u64,
    /// Counts the connection while it exists.
    place: Option<OpenConnection>,
    /// Bytes of requests in flight, if they are counted.
    held: usize,
    desk: Desk,
    /// Lines that were posted and are not served yet, the oldest on top. Those in the inbox are newer.
    lines: Vec<Arc<Line>>,
    live: Slab<Live>,
    /// Index into `live` for each `Exchange::slot`.
    by_slot: Vec<u32>,
    /// Created for the first call that waits with a deadline.
    wheel: Option<Box<Wheel<u32>>>,
    /// A lower bound of all deadlines.
    soonest: Option<Instant>,
    fired: Vec<u32>,
    /// Set if the connection is the peer of a socket.
    seat: Option<Box<Seat>>,
    /// Chooses which of its calls are recorded.
    lane: Lane,
}

impl Dispatch {
    pub fn new(table: &Arc<Table>, shard: &Arc<Shard>, peer: Peer, local: Peer, config: Arc<Config>) -> Self {
        Dispatch {
            table: table.clone(),
            shard: shard.clone(),
            client: client_of(&peer),
            connection: Connection::new(peer, local, table.shared.common.clone()),
            authentication: None,
            config,
            place: None,
            held: 0,
            desk: Desk::new(),
            lines: Vec::new(),
            live: Slab::new(),
            by_slot: Vec::new(),
            wheel: None,
            soonest: None,
            fired: Vec::new(),
            seat: None,
            lane: Lane::default(),
        }
    }

    pub fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// Keeps the connection's place.
    pub fn set_place(&mut self, place: OpenConnection) {
        self.place = Some(place);
    }

    /// Handles a request where calls are recorded, as code of its own, so that others pay for nothing but the
    /// question.
    #[inline(never)]
    fn open_traced(&mut self, open: Open<'_>, turn: &mut Turn) -> Next {
        self.open_as::<true>(open, turn)
    }

    /// The connection turns out to be the peer of a socket: asks for a seat for it.
    #[cold]
    fn meet(&mut self, kind: &str, name: &[u8]) -> Next {
        let mut receptions = self.table.shared.receptions.iter();
        let decision = receptions.find_map(|reception| reception.receive(kind, name, &self.config.limits));
        match decision.unwrap_or(Decision::Caller) {
            Decision::Seat(seat) => {
                self.seat = Some(seat);
                Next::Commands
            }
            Decision::Caller => Next::Continue,
            Decision::Refused => Next::Close,
        }
    }

    /// The peer subscribes, and nothing publishes here. It would wait for ever: the connection ends.
    #[cold]
    fn has_no_topics(&self) -> Next {
        static GATE: LineGate = LineGate::one_in(60);
        if let Some(left_out) = GATE.pass() {
            let peer = &self.connection.peer;
            tracing::warn!(%peer, left_out, "a peer subscribes to a topic, and there are none");
        }
        Next::Close
    }

    /// Handles an event of a connection that has a seat.
    fn seated(&mut self, event: Event<'_>) -> Next {
        let Some(seat) = &mut self.seat else {
            return match event {
                Event::Notice(Notice::Topic { on: true, .. }) => self.has_no_topics(),
                _ => Next::Continue,
            };
        };
        match event {
            Event::Part { part, .. } => seat.part(part),
            Event::Credit { credit, .. } => {
                seat.credit(credit);
                return Next::Commands;
            }
            Event::Notice(Notice::Topic { on, topic }) if !seat.topic(on, topic) => return Next::Close,
            _ => {}
        }
        Next::Continue
    }
}

impl Dispatcher for Dispatch {
    type Host = Router;

    /// Hot path: runs once per request.
    #[inline]
    fn request(&mut self, open: Open<'_>, turn: &mut Turn) -> Next {
        match self.table.shared.tracer.is_on() {
            false => self.open_as::<false>(open, turn),
            true => self.open_traced(open, turn),
        }
    }

    fn outcome(&mut self, exchange: Exchange, outcome: Outcome) -> Next {
        if let Some(live) = self.find(exchange).and_then(|key| self.remove(key)) {
            self.desk.complete(&live.line, outcome);
        }
        Next::Continue
    }

    fn event(&mut self, event: Event<'_>, turn: &mut Turn) -> Next {
        match event {
            Event::Part { exchange: Exchange::CONNECTION, .. }
            | Event::Credit { exchange: Exchange::CONNECTION, .. }
            | Event::Notice(Notice::Topic { .. }) => self.seated(event),
            Event::Notice(Notice::Peer { kind, identity, .. }) => self.meet(kind, identity),
            Event::Part { exchange, part } => self.part(exchange, part),
            Event::Credit { exchange, credit } => {
                let Some(key) = self.find(exchange) else { return Next::Continue };
                let live = self.live.at_mut(key).expect("found above");
                live.credit = credit;
                Line::post(&live.line);
                Next::Commands
            }
            Event::Stopped { exchange } => {
                self.stop(exchange);
                Next::Commands
            }
            Event::Reset { exchange, why } => {
                self.find(exchange).into_iter().for_each(|key| self.leave(key, why.clone(), turn.now));
                Next::Continue
            }
            Event::Authenticate(claim) => self.ask(claim, turn),
            Event::Open(_) | Event::Finish { .. } | Event::Answer { .. } | Event::Notice(_) => Next::Continue,
        }
    }

    fn commands(&mut self, wires: &mut Wires<'_, Router>, most: usize) -> usize {
        let told = self.tell_verdict(wires);
        let mut n = told;
        while n < most {
            let Some(line) = self.desk.inbox().next(&mut self.lines) else { break };
            n += 1;
            let key = line.key();
            let current = self.live.at(key);
            if current.is_some_and(|live| Arc::ptr_eq(&live.line, &line)) {
                self.serve(key, wires);
            } else if key == Line::UNPLACED {
                self.answered(&line, wires);
            }
        }
        match (&mut self.seat, wires.machine(0)) {
            (Some(seat), Some((machine, mut cx))) => n + seat.serve(machine, &mut cx, most - n),
            _ => n,
        }
    }

    fn sleep(&mut self, waker: &Waker) -> bool {
        self.lines.is_empty()
            && self.desk.inbox().sleep(waker)
            && self.seat.as_mut().is_none_or(|seat| seat.sleep(waker))
    }

    fn expire(&mut self, wires: &mut Wires<'_, Router>) -> Option<Instant> {
        self.expire_question(wires);
        let Some(wheel) = &mut self.wheel else { return self.next_deadline() };
        let mut fired = std::mem::take(&mut self.fired);
        wheel.advance(wires.now, &mut fired);
        self.soonest = wheel.next();
        for key in fired.drain(..) {
            self.late(key, wires);
        }
        self.fired = fired;
        self.next_deadline()
    }

    fn next_deadline(&self) -> Option<Instant> {
        let question = self.authentication.as_ref().and_then(|authentication| authentication.deadline());
        self.soonest.into_iter().chain(question).min()
    }

    fn secured(&mut self, security: &Arc<Security>) {
        #[cfg(feature = "__tls")]
        if self.table.shared.authenticator.is_none() {
            let certificate = security.peer_certificates.first();
            let identity = certificate.and_then(|certificate| crate::tls::identity(certificate));
            identity.into_iter().for_each(|identity| drop(self.connection.set_identity(identity)));
        }
        let _ = self.connection.security.set(security.clone()); // called once
    }

    fn recognised(&mut self, host: &mut Router, protocol: &'static Protocol) {
        host.speak(protocol);
    }

    fn asked(&mut self, question: Question, wires: &mut Wires<'_, Router>) -> Option<Question> {
        let question = question.downcast().ok()?; // others ask nothing
        self.answer_about_tasks(question, wires).map(|rest| rest as Question)
    }

    fn pending(&self) -> usize {
        // The peer of a socket is never finished, unless the server stops.
        let seated = self.seat.is_some() && !self.table.shared.stopping.load(Relaxed);
        let asking = self.authentication.as_ref().is_some_and(|authentication| authentication.is_asking());
        self.live.len() + usize::from(seated) + usize::from(asking)
    }

    fn held(&self) -> usize {
        self.held + self.seat.as_ref().map_or(0, |seat| seat.held())
    }

    fn inflated(&self) -> usize {
        self.connection.inflated()
    }

    fn is_over(&self) -> bool {
        self.seat.as_ref().is_some_and(|seat| seat.is_over())
    }

    fn closed(&mut self, _host: &mut Router, why: Status) {
        static GATE: LineGate = LineGate::new(10, 1);
        if tracing::enabled!(tracing::Level::DEBUG)
            && let Some(left_out) = GATE.pass()
        {
            let peer = &self.connection.peer;
            tracing::debug!(%peer, why = why.message(), left_out, "a connection has ended");
        }
        let now = clock::now();
        for key in 0..self.live.entries() as u32 {
            self.leave(key, why.clone(), now);
        }
        self.drop_question();
        self.seat = None;
        // No one receives the outcome of a handler that ends from now on. A posted line and the inbox that
        // contains it refer to each other: release both.
        self.desk.inbox().close(&mut self.lines);
        self.lines.clear();
    }
}
