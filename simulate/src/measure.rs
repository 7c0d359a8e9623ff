//! What a run has shown.

use polywire_balance::Time;
use std::time::Duration;

/// Everything that is counted in a run; percentiles are taken from it afterwards.
#[derive(Debug, Default)]
pub struct Measured {
    pub calls: Vec<CallEnd>,
    /// Calls in flight at each server, ten times a second.
    pub in_flight: Vec<u32>,
    /// Tries that each server got, by its number.
    pub tries: Vec<u64>,
    /// Times at which a connection was asked for.
    pub connects: Vec<Time>,
    /// The same, with the server; and times at which a server was asked how it is. Only where there are
    /// checks.
    pub connects_at: Vec<(Time, u32)>,
    pub checks_at: Vec<(Time, u32)>,
    pub probes: u64,
    /// Tries that left the zone of their client.
    pub across: u64,
    /// Tries and times, by server, for what happens to one of them.
    pub tries_at: Vec<(Time, u32)>,
}

/// A call and how it ended.
#[derive(Clone, Copy, Debug)]
pub struct CallEnd {
    pub began: Time,
    pub latency: Duration,
    pub answered: bool,
}

/// A run in a few numbers. A call that was not answered counts as one that took up to its deadline.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    pub calls: usize,
    /// Per mille of the calls are not answered.
    pub failed: f64,
    pub p50: f64,
    pub p90: f64,
    pub p99: f64,
    pub p999: f64,
    pub in_flight_p50: f64,
    pub in_flight_p99: f64,
    pub tries_per_call: f64,
}

impl Measured {
    /// Of the calls that began in a time.
    pub fn between(&self, begin: Duration, end: Duration) -> impl Iterator<Item = &CallEnd> {
        let (begin, end) = (Time(0) + begin, Time(0) + end);
        self.calls.iter().filter(move |call| (begin..end).contains(&call.began))
    }

    pub fn summary(&self, deadline: Duration) -> Summary {
        self.summary_between(Duration::ZERO, Duration::MAX, deadline)
    }

    /// Of the calls that began in a time; calls in flight and tries are those of the whole run.
    pub fn summary_between(&self, begin: Duration, end: Duration, deadline: Duration) -> Summary {
        let counted = |call: &CallEnd| if call.answered { call.latency } else { deadline };
        let mut latencies: Vec<f64> =
            self.between(begin, end).map(|call| counted(call).as_secs_f64() * 1e3).collect();
        let failed = self.between(begin, end).filter(|call| !call.answered).count();
        let mut in_flight: Vec<f64> = self.in_flight.iter().map(|n| f64::from(*n)).collect();
        latencies.sort_by(f64::total_cmp);
        in_flight.sort_by(f64::total_cmp);
        let calls = latencies.len();
        Summary {
            calls,
            failed: 1e3 * failed as f64 / calls.max(1) as f64,
            p50: quantile(&latencies, 0.5),
            p90: quantile(&latencies, 0.9),
            p99: quantile(&latencies, 0.99),
            p999: quantile(&latencies, 0.999),
            in_flight_p50: quantile(&in_flight, 0.5),
            in_flight_p99: quantile(&in_flight, 0.99),
            tries_per_call: self.tries.iter().sum::<u64>() as f64 / self.calls.len().max(1) as f64,
        }
    }

    /// What a function makes of the calls that began in each step of time, over seconds.
    pub fn over_time(
        &self,
        step: Duration,
        length: Duration,
        value: impl Fn(&[&CallEnd]) -> f64,
    ) -> Vec<(f64, f64)> {
        let count = (length.as_secs_f64() / step.as_secs_f64()).ceil() as usize;
        let mut steps: Vec<Vec<&CallEnd>> = vec![Vec::new(); count];
        for call in &self.calls {
            if let Some(step) = steps.get_mut((call.began.0 / step.as_nanos() as u64) as usize) {
                step.push(call);
            }
        }
        let begin = |i: usize| i as f64 * step.as_secs_f64();
        let of_steps = steps.iter().enumerate().filter(|(_, calls)| !calls.is_empty());
        of_steps.map(|(i, calls)| (begin(i), value(calls))).collect()
    }

    /// The share of the tries that a server got.
    pub fn share(&self, server: usize) -> f64 {
        self.tries[server] as f64 / self.tries.iter().sum::<u64>().max(1) as f64
    }
}

/// A percentile of the latencies of some calls in milliseconds, where one that was not answered counts as its
/// deadline.
pub fn percentile(calls: &[&CallEnd], share: f64, deadline: Duration) -> f64 {
    let counted = |call: &&CallEnd| if call.answered { call.latency } else { deadline };
    let mut latencies: Vec<f64> = calls.iter().map(|call| counted(call).as_secs_f64() * 1e3).collect();
    latencies.sort_by(f64::total_cmp);
    quantile(&latencies, share)
}

/// Of sorted values; 0 without any.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1) as f64;
    sorted.get((share * last).ceil() as usize).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_without_an_answer_counts_as_one_that_took_up_to_its_deadline() {
        let end =
            |ms: u64, answered| CallEnd { began: Time(0), latency: Duration::from_millis(ms), answered };
        let mut measured =
            Measured { calls: vec![end(10, true); 98], tries: vec![100], ..Measured::default() };
        measured.calls.extend([end(1, false), end(1, false)]);
        let summary = measured.summary(Duration::from_secs(1));
        assert_eq!((summary.p50, summary.p99, summary.failed), (10.0, 1000.0, 20.0));
    }

    #[test]
    fn quantiles_are_values_that_occurred() {
        let sorted: Vec<f64> = (1..=101).map(f64::from).collect();
        assert_eq!([0.0, 0.5, 0.9, 1.0].map(|share| quantile(&sorted, share)), [1.0, 51.0, 91.0, 101.0]);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}
