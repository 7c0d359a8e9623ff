//! What more shards bring, and whether a call costs more because of them.
//!
//! The server has half of the processors, a shard on each, and the client runs on all. Besides, whatever
//! the machine has: 64 shards. A call whose CPU time at the server grows with the shards writes to
//! something that they share.

use std::iter::successors;
use std::thread::available_parallelism;

use crate::figures::Entry;
use crate::fleet::Fleet;
use crate::options::Options;
use crate::peers::{On, Peer, SMALL, Shape};
use crate::words;

/// Connections of each shard, and callers on each connection.
const CONNECTIONS: usize = 4;
const CALLERS: usize = 16;
/// Measured on every machine.
const MANY: usize = 64;

/// 1, 2, 4 and so on to half of the processors, and 64.
pub fn group(_: &Options, _: &Fleet) -> Result<Vec<Entry>, String> {
    let processors = available_parallelism().map_err(|error| error.to_string())?.get();
    let most = (processors / 2).max(1);
    let mut numbers: Vec<_> = successors(Some(1), |n| Some(n * 2)).take_while(|n| *n <= most).collect();
    if !numbers.contains(&MANY) {
        numbers.push(MANY);
    }
    let peers = [Peer::Polywire(On::Multi), Peer::Grpc(On::Multi)];
    let pairs = numbers.into_iter().flat_map(|shards| peers.map(|peer| (shards, peer)));
    Ok(pairs.map(|(shards, peer)| entry(shards, peer, most)).collect())
}

/// `processors`: how many the server has.
fn entry(shards: usize, peer: Peer, processors: usize) -> Entry {
    let load = if shards == 1 { "1 shard".to_owned() } else { format!("{shards} shards") };
    Entry::new("shards", load, peer.name(), move |fleet| {
        let cpus: Vec<_> = (0..processors).map(|cpu| cpu.to_string()).collect();
        let serve = [fleet.our_server(), words!["--shards", shards, "--cpus", cpus.join(",")]].concat();
        let server = fleet.server(&serve, None)?;
        let connections = shards * CONNECTIONS;
        let shape = Shape::echo(connections * CALLERS, connections, SMALL);
        fleet.press(&server, &peer.press(&shape, fleet, &server.address)?, None)
    })
}
