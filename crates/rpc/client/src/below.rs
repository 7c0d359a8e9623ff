//! The calls that handlers of this process make: for each method of the server its latest outgoing calls,
//! their targets and their durations.
//!
//! ```text
//!  a handler is polled --calls--> the balancer chooses --one in 64--> Trace: which method does this thread run?
//!                                                                       |  the attempt ends
//!  page of a method <-- sum per server, times 64 <-- the last calls of that method
//! ```
//!
//! Only calls that [`Channel::why`](crate::Channel::why) records are counted, so the others cost nothing.
//!
//! Limits: the last [`MOST`] calls of each of [`MOST_METHODS`] methods, of at most [`OLDEST`].
//! Not here: channels with one address, which follow no calls; calls made by tasks that a handler has
//!           spawned.

use polywire_base::{Sort, SortedMap, lock};
use polywire_engine::clock;
use std::{
    collections::VecDeque,
    sync::Mutex,
    time::{Duration, Instant},
};

/// One call in this many on a thread is recorded from its start.
pub(crate) const ONE_IN: u32 = 64;
/// Calls of a method that are kept.
const MOST: usize = 256;
/// The maximum number of methods whose calls are recorded; the first that make a call are taken.
const MOST_METHODS: usize = 256;
/// The time span of the figures, if there were [`ENOUGH`] calls in it.
const WINDOW: Duration = Duration::from_secs(10);
/// The time span of the figures, if there were fewer calls in [`WINDOW`].
const OLDEST: Duration = Duration::from_secs(60);
const ENOUGH: usize = 32;

static METHODS: Mutex<SortedMap<&'static str, Calls>> = Mutex::new(SortedMap::new());

/// The followed calls of one method's handlers, the oldest first.
struct Calls {
    since: Instant,
    last: VecDeque<Call>,
}

struct Call {
    ended: Instant,
    channel: String,
    server: String,
    took: Duration,
}

/// The calls to one server that the handlers of a method have made lately.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Below {
    /// The address of the channel, or the url of its naming source.
    pub channel: String,
    pub server: String,
    /// Calls a second: an estimate, since one call in 64 is followed.
    pub rate: f64,
    /// The mean number of calls under way: calls per second times the mean duration.
    pub in_flight: f64,
    /// The median of their durations; `p99` is their 99th percentile.
    pub p50: Duration,
    pub p99: Duration,
}

/// A followed call of this method's handler has ended.
pub(crate) fn note(method: &'static str, channel: &str, server: &str, took: Duration) {
    let ended = clock::now();
    let mut methods = lock(&METHODS);
    if methods.len() >= MOST_METHODS && !methods.contains_key(method) {
        return;
    }
    // It began when the first call did that is known.
    let since = ended.checked_sub(took).unwrap_or(ended);
    let calls = methods.get_or_insert_with(method, || Calls { since, last: VecDeque::new() });
    if calls.last.len() == MOST
        && let Some(oldest) = calls.last.pop_front()
    {
        calls.since = oldest.ended;
    }
    calls.last.push_back(Call { ended, channel: channel.to_owned(), server: server.to_owned(), took });
}

/// The servers that the handlers of this method (`service/method`) have called in the last ten seconds, or in
/// the last minute if there were few calls, ordered by the time that they took, the largest first.
pub fn of_method(method: &str) -> Vec<Below> {
    let now = clock::now();
    lock(&METHODS).get(method).map_or_else(Vec::new, |calls| calls.servers(now))
}

/// The time within which this share of the calls ended, which are sorted and at least one.
pub(crate) fn percentile(times: &[Duration], share: f64) -> Duration {
    times[((times.len() as f64 * share).ceil() as usize).max(1) - 1]
}

impl Calls {
    fn servers(&self, now: Instant) -> Vec<Below> {
        let within = |window: Duration| {
            let is_recent = move |call: &&Call| now.saturating_duration_since(call.ended) <= window;
            self.last.iter().filter(is_recent).collect::<Vec<_>>()
        };
        let (mut window, mut calls) = (WINDOW, within(WINDOW));
        if calls.len() < ENOUGH {
            (window, calls) = (OLDEST, within(OLDEST));
        }
        let seconds = window.min(now.saturating_duration_since(self.since)).as_secs_f64().max(1.0);
        let mut servers: SortedMap<(&str, &str), Vec<Duration>> = SortedMap::new();
        for call in calls {
            servers.get_or_insert_with((&call.channel, &call.server), Vec::new).push(call.took);
        }
        let mut below: Vec<Below> = servers
            .into_iter()
            .map(|((channel, server), mut times)| {
                times.sort_unstable();
                let each = f64::from(ONE_IN) / seconds;
                Below {
                    channel: channel.to_owned(),
                    server: server.to_owned(),
                    rate: times.len() as f64 * each,
                    in_flight: times.iter().sum::<Duration>().as_secs_f64() * each,
                    p50: percentile(&times, 0.5),
                    p99: percentile(&times, 0.99),
                }
            })
            .collect();
        below.order_by(|one, other| other.in_flight.total_cmp(&one.in_flight));
        below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(since: Instant, of: impl Iterator<Item = (u64, &'static str, u64)>) -> Calls {
        let call = |(ms, server, took): (u64, &str, u64)| Call {
            ended: since + Duration::from_millis(ms),
            channel: "list://a,b".to_owned(),
            server: server.to_owned(),
            took: Duration::from_millis(took),
        };
        Calls { since, last: of.map(call).collect() }
    }

    /// Six calls a second are followed, 384 are made: a half of 2 ms, a half of 50 ms.
    #[test]
    fn the_server_that_takes_most_of_the_time_is_first() {
        let start = Instant::now();
        let even = (0..120)
            .map(|n| (n * 1000 / 6, if n % 2 == 0 { "a" } else { "b" }, if n % 2 == 0 { 2 } else { 50 }));
        let below = calls(start, even).servers(start + Duration::from_secs(20));
        let found: Vec<_> = below.iter().map(|one| (&*one.server, one.p50.as_millis())).collect();
        assert_eq!(found, [("b", 50), ("a", 2)]);
        assert!((9.0..10.5).contains(&below[0].in_flight), "192 calls of 50 ms: {below:?}");
        assert!((180.0..=205.0).contains(&below[0].rate), "{below:?}");
    }

    #[test]
    fn few_calls_are_looked_for_in_a_minute_and_old_ones_are_not() {
        let start = Instant::now();
        let slow = calls(start, (0..10).map(|n| (n * 5000, "a", 100)));
        let at = |second: u64| slow.servers(start + Duration::from_secs(second));
        assert_eq!(at(50).len(), 1);
        assert!((12.0..13.0).contains(&at(50)[0].rate), "ten of 64 in 50 s: {:?}", at(50));
        assert_eq!(at(200), []);
    }

    #[test]
    fn a_full_ring_covers_the_time_that_it_covers() {
        let method = "below.Test/Full";
        (0..MOST + 10).for_each(|_| note(method, "c", "s", Duration::from_millis(1)));
        let methods = lock(&METHODS);
        assert_eq!(methods.get(method).expect("noted").last.len(), MOST);
        assert!(
            methods.get(method).expect("noted").since <= methods.get(method).expect("noted").last[0].ended
        );
    }
}
