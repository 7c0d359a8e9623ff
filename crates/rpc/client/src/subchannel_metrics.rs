//! gRPC's own metrics of connections and of outliers: connections that the process's channels to a target
//! have made, could not make, and have lost, and servers that they have ejected.
//!
//! The counters are updated on each event, and kept after the channel ends, so that they do not fall.
//!
//! Limits:     [`MOST_TARGETS`]; connections to further ones are counted together, without a target.
//! Source:     gRFC A94, A91. Optional labels are not there.

use crate::call_metrics::grpc_target;
use polywire_balance::Ejections;
use polywire_base::lock;
use polywire_metrics::{Labels, Metric, Name, Reading, Variable, process};
use polywire_wire::{GRPC, Protocol};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering::Relaxed},
};

const MOST_TARGETS: usize = 1000;

static TARGETS: Mutex<Vec<Arc<Subchannels>>> = Mutex::new(Vec::new());

/// Connections to one target.
#[derive(Default)]
pub(crate) struct Subchannels {
    target: Box<str>,
    made: AtomicU64,
    failed: AtomicU64,
    ended: AtomicU64,
    ejections: Mutex<[Ejections; 2]>,
}

impl Subchannels {
    /// The counters of connections to this target. `None`: the protocol is not gRPC.
    pub fn of(protocol: &Protocol, target: &str) -> Option<Arc<Subchannels>> {
        (protocol.system() == GRPC).then(|| find(&mut lock(&TARGETS), target))
    }

    /// A connection was made.
    pub fn made(&self) {
        self.made.fetch_add(1, Relaxed);
    }

    /// A connection could not be made.
    pub fn failed(&self) {
        self.failed.fetch_add(1, Relaxed);
    }

    /// Counts the ejections of one round of outlier detection.
    pub fn judged(&self, ejections: &[Ejections; 2]) {
        for (all, more) in lock(&self.ejections).iter_mut().zip(ejections) {
            all.enforced += more.enforced;
            all.spared += more.spared;
            all.overflow += more.overflow;
        }
    }

    /// Counts a connection that has ended.
    pub fn ended(&self) {
        self.ended.fetch_add(1, Relaxed);
    }
}

fn find(targets: &mut Vec<Arc<Subchannels>>, target: &str) -> Arc<Subchannels> {
    let target = if targets.len() < MOST_TARGETS || is_known(targets, target) { target } else { "" };
    if let Some(known) = targets.iter().find(|known| *known.target == *target) {
        return known.clone();
    }
    targets.push(Arc::new(Subchannels { target: target.into(), ..Subchannels::default() }));
    targets[targets.len() - 1].clone()
}

fn is_known(targets: &[Arc<Subchannels>], target: &str) -> bool {
    targets.iter().any(|known| *known.target == *target)
}

/// `detection_method` of [`Subchannels::ejections`].
const METHODS: [&str; 2] = ["success_rate", "failure_percentage"];

/// The ejections from each target, by detection method: the enforced ones, or the others by the reason why
/// they were not enforced.
struct OfOutliers {
    enforced: bool,
}

impl Variable for OfOutliers {
    fn read(&self) -> Reading {
        let mut series = Vec::new();
        for one in &lock(&TARGETS).clone() {
            let ejections = *lock(&one.ejections);
            for (method, Ejections { enforced, spared, overflow }) in METHODS.into_iter().zip(ejections) {
                let figures = match self.enforced {
                    true => vec![("", enforced)],
                    false => vec![("enforcement_percentage", spared), ("max_ejection_overflow", overflow)],
                };
                let figures = figures.into_iter().filter(|(_, count)| *count > 0);
                series.extend(
                    figures.map(|(why, n)| (of_outlier(&one.target, method, why), Reading::Count(n))),
                );
            }
        }
        Reading::Labelled(series)
    }

    fn example(&self) -> Reading {
        let why = if self.enforced { "" } else { "max_ejection_overflow" };
        Reading::Labelled(vec![(of_outlier("host:1", METHODS[0], why), Reading::Count(0))])
    }
}

fn of_outlier(target: &str, method: &str, why: &str) -> Labels {
    let mut labels = labels(target);
    let mut add = |key: &str, value: &str| labels.push((key.to_owned(), value.to_owned()));
    add("grpc.lb.outlier_detection.detection_method", method);
    if !why.is_empty() {
        add("grpc.lb.outlier_detection.unenforced_reason", why);
    }
    labels
}

/// A metric with one value for each target.
struct Figure(fn(&Subchannels) -> Reading);

impl Variable for Figure {
    fn read(&self) -> Reading {
        let targets = lock(&TARGETS).clone();
        let series = targets.iter().map(|one| (labels(&one.target), (self.0)(one)));
        Reading::Labelled(series.collect())
    }

    fn example(&self) -> Reading {
        Reading::Labelled(vec![(labels("host:1"), (self.0)(&Subchannels::default()))])
    }
}

fn labels(target: &str) -> Labels {
    let target = Some(grpc_target(target)).filter(|target| !target.is_empty());
    target.map(|target| ("grpc.target".to_owned(), target)).into_iter().collect()
}

/// Exposes the variables, with the first channel of the process.
pub(crate) fn expose() {
    for (metric, help, enforced) in [
        (
            "grpc.lb.outlier_detection.ejections_enforced",
            "Servers that channels of gRPC have ejected as outliers.",
            true,
        ),
        (
            "grpc.lb.outlier_detection.ejections_unenforced",
            "Outliers that channels of gRPC have left in, by chance or since too many were out.",
            false,
        ),
    ] {
        let name = Name::of_metric(Metric::new(metric, help).unit("{ejection}"));
        let _ = process::grpc_registry().expose(name, OfOutliers { enforced });
    }
    for (metric, help, unit, read) in [
        (
            "grpc.subchannel.connection_attempts_succeeded",
            "Connections that channels of gRPC have made.",
            "{attempt}",
            (|one| Reading::Count(one.made.load(Relaxed))) as fn(&Subchannels) -> Reading,
        ),
        (
            "grpc.subchannel.connection_attempts_failed",
            "Connections that channels of gRPC could not make.",
            "{attempt}",
            |one| Reading::Count(one.failed.load(Relaxed)),
        ),
        (
            "grpc.subchannel.disconnections",
            "Connections of channels of gRPC that have ended.",
            "{disconnection}",
            |one| Reading::Count(one.ended.load(Relaxed)),
        ),
        (
            "grpc.subchannel.open_connections",
            "Connections of channels of gRPC that are open.",
            "{connection}",
            |one| {
                let ended = one.ended.load(Relaxed); // first: what ends meanwhile is open
                Reading::Level(one.made.load(Relaxed).saturating_sub(ended) as i64)
            },
        ),
    ] {
        let name = Name::of_metric(Metric::new(metric, help).unit(unit));
        let _ = process::grpc_registry().expose(name, Figure(read)); // fails if the application has taken the name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_beyond_the_limit_are_counted_together() {
        let mut targets = Vec::new();
        for k in 0..MOST_TARGETS + 50 {
            find(&mut targets, &format!("host{k}:1")).made();
        }
        find(&mut targets, "host7:1").made();
        assert_eq!(targets.len(), MOST_TARGETS + 1);
        let made = |target: &str| {
            targets.iter().find(|one| *one.target == *target).map(|one| one.made.load(Relaxed))
        };
        assert_eq!((made(""), made("host7:1"), made("host8:1")), (Some(50), Some(2), Some(1)));
    }
}
