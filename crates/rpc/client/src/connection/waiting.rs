//! A call that waits until it may be posted.

use crate::connection::home::sleep;
use polywire_call::Status;
use polywire_engine::clock;
use std::{
    future::{Future, pending},
    pin::Pin,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// How long a call waits before it looks again where no event announces a change.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Ready with `None` when a call may be posted again, or with a status when the time limit of the call is
/// over.
pub(crate) type Waiting = Pin<Box<dyn Future<Output = Option<Status>> + Send>>;

/// When a call that waits should look again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    Now,
    /// At this time, or earlier after a change.
    At(Instant),
    /// Only after a change.
    AfterChange,
}

/// Waits for a change, at most until `deadline`. `when` is called after `changes` were subscribed to, so that
/// each change is either seen by it or ends the wait. `late`: the status of a call whose deadline has passed.
pub(crate) fn wait(
    mut changes: watch::Receiver<()>,
    deadline: Option<Instant>,
    when: impl FnOnce() -> When + Send + 'static,
    late: impl FnOnce() -> Status + Send + 'static,
) -> Waiting {
    Box::pin(async move {
        let at = match when() {
            When::Now => return None,
            When::At(at) => Some(at),
            When::AfterChange => None,
        };
        let until = at.into_iter().chain(deadline).min();
        let over = async {
            match until {
                Some(until) => sleep(until.saturating_duration_since(clock::now())).await,
                None => pending().await,
            }
        };
        tokio::select! {
            _ = changes.changed() => return None,
            () = over => {}
        }
        let is_late = deadline.is_some_and(|deadline| deadline <= clock::now());
        is_late.then(late)
    })
}
