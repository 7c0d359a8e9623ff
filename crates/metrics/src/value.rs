//! What a registry asks of a variable.

use crate::{Distribution, Sampled};
use std::sync::Weak;

/// Something with a value to show.
pub trait Variable: Send + Sync {
    /// Now. Of the same variant each time.
    fn read(&self) -> Reading;

    /// What must be sampled every second for this variable to have a window; `None` if it has none.
    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        None
    }
}

/// A value, and with it what kind of variable it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// Only grows.
    Count(u64),
    /// Goes up and down.
    Level(i64),
    /// Goes up and down.
    Real(f64),
    Text(String),
    /// Expands to several series, see [`crate::LatencyRecorder`].
    Latency {
        window: Box<Distribution>,
        total: Box<Distribution>,
    },
}

/// A value that is computed when somebody looks.
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

/// A text that does not change.
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
