//! A record of the actions of code under test, in order.

use std::{
    mem,
    sync::{Arc, Mutex},
};

/// Lines written from several places. Clones write to the same log.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    /// Takes all lines since the last call.
    pub fn take(&self) -> Vec<String> {
        mem::take(&mut *self.0.lock().unwrap())
    }

    /// Whether the last line is this one.
    pub fn ends_with(&self, line: &str) -> bool {
        self.0.lock().unwrap().last().is_some_and(|last| last == line)
    }
}
