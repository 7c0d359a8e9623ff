//! The trends of a registry's figures.
//!
//! A figure has a trend from the first second in which it is not 0, so unused figures take no memory. A
//! variable that has not changed is not read: the seconds that it has missed are filled in when it changes,
//! or when its trend is requested.

use super::exposed::Exposed;
use crate::storage::trend::{Fold, Trend};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

/// The most figures of a registry that have a trend: 24 MiB.
pub(super) const MOST_TRENDS: usize = 16 << 10;

#[derive(Default)]
pub(super) struct Trends {
    /// The time at which the first second began.
    start: Option<Instant>,
    /// The number of seconds since then.
    second: u64,
    /// The figures by their line in `/vars`.
    figures: HashMap<String, Figure>,
    /// For each variable, by its first line: a number that changes with its value.
    changes: HashMap<String, u64>,
    /// Figures that were not 0 and for which there was no room.
    refused: u64,
}

struct Figure {
    trend: Trend,
    /// The second of the figure's last value.
    second: u64,
    value: f64,
}

impl Figure {
    /// Fills in the seconds before this one.
    fn catch_up(&mut self, second: u64) {
        let missed = second.saturating_sub(self.second + 1);
        self.trend.push_many(self.value, missed);
        self.second += missed;
    }
}

impl Trends {
    /// Begins the second of this time; returns the variables that have to be read for it. `changes`: each
    /// variable's number of changes. `None`: this second has its values already.
    pub fn begin(
        &mut self,
        now: Instant,
        exposed: &[Arc<Exposed>],
        changes: &[Option<u64>],
    ) -> Option<Vec<usize>> {
        let start = *self.start.get_or_insert(now);
        // A second is one more than those that are over; samples that come a little early are of the next
        // one.
        let passed = now.saturating_duration_since(start).saturating_add(Duration::from_millis(500));
        let second = passed.as_secs() + 1;
        if second <= self.second {
            return None;
        }
        self.second = second;
        // What is not exposed any more goes.
        if self.changes.len() > exposed.len() + 64 || second.is_multiple_of(60) {
            self.forget(exposed);
        }
        let mut has_changed = |one: &Exposed, number: u64| {
            let key = one.lines.first().map_or("", String::as_str);
            match self.changes.get_mut(key) {
                Some(known) => std::mem::replace(known, number) != number,
                None => self.changes.insert(key.to_owned(), number).is_none(),
            }
        };
        let wanted = |at: &usize| changes[*at].is_none_or(|number| has_changed(&exposed[*at], number));
        Some((0..exposed.len()).filter(wanted).collect())
    }

    /// Adds the values of a variable in the second that was begun.
    pub fn add(&mut self, one: &Exposed, figures: Vec<(f64, bool)>) {
        let second = self.second;
        let has_room = self.figures.len() < MOST_TRENDS - 16; // a variable has up to nine
        for (line, (value, is_maximum)) in one.lines.iter().zip(figures) {
            match self.figures.get_mut(line) {
                Some(figure) => {
                    figure.catch_up(second);
                    figure.trend.push(value);
                    (figure.second, figure.value) = (second, value);
                }
                None if value == 0.0 => {}
                None if !has_room => self.refused += 1,
                None => {
                    let mut trend = Trend::new(if is_maximum { Fold::Max } else { Fold::Mean });
                    trend.push_many(0.0, second - 1);
                    trend.push(value);
                    self.figures.insert(line.clone(), Figure { trend, second, value });
                }
            }
        }
    }

    fn forget(&mut self, exposed: &[Arc<Exposed>]) {
        let lines: HashSet<&str> = exposed
            .iter()
            .filter(|one| one.has_trend)
            .flat_map(|one| &one.lines)
            .map(String::as_str)
            .collect();
        self.figures.retain(|line, _| lines.contains(line.as_str()));
        self.changes.retain(|line, _| lines.contains(line.as_str()));
    }

    /// The trend of a figure up to now; `None` if the figure has always been 0, or there was no room.
    pub fn get(&mut self, line: &str) -> Option<Trend> {
        let second = self.second;
        let figure = self.figures.get_mut(line)?;
        figure.catch_up(second + 1);
        Some(figure.trend.clone())
    }

    /// The number of figures with trends, and of those without room for one.
    pub fn held(&self) -> (usize, u64) {
        (self.figures.len(), self.refused)
    }
}
