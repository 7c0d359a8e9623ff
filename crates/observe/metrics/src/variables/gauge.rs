//! Gauges, which go up and down.

use crate::{
    storage::cells::{Cells, Owned},
    variables::{Reading, Variable},
};
use std::sync::Arc;

/// A level: connections, calls in flight, bytes held. Cloning shares it.
///
/// Every owner adds and subtracts in its own cell, and a single cell may be negative: what one shard opened,
/// another may close.
///
/// ```
/// # use polywire_metrics::Gauge;
/// let connections = Gauge::new();
/// let (one, two) = (connections.local(), connections.local());
/// one.add(3);
/// two.add(-1);
/// assert_eq!(connections.level(), 2);
/// ```
#[derive(Clone)]
pub struct Gauge(Arc<Cells>);

impl Gauge {
    pub fn new() -> Self {
        Gauge(Cells::new())
    }

    /// A cell with one owner, who writes it without locking or sharing.
    pub fn local(&self) -> LocalGauge {
        LocalGauge(Owned::new(&self.0))
    }

    /// Adds to the level; a negative number subtracts. Any thread may call it.
    #[inline]
    pub fn add(&self, n: i64) {
        self.0.write(n as u64);
    }

    /// Sets the level, whatever the cells contain. With two concurrent callers, or a concurrent `add`, the
    /// result is unspecified: a level that is set should have one setter.
    pub fn set(&self, level: i64) {
        self.add(level.wrapping_sub(self.level()));
    }

    pub fn level(&self) -> i64 {
        self.0.get() as i64
    }
}

impl Default for Gauge {
    fn default() -> Self {
        Gauge::new()
    }
}

impl Variable for Gauge {
    fn read(&self) -> Reading {
        Reading::Level(self.level())
    }
}

/// One owner's part of a [`Gauge`].
pub struct LocalGauge(Owned);

impl LocalGauge {
    /// Adds to the level. Hot path: a load and a store.
    #[inline]
    pub fn add(&self, n: i64) {
        self.0.write(n as u64);
    }

    /// The value of this owner's cell.
    pub fn get(&self) -> i64 {
        self.0.get() as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_go_below_zero_and_owners_leave_theirs_behind() {
        let gauge = Gauge::new();
        let (one, two) = (gauge.local(), gauge.local());
        one.add(5);
        two.add(-7);
        assert_eq!((gauge.level(), one.get(), two.get()), (-2, 5, -7));
        drop(two);
        assert_eq!(gauge.level(), -2);
        gauge.set(40);
        one.add(2);
        assert_eq!(gauge.level(), 42);
    }
}
