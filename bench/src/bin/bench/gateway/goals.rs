//! What the gateway is to reach beside the other proxies, each compared within a round.

use super::added::{added_ratio, ratio};
use super::proxies::{DIRECT, ENVOY, GRPC_GATEWAY, HAPROXY, NGINX, OURS, RAW, TRANSLATING};
use crate::figures::{Figure, Sample};

const ONE: &str = "gRPC, 1 caller";
const HUNDRED: &str = "gRPC, 100 callers, 1 connection";
const MANY: &str = "gRPC, 100 callers, 100 connections";

/// A goal with what was found.
pub struct Found {
    pub what: String,
    pub found: f64,
    pub wanted: Wanted,
}

#[derive(Clone, Copy)]
pub enum Wanted {
    AtLeast(f64),
    AtMost(f64),
}

impl Wanted {
    pub fn is_met(self, found: f64) -> bool {
        match self {
            Wanted::AtLeast(least) => found >= least,
            Wanted::AtMost(most) => found <= most,
        }
    }
}

/// Those whose figures were measured.
pub fn found(figures: &[Figure]) -> Vec<Found> {
    let find = |load: &str, peer: &str| {
        figures.iter().find(|f| f.group.starts_with("gateway") && f.load == load && f.peer == peer)
    };
    let cpu = |(load, peer): (&str, &str), other: (&str, &str)| {
        ratio(find(load, peer)?, find(other.0, other.1), |sample| sample.server_cpu_us)
    };
    let rate =
        |load: &str, peer: &str| ratio(find(load, OURS)?, find(load, peer), |sample| Some(sample.value));
    let added = |load: &str, peer: &str, of: fn(&Sample) -> Option<f64>| {
        added_ratio(find(load, OURS)?, find(load, peer)?, find(load, DIRECT)?, of)
    };
    let beside_best = |load: &str| {
        let ratios = [ENVOY, NGINX, HAPROXY].map(|peer| rate(load, peer));
        ratios.into_iter().flatten().min_by(f64::total_cmp)
    };
    let mut all = Vec::new();
    let mut goal = |what: &str, found: Option<f64>, wanted: Wanted| {
        all.extend(found.map(|found| Found { what: format!("gateway, {what}"), found, wanted }));
    };
    use Wanted::{AtLeast, AtMost};
    let of_envoy = cpu((HUNDRED, OURS), (HUNDRED, ENVOY));
    goal("100 callers on one connection, CPU per call, first step, x Envoy's", of_envoy, AtMost(0.5));
    goal("100 callers on one connection, CPU per call, x Envoy's", of_envoy, AtMost(0.2));
    goal(
        "100 callers on one connection, CPU per call, x nginx's",
        cpu((HUNDRED, OURS), (HUNDRED, NGINX)),
        AtMost(0.33),
    );
    goal("100 callers on one connection, calls per second, x Envoy", rate(HUNDRED, ENVOY), AtLeast(4.0));
    for load in [ONE, "baidu_std, 1 caller"] {
        let p50 = added(load, RAW, |sample| sample.p50_us);
        goal(&format!("{load}, added p50, x the raw relay's"), p50, AtMost(1.15));
    }
    goal("gRPC, 1 caller, added p99, x Envoy's", added(ONE, ENVOY, |sample| sample.p99_us), AtMost(1.0));
    goal("100 connections, calls per second, x the raw relay", rate(MANY, RAW), AtLeast(0.7));
    goal("100 connections, calls per second, x nginx", rate(MANY, NGINX), AtLeast(2.0));
    for size in ["64 KB", "1 MB"] {
        let load = format!("gRPC, {size}, 1 caller");
        goal(&format!("{size}, calls per second, x best of the others"), beside_best(&load), AtLeast(1.0));
    }
    let streams = rate("gRPC, ping-pong, 100 streams", ENVOY);
    goal("ping-pong on 100 streams, messages per second, x Envoy", streams, AtLeast(3.0));
    for what in ["100 callers, 100 connections", "22 KB, 10 callers, 10 connections"] {
        let load = format!("JSON to gRPC, {what}");
        for (peer, most) in [(GRPC_GATEWAY, 0.2), (ENVOY, 0.33)] {
            goal(
                &format!("{load}, CPU per call, x {peer}'s"),
                cpu((&load, OURS), (&load, peer)),
                AtMost(most),
            );
        }
    }
    let baidu = "baidu_std, 100 callers, 1 connection";
    goal(
        "baidu_std to gRPC, 100 callers, CPU per call, x gRPC to gRPC",
        cpu((baidu, TRANSLATING), (HUNDRED, OURS)),
        AtMost(1.15),
    );
    goal(
        "gRPC to baidu_std, 100 callers, CPU per call, x gRPC to gRPC",
        cpu((HUNDRED, TRANSLATING), (HUNDRED, OURS)),
        AtMost(1.15),
    );
    let idle = figures.iter().filter(|f| f.group == "gateway-idle" && f.peer == OURS).map(|f| f.median.value);
    goal("idle connection, bytes", idle.max_by(f64::total_cmp), AtMost(8192.0));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_cpu_and_more_calls_are_better() {
        assert!(Wanted::AtMost(0.5).is_met(0.5) && !Wanted::AtMost(0.5).is_met(0.51));
        assert!(Wanted::AtLeast(4.0).is_met(4.0) && !Wanted::AtLeast(4.0).is_met(3.9));
    }

    #[test]
    fn calls_per_second_are_compared_with_the_best_of_the_others() {
        let figure = |peer: &str, value| Figure {
            group: "gateway".into(),
            load: "gRPC, 1 MB, 1 caller".into(),
            peer: peer.into(),
            median: Sample::of(value),
            least: value,
            most: value,
            rounds: 1,
            samples: vec![(1, Sample::of(value))],
        };
        let found = found(&[figure(OURS, 300.0), figure(NGINX, 100.0), figure(ENVOY, 400.0)]);
        let [goal] = &found[..] else { panic!("{} goals", found.len()) };
        assert_eq!(
            (&*goal.what, goal.found),
            ("gateway, 1 MB, calls per second, x best of the others", 0.75)
        );
    }
}
