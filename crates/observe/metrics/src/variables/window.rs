//! The recent values of a variable, as a variable of its own.

use crate::{
    Counter, Sampled,
    variables::{Reading, Variable},
};
use std::sync::Weak;

/// A variable with a value over its window.
pub trait InWindow: Variable {
    fn in_window(&self) -> Reading;
}

impl InWindow for Counter {
    fn in_window(&self) -> Reading {
        Reading::Level(i64::try_from(self.window().0).unwrap_or(i64::MAX))
    }
}

/// The value of a variable over its window: how many, the largest, the mean.
///
/// ```
/// # use polywire_metrics::{Maximum, Registry, Window};
/// # use std::time::Instant;
/// let (registry, queue) = (Registry::new(), Maximum::with_window(60));
/// registry.expose("queue_max_minute", Window::of(&queue))?;
/// queue.record(17);
/// registry.tick(Instant::now()); // about once a second, by whoever owns the registry
/// assert_eq!(registry.describe("queue_max_minute").as_deref(), Some("17"));
/// # Ok::<(), polywire_metrics::ExposeError>(())
/// ```
#[derive(Clone)]
pub struct Window<V>(V);

impl<V: InWindow + Clone> Window<V> {
    pub fn of(variable: &V) -> Self {
        Window(variable.clone())
    }
}

impl<V: InWindow> Variable for Window<V> {
    fn read(&self) -> Reading {
        self.0.in_window()
    }
    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        self.0.sampled()
    }
}

/// The increase of a counter per second of its window.
#[derive(Clone)]
pub struct PerSecond(Counter);

impl PerSecond {
    pub fn of(counter: &Counter) -> Self {
        PerSecond(counter.clone())
    }
}

impl Variable for PerSecond {
    fn read(&self) -> Reading {
        Reading::Real(self.0.rate())
    }
    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        self.0.sampled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AverageRecorder, Minimum, Registry};
    use std::time::{Duration, Instant};

    #[test]
    fn windows_are_variables_beside_their_totals() {
        let (registry, start) = (Registry::new(), Instant::now());
        let (calls, least, size) =
            (Counter::with_window(2), Minimum::with_window(2), AverageRecorder::with_window(2));
        registry.expose("calls", calls.clone()).expect("free");
        registry.expose("calls_window", Window::of(&calls)).expect("free");
        registry.expose("calls_second", PerSecond::of(&calls)).expect("free");
        registry.expose("least", Window::of(&least)).expect("free");
        registry.expose("size", Window::of(&size)).expect("free");
        registry.tick(start);
        for second in 1..=4 {
            calls.add(10);
            least.record(second);
            size.record(second * 100);
            registry.tick(start + Duration::from_secs(second as u64));
        }
        let text = "calls : 40\r\ncalls_second : 10\r\ncalls_window : 20\r\nleast : 3\r\nsize : 350\r\n";
        assert_eq!(registry.vars(""), text);
    }
}
