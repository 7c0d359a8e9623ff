//! Clients of redis-server and of memcached: ours, and the best known in Rust, in turn at the same server.

use std::rc::Rc;

use crate::figures::Entry;
use crate::fleet::{Fleet, Server};
use crate::foreign::installed;
use crate::options::Options;
use crate::peers::SMALL;
use crate::words;

const CALLERS: [usize; 3] = [1, 10, 100];

/// A client's name in the tables, its program, how that is told which client to be, and how many connections
/// so many callers have.
struct Client {
    name: &'static str,
    program: &'static str,
    which: [&'static str; 2],
    connections: fn(usize) -> usize,
}

const REDIS: [Client; 4] = [
    Client::shared("polywire", "cache_ours", ["--protocol", "redis"]),
    Client::shared("polywire, RESP3", "cache_ours", ["--protocol", "redis:3"]),
    Client::shared("redis", "cache_clients", ["--client", "redis"]),
    Client::shared("fred", "cache_clients", ["--client", "fred"]),
];

/// async-memcached takes one call at a time, so it has a mutex around its connection, or one connection for
/// each caller.
const MEMCACHED: [Client; 5] = [
    Client::shared("polywire, binary", "cache_ours", ["--protocol", "memcache"]),
    Client::shared("polywire, meta", "cache_ours", ["--protocol", "memcache_meta"]),
    Client { connections: |n| n, ..Client::shared(EACH, "cache_ours", ["--protocol", "memcache_meta"]) },
    Client::shared("async-memcached", "cache_clients", ["--client", "async-memcached"]),
    Client {
        connections: |n| n,
        ..Client::shared(
            "async-memcached, a connection each",
            "cache_clients",
            ["--client", "async-memcached"],
        )
    },
];
const EACH: &str = "polywire, meta, a connection each";

impl Client {
    const fn shared(name: &'static str, program: &'static str, which: [&'static str; 2]) -> Client {
        Client { name, program, which, connections: |_| 1 }
    }

    fn entry(
        &self,
        group: &'static str,
        command: &'static str,
        callers: usize,
        server: &Rc<Server>,
        fleet: &Fleet,
    ) -> Option<Entry> {
        let program = fleet.rival(self.program)?;
        let (server, which, connections) = (Rc::clone(server), self.which, (self.connections)(callers));
        let crowd = if callers == 1 { "caller" } else { "callers" };
        let load = format!("{}, {callers} {crowd}", command.to_uppercase());
        Some(Entry::new(group, load, self.name, move |fleet| {
            let seconds = fleet.time.as_secs_f64();
            let mut words = words![program, "press", which[0], which[1], "--server", server.address];
            words.extend(words!["--command", command, "--callers", callers, "--connections", connections]);
            words.extend(words!["--bytes", SMALL, "--duration", seconds]);
            fleet.press(&server, &words, None)
        }))
    }
}

/// One connection each, commands awaited one by one by each caller.
pub fn redis(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    installed("redis-server", "--version")?;
    let command =
        ["redis-server", "--bind", "127.0.0.1", "--port", "{port}", "--save", "", "--appendonly", "no"];
    group("redis_clients", &REDIS, &command, fleet)
}

pub fn memcached(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    installed("memcached", "--version")?;
    // It will not run as root unless it is told a user.
    group("memcached", &MEMCACHED, &["memcached", "-l", "127.0.0.1", "-p", "{port}", "-u", "nobody"], fleet)
}

fn group(
    group: &'static str,
    clients: &[Client],
    server: &[&str],
    fleet: &Fleet,
) -> Result<Vec<Entry>, String> {
    let server = Rc::new(Server::start_on_port(server)?);
    let mut entries = Vec::new();
    for command in ["get", "set"] {
        for callers in CALLERS {
            let of_load =
                clients.iter().filter_map(|client| client.entry(group, command, callers, &server, fleet));
            entries.extend(of_load);
        }
    }
    Ok(entries)
}
