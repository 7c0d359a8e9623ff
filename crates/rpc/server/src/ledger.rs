//! Records which protocols were used, by which clients and when last, so that an operator knows before a
//! protocol is switched off; and how much each named caller has sent.
//!
//! A connection is recorded when it ends; open connections are added when the ledger is read. Nothing is
//! counted per call.

use polywire_base::lock;
use polywire_engine::ConnectionStats;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, atomic::Ordering::Relaxed},
    time::Instant,
};

/// The maximum number of recorded clients, over all protocols. Beyond it, those that were last seen longest
/// ago are forgotten.
pub const MOST_CLIENTS: usize = 4096;
/// The number of clients forgotten at once, so that making room is rare.
const FORGOTTEN: usize = MOST_CLIENTS / 8;

/// The protocols and clients of ended connections.
#[derive(Default)]
pub struct Ledger(Mutex<Known>);

#[derive(Default, Clone)]
struct Known {
    protocols: HashMap<&'static str, Spoken>,
    clients: HashMap<(&'static str, String), Client>,
    callers: HashMap<String, Caller>,
    /// The number of forgotten clients.
    forgotten: u64,
}

/// The use of one protocol.
#[derive(Clone, Debug)]
pub struct Spoken {
    pub connections: u64,
    /// The number of connections that are open.
    pub open: u64,
    pub messages: u64,
    pub first: Instant,
    pub last: Instant,
}

/// A client of a protocol: a host, or the kind of peer if it has no address.
#[derive(Clone, Debug)]
pub struct Client {
    pub connections: u64,
    pub messages: u64,
    pub last: Instant,
}

/// A caller that the authenticator, or a certificate, has named.
#[derive(Clone, Debug)]
pub struct Caller {
    pub messages: u64,
    pub last: Instant,
    /// Some of the hosts that the caller's messages came from.
    pub hosts: Vec<String>,
}

/// Hosts that are kept of a caller.
const MOST_HOSTS: usize = 4;

/// A reading of the ledger, open connections included.
pub struct Told {
    pub protocols: HashMap<&'static str, Spoken>,
    pub clients: HashMap<(&'static str, String), Client>,
    pub callers: HashMap<String, Caller>,
    /// The number of forgotten clients.
    pub forgotten: u64,
}

impl Ledger {
    /// A connection has ended.
    pub(crate) fn ended(&self, connection: &ConnectionStats) {
        lock(&self.0).add(connection, false);
    }

    /// Reads the ledger, and adds these open connections.
    pub fn told(&self, open: &[Arc<ConnectionStats>]) -> Told {
        let mut known = lock(&self.0).clone();
        open.iter().for_each(|connection| known.add(connection, true));
        let Known { protocols, clients, callers, forgotten } = known;
        Told { protocols, clients, callers, forgotten }
    }
}

impl Known {
    fn add(&mut self, connection: &ConnectionStats, is_open: bool) {
        let Some(protocol) = connection.protocol() else { return };
        let (messages, last) = (connection.messages.load(Relaxed), connection.last_active());
        let spoken = self.protocols.entry(protocol).or_insert_with(|| Spoken {
            connections: 0,
            open: 0,
            messages: 0,
            first: connection.since,
            last,
        });
        spoken.connections += 1;
        spoken.open += u64::from(is_open);
        spoken.messages += messages;
        spoken.first = spoken.first.min(connection.since);
        spoken.last = spoken.last.max(last);
        if self.clients.len() >= MOST_CLIENTS {
            self.forget();
        }
        let client = self.clients.entry((protocol, connection.peer.host()));
        let client = client.or_insert_with(|| Client { connections: 0, messages: 0, last });
        client.connections += 1;
        client.messages += messages;
        client.last = client.last.max(last);
        connection
            .each_caller(|name, messages| self.add_caller(name, messages, &connection.peer.host(), last));
    }

    fn add_caller(&mut self, name: &str, messages: u64, host: &str, last: Instant) {
        if self.callers.len() >= MOST_CLIENTS && !self.callers.contains_key(name) {
            forget(&mut self.callers, |caller| caller.last);
        }
        let caller = self.callers.entry(name.to_owned());
        let caller = caller.or_insert_with(|| Caller { messages: 0, last, hosts: Vec::new() });
        caller.messages += messages;
        caller.last = caller.last.max(last);
        if caller.hosts.len() < MOST_HOSTS && !caller.hosts.iter().any(|known| known == host) {
            caller.hosts.push(host.to_owned());
        }
    }

    fn forget(&mut self) {
        self.forgotten += forget(&mut self.clients, |client| client.last);
    }
}

/// Makes room by forgetting the entries that were last seen longest ago. Returns their number.
fn forget<K: Eq + Hash, V>(all: &mut HashMap<K, V>, last: impl Fn(&V) -> Instant) -> u64 {
    let mut times: Vec<Instant> = all.values().map(&last).collect();
    let (_, oldest, _) = times.select_nth_unstable(FORGOTTEN);
    let (oldest, before) = (*oldest, all.len());
    all.retain(|_, one| last(one) > oldest);
    (before - all.len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn as_many_clients_are_known_as_there_is_room_for_the_newest_of_them() {
        let (mut known, start) = (Known::default(), Instant::now());
        for n in 0..MOST_CLIENTS as u64 {
            let client = Client { connections: 1, messages: 1, last: start + Duration::from_secs(n) };
            known.clients.insert(("http", n.to_string()), client);
        }
        known.forget();
        assert_eq!(known.clients.len() as u64 + known.forgotten, MOST_CLIENTS as u64);
        assert_eq!(known.forgotten as usize, FORGOTTEN + 1);
        for n in 0..2 * MOST_CLIENTS {
            known.add_caller(&n.to_string(), 1, "10.0.0.1", start + Duration::from_secs(n as u64));
        }
        assert!(
            known.callers.len() <= MOST_CLIENTS
                && known.callers.contains_key(&(2 * MOST_CLIENTS - 1).to_string())
        );
        assert!(!known.clients.contains_key(&("http", "0".to_owned())));
        assert!(known.clients.contains_key(&("http", (MOST_CLIENTS - 1).to_string())));
    }
}
