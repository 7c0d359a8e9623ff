//! Raw limits, and echo in closed loop: ours, tonic, libzmq, and an epoll loop without any RPC.

use crate::figures::{Entry, Sample};
use crate::fleet::{Fleet, output};
use crate::options::Options;
use crate::peers::{On, Peer, SMALL, Shape};
use crate::{idle, words, zmq};

/// The raw limits: floor and pipe.
pub fn limits(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let program = fleet.rival("limit").ok_or("the program `limit` is not built")?;
    let entry = |load: &str, name: &'static str| {
        let program = program.clone();
        Entry::new("limits", load, name, move |fleet| {
            let seconds = fleet.time.as_secs_f64();
            let printed = output(&words![program, name, "--seconds", seconds, "--bytes", SMALL], None)?;
            printed.trim().parse().map(Sample::of).map_err(|_| format!("limit printed {printed}"))
        })
    };
    Ok(vec![entry("one message in flight", "floor"), entry("100 messages in flight", "pipe")])
}

/// One call in flight, client and server on processors of their own: against the floor.
pub fn single(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let shape = Shape { pinned: true, ..Shape::echo(1, 1, SMALL) };
    let ours = [Peer::Blocking].into_iter().chain(everywhere(Peer::Polywire)).chain([Peer::Http]);
    let peers = ours.chain(everywhere(Peer::Grpc)).chain([Peer::Tonic, Peer::Zmq]);
    Ok(peers.filter_map(|peer| peer.entry("single", "1 caller, pinned", shape, fleet)).collect())
}

/// Callers over one connection, and over a connection each.
pub fn echo(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let callers: &[usize] = if options.quick { &[1, 10, 100] } else { &[1, 5, 10, 100] };
    let mut entries = Vec::new();
    for &callers in callers {
        for connections in [1, callers] {
            if callers == 1 && !entries.is_empty() {
                continue;
            }
            let load = match (callers, connections) {
                (1, _) => "1 caller".to_owned(),
                (n, 1) => format!("{n} callers, 1 connection"),
                (n, _) => format!("{n} callers, {n} connections"),
            };
            let shape = Shape::echo(callers, connections, SMALL);
            let ours =
                everywhere(Peer::Polywire).into_iter().chain([Peer::Http]).chain(everywhere(Peer::Grpc));
            let peers = ours.chain([Peer::Tonic, Peer::Zmq, Peer::Epoll]);
            entries.extend(peers.filter_map(|peer| peer.entry("echo", &load, shape, fleet)));
        }
    }
    Ok(entries)
}

/// One of ours wherever its callers can run.
fn everywhere(peer: fn(On) -> Peer) -> [Peer; 3] {
    [On::Multi, On::Current, On::Shard].map(peer)
}

/// rest_rpc's wire against baidu_std: some callers on one connection, messages of its users' sizes; beside
/// tasks that wait for futures, threads that block.
pub fn rest_rpc(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let all: &[(&str, usize)] =
        &[("1 KB", 1 << 10), ("8 KB", 8 << 10), ("16 KB", 16 << 10), ("64 KB", 64 << 10)];
    let (sizes, crowds): (_, &[usize]) =
        if options.quick { (&all[..1], &[1, 10]) } else { (all, &[1, 6, 10, 20]) };
    let mut entries = Vec::new();
    for &(size, bytes) in sizes {
        for &callers in crowds {
            let load = format!("{size}, {callers} {}", if callers == 1 { "caller" } else { "callers" });
            let shape = Shape::echo(callers, 1, bytes);
            let peers = [Peer::Polywire(On::Multi), Peer::Blocking, Peer::RestA, Peer::RestB];
            entries.extend(peers.into_iter().filter_map(|peer| peer.entry("rest_rpc", &load, shape, fleet)));
        }
    }
    Ok(entries)
}

/// Thrift beside volo: callers over one connection, and over a connection each as volo has it unless it is
/// told to multiplex; then one side of ours with volo on the other, which shows what a side costs.
pub fn thrift(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    let ours = everywhere(Peer::Thrift);
    for (callers, connections) in [(1, 1), (10, 1), (10, 10), (100, 1), (100, 100)] {
        let load = match (callers, connections) {
            (1, _) => "1 caller".to_owned(),
            (n, 1) => format!("{n} callers, 1 connection"),
            (n, _) => format!("{n} callers, {n} connections"),
        };
        let shape = Shape::echo(callers, connections, SMALL);
        let peers = ours.into_iter().chain([Peer::Volo, Peer::VoloMultiplex]);
        entries.extend(peers.filter_map(|peer| peer.entry("thrift", &load, shape, fleet)));
        let theirs = if connections == 1 { Peer::VoloMultiplex } else { Peer::Volo };
        entries.extend(theirs.calls(ours[0], "thrift", &load, shape, fleet));
        entries.extend(ours[0].calls(theirs, "thrift", &load, shape, fleet));
    }
    Ok(entries)
}

/// One caller, messages of all sizes.
pub fn sizes(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let all: &[(&str, usize)] = &[
        ("10 B", 10),
        ("100 B", 100),
        ("1 KB", 1000),
        ("10 KB", 10_000),
        ("64 KB", 64 << 10),
        ("100 KB", 100_000),
        ("1 MB", 1_000_000),
        ("10 MB", 10_000_000),
    ];
    let sizes = if options.quick { &all[4..] } else { all };
    let mut entries = Vec::new();
    for &(load, bytes) in sizes {
        let mut peers = vec![Peer::Attachment, Peer::Tonic, Peer::Cpp, Peer::Go, Peer::Zmq];
        peers.extend(everywhere(Peer::Polywire).into_iter().chain(everywhere(Peer::Grpc)));
        let shape = Shape::echo(1, 1, bytes);
        entries.extend(peers.into_iter().filter_map(|peer| peer.entry("sizes", load, shape, fleet)));
    }
    Ok(entries)
}

/// One call under way on each of many connections.
pub fn connections(options: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let most = idle::allow_files(MOST + idle::SPARE_FILES)?.saturating_sub(idle::SPARE_FILES);
    let counts =
        [1, 100, 1000, MOST].into_iter().filter(|count| *count <= if options.quick { 100 } else { most });
    let mut entries = Vec::new();
    for count in counts {
        let load = format!("{count} {}", if count == 1 { "connection" } else { "connections" });
        let shape = Shape::echo(count, count, SMALL);
        let ours = [Peer::Polywire(On::Multi), Peer::Grpc(On::Multi), Peer::Http];
        let peers = ours.into_iter().chain([Peer::Tonic, Peer::Epoll]);
        entries.extend(peers.filter_map(|peer| peer.entry("connections", &load, shape, fleet)));
        // libzmq has a thread for each client's socket here.
        let pairings = if count > 1000 { &zmq::PAIRINGS[..1] } else { &zmq::PAIRINGS[..2] };
        entries.extend(
            pairings.iter().filter_map(|pairing| zmq::requests("connections", &load, count, pairing, fleet)),
        );
    }
    Ok(entries)
}

/// Of `connections`.
const MOST: usize = 10_000;

/// The protocols in which the demo's echo can be called by stubs, beside each other.
const PROTOCOLS: [&str; 16] = [
    "baidu_std",
    "hulu_pbrpc",
    "sofa_pbrpc",
    "nova_pbrpc",
    "public_pbrpc",
    "nshead_mcpack",
    "ubrpc_mcpack2",
    "ubrpc_compack",
    "grpc",
    "grpc-web",
    "connect",
    "http:proto",
    "http",
    "h2",
    "thrift",
    "thrift:ttheader",
];

/// The same echo over each of our protocols, by generated stubs.
pub fn protocols(_: &Options, fleet: &Fleet) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    for (load, callers, bytes) in [
        ("1 caller", 1, SMALL),
        ("10 callers", 10, SMALL),
        ("100 callers", 100, SMALL),
        ("64 KB, 1 caller", 1, 64 << 10),
    ] {
        let shape = Shape::echo(callers, 1, bytes);
        entries.extend(
            PROTOCOLS
                .into_iter()
                .filter_map(|name| Peer::Speaking(name).entry("protocols", load, shape, fleet)),
        );
    }
    Ok(entries)
}
