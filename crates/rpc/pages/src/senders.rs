//! Who sends: the clients with most messages a second, over all their connections, those that have ended
//! included; and the same by the names of callers, where they have one: behind a gateway there is one address
//! and many callers.
//!
//! Connections count their messages anyway, and what ended ones had counted is in the ledger; a rate is what
//! both have grown by since a look ten to twenty seconds ago, or since the first look. Nothing is counted per
//! call.
//!
//! Limits: clients as in the ledger and the open connections, at most [`MOST`] are remembered.

use polywire_base::{Sort, lock};
use polywire_console::{Column, Mark, Table, Value, escape};
use polywire_engine::clock;
use polywire_server::facts::LiveServer;
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
/// Clients, and callers, that the first page shows.
pub(crate) const SHOWN: usize = 5;

/// What clients and callers had sent at earlier looks.
#[derive(Default)]
pub(crate) struct Senders {
    clients: Mutex<Looks>,
    callers: Mutex<Looks>,
}

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

/// A client, as the page shows it.
#[derive(Default)]
struct Client {
    messages: u64,
    speaks: Vec<&'static str>,
    connections: usize,
    in_flight: u64,
}

/// Who of these has sent how much a second, most first. `messages`: since the start.
fn ranked<T>(
    looks: &Mutex<Looks>,
    all: HashMap<String, T>,
    messages: impl Fn(&T) -> u64,
) -> (Vec<(Option<f64>, String, T)>, f64) {
    let counts = all.iter().take(MOST).map(|(name, one)| (name.clone(), messages(one))).collect();
    let rates = lock(looks).rates(clock::now(), counts);
    let rate = |name: &String| rates.as_ref().map(|rates| rates.get(name).copied().unwrap_or(0.0));
    let sum = rates.iter().flat_map(|rates| rates.values()).sum();
    let mut rows: Vec<_> = all.into_iter().map(|(name, one)| (rate(&name), name, one)).collect();
    rows.order_by(|(rate, name, one), (other_rate, other_name, other)| {
        let by_rate = other_rate.unwrap_or(0.0).total_cmp(&rate.unwrap_or(0.0));
        by_rate.then(Reverse(messages(one)).cmp(&Reverse(messages(other)))).then_with(|| name.cmp(other_name))
    });
    (rows, sum)
}

const MESSAGES: &str = "a second, over the last 10 to 20 s that somebody has looked at";

impl Senders {
    /// The callers with a name; `None` if nobody has one.
    pub fn callers(&self, server: &dyn LiveServer, most: usize) -> Option<Table> {
        let callers = server.ledger().told(&server.connections()).callers;
        let columns = [
            Column::new("caller").hint("the name that the authenticator has found, or that of a certificate"),
            Column::new("from").hint("addresses that its messages came from, the first four"),
            Column::new("messages").hint(MESSAGES),
            Column::new("share").hint("of the messages of all callers with a name"),
            Column::new("since_start").hint("messages since the server started").wide(),
        ];
        let mut table = Table::new("callers", columns);
        table.total = Some(callers.len());
        let (rows, all) = ranked(&self.callers, callers, |caller| caller.messages);
        for (rate, name, caller) in rows.into_iter().take(most) {
            let cells = [
                name.clone().into(),
                caller.hosts.join(" ").into(),
                Value::or_unknown(rate, Value::PerSecond),
                Value::or_unknown(rate.filter(|_| all > 0.0).map(|rate| rate / all), Value::Ratio),
                Value::Count(caller.messages),
            ];
            table.push(escape::shown(&name), Mark::Fine, cells);
        }
        (!table.rows.is_empty()).then_some(table)
    }

    pub fn table(&self, server: &dyn LiveServer) -> Table {
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
        let (rows, all) = ranked(&self.clients, clients, |client| client.messages);
        let total = rows.len();
        let columns = [
            Column::new("client").hint("the host's address; connections?by=client has all"),
            Column::new("speaks"),
            Column::new("messages").hint(MESSAGES),
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
            client.speaks.order();
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
