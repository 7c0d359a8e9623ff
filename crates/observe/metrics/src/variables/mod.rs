//! Variables, one kind a file, and the interface between them and a registry.

pub mod average;
pub mod computed;
pub mod counter;
pub mod durations;
pub mod exemplar;
pub mod extreme;
pub mod gauge;
pub mod labels;
pub mod latency;
pub mod status;
pub mod window;

use crate::{Distribution, Exemplar, Sampled, Scale};
use std::sync::Weak;

/// A variable that can be exposed.
pub trait Variable: Send + Sync {
    /// The current value, always of the same variant.
    fn read(&self) -> Reading;

    /// A reading of the variable's kind, for a variable that may have none at first. Default: the current
    /// one.
    fn example(&self) -> Reading {
        self.read()
    }

    /// A number that differs whenever the value may have changed, so that unchanged variables need not be
    /// read; `None`, the default: unknown.
    fn changes(&self) -> Option<u64> {
        None
    }

    /// The part that has to be sampled every second for this variable to have a window; `None` if it has
    /// none.
    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        None
    }
}

/// A value, which also determines the kind of its variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// A count that only grows.
    Count(u64),
    /// A level that goes up and down.
    Level(i64),
    /// A real number that goes up and down.
    Real(f64),
    /// Seconds that only grow: processor time.
    Seconds(f64),
    /// Shown in `/vars` only: Prometheus has numbers.
    Text(String),
    /// The mean of integers since the start.
    Average { sum: i64, count: u64 },
    /// Expands to several lines, see [`crate::LatencyRecorder`].
    Latency { window: Box<Distribution>, total: Box<Distribution>, exemplars: Vec<Exemplar> },
    /// The distribution of durations or other numbers, for Prometheus only; see [`crate::Durations`].
    Histogram { total: Box<Distribution>, scale: &'static Scale, exemplars: Vec<Exemplar> },
    /// One reading for each combination of label values, see [`crate::Labelled`] and [`crate::Computed`].
    Labelled(Vec<(Labels, Reading)>),
}

/// Keys and values of labels.
pub type Labels = Vec<(String, String)>;

/// A variable whose value is computed when it is read.
///
/// ```
/// # use polywire_metrics::{Passive, Reading, Registry};
/// let registry = Registry::new();
/// registry.expose("answer", Passive::new(|| Reading::Level(42)))?;
/// # Ok::<(), polywire_metrics::ExposeError>(())
/// ```
pub struct Passive<F>(F);

impl<F: Fn() -> Reading + Send + Sync> Passive<F> {
    pub fn new(read: F) -> Self {
        Passive(read)
    }
}

impl<F: Fn() -> Reading + Send + Sync> Variable for Passive<F> {
    fn read(&self) -> Reading {
        (self.0)()
    }
}

/// A constant text.
impl Variable for String {
    fn read(&self) -> Reading {
        Reading::Text(self.clone())
    }
}
impl Variable for &'static str {
    fn read(&self) -> Reading {
        Reading::Text((*self).into())
    }
}
