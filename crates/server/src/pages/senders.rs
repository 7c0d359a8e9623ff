//! Who sends: the clients with most messages a second, over all their connections, those that have ended included.
//!
//! Connections count their messages anyway, and what ended ones had counted is in the ledger; a rate is what both have grown by since a look ten
//! to twenty seconds ago, or since the first look. Nothing is counted per call.
//!
//! Limits: clients as in the ledger and the open connections, at most [`MOST`] are remembered.

use super::Methods;
use polywire_base::lock;
use polywire_console::{Column, Mark, Table, Value, escape};
use polywire_engine::clock;
use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::Mutex,
    time::{Duration, Instant},
};

/// Clients that are remembered from look to look.
const MOST: usize = 10_000;
/// How old the look is at least that rates are counted from, once there was one.
const WINDOW: Duration = Duration::from_secs(10);
/// Two looks that are nearer say nothing of a rate.
const LEAST: Duration = Duration::from_secs(1);
/// Clients that are shown.
const SHOWN: usize = 5;

/// What clients had sent at earlier looks.
#[derive(Default)]
pub(crate) struct Senders(Mutex<Looks>);

#[derive(Default)]
struct Looks {
    older: Option<Look>,
    newer: Option<Look>,
}

struct Look {
    at: Instant,
    messages: HashMap<String, u64>,
}

impl Looks {
    /// Messages a second of each client since the older look; `None`: there was none a while ago.
    fn rates(&mut self, now: Instant, messages: HashMap<String, u64>) -> Option<HashMap<String, f64>> {
        let since = self.older.as_ref().or(self.newer.as_ref());
        let rates = since.filter(|since| now.saturating_duration_since(since.at) >= LEAST).map(|since| {
            let seconds = now.saturating_duration_since(since.at).as_secs_f64();
            let grown = |(client, now): (&String, &u64)| {
                let before = since.messages.get(client).copied().unwrap_or(0);
                // A client that was forgotten meanwhile counts from 0 again.
                (client.clone(), now.checked_sub(before).unwrap_or(*now) as f64 / seconds)
            };
            messages.iter().map(grown).collect()
        });
        if self.newer.as_ref().is_none_or(|newer| now.saturating_duration_since(newer.at) >= WINDOW) {
            self.older = self.newer.replace(Look { at: now, messages });
        }
        rates
    }
}

/// What is shown of a client.
#[derive(Default)]
struct Client {
    messages: u64,
    speaks: Vec<&'static str>,
    connections: usize,
    in_flight: u64,
}

impl Senders {
    pub fn table(&self, server: &dyn Methods) -> Table {
        let connections = server.connections();
        let mut clients: HashMap<String, Client> = HashMap::new();
        for ((protocol, host), known) in server.ledger().told(&connections).clients {
            let client = clients.entry(host).or_default();
            client.messages += known.messages;
            client.speaks.push(protocol);
        }
        for one in &connections {
            // Those that have said nothing yet are not in the ledger.
            if let Some(client) = clients.get_mut(&one.peer.host()) {
                client.connections += 1;
                client.in_flight += u64::from(one.calls());
            }
        }
        let messages: HashMap<String, u64> =
            clients.iter().take(MOST).map(|(host, client)| (host.clone(), client.messages)).collect();
        let rates = lock(&self.0).rates(clock::now(), messages);
        let rate = |host: &String| rates.as_ref().map(|rates| rates.get(host).copied().unwrap_or(0.0));
        let all: f64 = rates.iter().flat_map(|rates| rates.values()).sum();
        let mut rows: Vec<_> =
            clients.into_iter().map(|(host, client)| (rate(&host), host, client)).collect();
        let total = rows.len();
        rows.sort_by(|(rate, host, one), (other_rate, other_host, other)| {
            let by_rate = other_rate.unwrap_or(0.0).total_cmp(&rate.unwrap_or(0.0));
            by_rate
                .then(Reverse(one.messages).cmp(&Reverse(other.messages)))
                .then_with(|| host.cmp(other_host))
        });
        let columns = [
            Column::new("client").hint("the host's address; connections?by=client has all"),
            Column::new("speaks"),
            Column::new("messages").hint("a second, over the last 10 to 20 s that somebody has looked at"),
            Column::new("share").hint("of the messages of all clients"),
            Column::new("in_flight").hint("calls under way"),
            Column::new("connections").hint("open ones"),
            Column::new("since_start")
                .hint("messages since the server started, of clients that are still known")
                .wide(),
        ];
        let mut table = Table::new("who_sends", columns).empty("Nobody has sent anything yet.");
        table.total = Some(total);
        for (rate, host, mut client) in rows.into_iter().take(SHOWN) {
            client.speaks.sort_unstable();
            let share = rate.filter(|_| all > 0.0).map(|rate| rate / all);
            let cells = [
                host.clone().into(),
                client.speaks.join(" ").into(),
                Value::or_unknown(rate, Value::PerSecond),
                Value::or_unknown(share, Value::Ratio),
                Value::Count(client.in_flight),
                client.connections.into(),
                Value::Count(client.messages),
            ];
            table.push(escape::shown(&host), Mark::Fine, cells);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_that_since_a_look_ten_seconds_ago() {
        let (mut looks, start) = (Looks::default(), Instant::now());
        let mut look = |second: u64, messages: u64| {
            let at = start + Duration::from_secs(second);
            looks.rates(at, HashMap::from([("a".to_owned(), messages)])).map(|rates| rates["a"])
        };
        assert_eq!(look(0, 1000), None, "nothing is known at the first look");
        assert_eq!(look(5, 1050), Some(10.0));
        assert_eq!(look(10, 1100), Some(10.0));
        // from here on against second 0, then against second 10
        assert_eq!(look(15, 1300), Some(20.0));
        assert_eq!(look(20, 1400), Some(20.0));
        assert_eq!(look(25, 1400), Some(20.0));
        assert_eq!(look(3600, 1400), Some(300.0 / 3590.0), "after a pause it is that of the pause");
    }

    #[test]
    fn two_looks_at_once_are_no_rate() {
        let (mut looks, start) = (Looks::default(), Instant::now());
        let mut look = |ms: u64, messages: u64| {
            let messages = HashMap::from([("a".to_owned(), messages)]);
            looks.rates(start + Duration::from_millis(ms), messages).map(|rates| rates["a"])
        };
        assert_eq!((look(0, 0), look(3, 900), look(999, 1000)), (None, None, None));
        assert_eq!(look(1000, 1000), Some(1000.0));
    }

    #[test]
    fn who_was_forgotten_or_is_new_counts_from_nothing() {
        let (mut looks, start) = (Looks::default(), Instant::now());
        looks.rates(start, HashMap::from([("a".to_owned(), 1000)]));
        let now = HashMap::from([("a".to_owned(), 40), ("b".to_owned(), 20)]);
        let rates = looks.rates(start + Duration::from_secs(10), now).expect("the second look");
        assert_eq!((rates["a"], rates["b"]), (4.0, 2.0));
    }
}
