//! Metrics of the process's channels, as variables of the process's registry: every server of the process
//! shows them in `/metrics` and `/vars`.
//!
//! Calls count nothing extra for these, except for retries and second requests, which are rare. Reading a
//! page collects what each channel already knows of its servers.

use crate::{
    channels::{MOST_CHANNELS, with_servers},
    core::Core,
    why::{ServerWhy, Why},
};
use polywire_base::lock;
use polywire_engine::clock;
use polywire_metrics::{Computed, Metric, Name, Reading, process};
use std::{
    sync::{Arc, Mutex, Once},
    time::{Duration, Instant},
};

/// The maximum number of servers shown, over all channels; those of the oldest channels come first.
const MOST_SERVERS: usize = 1000;

/// A figure of each server of each channel.
type OfServer = (&'static str, &'static str, fn(&ServerWhy) -> Reading);

const OF_SERVERS: [OfServer; 9] = [
    ("polywire_client_tries", "Tries of calls that were sent to a server.", |one| Reading::Count(one.calls)),
    ("polywire_client_failed_tries", "Tries whose failure counts against the server.", |one| {
        Reading::Count(one.failed)
    }),
    ("polywire_client_tries_in_progress", "Tries that have not ended.", |one| {
        Reading::Level(one.in_flight.into())
    }),
    ("polywire_client_server_ready", "Whether calls may be sent to the server: 1 or 0.", |one| {
        Reading::Level(one.is_ready.into())
    }),
    ("polywire_client_server_isolations", "How often the circuit breaker has isolated the server.", |one| {
        Reading::Count(one.breaks.into())
    }),
    (
        "polywire_client_server_latency_average_seconds",
        "Moving average of the latency that the balancer goes by; 0 if it keeps none.",
        |one| Reading::Real(one.penalty.unwrap_or_default().as_secs_f64()),
    ),
    ("polywire_client_connections_made", "Connections that were made to the server.", |one| {
        Reading::Count(one.connections as u64)
    }),
    ("polywire_client_health_checks", "Health checks of the server.", |one| Reading::Count(one.checks)),
    ("polywire_client_failed_health_checks", "Health checks that failed.", |one| {
        Reading::Count(one.checks_failed)
    }),
];

/// A figure of each channel.
type OfChannel = (&'static str, &'static str, fn(&Channel) -> Reading);

const OF_CHANNELS: [OfChannel; 4] = [
    ("polywire_client_retries", "Tries that followed one that failed.", |channel| {
        Reading::Count(channel.retries)
    }),
    ("polywire_client_hedges", "Calls that were sent again while they were under decision.", |channel| {
        Reading::Count(channel.hedges)
    }),
    ("polywire_client_servers", "Servers that the channel knows.", |channel| {
        Reading::Level(channel.why.server_count as i64)
    }),
    (
        "polywire_client_naming_failing",
        "Whether the source of the channel's servers, or its router, failed the last time: 1 or 0.",
        |channel| Reading::Level(channel.why.source_error.is_some().into()),
    ),
];

/// Exposes the variables, with the first channel of the process.
pub(crate) fn expose() {
    static EXPOSED: Once = Once::new();
    EXPOSED.call_once(|| {
        crate::call_metrics::expose();
        crate::subchannel_metrics::expose();
        let registry = process::registry();
        let name = |name, help: &str| Name::new(name).metric(Metric::new(name, help));
        for (metric, help, read) in OF_SERVERS {
            let keys = ["channel", "target", "cluster", "server"];
            let servers = Computed::new(keys, read(&ServerWhy::default()), move || of_servers(read));
            let _ = registry.expose(name(metric, help), servers); // fails if the application has taken the name
        }
        for (metric, help, read) in OF_CHANNELS {
            let keys = ["channel", "target"];
            let channels = Computed::new(keys, read(&Channel::default()), move || of_channels(read));
            let _ = registry.expose(name(metric, help), channels);
        }
    });
}

fn of_servers(read: fn(&ServerWhy) -> Reading) -> Vec<(Vec<String>, Reading)> {
    let mut found = Vec::new();
    for channel in lately().iter() {
        for one in &channel.why.servers {
            if found.len() == MOST_SERVERS {
                return found;
            }
            let labels = [
                channel.id.to_string(),
                channel.why.channel.clone(),
                one.cluster.clone(),
                one.address.clone(),
            ];
            found.push((labels.to_vec(), read(one)));
        }
    }
    found
}

fn of_channels(read: fn(&Channel) -> Reading) -> Vec<(Vec<String>, Reading)> {
    let labels = |channel: &Channel| vec![channel.id.to_string(), channel.why.channel.clone()];
    lately().iter().map(|channel| (labels(channel), read(channel))).collect()
}

/// The figures of one channel.
#[derive(Default)]
struct Channel {
    id: u64,
    retries: u64,
    hedges: u64,
    why: Why,
}

impl Channel {
    fn new(core: &Core) -> Self {
        Channel {
            id: core.id,
            retries: core.further.retries(),
            hedges: core.further.hedges(),
            why: core.servers.state(),
        }
    }
}

/// The channels as they were collected a moment ago, oldest first, since one page shows many of their
/// figures. A collection time in the future comes from a test with a clock of its own.
fn lately() -> Arc<Vec<Channel>> {
    const AGE: Duration = Duration::from_millis(50);
    static LATELY: Mutex<Option<(Instant, Arc<Vec<Channel>>)>> = Mutex::new(None);
    let mut lately = lock(&LATELY);
    let now = clock::now();
    match &*lately {
        Some((at, channels)) if now.checked_duration_since(*at).is_some_and(|age| age < AGE) => {
            channels.clone()
        }
        _ => {
            let by_id = with_servers();
            let channels = by_id.values().take(MOST_CHANNELS).map(|core| Channel::new(core)).collect();
            lately.insert((now, Arc::new(channels))).1.clone()
        }
    }
}
