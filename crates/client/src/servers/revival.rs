//! Tries to connect to servers that could not be reached, so that no call has to find out that they are back.
//!
//! The pause between two attempts doubles from [`FIRST_PAUSE`] to [`LONGEST_PAUSE`], give or take a fifth, so that clients which lost
//! a server together do not come back together.

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
        loop {
            let spread = query::random(|random| 0.8 + 0.4 * random.f64());
            tokio::time::sleep(pause.mul_f64(spread)).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
            let Some(spec) =
                self.endpoint.upgrade().map(|endpoint| Server::of(&endpoint).pool.spec().clone())
            else {
                return;
            };
            if !self.is_wanted() {
                return;
            }
            match spec.connector.connect(&spec.address, spec.connect_timeout).await {
                Ok(mut transport) => {
                    transport.shutdown();
                    return spec.succeeded();
                }
                Err(error) => drop(spec.failed(&error)),
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
            current.changed();
        }
    }
}
