//! The identities on a connection that has several callers.
//!
//! Most connections have one caller, whose identity the connection keeps. Others have several, one after the
//! other or interleaved: connections of proxies, on which each HTTP request carries its own credential; those
//! of Redis clients that send AUTH again; and those on which several protocols alternate. A request is
//! admitted after the verdict on its credential and before any other request of its protocol, so at that
//! moment its caller is the latest one of that protocol. Its body may arrive after those of later requests
//! from other callers. So [`Route::caller`](polywire_wire::Route::caller) records which caller a request
//! belongs to.

//!
//! Pages show the callers by name. The messages of a connection are attributed to its first caller until
//! there is a second one, so that a connection with one caller counts nothing. From then on requests are
//! counted by name, and messages are divided in proportion.

use super::Identity;
use polywire_engine::{Callers, ConnectionStats};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak, atomic::Ordering::Relaxed};

/// The maximum number of caller names per connection; further callers are counted together.
const MOST_NAMES: usize = 64;
/// The name under which further callers are counted.
const FURTHER: &str = "(further callers)";

/// The callers of a connection.
#[derive(Default)]
pub(crate) struct Identities {
    /// The name of the first caller, whose identity the connection has.
    first: OnceLock<Arc<str>>,
    connection: OnceLock<Weak<ConnectionStats>>,
    others: Mutex<Others>,
}

#[derive(Default)]
struct Others {
    /// The callers by number, from 1.
    entries: Vec<Entry>,
    /// Messages of the connection before there was a second caller.
    before: u64,
    /// Requests that were admitted since, by name.
    requests: Vec<(Arc<str>, u64)>,
}

struct Entry {
    identity: Identity,
    /// Requests that are not opened yet, plus one while this caller is the latest.
    uses: u32,
    /// Index into the requests.
    name: usize,
}

impl Others {
    /// The index of the requests of this name.
    fn name(&mut self, name: &Arc<str>) -> usize {
        let name = if self.requests.len() < MOST_NAMES { name.clone() } else { FURTHER.into() };
        let known = self.requests.iter().position(|(known, _)| *known == name);
        known.unwrap_or_else(|| {
            self.requests.push((name, 0));
            self.requests.len() - 1
        })
    }
}

impl Identities {
    fn lock(&self) -> MutexGuard<'_, Others> {
        polywire_base::lock(&self.others)
    }

    /// Records these callers as the connection's.
    pub fn set_connection(&self, connection: &Arc<ConnectionStats>) {
        let _ = self.connection.set(Arc::downgrade(connection)); // called once
    }

    /// The connection has got its first caller.
    pub fn set_first(&self, identity: &Identity) {
        let _ = self.first.set(identity.name.clone()); // called once
    }

    /// Adds the latest caller.
    pub fn add(&self, identity: Identity) -> u32 {
        let mut others = self.lock();
        if others.requests.is_empty() {
            let connection = self.connection.get().and_then(Weak::upgrade);
            others.before = connection.map_or(0, |connection| connection.messages.load(Relaxed));
        }
        let name = others.name(&identity.name);
        let entries = &mut others.entries;
        let entry = Entry { identity, uses: 1, name };
        let free = entries.iter().position(|entry| entry.uses == 0);
        match free {
            Some(free) => entries[free] = entry,
            None => entries.push(entry),
        }
        free.map_or(entries.len(), |free| free + 1) as u32
    }

    /// The identity of the caller with this number.
    pub fn get(&self, number: u32) -> Option<Identity> {
        Some(self.lock().entries.get(number as usize - 1)?.identity.clone())
    }

    /// Counts a request of this caller that was admitted.
    pub fn hold(&self, number: u32) {
        let Others { entries, requests, .. } = &mut *self.lock();
        if let Some(entry) = entries.get_mut(number as usize - 1) {
            entry.uses += 1;
            requests[entry.name].1 += 1;
        }
    }

    /// Counts off a request of this caller that is opened or withdrawn, or the caller itself when another
    /// becomes the latest.
    pub fn release(&self, number: u32) -> Option<Identity> {
        let mut others = self.lock();
        let entry = others.entries.get_mut(number as usize - 1)?;
        entry.uses = entry.uses.saturating_sub(1);
        match entry.uses {
            0 => Some(std::mem::take(&mut entry.identity)),
            _ => Some(entry.identity.clone()),
        }
    }
}

impl Callers for Identities {
    fn each(&self, messages: u64, tell: &mut dyn FnMut(&str, u64)) {
        let others = self.lock();
        let all: u64 = others.requests.iter().map(|(_, requests)| requests).sum();
        let shared = if all > 0 { messages.saturating_sub(others.before) } else { 0 };
        if let Some(first) = self.first.get() {
            tell(first, messages - shared);
        }
        for (name, requests) in &others.requests {
            tell(name, (u128::from(shared) * u128::from(*requests) / u128::from(all.max(1))) as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_is_kept_while_a_request_of_his_is_on_its_way() {
        let identities = Identities::default();
        let name = |number| identities.release(number).map(|identity| identity.name.to_string());
        let bob = identities.add(Identity::named("bob"));
        identities.hold(bob);
        let eve = identities.add(Identity::named("eve"));
        assert_ne!(bob, eve);
        assert_eq!(name(bob), Some("bob".into()), "no longer the latest");
        identities.hold(eve);
        assert_eq!(name(bob), Some("bob".into()), "his request is opened");
        assert_eq!(name(eve), Some("eve".into()));
        assert_eq!(identities.add(Identity::named("kim")), bob, "a place that nobody uses is used again");
        assert_eq!(identities.lock().entries.len(), 2);
    }

    #[test]
    fn messages_are_shared_out_by_requests_from_the_second_caller_on() {
        let identities = Identities::default();
        identities.set_first(&Identity::named("ada"));
        let bob = identities.add(Identity::named("bob"));
        (0..3).for_each(|_| identities.hold(bob));
        let ada = identities.add(Identity::named("ada"));
        identities.hold(ada);
        let mut told = Vec::new();
        identities.lock().before = 100;
        identities.each(120, &mut |name, messages| told.push((name.to_owned(), messages)));
        assert_eq!(told, [("ada".into(), 100), ("bob".into(), 15), ("ada".into(), 5)]);
        told.clear();
        let alone = Identities::default();
        alone.set_first(&Identity::named("ada"));
        alone.each(7, &mut |name, messages| told.push((name.to_owned(), messages)));
        assert_eq!(told, [("ada".into(), 7)]);
    }

    #[test]
    fn a_connection_with_very_many_callers_counts_the_last_of_them_together() {
        let identities = Identities::default();
        for n in 0..1000 {
            let number = identities.add(Identity::named(&n.to_string()));
            identities.hold(number);
            identities.release(number);
            identities.release(number);
        }
        let mut told = Vec::new();
        identities.each(1000, &mut |name, messages| told.push((name.to_owned(), messages)));
        assert_eq!((told.len(), told.last()), (MOST_NAMES + 1, Some(&(FURTHER.to_owned(), 936))));
    }
}
