//! Which protocols were spoken, by whom and when last: what is asked before a protocol is switched off.
//!
//! Noted when a connection ends; what is open is added when somebody looks. Nothing is counted per call.

use polywire_base::lock;
use polywire_engine::ConnectionStats;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, atomic::Ordering::Relaxed},
    time::Instant,
};

/// Clients that are known, over all protocols. When there are more, those that were there longest ago are forgotten.
pub(crate) const MOST_CLIENTS: usize = 4096;
/// How many are forgotten at once, so that making room is seldom.
const FORGOTTEN: usize = MOST_CLIENTS / 8;

/// What ended connections have spoken.
#[derive(Default)]
pub(crate) struct Ledger(Mutex<Known>);

#[derive(Default, Clone)]
struct Known {
    protocols: HashMap<&'static str, Spoken>,
    clients: HashMap<(&'static str, String), Client>,
    /// How many clients were forgotten.
    forgotten: u64,
}

/// How much a protocol was spoken.
#[derive(Clone, Debug)]
pub(crate) struct Spoken {
    pub connections: u64,
    /// Those of them that are open.
    pub open: u64,
    pub messages: u64,
    pub first: Instant,
    pub last: Instant,
}

/// Who spoke a protocol: a machine, or what a peer is without an address.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub connections: u64,
    pub messages: u64,
    pub last: Instant,
}

/// What is known now, open connections included.
pub(crate) struct Told {
    pub protocols: HashMap<&'static str, Spoken>,
    pub clients: HashMap<(&'static str, String), Client>,
    /// How many clients are known no more.
    pub forgotten: u64,
}

impl Ledger {
    /// A connection has ended.
    pub fn ended(&self, connection: &ConnectionStats) {
        lock(&self.0).add(connection, false);
    }

    /// What is known, with these open connections.
    pub fn told(&self, open: &[Arc<ConnectionStats>]) -> Told {
        let mut known = lock(&self.0).clone();
        open.iter().for_each(|connection| known.add(connection, true));
        let Known { protocols, clients, forgotten } = known;
        Told { protocols, clients, forgotten }
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
    }

    fn forget(&mut self) {
        let mut times: Vec<Instant> = self.clients.values().map(|client| client.last).collect();
        let (_, oldest, _) = times.select_nth_unstable(FORGOTTEN);
        let (oldest, before) = (*oldest, self.clients.len());
        self.clients.retain(|_, client| client.last > oldest);
        self.forgotten += (before - self.clients.len()) as u64;
    }
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
        assert!(!known.clients.contains_key(&("http", "0".to_owned())));
        assert!(known.clients.contains_key(&("http", (MOST_CLIENTS - 1).to_string())));
    }
}
