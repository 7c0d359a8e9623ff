//! The load that a server reports.

use crate::{
    Time,
    endpoint::{take, varint},
};
use std::{
    collections::VecDeque,
    sync::{
        Mutex,
        atomic::{
            AtomicU32, AtomicU64,
            Ordering::{AcqRel, Relaxed},
        },
    },
    time::Duration,
};

/// The answer of a server to a probe of its load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    /// Number of calls, of all clients, that the server is working on.
    pub in_flight: u32,
    /// The expected duration of a new call: the median of recent calls that arrived when as many were in
    /// flight.
    pub latency: Duration,
}

impl Report {
    /// Decodes a `polywire.load.v1.ProbeResponse`. Unknown fields are skipped, and of a repeated field the
    /// last one counts. `None` if it is not valid protobuf.
    pub fn decode(mut bytes: &[u8]) -> Option<Self> {
        let mut report = Report { in_flight: 0, latency: Duration::ZERO };
        while !bytes.is_empty() {
            let tag = varint(&mut bytes)?;
            match (tag >> 3, tag & 7) {
                (0, _) => return None,
                (1, 0) => report.in_flight = u32::try_from(varint(&mut bytes)?).unwrap_or(u32::MAX),
                (2, 0) => report.latency = Duration::from_micros(varint(&mut bytes)?),
                (_, 0) => drop(varint(&mut bytes)?),
                (_, 1) => drop(take(&mut bytes, 8)?),
                (_, 2) => {
                    let length = usize::try_from(varint(&mut bytes)?).ok()?;
                    take(&mut bytes, length)?;
                }
                (_, 5) => drop(take(&mut bytes, 4)?),
                _ => return None, // groups, which no version of the message has
            }
        }
        Some(report)
    }
}

/// Measures a server's load: the calls in flight, and recent latencies with the number of calls in flight
/// when each call arrived.
///
/// ```
/// use polywire_balance::{Meter, Time};
/// let mut meter = Meter::default();
/// let call = meter.began();
/// meter.ended(call, std::time::Duration::from_millis(3), Time(0));
/// assert_eq!(meter.report(Time(0)).in_flight, 0);
/// assert_eq!(meter.report(Time(0)).latency.as_millis(), 3);
/// ```
///
/// Source: Prequal (NSDI 2024), which leaves open how latencies are looked up: those that met the nearest
///         number of calls in flight count, each in proportion to the calls that are in flight now, so that a
///         sudden burst is not reported with the latency of quiet times.
#[derive(Debug, Default)]
pub struct Meter {
    in_flight: u32,
    samples: Samples,
}

/// A [`Meter`] for many threads. It takes a sample from one call in 250 µs at most, so that few calls take
/// its lock.
#[derive(Debug, Default)]
pub struct SharedMeter {
    in_flight: AtomicU32,
    /// When the next sample is taken, in nanoseconds.
    next: AtomicU64,
    samples: Mutex<Samples>,
}

/// Recent calls, the oldest first.
#[derive(Debug, Default)]
struct Samples(VecDeque<Sample>);

/// A call under way, for [`Meter::ended`]: the number of calls in flight when it arrived.
#[derive(Clone, Copy, Debug)]
#[must_use = "a call that is not ended stays in flight"]
pub struct Begun(u32);

#[derive(Debug)]
struct Sample {
    met: u32,
    latency: Duration,
    at: Time,
}

/// Time between two samples of a [`SharedMeter`].
const SAMPLED_EVERY: Duration = Duration::from_micros(250);
/// Number of samples that are kept.
const SAMPLES: usize = 64;
/// The number of samples, those with the nearest number of calls in flight, that make up the median.
const NEAREST: usize = 9;
/// Older samples are used only if there are no newer ones.
const LONGEST_AGE: Duration = Duration::from_secs(1);

impl Meter {
    /// Counts an arrived call.
    pub fn began(&mut self) -> Begun {
        let met = self.in_flight;
        self.in_flight = self.in_flight.saturating_add(1);
        Begun(met)
    }

    /// Counts the end of a call that took this long.
    pub fn ended(&mut self, call: Begun, latency: Duration, now: Time) {
        self.given_up(call);
        self.samples.add(call, latency, now);
    }

    /// Counts the end of a call that shows nothing about the server's speed.
    pub fn given_up(&mut self, _: Begun) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// The load at this time. Without any sample the latency is zero.
    pub fn report(&self, now: Time) -> Report {
        self.samples.report(self.in_flight, now)
    }
}

impl SharedMeter {
    /// Counts an arrived call.
    pub fn began(&self) -> Begun {
        Begun(self.in_flight.fetch_add(1, Relaxed))
    }

    /// Counts the end of a call that took this long.
    pub fn ended(&self, call: Begun, latency: Duration, now: Time) {
        self.given_up(call);
        let next = self.next.load(Relaxed);
        let is_due = now.0 >= next;
        if is_due && self.next.compare_exchange(next, (now + SAMPLED_EVERY).0, AcqRel, Relaxed).is_ok() {
            polywire_base::lock(&self.samples).add(call, latency, now);
        }
    }

    /// Counts the end of a call that shows nothing about the server's speed.
    pub fn given_up(&self, _: Begun) {
        self.in_flight.fetch_sub(1, Relaxed);
    }

    /// The load at this time. Without any sample the latency is zero.
    pub fn report(&self, now: Time) -> Report {
        polywire_base::lock(&self.samples).report(self.in_flight.load(Relaxed), now)
    }
}

impl Samples {
    fn add(&mut self, call: Begun, latency: Duration, now: Time) {
        if self.0.len() == SAMPLES {
            self.0.pop_front();
        }
        self.0.push_back(Sample { met: call.0, latency, at: now });
    }

    fn report(&self, in_flight: u32, now: Time) -> Report {
        let mut near: Vec<&Sample> =
            self.0.iter().filter(|sample| now.since(sample.at) < LONGEST_AGE).collect();
        if near.is_empty() {
            near.extend(self.0.back());
        }
        near.sort_by_key(|sample| sample.met.abs_diff(in_flight));
        near.truncate(NEAREST);
        let scaled = |sample: &Sample| {
            let factor = (f64::from(in_flight) + 1.0) / (f64::from(sample.met) + 1.0);
            Duration::try_from_secs_f64(sample.latency.as_secs_f64() * factor).unwrap_or(Duration::MAX)
        };
        let mut latencies: Vec<Duration> = near.into_iter().map(scaled).collect();
        latencies.sort_unstable();
        let latency = latencies.get(latencies.len() / 2).copied().unwrap_or_default();
        Report { in_flight, latency }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn the_latency_is_that_of_calls_which_met_as_many_others() {
        let mut meter = Meter::default();
        for (others, latency) in [(0, 10), (4, 50), (9, 100)] {
            for _ in 0..20 {
                let held: Vec<Begun> = (0..others).map(|_| meter.began()).collect();
                let call = meter.began();
                meter.ended(call, latency * MS, Time(5));
                held.into_iter().for_each(|call| meter.given_up(call));
            }
        }
        for (others, expected) in [(0, 10), (4, 50), (9, 100), (19, 200)] {
            let held: Vec<Begun> = (0..others).map(|_| meter.began()).collect();
            assert_eq!(meter.report(Time(5)), Report { in_flight: others, latency: expected * MS });
            held.into_iter().for_each(|call| meter.given_up(call));
        }
    }

    #[test]
    fn old_samples_count_only_for_want_of_others() {
        let mut meter = Meter::default();
        let (old, new) = (meter.began(), Time(2_000_000_000));
        meter.ended(old, 70 * MS, Time(0));
        assert_eq!(meter.report(new).latency, 70 * MS);
        let call = meter.began();
        meter.ended(call, 3 * MS, new);
        assert_eq!(meter.report(new).latency, 3 * MS);
        assert_eq!(Meter::default().report(new), Report { in_flight: 0, latency: Duration::ZERO });
    }

    #[test]
    fn reports_are_read_from_the_wire_and_nonsense_is_none() {
        let read = Report::decode(&[0x08, 7, 0x1a, 1, 9, 0x10, 0xdc, 0x0b]);
        assert_eq!(read, Some(Report { in_flight: 7, latency: Duration::from_micros(1500) }));
        assert_eq!(Report::decode(&[]), Some(Report { in_flight: 0, latency: Duration::ZERO }));
        for wrong in [&[0x08][..], &[0x00, 1], &[0x1a, 9, 1], &[0x0b], &[0x08, 0xff]] {
            assert_eq!(Report::decode(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn samples_are_bounded() {
        let mut meter = Meter::default();
        for _ in 0..1000 {
            let call = meter.began();
            meter.ended(call, Duration::MAX, Time(0));
        }
        assert_eq!(meter.samples.0.len(), SAMPLES);
        let _many: Vec<Begun> = (0..3).map(|_| meter.began()).collect();
        assert_eq!(meter.report(Time(0)), Report { in_flight: 3, latency: Duration::MAX });
    }

    #[test]
    fn threads_share_a_meter_that_samples_some_calls() {
        let meter = SharedMeter::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for micros in 0..10_000_u64 {
                        let call = meter.began();
                        meter.ended(call, 2 * MS, Time(micros * 1000));
                    }
                });
            }
        });
        let held = (meter.began(), meter.began());
        assert_eq!(meter.report(Time(9_999_000)).in_flight, 2);
        assert!(meter.report(Time(9_999_000)).latency >= 2 * MS);
        let samples = polywire_base::lock(&meter.samples).0.len();
        assert!((1..=41).contains(&samples), "{samples} in 10 ms");
        meter.given_up(held.0);
        meter.ended(held.1, MS, Time(u64::MAX));
        assert_eq!(meter.report(Time(u64::MAX)).in_flight, 0);
    }
}
