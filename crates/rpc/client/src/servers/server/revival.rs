//! Connects to servers in the background, so that no call has to find out whether they can be reached: to
//! servers that join, to those that have lost their connection, and to those that could not be reached.
//!
//! ```text
//!  joins, or lost its connection ─► Connecting ─► it is reached ──────────────► ready
//!                                       └─ it fails ─► Unconnected ─ a pause ─► tried again ─► ready
//! ```
//!
//! A server that joins is tried at once. The pause between two further attempts doubles from [`FIRST_PAUSE`]
//! to [`LONGEST_PAUSE`], give or take a fifth, so that clients which lost a server together do not come back
//! together. While calls find no server at all it is shorter, see `outage.rs`; where there are very many
//! servers it is longer. How many are tried at a time is in `dials.rs`.
//!
//! A peer that sends its limits before it takes calls (HTTP/2) counts as reached once it has sent them: a
//! server that only accepts connections gets no calls while others are ready.

use crate::{
    connection::{
        home::{Home, HomeId},
        spec::ConnectSpec,
    },
    servers::{
        pick::query,
        server::{Server, dials::Caller},
        watch::current::Current,
    },
};
use polywire_balance::{Endpoint, Reason};
use std::{
    sync::{
        Arc, Weak,
        atomic::Ordering::{AcqRel, Acquire, Release},
    },
    time::Duration,
};
use tokio::sync::futures::OwnedNotified;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// The maximum pause per server of the channel, where their sum is more than the fixed maximum.
const PAUSE_PER_SERVER: Duration = Duration::from_millis(2);
/// The time that an attempt may take in addition to its limits.
const SLACK: Duration = Duration::from_millis(50);
/// While a server has accepted a connection and sent nothing yet, the task checks this often whether the
/// channel still needs the server.
const LOOK: Duration = Duration::from_secs(1);

/// Tries to connect to `endpoint`, which could not be reached, until an attempt succeeds or the connection is
/// no longer wanted.
#[cold]
pub(in crate::servers) fn start(current: &Arc<Current>, endpoint: &Arc<Endpoint>) {
    if !Server::of(endpoint).reviving.swap(true, AcqRel) {
        let id = HomeId::current();
        let is_bare = current.dials.caller().is_none_or(|caller| caller.is_bare);
        spawn(current, endpoint, &Caller { id, home: Home::of(id), is_bare }, None);
    }
}

/// Like [`start`], but at once, for a server that has lost its connection.
#[cold]
pub(in crate::servers) fn start_at_once(current: &Arc<Current>, endpoint: &Arc<Endpoint>) {
    let id = HomeId::current();
    let is_bare = current.dials.caller().is_none_or(|caller| caller.is_bare);
    join(current, endpoint, &Caller { id, home: Home::of(id), is_bare });
}

/// Connects to a server that has joined.
pub(in crate::servers) fn join(current: &Arc<Current>, endpoint: &Arc<Endpoint>, caller: &Caller) {
    let reviving = &Server::of(endpoint).reviving;
    if reviving.load(Acquire) {
        return;
    }
    // Counted first: a call that finds the server taken finds the attempt, too, and waits for it.
    let joining = Joining::new(current);
    if !reviving.swap(true, AcqRel) {
        spawn(current, endpoint, caller, Some(joining));
    }
}

fn spawn(current: &Arc<Current>, endpoint: &Arc<Endpoint>, caller: &Caller, joining: Option<Joining>) {
    let revival = Revival {
        current: Arc::downgrade(current),
        endpoint: Arc::downgrade(endpoint),
        home: caller.id,
        is_bare: caller.is_bare,
        joining,
    };
    caller.home.spawn(revival.run());
}

/// A server that has joined and whose first attempt is not over.
struct Joining(Weak<Current>);

impl Joining {
    fn new(current: &Arc<Current>) -> Self {
        current.dials.begin();
        Joining(Arc::downgrade(current))
    }
}

impl Drop for Joining {
    fn drop(&mut self) {
        if let Some(current) = self.0.upgrade()
            && current.dials.end()
        {
            current.look_again();
        }
    }
}

struct Revival {
    current: Weak<Current>,
    endpoint: Weak<Endpoint>,
    /// The home of the callers that the connection is for.
    home: HomeId,
    is_bare: bool,
    joining: Option<Joining>,
}

/// The result of an attempt to connect.
#[derive(PartialEq)]
enum Dialled {
    Reached,
    Failed,
    /// The server is connected and has not sent its limits yet.
    Silent,
}

impl Revival {
    async fn run(mut self) {
        let mut pause = FIRST_PAUSE;
        let spec = |endpoint: Arc<Endpoint>| Server::of(&endpoint).pool.spec().clone();
        let mut failed_at = self.endpoint.upgrade().and_then(|endpoint| spec(endpoint).backoff.failed_at());
        loop {
            if self.joining.is_none() {
                let spread = query::random(|random| 0.8 + 0.4 * random.f64());
                self.pause(pause, spread).await;
                pause = (pause * 2).min(self.longest_pause());
            }
            let Some(spec) = self.endpoint.upgrade().map(spec) else { return };
            if !self.is_wanted() {
                return;
            }
            let last = spec.backoff.failed_at();
            if last > failed_at && self.joining.is_none() {
                failed_at = last;
                continue; // another channel that shares the connections has just tried
            }
            let mut dialled = self.dial(&spec).await;
            if dialled == Some(Dialled::Silent) {
                dialled = self.hear().await;
            }
            match dialled {
                Some(Dialled::Reached) | None => return,
                Some(Dialled::Failed | Dialled::Silent) => self.joining = None,
            }
            failed_at = spec.backoff.failed_at();
        }
    }

    /// Tries to connect once. `None`: the connection is no longer wanted.
    async fn dial(&self, spec: &Arc<ConnectSpec>) -> Option<Dialled> {
        let place = self.current.upgrade()?.dials.place(self.joining.is_some());
        let _place = place.acquire_owned().await.ok()?;
        let shares = Server::of(&*self.endpoint.upgrade()?).pool.shares();
        if self.is_bare || !shares || spec.lacks_token() {
            return Some(match spec.connect().await {
                Ok(mut transport) => {
                    transport.shutdown();
                    spec.succeeded();
                    spec.reached();
                    Dialled::Reached
                }
                Err(error) => {
                    drop(spec.failed(&error));
                    Dialled::Failed
                }
            });
        }
        let turned = self.turned()?;
        let is_reached = Server::of(&*self.endpoint.upgrade()?).pool.dial(self.home);
        if is_reached {
            spec.reached();
            return Some(Dialled::Reached);
        }
        // Twice, since the limit holds for the byte stream and for its encryption.
        let limit = (2 * spec.connect_timeout).saturating_add(SLACK);
        match tokio::time::timeout(limit, turned).await {
            Ok(()) => self.outcome(),
            Err(_) => Some(Dialled::Silent),
        }
    }

    /// Waits for the first message of a server that has accepted a connection.
    async fn hear(&self) -> Option<Dialled> {
        loop {
            let turned = self.turned()?;
            if self.outcome()? == Dialled::Reached || tokio::time::timeout(LOOK, turned).await.is_ok() {
                return self.outcome();
            }
        }
    }

    /// Ready when the server is reached or an attempt fails, from now on.
    fn turned(&self) -> Option<OwnedNotified> {
        Some(Server::of(&*self.endpoint.upgrade()?).turned.clone().notified_owned())
    }

    fn outcome(&self) -> Option<Dialled> {
        let endpoint = self.endpoint.upgrade()?;
        Some(if is_out(&endpoint) { Dialled::Failed } else { Dialled::Reached })
    }

    fn longest_pause(&self) -> Duration {
        let servers =
            self.current.upgrade().map_or(0, |current| current.newest.load().picker.members().len());
        LONGEST_PAUSE.max(PAUSE_PER_SERVER * u32::try_from(servers).unwrap_or(u32::MAX))
    }

    /// Waits for `longest` times `spread`, or less if calls find no server meanwhile.
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
        self.current.strong_count() > 0 && self.endpoint.upgrade().is_some_and(|endpoint| is_out(&endpoint))
    }
}

/// Whether the server is known to have no connection.
fn is_out(endpoint: &Endpoint) -> bool {
    endpoint.state().holds(Reason::Unconnected) || endpoint.state().holds(Reason::Connecting)
}

impl Drop for Revival {
    /// Makes the server available again: either a connection was made, or the runtime of this task has ended
    /// and the next call has to find out.
    fn drop(&mut self) {
        let (Some(current), Some(endpoint)) = (self.current.upgrade(), self.endpoint.upgrade()) else {
            return;
        };
        Server::of(&endpoint).reviving.store(false, Release);
        Server::is_back(&endpoint, &current);
    }
}
