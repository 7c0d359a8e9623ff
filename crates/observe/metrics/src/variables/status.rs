//! A variable that shows the value that was set last.

use crate::{
    storage::cells::lock,
    variables::{Reading, Variable},
};
use std::sync::{Arc, Mutex};

/// The value that was set last: a version, a state, a temperature. Cloning shares it.
///
/// ```
/// # use polywire_metrics::{Registry, Status};
/// let (registry, leader) = (Registry::new(), Status::new("none".to_owned()));
/// registry.expose("leader", leader.clone())?;
/// leader.set("10.0.0.7".to_owned());
/// assert_eq!(registry.describe("leader").as_deref(), Some("\"10.0.0.7\""));
/// # Ok::<(), polywire_metrics::ExposeError>(())
/// ```
#[derive(Clone)]
pub struct Status<T>(Arc<Mutex<T>>);

impl<T: Clone + Into<Reading>> Status<T> {
    pub fn new(value: T) -> Self {
        Status(Arc::new(Mutex::new(value)))
    }

    pub fn set(&self, value: T) {
        *lock(&self.0) = value;
    }

    pub fn get(&self) -> T {
        lock(&self.0).clone()
    }
}

impl<T: Clone + Into<Reading> + Send> Variable for Status<T> {
    fn read(&self) -> Reading {
        self.get().into()
    }
}

impl From<i64> for Reading {
    fn from(level: i64) -> Self {
        Reading::Level(level)
    }
}
impl From<f64> for Reading {
    fn from(number: f64) -> Self {
        Reading::Real(number)
    }
}
impl From<bool> for Reading {
    /// A bool reads as 1 or 0.
    fn from(is: bool) -> Self {
        Reading::Level(is.into())
    }
}
impl From<String> for Reading {
    fn from(text: String) -> Self {
        Reading::Text(text)
    }
}
impl From<&'static str> for Reading {
    fn from(text: &'static str) -> Self {
        Reading::Text(text.into())
    }
}
