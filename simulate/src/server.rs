//! How a server works on the calls that it has: processor sharing, or a queue before its cores.
//!
//! ```text
//!  sharing:  all calls are worked on at once     speed of each = speed of a core x min(1, cores / calls)
//!  queue:    one call per core, others wait      speed of each = speed of a core
//! ```
//!
//! All calls that are worked on progress equally, so one number says how far they are: the work that a call
//! would have got which was there from the beginning. A call ends when that has grown by its own work.

use polywire_balance::Time;
use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

/// The calls at one server and the work that is left of them. `J` is what the caller knows a call by.
#[derive(Debug)]
pub struct Service<J> {
    cores: f64,
    /// Seconds of work that a core does in a second.
    speed: f64,
    /// Calls that are worked on at once.
    at_once: usize,
    /// Work done on a call that was always there, in seconds, at the time `at`.
    done: f64,
    at: Time,
    /// Seconds for which cores were busy, all together.
    busy: f64,
    running: BTreeMap<Key, J>,
    waiting: VecDeque<(u64, J, f64)>,
    added: u64,
}

/// By when a call ends: the bits of `done` at its end, which are in the order of the numbers since those are
/// positive; then by when it came.
type Key = (u64, u64);

/// How calls share a server.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Discipline {
    /// All are worked on, as threads are by a kernel.
    Sharing,
    /// As many as there are cores are worked on, the others wait in the order of their arrival.
    Queue,
}

/// Less work than this is none: rounding of times to nanoseconds.
const ROUNDING: f64 = 2e-9;

impl<J: Copy + PartialEq> Service<J> {
    pub fn new(cores: f64, speed: f64, discipline: Discipline) -> Self {
        let at_once = match discipline {
            Discipline::Sharing => usize::MAX,
            Discipline::Queue => (cores as usize).max(1),
        };
        let (running, waiting) = (BTreeMap::new(), VecDeque::new());
        Service { cores, speed, at_once, done: 0.0, at: Time(0), busy: 0.0, running, waiting, added: 0 }
    }

    /// Calls that it has.
    pub fn len(&self) -> usize {
        self.running.len() + self.waiting.len()
    }

    /// Seconds for which cores were busy up to now, all together.
    pub fn busy(&mut self, now: Time) -> f64 {
        self.advance(now);
        self.busy
    }

    /// A call comes that takes so many seconds of a core's work at speed 1.
    pub fn add(&mut self, now: Time, job: J, work: f64) {
        self.advance(now);
        let number = self.added;
        self.added += 1;
        if self.running.len() < self.at_once {
            self.start(number, job, work);
        } else {
            self.waiting.push_back((number, job, work));
        }
    }

    /// A call ends before its work is done.
    pub fn cancel(&mut self, now: Time, job: J) {
        self.advance(now);
        if let Some(i) = self.waiting.iter().position(|(_, other, _)| *other == job) {
            self.waiting.remove(i);
        } else if let Some(key) = self.running.iter().find(|(_, other)| **other == job).map(|(key, _)| *key) {
            self.running.remove(&key);
            self.refill();
        }
    }

    /// Cores and their speed change.
    pub fn set(&mut self, now: Time, cores: f64, speed: f64) {
        self.advance(now);
        (self.cores, self.speed) = (cores, speed);
    }

    /// All calls are lost.
    pub fn clear(&mut self, now: Time) -> Vec<J> {
        self.advance(now);
        let running = std::mem::take(&mut self.running).into_values();
        running.chain(self.waiting.drain(..).map(|(_, job, _)| job)).collect()
    }

    /// When the next call ends, if none comes or leaves before.
    pub fn next_end(&self) -> Option<Time> {
        let ((end, _), _) = self.running.first_key_value()?;
        let rate = self.rate();
        if rate <= 0.0 {
            return None;
        }
        let left = (f64::from_bits(*end) - self.done).max(0.0) / rate;
        let wait = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
        Some(self.at + wait)
    }

    /// A call whose work is done by now. To be asked until there is none.
    pub fn take_ended(&mut self, now: Time) -> Option<J> {
        self.advance(now);
        let first = self.running.first_entry()?;
        if f64::from_bits(first.key().0) > self.done + ROUNDING {
            return None;
        }
        let job = first.remove();
        self.refill();
        Some(job)
    }

    fn start(&mut self, number: u64, job: J, work: f64) {
        self.running.insert(((self.done + work).to_bits(), number), job);
    }

    fn refill(&mut self) {
        while self.running.len() < self.at_once {
            let Some((number, job, work)) = self.waiting.pop_front() else { break };
            self.start(number, job, work);
        }
    }

    /// Seconds of work that each running call gets in a second.
    fn rate(&self) -> f64 {
        let calls = self.running.len() as f64;
        self.speed * (self.cores / calls.max(1.0)).min(1.0)
    }

    fn advance(&mut self, now: Time) {
        let passed = now.since(self.at).as_secs_f64();
        self.done += self.rate() * passed;
        self.busy += self.cores.min(self.running.len() as f64) * passed;
        self.at = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Distribution;
    use fastrand::Rng;

    const SECOND: u64 = 1_000_000_000;

    /// Times at which the calls end, by number.
    fn ends(service: &mut Service<usize>, arrivals: &[(f64, f64)]) -> Vec<f64> {
        let mut ends = vec![0.0; arrivals.len()];
        let mut drain = |service: &mut Service<usize>, until: Time| {
            while let Some(end) = service.next_end().filter(|end| *end <= until) {
                while let Some(job) = service.take_ended(end) {
                    ends[job] = end.0 as f64 / SECOND as f64;
                }
            }
        };
        for (job, (at, work)) in arrivals.iter().enumerate() {
            let now = Time((at * SECOND as f64) as u64);
            drain(service, now);
            service.add(now, job, *work);
        }
        drain(service, Time(u64::MAX));
        ends
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(
            found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
            "{found:?} is not {expected:?}"
        );
    }

    #[test]
    fn calls_that_share_a_core_slow_each_other_down() {
        let mut service = Service::new(1.0, 1.0, Discipline::Sharing);
        // Alone for 1 s; both at half speed until the first has its 2 s of work; alone again.
        assert_near(&ends(&mut service, &[(0.0, 2.0), (1.0, 2.0)]), &[3.0, 4.0]);
        let mut service = Service::new(2.0, 0.5, Discipline::Sharing);
        assert_near(&ends(&mut service, &[(0.0, 1.0), (0.0, 1.0)]), &[2.0, 2.0]);
    }

    #[test]
    fn calls_in_a_queue_wait_for_a_core() {
        let mut service = Service::new(2.0, 1.0, Discipline::Queue);
        assert_near(
            &ends(&mut service, &[(0.0, 2.0), (0.0, 3.0), (1.0, 1.0), (1.0, 1.0)]),
            &[2.0, 3.0, 3.0, 4.0],
        );
    }

    #[test]
    fn a_call_that_is_cancelled_leaves_its_share_to_the_others() {
        for discipline in [Discipline::Sharing, Discipline::Queue] {
            let mut service = Service::new(1.0, 1.0, discipline);
            service.add(Time(0), 'a', 5.0);
            service.add(Time(0), 'b', 1.0);
            service.cancel(Time(0), 'a');
            assert_eq!((service.next_end(), service.len()), (Some(Time(SECOND)), 1), "{discipline:?}");
        }
    }

    #[test]
    fn a_server_that_stands_still_ends_no_call_until_it_goes_on() {
        let mut service = Service::new(1.0, 1.0, Discipline::Sharing);
        service.add(Time(0), 'a', 1.0);
        service.set(Time(SECOND / 2), 1.0, 0.0);
        assert_eq!(service.next_end(), None);
        service.set(Time(5 * SECOND), 1.0, 1.0);
        assert_eq!(service.next_end(), Some(Time(5 * SECOND + SECOND / 2)));
    }

    /// M/M/1: with arrivals and work of random lengths, the mean time from arrival to end is 1 / (mu -
    /// lambda) under both disciplines.
    #[test]
    fn the_mean_time_in_the_system_is_that_of_theory() {
        for (discipline, load) in [
            (Discipline::Queue, 0.5),
            (Discipline::Queue, 0.8),
            (Discipline::Sharing, 0.5),
            (Discipline::Sharing, 0.8),
        ] {
            let mut random = Rng::with_seed(11);
            let (apart, work) =
                (Distribution::Exponential { mean: 1.0 / load }, Distribution::Exponential { mean: 1.0 });
            let mut at = 0.0;
            let arrivals: Vec<(f64, f64)> = (0..200_000)
                .map(|_| {
                    at += apart.draw(&mut random);
                    (at, work.draw(&mut random))
                })
                .collect();
            let ends = ends(&mut Service::new(1.0, 1.0, discipline), &arrivals);
            let sum: f64 = ends.iter().zip(&arrivals).map(|(end, (begin, _))| end - begin).sum();
            let (mean, theory) = (sum / ends.len() as f64, 1.0 / (1.0 - load));
            assert!((mean / theory - 1.0).abs() < 0.03, "{discipline:?} at {load}: {mean}, not {theory}");
        }
    }
}
