//! `cargo xtask check-deps`: the arrows between our crates point one way.
//!
//! Crates lie on floors, the folders of `crates`: each may use those on its own floor and on the floors
//! below, in the order of [`FLOORS`], which says of each crate which others it is built on, too. More rules:
//! - `protocols` and `engine` never see each other, and no crate but `protocols` and the program contains the
//!   name of a protocol (a test, `check_names.rs`);
//! - the crates without I/O must not reach an async runtime or a socket, however indirectly;
//! - `build` may be used by build scripts of any crate;
//! - `machine_testing` is a dev-dependency and nothing else; dev-dependencies are otherwise free, since tests
//!   may be anywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};

use crate::Complaints;

/// Floors from the bottom up; on each the crates (by folder), and those directly below them. The rest follows
/// by reachability.
const FLOORS: &[(&str, &[(&str, &[&str])])] = &[
    // What a call is, the contract between protocols and the rest, and how calls get from thread to thread:
    // memory, without I/O.
    (
        "core",
        &[
            ("base", &[]),
            ("trace", &["base"]),
            ("call", &["trace"]),
            ("wire", &["call"]),
            ("exchange", &["wire"]),
            ("hub", &["wire"]),
        ],
    ),
    // Schema languages, and the code that is made of them before a program is built.
    (
        "codegen",
        &[("fbs", &[]), ("proto", &[]), ("thrift_idl", &[]), ("build", &["fbs", "proto", "thrift_idl"])],
    ),
    // What is seen of a process: counters, options that change, pages as data, profiles, recorded requests.
    (
        "observe",
        &[
            ("metrics", &["base"]),
            ("flags", &["base"]),
            ("console", &[]),
            ("profile", &["base"]),
            ("dump", &["wire"]),
        ],
    ),
    // Which servers there are, and which of them a call goes to.
    ("fleet", &[("balance", &["base"]), ("naming", &["call"]), ("routing", &["naming", "balance"])]),
    // Payloads and wire protocols: bytes in, bytes out.
    ("codecs", &[("formats", &["wire", "fbs"]), ("protocols", &["formats"])]),
    // Threads and sockets; streams of messages.
    ("runtime", &[("engine", &["exchange", "metrics"]), ("streams", &["exchange", "formats"])]),
    (
        "rpc",
        &[
            ("client", &["streams", "engine", "routing"]),
            ("server", &["streams", "engine", "hub", "naming", "flags", "dump"]),
            ("pages", &["console", "profile", "server"]),
        ],
    ),
    // What other systems tell or are told, by calls.
    (
        "integrations",
        &[
            ("registries", &["client", "protocols"]),
            ("otlp", &["client"]),
            ("gateway", &["client", "server"]),
            ("authorization", &["server"]),
            ("jwt", &["client", "server", "protocols"]),
            ("xds", &["client", "server", "protocols"]),
        ],
    ),
    // Interfaces of a single protocol: services bound to it, and its client. And the services that every
    // server has.
    (
        "services",
        &[
            ("zmq", &["server", "protocols"]),
            ("redis", &["client", "server", "protocols"]),
            ("rest_rpc", &["client", "server", "protocols"]),
            ("thrift", &["client", "server", "protocols"]),
            ("websocket", &["client", "server", "protocols"]),
            ("nshead", &["client", "server", "protocols"]),
            ("memcache", &["client", "protocols"]),
            ("esp", &["client", "protocols"]),
            ("mongo", &["server", "protocols"]),
            ("grpc_services", &["client", "server", "protocols"]),
        ],
    ),
    // A network in memory for tests of users; and what tests of machines share.
    (
        "testing",
        &[("testkit", &["client", "server"]), ("machine_testing", &["client", "server", "protocols"])],
    ),
    // The library that users name, and the program.
    (
        "",
        &[
            (
                "polywire",
                &[
                    "pages",
                    "otlp",
                    "gateway",
                    "authorization",
                    "jwt",
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
                    "testkit",
                ],
            ),
            ("cli", &["polywire", "proto"]),
        ],
    ),
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
    let (places, edges) = edges(&metadata);
    let mut complaints = wrong_places(&places);
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
            let (from, to) = (last(from), last(to));
            // A build script runs before the crate is built: its dependencies are not a layer of the product.
            let script = dependency.kind == DependencyKind::Build && to == "build";
            let dev = script || dependency.kind == DependencyKind::Development;
            edges.push(Edge { from: from.to_owned(), to: to.to_owned(), dev });
        }
    }
    (folders.into_values().collect(), edges)
}

/// `crates/FLOOR/NAME/Cargo.toml` -> `FLOOR/NAME`; other members (examples, xtask) may depend on every crate.
fn folder(metadata: &Metadata, manifest: &Path) -> Option<String> {
    let inside = manifest.strip_prefix(metadata.workspace_root.as_std_path().join("crates")).ok()?;
    Some(inside.parent()?.to_str()?.to_owned())
}

/// `FLOOR/NAME` -> `NAME`.
fn last(place: &str) -> &str {
    place.rsplit('/').next().unwrap_or(place)
}

/// A crate that is missing in the table has no place yet, its author decides here; one that is there lies on
/// its floor.
fn wrong_places(places: &[String]) -> Complaints {
    let known: Vec<_> = crates()
        .map(|(floor, name, _)| format!("{floor}/{name}").trim_start_matches('/').to_owned())
        .collect();
    let unknown = places.iter().filter(|place| !known.contains(place));
    unknown
        .map(|place| format!("crates/{place} has no place in the table of xtask/src/check_deps.rs"))
        .collect()
}

/// Floor, name, and what is directly below, of each crate.
fn crates() -> impl Iterator<Item = (&'static str, &'static str, &'static [&'static str])> {
    FLOORS.iter().flat_map(|(floor, crates)| crates.iter().map(|(name, below)| (*floor, *name, *below)))
}

fn wrong_edges(edges: &[Edge]) -> Complaints {
    let mut complaints = Vec::new();
    for Edge { from, to, dev } in edges {
        if *dev {
            continue;
        }
        if to == "machine_testing" {
            complaints.push(format!("{from} depends on machine_testing, which only tests may use"));
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
    crates().find(|(_, known, _)| *known == name).map_or(&[], |(_, _, below)| below)
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
        if !WITHOUT_IO.contains(&last(&name)) {
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
    fn machine_testing_is_for_tests_only() {
        assert_eq!(wrong_edges(&[edge("server", "machine_testing", true)]), Complaints::new());
        assert_eq!(wrong_edges(&[edge("server", "machine_testing", false)]).len(), 1);
    }

    #[test]
    fn a_crate_without_a_place_or_on_another_floor_is_named() {
        assert_eq!(wrong_places(&["core/base".into(), "cli".into()]), Complaints::new());
        assert_eq!(wrong_places(&["core/misc".into(), "rpc/base".into(), "base".into()]).len(), 3);
    }

    #[test]
    fn the_table_has_no_circle_and_no_crate_that_is_built_on_a_higher_floor() {
        let floor_of =
            |name: &str| FLOORS.iter().position(|(_, crates)| crates.iter().any(|(known, _)| *known == name));
        for (_, name, below) in crates() {
            assert!(!may_reach(name).contains(name), "{name} reaches itself");
            let floor = floor_of(name);
            for below in below {
                assert!(
                    floor_of(below).is_some_and(|below| Some(below) <= floor),
                    "{name} is built on {below}"
                );
            }
        }
    }
}
