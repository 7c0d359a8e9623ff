//! One figure over a month: its last 60 seconds, 60 minutes, 24 hours and 30 days.

use std::time::Duration;

/// Seconds, minutes, hours and days that are kept, and how many of each make one of the next.
const KEPT: [usize; 4] = [60, 60, 24, 30];

/// How the values of a minute are combined into one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Fold {
    #[default]
    Mean,
    /// The maximum, for figures that are maxima themselves.
    Max,
}

/// A figure of the last month, one value a second, then a minute, an hour and a day. 1.5 KB.
///
/// Values from before the figure existed are 0.
#[derive(Clone, Debug)]
pub struct Trend {
    rings: [Ring; 4],
    fold: Fold,
}

#[derive(Clone, Debug)]
struct Ring {
    /// The kept values; the oldest is at `next`.
    values: Box<[f64]>,
    next: usize,
    /// The combined values since the last one was passed on, and their number.
    folded: f64,
    count: usize,
}

impl Ring {
    fn push(&mut self, value: f64, fold: Fold) {
        self.values[self.next] = value;
        self.next = (self.next + 1) % self.values.len();
        self.folded = match fold {
            Fold::Mean => self.folded + value,
            Fold::Max if self.count == 0 => value,
            Fold::Max => self.folded.max(value),
        };
        self.count += 1;
    }

    /// The value of the next coarser ring, when it is complete.
    fn take(&mut self, fold: Fold) -> Option<f64> {
        if self.count < self.values.len() {
            return None;
        }
        let (folded, count) = (std::mem::take(&mut self.folded), std::mem::take(&mut self.count));
        Some(if fold == Fold::Mean { folded / count as f64 } else { folded })
    }
}

impl Trend {
    pub(crate) fn new(fold: Fold) -> Self {
        let ring = |kept: usize| Ring { values: vec![0.0; kept].into(), next: 0, folded: 0.0, count: 0 };
        Trend { rings: KEPT.map(ring), fold }
    }

    /// Adds the value of one more second.
    pub(crate) fn push(&mut self, value: f64) {
        self.push_at(0, value);
    }

    /// Adds `seconds` more seconds with the same value. The time that this takes grows with the number of
    /// hours.
    pub(crate) fn push_many(&mut self, value: f64, seconds: u64) {
        // Whole minutes, hours and days are pushed as such where those before them are complete.
        let mut left = seconds;
        while left > 0 {
            let mut level = 0;
            let mut span = 1;
            while level + 1 < KEPT.len() && self.rings[level].count == 0 && left >= span * KEPT[level] as u64
            {
                span *= KEPT[level] as u64;
                level += 1;
            }
            for finer in 0..level {
                self.rings[finer].values.fill(value);
            }
            self.push_at(level, value);
            left -= span;
        }
    }

    fn push_at(&mut self, level: usize, value: f64) {
        self.rings[level].push(value, self.fold);
        if level + 1 == KEPT.len() {
            // Days are passed on to nothing.
            self.rings[level].count = 0;
            self.rings[level].folded = 0.0;
        } else if let Some(value) = self.rings[level].take(self.fold) {
            self.push_at(level + 1, value);
        }
    }

    /// The last 60 seconds, the oldest first.
    pub fn seconds(&self) -> impl Iterator<Item = f64> + '_ {
        self.values(0)
    }

    /// The last 60 complete minutes, the oldest first.
    pub fn minutes(&self) -> impl Iterator<Item = f64> + '_ {
        self.values(1)
    }

    /// The last 24 complete hours, the oldest first.
    pub fn hours(&self) -> impl Iterator<Item = f64> + '_ {
        self.values(2)
    }

    /// The last 30 complete days, the oldest first.
    pub fn days(&self) -> impl Iterator<Item = f64> + '_ {
        self.values(3)
    }

    /// The 174 values of brpc's `?series`: days, hours, minutes, seconds.
    pub fn series(&self) -> Vec<f64> {
        self.days().chain(self.hours()).chain(self.minutes()).chain(self.seconds()).collect()
    }

    /// The values to plot once the process has run for this time, the oldest first, and the seconds of each
    /// value: one value for each minute that it has run, 60 at most; for a process of less than ten minutes
    /// the last seconds. Minutes before the start would be a flat line.
    pub fn lately(&self, up: Duration) -> (u32, Vec<f64>) {
        let minutes = up.as_secs() as usize / 60;
        match minutes {
            ..10 => (1, self.seconds().skip(60_usize.saturating_sub(up.as_secs() as usize)).collect()),
            _ => (60, self.minutes().skip(60_usize.saturating_sub(minutes)).collect()),
        }
    }

    fn values(&self, level: usize) -> impl Iterator<Item = f64> + '_ {
        let ring = &self.rings[level];
        ring.values[ring.next..].iter().chain(&ring.values[..ring.next]).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_young_process_is_plotted_by_what_it_has_run() {
        let mut trend = Trend::new(Fold::Mean);
        (0..20).for_each(|_| trend.push(7.0));
        let lately = |trend: &Trend, seconds| {
            let (step, values) = trend.lately(Duration::from_secs(seconds));
            (step, values.len(), values.iter().all(|value| *value == 7.0))
        };
        assert_eq!(lately(&trend, 20), (1, 20, true), "its seconds, and none before");
        (20..599).for_each(|_| trend.push(7.0));
        assert_eq!(lately(&trend, 599), (1, 60, true));
        (599..720).for_each(|_| trend.push(7.0));
        assert_eq!(lately(&trend, 720), (60, 12, true), "its minutes, and none before");
        (720..90_000).for_each(|_| trend.push(7.0));
        assert_eq!(lately(&trend, 90_000), (60, 60, true));
    }

    #[test]
    fn minutes_hours_and_days_are_the_means_of_what_they_are_made_of() {
        let mut trend = Trend::new(Fold::Mean);
        (0..60).for_each(|second| trend.push(f64::from(second)));
        assert_eq!((trend.seconds().last(), trend.minutes().last()), (Some(59.0), Some(29.5)));
        assert_eq!(trend.seconds().next(), Some(0.0));
        (0..59 * 60).for_each(|_| trend.push(0.0));
        assert_eq!(trend.minutes().next(), Some(29.5));
        assert_eq!((trend.minutes().last(), trend.hours().last()), (Some(0.0), Some(29.5 / 60.0)));
        (0..23 * 3600).for_each(|_| trend.push(0.0));
        assert_eq!(trend.days().last(), Some(29.5 / 60.0 / 24.0));
        let series = trend.series();
        assert_eq!((series.len(), series[29]), (174, 29.5 / 60.0 / 24.0));
    }

    #[test]
    fn a_maximum_stays_one() {
        let mut trend = Trend::new(Fold::Max);
        (0..7200).for_each(|second| trend.push(if second == 61 { 9.0 } else { 1.0 }));
        let minutes: Vec<f64> = trend.minutes().collect();
        assert_eq!(minutes.iter().filter(|value| **value == 9.0).count(), 0, "over an hour ago");
        let hours: Vec<f64> = trend.hours().collect();
        assert_eq!(&hours[22..], [9.0, 1.0]);
    }

    /// Adding many seconds at once equals adding them singly, from any beginning.
    #[test]
    fn many_seconds_at_once_are_as_many_single_ones() {
        for before in [0, 1, 59, 60, 3599, 3600, 3661, 86_399] {
            for many in [1, 2, 59, 60, 61, 119, 3600, 3601, 7321, 90_000, 200_000] {
                for fold in [Fold::Mean, Fold::Max] {
                    let (mut one, mut other) = (Trend::new(fold), Trend::new(fold));
                    (0..before).for_each(|second| one.push(f64::from(second % 7)));
                    (0..before).for_each(|second| other.push(f64::from(second % 7)));
                    one.push_many(4.0, many);
                    (0..many).for_each(|_| other.push(4.0));
                    let close = |(a, b): (f64, f64)| (a - b).abs() < 1e-9;
                    let same = one.series().into_iter().zip(other.series()).all(close);
                    assert!(same, "{before} then {many}, {fold:?}");
                }
            }
        }
    }
}
