//! Rules about the process: shards without time, and memory that will be used up.

use super::{
    figures::{Figures, Growth},
    holds::Found,
    words::{link, percent},
};
use polywire_console::Mark;

/// Minutes from which a slope says something.
const LEAST_MINUTES: usize = 30;
/// A limit that is further away needs nobody.
const HOURS: f64 = 6.0;

/// "shard: CPU for 30 s: 85 %; 97 %". The share is that of ten seconds, and it is held for ten or three more.
pub(super) fn shard_cpu(figures: &Figures) -> Vec<Found> {
    let found = figures.shard_cpu.iter().enumerate().filter_map(|(index, share)| {
        let mark = match share {
            share if *share >= 0.97 => Mark::Bad,
            share if *share >= 0.85 => Mark::Warn,
            _ => return None,
        };
        let text =
            format!("Shard {index} uses {} of a processor: its connections wait for it", percent(*share));
        let links = vec![link("shards", "shards"), link("hotspots", "hotspots/cpu")];
        Some(Found { rule: "shard_cpu", subject: format!("shard {index}"), mark, text, links })
    });
    found.collect()
}

/// "memory: full within 6 h at this slope", by the last hour, of which half has to be known.
pub(super) fn memory_grows(figures: &Figures) -> Vec<Found> {
    let Some(Growth { minutes, limit }) = &figures.growth else { return Vec::new() };
    let (Some(now), Some(per_minute)) = (minutes.last(), slope(minutes)) else { return Vec::new() };
    let hours = (limit - now) / (per_minute * 60.0);
    // Less than a hundredth of the limit in an hour is no growth, and nothing is said of what is full.
    if per_minute * 60.0 < limit / 100.0 || !(0.0..HOURS).contains(&hours) {
        return Vec::new();
    }
    let mib = |bytes: f64| bytes / f64::from(1 << 20);
    let text = format!(
        "Memory grows by {:.0} MiB an hour: {:.0} of {:.0} MiB, full in {hours:.1} h at this slope",
        mib(per_minute * 60.0),
        mib(*now),
        mib(*limit)
    );
    let links = vec![link("memory", "memory")];
    vec![Found { rule: "memory_grows", subject: String::new(), mark: Mark::Warn, text, links }]
}

/// The slope of the line with the least squares, a step; `None`: too few are known.
fn slope(values: &[f64]) -> Option<f64> {
    if values.len() < LEAST_MINUTES {
        return None;
    }
    let (n, mean) = (values.len() as f64, values.iter().sum::<f64>() / values.len() as f64);
    let middle = (n - 1.0) / 2.0;
    let (mut sum, mut squares) = (0.0, 0.0);
    for (at, value) in values.iter().enumerate() {
        let x = at as f64 - middle;
        (sum, squares) = (sum + x * (value - mean), squares + x * x);
    }
    Some(sum / squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_without_time_is_found() {
        let found = shard(&Figures { shard_cpu: vec![0.849, 0.85, 0.97], ..Figures::default() });
        let marks: Vec<_> = found.iter().map(|found| (found.subject.as_str(), found.mark)).collect();
        assert_eq!(marks, [("shard 1", Mark::Warn), ("shard 2", Mark::Bad)]);
    }
    use super::shard_cpu as shard;

    #[test]
    fn memory_that_will_be_full_within_six_hours_is_found() {
        let of = |minutes: Vec<f64>| {
            let growth = Some(Growth { minutes, limit: 1000.0 });
            memory_grows(&Figures { growth, ..Figures::default() }).len()
        };
        let grows = |from: f64, per_minute: f64, minutes: usize| -> Vec<f64> {
            (0..minutes).map(|minute| from + per_minute * minute as f64).collect()
        };
        assert_eq!(of(grows(500.0, 2.0, 60)), 1, "full in 3.2 h");
        assert_eq!(of(grows(200.0, 2.0, 60)), 1, "full in 5.7 h");
        assert_eq!(of(grows(100.0, 2.0, 60)), 0, "full in 6.5 h");
        assert_eq!(of(grows(500.0, 2.0, 29)), 0, "too little is known");
        assert_eq!(of(grows(990.0, 0.1, 60)), 0, "hardly grows");
        assert_eq!(of(grows(900.0, -2.0, 60)), 0, "shrinks");
        let saw: Vec<f64> = (0..60).map(|minute| 400.0 + f64::from(minute % 10) * 20.0).collect();
        assert_eq!(of(saw), 0, "comes and goes");
    }
}
