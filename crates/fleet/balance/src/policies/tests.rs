//! Policies by their names, as channels use them: the servers that they choose, and their reaction to
//! failures and new sets.

use crate::{
    End, Endpoint, Failed, Members, NoEndpoint, Outcome, Picker, Query, Reason, Report, SlowStart, Spec,
    Time, mark_joined,
};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

/// A caller: its generator, its clock, and the servers that it has tried.
struct Caller {
    random: fastrand::Rng,
    now: Time,
    tried: Vec<Arc<Endpoint>>,
    key: Option<u64>,
}

impl Caller {
    fn new() -> Self {
        let now = Time(1_000_000_000_000);
        Caller { random: fastrand::Rng::with_seed(11), now, tried: Vec::new(), key: None }
    }

    /// Picks for a call with a random key, or with the key that is set.
    fn pick(&mut self, picker: &Picker) -> Result<Arc<Endpoint>, NoEndpoint> {
        let key = self.key.unwrap_or_else(|| self.random.u64(..));
        let mut query =
            Query { now: self.now, random: &mut self.random, key: Some(key), tried: &self.tried, thread: 0 };
        picker.pick(&mut query).cloned()
    }

    /// Picks, and ends the call after the latency that `latency` gives for the server.
    fn call(&mut self, picker: &Picker, latency: impl Fn(&Endpoint) -> (Duration, End)) -> Arc<Endpoint> {
        let (picked, chosen) = (self.now, self.pick(picker).expect("a server"));
        let (taken, end) = latency(&chosen);
        self.now = self.now + taken;
        picker.ended(&chosen, &Outcome { picked, now: self.now, end });
        chosen
    }

    /// The number of calls that each server gets, out of `calls` calls that take a millisecond each.
    fn shares(&mut self, picker: &Picker, calls: usize) -> BTreeMap<String, usize> {
        let mut shares: BTreeMap<String, usize> =
            picker.members().iter().map(|member| (member.address().to_owned(), 0)).collect();
        for _ in 0..calls {
            let chosen = self.call(picker, |_| (Duration::from_millis(1), End::Answered));
            *shares.get_mut(chosen.address()).unwrap() += 1;
        }
        shares
    }
}

fn servers(n: usize) -> Vec<Arc<Endpoint>> {
    (1..=n).map(|i| Arc::new(Endpoint::new(&format!("10.0.0.{i}:8000"), ""))).collect()
}

fn weighted(weights: &[u32]) -> Vec<Arc<Endpoint>> {
    let numbered = weights.iter().enumerate();
    numbered.map(|(i, weight)| Arc::new(Endpoint::new(&format!("s{i}"), &weight.to_string()))).collect()
}

fn picker(spec: &str, endpoints: Vec<Arc<Endpoint>>) -> Picker {
    spec.parse::<Spec>().unwrap().picker(Members::new(endpoints), &mut fastrand::Rng::with_seed(5))
}

const FAILED: Failed = Failed { timeout: Duration::from_secs(1), tries_before: 0, tries_left: 0 };

#[test]
fn every_policy_uses_every_server_and_none_that_is_out() {
    for name in Spec::NAMES {
        let picker = picker(name, servers(7));
        let mut caller = Caller::new();
        let shares = caller.shares(&picker, 7000);
        // The shares of `la` follow throughput, so a server that had more calls gets more.
        let least = if name == "la" { 50 } else { 300 };
        assert!(shares.values().all(|n| *n > least), "{name}: {shares:?}");
        for out in [0, 3, 4] {
            picker.members()[out].state().hold(Reason::Draining);
        }
        let shares: Vec<usize> = caller.shares(&picker, 7000).into_values().collect();
        let expected_out = [shares[0], shares[3], shares[4]];
        assert_eq!(expected_out, [0; 3], "{name}");
        assert!([1, 2, 5, 6].iter().all(|i| shares[*i] > least), "{name}: {shares:?}");
        picker.members()[3].state().release(Reason::Draining, caller.now);
        assert!(caller.shares(&picker, 7000)["10.0.0.4:8000"] > least, "{name}");
    }
}

#[test]
fn a_server_that_is_out_for_a_time_comes_back_by_itself() {
    for name in Spec::NAMES {
        let picker = picker(name, servers(1));
        let mut caller = Caller::new();
        picker.members()[0].state().isolate(caller.now + Duration::from_secs(3));
        assert_eq!(caller.pick(&picker).unwrap_err(), NoEndpoint::NoneReady, "{name}");
        caller.now = caller.now + Duration::from_secs(3);
        assert!(caller.pick(&picker).is_ok(), "{name}");
    }
}

#[test]
fn what_was_tried_is_chosen_only_for_want_of_others() {
    for name in Spec::NAMES {
        let picker = picker(name, servers(40));
        let mut caller = Caller::new();
        for left in (0..40).rev() {
            caller.tried = picker
                .members()
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != left)
                .map(|(_, m)| m.clone())
                .collect();
            assert_eq!(caller.pick(&picker).unwrap().address(), picker.members()[left].address(), "{name}");
        }
        for member in &picker.members()[1..] {
            member.state().hold(Reason::Draining);
        }
        caller.tried = vec![picker.members()[0].clone()];
        let last = picker.members()[0].address();
        assert_eq!(caller.pick(&picker).unwrap().address(), last, "{name}: the last chance");
    }
}

#[test]
fn a_set_without_members_says_so() {
    for name in Spec::NAMES {
        assert_eq!(Caller::new().pick(&picker(name, Vec::new())).unwrap_err(), NoEndpoint::Empty, "{name}");
    }
}

#[test]
fn members_are_in_order_and_each_is_there_once() {
    let endpoints = [("b", "1"), ("a", "2"), ("b", "1"), ("b", "2")]
        .map(|(address, tag)| Arc::new(Endpoint::new(address, tag)));
    let picker = picker("rr", endpoints.into());
    let names: Vec<_> = picker.members().iter().map(|m| (m.address(), m.tag())).collect();
    assert_eq!(names, [("a", "2"), ("b", "1"), ("b", "2")]);
}

#[test]
fn round_robin_gives_every_server_a_turn_before_the_first_has_another() {
    let picker = picker("rr", servers(9));
    let mut caller = Caller::new();
    for _ in 0..5 {
        assert!(caller.shares(&picker, 9).values().all(|n| *n == 1));
    }
    picker.members()[4].state().hold(Reason::Draining);
    let shares = caller.shares(&picker, 8 * 100);
    assert!(shares.values().filter(|n| **n > 0).all(|n| *n == 100), "{shares:?}");
}

#[test]
fn weighted_turns_are_exact_and_a_heavy_server_does_not_get_its_turns_in_a_row() {
    let weights = [5, 1, 1, 3, 10];
    let picker = picker("wrr", weighted(&weights));
    let mut caller = Caller::new();
    for _ in 0..3 {
        let order: Vec<usize> = (0..20)
            .map(|_| {
                caller.call(&picker, |_| (Duration::ZERO, End::Answered)).address()[1..].parse().unwrap()
            })
            .collect();
        let counts: Vec<u32> =
            (0..5).map(|i| order.iter().filter(|chosen| **chosen == i).count() as u32).collect();
        assert_eq!(counts, weights);
        assert!(!order.windows(4).any(|four| four == [4; 4]), "{order:?}");
    }
}

#[test]
fn random_shares_follow_the_weights() {
    let shares = Caller::new().shares(&picker("wr", weighted(&[5, 1, 1, 3, 10])), 20_000);
    for (share, weight) in shares.values().zip([5, 1, 1, 3, 10]) {
        assert!(share.abs_diff(weight * 1000) < 50 * weight + 200, "{shares:?}");
    }
}

#[test]
fn weights_that_are_no_numbers_count_as_1() {
    for name in ["wrr", "wr", "p2c", "least_request", "ring_hash"] {
        let endpoints = ["zone-a", "0", "-3", "", "99999999999"]
            .iter()
            .enumerate()
            .map(|(i, tag)| Arc::new(Endpoint::new(&format!("s{i}"), tag)));
        let shares = Caller::new().shares(&picker(name, endpoints.collect()), 5000);
        assert!(shares.values().all(|n| (700..1300).contains(n)), "{name}: {shares:?}");
    }
}

#[test]
fn quick_servers_get_more_calls_from_the_policies_that_look_at_latency() {
    for name in ["p2c", "la"] {
        let picker = picker(name, servers(5));
        let mut caller = Caller::new();
        let slow = |endpoint: &Endpoint| {
            let is_slow = endpoint.address() == "10.0.0.2:8000";
            (Duration::from_millis(if is_slow { 50 } else { 2 }), End::Answered)
        };
        (0..1000).for_each(|_| drop(caller.call(&picker, slow)));
        let calls = (0..50_000).filter(|_| caller.call(&picker, slow).address() == "10.0.0.2:8000").count();
        assert!((1..1000).contains(&calls), "{name}: {calls} of 50000, where it must be looked at again");
    }
}

#[test]
fn a_server_that_fails_fast_does_not_look_fast() {
    for name in ["p2c", "la"] {
        let picker = picker(name, servers(5));
        let mut caller = Caller::new();
        let fails = |endpoint: &Endpoint| match endpoint.address() {
            "10.0.0.2:8000" => (Duration::from_micros(10), End::Failed(FAILED)),
            _ => (Duration::from_millis(2), End::Answered),
        };
        let calls = (0..5000).filter(|_| caller.call(&picker, fails).address() == "10.0.0.2:8000").count();
        assert!((1..250).contains(&calls), "{name}: {calls} of 5000");
    }
}

#[test]
fn calls_that_do_not_come_back_count_against_a_server() {
    for name in ["p2c", "least_request", "la"] {
        let picker = picker(name, servers(5));
        let mut caller = Caller::new();
        caller.shares(&picker, 500);
        let mut stuck = 0;
        for _ in 0..1000 {
            let (picked, chosen) = (caller.now, caller.pick(&picker).unwrap());
            caller.now = caller.now + Duration::from_millis(1);
            if chosen.address() == "10.0.0.3:8000" {
                stuck += 1; // and the call never ends
            } else {
                picker.ended(&chosen, &Outcome { picked, now: caller.now, end: End::Answered });
            }
        }
        assert!((1..60).contains(&stuck), "{name}: {stuck} of 1000");
    }
}

/// Prequal follows the load that servers report: a server that other clients have filled gets no calls,
/// although this client never saw it slow.
#[test]
fn prequal_avoids_a_server_that_others_have_loaded() {
    let picker = picker("prequal", servers(10));
    let mut caller = Caller::new();
    let loaded = |endpoint: &Endpoint| endpoint.address() == "10.0.0.2:8000";
    let (mut calls, mut probes) = (0, 0);
    for call in 0..3000 {
        let chosen = caller.call(&picker, |_| (Duration::from_millis(1), End::Answered));
        calls += usize::from(call >= 20 && loaded(&chosen));
        let mut query =
            Query { now: caller.now, random: &mut caller.random, key: None, tried: &[], thread: 0 };
        for target in picker.probes(&mut query) {
            probes += 1;
            let in_flight = if loaded(&target) { 50 } else { 2 };
            picker.probed(&target, Report { in_flight, latency: Duration::from_millis(1) }, &mut query);
        }
    }
    assert_eq!(calls, 0);
    assert!((5900..=6000).contains(&probes), "{probes} for 3000 calls");
}

/// A server that fails at once reports that it is idle.
#[test]
fn prequal_gives_a_server_that_fails_at_once_less_than_its_share_and_comes_back_to_it() {
    let picker = picker("prequal", servers(20));
    let mut caller = Caller::new();
    let is_bad = |endpoint: &Endpoint| endpoint.address() == "10.0.0.2:8000";
    let mut calls_to_it = |calls: usize, end: End| {
        let mut count = 0;
        for _ in 0..calls {
            let ends =
                |one: &Endpoint| (Duration::from_millis(5), if is_bad(one) { end } else { End::Answered });
            count += usize::from(is_bad(&caller.call(&picker, ends)));
            let mut query =
                Query { now: caller.now, random: &mut caller.random, key: None, tried: &[], thread: 0 };
            for target in picker.probes(&mut query) {
                let (in_flight, millis) = if is_bad(&target) { (0, 1) } else { (2, 5) };
                picker.probed(
                    &target,
                    Report { in_flight, latency: Duration::from_millis(millis) },
                    &mut query,
                );
            }
        }
        count
    };
    let failing = calls_to_it(4000, End::Failed(FAILED));
    assert!((1..=5).contains(&failing), "{failing} of 4000, where 200 are its share");
    calls_to_it(2000, End::Answered);
    let well = calls_to_it(4000, End::Answered);
    assert!(well > 200, "{well} of 4000 now that it is idle and well");
}

/// Where all servers fail some calls, no server gets all the calls just because its last failure is the
/// longest ago.
#[test]
fn prequal_shares_calls_among_servers_that_all_fail_some() {
    let picker = picker("prequal", servers(10));
    let mut caller = Caller::new();
    let (mut under_way, mut most, mut calls) = (VecDeque::new(), 0, [0; 10]);
    for call in 0..20_000 {
        caller.now = caller.now + Duration::from_micros(50);
        let chosen = caller.pick(&picker).unwrap();
        calls[picker.members().iter().position(|one| Arc::ptr_eq(one, &chosen)).unwrap()] += 1;
        if call > 1000 {
            most = most.max(chosen.load().in_flight());
        }
        under_way.push_back((caller.now, chosen));
        let mut query =
            Query { now: caller.now, random: &mut caller.random, key: None, tried: &[], thread: 0 };
        for target in picker.probes(&mut query) {
            let report = Report { in_flight: target.load().in_flight(), latency: Duration::from_millis(2) };
            picker.probed(&target, report, &mut query);
        }
        if under_way.len() > 40 {
            let (picked, endpoint) = under_way.pop_front().unwrap();
            let end = if caller.random.u32(..50) == 0 { End::Failed(FAILED) } else { End::Answered };
            picker.ended(&endpoint, &Outcome { picked, now: caller.now, end });
        }
    }
    assert!(most <= 16, "{most} calls in flight at a server, where 4 are its share");
    assert!(calls.iter().all(|calls| (1000..=4000).contains(calls)), "{calls:?}");
}

#[test]
fn a_report_of_a_server_that_has_left_is_not_used() {
    let old = picker("prequal", servers(10));
    let endpoints = old.members().to_vec();
    let new = picker("prequal", endpoints[..2].to_vec());
    let mut random = fastrand::Rng::with_seed(1);
    let mut query = Query { now: Time(0), random: &mut random, key: None, tried: &[], thread: 0 };
    let report = Report { in_flight: 0, latency: Duration::ZERO };
    endpoints.iter().for_each(|endpoint| new.probed(endpoint, report, &mut query));
    for _ in 0..100 {
        let chosen = new.pick(&mut query).unwrap().clone();
        assert!(new.members().iter().any(|member| Arc::ptr_eq(member, &chosen)));
    }
    assert!(picker("prequal", Vec::new()).probes(&mut query).is_empty());
}

#[test]
fn a_call_that_was_given_up_counts_as_no_shorter_than_it_was() {
    let picker = picker("p2c", servers(1));
    let mut caller = Caller::new();
    let mut average_after = |millis: u64, end: End| {
        let chosen = caller.call(&picker, |_| (Duration::from_millis(millis), end));
        chosen.load().latency().unwrap().as_millis()
    };
    assert_eq!(average_after(10, End::Answered), 10);
    assert_eq!(average_after(1, End::GivenUp), 10);
    assert_eq!(average_after(30, End::GivenUp), 30);
}

#[test]
fn least_request_prefers_the_server_with_fewer_calls_in_flight() {
    let picker = picker("least_request:choices=64", servers(10));
    let mut caller = Caller::new();
    for round in 1..=5 {
        (0..10).for_each(|_| drop(caller.pick(&picker).unwrap()));
        assert!(picker.members().iter().all(|member| member.load().in_flight() == round));
    }
}

#[test]
fn a_new_set_keeps_what_is_known_of_the_servers_that_stay() {
    for name in ["p2c", "la"] {
        let endpoints = servers(4);
        let mut caller = Caller::new();
        let slow = |endpoint: &Endpoint| {
            let is_slow = endpoint.address() == "10.0.0.2:8000";
            (Duration::from_millis(if is_slow { 200 } else { 2 }), End::Answered)
        };
        let old = picker(name, endpoints.clone());
        (0..500).for_each(|_| drop(caller.call(&old, slow)));
        let under_way = caller.pick(&old).unwrap();
        let mut more = endpoints;
        more.push(Arc::new(Endpoint::new("10.0.0.0:8000", "")));
        let new = picker(name, more);
        assert_eq!(under_way.load().in_flight(), 1);
        new.ended(&under_way, &Outcome { picked: caller.now, now: caller.now, end: End::Answered });
        assert_eq!(under_way.load().in_flight(), 0);
        let calls = (0..1000).filter(|_| caller.call(&new, slow).address() == "10.0.0.2:8000").count();
        assert!(calls < 60, "{name}: {calls} of 1000 go to the slow one");
    }
}

#[test]
fn a_server_that_joins_starts_slowly_where_the_policy_shares_calls_out() {
    for name in ["rr", "random", "wrr", "wr", "weighted_round_robin", "least_request"] {
        let old = servers(9);
        let mut all = old.clone();
        all.push(Arc::new(Endpoint::new("10.0.0.99:8000", "")));
        let mut caller = Caller::new();
        mark_joined(&old, &all, caller.now);
        let members = Members::new(all).slow_start(SlowStart::default());
        let picker = name.parse::<Spec>().unwrap().picker(members, &mut fastrand::Rng::with_seed(5));
        let mut share_in_a_second = || {
            let mut held = Vec::new();
            let (mut calls, mut new) = (0, 0);
            for _ in 0..1000 {
                let (picked, chosen) = (caller.now, caller.pick(&picker).unwrap());
                caller.now = caller.now + Duration::from_millis(1);
                calls += 1;
                new += usize::from(chosen.address() == "10.0.0.99:8000");
                held.push((picked, chosen));
                if held.len() > 100 {
                    let (picked, ended) = held.remove(0);
                    picker.ended(&ended, &Outcome { picked, now: caller.now, end: End::Answered });
                }
            }
            for (picked, ended) in held {
                picker.ended(&ended, &Outcome { picked, now: caller.now, end: End::Answered });
            }
            new * 100 / calls
        };
        let shares: Vec<usize> = (0..12).map(|_| share_in_a_second()).collect();
        assert!(shares[0] <= 3, "{name}: {shares:?}");
        assert!((4..=8).contains(&shares[5]), "{name}: {shares:?}");
        assert!((8..=12).contains(&shares[11]), "{name}: {shares:?}");
    }
}

#[test]
fn a_call_may_end_after_its_server_left_the_set() {
    for name in Spec::NAMES {
        let endpoints = servers(3);
        let old = picker(name, endpoints.clone());
        let new = picker(name, endpoints[..1].to_vec());
        let mut caller = Caller::new();
        let under_way: Vec<_> = (0..50).map(|_| caller.pick(&old).unwrap()).collect();
        for chosen in under_way {
            new.ended(&chosen, &Outcome { picked: caller.now, now: caller.now, end: End::Failed(FAILED) });
        }
        assert!(endpoints.iter().all(|endpoint| endpoint.load().in_flight() == 0), "{name}");
        assert!(caller.pick(&new).is_ok(), "{name}");
    }
}

/// The last digits of the servers that 24 keys lead to. The expected ones were computed with Python's
/// hashlib, mmh3 and xxhash from the rules of brpc and of gRFC A42.
#[test]
fn rings_are_those_of_brpc_and_grpc() {
    let weights = [1, 2, 3, 4, 1];
    let endpoints = || {
        servers(5)
            .into_iter()
            .zip(weights)
            .map(|(server, weight)| Arc::new(Endpoint::new(server.address(), "").weighted(weight)))
    };
    for (name, expected) in [
        ("c_murmurhash", "315323525524543435252252"),
        ("c_md5", "251141335334334412154554"),
        ("c_ketama", "353313434231141412141443"),
        ("ring_hash", "414341443324424444435444"),
    ] {
        let picker = picker(name, endpoints().collect());
        let mut caller = Caller::new();
        let found: String = (0..24_u64)
            .map(|i| {
                let key = i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                caller.key = Some(if name == "ring_hash" { key } else { key >> 32 });
                caller.pick(&picker).unwrap().address()[7..8].to_owned()
            })
            .collect();
        assert_eq!(found, expected, "{name}");
    }
}

/// The property that gRFC A76 requires of hash keys.
#[test]
fn servers_with_hash_keys_keep_their_place_on_a_ring_of_grpc_at_another_address() {
    let names = ["red", "green", "blue", "grey"];
    let keyed = |port: usize| {
        let made = |(i, name): (usize, &&str)| {
            // Their order by address is the other way round each time.
            let number = if port == 1 { i } else { names.len() - i };
            let endpoint = Endpoint::new(&format!("10.0.{port}.{number}:80"), "");
            endpoint.set_hash_key(Some(name));
            Arc::new(endpoint)
        };
        names.iter().enumerate().map(made).collect::<Vec<_>>()
    };
    let chosen = |name: &str, endpoints: Vec<Arc<Endpoint>>| {
        let picker = picker(name, endpoints);
        let mut caller = Caller::new();
        let key = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut pick = |i| {
            caller.key = Some(if name == "ring_hash" { key(i) } else { key(i) >> 32 });
            caller.pick(&picker).unwrap().hash_key().unwrap()
        };
        (0..500).map(&mut pick).collect::<Vec<_>>()
    };
    let before = chosen("ring_hash", keyed(1));
    assert_eq!(before, chosen("ring_hash", keyed(2)));
    // The points of a key are those of an address of the same text.
    let addresses = names.map(|name| Arc::new(Endpoint::new(name, "")));
    addresses.iter().for_each(|endpoint| endpoint.set_hash_key(Some(endpoint.address())));
    assert_eq!(before, chosen("ring_hash", addresses.to_vec()));
    for name in names {
        assert!(before.iter().filter(|key| ***key == *name).count() > 50, "{name} has calls");
    }
    assert_ne!(chosen("c_md5", keyed(1)), chosen("c_md5", keyed(2)), "brpc's rings know addresses alone");
    let endpoint = &keyed(1)[0];
    endpoint.set_hash_key(Some(""));
    assert_eq!(endpoint.hash_key(), None, "an empty one is none");
}

#[test]
fn a_server_that_leaves_moves_no_keys_but_its_own() {
    for name in ["c_murmurhash", "c_md5", "c_ketama"] {
        let (all, fewer) = (picker(name, servers(10)), picker(name, servers(9)));
        let mut caller = Caller::new();
        let mut moved = 0;
        for key in (0..2000_u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)) {
            caller.key = Some(key >> 32);
            let (before, after) = (caller.pick(&all).unwrap(), caller.pick(&fewer).unwrap());
            if before.address() == "10.0.0.10:8000" {
                moved += 1;
            } else {
                assert_eq!(before.address(), after.address(), "{name}");
            }
        }
        assert!((50..450).contains(&moved), "{name}: {moved} of 2000 keys were the tenth server's");
    }
}

#[test]
fn rings_of_brpc_want_a_key_and_the_one_of_grpc_does_without() {
    for name in ["c_murmurhash", "c_md5", "c_ketama", "ring_hash"] {
        let picker = picker(name, servers(3));
        let mut random = fastrand::Rng::with_seed(1);
        let mut query = Query { now: Time(0), random: &mut random, key: None, tried: &[], thread: 0 };
        match picker.pick(&mut query) {
            Ok(_) => assert_eq!(name, "ring_hash"),
            Err(why) => assert_eq!((name == "ring_hash", why), (false, NoEndpoint::NoKey)),
        }
    }
}

#[test]
fn the_same_queries_get_the_same_answers() {
    for name in Spec::NAMES {
        let run = || {
            let picker = picker(name, servers(20));
            let mut caller = Caller::new();
            let latency = |endpoint: &Endpoint| {
                (Duration::from_micros(100 * endpoint.address().len() as u64), End::Answered)
            };
            (0..500).map(|_| caller.call(&picker, latency).address().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(run(), run(), "{name}");
    }
}

#[test]
fn calls_in_flight_return_to_zero_under_many_threads_and_changing_sets() {
    for name in Spec::NAMES {
        let endpoints = servers(20);
        let pickers: Vec<Picker> = (0..4).map(|i| picker(name, endpoints[i..16 + i].to_vec())).collect();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let pickers = &pickers;
                scope.spawn(move || {
                    let mut random = fastrand::Rng::with_seed(thread);
                    for i in 0..5_000_u64 {
                        let now = Time(i * 1000);
                        let (from, to) = (&pickers[i as usize % 4], &pickers[(i as usize + 1) % 4]);
                        let key = random.u64(..);
                        let mut query = Query {
                            now,
                            random: &mut random,
                            key: Some(key),
                            tried: &[],
                            thread: thread as usize,
                        };
                        let chosen = from.pick(&mut query).unwrap().clone();
                        let end = [End::Answered, End::GivenUp, End::Failed(FAILED)][i as usize % 3];
                        to.ended(&chosen, &Outcome { picked: now, now: Time(i * 1000 + 500), end });
                    }
                });
            }
        });
        assert!(endpoints.iter().all(|endpoint| endpoint.load().in_flight() == 0), "{name}");
    }
}

#[test]
fn weighted_turns_of_a_heavy_server_lie_apart() {
    let mut endpoints: Vec<Arc<Endpoint>> =
        (0..100).map(|i| Arc::new(Endpoint::new(&format!("s{i:03}"), "1"))).collect();
    endpoints.push(Arc::new(Endpoint::new("z", "100")));
    let picker = picker("wrr", endpoints);
    let mut caller = Caller::new();
    let (mut run, mut longest) = (0, 0);
    for _ in 0..400 {
        let chosen = caller.call(&picker, |_| (Duration::from_millis(1), End::Answered));
        run = if chosen.address() == "z" { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    assert!(longest <= 3, "a server of half the weight got {longest} calls in a row");
}

#[test]
fn prequal_keeps_the_report_of_a_server_that_only_this_call_has_tried() {
    let picker = picker("prequal", servers(10));
    let members = picker.members().to_vec();
    let mut random = fastrand::Rng::with_seed(1);
    let mut query = Query { now: Time(0), random: &mut random, key: None, tried: &[], thread: 0 };
    for (i, member) in members[..4].iter().enumerate() {
        let report = Report { in_flight: 1 + 10 * i as u32, latency: Duration::from_millis(1) };
        picker.probed(member, report, &mut query);
    }
    let tried = [members[0].clone()];
    let mut retry = Query { now: Time(0), random: query.random, key: None, tried: &tried, thread: 0 };
    picker.pick(&mut retry).unwrap();
    let mut random = fastrand::Rng::with_seed(2);
    let mut other = Query { now: Time(0), random: &mut random, key: None, tried: &[], thread: 0 };
    let chosen = picker.pick(&mut other).unwrap();
    assert_eq!(chosen.address(), members[0].address(), "the best server is forgotten by all");
}

#[test]
fn a_server_that_fails_sooner_than_can_be_measured_is_avoided_too() {
    for name in ["la", "p2c"] {
        let (picker, mut caller) = (picker(name, servers(10)), Caller::new());
        let mut failed = 0;
        for _ in 0..10_000 {
            let chosen = caller.call(&picker, |server| match server.address() {
                "10.0.0.1:8000" => (Duration::ZERO, End::Failed(FAILED)),
                _ => (Duration::from_millis(1), End::Answered),
            });
            failed += usize::from(chosen.address() == "10.0.0.1:8000");
        }
        assert!(failed < 100, "{name}: {failed} of 10000 calls");
    }
}
