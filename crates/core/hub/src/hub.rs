//! The hub of a socket: its peers, the choice of the peer that a message goes to, and the order in which
//! received messages are taken.
//!
//! The functions that callers pass run under the hub's lock. They append the bytes of one message and do
//! nothing else: they call no user code, and never wait or lock. `docs/design/hub-lock.md` measures the cost
//! of the lock.

use crate::{
    Options, PeerId, Subscriptions,
    debug::{Figures, PeerFigures},
    left::Left,
    peer::{Peer, Taken},
    run::Run,
    waiters::Waiters,
};
use bytes::Bytes;
use hashbrown::HashMap;
use polywire_base::{IoBuf, Output, Slab};
use polywire_wire::Limits;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
};

/// The peers that share a socket.
pub struct Hub {
    options: Options,
    state: Mutex<State>,
    #[cfg(test)]
    locked: std::sync::atomic::AtomicUsize,
}

/// The reason why a message was not sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendError {
    /// The named peer, or every peer that could take the message, has no room.
    Full,
    /// There is no peer with this name.
    Unknown,
    /// The hub is closed.
    Closed,
}

#[derive(Default)]
pub(crate) struct State {
    /// Peers by the keys in their ids.
    peers: Slab<Box<Peer>>,
    names: HashMap<Box<[u8]>, u32, foldhash::fast::RandomState>,
    subscriptions: Subscriptions,
    /// Number of refused subscriptions.
    refused: u64,
    /// Peers with room, in the order of their turns to be sent to. Some may have been removed.
    ring: VecDeque<u32>,
    /// Peers with messages to take, in the order of their turns.
    ready: VecDeque<u32>,
    readers: Waiters,
    writers: Waiters,
    /// Messages that every peer is sent first: subscriptions.
    preamble: Vec<Bytes>,
    /// The number of messages published so far.
    stamp: u64,
    /// Number of generated names.
    named: u32,
    /// Messages dropped because their peer had no room.
    dropped: u64,
    /// Messages that waited for a peer when it was removed.
    lost: u64,
    left: Left,
    /// Messages of removed peers that were discarded unread.
    discarded: u64,
    /// Number of connected peers.
    connected: usize,
    closed: bool,
}

/// Tasks to wake once the lock is released.
pub(crate) type Wakes = Vec<Waker>;

pub(crate) fn wake(wakes: Wakes) {
    wakes.into_iter().for_each(Waker::wake);
}

impl Hub {
    pub fn new(options: Options) -> Arc<Hub> {
        Arc::new(Hub {
            options,
            state: Mutex::default(),
            #[cfg(test)]
            locked: Default::default(),
        })
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        #[cfg(test)]
        self.locked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        #[cfg(hub_measure)]
        return crate::measure::lock(&self.state);
        #[cfg(not(hub_measure))]
        polywire_base::lock(&self.state)
    }

    #[cfg(test)]
    pub(crate) fn times_locked(&self) -> usize {
        self.locked.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Adds a peer whose connection will be made later, and may be made again. Messages to it wait meanwhile.
    /// `ready`: it takes part in the turns although it is not connected.
    pub fn expect(&self, ready: bool) -> PeerId {
        let mut wakes = Wakes::new();
        let mut state = self.lock();
        let id = state.insert(Box::default(), true);
        if ready {
            state.enlist(id.slot(), &mut wakes);
        }
        drop(state);
        wake(wakes);
        id
    }

    /// Removes a peer permanently: messages that wait for it are dropped; messages that it sent can still be
    /// taken.
    pub fn forget(&self, id: PeerId) {
        let mut wakes = Wakes::new();
        let mut state = self.lock();
        if let Some(peer) = state.peer(id) {
            wakes.extend(peer.task.take());
            peer.ending = true;
            peer.lasting = false;
            if !peer.connected {
                let unsent = u64::from(peer.outbox.messages());
                peer.outbox.clear();
                let gone = peer.queue.is_empty();
                state.lost += unsent;
                if gone {
                    state.remove(id); // otherwise with the last of what it sent
                }
            }
        }
        drop(state);
        wake(wakes);
    }

    /// Sends to one peer.
    ///
    /// # Errors
    /// `Full`, `Unknown` if the peer was removed, or `Closed`. The message was not written. A caller that
    /// does not try again should call [`Hub::drop_message`].
    #[inline]
    pub fn send_to(&self, id: PeerId, write: impl FnOnce(&mut Output)) -> Result<(), SendError> {
        let mut state = self.lock();
        let task = state.send_to(&self.options, id, write)?;
        drop(state);
        task.into_iter().for_each(Waker::wake);
        Ok(())
    }

    /// Counts a message that its sender has dropped, because there was no room or no peer.
    pub fn drop_message(&self) {
        self.lock().dropped += 1;
    }

    /// Whether this peer has room now; `None` if it was removed.
    pub fn has_room(&self, id: PeerId) -> Option<bool> {
        self.lock().peer(id).map(|peer| !peer.is_full(&self.options))
    }

    /// Sends to the peer with this name.
    ///
    /// # Errors
    /// The errors of [`Hub::send_to`].
    pub fn route(&self, name: &[u8], write: impl FnOnce(&mut Output)) -> Result<(), SendError> {
        let mut state = self.lock();
        let Some(&slot) = state.names.get(name) else { return Err(SendError::Unknown) };
        let id = state.id_of(slot).ok_or(SendError::Unknown)?;
        let task = state.send_to(&self.options, id, write)?;
        drop(state);
        task.into_iter().for_each(Waker::wake);
        Ok(())
    }

    /// Sends to the next peer with room, round-robin.
    ///
    /// # Errors
    /// `Full`: no peer has room, or there are no peers. The message was not written.
    #[inline]
    pub fn send_next(&self, write: impl FnOnce(&mut Output)) -> Result<PeerId, SendError> {
        let mut state = self.lock();
        if state.closed {
            return Err(SendError::Closed);
        }
        let (id, peer) = state.next_with_room(&self.options).ok_or(SendError::Full)?;
        peer.outbox.push(write);
        let (task, full) = (peer.task.take(), peer.is_full(&self.options));
        if !full && state.ring.len() > 1 {
            state.ring.rotate_left(1); // the next one's turn
        }
        drop(state);
        task.into_iter().for_each(Waker::wake);
        Ok(id)
    }

    /// Sends once to each peer with a subscription that `topic` begins with. Returns the number of peers; for
    /// each one without room, the message is counted as dropped.
    #[inline]
    pub fn publish(&self, topic: &[u8], mut write: impl FnMut(&mut Output)) -> usize {
        let mut wakes = Wakes::new();
        let mut state = self.lock();
        let State { peers, subscriptions, stamp, dropped, .. } = &mut *state;
        *stamp += 1;
        let mut reached = 0;
        subscriptions.each(topic, |slot| {
            let Some(peer) = peers.at_mut(slot) else { return };
            if std::mem::replace(&mut peer.seen, *stamp) == *stamp {
                return; // already sent, for a shorter prefix
            }
            if peer.is_full(&self.options) {
                *dropped += 1;
                return;
            }
            peer.outbox.push(&mut write);
            wakes.extend(peer.task.take());
            reached += 1;
        });
        drop(state);
        wake(wakes);
        reached
    }

    /// Whether any peer has subscribed to `topic`.
    pub fn is_wanted(&self, topic: &[u8]) -> bool {
        let mut wanted = false;
        self.lock().subscriptions.each(topic, |_| wanted = true);
        wanted
    }

    /// Whether all subscribers of `topic` have room.
    pub fn would_drop(&self, topic: &[u8]) -> bool {
        let state = self.lock();
        let mut full = false;
        state.subscriptions.each(topic, |slot| {
            full |= state.peers.at(slot).is_some_and(|peer| peer.is_full(&self.options));
        });
        full
    }

    /// Sends to every peer that has room, connected or not.
    pub fn broadcast(&self, mut write: impl FnMut(&mut Output)) {
        let mut wakes = Wakes::new();
        let mut state = self.lock();
        let State { peers, dropped, .. } = &mut *state;
        for peer in peers.iter_mut().map(|(_, peer)| peer).filter(|peer| peer.connected) {
            if peer.is_full(&self.options) {
                *dropped += 1;
                continue;
            }
            peer.outbox.push(&mut write);
            wakes.extend(peer.task.take());
        }
        drop(state);
        wake(wakes);
    }

    /// Changes the messages that every peer is sent when its connection begins, before anything else. The
    /// change is made under the hub's lock, together with sending a message to the peers that are connected.
    pub fn preamble(&self, change: impl FnOnce(&mut Vec<Bytes>) -> Option<Bytes>) {
        let mut wakes = Wakes::new();
        let mut state = self.lock();
        let State { peers, preamble, .. } = &mut *state;
        if let Some(message) = change(preamble) {
            for peer in peers.iter_mut().map(|(_, peer)| peer).filter(|peer| peer.connected) {
                peer.outbox.push(|out| out.push(message.clone()));
                wakes.extend(peer.task.take());
            }
        }
        drop(state);
        wake(wakes);
    }

    /// Takes, from each peer that sent something, its oldest run: one or more messages back to back. Returns
    /// the number of peers.
    pub fn take(&self, into: &mut VecDeque<(PeerId, IoBuf)>) -> usize {
        let mut wakes = Wakes::new();
        let taken = self.lock().take(into, &mut wakes);
        wake(wakes);
        taken
    }

    /// Like [`Hub::take`]; if there is no message, registers under `ticket` to be woken. `Err`: the hub is
    /// closed and empty.
    pub fn poll_take(
        &self,
        cx: &mut Context<'_>,
        ticket: &mut u64,
        into: &mut VecDeque<(PeerId, IoBuf)>,
    ) -> Poll<Result<usize, SendError>> {
        let mut wakes = Wakes::new();
        let mut state = self.lock();
        let taken = state.take(into, &mut wakes);
        let polled = match taken {
            0 if state.closed => Poll::Ready(Err(SendError::Closed)),
            0 => {
                state.readers.wait(ticket, cx.waker());
                Poll::Pending
            }
            n => Poll::Ready(Ok(n)),
        };
        drop(state);
        wake(wakes);
        polled
    }

    /// Calls `attempt` until it finds room, that is, returns `Some`; waits under `ticket` meanwhile. `Err`:
    /// closed.
    pub fn poll_room<T>(
        &self,
        cx: &mut Context<'_>,
        ticket: &mut u64,
        mut attempt: impl FnMut() -> Option<T>,
    ) -> Poll<Result<T, SendError>> {
        if let Some(done) = attempt() {
            return Poll::Ready(Ok(done));
        }
        let mut state = self.lock();
        if state.closed {
            return Poll::Ready(Err(SendError::Closed));
        }
        state.writers.wait(ticket, cx.waker());
        drop(state);
        match attempt() {
            None => Poll::Pending,
            Some(done) => Poll::Ready(Ok(done)), // room became free before the task was in the list
        }
    }

    /// Removes the waiting task of this ticket.
    #[inline]
    pub fn leave(&self, ticket: u64) {
        if ticket != 0 {
            self.leave_now(ticket);
        }
    }

    #[cold]
    fn leave_now(&self, ticket: u64) {
        let mut state = self.lock();
        state.readers.leave(ticket);
        state.writers.leave(ticket);
    }

    /// Closes the hub: waiting tasks are woken with an error; connections send the waiting messages and then
    /// close.
    pub fn close(&self) {
        let mut wakes = Wakes::new();
        let mut state = self.lock();
        state.closed = true;
        state.readers.take(&mut wakes);
        state.writers.take(&mut wakes);
        for (_, peer) in state.peers.iter_mut() {
            peer.ending = true;
            wakes.extend(peer.task.take());
        }
        drop(state);
        wake(wakes);
    }

    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Number of connected peers.
    pub fn connected(&self) -> usize {
        self.lock().connected()
    }

    /// Whether messages wait for this peer; `None` if it was removed.
    pub fn has_unsent(&self, id: PeerId) -> Option<bool> {
        self.lock().peer(id).map(|peer| !peer.outbox.is_empty())
    }

    /// Number of messages that wait for peers.
    pub fn unsent(&self) -> u64 {
        self.lock().peers.iter().map(|(_, peer)| u64::from(peer.outbox.messages())).sum()
    }

    /// Number of messages dropped because their peer had no room or did not exist: publications, counted for
    /// each subscriber, and messages that senders have dropped ([`Hub::drop_message`]).
    pub fn dropped(&self) -> u64 {
        self.lock().dropped
    }

    /// Number of messages that still waited for a peer when it was removed.
    pub fn lost(&self) -> u64 {
        self.lock().lost
    }

    /// Number of messages of removed peers that were discarded before the application took them
    /// ([`Options::left_bytes`]).
    pub fn discarded(&self) -> u64 {
        self.lock().discarded
    }

    /// Approximate size in bytes of the messages that removed peers have left.
    pub fn left_bytes(&self) -> usize {
        self.lock().left.bytes()
    }

    /// Number of subscriptions that were refused because the peer, or all peers together, would have had too
    /// many topics.
    pub fn refused(&self) -> u64 {
        self.lock().refused
    }

    /// Approximate memory of the topics of all peers, in bytes.
    pub fn topic_memory(&self) -> usize {
        self.lock().subscriptions.memory()
    }

    /// The name of a peer.
    pub fn name_of(&self, id: PeerId) -> Option<Box<[u8]>> {
        self.lock().peer(id).map(|peer| peer.name.clone())
    }
}

impl State {
    pub fn peer(&mut self, id: PeerId) -> Option<&mut Peer> {
        self.peers.get_mut(id.0).map(|peer| &mut **peer)
    }

    fn id_of(&self, slot: u32) -> Option<PeerId> {
        self.peers.key_at(slot).map(PeerId)
    }

    pub fn insert(&mut self, name: Box<[u8]>, lasting: bool) -> PeerId {
        PeerId(self.peers.insert(Box::new(Peer::new(name, lasting))))
    }

    /// Removes a peer, with its messages that the application has not taken, unless these still wait for
    /// their turn.
    pub fn remove(&mut self, id: PeerId) {
        let Some(peer) = self.peers.remove(id.0) else { return };
        debug_assert!(peer.left_at == 0, "what it left was taken or given up");
        self.names.remove(&peer.name);
        self.ready.retain(|slot| *slot != id.slot());
        self.ring.retain(|slot| *slot != id.slot());
    }

    /// Gives the peer its name, or a generated one: "5 bytes 00 + 4-byte counter when empty". Returns false
    /// if the name is taken.
    pub fn name(&mut self, id: PeerId, name: &[u8], handover: bool, wakes: &mut Wakes) -> bool {
        let name: Box<[u8]> = match name {
            b"" => {
                self.named = self.named.wrapping_add(1);
                let counter = self.named.to_be_bytes();
                Box::new([0, counter[0], counter[1], counter[2], counter[3]])
            }
            name => name.into(),
        };
        if let Some(&slot) = self.names.get(&name).filter(|slot| **slot != id.slot()) {
            if !handover {
                return false;
            }
            if let Some(other) = self.peers.at_mut(slot) {
                other.ending = true;
                other.name = Box::default();
                wakes.extend(other.task.take());
            }
        }
        let Some(peer) = self.peer(id) else { return false };
        let old = std::mem::replace(&mut peer.name, name.clone());
        if *old != *name {
            self.names.remove(&old);
        }
        self.names.insert(name, id.slot());
        true
    }

    /// Notes that the peer has room: it takes part in the turns again.
    pub fn enlist(&mut self, slot: u32, wakes: &mut Wakes) {
        if let Some(peer) = self.peers.at_mut(slot) {
            if !std::mem::replace(&mut peer.in_ring, true) {
                self.ring.push_back(slot);
            }
            if !self.writers.is_empty() {
                self.writers.take(wakes);
            }
        }
    }

    #[inline]
    fn next_with_room(&mut self, options: &Options) -> Option<(PeerId, &mut Peer)> {
        while let Some(&slot) = self.ring.front() {
            if let Some(peer) = self.peers.at_mut(slot) {
                if !peer.is_full(options) && !peer.ending {
                    break;
                }
                peer.in_ring = false;
            }
            self.ring.pop_front();
        }
        let id = self.id_of(*self.ring.front()?)?;
        Some((id, self.peer(id)?))
    }

    #[inline]
    fn send_to(
        &mut self,
        options: &Options,
        id: PeerId,
        write: impl FnOnce(&mut Output),
    ) -> Result<Option<Waker>, SendError> {
        let closed = self.closed;
        let peer = self.peer(id).ok_or(SendError::Unknown)?;
        if closed {
            return Err(SendError::Closed);
        }
        if peer.is_full(options) {
            return Err(SendError::Full);
        }
        peer.outbox.push(write);
        Ok(peer.task.take())
    }

    /// Takes at most one run of each peer, so that the caller can give each message its turn.
    fn take(&mut self, into: &mut VecDeque<(PeerId, IoBuf)>, wakes: &mut Wakes) -> usize {
        let mut taken = 0;
        for _ in 0..self.ready.len() {
            let Some(slot) = self.ready.pop_front() else { break };
            let Some(id) = self.id_of(slot) else { continue };
            let Some(peer) = self.peers.get_mut(id.0) else { continue };
            let Some((run, left)) = peer.queue.pop() else { continue };
            if left {
                self.left.remove(&mut peer.left_at, run.cost(), peer.queue.left() == 0);
            } else if !run.news {
                peer.taken.bytes += run.bytes.len();
                peer.taken.messages += run.messages;
                if peer.is_due() {
                    wakes.extend(peer.task.take());
                }
            }
            into.push_back((id, run.bytes));
            taken += 1;
            if !peer.queue.is_empty() {
                self.ready.push_back(slot);
            } else if peer.ending && !peer.connected {
                self.remove(id); // the peer was removed before, and this was its last run
            }
        }
        taken
    }

    /// Adds the runs that a connection has received.
    pub fn deliver(&mut self, id: PeerId, batch: &mut Vec<Run>, wakes: &mut Wakes) {
        let Some(peer) = self.peer(id) else { return batch.clear() };
        if batch.is_empty() {
            return;
        }
        let was_empty = peer.queue.is_empty();
        batch.drain(..).for_each(|run| peer.queue.push(run));
        if was_empty && !peer.queue.is_empty() {
            self.ready.push_back(id.slot());
        }
        self.readers.take(wakes);
    }

    /// A connection of the peer begins.
    pub fn connect(&mut self, id: PeerId, limits: &Limits, wakes: &mut Wakes) {
        let preamble = self.preamble.clone();
        let Some(peer) = self.peer(id) else { return };
        let again = std::mem::replace(&mut peer.connected, true);
        peer.marks = Taken { bytes: limits.window as usize, messages: limits.high_water };
        peer.taken = Taken::default();
        if !preamble.is_empty() {
            peer.outbox.clear(); // old subscriptions; all current ones are sent now
        }
        for message in preamble {
            peer.outbox.push(|out| out.push(message));
        }
        self.connected += usize::from(!again);
        self.enlist(id.slot(), wakes);
    }

    /// Handles the end of a peer's connection, and of its subscriptions ([`State::forget_topics`]). A peer
    /// that connected to us is removed; messages that it sent can still be taken.
    pub fn disconnect(&mut self, options: &Options, id: PeerId) {
        let closed = self.closed;
        let Some(peer) = self.peer(id) else { return };
        let connected = std::mem::replace(&mut peer.connected, false);
        peer.task = None;
        self.connected -= usize::from(connected);
        self.leave_behind(options, id);
        let Some(peer) = self.peer(id) else { return };
        if peer.lasting && !closed {
            return;
        }
        peer.ending = true;
        let name = std::mem::take(&mut peer.name);
        let unsent = u64::from(peer.outbox.messages());
        peer.outbox.clear();
        let gone = peer.queue.is_empty();
        self.lost += unsent;
        self.names.remove(&name);
        if gone {
            self.remove(id);
        }
    }

    /// After a peer's connection has ended: its messages that the application has not taken count towards
    /// [`Options::left_bytes`].
    fn leave_behind(&mut self, options: &Options, id: PeerId) {
        let Some(peer) = self.peers.at_mut(id.slot()) else { return };
        let more = peer.queue.leave();
        if more > 0 {
            self.left.add(id, &mut peer.left_at, more);
        }
        while let Some(first) = self.left.first_beyond(options.left_bytes) {
            let Some(peer) = self.peers.at_mut(first.slot()) else { return };
            if self.left.peers() == 1 && peer.queue.left() == 1 {
                return; // a single message may be longer than the limit
            }
            let Some((run, _)) = peer.queue.pop() else { return };
            self.discarded += u64::from(run.messages);
            self.left.remove(&mut peer.left_at, run.cost(), peer.queue.left() == 0);
            if peer.queue.is_empty() {
                self.ready.retain(|slot| *slot != first.slot());
                if peer.ending && !peer.connected {
                    self.remove(first);
                }
            }
        }
    }

    pub fn connected(&self) -> usize {
        self.connected
    }

    /// Adds a subscription. True if it is the first of any peer. `Err`: the peer, or all peers together,
    /// would have too many topics.
    pub fn subscribe(&mut self, options: &Options, id: PeerId, topic: &[u8]) -> Result<bool, ()> {
        if self.peer(id).is_none() {
            return Ok(false);
        }
        if let Some(cost) = self.subscriptions.cost(topic, id.slot()) {
            let (topics, bytes) = self.subscriptions.held_by(id.slot());
            if topics >= options.topics as usize
                || bytes + topic.len() > options.topic_bytes
                || self.subscriptions.memory() + cost > options.topic_memory
            {
                return Err(());
            }
        }
        Ok(self.subscriptions.add(topic, id.slot()).any)
    }

    /// Removes a subscription. True if no peer has one for this topic any more.
    pub fn unsubscribe(&mut self, id: PeerId, topic: &[u8]) -> bool {
        self.peer(id).is_some()
            && self.subscriptions.remove(topic, id.slot()).is_some_and(|change| change.any)
    }

    /// Removes some subscriptions of a peer whose connection has ended. Returns whether subscriptions remain.
    pub fn forget_topics(&mut self, options: &Options, id: PeerId, wakes: &mut Wakes) -> bool {
        if self.peer(id).is_none() {
            return false;
        }
        let mut news = Vec::new();
        let more = self.subscriptions.forget_some(id.slot(), FORGOTTEN_AT_ONCE, |topic| {
            news.extend(options.tell.map(|tell| Run::news(tell(false, topic))));
        });
        self.deliver(id, &mut news, wakes);
        more
    }

    pub fn refuse(&mut self) {
        self.refused += 1;
    }

    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Figures for diagnosis, with at most this many peers.
    pub fn figures(&self, peers: usize) -> Figures {
        let figures = |(slot, peer): (usize, &Peer)| PeerFigures {
            slot,
            connected: peer.connected,
            asleep: peer.task.is_some(),
            ending: peer.ending,
            unsent: peer.outbox.messages(),
            unread: peer.queue.runs(),
            ungranted: peer.taken.messages,
        };
        let present = self.peers.iter().map(|(slot, peer)| (slot as usize, &**peer));
        Figures {
            closed: self.closed,
            connected: self.connected,
            ready: self.ready.len(),
            readers: self.readers.len(),
            writers: self.writers.len(),
            peers: present.take(peers).map(figures).collect(),
        }
    }
}

/// The number of subscriptions of a removed peer that are ended while the lock is held once.
const FORGOTTEN_AT_ONCE: usize = 256;
