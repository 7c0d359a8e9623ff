//! Converts a snapshot to a table of routes, which a channel uses.

use crate::{
    depend::{At, Leaf, Ready, Snapshot},
    resources::{
        endpoints::Endpoint,
        faults::{self, Faults, Override},
        matching::{How, Is, Match, Text},
        policy::{Choice, Policy},
        route::{self, Forward, HashBy, To},
        shortened,
    },
    servers::{Assigned, Protection},
};
use polywire_balance::Subset;
use polywire_call::{ConfigError, bounded};
use polywire_naming::Server;
use polywire_routing::{
    Abort, AbortWith, Action, Cluster, Delay, DelayLength, Fault, Fraction, HashPolicy, HeaderMatch,
    HeaderTest, Matcher, PathMatch, RetryPolicy, Route, RouteTable, Target, watch_at_once,
};
use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

/// The servers of clusters, by cluster name: they outlive a table.
pub(crate) type Sources = BTreeMap<String, Arc<Assigned>>;

/// Maximum number of priorities for a policy that uses one server at a time: further ones share the last one.
const MOST_TURNS: u32 = 64;
/// The maximum length of a cluster's name in the name of its source, in bytes.
const LONGEST_NAME: usize = 200;

/// `name`: the target's, for the names of sources.
///
/// # Errors
/// The snapshot exceeds the limits of a table.
pub(crate) fn table(
    snapshot: &Snapshot,
    name: &str,
    sources: &mut Sources,
) -> Result<RouteTable, ConfigError> {
    let (mut clusters, mut newest) = (Vec::new(), Sources::new());
    for (cluster, ready) in &snapshot.clusters {
        let known = sources.get(cluster);
        // One that cannot be had now is as it was.
        let protection = ready.as_ref().ok().map(|ready| protection(&ready.leaves));
        let source = match (known, protection) {
            (Some(known), None) => known.clone(),
            (Some(known), Some(protection)) if known.protection == protection => known.clone(),
            (_, protection) => {
                let protection = protection.unwrap_or(Protection::Whole(None));
                let seed = known.map_or_else(|| fastrand::u64(..), |known| known.seed);
                Assigned::new(format!("{name} cluster {}", told_apart(cluster)), seed, protection)
            }
        };
        clusters.push((cluster.clone(), cluster_of(ready, &source)));
        newest.insert(cluster.clone(), source);
    }
    let routes = snapshot.host.routes.iter().map(|route| route_of(route, snapshot));
    // With an error the table before stays, and with it its clusters.
    let table = RouteTable::new(routes, clusters)?;
    *sources = newest;
    Ok(table)
}

/// A name that may be written to the log, and differs from that of every other cluster.
fn told_apart(cluster: &str) -> String {
    if cluster.len() <= LONGEST_NAME {
        return cluster.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    cluster.hash(&mut hasher);
    format!("{}.. ({} bytes, {:016x})", bounded(cluster, LONGEST_NAME), cluster.len(), hasher.finish())
}

/// The TLS with which the endpoints of leaves are connected to.
fn protection(leaves: &[Leaf]) -> Protection {
    let tls = |leaf: &Leaf| leaf.cluster.tls.clone();
    let first = leaves.first().and_then(tls);
    match leaves.iter().all(|leaf| leaf.cluster.tls == first) {
        true => Protection::Whole(first),
        false => {
            Protection::Parts(leaves.iter().map(|leaf| (leaf.cluster.name.clone(), tls(leaf))).collect())
        }
    }
}

fn cluster_of(ready: &Result<Ready, String>, source: &Arc<Assigned>) -> Cluster {
    let mut cluster = Cluster::served_by(source.clone()).watch(watch_at_once());
    match &source.protection {
        Protection::Whole(tls) => cluster.tls = tls.clone(),
        Protection::Parts(parts) => cluster.parts = parts.clone(),
    }
    let ready = match ready {
        Ok(ready) => ready,
        Err(why) => {
            cluster.failure = Some(why.clone());
            return cluster;
        }
    };
    let policy = &ready.cluster.policy;
    let in_parts = matches!(source.protection, Protection::Parts(_));
    let servers = servers(&ready.leaves, policy, source.seed, in_parts);
    if servers.is_empty() {
        let why = ready
            .leaves
            .iter()
            .find_map(|leaf| leaf.note.as_deref())
            .unwrap_or("it has no healthy endpoints");
        cluster.failure = Some(format!("xDS cluster {:?}: {why}", shortened(&ready.cluster.name)));
    }
    source.set(servers);
    // Breakers, drops and outliers of an aggregate are those of the cluster that it prefers.
    let first = &ready.leaves[0];
    cluster = cluster.balancer(balancer(&policy.choice));
    cluster =
        cluster.outlier_detection(first.cluster.outliers.clone()).max_requests(first.cluster.max_requests);
    if let At::Assigned(endpoints) = &first.endpoints {
        for (category, millionths) in &endpoints.drops {
            cluster = cluster.drop_share(category, Fraction::per_million(*millionths));
        }
    }
    cluster
}

fn balancer(choice: &Choice) -> String {
    match choice {
        Choice::RoundRobin | Choice::First { .. } => "rr".to_owned(),
        Choice::LeastRequest { choices } => format!("least_request:choices={choices}"),
        Choice::RingHash { least, most } => format!("ring_hash:min_ring_size={least} max_ring_size={most}"),
        Choice::WeightedRoundRobin(reports) => {
            let millis = |time: Duration, least: u128| time.as_millis().clamp(least, 86_400_000);
            let penalty = (f64::from(reports.error_penalty) * 100.0).clamp(0.0, 100_000.0) as u64;
            format!(
                "weighted_round_robin:blackout_ms={} expiration_ms={} update_ms={} error_penalty_percent={penalty}",
                millis(reports.blackout, 0),
                millis(reports.expiration, 1),
                millis(reports.update, 100),
            )
        }
    }
}

/// All endpoints, as servers with their priority, leaf by leaf. `in_parts`: with the names of their clusters.
fn servers(leaves: &[Leaf], policy: &Policy, seed: u64, in_parts: bool) -> Vec<Server> {
    let mut servers = Vec::new();
    let mut priority = 0;
    for leaf in leaves {
        let begin = servers.len();
        match &leaf.endpoints {
            At::Resolved(addresses) => {
                let all = addresses.iter().map(|address| Server::new(address.to_string()).priority(priority));
                servers.extend(subset(all.collect(), policy, seed));
                priority += 1;
            }
            At::Assigned(endpoints) => {
                for localities in &endpoints.priorities {
                    let begin = servers.len();
                    let all = localities.iter().map(|locality| u64::from(locality.weight)).sum();
                    for locality in localities {
                        let here = locality.endpoints.iter().map(|endpoint| u64::from(endpoint.weight)).sum();
                        for endpoint in &locality.endpoints {
                            let mut server = server(endpoint, &locality.name).priority(priority);
                            server.weight = Some(match policy.by_locality {
                                true => endpoint.weight,
                                false => product(share(locality.weight, all), share(endpoint.weight, here)),
                            });
                            server.zone_weight = policy.by_locality.then_some(locality.weight);
                            servers.push(server);
                        }
                    }
                    let these = servers.split_off(begin);
                    servers.extend(subset(these, policy, seed));
                    priority += 1;
                }
            }
        }
        if in_parts {
            let own: &mut [Server] = &mut servers[begin..];
            own.iter_mut().for_each(|server| server.part = Some(leaf.cluster.name.clone()));
        }
    }
    if let Choice::First { shuffled } = policy.choice {
        in_turn(&mut servers, shuffled);
    }
    servers
}

/// The servers of a priority that this client uses, by gRFC A68: the ones of the lowest ranks.
fn subset(mut servers: Vec<Server>, policy: &Policy, seed: u64) -> Vec<Server> {
    let most = policy.most.map_or(usize::MAX, |most| most as usize);
    if servers.len() <= most && policy.most_of_locality.is_none() {
        return servers;
    }
    servers.sort_by_cached_key(|server| Subset::rank(seed, &server.address));
    servers.truncate(most);
    if let Some(most) = policy.most_of_locality {
        let mut counts: BTreeMap<Option<String>, u32> = BTreeMap::new();
        servers.retain(|server| {
            let count = counts.entry(server.zone.clone()).or_default();
            *count += 1;
            *count <= most
        });
    }
    servers
}

fn server(endpoint: &Endpoint, locality: &[String; 3]) -> Server {
    let [region, zone, sub_zone] = locality;
    let mut server = Server::new(endpoint.address.to_string())
        .zone(format!("{{region={region:?}, zone={zone:?}, sub_zone={sub_zone:?}}}"));
    if !endpoint.hostname.is_empty() {
        server = server.metadata("hostname", &endpoint.hostname);
    }
    if !endpoint.hash_key.is_empty() {
        server = server.metadata("hash_key", &endpoint.hash_key);
    }
    server
}

/// Gives each server a priority of its own, so that they are used one after the other.
fn in_turn(servers: &mut [Server], shuffled: bool) {
    if shuffled {
        // gRFC A113: by `u ^ (1 / weight)`, descending, within each priority.
        let key = |server: &Server| fastrand::f64().powf(1.0 / f64::from(server.weight.unwrap_or(1).max(1)));
        let mut keyed: Vec<_> =
            servers.iter().map(|server| (server.priority, key(server), server.clone())).collect();
        keyed.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        servers.iter_mut().zip(keyed).for_each(|(place, (_, _, server))| *place = server);
    }
    for (turn, server) in (0..).zip(servers) {
        (server.priority, server.zone_weight) = (MOST_TURNS.min(turn), None);
    }
}

/// gRFC A113: a fraction with 31 bits after the point.
fn share(weight: u32, sum: u64) -> u64 {
    (u64::from(weight) << 31) / sum.max(1)
}

fn product(one: u64, other: u64) -> u32 {
    u32::try_from((one * other) >> 31).unwrap_or(u32::MAX).max(1)
}

fn route_of(route: &route::Route, snapshot: &Snapshot) -> Route {
    let host = &snapshot.host.overrides;
    let matcher = matcher(&route.matches);
    let forward = match &route.action {
        route::Action::Forward(forward) => forward,
        route::Action::Unusable(what) => {
            return Route::new(
                matcher,
                Action::Fail(format!("the route of this call has {what}, which is not supported")),
            );
        }
    };
    let faults_of = |overrides: &[&BTreeMap<String, Override>]| -> Vec<Fault> {
        snapshot.api.faults(overrides).iter().map(fault).collect()
    };
    let targets = match &forward.to {
        To::Cluster(name) => vec![Target::new(name)],
        To::Weighted(weights) => {
            let target = |weight: &route::Weight| {
                let own = (!weight.overrides.is_empty())
                    .then(|| faults_of(&[&weight.overrides, &route.overrides, host]));
                Target::new(&weight.cluster).weight(weight.weight).faults(own)
            };
            weights.iter().map(target).collect()
        }
    };
    let timeout = forward.timeout.or(snapshot.api.max_stream_duration).filter(|limit| !limit.is_zero());
    let mut made = Route::new(matcher, Action::To(targets)).max_duration(timeout).retry(retry(forward));
    for hash in &forward.hashes {
        let policy = match &hash.by {
            HashBy::Channel => HashPolicy::channel(),
            HashBy::Header(name, None) => HashPolicy::header(name),
            HashBy::Header(name, Some(rewrite)) => HashPolicy::rewritten(name, rewrite.clone()),
        };
        made = made.hash(policy.terminal(hash.terminal));
    }
    for fault in faults_of(&[&route.overrides, host]) {
        made = made.fault(fault);
    }
    made
}

fn matcher(wire: &Match) -> Matcher {
    let Text { how, ignores_case } = &wire.path;
    let path = match how {
        How::Prefix(prefix) => PathMatch::prefix(prefix),
        How::Exact(path) => PathMatch::exact(path),
        How::Regex(pattern) => PathMatch::Pattern(pattern.clone()),
        // Paths are not compared in these ways: `Match::check` makes none.
        How::Suffix(_) | How::Contains(_) => PathMatch::any(),
    };
    let mut matcher = Matcher::new(if *ignores_case { path.ignore_case() } else { path });
    for header in &wire.headers {
        let (test, ignores_case) = match &header.is {
            Is::Present(present) => (HeaderTest::Present(*present), false),
            Is::Within(start, end) => (HeaderTest::Range(*start..*end), false),
            Is::Text(text) => (test(&text.how), text.ignores_case),
        };
        let made = HeaderMatch::new(&header.name, test).inverted(header.inverted).ignore_case(ignores_case);
        matcher = matcher.header(made);
    }
    match wire.millionths {
        Some(millionths) => matcher.fraction(Fraction::per_million(millionths)),
        None => matcher,
    }
}

fn test(how: &How) -> HeaderTest {
    match how {
        How::Exact(text) => HeaderTest::Exact(text.clone()),
        How::Prefix(text) => HeaderTest::Prefix(text.clone()),
        How::Suffix(text) => HeaderTest::Suffix(text.clone()),
        How::Contains(text) => HeaderTest::Contains(text.clone()),
        How::Regex(pattern) => HeaderTest::Pattern(pattern.clone()),
    }
}

fn retry(forward: &Forward) -> Option<RetryPolicy> {
    let retry = forward.retry.as_ref()?;
    let policy = RetryPolicy::new(retry.codes.iter().copied()).attempts(retry.attempts);
    Some(policy.first_pause(retry.initial).longest_pause(retry.most).multiplier(2.0))
}

fn fault(wire: &Faults) -> Fault {
    let share = |share: faults::Share| Fraction::new(share.numerator, share.denominator);
    let mut fault = Fault::new().max_active(wire.most_active);
    fault.delay = wire.delay.map(|(delay, part)| match delay {
        faults::Delay::Fixed(length) => Delay::new(DelayLength::Fixed(length), share(part)),
        faults::Delay::ByHeader => {
            Delay::new(DelayLength::Header("x-envoy-fault-delay-request".into()), share(part))
                .share_header("x-envoy-fault-delay-request-percentage")
        }
    });
    fault.abort = wire.abort.and_then(|(abort, part)| match abort {
        faults::Abort::Http(status) => Abort::http(status, share(part)),
        faults::Abort::Grpc(number) => Some(Abort::grpc(number, share(part))),
        faults::Abort::ByHeader => {
            let with = AbortWith::Headers {
                http: "x-envoy-fault-abort-request".into(),
                code: "x-envoy-fault-abort-grpc-request".into(),
            };
            Some(Abort::new(with, share(part)).share_header("x-envoy-fault-abort-percentage"))
        }
    });
    fault
}
