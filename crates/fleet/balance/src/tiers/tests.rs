//! Tests of pickers over tiers.

use super::*;
use crate::{End, Panic, Reason, Spec};
use std::collections::BTreeMap;

struct Test {
    picker: Picker,
    random: fastrand::Rng,
    now: Time,
}

/// `n` servers of a zone.
fn zone(name: &str, n: usize) -> Vec<Arc<Endpoint>> {
    (0..n).map(|i| Arc::new(Endpoint::new(&format!("{name}{i}"), "").zoned(name))).collect()
}

fn locality(spec: &str, members: Members) -> Locality {
    let policy = spec.parse::<Spec>().unwrap().policy(&members, &mut fastrand::Rng::with_seed(9));
    Locality::new(1, members, policy)
}

impl Test {
    fn new(picker: Picker) -> Self {
        Test { picker, random: fastrand::Rng::with_seed(3), now: Time(1_000_000_000) }
    }

    /// A client in the zone `own`.
    fn in_zone(spec: &str, own: &str, endpoints: Vec<Arc<Endpoint>>, spill: Spill) -> Self {
        let place = |(_, weight, endpoints)| (weight, Members::new(endpoints));
        let tiers = by_zone(endpoints, own).into_iter();
        let tiers = tiers.map(|tier| tier.into_iter().map(place).collect()).collect();
        let spec: Spec = spec.parse().unwrap();
        Test::new(spec.tiers(tiers, spill, &mut fastrand::Rng::with_seed(9)))
    }

    fn pick(&mut self, key: Option<u64>, tried: &[Arc<Endpoint>]) -> Result<Arc<Endpoint>, NoEndpoint> {
        let mut query = Query { now: self.now, random: &mut self.random, key, tried, thread: 0 };
        self.picker.pick(&mut query).cloned()
    }

    /// The calls of each zone out of a thousand, once the shares are computed again.
    fn calls(&mut self) -> BTreeMap<String, usize> {
        self.now = self.now + COMPUTED_EVERY;
        let mut calls = BTreeMap::new();
        for _ in 0..1000 {
            let key = self.random.u64(..);
            let chosen = self.pick(Some(key), &[]).unwrap();
            *calls.entry(chosen.zone().to_owned()).or_default() += 1;
            let outcome = Outcome { picked: self.now, now: self.now, end: End::Answered };
            self.picker.ended(&chosen, &outcome);
        }
        calls
    }
}

const ALL: [&str; 8] = ["rr", "random", "wrr", "la", "p2c", "least_request", "prequal", "ring_hash"];

#[test]
fn calls_stay_in_their_zone_while_it_can_take_them_and_then_spill_over() {
    for spec in ALL {
        let all: Vec<_> = [zone("a", 10), zone("b", 10), zone("c", 20)].concat();
        let mut test = Test::in_zone(spec, "a", all.clone(), Spill::default());
        assert_eq!(test.calls()["a"], 1000, "{spec}");
        let out = |range: std::ops::Range<usize>| {
            all[range].iter().for_each(|server| server.state().hold(Reason::Ejected));
        };
        out(0..2);
        assert_eq!(test.calls()["a"], 1000, "{spec}: 80 % x 1.4 are enough");
        out(2..5);
        let calls = test.calls();
        assert!((640..760).contains(&calls["a"]), "{spec}: 50 % x 1.4: {calls:?}");
        assert!(calls["c"] > calls["b"], "{spec}: by capacity: {calls:?}");
        out(5..10);
        let calls = test.calls();
        assert!(!calls.contains_key("a") && (270..400).contains(&calls["b"]), "{spec}: {calls:?}");
        all[0].state().release(Reason::Ejected, test.now);
        assert!((90..190).contains(&test.calls()["a"]), "{spec}: 14 %");
        assert!(all.iter().all(|server| server.load().in_flight() == 0), "{spec}");
    }
}

#[test]
fn a_tier_that_fails_between_two_computations_is_passed_over() {
    let all: Vec<_> = [zone("a", 2), zone("b", 2)].concat();
    let mut test = Test::in_zone("rr", "a", all.clone(), Spill::default());
    test.calls();
    all[..2].iter().for_each(|server| server.state().hold(Reason::Unconnected));
    for _ in 0..100 {
        assert_eq!(test.pick(None, &[]).unwrap().zone(), "b");
    }
    all[2..].iter().for_each(|server| server.state().hold(Reason::Unconnected));
    assert_eq!(test.pick(None, &[]).unwrap_err(), NoEndpoint::NoneReady);
}

#[test]
fn the_recovery_of_a_cluster_counts_the_servers_of_all_tiers() {
    let all: Vec<_> = [zone("a", 2), zone("b", 2)].concat();
    let spec = "rr:min_working_instances=4 hold_seconds=9";
    let mut test = Test::in_zone(spec, "a", all.clone(), Spill::default());
    all.iter().for_each(|server| server.state().hold(Reason::Unconnected));
    assert_eq!(test.pick(None, &[]).unwrap_err(), NoEndpoint::NoneReady);
    [&all[0], &all[2]].iter().for_each(|server| server.state().release(Reason::Unconnected, test.now));
    let admitted = (0..1000).filter(|_| test.pick(None, &[]).is_ok()).count();
    assert!((430..570).contains(&admitted), "{admitted}");
}

#[test]
fn a_retry_leaves_the_zone_when_all_its_servers_were_tried() {
    for spec in ALL {
        let all: Vec<_> = [zone("a", 2), zone("b", 1)].concat();
        let mut test = Test::in_zone(spec, "a", all.clone(), Spill::default());
        assert_eq!(test.pick(Some(1), &all[..1]).unwrap().address(), "a1", "{spec}");
        assert_eq!(test.pick(Some(1), &all[..2]).unwrap().address(), "b0", "{spec}");
        assert!(test.pick(Some(1), &all).is_ok(), "{spec}: the last chance");
        let in_flight: u32 = all.iter().map(|server| server.load().in_flight()).sum();
        assert_eq!(in_flight, 3, "{spec}");
    }
}

#[test]
fn equal_keys_go_to_the_same_server() {
    let all: Vec<_> = [zone("a", 5), zone("b", 5), zone("c", 5)].concat();
    let spill = Spill::default().callers_here(1.0);
    let mut test = Test::in_zone("ring_hash", "a", all, spill);
    let mut zones = std::collections::BTreeSet::new();
    for key in 0..50 {
        let first = test.pick(Some(key), &[]).unwrap();
        zones.insert(first.zone().to_owned());
        assert!((0..5).all(|_| test.pick(Some(key), &[]).unwrap().address() == first.address()));
    }
    assert_eq!(zones.len(), 3, "small keys are spread, too");
}

/// A server that is judged bad is used only when the tiers together cannot take all calls.
#[test]
fn no_tier_panics_while_others_take_its_calls() {
    let (a, b) = (zone("a", 10), zone("b", 10));
    let tier = |endpoints: &[Arc<Endpoint>]| {
        vec![locality("random", Members::new(endpoints.to_vec()).panic(Panic::new(50)))]
    };
    let mut test = Test::new(Tiers::picker(vec![tier(&a), tier(&b)], Spill::default()));
    let bad_ones_used = |test: &mut Test| {
        test.calls();
        test.now = test.now + COMPUTED_EVERY;
        (0..1000).filter(|_| !test.pick(None, &[]).unwrap().is_ready(test.now)).count()
    };
    a[..8].iter().for_each(|server| server.state().hold(Reason::Ejected));
    assert_eq!(bad_ones_used(&mut test), 0);
    b[..6].iter().for_each(|server| server.state().hold(Reason::Ejected));
    assert!(bad_ones_used(&mut test) > 300);
}

#[test]
fn zones_are_tiers_and_an_unknown_zone_prefers_none() {
    let all = || [zone("a", 1), zone("b", 2), zone("", 3)].concat();
    let names = |own: &str| -> Vec<Vec<(String, u32)>> {
        let tiers = by_zone(all(), own).into_iter();
        tiers.map(|tier| tier.into_iter().map(|(zone, weight, _)| (zone, weight)).collect()).collect()
    };
    let (a, b, none) = (("a".to_owned(), 1), ("b".to_owned(), 2), (String::new(), 3));
    assert_eq!(names("b"), [vec![b.clone()], vec![none.clone(), a.clone()]]);
    assert_eq!(names("x"), [vec![none, a, b]]);
    assert!(by_zone(Vec::new(), "a").is_empty());
    let mut test = Test::new(Tiers::picker(Vec::new(), Spill::default()));
    assert_eq!(test.pick(None, &[]).unwrap_err(), NoEndpoint::Empty);
}
