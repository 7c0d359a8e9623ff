//! A connection's place in a hub. Its dispatcher passes on the events of the machine, and asks it to serve.

use crate::{
    Hub, PeerId,
    hub::{Wakes, wake},
    run::Run,
};
use polywire_base::IoBuf;
use polywire_wire::{ConfigError, Credit, Cx, Exchange, Limits, Machine, Part};
use std::{collections::VecDeque, sync::Arc, task::Waker};

/// Decides about peers that connect to a server's sockets, and gives them seats in a hub.
pub trait Reception: Send + Sync + 'static {
    /// Decides about a peer of this kind and name. `None`: the peer does not belong to these sockets.
    fn receive(&self, kind: &str, name: &[u8], limits: &Limits) -> Option<Decision>;

    /// Checks whether it can work on the port of a server. Called when the server starts.
    ///
    /// # Errors
    /// The fault of the settings, for the error of the server.
    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    /// The hubs that the peers of this service join, each with the name for its statistics.
    fn hubs(&self) -> Vec<(String, Arc<Hub>)>;
}

/// The decision about a peer.
pub enum Decision {
    /// The peer has joined a hub with this seat.
    Seat(Box<Seat>),
    /// The peer calls methods, and needs no seat.
    Caller,
    /// The peer is refused: its name is taken, or there is no room.
    Refused,
}

/// A connected peer, owned by its connection. Dropping it disconnects the peer from the hub.
pub struct Seat {
    hub: Arc<Hub>,
    id: PeerId,
    /// Runs that were received and are not in the hub yet, so that one lock serves many.
    batch: Vec<Run>,
    /// The bytes of received messages that the application is not known to have taken.
    unread: usize,
    /// Up to this many of those bytes the application may have taken without a report: half a window.
    unknown: usize,
    credit: Credit,
    /// Whether the seat was asked to close, and everything has been sent.
    over: bool,
    /// Runs that were passed to the machine and may not have been sent yet; set if they are to survive the
    /// connection.
    handed: Option<VecDeque<Handed>>,
}

/// A run that was passed to the machine.
struct Handed {
    run: Run,
    /// The run's start and end as positions in the connection's output ([`Output::position`]).
    begin: u64,
    end: u64,
}

/// Capacity that the list of passed runs may keep while it is empty.
const SHORT_LIST: usize = 16;
/// Runs that are moved to the hub at a time.
const BATCH: usize = 64;

impl Seat {
    /// A seat for a peer that connected to us. `None`: its name is taken, or the hub is closed.
    pub fn new(hub: &Arc<Hub>, name: &[u8], limits: &Limits) -> Option<Seat> {
        let mut state = hub.lock();
        if state.is_closed() {
            return None;
        }
        let id = state.insert(Box::default(), false);
        drop(state);
        let seat = Seat::of(hub, id, name, limits);
        if seat.is_none() {
            hub.forget(id);
        }
        seat
    }

    /// A seat for a peer that we connected to ([`Hub::expect`]). `None`: it was removed, or its name is
    /// taken.
    pub fn of(hub: &Arc<Hub>, id: PeerId, name: &[u8], limits: &Limits) -> Option<Seat> {
        let mut wakes = Wakes::new();
        let mut state = hub.lock();
        let crowded = state.connected() >= hub.options().peers as usize;
        let named = !crowded && state.name(id, name, hub.options().handover, &mut wakes);
        if named {
            state.connect(id, limits, &mut wakes);
        }
        drop(state);
        wake(wakes);
        let (batch, credit, unknown) = (Vec::new(), Credit::OPEN, limits.window as usize / 2);
        let seat =
            Seat { hub: hub.clone(), id, batch, credit, unread: 0, unknown, over: false, handed: None };
        named.then_some(seat)
    }

    /// Keeps messages from now on until they were written to the socket. If the connection ends first, the
    /// next one sends them ([`Seat::take_back`]).
    pub fn keep_unsent(&mut self) {
        self.handed.get_or_insert_default();
    }

    /// Notes how many bytes were written to the socket since the connection began.
    #[inline]
    pub fn flushed(&mut self, flushed: u64) {
        let Some(handed) = &mut self.handed else { return };
        while handed.front().is_some_and(|handed| handed.end <= flushed) {
            handed.pop_front();
        }
        if handed.is_empty() && handed.capacity() > SHORT_LIST {
            handed.shrink_to_fit();
        }
    }

    /// Called when the connection has ended. Kept messages of which not every byte is among the first
    /// `flushed` wait for the peer again, before all others. For a run that was written in part, `rest` is
    /// called with the number of its bytes that were written; it returns the messages that have to be sent
    /// again, including the incomplete one, and their number. True if messages were kept.
    pub fn take_back(&mut self, flushed: u64, mut rest: impl FnMut(IoBuf, usize) -> (IoBuf, u32)) -> bool {
        self.flushed(flushed);
        let Some(handed) = self.handed.take() else { return false };
        let mut state = self.hub.lock();
        let Some(peer) = state.peer(self.id) else { return true };
        for Handed { mut run, begin, .. } in handed.into_iter().rev() {
            if begin < flushed {
                (run.bytes, run.messages) = rest(run.bytes, (flushed - begin) as usize);
            }
            if run.messages > 0 {
                peer.outbox.put_back(run);
            }
        }
        true
    }

    pub fn id(&self) -> PeerId {
        self.id
    }

    /// Takes messages that arrived.
    #[inline]
    pub fn part(&mut self, part: Part) {
        self.unread += part.bytes.len();
        self.batch.push(Run::new(part.bytes, part.others.saturating_add(1)));
        if self.batch.len() >= BATCH {
            self.bring();
        }
    }

    fn bring(&mut self) {
        let mut wakes = Wakes::new();
        self.hub.lock().deliver(self.id, &mut self.batch, &mut wakes);
        wake(wakes);
    }

    /// Subscribes the peer to a topic, or unsubscribes it. Returns false if it has too many topics, or too
    /// many unread changes; its connection has to be closed then.
    #[must_use]
    pub fn topic(&mut self, on: bool, topic: &[u8]) -> bool {
        let mut wakes = Wakes::new();
        let mut state = self.hub.lock();
        let options = self.hub.options();
        let changed =
            if on { state.subscribe(options, self.id, topic) } else { Ok(state.unsubscribe(self.id, topic)) };
        let Ok(changed) = changed else {
            state.refuse();
            return false;
        };
        if let Some(tell) = options.tell.filter(|_| changed || options.tell_all) {
            // A peer that changes its subscriptions faster than the application reads about them must not
            // fill our memory.
            if state.peer(self.id).is_some_and(|peer| peer.changes_too_fast(options)) {
                state.refuse();
                return false;
            }
            self.batch.push(Run::news(tell(on, topic)));
            state.deliver(self.id, &mut self.batch, &mut wakes);
        }
        drop(state);
        wake(wakes);
        true
    }

    /// Notes that the machine accepts messages again.
    pub fn credit(&mut self, credit: Credit) {
        self.credit = credit;
    }

    /// Grants credit for the taken messages, and sends at most `most` waiting runs. Returns their number.
    pub fn serve(&mut self, machine: &mut dyn Machine, cx: &mut Cx<'_>, most: usize) -> usize {
        if !self.batch.is_empty() {
            self.bring();
        }
        let mut served = 0;
        while served < most {
            let mut wakes = Wakes::new();
            let mut state = self.hub.lock();
            let Some(peer) = state.peer(self.id) else {
                self.over = true;
                break;
            };
            let due = peer.is_due().then(|| std::mem::take(&mut peer.taken));
            let run = if self.credit.is_open() { peer.outbox.take() } else { None };
            self.over = peer.ending && peer.outbox.is_empty();
            if run.is_some() && peer.has_drained(self.hub.options()) {
                state.enlist(self.id.slot(), &mut wakes);
            }
            drop(state);
            wake(wakes);
            if let Some(taken) = due {
                self.unread = self.unread.saturating_sub(taken.bytes);
                machine.grant(cx, Exchange::CONNECTION, taken.bytes, taken.messages);
            }
            match run {
                Some(run) => self.send(machine, cx, run),
                None if due.is_none() => break,
                None => {}
            }
            served += 1;
        }
        served
    }

    fn send(&mut self, machine: &mut dyn Machine, cx: &mut Cx<'_>, run: Run) {
        let Some(handed) = &mut self.handed else {
            self.credit = machine.send(cx, Exchange::CONNECTION, &Part::message(run.bytes));
            return;
        };
        let begin = cx.out.position();
        self.credit = machine.send(cx, Exchange::CONNECTION, &Part::message(run.bytes.clone()));
        let end = match cx.out.position() {
            end if end == begin => u64::MAX, // the machine accepts no more
            end => end,
        };
        handed.push_back(Handed { run, begin, end });
    }

    /// Called before the connection waits: `waker` is woken when there is work. Returns false if there is
    /// work already.
    pub fn sleep(&mut self, waker: &Waker) -> bool {
        let mut wakes = Wakes::new();
        let mut state = self.hub.lock();
        if !self.batch.is_empty() {
            state.deliver(self.id, &mut self.batch, &mut wakes);
        }
        let may = match state.peer(self.id) {
            None => true,
            Some(peer) => {
                let waits = self.credit.is_open() && !peer.outbox.is_empty();
                let news = waits || peer.is_due() || (peer.ending && peer.outbox.is_empty() && !self.over);
                if !news && !peer.task.as_ref().is_some_and(|task| task.will_wake(waker)) {
                    peer.task = Some(waker.clone());
                }
                !news
            }
        };
        drop(state);
        wake(wakes);
        may
    }

    /// Bytes of messages that the application has certainly not taken: all but half a window.
    #[inline]
    pub fn held(&self) -> usize {
        self.unread.saturating_sub(self.unknown)
    }

    /// Whether the seat was asked to close, and nothing waits to be sent.
    pub fn is_over(&self) -> bool {
        self.over
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut more = true;
        while more {
            let mut wakes = Wakes::new();
            let mut state = self.hub.lock();
            if !self.batch.is_empty() {
                state.deliver(self.id, &mut self.batch, &mut wakes);
            }
            // A peer with many topics must not hold up all others: the lock is released after some of them.
            more = state.forget_topics(self.hub.options(), self.id, &mut wakes);
            if !more {
                state.disconnect(self.hub.options(), self.id);
            }
            drop(state);
            wake(wakes);
        }
    }
}
