//! ZeroMQ: our sockets and libzmq's in the four pairings, REQ/REP, PUSH/PULL and PUB/SUB.

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, Server};
use crate::options::Options;
use crate::words;

/// Ours and theirs, as the tables call them.
pub const PAIRINGS: [&str; 4] = ["polywire", "libzmq", "polywire -> libzmq", "libzmq -> polywire"];
const SIZES: [(&str, usize); 5] =
    [("10 B", 10), ("100 B", 100), ("1 KB", 1000), ("1 MB", 1_000_000), ("10 MB", 10_000_000)];
const CLIENTS: [usize; 4] = [1, 5, 10, 100];
const PEERS: [usize; 2] = [1, 10];

/// Requests of 1 to 100 clients and of all sizes; messages of all sizes to 1 and to 10 peers.
pub fn group(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let ours = fleet.rival("zmq_ours").ok_or("zmq_ours is not built")?;
    let theirs = fleet.rival("zmq_theirs").ok_or("libzmq's program is not built")?;
    let mut loads: Vec<Load> = CLIENTS.map(|sockets| Load::requests(sockets, SIZES[1])).into();
    loads.extend(SIZES.iter().filter(|(_, bytes)| *bytes != 100).map(|size| Load::requests(1, *size)));
    for (group, client, server) in [("zmq-push", "pull", "push"), ("zmq-pub", "sub", "pub")] {
        for sockets in PEERS {
            loads.extend(SIZES.map(|size| Load { group, client, server, sockets, size }));
        }
    }
    if options.quick {
        loads.retain(|load| load.sockets != 5);
    }
    let programs = [(&ours, &ours), (&theirs, &theirs), (&ours, &theirs), (&theirs, &ours)];
    let of_load = |load: Load| {
        let pairings = PAIRINGS.into_iter().zip(programs);
        pairings.map(move |(name, (client, server))| load.entry(name, client.clone(), server.clone()))
    };
    Ok(loads.into_iter().flat_map(of_load).collect())
}

/// 100 bytes of so many clients at once, in one of [`PAIRINGS`]' programs with itself.
pub fn requests(
    group: &'static str,
    load: &str,
    sockets: usize,
    pairing: &str,
    fleet: &Fleet,
) -> Option<Entry> {
    let (name, program) =
        if pairing == PAIRINGS[0] { ("polywire, ZeroMQ", "zmq_ours") } else { (pairing, "zmq_theirs") };
    let program = fleet.rival(program)?;
    let requests = Load { group, ..Load::requests(sockets, SIZES[1]) };
    let mut entry = requests.entry(name, program.clone(), program);
    load.clone_into(&mut entry.load);
    Some(entry)
}

#[derive(Clone, Copy)]
struct Load {
    group: &'static str,
    /// Kind of the sockets that connect, and of the one that is bound.
    client: &'static str,
    server: &'static str,
    sockets: usize,
    size: (&'static str, usize),
}

impl Load {
    fn requests(sockets: usize, size: (&'static str, usize)) -> Load {
        Load { group: "zmq", client: "req", server: "rep", sockets, size }
    }

    /// Each measurement has a server of its own: one that sends never rests.
    fn entry(self, pairing: &str, client: String, server: String) -> Entry {
        let Load { group, sockets, size: (size, bytes), .. } = self;
        let load = format!("{size}, {sockets} {}", if sockets == 1 { "peer" } else { "peers" });
        Entry::new(group, load, pairing, move |fleet| {
            let server = Server::start(&words![server, "serve", self.server, bytes], None)?;
            let seconds = fleet.time.as_secs_f64();
            let command = words![client, "press", server.address, sockets, bytes, seconds, self.client];
            let sample = fleet.press(&server, &command, None)?;
            Ok(match self.client {
                "req" => sample,
                _ => Sample { bytes_per_s: Some(sample.value * bytes as f64), ..sample.without_latency() },
            })
        })
    }
}
