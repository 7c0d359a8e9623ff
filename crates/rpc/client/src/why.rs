//! Diagnostics about the destinations of calls: the result of [`Channel::why`](crate::Channel::why) as
//! values, text and JSON.

use std::{fmt, time::Duration};

/// The state of a channel's servers, and the destinations of its last calls.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Why {
    /// The address of the channel, or the url of its naming source.
    pub channel: String,
    pub protocol: &'static str,
    /// The balancer; empty for a channel with one address.
    pub balancer: String,
    /// Whether naming has delivered a set of servers. Always true for a channel with one address.
    pub is_known: bool,
    /// The error of the last naming attempt, if no attempt has succeeded since.
    pub source_error: Option<String>,
    /// The clusters in the current table of routes, in the order of their names; empty for a channel without
    /// a router.
    pub clusters: Vec<ClusterWhy>,
    /// The number of routes.
    pub route_count: usize,
    /// The servers, in the order of their addresses, cluster by cluster; at most the first [`MOST_SERVERS`].
    pub servers: Vec<ServerWhy>,
    /// The number of all servers, including those that are not listed.
    pub server_count: usize,
    /// Some of the last calls, the newest last: those that failed, were tried again or waited for a server,
    /// and one in 64 of the others.
    pub calls: Vec<CallWhy>,
}

/// The most servers that [`Why`] lists.
pub const MOST_SERVERS: usize = 1000;

/// The state of one cluster of a channel with a router.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct ClusterWhy {
    pub name: String,
    pub balancer: String,
    /// The reason why the cluster's calls fail, or the error of its last naming attempt.
    pub error: Option<String>,
    pub server_count: usize,
    /// The number of attempts under way, if they are limited.
    pub in_flight: u32,
    /// The maximum number of requests under way.
    pub max_requests: Option<u32>,
    /// Tries that were refused because the maximum of requests was under way.
    pub refused: u64,
    /// Attempts that were made to fail on purpose, by category.
    pub dropped: Vec<(String, u64)>,
}

/// The state of one server of a channel.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct ServerWhy {
    /// The cluster that it belongs to; empty for a channel without a router.
    pub cluster: String,
    pub address: String,
    pub tag: String,
    pub weight: Option<u32>,
    /// Whether balancers may choose the server.
    pub is_ready: bool,
    /// The reason why the server cannot be chosen, or its state: `unconnected`, `ejected`, `isolated for
    /// 1.2s`.
    pub state: String,
    /// The error of the latest attempt to connect; `None` if it succeeded.
    pub last_error: Option<String>,
    /// Calls that were sent there and have not ended.
    pub in_flight: u32,
    /// The latency that balancers which compare servers by speed use for this server: a weighted average that
    /// rises at once, also by a penalty for failures, and falls slowly. It may exceed the duration of every
    /// call. `None`: the balancer keeps no average, or no call has ended.
    pub penalty: Option<Duration>,
    /// The durations of calls, failed ones included: median and 99th percentile over the sampled calls of the
    /// last 10 s, or over the last eight sampled calls; at most 256. One call in 64 is sampled. `None`: no
    /// call was sampled.
    pub p50: Option<Duration>,
    pub p99: Option<Duration>,
    /// For how long no connection could be made; `None` if one exists, or none was tried.
    pub unconnected_for: Option<Duration>,
    /// Calls that were sent there.
    pub calls: u64,
    /// The number of those calls whose failure counts against the server.
    pub failed: u64,
    /// The number of times the circuit breaker has isolated the server.
    pub breaks: u32,
    /// Connections made to the server so far.
    pub connections: usize,
    /// The number of load probes that the balancer `prequal` has sent to the server, and the number answered
    /// in time.
    pub probes: u64,
    pub probes_answered: u64,
    /// The number of health checks, the number of failed ones, and the result of the last one: `ok`, or the
    /// reason of the failure.
    pub checks: u64,
    pub checks_failed: u64,
    pub last_check: Option<String>,
}

/// The record of one call: its tries and their servers.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct CallWhy {
    /// The method as `package.Service/Method`.
    pub method: String,
    /// The route and the cluster that it took; empty for a channel without a router.
    pub route: String,
    pub cluster: String,
    /// How long ago the call began.
    pub age: Duration,
    /// The key by which a hashing balancer chose the server.
    pub key: Option<u64>,
    /// The method of this process whose handler made the call; empty if no handler did, or if the call was
    /// recorded only when it failed.
    pub caller: String,
    pub tries: Vec<TryWhy>,
}

/// One attempt of a call.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct TryWhy {
    /// The server of the try; empty if there was none.
    pub server: String,
    /// The time from the start of the first attempt to the start of this one.
    pub after: Duration,
    /// The duration of the try; `None`: it has not ended.
    pub took: Option<Duration>,
    /// The result of the try: `ok`, `given up`, or the error.
    pub end: String,
    /// The state of the chosen server and of some others at the time of the choice.
    pub candidates: Vec<Candidate>,
}

/// A server as the balancer saw it.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Candidate {
    pub address: String,
    pub is_ready: bool,
    pub in_flight: u32,
    pub penalty: Option<Duration>,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.channel, self.protocol)?;
        if !self.balancer.is_empty() {
            write!(f, ", balancer {}", self.balancer)?;
        }
        let what = if self.balancer.is_empty() {
            ("routing", "table", "routes")
        } else {
            ("naming", "set", "servers")
        };
        if self.route_count > 0 {
            write!(f, ", {} routes", self.route_count)?;
        }
        match &self.source_error {
            Some(error) if self.is_known => {
                write!(f, "; {} fails, the last {} is in use: {error}", what.0, what.1)?
            }
            Some(error) => write!(f, "; no {} are known: {error}", what.2)?,
            None if !self.is_known => write!(f, "; no {} are known yet", what.2)?,
            None => {}
        }
        writeln!(f)?;
        for cluster in &self.clusters {
            writeln!(f, "  {cluster}")?;
        }
        for server in &self.servers {
            writeln!(f, "  {server}")?;
        }
        if self.server_count > self.servers.len() {
            writeln!(f, "  .. and {} more", self.server_count - self.servers.len())?;
        }
        self.calls.iter().try_for_each(|call| write!(f, "{call}"))
    }
}

impl fmt::Display for ClusterWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cluster {}: {} servers, balancer {}", self.name, self.server_count, self.balancer)?;
        if let Some(most) = self.max_requests {
            write!(f, ", {} of {most} requests in flight, {} refused", self.in_flight, self.refused)?;
        }
        for (category, calls) in &self.dropped {
            write!(f, ", {calls} dropped as {category:?}")?;
        }
        match &self.error {
            Some(error) => write!(f, ", error: {error}"),
            None => Ok(()),
        }
    }
}

impl ServerWhy {
    /// Whether the median of its calls is three times that of the other servers of its cluster, and a
    /// millisecond more. `all`: the servers of the channel, including this one.
    pub fn is_slow_beside(&self, all: &[ServerWhy]) -> bool {
        match (self.p50, self.p50_of_others(all)) {
            (Some(own), Some(others)) => own >= 3 * others && own >= others + Duration::from_millis(1),
            _ => false,
        }
    }

    /// The median over the other servers of its cluster of their median durations.
    pub fn p50_of_others(&self, all: &[ServerWhy]) -> Option<Duration> {
        let others = all.iter().filter(|other| other.cluster == self.cluster && !std::ptr::eq(*other, self));
        let mut times: Vec<Duration> = others.filter_map(|other| other.p50).collect();
        times.sort_unstable();
        times.get(times.len() / 2).copied()
    }
}

impl fmt::Display for ServerWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.cluster.is_empty() {
            write!(f, "{}: ", self.cluster)?;
        }
        write!(f, "{}", self.address)?;
        if !self.tag.is_empty() {
            write!(f, " [{}]", self.tag)?;
        }
        write!(
            f,
            ": {}, {} calls, {} failed, {} in flight",
            self.state, self.calls, self.failed, self.in_flight
        )?;
        if let (Some(p50), Some(p99)) = (self.p50, self.p99) {
            write!(f, ", p50 {p50:.1?}, p99 {p99:.1?}")?;
        }
        if let Some(penalty) = self.penalty {
            write!(f, ", penalty {penalty:.1?}")?;
        }
        if let Some(long) = self.unconnected_for {
            write!(f, ", for {long:.1?}")?;
        }
        if let Some(weight) = self.weight {
            write!(f, ", weight {weight}")?;
        }
        if self.probes > 0 {
            write!(f, ", {} of {} probes answered", self.probes_answered, self.probes)?;
        }
        if let Some(last) = &self.last_check {
            write!(f, ", {} of {} checks failed, the last said: {last}", self.checks_failed, self.checks)?;
        }
        if self.breaks > 0 {
            write!(f, ", isolated {} times", self.breaks)?;
        }
        if let Some(error) = &self.last_error {
            write!(f, ", last error: {error}")?;
        }
        Ok(())
    }
}

impl TryWhy {
    /// The server of the call, as text.
    pub fn destination(&self) -> &str {
        if self.server.is_empty() { "no server" } else { &self.server }
    }
}

impl fmt::Display for CallWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1?} ago: {}", self.age, self.method)?;
        if !self.cluster.is_empty() {
            write!(f, ", by route {} to cluster {}", self.route, self.cluster)?;
        }
        if let Some(key) = self.key {
            write!(f, ", key {key}")?;
        }
        writeln!(f)?;
        for one in &self.tries {
            write!(f, "    after {:.1?} to {}: ", one.after, one.destination())?;
            match one.took {
                Some(took) => write!(f, "{} in {took:.1?}", one.end)?,
                None => write!(f, "under way")?,
            }
            for (n, candidate) in one.candidates.iter().enumerate() {
                write!(
                    f,
                    "{} {} {} in flight",
                    if n == 0 { "; of" } else { "," },
                    candidate.address,
                    candidate.in_flight
                )?;
                if let Some(penalty) = candidate.penalty {
                    write!(f, " penalty {penalty:.1?}")?;
                }
                if !candidate.is_ready {
                    write!(f, " not ready")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Why {
    /// As a JSON object with the names of the fields; times in microseconds, with `_us` behind their names.
    pub fn to_json(&self) -> String {
        use serde_json::json;
        let us = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let candidate = |one: &Candidate| {
            json!({ "address": one.address, "is_ready": one.is_ready, "in_flight": one.in_flight,
                "penalty_us": one.penalty.map(us) })
        };
        let attempt = |one: &TryWhy| {
            json!({ "server": one.server, "after_us": us(one.after), "took_us": one.took.map(us), "end": one.end,
                "candidates": one.candidates.iter().map(candidate).collect::<Vec<_>>() })
        };
        let call = |one: &CallWhy| {
            json!({ "method": one.method, "route": one.route, "cluster": one.cluster, "age_us": us(one.age), "key": one.key, "caller": one.caller,
                "tries": one.tries.iter().map(attempt).collect::<Vec<_>>() })
        };
        let server = |one: &ServerWhy| {
            json!({ "cluster": one.cluster, "address": one.address, "tag": one.tag, "weight": one.weight, "is_ready": one.is_ready,
                "state": one.state, "last_error": one.last_error, "in_flight": one.in_flight,
                "penalty_us": one.penalty.map(us), "p50_us": one.p50.map(us), "p99_us": one.p99.map(us),
                "unconnected_for_us": one.unconnected_for.map(us), "calls": one.calls, "failed": one.failed, "breaks": one.breaks,
                "connections": one.connections, "probes": one.probes, "probes_answered": one.probes_answered,
                "checks": one.checks, "checks_failed": one.checks_failed, "last_check": one.last_check })
        };
        let cluster = |one: &ClusterWhy| {
            let dropped: serde_json::Map<_, _> =
                one.dropped.iter().map(|(category, calls)| (category.clone(), json!(calls))).collect();
            json!({ "name": one.name, "balancer": one.balancer, "error": one.error, "server_count": one.server_count,
                "in_flight": one.in_flight, "max_requests": one.max_requests, "refused": one.refused,
                "dropped": dropped })
        };
        json!({ "channel": self.channel, "protocol": self.protocol, "balancer": self.balancer,
            "is_known": self.is_known, "source_error": self.source_error,
            "clusters": self.clusters.iter().map(cluster).collect::<Vec<_>>(), "route_count": self.route_count,
            "servers": self.servers.iter().map(server).collect::<Vec<_>>(), "server_count": self.server_count,
            "calls": self.calls.iter().map(call).collect::<Vec<_>>() })
        .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(cluster: &str, p50: Option<u64>) -> ServerWhy {
        ServerWhy { cluster: cluster.to_owned(), p50: p50.map(Duration::from_micros), ..ServerWhy::default() }
    }

    #[test]
    fn a_server_is_slow_beside_the_others_of_its_cluster() {
        let slow = |all: &[ServerWhy]| all.iter().map(|one| one.is_slow_beside(all)).collect::<Vec<_>>();
        let of = |times: &[u64]| times.iter().map(|us| server("", Some(*us))).collect::<Vec<_>>();
        assert_eq!(slow(&of(&[2000, 60_000, 2100])), [false, true, false]);
        assert_eq!(slow(&of(&[60_000, 2000])), [true, false]);
        assert_eq!(slow(&of(&[100, 900])), [false, false], "not a millisecond more");
        assert_eq!(slow(&of(&[20_000, 50_000, 20_000])), [false; 3], "not three times as long");
        assert_eq!(slow(&of(&[60_000])), [false], "there is no other");
        assert_eq!(slow(&[server("", None), server("", Some(60_000))]), [false, false]);
        assert_eq!(slow(&[server("near", Some(2000)), server("far", Some(60_000))]), [false, false]);
    }
}
