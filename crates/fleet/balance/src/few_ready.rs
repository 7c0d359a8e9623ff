//! Policies for sets in which few servers are ready.
//!
//! The calls of all servers would go to the few remaining ones, or to those that came back first, and
//! overload these, too. There are two policies against that:
//!
//! | answer | when | what it does |
//! | --- | --- | --- |
//! | [`Recovery`] | no server was ready, so the whole cluster has failed and comes back one by one | refuses calls in proportion to what is missing, until the number of servers stays the same for a while |
//! | [`Panic`] | fewer servers than a percentage are ready: so many cannot have failed by themselves, more likely the judgement is wrong or the load is too high | uses those that were ejected, isolated or found unhealthy, too |
//!
//! Without either policy, the ready servers get all calls, and if there is none, calls fail at once.
//!
//! Source: Apache brpc, src/brpc/cluster_recover_policy.cpp; Envoy's panic threshold.

use crate::{Endpoint, NoEndpoint, Query, Reason, Time};
use std::{
    sync::{
        Arc,
        atomic::{
            AtomicBool, AtomicU32, AtomicU64,
            Ordering::{AcqRel, Relaxed},
        },
    },
    time::Duration,
};

/// Refuses calls, after a time in which no server was ready, in proportion to the missing servers.
///
/// ```text
///             no server is ready                  share of calls that are let through:
///  normal ────────────────────────► recovering    servers that are ready / min_working, up to 1
///    ▲                                  │
///    └──────────────────────────────────┘ the number of ready servers is not 0 and has not changed for longer than `hold`
/// ```
///
/// Source: Apache brpc, src/brpc/cluster_recover_policy.cpp: `min_working_instances` and `hold_seconds`.
#[derive(Debug)]
pub struct Recovery {
    min_working: u32,
    hold: Duration,
    recovering: AtomicBool,
    /// Number of servers that were ready at the last call, and the time since when it has been the same, in
    /// nanoseconds.
    usable: AtomicU32,
    changed: AtomicU64,
    ready: Ready,
}

/// When less than a percentage of servers is ready, also uses those that were ejected, isolated or found
/// unhealthy.
///
/// Servers without a connection, and those that accept no more calls, stay out.
///
/// Source: Envoy, "panic threshold": 50 %.
#[derive(Debug)]
pub struct Panic {
    percent: u32,
    /// Whether other servers take the calls.
    covered: AtomicBool,
    ready: Ready,
}

/// The number of ready servers, which is counted again when the count is old.
#[derive(Debug, Default)]
struct Ready {
    /// When servers are counted next, in nanoseconds.
    next: AtomicU64,
    count: AtomicU32,
}

/// The counting interval, brpc's `detect_available_server_interval_ms`.
const COUNTED_EVERY: Duration = Duration::from_millis(10);

impl Recovery {
    /// `min_working`: the number of ready servers from which on no call is refused; `hold`: how long their
    /// number must stay the same for the recovery to be over. Values of 0 are raised.
    pub fn new(min_working: u32, hold: Duration) -> Self {
        Recovery {
            min_working: min_working.max(1),
            hold: hold.max(Duration::from_nanos(1)),
            recovering: AtomicBool::new(false),
            usable: AtomicU32::new(0),
            changed: AtomicU64::new(0),
            ready: Ready::default(),
        }
    }

    /// Whether calls may be refused at the moment.
    pub fn is_recovering(&self) -> bool {
        self.recovering.load(Relaxed)
    }

    pub(crate) fn is_like(&self, other: &Recovery) -> bool {
        (self.min_working, self.hold) == (other.min_working, other.hold)
    }

    /// Whether this call may go to a server.
    ///
    /// # Errors
    /// [`NoEndpoint::Recovering`]: it is refused.
    #[inline]
    pub(crate) fn admit(&self, all: &[Arc<Endpoint>], query: &mut Query<'_>) -> Result<(), NoEndpoint> {
        if self.is_recovering() { self.admit_some(all, query) } else { Ok(()) }
    }

    #[cold]
    fn admit_some(&self, all: &[Arc<Endpoint>], query: &mut Query<'_>) -> Result<(), NoEndpoint> {
        let (usable, changed) = (self.usable.load(Relaxed), self.changed.load(Relaxed));
        if usable > 0 && query.now.since(Time(changed)) > self.hold {
            self.usable.store(0, Relaxed);
            self.recovering.store(false, Relaxed);
            return Ok(());
        }
        let ready = self.ready.count(all, query.now);
        if self.usable.swap(ready, Relaxed) != ready {
            self.changed.store(query.now.0, Relaxed);
        }
        if query.random.u32(..self.min_working) >= ready { Err(NoEndpoint::Recovering) } else { Ok(()) }
    }

    /// Starts a recovery, because no server was ready.
    #[cold]
    pub(crate) fn start(&self) {
        self.recovering.store(true, Relaxed);
    }
}

impl Panic {
    /// A threshold in percent of all servers: with fewer ready ones the panic begins. 0: never.
    pub fn new(percent: u32) -> Self {
        Panic { percent: percent.min(100), covered: AtomicBool::new(false), ready: Ready::default() }
    }

    /// Whether this server, which is not ready, is used all the same.
    #[cold]
    pub(crate) fn uses(&self, endpoint: &Endpoint, all: &[Arc<Endpoint>], now: Time) -> bool {
        let is_able = |reason| matches!(reason, Reason::Ejected | Reason::Unhealthy | Reason::Unchecked);
        self.is_on(all, now) && endpoint.state().reasons().all(is_able)
    }

    /// Sets whether other tiers take the calls that these servers cannot.
    pub(crate) fn cover(&self, covered: bool) {
        self.covered.store(covered, Relaxed);
    }

    pub(crate) fn is_on(&self, all: &[Arc<Endpoint>], now: Time) -> bool {
        !self.covered.load(Relaxed)
            && u64::from(self.ready.count(all, now)) * 100 < u64::from(self.percent) * all.len() as u64
    }
}

impl Ready {
    fn count(&self, all: &[Arc<Endpoint>], now: Time) -> u32 {
        let next = self.next.load(Relaxed);
        if now.0 >= next && self.next.compare_exchange(next, (now + COUNTED_EVERY).0, AcqRel, Relaxed).is_ok()
        {
            let count = all.iter().filter(|endpoint| endpoint.is_ready(now)).count();
            self.count.store(u32::try_from(count).unwrap_or(u32::MAX), Relaxed);
        }
        self.count.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Members, Picker, Spec};

    fn servers(n: usize) -> Vec<Arc<Endpoint>> {
        (0..n).map(|i| Arc::new(Endpoint::new(&format!("s{i}"), ""))).collect()
    }

    struct Test {
        picker: Picker,
        random: fastrand::Rng,
        now: Time,
    }

    impl Test {
        fn new(spec: &str, members: Members) -> Self {
            let mut random = fastrand::Rng::with_seed(3);
            let picker = spec.parse::<Spec>().unwrap().picker(members, &mut random);
            Test { picker, random, now: Time(1_000_000_000_000) }
        }

        fn pick(&mut self) -> Result<String, NoEndpoint> {
            let mut query =
                Query { now: self.now, random: &mut self.random, key: Some(7), tried: &[], thread: 0 };
            self.picker.pick(&mut query).map(|endpoint| endpoint.address().to_owned())
        }

        /// The number of calls, out of a thousand in a tenth of a second, that are admitted from the next
        /// count of servers on.
        fn admitted(&mut self) -> usize {
            self.now = self.now + COUNTED_EVERY;
            let mut admitted = 0;
            for _ in 0..1000 {
                self.now = self.now + Duration::from_micros(100);
                match self.pick() {
                    Ok(_) => admitted += 1,
                    Err(why) => assert_eq!(why, NoEndpoint::Recovering),
                }
            }
            admitted
        }
    }

    #[test]
    fn a_cluster_that_comes_back_gets_calls_in_proportion_to_its_servers() {
        for name in ["rr", "random"] {
            let spec = format!("{name}:min_working_instances=4 hold_seconds=2");
            let all = servers(5);
            let mut test = Test::new(&spec, Members::new(all.clone()));
            all.iter().skip(1).for_each(|server| server.state().hold(Reason::Unconnected));
            assert_eq!(test.admitted(), 1000, "one server is left: that is no recovery");
            all[0].state().hold(Reason::Unconnected);
            assert_eq!(test.pick(), Err(NoEndpoint::NoneReady));
            assert_eq!(test.pick(), Err(NoEndpoint::Recovering));
            for (back, (least, most)) in
                [(200, 300), (450, 550), (700, 800), (1000, 1000)].into_iter().enumerate()
            {
                all[back].state().release(Reason::Unconnected, test.now);
                let admitted = test.admitted();
                assert!((least..=most).contains(&admitted), "{name}, {}: {admitted}", back + 1);
            }
        }
    }

    #[test]
    fn the_recovery_is_over_when_the_number_of_servers_stays_the_same() {
        let all = servers(4);
        let mut test = Test::new("rr:min_working_instances=4 hold_seconds=2", Members::new(all.clone()));
        let hold = |range: std::ops::Range<usize>| {
            all[range].iter().for_each(|server| server.state().hold(Reason::Unhealthy));
        };
        hold(0..4);
        assert_eq!(test.pick(), Err(NoEndpoint::NoneReady));
        all[0].state().release(Reason::Unhealthy, test.now);
        assert!(test.admitted() < 400);
        test.now = test.now + Duration::from_millis(1700);
        assert!(test.admitted() < 400, "not for two seconds yet");
        all[1].state().release(Reason::Unhealthy, test.now);
        assert!((400..600).contains(&test.admitted()));
        test.now = test.now + Duration::from_millis(1700);
        assert!(test.admitted() < 600, "the number has changed");
        test.now = test.now + Duration::from_secs(1);
        assert_eq!(test.admitted(), 1000);
        hold(0..2);
        assert_eq!(test.pick(), Err(NoEndpoint::NoneReady));
        test.now = test.now + Duration::from_secs(60);
        assert_eq!(test.pick(), Err(NoEndpoint::Recovering), "no server is no number that counts");
    }

    #[test]
    fn a_new_set_goes_on_with_the_recovery_of_the_one_before() {
        let spec: Spec = "rr:min_working_instances=100 hold_seconds=9".parse().unwrap();
        let all = servers(3);
        let mut test = Test::new("rr:min_working_instances=100 hold_seconds=9", Members::new(all.clone()));
        all.iter().for_each(|server| server.state().hold(Reason::Unhealthy));
        assert_eq!(test.pick(), Err(NoEndpoint::NoneReady));
        all.iter().for_each(|server| server.state().release(Reason::Unhealthy, test.now));
        let new = spec.picker(Members::new(servers(3)), &mut test.random).continuing(&test.picker);
        test.picker = new;
        assert!(test.admitted() < 100);
        let other: Spec = "rr:min_working_instances=3 hold_seconds=9".parse().unwrap();
        test.picker = other.picker(Members::new(servers(3)), &mut test.random).continuing(&test.picker);
        assert_eq!(test.admitted(), 1000, "other settings begin anew");
    }

    #[test]
    fn below_the_threshold_servers_are_used_that_were_judged_bad_and_no_others() {
        for name in ["rr", "random", "wr", "p2c", "la", "prequal", "ring_hash"] {
            let all = servers(10);
            let mut test = Test::new(name, Members::new(all.clone()).panic(Panic::new(50)));
            let used = |test: &mut Test| {
                test.now = test.now + COUNTED_EVERY;
                let key = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let found: std::collections::BTreeSet<String> = (0..2000)
                    .filter_map(|i| {
                        let (now, random) = (test.now, &mut test.random);
                        let mut query = Query { now, random, key: Some(key(i)), tried: &[], thread: 0 };
                        Some(test.picker.pick(&mut query).ok()?.address().to_owned())
                    })
                    .collect();
                found.len()
            };
            all[..3].iter().for_each(|server| server.state().hold(Reason::Ejected));
            all[3].state().hold(Reason::Unhealthy);
            all[4].state().isolate(test.now + Duration::from_secs(60));
            assert_eq!(used(&mut test), 5, "{name}: half are ready");
            all[5].state().hold(Reason::Draining);
            assert_eq!(used(&mut test), 9, "{name}: all but the one that takes no calls");
            all.iter().for_each(|server| server.state().hold(Reason::Unconnected));
            assert_eq!(used(&mut test), 0, "{name}");
        }
    }
}
