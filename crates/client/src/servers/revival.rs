//! Tries to connect to servers that could not be reached, so that no call has to find out that they are back.
//!
//! The pause between two attempts doubles from [`FIRST_PAUSE`] to [`LONGEST_PAUSE`], give or take a fifth, so that clients which lost
//! a server together do not come back together. While calls find no server at all it is shorter, see `outage.rs`.

use crate::{
    connection::home::{Home, HomeId},
    servers::{current::Current, query, server::Server},
};
use polywire_balance::{Endpoint, Reason};
use std::{
    sync::{Arc, Weak, atomic::Ordering::Release},
    time::Duration,
};

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// Tries to connect to `endpoint` until that succeeds, or nobody needs it any more.
#[cold]
pub(super) fn start(current: &Arc<Current>, endpoint: Arc<Endpoint>) {
    let revival = Revival { current: Arc::downgrade(current), endpoint: Arc::downgrade(&endpoint) };
    Home::of(HomeId::current()).spawn(revival.run());
}

struct Revival {
    current: Weak<Current>,
    endpoint: Weak<Endpoint>,
}

impl Revival {
    async fn run(self) {
        let mut pause = FIRST_PAUSE;
        let spec = |endpoint: Arc<Endpoint>| Server::of(&endpoint).pool.spec().clone();
        let mut failed_at = self.endpoint.upgrade().and_then(|endpoint| spec(endpoint).backoff.failed_at());
        loop {
            let spread = query::random(|random| 0.8 + 0.4 * random.f64());
            self.pause(pause, spread).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
            let Some(spec) = self.endpoint.upgrade().map(spec) else { return };
            if !self.is_wanted() {
                return;
            }
            let last = spec.backoff.failed_at();
            if last > failed_at {
                failed_at = last;
                continue; // another channel that shares the connections has just tried
            }
            match spec.connect().await {
                Ok(mut transport) => {
                    transport.shutdown();
                    return spec.succeeded();
                }
                Err(error) => drop(spec.failed(&error)),
            }
            failed_at = spec.backoff.failed_at();
        }
    }

    /// Waits for so long, or less if calls find no server meanwhile; each time `spread` as long.
    async fn pause(&self, longest: Duration, spread: f64) {
        let Some(begun) = self.current.upgrade().map(|current| current.now()) else { return };
        loop {
            let (wanted, gone, hurried) = match self.current.upgrade() {
                None => return,
                Some(current) => {
                    // Made first, so that no call is missed.
                    let wanted = current.outage.wanted();
                    (wanted, current.now().since(begun), current.hurried_pause(begun))
                }
            };
            let left = |pause: Duration| pause.mul_f64(spread).saturating_sub(gone);
            if let Some(hurried) = hurried {
                return tokio::time::sleep(left(hurried.min(longest))).await;
            }
            tokio::select! {
                () = tokio::time::sleep(left(longest)) => return,
                () = wanted => {}
            }
        }
    }

    /// Whether the server is still a member, and still out of reach.
    fn is_wanted(&self) -> bool {
        let out = |endpoint: Arc<Endpoint>| endpoint.state().holds(Reason::Unconnected);
        self.current.strong_count() > 0 && self.endpoint.upgrade().is_some_and(out)
    }
}

impl Drop for Revival {
    /// The server can be chosen again: either a connection was made, or the runtime of this task has ended and the next call is
    /// to find out.
    fn drop(&mut self) {
        let (Some(current), Some(endpoint)) = (self.current.upgrade(), self.endpoint.upgrade()) else {
            return;
        };
        Server::of(&endpoint).reviving.store(false, Release);
        if endpoint.state().holds(Reason::Unconnected) {
            endpoint.state().release(Reason::Unconnected, current.now());
            current.has_improved(&endpoint);
            Server::of(&endpoint).checked.is_back();
        }
    }
}
