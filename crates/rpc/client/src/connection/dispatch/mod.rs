//! The calls of one connection, from the inbox of its handle to their ends.
//!
//! ```text
//!  inbox ─► enlist: a slot, a deadline ─► open: the machine takes it ─► end: its outcome
//!                    │                         ▲
//!                    └─ no room: wait ─────────┘ or moved to another connection
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `mod.rs` | takes calls from the inbox, hands them to the machine, ends them |
//! | `events.rs` | what the machine says of them, and when the connection does what |
//! | `slots.rs` | the calls by number |
//! | `deadlines.rs` | when they end |
//! | `replies.rs` | how long replies may be, and what budget they count in |
//! | `room.rs` | calls that wait for room |
//! | `streams.rs` | calls with streams |

mod deadlines;
mod events;
mod replies;
mod room;
mod slots;
mod streams;

use crate::connection::{
    error::{deadline_exceeded, is_moved, refused},
    handle::Handle,
    overflow::{BUSY, Overflow},
    placement::Crowd,
    spec::ConnectSpec,
};
use deadlines::Deadlines;
use polywire_base::{Key, Timer};
use polywire_call::{Code, Metadata, Origin, Status, brpc};
use polywire_engine::Next;
use polywire_exchange::{Desk, Line};
use polywire_wire::{Cx, Machine, Outcome, Outgoing, Refusal};
use replies::Charged;
use slots::{Slot, Slots};
use std::{
    collections::VecDeque,
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

/// The calls of one connection, from the inbox of its handle to their ends.
pub(crate) struct Dispatch {
    handle: Arc<Handle>,
    spec: Arc<ConnectSpec>,
    desk: Desk,
    /// Every call has been ended, and the inbox is closed.
    over: bool,
    /// Lines that were posted and are not served yet, the oldest on top. Those in the inbox are newer.
    lines: Vec<Arc<Line>>,
    slots: Slots,
    /// Calls that wait for room, oldest first. Some may have ended.
    waiting: VecDeque<Key>,
    deadlines: Deadlines,
    /// The replies that are arriving, where the channel has a budget of memory.
    charged: Option<Arc<Charged>>,
    /// The metadata of calls that have none.
    empty: Metadata,
    /// Bytes and messages that the peer sent without a call, which were dropped and are not granted yet.
    dropped: (usize, u32),
    /// The other connections of this home; `None` where there are never any.
    overflow: Option<Weak<dyn Overflow>>,
    /// Whether the peer has announced its limits.
    connected: bool,
    /// The reason why the peer refuses the connection, which it is about to close.
    refused: Option<Status>,
    /// Whether the peer has just announced its limits for the first time: the calls that waited for that may
    /// need other connections.
    is_new: bool,
    /// The protocol has taken at least one call; before that, the peer may not be ready for any.
    has_taken_call: bool,
    /// Whether the connection had no room at the last check, and other connections were asked for help.
    full: bool,
    /// Owing more bytes than this, the connection prefers that calls go elsewhere.
    busy: usize,
    crowd: Crowd,
}

impl Dispatch {
    pub fn new(spec: &Arc<ConnectSpec>, overflow: Option<Weak<dyn Overflow>>) -> Self {
        let overfull = spec.config.overfull;
        let (handle, desk) = Handle::new();
        spec.ledger.opened(&handle);
        let busy = if overflow.is_some() { overfull.min(BUSY) } else { overfull };
        Dispatch {
            handle,
            spec: spec.clone(),
            desk,
            over: false,
            lines: Vec::new(),
            slots: Slots::default(),
            waiting: VecDeque::new(),
            deadlines: Deadlines::default(),
            charged: spec.memory.as_ref().map(Charged::new),
            empty: Metadata::new(),
            dropped: (0, 0),
            overflow,
            connected: false,
            refused: None,
            is_new: false,
            has_taken_call: false,
            full: false,
            busy,
            crowd: Crowd::default(),
        }
    }

    /// The handle through which calls are posted.
    pub fn handle(&self) -> &Arc<Handle> {
        &self.handle
    }

    /// The number of calls under way of late.
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Forgets the recent numbers of calls: the connection is driven elsewhere from now on, where they mean
    /// nothing.
    pub fn forget_crowd(&mut self) {
        self.crowd = Crowd::default();
    }

    /// The oldest posted line.
    #[inline]
    fn next_line(&mut self) -> Option<Arc<Line>> {
        self.desk.inbox().next(&mut self.lines)
    }

    /// Before the connection is made: gives every posted call a slot and a deadline.
    pub fn enlist_posted(&mut self, now: Instant) {
        while let Some(line) = self.next_line() {
            self.handle.tally.started_at(now);
            if line.key() != Line::UNPLACED {
                self.serve_unopened(&line);
            } else if let Some((slot, _)) = self.enlist(line, now) {
                self.wait(slot);
            }
        }
    }

    /// Serves a line that was posted again before it was opened, which only has an effect if its caller has
    /// cancelled it.
    fn serve_unopened(&mut self, line: &Arc<Line>) {
        let slot = line.key();
        if line.is_dropped() && self.slots.has(slot, line) {
            self.end(slot, None);
        }
    }

    /// Gives a new call a slot, and says how long it may take; `None` if its caller gave up or its deadline
    /// has passed.
    #[inline]
    fn enlist(&mut self, line: Arc<Line>, now: Instant) -> Option<(u32, Option<Duration>)> {
        if line.is_dropped() {
            self.ended_unplaced(&line);
            self.desk.cancel(&line);
            return None;
        }
        let request = self.desk.request(&line)?;
        let (deadline, offers) = (request.deadline, request.offers.len());
        let left = deadline.map(|at| at.saturating_duration_since(now));
        if left == Some(Duration::ZERO) {
            self.ended_unplaced(&line);
            let status = deadline_exceeded(&self.spec.address, "it had passed before the call was sent");
            self.desk.complete(&line, status.into());
            return None;
        }
        let slot = self.slots.next();
        let timer = deadline.zip(left).map(|(at, left)| self.deadlines.arm(at, left, slot, now));
        self.slots.place(line, timer.unwrap_or(Timer::NONE), false);
        self.handle.tally.started();
        if offers > 0 {
            self.enlist_offers(slot);
        }
        Some((slot, left))
    }

    /// Hands a call to the machine, with the time that it may take. Returns false if there is no room for it
    /// now.
    #[inline]
    fn open(
        &mut self,
        slot: u32,
        left: Option<Duration>,
        machine: &mut dyn Machine,
        cx: &mut Cx<'_>,
    ) -> bool {
        if cx.out.len() > self.busy && !self.may_be_sent(slot, cx.out.len()) {
            return true;
        }
        let Some((exchange, entry)) = self.slots.opening(slot) else { return true };
        let Some(request) = self.desk.request(&entry.line) else { return true };
        let streams = if entry.offers.is_empty() { Vec::new() } else { self.offered(&entry.offers) };
        let outgoing = Outgoing {
            service: &request.service,
            method: &request.method,
            index: request.index,
            timeout: left.map(|left| left.min(request.timeout)),
            metadata: if request.metadata.is_empty() { &self.empty } else { &request.metadata },
            body: &request.body,
            attachment: request.attachment,
            content: request.content,
            compression: request.compression,
            finished: request.finished,
            streamed: request.streamed,
            streams: &streams,
        };
        let begins = cx.out.position();
        match machine.open(cx, exchange, &outgoing) {
            Ok(credit) => {
                let half = request.finished;
                for stream in &streams {
                    if let Some(entry) = self.slots.get_mut(stream.slot) {
                        (entry.opened, entry.begins) = (true, begins);
                    }
                }
                if let Some(entry) = self.slots.get_mut(slot) {
                    (entry.credit, entry.opened, entry.half, entry.begins) = (credit, true, half, begins);
                }
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

    /// Ends the call in a slot, with its outcome unless its caller gave up.
    fn end(&mut self, slot: u32, outcome: Option<Outcome>) {
        if let Some(charged) = &self.charged {
            self.slots.exchange(slot).into_iter().for_each(|exchange| charged.forget(exchange));
        }
        if let Some(slot) = self.slots.release(slot) {
            self.ended(slot, outcome);
        }
    }

    /// A call has ended, whose slot is free.
    #[inline]
    fn ended(&mut self, Slot { line, timer, offers, offered, .. }: Slot, outcome: Option<Outcome>) {
        if !offers.is_empty() {
            self.end_offers(offers);
        }
        self.deadlines.disarm(timer);
        if line.has_pipe() && !offered {
            self.handle.stream_ended();
        }
        line.place(Line::UNPLACED);
        if !offered {
            self.count(outcome.as_ref());
        }
        match outcome {
            Some(outcome) => self.desk.complete(&line, outcome),
            None => self.desk.cancel(&line), // its sink may wait for room
        }
    }

    /// Counts a call that has ended.
    #[inline]
    fn count(&self, outcome: Option<&Outcome>) {
        match outcome {
            Some(outcome) if outcome.status.is_ok() => self.handle.tally.ended(true),
            Some(outcome) if is_moved(&outcome.status) => self.handle.tally.moved(),
            _ => self.handle.tally.ended(false),
        }
    }

    /// Notifies the peer that a call is cancelled, if the call was sent.
    fn reset(&mut self, slot: u32, machine: &mut dyn Machine, cx: &mut Cx<'_>, why: Status) {
        if self.slots.get(slot).is_some_and(|entry| entry.opened)
            && let Some(exchange) = self.slots.exchange(slot)
        {
            machine.reset(cx, exchange, why);
        }
    }

    /// Serves a posted line: a new call, a cancelled call, or a stream with data to move.
    fn serve(&mut self, line: Arc<Line>, machine: &mut dyn Machine, cx: &mut Cx<'_>) {
        let slot = line.key();
        if slot == Line::UNPLACED {
            let is_stream = line.has_pipe();
            let Some((slot, left)) = self.enlist(line, cx.now) else { return };
            if !self.waiting.is_empty() || !self.open(slot, left, machine, cx) {
                return self.wait(slot);
            }
            if is_stream {
                self.serve_stream(slot, machine, cx);
            }
        } else if self.slots.has(slot, &line) {
            if line.is_dropped() && self.slots.get(slot).is_some_and(|entry| !entry.offered) {
                self.reset(slot, machine, cx, Status::cancelled("the caller cancelled the call"));
                self.end(slot, None);
            } else {
                self.serve_stream(slot, machine, cx);
            }
        }
    }

    /// What the connection does after an event that may have made room for waiting calls.
    #[inline]
    fn next(&self) -> Next {
        if self.waiting.is_empty() && !self.full { Next::Continue } else { Next::Commands }
    }

    /// Whether no call is under way or posted.
    fn is_idle(&self) -> bool {
        self.slots.in_use() == 0 && self.lines.is_empty()
    }

    /// Ends every call with the status `why`; calls of which no byte was sent are marked as not processed,
    /// unless the peer would refuse them again. Calls posted later come back to their callers.
    pub fn abandon(&mut self, why: Status) {
        self.handle.retire();
        self.over = true;
        self.desk.inbox().close(&mut self.lines);
        for slot in 0..self.slots.len() {
            if let Some(entry) = self.slots.get(slot) {
                let status = if entry.opened { why.clone() } else { unsent(&why) };
                self.end(slot, Some(Outcome { status, ..Outcome::default() }));
            }
        }
        while let Some(line) = self.lines.pop() {
            if line.key() == Line::UNPLACED {
                let status = unsent(&why);
                self.desk.complete(&line, Outcome { status, ..Outcome::default() });
            }
        }
    }

    /// Before the connection is made: ends the calls whose deadlines have passed. `why` returns the reason
    /// why there is no connection.
    pub fn expire_posted(&mut self, now: Instant, why: impl Fn() -> String) {
        let mut fired = self.fire(now);
        for slot in fired.drain(..) {
            let status = deadline_exceeded(&self.spec.address, &why());
            self.end(slot, Some(status.into()));
        }
        self.deadlines.put_back(fired);
    }

    /// The slots of calls whose deadlines have passed, in a list that goes back to [`Deadlines::put_back`].
    fn fire(&mut self, now: Instant) -> Vec<u32> {
        let fired = self.deadlines.fire(now);
        for slot in &fired {
            if let Some(entry) = self.slots.get_mut(*slot) {
                entry.timer = Timer::NONE; // it is not armed any more
            }
        }
        fired
    }

    /// The event that a call was waiting for when its deadline passed, as text.
    #[cold]
    fn awaited(&self, slot: u32) -> &'static str {
        match self.slots.get(slot) {
            Some(entry) if entry.opened && entry.line.has_pipe() => "the stream has not ended",
            Some(entry) if entry.opened => "no reply",
            _ if self.has_taken_call => "the connection has no room for the call",
            _ => "connected, but the peer does not take calls yet",
        }
    }
}

/// The status of a call that was not sent before its connection ended with `why`.
#[cold]
fn unsent(why: &Status) -> Status {
    // A peer that speaks another protocol will do so on the next connection.
    let breaks_rules = brpc::number(why) == brpc::ERESPONSE;
    let is_refused = (why.origin() == Origin::Remote || breaks_rules) && why.code() != Code::Unavailable;
    if is_refused { why.clone() } else { why.clone().unprocessed() }
}

impl Drop for Dispatch {
    fn drop(&mut self) {
        if !self.over {
            let why = brpc::status(brpc::EFAILEDSOCKET, "the runtime of the connection ended");
            self.abandon(why.with_origin(Origin::Transport));
        }
        self.spec.ledger.closed(&self.handle);
        if self.handle.is_connected() {
            self.spec.subchannels.iter().for_each(|subchannels| subchannels.ended());
        }
    }
}
