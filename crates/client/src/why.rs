//! Why calls went where they went: what [`Channel::why`](crate::Channel::why) tells, as values, text and JSON.

use std::{fmt, time::Duration};

/// What a channel knows of its servers, and where its last calls went.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Why {
    /// The address of the channel, or the url of its naming source.
    pub channel: String,
    pub protocol: &'static str,
    /// The balancer; empty for a channel with one address.
    pub balancer: String,
    /// Whether naming has told of a set of servers. Always true for a channel with one address.
    pub is_known: bool,
    /// Why naming failed the last time, if it has not answered since.
    pub source_error: Option<String>,
    /// In the order of their addresses; the first [`MOST_SERVERS`].
    pub servers: Vec<ServerWhy>,
    /// All servers, those included that are not listed.
    pub server_count: usize,
    /// Some of the last calls, the newest last: those that failed or were tried again, and one in 64 of the others.
    pub calls: Vec<CallWhy>,
}

/// The most servers that [`Why`] lists.
pub const MOST_SERVERS: usize = 1000;

/// What a channel knows of one server.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct ServerWhy {
    pub address: String,
    pub tag: String,
    pub weight: Option<u32>,
    /// Whether it can be chosen.
    pub is_ready: bool,
    /// Why it cannot be chosen, or what else is known: `unconnected`, `ejected`, `isolated for 1.2s`.
    pub state: String,
    /// Why the newest attempt to connect failed, if it did.
    pub last_error: Option<String>,
    /// Calls that were sent there and have not ended.
    pub in_flight: u32,
    /// A moving average that rises at once and falls slowly; `None`: the balancer keeps none, or no call has ended.
    pub latency: Option<Duration>,
    /// Calls that were sent there.
    pub calls: u64,
    /// Those of them that failed in a way that speaks against the server.
    pub failed: u64,
    /// How often the circuit breaker has isolated it.
    pub breaks: u32,
    /// Connections made to it so far.
    pub connections: usize,
    /// How often the balancer `prequal` has asked for its load, and how often it has answered in time.
    pub probes: u64,
    pub probes_answered: u64,
}

/// Where a call went.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct CallWhy {
    /// `package.Service/Method`.
    pub method: String,
    /// How long ago it began.
    pub age: Duration,
    /// By what a balancer that hashes has chosen.
    pub key: Option<u64>,
    pub tries: Vec<TryWhy>,
}

/// One attempt of a call.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct TryWhy {
    pub server: String,
    /// From the start of the first attempt to that of this one.
    pub after: Duration,
    /// `None`: it has not ended.
    pub took: Option<Duration>,
    /// How it ended: `ok`, `given up`, or the error.
    pub end: String,
    /// What was known of the server that was chosen and of some others when it was chosen.
    pub candidates: Vec<Candidate>,
}

/// A server as the balancer saw it.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Candidate {
    pub address: String,
    pub is_ready: bool,
    pub in_flight: u32,
    pub latency: Option<Duration>,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.channel, self.protocol)?;
        if !self.balancer.is_empty() {
            write!(f, ", balancer {}", self.balancer)?;
        }
        match &self.source_error {
            Some(error) if self.is_known => write!(f, "; naming fails, the last set is in use: {error}")?,
            Some(error) => write!(f, "; no servers are known: {error}")?,
            None if !self.is_known => write!(f, "; no servers are known yet")?,
            None => {}
        }
        writeln!(f)?;
        for server in &self.servers {
            writeln!(f, "  {server}")?;
        }
        if self.server_count > self.servers.len() {
            writeln!(f, "  .. and {} more", self.server_count - self.servers.len())?;
        }
        self.calls.iter().try_for_each(|call| write!(f, "{call}"))
    }
}

impl fmt::Display for ServerWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.address)?;
        if !self.tag.is_empty() {
            write!(f, " [{}]", self.tag)?;
        }
        write!(
            f,
            ": {}, {} calls, {} failed, {} in flight",
            self.state, self.calls, self.failed, self.in_flight
        )?;
        if let Some(latency) = self.latency {
            write!(f, ", latency {latency:.1?}")?;
        }
        if let Some(weight) = self.weight {
            write!(f, ", weight {weight}")?;
        }
        if self.probes > 0 {
            write!(f, ", {} of {} probes answered", self.probes_answered, self.probes)?;
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

impl fmt::Display for CallWhy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1?} ago: {}", self.age, self.method)?;
        if let Some(key) = self.key {
            write!(f, ", key {key}")?;
        }
        writeln!(f)?;
        for one in &self.tries {
            write!(f, "    after {:.1?} to {}: ", one.after, one.server)?;
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
                if let Some(latency) = candidate.latency {
                    write!(f, " {latency:.1?}")?;
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
                "latency_us": one.latency.map(us) })
        };
        let attempt = |one: &TryWhy| {
            json!({ "server": one.server, "after_us": us(one.after), "took_us": one.took.map(us), "end": one.end,
                "candidates": one.candidates.iter().map(candidate).collect::<Vec<_>>() })
        };
        let call = |one: &CallWhy| {
            json!({ "method": one.method, "age_us": us(one.age), "key": one.key,
                "tries": one.tries.iter().map(attempt).collect::<Vec<_>>() })
        };
        let server = |one: &ServerWhy| {
            json!({ "address": one.address, "tag": one.tag, "weight": one.weight, "is_ready": one.is_ready,
                "state": one.state, "last_error": one.last_error, "in_flight": one.in_flight,
                "latency_us": one.latency.map(us), "calls": one.calls, "failed": one.failed, "breaks": one.breaks,
                "connections": one.connections, "probes": one.probes, "probes_answered": one.probes_answered })
        };
        json!({ "channel": self.channel, "protocol": self.protocol, "balancer": self.balancer,
            "is_known": self.is_known, "source_error": self.source_error,
            "servers": self.servers.iter().map(server).collect::<Vec<_>>(), "server_count": self.server_count,
            "calls": self.calls.iter().map(call).collect::<Vec<_>>() })
        .to_string()
    }
}
