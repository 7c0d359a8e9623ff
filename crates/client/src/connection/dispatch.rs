//! One client connection's pending calls.
//!
//! A call sits in a slot with a version; `Exchange::token` is `version << 32 | slot`, so that a reply that comes after
//! its call has ended finds nobody.

use crate::connection::{
    error::{deadline_exceeded, moved},
    handle::Handle,
    overflow::{BUSY, Overflow},
    placement::Crowd,
    spec::ConnectSpec,
};
use polywire_base::{Timer, Wheel};
use polywire_call::{Metadata, Origin, Status, brpc};
use polywire_engine::{Desk, Dispatcher, Fault, Line, Next, Turn, Wires};
use polywire_wire::{
    Credit, Cx, Event, Exchange, Head, Host, Machine, Notice, Outcome, Outgoing, Part, Protocol, Refusal,
    Route,
};
use std::{
    collections::VecDeque,
    sync::{Arc, Weak},
    task::Waker,
    time::Instant,
};

/// What a client's machines may ask.
pub(crate) struct Replies {
    /// The longest reply that may be buffered, in bytes.
    most: usize,
}

impl Replies {
    pub fn new(spec: &ConnectSpec) -> Self {
        Replies { most: spec.config.limits.max_message as usize }
    }
}

impl Host for Replies {
    fn admit(&mut self, _head: &Head<'_>, _announced: Option<usize>) -> Result<Route, Status> {
        Err(Status::unimplemented("this side serves nothing"))
    }
    fn admit_reply(&mut self, _exchange: Exchange, announced: usize) -> bool {
        announced <= self.most
    }
}

/// Calls that may wait on a connection for a vacancy, or for the connection itself; more are refused with EOVERCROWDED.
const MOST_WAITING: usize = 64 << 10;

/// The calls of one connection, from the inbox of its handle to their ends.
pub(crate) struct Dispatch {
    handle: Arc<Handle>,
    spec: Arc<ConnectSpec>,
    desk: Desk,
    /// Every call has been ended, and the inbox is closed.
    over: bool,
    lines: VecDeque<Arc<Line>>,
    drained: Vec<Arc<Line>>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// Slots of calls that found no vacancy, oldest first; a version tells whether they still wait.
    waiting: VecDeque<(u32, u32)>,
    wheel: Option<Box<Wheel<u32>>>,
    soonest: Option<Instant>,
    fired: Vec<u32>,
    empty: Metadata,
    /// Bytes and messages of pushes that were dropped and not yet granted.
    unheard: (usize, u32),
    /// The other connections of this home; `None` where there are never any.
    overflow: Option<Weak<dyn Overflow>>,
    /// The peer has said what it allows.
    connected: bool,
    /// The protocol has taken at least one call; before that, the peer may not be ready for any.
    has_taken_call: bool,
    /// Others were asked for help.
    full: bool,
    /// Bytes owed from which on a call is not sent without a thought.
    busy: usize,
    crowd: Crowd,
}

struct Slot {
    version: u32,
    line: Option<Arc<Line>>,
    timer: Timer,
    credit: Credit,
    /// Given to the machine.
    opened: bool,
    /// Our half has been ended.
    half: bool,
    /// Slots of the streams that the call offers.
    offers: Vec<u32>,
    /// A stream that was offered: its last words are `finish`.
    offered: bool,
}

impl Slot {
    fn exchange(&self, slot: u32) -> Exchange {
        Exchange { token: u64::from(self.version) << 32 | u64::from(slot), slot }
    }
}

impl Dispatch {
    pub fn new(spec: &Arc<ConnectSpec>, overflow: Option<Weak<dyn Overflow>>) -> Self {
        let overfull = spec.config.overfull;
        let (handle, desk) = Handle::new();
        let busy = if overflow.is_some() { overfull.min(BUSY) } else { overfull };
        Dispatch {
            handle,
            spec: spec.clone(),
            desk,
            over: false,
            lines: VecDeque::new(),
            drained: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            waiting: VecDeque::new(),
            wheel: None,
            soonest: None,
            fired: Vec::new(),
            empty: Metadata::new(),
            unheard: (0, 0),
            overflow,
            connected: false,
            has_taken_call: false,
            full: false,
            busy,
            crowd: Crowd::default(),
        }
    }

    /// Where calls are posted.
    pub fn handle(&self) -> &Arc<Handle> {
        &self.handle
    }

    /// How many calls were under way lately.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The connection is driven elsewhere from now on: what was seen before says nothing about that place.
    pub fn forget_crowd(&mut self) {
        self.crowd = Crowd::default();
    }

    /// Takes what was posted off the inbox.
    fn drain(&mut self) {
        self.desk.inbox().drain(&mut self.drained);
        self.lines.extend(self.drained.drain(..));
    }

    /// Before the connection is there: gives every posted call a slot and a deadline.
    pub fn enlist_posted(&mut self, now: Instant) {
        self.drain();
        while let Some(line) = self.lines.pop_front() {
            if line.key() != Line::UNPLACED {
                self.serve_unopened(&line);
            } else if let Some(slot) = self.enlist(line, now) {
                self.wait(slot);
            }
        }
    }

    /// The call waits for a vacancy, behind those that came before it.
    #[cold]
    fn wait(&mut self, slot: u32) {
        if self.waiting.len() >= MOST_WAITING {
            self.spec.config.faults.add(Fault::Overcrowded);
            let status = brpc::status(brpc::EOVERCROWDED, "too many calls wait for this connection");
            return self.end(slot, Some(Outcome { status: status.unprocessed(), ..Outcome::default() }));
        }
        self.waiting.push_back((slot, self.slots[slot as usize].version));
        if self.connected {
            self.fill();
        }
    }

    /// Calls rather go elsewhere: others are asked for room.
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

    /// Others asked for room, or are to have it.
    #[cold]
    fn look_for_room(&mut self, machine: &dyn Machine, cx: &Cx<'_>) {
        let relief = self.handle.take_relief();
        if relief > 0 && self.move_waiting(relief) {
            self.fill(); // more wait than may go there
        }
        if self.waiting.is_empty() && cx.out.len() <= self.busy / 2 && machine.vacancies() > 0 {
            self.full = false;
            self.handle.reopen();
            if let Some(others) = self.overflow.as_ref().and_then(Weak::upgrade) {
                others.has_room(&self.handle, machine.vacancies());
            }
        }
    }

    /// So many calls that wait leave, the oldest first. True: others may still wait.
    fn move_waiting(&mut self, mut most: u32) -> bool {
        for n in 0..self.waiting.len() {
            let (slot, version) = self.waiting[n];
            let entry = &self.slots[slot as usize];
            let waits = entry.version == version && !entry.opened && entry.offers.is_empty();
            if waits && entry.line.as_ref().is_some_and(|line| !line.has_pipe()) {
                if most == 0 {
                    return true;
                }
                self.end(slot, Some(moved().into()));
                most -= 1;
            }
        }
        false
    }

    /// The peer has said how many calls it allows: a further connection is ready.
    #[cold]
    fn allow(&mut self, exchanges: u32) {
        self.connected = true;
        self.handle.allow(exchanges);
        self.full = self.overflow.is_some(); // if it is not, it will be found out
    }

    /// A line posted again before it was opened: only giving up matters then.
    fn serve_unopened(&mut self, line: &Arc<Line>) {
        let slot = line.key();
        if line.is_dropped() && self.is_current(slot, line) {
            self.end(slot, None);
        }
    }

    fn is_current(&self, slot: u32, line: &Arc<Line>) -> bool {
        self.slots.get(slot as usize).and_then(|s| s.line.as_ref()).is_some_and(|l| Arc::ptr_eq(l, line))
    }

    /// A slot for a new call; `None` if it was given up or its deadline has passed.
    #[inline]
    fn enlist(&mut self, line: Arc<Line>, now: Instant) -> Option<u32> {
        if line.is_dropped() {
            self.stream_ended(&line);
            self.desk.cancel(&line);
            return None;
        }
        let deadline = self.desk.request(&line)?.deadline;
        if deadline.is_some_and(|at| at <= now) {
            self.stream_ended(&line);
            self.desk.complete(
                &line,
                deadline_exceeded(&self.spec.address, "it had passed before the call was sent").into(),
            );
            return None;
        }
        let offers = self.desk.request(&line).map_or(0, |request| request.offers.len());
        let slot = self.slot(&line);
        let timer = match deadline {
            None => Timer::NONE,
            Some(at) => {
                self.soonest = Some(self.soonest.map_or(at, |soonest| soonest.min(at)));
                self.wheel.get_or_insert_with(|| Box::new(Wheel::new(now))).arm(at, slot)
            }
        };
        self.slots[slot as usize].timer = timer;
        if offers > 0 {
            self.enlist_offers(slot, &line);
        }
        self.slots[slot as usize].line = Some(line);
        Some(slot)
    }

    /// A line that ended before it had a slot.
    #[cold]
    fn stream_ended(&self, line: &Line) {
        if line.has_pipe() {
            self.handle.stream_ended();
        }
    }

    /// A free slot, for this line.
    #[inline]
    fn slot(&mut self, line: &Line) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                version: 1,
                line: None,
                timer: Timer::NONE,
                credit: Credit::CLOSED,
                opened: false,
                half: false,
                offers: Vec::new(),
                offered: false,
            });
            self.slots.len() as u32 - 1
        });
        let entry = &mut self.slots[slot as usize];
        (entry.opened, entry.half, entry.offered, entry.credit) = (false, false, false, Credit::CLOSED);
        line.place(slot);
        slot
    }

    /// The streams of a call live beside it, from before it is opened.
    #[cold]
    fn enlist_offers(&mut self, call: u32, line: &Line) {
        let offers = self.desk.request(line).map_or_else(Box::default, |request| request.offers.clone());
        for offer in offers {
            let slot = self.slot(&offer);
            self.slots[slot as usize].offered = true;
            self.slots[slot as usize].line = Some(offer);
            self.slots[call as usize].offers.push(slot);
        }
    }

    /// Hands a call to the machine. False: no vacancy now.
    #[inline]
    fn open(&mut self, slot: u32, machine: &mut dyn Machine, cx: &mut Cx<'_>) -> bool {
        if cx.out.len() > self.busy && !self.is_sent_all_the_same(slot, cx.out.len()) {
            return true;
        }
        let entry = &self.slots[slot as usize];
        let exchange = entry.exchange(slot);
        let Some(line) = &entry.line else { return true };
        let Some(request) = self.desk.request(line) else { return true };
        let streams = if entry.offers.is_empty() { Vec::new() } else { self.offered(&entry.offers) };
        let outgoing = Outgoing {
            service: &request.service,
            method: &request.method,
            index: request.index,
            timeout: request.deadline.map(|at| at.saturating_duration_since(cx.now)),
            metadata: if request.metadata.is_empty() { &self.empty } else { &request.metadata },
            body: &request.body,
            attachment: request.attachment,
            content: request.content,
            compression: request.compression,
            finished: request.finished,
            streamed: request.streamed,
            streams: &streams,
        };
        match machine.open(cx, exchange, &outgoing) {
            Ok(credit) => {
                let half = request.finished;
                streams.iter().for_each(|stream| self.slots[stream.slot as usize].opened = true);
                let entry = &mut self.slots[slot as usize];
                (entry.credit, entry.opened, entry.half) = (credit, true, half);
                self.has_taken_call = true;
                true
            }
            Err(Refusal::Full) => false,
            Err(refusal) => {
                let status = refused(refusal);
                if refusal == Refusal::Draining {
                    self.handle.retire();
                }
                self.end(slot, Some(Outcome { status, ..Outcome::default() }));
                true
            }
        }
    }

    /// The peer is owed many bytes. False: too many, the call has ended.
    #[cold]
    fn is_sent_all_the_same(&mut self, slot: u32, owed: usize) -> bool {
        if owed <= self.spec.config.overfull || self.slots[slot as usize].line.is_none() {
            self.fill();
            return true;
        }
        self.spec.config.faults.add(Fault::Overcrowded);
        let status = brpc::status(brpc::EOVERCROWDED, "the connection owes too many unsent bytes");
        self.end(slot, Some(Outcome { status: status.unprocessed(), ..Outcome::default() }));
        false
    }

    #[cold]
    fn offered(&self, offers: &[u32]) -> Vec<Exchange> {
        offers.iter().map(|&offer| self.slots[offer as usize].exchange(offer)).collect()
    }

    /// Calls that waited for a vacancy, in their order.
    fn open_waiting(&mut self, machine: &mut dyn Machine, cx: &mut Cx<'_>) {
        while let Some(&(slot, version)) = self.waiting.front() {
            let entry = &self.slots[slot as usize];
            let waits = entry.version == version && entry.line.is_some() && !entry.opened;
            if waits && !self.open(slot, machine, cx) {
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

    #[inline]
    fn find(&self, exchange: Exchange) -> Option<u32> {
        let entry = self.slots.get(exchange.slot as usize)?;
        let current = entry.line.is_some() && entry.version == (exchange.token >> 32) as u32;
        current.then_some(exchange.slot)
    }

    /// The call is over; `None` if nobody wants to know.
    #[inline]
    fn end(&mut self, slot: u32, outcome: Option<Outcome>) {
        let entry = &mut self.slots[slot as usize];
        if !entry.offers.is_empty() {
            self.end_offers(slot);
        }
        let entry = &mut self.slots[slot as usize];
        entry.version = entry.version.wrapping_add(1);
        if let Some(wheel) = &mut self.wheel {
            wheel.disarm(std::mem::replace(&mut entry.timer, Timer::NONE));
        }
        self.free.push(slot);
        let offered = entry.offered;
        if let Some(line) = entry.line.take() {
            if line.has_pipe() && !offered {
                self.handle.stream_ended();
            }
            line.place(Line::UNPLACED);
            match outcome {
                Some(outcome) => self.desk.complete(&line, outcome),
                None => self.desk.cancel(&line), // its sink may wait for room
            }
        }
    }

    /// Streams of a call that was never opened end with it; of others the machine says what becomes of them.
    #[cold]
    fn end_offers(&mut self, call: u32) {
        for offer in std::mem::take(&mut self.slots[call as usize].offers) {
            let entry = &self.slots[offer as usize];
            if entry.offered && entry.line.is_some() && !entry.opened {
                let status = Status::cancelled("the call that offered the stream has ended");
                self.end(offer, Some(Outcome { status, ..Outcome::default() }));
            }
        }
    }

    fn reset(&mut self, slot: u32, machine: &mut dyn Machine, cx: &mut Cx<'_>, why: Status) {
        let entry = &self.slots[slot as usize];
        if entry.opened {
            machine.reset(cx, entry.exchange(slot), why);
        }
    }

    /// A posted line: a new call, one given up, or a stream with something to move.
    fn serve(&mut self, line: Arc<Line>, machine: &mut dyn Machine, cx: &mut Cx<'_>) {
        let slot = line.key();
        if slot == Line::UNPLACED {
            let Some(slot) = self.enlist(line, cx.now) else { return };
            if !self.waiting.is_empty() || !self.open(slot, machine, cx) {
                return self.wait(slot);
            }
            self.serve_stream(slot, machine, cx);
        } else if self.is_current(slot, &line) {
            if line.is_dropped() && !self.slots[slot as usize].offered {
                self.reset(slot, machine, cx, Status::cancelled("the caller gave up"));
                self.end(slot, None);
            } else {
                self.serve_stream(slot, machine, cx);
            }
        }
    }

    fn serve_stream(&mut self, slot: u32, machine: &mut dyn Machine, cx: &mut Cx<'_>) {
        let entry = &mut self.slots[slot as usize];
        let exchange = entry.exchange(slot);
        let Some(line) = entry.line.as_ref().filter(|line| line.has_pipe() && entry.opened) else { return };
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

    /// After something that may have made room for calls that wait.
    #[inline]
    fn next(&self) -> Next {
        if self.waiting.is_empty() && !self.full { Next::Continue } else { Next::Commands }
    }

    fn line_with_pipe(&self, exchange: Exchange) -> Option<&Arc<Line>> {
        let slot = self.find(exchange)?;
        self.slots[slot as usize].line.as_ref().filter(|line| line.has_pipe())
    }

    /// Before the connection is there: ends what is past its deadline. `why` says why there is none.
    pub fn expire_posted(&mut self, now: Instant, why: impl Fn() -> String) {
        let mut fired = self.fire(now);
        for slot in fired.drain(..) {
            let status = deadline_exceeded(&self.spec.address, &why());
            self.end(slot, Some(status.into()));
        }
        self.fired = fired;
    }

    /// The slots of calls that are past their deadlines; its caller puts the emptied list back into `self.fired`.
    fn fire(&mut self, now: Instant) -> Vec<u32> {
        let mut fired = std::mem::take(&mut self.fired);
        if let Some(wheel) = &mut self.wheel {
            wheel.advance(now, &mut fired);
            self.soonest = wheel.next();
        }
        for slot in &fired {
            self.slots[*slot as usize].timer = Timer::NONE; // fired: not armed any more
        }
        fired
    }

    /// What a call was waiting for whose deadline has passed.
    #[cold]
    fn awaited(&self, slot: u32) -> &'static str {
        let entry = &self.slots[slot as usize];
        match &entry.line {
            Some(line) if entry.opened && line.has_pipe() => "the stream has not ended",
            _ if entry.opened => "no reply",
            _ if self.has_taken_call => "the connection has no room for the call",
            _ => "connected, but the peer does not take calls yet",
        }
    }

    pub fn is_idle(&self) -> bool {
        self.slots.len() == self.free.len() && self.lines.is_empty()
    }

    /// Every call ends with `why`; what was never given to a machine is safe to try elsewhere. Calls posted from now on
    /// come back to their callers.
    pub fn abandon(&mut self, why: Status) {
        self.handle.retire();
        self.over = true;
        let from = self.drained.len();
        self.desk.inbox().close(&mut self.drained);
        self.lines.extend(self.drained.drain(from..));
        for slot in 0..self.slots.len() as u32 {
            let entry = &self.slots[slot as usize];
            if entry.line.is_some() {
                let status = if entry.opened { why.clone() } else { why.clone().unprocessed() };
                self.end(slot, Some(Outcome { status, ..Outcome::default() }));
            }
        }
        while let Some(line) = self.lines.pop_front() {
            if line.key() == Line::UNPLACED {
                let status = why.clone().unprocessed();
                self.desk.complete(&line, Outcome { status, ..Outcome::default() });
            }
        }
    }
}

#[cold]
fn refused(refusal: Refusal) -> Status {
    match refusal {
        Refusal::WrongRole => Status::unimplemented("the protocol has no client"),
        Refusal::Full => Status::resource_exhausted("the connection takes no further calls").unprocessed(),
        Refusal::Draining => Status::unavailable("the peer is going away").unprocessed(),
        Refusal::Unsupported => Status::unimplemented("the protocol cannot carry a call of this kind"),
        Refusal::Unnumbered => Status::unimplemented(
            "the protocol names methods by number: call through a stub, or give the target its place with at(..)",
        ),
        Refusal::Compression => {
            brpc::status(brpc::EREQUEST, "the protocol has no number for this compression")
        }
        Refusal::Credential => Status::unimplemented(
            "the protocol has no field for this credential: the server would take the caller for one without any",
        ),
        Refusal::TooLarge => brpc::status(brpc::EREQUEST, "the request is larger than the limit"),
    }
}

impl Dispatcher for Dispatch {
    type Host = Replies;

    #[inline]
    fn event(&mut self, event: Event<'_>, _turn: &mut Turn) -> Next {
        match event {
            Event::Finish { exchange, outcome } => {
                if let Some(slot) = self.find(exchange) {
                    self.end(slot, Some(outcome));
                }
                self.next()
            }
            Event::Reset { exchange, why } => {
                if let Some(slot) = self.find(exchange) {
                    self.end(slot, Some(Outcome { status: why, ..Outcome::default() }));
                }
                self.next()
            }
            Event::Answer { exchange, answer } => {
                if let Some(line) = self.line_with_pipe(exchange) {
                    line.push_answer(answer);
                }
                Next::Continue
            }
            // Pushes of the connection itself (Redis): nobody listens yet, so they are dropped, and granted so that
            // replies behind them still come.
            Event::Part { exchange: Exchange::CONNECTION, part } => {
                self.unheard = (self.unheard.0 + part.bytes.len(), self.unheard.1 + 1);
                Next::Commands
            }
            Event::Part { exchange, part } => {
                let Some(line) = self.line_with_pipe(exchange) else { return Next::Continue };
                if line.push_part(part).is_err() {
                    debug_assert!(false, "the machine delivered more than was granted");
                    return Next::Close;
                }
                if line.is_dropped() {
                    Line::post(line); // to throw it away and grant it
                    return Next::Commands;
                }
                Next::Continue
            }
            Event::Credit { exchange, credit } => {
                let Some(slot) = self.find(exchange) else { return Next::Continue };
                self.slots[slot as usize].credit = credit;
                if let Some(line) = &self.slots[slot as usize].line {
                    Line::post(line);
                }
                Next::Commands
            }
            Event::Stopped { exchange } => {
                let Some(slot) = self.find(exchange) else { return Next::Continue };
                self.slots[slot as usize].credit = Credit::OPEN; // what is queued goes nowhere
                if let Some(line) = self.line_with_pipe(exchange) {
                    line.stop();
                    Line::post(line);
                }
                Next::Commands
            }
            Event::Notice(Notice::Draining) => {
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
            Event::Notice(_) | Event::Open(_) | Event::Authenticate(_) => self.next(),
        }
    }

    /// Serves posted lines.
    fn commands(&mut self, wires: &mut Wires<'_, Replies>, most: usize) -> usize {
        let Some((machine, mut cx)) = wires.machine(0) else { return 0 };
        let cx = &mut cx;
        if !self.waiting.is_empty() {
            self.open_waiting(machine, cx);
        }
        if self.full {
            self.look_for_room(machine, cx);
        }
        let (bytes, messages) = std::mem::take(&mut self.unheard);
        if messages > 0 {
            machine.grant(cx, Exchange::CONNECTION, bytes, messages);
        }
        self.drain();
        let n = self.lines.len().min(most);
        if n > 0 && self.overflow.is_some() {
            self.handle.mark_used();
        }
        for _ in 0..n {
            let Some(line) = self.lines.pop_front() else { break };
            self.serve(line, machine, cx);
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
        self.fired = fired;
        self.soonest
    }

    fn next_deadline(&self) -> Option<Instant> {
        self.soonest
    }

    fn recognised(&mut self, _host: &mut Replies, _protocol: &'static Protocol) {}

    fn pending(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    fn is_over(&self) -> bool {
        self.is_idle() && !self.handle.is_alive()
    }

    fn closed(&mut self, _host: &mut Replies, why: Status) {
        let why = if why.origin() == Origin::Local { why } else { why.retryable() };
        let text = format!("{} ({}): {}", self.spec.address, self.spec.protocol.name, why.message());
        self.abandon(why.with_message(text));
    }
}

impl Drop for Dispatch {
    fn drop(&mut self) {
        if !self.over {
            let why = brpc::status(brpc::EFAILEDSOCKET, "the runtime of the connection ended");
            self.abandon(why.with_origin(Origin::Transport));
        }
    }
}
