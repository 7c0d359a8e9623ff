//! Where a catch-all has sent a call, for those who write calls down.

use polywire_base::lock;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// Where a [`CatchAll`](crate::CatchAll) that passes calls on has sent one, see
/// [`Context::trail`](crate::Context::trail).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PassedOn {
    /// The rule that has taken the call. Empty: none has.
    pub route: Arc<str>,
    /// The servers to which it is for. Empty: they have no name.
    pub cluster: Arc<str>,
    /// The protocol that they speak.
    pub to: &'static str,
    /// The server that was tried last.
    pub server: Option<Arc<str>>,
    /// How many servers were tried.
    pub attempts: u32,
    /// How long the call was with them.
    pub upstream: Option<Duration>,
    /// Why it was not passed on, or had no answer. Empty: it had one.
    pub reason: &'static str,
    /// What has become of its copy. Empty: there is none.
    pub shadow: &'static str,
}

/// Where it is said where one call went, see [`Context::trail`](crate::Context::trail).
#[derive(Clone, Default)]
pub struct Trail(Arc<Mutex<Option<Box<PassedOn>>>>);

impl Trail {
    /// Says it. What is said last holds.
    pub fn set(&self, passed_on: PassedOn) {
        *lock(&self.0) = Some(Box::new(passed_on));
    }

    pub(crate) fn get(&self) -> Option<Box<PassedOn>> {
        lock(&self.0).clone()
    }
}
