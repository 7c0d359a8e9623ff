//! All streams of a connection, in dense slots, found by their ids.
//!
//! ```text
//!  slots:   [ stream 7 | free | stream 9 | released, wire open | .. ]      free: [1]
//!  places:  hash(id) -> slot, linear probing; ids that follow each other never collide
//! ```
//!
//! Invariants: a slot is free only when semantics have ended their exchange and both halves of the wire are
//!             over (rule 1 of the contract); `places` holds exactly the slots whose stream is not closed.
//! Limits:     as many slots as streams were open at once lately, see [`Streams::shrink`].
//! This is not a [`polywire_base::Slab`]. A free slot still holds a stream: its memory for heads is used by
//! the next stream, and it may be read after its end in the turn in which it ended. Ids are never used again,
//! so they serve as versions.

use super::{state::State, window::Window};
use crate::http::framing::{Broken, HeadBlock};
use polywire_base::{IoBuf, Sort};
use std::time::Instant;

/// A slot, and the stream that it holds.
#[derive(Default)]
pub(super) struct Stream {
    pub id: u32,
    pub state: State,
    pub phase: Phase,
    pub answer: Answer,
    /// The head that the peer sent.
    pub head: HeadBlock,
    /// The number of bytes of the received head.
    head_bytes: usize,
    /// The peer's trailers, as records.
    pub trailers: Vec<u8>,
    pub inbound: Inbound,
    pub outbound: Outbound,
}

/// The state of a stream for semantics; [`State`] is its state on the wire. A slot is free again when both
/// have reached their end.
///
/// ```text
///                  ┌────────────┐  its head is fine  ┌──────────┐
///        recv H ┌─►│ Unreported │───────────────────►│ Reported │──┐ broken off by the peer
///               │  └────────────┘                    │          │◄─┘ (once; reported, then `None` again)
///  ┌──────┐     │        │ refused           ┌──────►└──────────┘
///  │ Free │─────┤        │                   │            │ release
///  └──────┘     └────────┼─── send H ────────┘            │
///      ▲                 │                                ▼
///      │                 │                           ┌──────────┐
///      │                 └──────────────────────────►│ Released │
///      │             both halves are over            └──────────┘
///      └──────────────────────────────────────────────────┘
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Phase {
    /// The slot holds no stream and is in the list of free slots.
    #[default]
    Free,
    /// Server: the head of a request is being checked.
    Unreported,
    /// Semantics has an exchange for the stream.
    Reported {
        /// How the peer ended the stream early, as long as that is not reported.
        broken: Option<Broken>,
    },
    /// Semantics has ended its exchange, or never had one.
    Released,
}

/// The progress of the reply: at a server its own, at a client the peer's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Answer {
    #[default]
    Due,
    /// Client: due, and without a body whatever its head states, because the request is HEAD.
    DueBodiless,
    /// The stream's head has been sent or received.
    Begun,
}

/// The half of a stream that the peer sends.
#[derive(Default)]
pub(super) struct Inbound {
    /// The window of the peer.
    pub window: Window,
    /// The amount by which the window has grown with the connection's bandwidth-delay product.
    pub growth: u32,
    pub update: Update,
    /// Bytes of the body that its `content-length` still announces.
    pub expected: Option<u64>,
}

/// Whether a window is in the list of windows that may have to be reopened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Update {
    #[default]
    Unlisted,
    /// The window is reopened when the increment is worth a frame.
    Listed,
    /// The window is reopened by any increment.
    Urgent,
}

/// The half of a stream that this side sends.
#[derive(Default)]
pub(super) struct Outbound {
    /// Number of bytes that may be sent; negative after SETTINGS made the window smaller.
    pub window: i64,
    pub queue: IoBuf,
    pub tail: Tail,
    /// Whether the stream is in the list of streams that have bytes to send and a window for them.
    pub is_ready: bool,
    /// Whether the sender waits for `Http::Writable`.
    pub is_stalled: bool,
    /// The first check at which there was something to send, if nothing has been sent since.
    pub resting: Option<Instant>,
}

/// The end of the stream that follows the queued bytes.
#[derive(Default)]
pub(super) enum Tail {
    /// More of the body.
    #[default]
    Open,
    /// Nothing: this side's half ends with the queue.
    End,
    /// Trailers, kept as records until the queue is empty.
    Trailers(Box<[u8]>),
}

impl Outbound {
    /// Whether the end of the half is known, so that nothing can be added to the queue.
    pub fn has_end(&self) -> bool {
        match self.tail {
            Tail::Open => false,
            Tail::End | Tail::Trailers(_) => true,
        }
    }
}

impl Stream {
    /// Whether there is a stream in this slot.
    #[inline]
    pub fn is_taken(&self) -> bool {
        !matches!(self.phase, Phase::Free)
    }

    /// Whether semantics no longer receives events of the stream.
    #[inline]
    pub fn is_released(&self) -> bool {
        matches!(self.phase, Phase::Released)
    }

    /// Notes that the stream has been reported to semantics.
    #[inline]
    pub fn report(&mut self) {
        if matches!(self.phase, Phase::Unreported) {
            self.phase = Phase::Reported { broken: None };
        }
    }

    /// Releases a stream that was never reported; false if it was.
    pub fn refuse(&mut self) -> bool {
        let is_new = matches!(self.phase, Phase::Unreported);
        if is_new {
            self.phase = Phase::Released;
        }
        is_new
    }

    /// Notes that the peer ended it early; returns whether that has to be reported to semantics.
    pub fn break_off(&mut self, why: Broken) -> bool {
        match &mut self.phase {
            Phase::Unreported | Phase::Reported { .. } => {
                self.phase = Phase::Reported { broken: Some(why) };
                true
            }
            Phase::Free | Phase::Released => false,
        }
    }

    /// Takes the way in which the peer ended the stream early, if that is not reported yet.
    pub fn take_broken(&mut self) -> Option<Broken> {
        match &mut self.phase {
            Phase::Reported { broken } => broken.take(),
            Phase::Free | Phase::Unreported | Phase::Released => None,
        }
    }

    /// Records that semantics has ended its exchange; returns whether it had one.
    pub fn release(&mut self) -> bool {
        match self.phase {
            Phase::Unreported | Phase::Reported { .. } => {
                self.phase = Phase::Released;
                true
            }
            Phase::Free | Phase::Released => false,
        }
    }

    /// Whether something of this side's half has still to be sent.
    pub fn is_sending(&self) -> bool {
        self.state.can_send() && (self.outbound.has_end() || !self.outbound.queue.is_empty())
    }

    /// Whether the stream is sending and, if bytes are queued, its window is open for them.
    pub fn has_turn(&self) -> bool {
        self.is_sending() && (self.outbound.queue.is_empty() || self.outbound.window > 0)
    }

    /// Resets the slot for the next stream; keeps the memory of heads that are not too long.
    fn clear(&mut self) {
        self.head.shrink();
        let mut trailers = std::mem::take(&mut self.trailers);
        trailers.clear();
        if trailers.capacity() > 1 << 10 {
            trailers = Vec::new();
        }
        let head = std::mem::take(&mut self.head);
        *self = Stream { head, trailers, ..Stream::default() };
    }
}

/// Refers to a stream in a list that may outlive it. It finds nothing once its stream is gone, even if
/// another stream uses the slot or the slot no longer exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Listed {
    slot: u32,
    id: u32,
}

#[derive(Default)]
pub(super) struct Streams {
    slots: Vec<Stream>,
    free: Vec<u32>,
    /// Slot plus 1; 0 if empty. The length is a power of two.
    places: Vec<u32>,
    /// Number of streams that are not in the place of their id, because it was taken.
    displaced: u32,
    /// Number of slots with a stream.
    live: u32,
    /// Bytes of all their heads.
    heads: usize,
    /// Most streams at once since slots were last freed.
    peak: u32,
}

impl Streams {
    pub fn live(&self) -> u32 {
        self.live
    }

    /// Number of bytes of the decoded heads of all open streams, whether they are still stored here or with
    /// the handlers of the calls.
    #[inline]
    pub fn heads(&self) -> usize {
        self.heads
    }

    /// Notes that the head of this slot has been decoded.
    #[inline]
    pub fn note_head(&mut self, slot: u32) {
        let stream = &mut self.slots[slot as usize];
        let before = std::mem::replace(&mut stream.head_bytes, stream.head.raw.len());
        self.heads = self.heads + stream.head_bytes - before;
    }

    /// Bytes of heads that are long and kept here, and of trailers.
    pub fn held(&self) -> usize {
        if self.live() == 0 {
            return 0;
        }
        let taken = self.slots.iter().filter(|stream| stream.is_taken());
        let long = taken.map(|stream| {
            stream.trailers.len() + if stream.head.is_long() { stream.head.raw.capacity() } else { 0 }
        });
        long.sum()
    }

    #[inline]
    pub fn get(&self, slot: u32) -> &Stream {
        &self.slots[slot as usize]
    }

    #[inline]
    pub fn at(&mut self, slot: u32) -> &mut Stream {
        &mut self.slots[slot as usize]
    }

    /// An entry for a list that may outlive the stream in this slot.
    #[inline]
    pub fn listed(&self, slot: u32) -> Listed {
        Listed { slot, id: self.get(slot).id }
    }

    /// The slot of a stream in a list, if it is still there.
    #[inline]
    pub fn slot_of(&self, listed: Listed) -> Option<u32> {
        let stream = self.slots.get(listed.slot as usize)?;
        (stream.is_taken() && stream.id == listed.id).then_some(listed.slot)
    }

    /// The slots that have a stream.
    pub fn slots(&self) -> impl Iterator<Item = u32> + use<> {
        let taken = self.slots.iter().enumerate().filter(|(_, stream)| stream.is_taken());
        taken.map(|(slot, _)| slot as u32).collect::<Vec<_>>().into_iter()
    }

    /// A slot for a new stream, which is open on both sides.
    pub fn open(&mut self, id: u32, phase: Phase) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            if self.slots.is_empty() {
                self.slots.reserve_exact(1); // most connections have a call at a time
            }
            self.slots.push(Stream::default());
            self.slots.len() as u32 - 1
        });
        let stream = self.at(slot);
        (stream.id, stream.state, stream.phase) = (id, State::Open, phase);
        self.live += 1;
        self.peak = self.peak.max(self.live);
        self.put(slot);
        slot
    }

    /// Number of slots, used or free.
    pub fn slots_kept(&self) -> usize {
        self.slots.len()
    }

    /// Frees unused slots at the end, but keeps `least`, and as many as were in use at once since the last
    /// call. Returns the number of slots.
    #[cold]
    pub fn shrink(&mut self, least: usize) -> usize {
        let keep = least.max(self.peak as usize);
        self.peak = self.live;
        let used = self.slots.iter().rposition(Stream::is_taken).map_or(0, |slot| slot + 1);
        let length = self.slots.len().min(keep.max(used));
        self.slots.truncate(length);
        self.slots.shrink_to_fit();
        self.free.retain(|slot| (*slot as usize) < length);
        self.free.shrink_to_fit();
        self.free.order_by(|a, b| b.cmp(a)); // so that streams gather at the beginning
        self.spread();
        length
    }

    /// The slot of a stream that is not closed.
    #[inline]
    pub fn find(&self, id: u32) -> Option<u32> {
        self.place(id).map(|place| self.places[place] - 1)
    }

    /// Notes that the stream is closed: its id is removed from the table.
    #[inline]
    pub fn close(&mut self, slot: u32) {
        let id = self.get(slot).id;
        self.at(slot).state = State::Closed;
        if let Some(place) = self.place(id) {
            self.remove(place);
        }
    }

    /// Makes the slot available again.
    pub fn free(&mut self, slot: u32) {
        debug_assert_eq!(self.get(slot).state, State::Closed);
        self.heads -= self.get(slot).head_bytes;
        self.at(slot).clear();
        self.free.push(slot);
        self.live -= 1;
    }

    #[inline]
    fn home(&self, id: u32) -> usize {
        (id >> 1) as usize & (self.places.len() - 1)
    }

    #[inline]
    fn place(&self, id: u32) -> Option<usize> {
        if self.places.is_empty() {
            return None;
        }
        let mut place = self.home(id);
        while let slot @ 1.. = self.places[place] {
            if self.slots[slot as usize - 1].id == id {
                return Some(place);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        None
    }

    fn put(&mut self, slot: u32) {
        if self.places.len() < 2 * self.slots.len() {
            self.spread();
        }
        self.insert(slot);
    }

    /// Makes as many places as the slots need.
    fn spread(&mut self) {
        let open = std::mem::take(&mut self.places);
        self.places = vec![0; (2 * self.slots.len()).next_power_of_two().max(4)];
        self.displaced = 0;
        open.into_iter().filter(|slot| *slot > 0).for_each(|slot| self.insert(slot - 1));
    }

    fn insert(&mut self, slot: u32) {
        let home = self.home(self.get(slot).id);
        let mut place = home;
        while self.places[place] != 0 {
            place = (place + 1) & (self.places.len() - 1);
        }
        self.displaced += u32::from(place != home);
        self.places[place] = slot + 1;
    }

    #[inline]
    fn remove(&mut self, place: usize) {
        if self.displaced > 0 {
            return self.close_gap(place);
        }
        self.places[place] = 0;
    }

    /// Takes an entry out and moves those after it, so that they are still found.
    #[cold]
    fn close_gap(&mut self, mut gap: usize) {
        let mask = self.places.len() - 1;
        let home = |slot: u32| (self.slots[slot as usize - 1].id >> 1) as usize & mask;
        self.displaced -= u32::from(home(self.places[gap]) != gap);
        let mut place = gap;
        loop {
            place = (place + 1) & mask;
            let slot = self.places[place];
            if slot == 0 {
                break;
            }
            let home = home(slot);
            if place.wrapping_sub(home) & mask >= place.wrapping_sub(gap) & mask {
                self.displaced -= u32::from(home == gap);
                self.places[gap] = slot;
                gap = place;
            }
        }
        self.places[gap] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_semantics_know_is_reported_broken_and_once() {
        let of = |phase| Stream { phase, ..Stream::default() };
        let reported = Phase::Reported { broken: None };
        for (phase, hears) in
            [(Phase::Free, false), (Phase::Unreported, true), (reported, true), (Phase::Released, false)]
        {
            let mut stream = of(phase);
            assert_eq!(stream.break_off(Broken::Cut), hears, "{phase:?}");
            assert_eq!(stream.take_broken(), hears.then_some(Broken::Cut), "{phase:?}");
            assert_eq!(stream.take_broken(), None, "{phase:?}");
        }
        let mut stream = of(reported);
        stream.break_off(Broken::Cut);
        assert!(stream.release() && !stream.release() && stream.is_released());
        assert_eq!(stream.take_broken(), None, "semantics have ended it themselves");
    }

    #[test]
    fn only_a_stream_that_was_never_reported_can_be_refused() {
        for phase in [Phase::Free, Phase::Reported { broken: None }, Phase::Released] {
            let mut stream = Stream { phase, ..Stream::default() };
            assert!(!stream.refuse());
            assert_eq!(stream.phase, phase);
        }
        let mut stream = Stream { phase: Phase::Unreported, ..Stream::default() };
        assert!(stream.refuse() && stream.is_released());
    }
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn finds_what_is_open(ops in prop::collection::vec((any::<bool>(), 0usize..64, 1u32..9), 0..300)) {
            let (mut streams, mut model, mut next) = (Streams::default(), BTreeMap::new(), 1);
            let mut lists = Vec::new();
            for (opens, which, step) in ops {
                if which == 63 {
                    let left = streams.shrink(2);
                    prop_assert!(left == streams.slots_kept() && model.values().all(|slot| (*slot as usize) < left));
                }
                if opens {
                    next += 2 * step;
                    let slot = streams.open(next, Phase::Unreported);
                    lists.push((streams.listed(slot), next, slot));
                    prop_assert!(model.values().all(|other| *other != slot));
                    model.insert(next, slot);
                } else if let Some((&id, &slot)) = model.iter().nth(which % model.len().max(1)) {
                    model.remove(&id);
                    streams.close(slot);
                    prop_assert_eq!(streams.find(id), None);
                    streams.free(slot);
                }
                prop_assert_eq!(streams.live() as usize, model.len());
                for (listed, id, slot) in &lists {
                    prop_assert_eq!(streams.slot_of(*listed), model.contains_key(id).then_some(*slot));
                }
                for (id, slot) in &model {
                    prop_assert_eq!(streams.find(*id), Some(*slot));
                    prop_assert_eq!(streams.find(*id + 2) , model.get(&(*id + 2)).copied());
                }
            }
        }
    }
}
