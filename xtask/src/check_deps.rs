//! `cargo xtask check-deps`: the arrows between our crates point one way.
//!
//! ```text
//! base -> trace -> call -> wire -> formats -> protocols  base -> metrics, flags  fbs -> formats, build; proto -> build, cli; thrift_idl -> build
//! base -> balance; call -> naming; naming + balance -> routing
//! wire -> exchange                                      exchange + metrics -> engine                wire -> dump -> server
//! exchange + formats -> streams                         streams + engine -> client, server
//! console -> server                                 (what pages show, as data, and its forms)
//! wire -> hub -> server                                 server + protocols -> zmq
//! client + server -> testnet
//! base -> profile; client -> otlp; client + protocols -> registries; client + server + protocols -> xds
//! client + protocols -> memcache, esp
//! server + protocols -> mongo
//! client + server + protocols -> redis, rest_rpc, thrift, websocket, nshead, grpc_services
//! everything above -> polywire -> cli, examples
//! ```
//!
//! Read `a -> b` as "b may depend on a and on whatever a may depend on". More rules:
//! - `protocols` and `engine` never see each other, and no crate but `protocols` and the program contains the
//!   name of a protocol (a test, `check_names.rs`);
//! - the crates without I/O must not reach an async runtime or a socket, however indirectly;
//! - `build` may be used by build scripts of any crate;
//! - `testkit` is a dev-dependency and nothing else; dev-dependencies are otherwise free, since tests may be
//!   anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};

use crate::Complaints;

/// A crate (folder name under `crates/`) and the crates directly below it; the rest follows by reachability.
const ARROWS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("metrics", &["base"]),
    // Options that change while a program runs.
    ("flags", &["base"]),
    // Spans of calls, without a clock.
    ("trace", &["base"]),
    ("call", &["trace"]),
    ("wire", &["call"]),
    // What pages show, as data, and its forms.
    ("console", &[]),
    // Chooses the server of a set that a call goes to.
    ("balance", &["base"]),
    // A schema language, and the formats that use it.
    ("fbs", &[]),
    ("formats", &["wire", "fbs"]),
    // Sockets that span connections: peers, topics, queues. Data in memory, under a lock.
    ("hub", &["wire"]),
    ("protocols", &["formats"]),
    // Calls and streams between threads: atomics and memory, no runtime.
    ("exchange", &["wire"]),
    // Profiles of the process: signals, stacks, names. Without pages.
    ("profile", &["base"]),
    // Files of recorded requests, and the thread that writes them.
    ("dump", &["wire"]),
    ("engine", &["exchange", "metrics"]),
    // Streams of messages. Still independent of protocols.
    ("streams", &["exchange", "formats"]),
    // Sets of servers: a trait, and what reads them. Timers and files, no calls.
    ("naming", &["call"]),
    // Tables of routes: which call goes to which set of servers.
    ("routing", &["naming", "balance"]),
    ("client", &["streams", "engine", "routing"]),
    // Sets of servers that are asked for by calls.
    ("registries", &["client", "protocols"]),
    // Spans and metrics for collectors.
    ("otlp", &["client"]),
    // Tables of routes from control planes.
    ("xds", &["client", "server", "protocols"]),
    ("server", &["console", "profile", "streams", "engine", "hub", "naming", "flags", "dump"]),
    // ZeroMQ's sockets, with or without a server.
    ("zmq", &["server", "protocols"]),
    // Interfaces of a single protocol: services bound to it, and its client.
    ("redis", &["client", "server", "protocols"]),
    ("rest_rpc", &["client", "server", "protocols"]),
    ("thrift", &["client", "server", "protocols"]),
    ("websocket", &["client", "server", "protocols"]),
    ("nshead", &["client", "server", "protocols"]),
    ("memcache", &["client", "protocols"]),
    ("esp", &["client", "protocols"]),
    ("mongo", &["server", "protocols"]),
    // Services that every server has.
    ("grpc_services", &["client", "server", "protocols"]),
    // A network in memory for tests of users.
    ("testnet", &["client", "server"]),
    // `.proto` files to descriptors.
    ("proto", &[]),
    // Thrift's interface definition language.
    ("thrift_idl", &[]),
    ("build", &["fbs", "proto", "thrift_idl"]),
    ("testkit", &["client", "server", "protocols"]),
    (
        "polywire",
        &[
            "console",
            "otlp",
            "registries",
            "xds",
            "redis",
            "rest_rpc",
            "thrift",
            "websocket",
            "nshead",
            "memcache",
            "esp",
            "mongo",
            "grpc_services",
            "zmq",
            "testnet",
        ],
    ),
    ("cli", &["polywire", "proto"]),
];

/// Crates without I/O: bytes in, bytes out, time in.
const WITHOUT_IO: &[&str] =
    &["base", "balance", "metrics", "trace", "call", "wire", "exchange", "hub", "formats", "protocols"];

/// Crates that a crate without I/O must not reach.
const RUNTIMES: &[&str] = &["tokio", "mio", "socket2", "async-std", "smol", "async-io"];

/// An edge between two of our crates, by folder name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edge {
    from: String,
    to: String,
    dev: bool,
}

/// Reads the workspace at `root` and lists the edges that point the wrong way.
pub fn run(root: &Path) -> Result<Complaints, String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .other_options(vec!["--locked".into()])
        .exec()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let (names, edges) = edges(&metadata);
    let mut complaints = wrong_names(&names);
    complaints.extend(wrong_edges(&edges));
    complaints.extend(wrong_runtimes(&metadata));
    Ok(complaints)
}

/// Our crates (those under `crates/`) and the edges between them as the manifests state them.
fn edges(metadata: &Metadata) -> (Vec<String>, Vec<Edge>) {
    let mut folders = BTreeMap::new();
    for package in metadata.workspace_packages() {
        if let Some(folder) = folder(metadata, package.manifest_path.as_std_path()) {
            folders.insert(package.name.to_string(), folder);
        }
    }
    let mut edges = Vec::new();
    for package in metadata.workspace_packages() {
        let Some(from) = folders.get(package.name.as_str()) else { continue };
        for dependency in &package.dependencies {
            let Some(to) = folders.get(dependency.name.as_str()) else { continue };
            // A build script runs before the crate is built: its dependencies are not a layer of the product.
            let script = dependency.kind == DependencyKind::Build && to == "build";
            let dev = script || dependency.kind == DependencyKind::Development;
            edges.push(Edge { from: from.clone(), to: to.clone(), dev });
        }
    }
    (folders.into_values().collect(), edges)
}

/// `crates/NAME/Cargo.toml` -> `NAME`; other members (examples, xtask) may depend on every crate.
fn folder(metadata: &Metadata, manifest: &Path) -> Option<String> {
    let inside = manifest.strip_prefix(metadata.workspace_root.as_std_path().join("crates")).ok()?;
    Some(inside.parent()?.to_str()?.to_owned())
}

/// A crate that is missing in the table has no place yet: its author decides here.
fn wrong_names(names: &[String]) -> Complaints {
    let unknown = names.iter().filter(|name| !ARROWS.iter().any(|(known, _)| known == name));
    unknown
        .map(|name| format!("crates/{name} has no place in the table of xtask/src/check_deps.rs"))
        .collect()
}

fn wrong_edges(edges: &[Edge]) -> Complaints {
    let mut complaints = Vec::new();
    for Edge { from, to, dev } in edges {
        if *dev {
            continue;
        }
        if to == "testkit" {
            complaints.push(format!("{from} depends on testkit, which only tests may use"));
        } else if !may_reach(from).contains(to.as_str()) {
            complaints.push(format!("{from} depends on {to}, against the arrows of the workspace"));
        }
    }
    complaints
}

/// Every crate on which the arrows allow `name` to depend.
fn may_reach(name: &str) -> BTreeSet<&'static str> {
    let mut reached = BTreeSet::new();
    let mut open = below(name).to_vec();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(below(next));
        }
    }
    reached
}

fn below(name: &str) -> &'static [&'static str] {
    ARROWS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, below)| below)
}

/// Crates without I/O that reach a runtime through normal dependencies, with the path.
fn wrong_runtimes(metadata: &Metadata) -> Complaints {
    let Some(resolve) = &metadata.resolve else { return vec!["cargo metadata resolved nothing".into()] };
    let mut needs: BTreeMap<&PackageId, Vec<&PackageId>> = BTreeMap::new();
    for node in &resolve.nodes {
        let normal =
            node.deps.iter().filter(|d| d.dep_kinds.iter().any(|k| k.kind == DependencyKind::Normal));
        needs.insert(&node.id, normal.map(|d| &d.pkg).collect());
    }
    let mut complaints = Vec::new();
    for package in metadata.workspace_packages() {
        let Some(name) = folder(metadata, package.manifest_path.as_std_path()) else { continue };
        if !WITHOUT_IO.contains(&name.as_str()) {
            continue;
        }
        let mut open = vec![&package.id];
        let mut came_from: BTreeMap<&PackageId, &PackageId> = BTreeMap::new();
        while let Some(id) = open.pop() {
            if RUNTIMES.contains(&metadata[id].name.as_str()) {
                complaints.push(format!(
                    "{name} must do without I/O, but reaches {}",
                    way(metadata, id, &came_from)
                ));
            }
            for need in needs.get(id).into_iter().flatten() {
                if *need != &package.id && !came_from.contains_key(*need) {
                    came_from.insert(need, id);
                    open.push(need);
                }
            }
        }
    }
    complaints
}

/// The path `a <- b <- c`, from the runtime back to our crate.
fn way(metadata: &Metadata, end: &PackageId, came_from: &BTreeMap<&PackageId, &PackageId>) -> String {
    let mut names = vec![metadata[end].name.to_string()];
    let mut at = end;
    while let Some(before) = came_from.get(at) {
        names.push(metadata[*before].name.to_string());
        at = before;
    }
    names.join(" <- ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: &str, to: &str, dev: bool) -> Edge {
        Edge { from: from.into(), to: to.into(), dev }
    }

    #[test]
    fn an_edge_along_the_arrows_is_fine_even_over_several_of_them() {
        assert_eq!(
            wrong_edges(&[edge("server", "base", false), edge("cli", "formats", false)]),
            Complaints::new()
        );
    }

    #[test]
    fn an_edge_against_the_arrows_is_named() {
        let found = wrong_edges(&[edge("wire", "engine", false)]);
        assert_eq!(found, ["wire depends on engine, against the arrows of the workspace"]);
    }

    #[test]
    fn protocols_and_engine_never_see_each_other_and_client_names_no_protocol() {
        let edges = [
            edge("protocols", "engine", false),
            edge("engine", "protocols", false),
            edge("client", "protocols", false),
        ];
        assert_eq!(wrong_edges(&edges).len(), 3);
    }

    #[test]
    fn testkit_is_for_tests_only() {
        assert_eq!(wrong_edges(&[edge("server", "testkit", true)]), Complaints::new());
        assert_eq!(wrong_edges(&[edge("server", "testkit", false)]).len(), 1);
    }

    #[test]
    fn a_crate_without_a_place_in_the_table_is_named() {
        assert_eq!(wrong_names(&["base".into(), "misc".into()]).len(), 1);
    }

    #[test]
    fn the_table_has_no_circle_and_names_only_crates_it_knows() {
        for (name, below) in ARROWS {
            assert!(!may_reach(name).contains(name), "{name} reaches itself");
            assert!(
                below.iter().all(|b| ARROWS.iter().any(|(known, _)| known == b)),
                "{name} names an unknown crate"
            );
        }
    }
}
