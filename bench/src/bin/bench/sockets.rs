//! WebSocket, echo of binary messages: ours, tokio-tungstenite, fastwebsockets and axum, as servers and as
//! clients.

use crate::figures::Entry;
use crate::fleet::Fleet;
use crate::options::Options;
use crate::peers::SMALL;
use crate::words;

const LONG: usize = 64 << 10;

/// Connections, messages under way on each, and bytes of one.
const LOADS: [(usize, usize, usize); 7] = [
    (1, 1, SMALL),
    (10, 1, SMALL),
    (100, 1, SMALL),
    (1, 100, SMALL),
    (1, 1, LONG),
    (10, 1, LONG),
    (100, 1, LONG),
];

#[derive(Clone, Copy, PartialEq)]
struct Peer {
    name: &'static str,
    program: &'static str,
    /// Its name for its own program.
    which: Option<&'static str>,
}

const OURS: Peer = Peer { name: "polywire", program: "websocket_ours", which: None };
const TUNGSTENITE: Peer = Peer::rival("tungstenite");
const FAST: Peer = Peer::rival("fastwebsockets");
const AXUM: Peer = Peer::rival("axum");

/// Clients and their servers: each with itself, axum with the client it shares its code with, and one side of
/// ours with one of theirs, which shows what a side costs.
const PAIRS: [(Peer, Peer); 8] = [
    (OURS, OURS),
    (TUNGSTENITE, TUNGSTENITE),
    (FAST, FAST),
    (TUNGSTENITE, AXUM),
    (TUNGSTENITE, OURS),
    (FAST, OURS),
    (OURS, TUNGSTENITE),
    (OURS, FAST),
];

impl Peer {
    const fn rival(name: &'static str) -> Peer {
        Peer { name, program: "websocket_echo", which: Some(name) }
    }

    /// The beginning of a command line; `None` if the program could not be built.
    fn command(self, verb: &str, fleet: &Fleet) -> Option<Vec<String>> {
        let mut words = words![fleet.rival(self.program)?, verb];
        if let Some(name) = self.which {
            words.extend(words!["--peer", name]);
        }
        Some(words)
    }
}

pub fn group(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    let loads = if options.quick { &LOADS[..4] } else { &LOADS[..] };
    for &(connections, ahead, bytes) in loads {
        let size = if bytes == SMALL { "100 B" } else { "64 KiB" };
        let plural = if connections == 1 { "" } else { "s" };
        let under_way = if ahead == 1 { String::new() } else { format!(", {ahead} under way") };
        let load = format!("{size}, {connections} connection{plural}{under_way}");
        for (client, server) in PAIRS {
            let (Some(serve), Some(press)) = (server.command("serve", fleet), client.command("press", fleet))
            else {
                continue;
            };
            let name = match client == server {
                true => client.name.to_owned(),
                false => format!("{} -> {}", client.name, server.name),
            };
            entries.push(Entry::new("websocket", &*load, name, move |fleet| {
                let server = fleet.server(&serve, None)?;
                let mut words = press.clone();
                words.extend(words!["--server", server.address, "--callers", connections, "--ahead", ahead]);
                words.extend(words!["--bytes", bytes, "--duration", fleet.time.as_secs_f64()]);
                fleet.press(&server, &words, None)
            }));
        }
    }
    match entries.is_empty() {
        true => Err("websocket_ours is not built".to_owned()),
        false => Ok(entries),
    }
}
