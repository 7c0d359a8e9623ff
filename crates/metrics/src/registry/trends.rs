//! The trends of a registry's figures.
//!
//! A figure has a trend from the first second in which it is not 0, so what is never used takes no memory. A variable that has not
//! changed is not read: the seconds that it has missed are filled in when it changes, or when its trend is asked for.

use super::{Exposed, vars};
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
    /// When the first second began.
    start: Option<Instant>,
    /// Seconds since then.
    second: u64,
    /// By line, as `/vars` has it.
    figures: HashMap<String, Figure>,
    /// For each variable, by its first line: the number that tells of its changes.
    changes: HashMap<String, u64>,
    /// Figures that were not 0 and for which there was no room.
    refused: u64,
}

struct Figure {
    trend: Trend,
    /// The second of its last value.
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
    /// Takes over the values of this second, once in each.
    pub fn sample(&mut self, now: Instant, exposed: &[Arc<Exposed>]) {
        let start = *self.start.get_or_insert(now);
        // A second is one more than those that are over; samples that come a little early are of the next one.
        let second =
            now.saturating_duration_since(start).saturating_add(Duration::from_millis(500)).as_secs() + 1;
        if second <= self.second {
            return;
        }
        self.second = second;
        for one in exposed {
            if one.has_trend {
                self.sample_one(one, second);
            }
        }
        // What is not exposed any more goes.
        if self.changes.len() > exposed.len() + 64 || second.is_multiple_of(60) {
            self.forget(exposed);
        }
    }

    fn sample_one(&mut self, one: &Exposed, second: u64) {
        let key = one.lines.first().map_or("", String::as_str);
        if let Some(number) = one.variable.changes() {
            match self.changes.get_mut(key) {
                Some(known) if *known == number => return,
                Some(known) => *known = number,
                None => drop(self.changes.insert(key.to_owned(), number)),
            }
        }
        let has_room = self.figures.len() < MOST_TRENDS - 16; // a variable has up to nine
        for (at, (value, is_maximum)) in vars::figures(&one.variable.read()).into_iter().enumerate() {
            let Some(line) = one.lines.get(at) else { return };
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

    /// The trend of a figure up to now; `None` if it was 0 so far, or there was no room.
    pub fn get(&mut self, line: &str) -> Option<Trend> {
        let second = self.second;
        let figure = self.figures.get_mut(line)?;
        figure.catch_up(second + 1);
        Some(figure.trend.clone())
    }

    /// How many figures have trends, and how often there was no room for one.
    pub fn held(&self) -> (usize, u64) {
        (self.figures.len(), self.refused)
    }
}
