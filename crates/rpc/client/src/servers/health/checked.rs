//! The check results of a server.

use crate::servers::health::{
    asking::{Asked, Finding},
    standing::{Change, Standing},
};
use polywire_base::lock;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;

/// The check results of a server.
#[derive(Default)]
pub(in crate::servers) struct Checked {
    known: Mutex<Known>,
    /// Notified when the server is connected again.
    back: Arc<Notify>,
}

#[derive(Default)]
struct Known {
    standing: Standing,
    checks: u64,
    failed: u64,
    /// The result of the last check, as text.
    last: Option<String>,
}

impl Checked {
    pub(super) fn back(&self) -> &Arc<Notify> {
        &self.back
    }

    /// Forgets the results: the server's connection is lost.
    pub fn lost(&self) {
        lock(&self.known).standing = Standing::Unknown;
    }

    /// Starts a check at once: the server is connected again.
    pub fn is_back(&self) {
        self.back.notify_one();
    }

    /// Counts a check; returns the resulting change, if the check decides.
    pub(super) fn found(&self, finding: &Finding, asked: &Asked, decides: bool) -> Option<Change> {
        let mut known = lock(&self.known);
        known.checks += 1;
        known.failed += u64::from(!finding.is_good());
        known.last = Some(finding.why().to_owned());
        match finding {
            _ if !decides => None,
            // What a server reports by itself it reports once.
            Finding::Good if asked.watches() => known.standing.good(1),
            Finding::Good => known.standing.good(asked.check.healthy),
            Finding::Bad { at_once, .. } => known.standing.failed(asked.check.unhealthy, *at_once),
        }
    }

    /// The number of checks, of failed ones, and the result of the last one.
    pub fn why(&self) -> (u64, u64, Option<String>) {
        let known = lock(&self.known);
        (known.checks, known.failed, known.last.clone())
    }
}
