//! One call that a relay passes on, from its arrival until its end, however it ends: what is counted of it,
//! and what the access log has of it.

use crate::{
    changes::FieldChanges,
    cluster::Cluster,
    failure::{self, Reason},
    fault::{Faults, Injected},
    figures::{End, Side, Way},
    limit::UnderWay,
    routes::Route,
    shadow::Copying,
    tries::Tries,
};
use polywire_call::{Code, Status, brpc};
use polywire_client::Tally;
use polywire_engine::{clock, inline};
use polywire_server::{Context, PassedOn, Trail, facts::is_ours};
use polywire_wire::Outcome;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Ends when it is told so, or when it is dropped: then its caller has given it up, or its deadline has
/// passed.
///
/// Without figures, an access log and a limit of calls under way it reads no clock.
pub(crate) struct Passing {
    counts: Option<Counts>,
    trail: Option<Trailing>,
    /// If it is copied.
    pub copying: Option<Box<Copying>>,
    /// The fault that comes before it is sent.
    pub injected: Option<Box<Injected>>,
    /// What its route says of its time and its tries.
    pub tries: Option<Arc<Tries>>,
    /// What its route changes of its fields.
    pub changes: Option<Arc<FieldChanges>>,
    /// Its places among those of its route and of its cluster, if their number is limited.
    pub under_way: UnderWay,
    received: Instant,
    /// When it went to a server, and when that had answered.
    sent: Option<Instant>,
    answered: Option<Instant>,
}

struct Counts {
    way: Way,
    /// See [`Way::ended`].
    lane: usize,
    from: &'static str,
}

struct Trailing {
    trail: Trail,
    tally: Arc<Tally>,
    passed_on: PassedOn,
}

impl Passing {
    /// A call begins that is for this cluster. `lane`: a number of the shard.
    pub fn begin(cx: &Context, (route, cluster): (&Route, &Cluster), lane: usize) -> Passing {
        let way = cluster.way();
        let counts = way.map(|way| Counts { way: way.clone(), lane, from: cx.protocol() });
        let trail = cx.trail().map(|trail| {
            let mut passed_on = PassedOn::default();
            if let Some(way) = way {
                (passed_on.route, passed_on.cluster) = (way.route().clone(), way.cluster().clone());
            }
            passed_on.to = cluster.channel.protocol();
            Trailing { trail, tally: Arc::default(), passed_on }
        });
        let changes = route.changes.clone();
        let copying = route.shadow.as_ref().and_then(|shadow| shadow.begin(cx, cluster, &changes));
        let (tries, received) = (route.tries.clone(), cx.received());
        let (injected, under_way, sent, answered) = (None, UnderWay::default(), None, None);
        Passing { counts, trail, copying, injected, tries, changes, under_way, received, sent, answered }
    }

    /// Its route injects faults: perhaps one into this call.
    #[cold]
    pub fn inject(&mut self, faults: &Faults, cx: &Context) {
        self.injected = faults.of(cx);
        if let (Some(injected), Some(counts)) = (&self.injected, &self.counts) {
            counts.way.injected(injected.kinds());
        }
    }

    fn is_on(&self) -> bool {
        self.counts.is_some() || self.trail.is_some() || self.under_way.is_counted()
    }

    /// Whether a call of this method may be executed twice: its route says so, or its schema.
    pub fn may_run_twice(&self, called: (&str, &str), cluster: &Cluster) -> bool {
        self.tries.as_ref().is_some_and(|tries| tries.may_run_twice(called)) || cluster.may_run_twice(called)
    }

    /// The call is sent next. Returns where its tries are to be noted.
    pub fn sends(&mut self) -> Option<&Arc<Tally>> {
        if self.is_on() {
            self.sent = Some(clock::now());
        }
        self.trail.as_ref().map(|trail| &trail.tally)
    }

    /// Its server has answered, or will not.
    pub fn answered(&mut self) {
        if self.is_on() {
            self.answered = Some(clock::now());
        }
    }

    /// It fails since its attachment has no place on the other side.
    #[cold]
    pub fn lost_attachment(&self) {
        if let Some(counts) = &self.counts {
            counts.way.lost_attachment();
        }
    }

    /// The call has ended.
    pub fn end(mut self, outcome: &Outcome) {
        self.ended(&outcome.status, failure::reason(outcome));
    }

    /// The call is not for the relay to pass on, for a reason that its failure does not have.
    #[cold]
    pub fn refused(mut self, status: &Status, reason: Reason) {
        self.ended(status, Some(reason));
    }

    fn ended(&mut self, status: &Status, marked: Option<Reason>) {
        if !self.is_on() {
            return;
        }
        let now = clock::now();
        let took = now.saturating_duration_since(self.received);
        let upstream = self.sent.map(|sent| self.answered.unwrap_or(now).saturating_duration_since(sent));
        let (mut side, mut refused, mut reason) = (None, None, None);
        if !status.is_ok() {
            reason = marked;
            side = Some(side_of(status, reason, upstream));
            refused = reason.filter(|reason| is_refusal(*reason, upstream));
        }
        let under_way = std::mem::take(&mut self.under_way);
        // Nobody knows how it would have gone if its caller has gone.
        if self.sent.is_some() && status.code() != Code::Cancelled {
            under_way.end(now, took, status.is_ok());
        }
        if let Some(Counts { way, lane, from }) = self.counts.take() {
            way.ended(lane, &End { from, code: status.code(), side, refused, took, upstream });
        }
        if let Some(Trailing { trail, tally, mut passed_on }) = self.trail.take() {
            (passed_on.attempts, passed_on.server) = tally.read();
            passed_on.upstream = upstream;
            passed_on.reason = reason.map_or("", Reason::name);
            passed_on.shadow = self.copying.as_ref().map_or("", |copying| copying.fate().name());
            trail.set(passed_on);
        }
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        if self.is_on() {
            let status = match inline::dropped_for() {
                _ if std::thread::panicking() => Status::internal(""),
                Some(Code::DeadlineExceeded) => brpc::status(brpc::ERPCTIMEDOUT, ""),
                _ => Status::cancelled(""),
            };
            self.ended(&status, None);
        }
    }
}

/// A call that no route is for, and why it is refused.
#[cold]
pub(crate) fn has_no_route(cx: &Context, reason: Reason) {
    if let Some(trail) = cx.trail() {
        let mut passed_on = PassedOn::default();
        passed_on.reason = reason.name();
        trail.set(passed_on);
    }
}

/// Whose doing a failure is. `upstream`: how long the call was with a server, if it was.
fn side_of(status: &Status, reason: Option<Reason>, upstream: Option<Duration>) -> Side {
    let code = status.code();
    match reason {
        Some(Reason::NoServer | Reason::Unconnected | Reason::Reset | Reason::Deadline) => Side::Upstream,
        // A reply is not what its schema or the limit says.
        Some(Reason::Translate | Reason::TooLarge) if upstream.is_some() && code != Code::Unimplemented => {
            Side::Upstream
        }
        Some(Reason::Translate | Reason::TooLarge) if code != Code::Unimplemented => Side::Client,
        Some(_) => Side::Gateway,
        // The time of a caller that waits no more.
        None if code == Code::Cancelled => Side::Client,
        None if is_ours(code) && upstream.is_some() => Side::Upstream,
        None if is_ours(code) => Side::Gateway,
        None => Side::Client,
    }
}

/// Whether no server has executed anything of a call that failed so.
fn is_refusal(reason: Reason, upstream: Option<Duration>) -> bool {
    match reason {
        Reason::NoRoute
        | Reason::NoServer
        | Reason::Unconnected
        | Reason::Limit
        | Reason::Loop
        | Reason::Fault
        | Reason::Policy => true,
        Reason::Translate | Reason::TooLarge => upstream.is_none(),
        Reason::Reset | Reason::Deadline => false,
    }
}
