//! The streams of a connection, and the calls that offered them.
//!
//! An entry's key is its place here. At a server it is the exchange's slot, too, and with the place's version the id on the
//! wire; at a client slots and ids come from the dispatcher, whose slots `by_slot` turns into keys.

use super::settings::Settings;
use super::stream::Stream;
use polywire_wire::{Exchange, Role};

pub(super) struct Table {
    role: Role,
    places: Vec<Place>,
    free: Vec<u32>,
    by_slot: Vec<u32>,
}

#[derive(Default)]
struct Place {
    version: u32,
    entry: Option<Entry>,
}

pub(super) enum Entry {
    Stream(Box<Stream>),
    Call(Call),
}

/// A call whose reply says what becomes of the streams inside it.
pub(super) struct Call {
    pub exchange: Exchange,
    /// Their keys, in the order in which they were offered.
    pub streams: Vec<u32>,
    /// Server: what the client offered.
    pub offer: Settings,
}

impl Entry {
    fn exchange(&self) -> Exchange {
        match self {
            Entry::Stream(stream) => stream.exchange,
            Entry::Call(call) => call.exchange,
        }
    }
}

impl Table {
    pub fn new(role: Role) -> Self {
        Table { role, places: Vec::new(), free: Vec::new(), by_slot: Vec::new() }
    }

    /// Streams and calls that are here.
    pub fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// A place to be filled, and the id that goes with it at a server.
    pub fn reserve(&mut self) -> (u32, u64) {
        let key = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place::default());
            self.places.len() as u32 - 1
        });
        (key, u64::from(self.places[key as usize].version) << 32 | u64::from(key))
    }

    pub fn fill(&mut self, key: u32, entry: Entry) {
        let slot = entry.exchange().slot as usize;
        if self.role == Role::Client {
            if self.by_slot.len() <= slot {
                self.by_slot.resize(slot + 1, u32::MAX);
            }
            self.by_slot[slot] = key;
        }
        self.places[key as usize].entry = Some(entry);
    }

    /// Where the dispatcher's exchange is.
    pub fn find(&self, exchange: Exchange) -> Option<u32> {
        let key = self.key_of(exchange.slot)?;
        (self.entry(key)?.exchange() == exchange).then_some(key)
    }

    /// Where the stream of this id is.
    pub fn find_id(&self, id: u64) -> Option<u32> {
        let key = self.key_of(id as u32)?;
        matches!(self.entry(key)?, Entry::Stream(stream) if stream.id == id).then_some(key)
    }

    fn key_of(&self, slot: u32) -> Option<u32> {
        match self.role {
            Role::Server => Some(slot),
            Role::Client => self.by_slot.get(slot as usize).copied(),
        }
    }

    pub fn entry(&self, key: u32) -> Option<&Entry> {
        self.places.get(key as usize)?.entry.as_ref()
    }

    pub fn stream(&mut self, key: u32) -> Option<&mut Stream> {
        match self.places.get_mut(key as usize)?.entry.as_mut()? {
            Entry::Stream(stream) => Some(stream),
            Entry::Call(_) => None,
        }
    }

    pub fn remove(&mut self, key: u32) -> Option<Entry> {
        let place = self.places.get_mut(key as usize)?;
        let entry = place.entry.take()?;
        place.version = place.version.wrapping_add(1);
        self.free.push(key);
        Some(entry)
    }

    pub fn streams(&mut self) -> impl Iterator<Item = &mut Stream> {
        self.places.iter_mut().filter_map(|place| match &mut place.entry {
            Some(Entry::Stream(stream)) => Some(&mut **stream),
            Some(Entry::Call(_)) | None => None,
        })
    }

    pub fn held(&self) -> usize {
        let held = |place: &Place| match &place.entry {
            Some(Entry::Stream(stream)) => stream.held(),
            Some(Entry::Call(_)) | None => 0,
        };
        self.places.iter().map(held).sum()
    }
}
