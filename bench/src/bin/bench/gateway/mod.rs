//! `polywire gateway` beside other proxies: three processes, the proxy on one processor, client and server on
//! the other.
//!
//! So throughput says little on two processors: what carries is the CPU per call of the proxy, and what it
//! adds to the latency of a call on a direct connection, both within one round.

pub mod added;
pub mod goals;
pub mod memory;
pub mod proxies;

use polywire_bench::Kind;

use crate::figures::{Entry, Sample};
use crate::fleet::Fleet;
use crate::grpc;
use crate::options::Options;
use crate::peers::{On, Peer, SMALL, Shape};
use proxies::Proxy;

/// The processor of client and server, and that of the proxy.
const ENDS: Option<usize> = Some(0);
pub const MIDDLE: Option<usize> = Some(1);
/// Messages of a stream in each direction.
const TURNS: u32 = 200;

/// Calls by our client to our server; then by h2load to grpc-go's, which share no code with us.
pub fn group(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let proxies = Proxy::found(fleet)?;
    let mut entries = Vec::new();
    let clients = [
        ("gRPC", Peer::Grpc(On::Multi)),
        ("baidu_std", Peer::Polywire(On::Multi)),
        ("JSON to gRPC", Peer::Http),
        ("Thrift", Peer::Thrift(On::Multi)),
    ];
    for (protocol, peer) in clients {
        for (load, shape) in loads(peer) {
            for proxy in proxies.iter().copied().filter(|proxy| proxy.takes(peer, shape.kind != Kind::Unary))
            {
                let entry =
                    Entry::new("gateway", format!("{protocol}, {load}"), proxy.name(), move |fleet| {
                        through(fleet, proxy, peer, &shape)
                    });
                entries.push(match shape.kind {
                    Kind::Unary => entry,
                    _ => entry.then(|sample| sample.per_message(2 * TURNS)),
                });
            }
        }
    }
    entries.extend(foreign(&proxies, fleet));
    Ok(entries)
}

fn loads(peer: Peer) -> Vec<(&'static str, Shape)> {
    let mut loads = vec![
        ("1 caller", Shape::echo(1, 1, SMALL)),
        ("100 callers, 100 connections", Shape::echo(100, 100, SMALL)),
    ];
    match peer {
        // Proxies have one call at a time on a connection.
        Peer::Thrift(_) => {}
        Peer::Http => loads.push(("22 KB, 10 callers, 10 connections", Shape::echo(10, 10, 22_000))),
        _ => loads.insert(1, ("100 callers, 1 connection", Shape::echo(100, 1, SMALL))),
    }
    if peer == Peer::Grpc(On::Multi) {
        loads.extend([
            ("64 KB, 1 caller", Shape::echo(1, 1, 64 << 10)),
            ("1 MB, 1 caller", Shape::echo(1, 1, 1_000_000)),
            ("ping-pong, 100 streams", Shape::streams(100, Kind::Chat, TURNS)),
        ]);
    }
    loads
}

/// One load by our client to our server.
fn through(fleet: &Fleet, proxy: Proxy, peer: Peer, shape: &Shape) -> Result<Sample, String> {
    let server = fleet.server(&fleet.our_server(), ENDS)?;
    let proxy = proxy.before(&server, peer, fleet)?;
    fleet.press(&proxy, &peer.press(shape, fleet, &proxy.address)?, ENDS)
}

/// h2load saturates early, and both ends are somebody else's.
fn foreign(proxies: &[Proxy], fleet: &Fleet) -> Vec<Entry> {
    let (Some(serve), Ok(())) = (Peer::Go.serve(fleet), crate::foreign::installed("h2load", "--version"))
    else {
        eprintln!("bench: gateway: no check by others: grpc-go's server and h2load are needed");
        return Vec::new();
    };
    let mut entries = Vec::new();
    for connections in [1, 100] {
        let load =
            format!("100 calls at once, {connections} connection{}", if connections == 1 { "" } else { "s" });
        for proxy in proxies.iter().copied().filter(|proxy| proxy.takes(Peer::Go, false)) {
            let serve = serve.clone();
            entries.push(Entry::new("gateway-foreign", &load, proxy.name(), move |fleet| {
                let server = fleet.server(&serve, ENDS)?;
                let proxy = proxy.before(&server, Peer::Go, fleet)?;
                grpc::h2load(&proxy, fleet, connections, 100 / connections, ENDS)
            }));
        }
    }
    entries
}
