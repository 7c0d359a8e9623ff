//! The identities on a connection that has several callers.
//!
//! Most connections have one caller, whose identity the connection keeps. Others have several, one after the
//! other or interleaved: connections of proxies, on which each HTTP request shows its own credential; those
//! of Redis clients that send AUTH again; and those on which several protocols alternate. A request is
//! admitted after the verdict on its credential and before any other request of its protocol, so at that
//! moment its caller is the latest one of that protocol. Its body may take longer than those of later
//! requests from other callers. So [`Route::caller`](polywire_wire::Route::caller) records which caller it
//! belongs to.

use super::Identity;
use std::sync::{Mutex, MutexGuard};

/// Identities by number, from 1, with the number of requests that have been admitted and not opened.
#[derive(Default)]
pub(crate) struct Identities(Mutex<Vec<Entry>>);

struct Entry {
    identity: Identity,
    /// Requests that are not opened yet, plus one while this caller is the latest.
    uses: u32,
}

impl Identities {
    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        polywire_base::lock(&self.0)
    }

    /// Adds the latest caller.
    pub fn add(&self, identity: Identity) -> u32 {
        let mut entries = self.lock();
        let entry = Entry { identity, uses: 1 };
        let free = entries.iter().position(|entry| entry.uses == 0);
        match free {
            Some(free) => entries[free] = entry,
            None => entries.push(entry),
        }
        free.map_or(entries.len(), |free| free + 1) as u32
    }

    /// Counts a request of this caller that was admitted.
    pub fn hold(&self, number: u32) {
        if let Some(entry) = self.lock().get_mut(number as usize - 1) {
            entry.uses += 1;
        }
    }

    /// Counts off a request of this caller that is opened or withdrawn, or the caller itself when another
    /// becomes the latest.
    pub fn release(&self, number: u32) -> Option<Identity> {
        let mut entries = self.lock();
        let entry = entries.get_mut(number as usize - 1)?;
        entry.uses = entry.uses.saturating_sub(1);
        match entry.uses {
            0 => Some(std::mem::take(&mut entry.identity)),
            _ => Some(entry.identity.clone()),
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
        assert_eq!(identities.lock().len(), 2);
    }
}
