//! The second request of a call that takes long.
//!
//! ```text
//!  first request ──────────── delay ───────────────────────────► answer: counts, if it comes first
//!                               └─► may it? second request ───► answer: counts, if it comes first
//! ```
//!
//! The request that is no longer needed is cancelled like a dropped call: its server is notified if the
//! protocol has a message for that. A failure of one of the two has no effect while the other is under way.

use crate::{
    call::attempt::Attempt,
    connection::{backoff::Patience, home::sleep},
    core::Core,
    hedging::{Hedging, Timing},
    servers::{Search, thread_number},
};
use polywire_balance::Hedged;
use polywire_call::{Code, Origin};
use polywire_engine::clock;
use polywire_exchange::{Draft, Request};
use polywire_wire::Outcome;
use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};
use tokio::time::Sleep;

/// The second request of a call, which may yet be sent, is under way, or will not be sent.
pub(crate) struct Hedge {
    timing: Arc<Timing>,
    begun: Instant,
    state: State,
}

enum State {
    /// The second request is sent when the timer fires; the timer starts when the first request is under way.
    Armed {
        delay: Duration,
        timer: Option<Pin<Box<Sleep>>>,
        request: Request,
    },
    Sent(Attempt),
    /// None is sent, or no more.
    Off,
    /// The second request was the first to be answered.
    Won,
    /// The second request was sent and has failed.
    Lost,
}

impl Hedge {
    /// The hedge of a call that begins now.
    pub fn new(hedging: &Hedging, request: &Request) -> Box<Self> {
        let timing = hedging.timing(&request.service, &request.method);
        let begun = clock::now();
        let state = match timing.begin(hedging.timeline.at(begun), thread_number()) {
            Some(delay) => State::Armed { delay, timer: None, request: request.clone() },
            None => State::Off,
        };
        Box::new(Hedge { timing, begun, state })
    }

    /// The call ends by then.
    #[cold]
    pub fn ends_by(&mut self, deadline: Option<Instant>) {
        if let State::Armed { request, .. } = &mut self.state {
            request.deadline = deadline;
        }
    }

    /// Sends the second request when it is due. Ready when the second request was answered successfully; that
    /// answer is then the call's result.
    pub fn poll(
        &mut self,
        cx: &mut Context<'_>,
        core: &Core,
        first: &Attempt,
        search: &Search,
    ) -> Poll<Outcome> {
        if let State::Armed { delay, timer, .. } = &mut self.state {
            let timer = timer.get_or_insert_with(|| {
                let left = delay.saturating_sub(clock::now().saturating_duration_since(self.begun));
                Box::pin(sleep(left))
            });
            if timer.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            self.send(core, first, search);
        }
        let State::Sent(second) = &mut self.state else { return Poll::Pending };
        match second.poll(cx).map(std::mem::take) {
            Poll::Ready(outcome) if outcome.status.is_ok() => {
                self.state = State::Won;
                Poll::Ready(outcome)
            }
            Poll::Ready(_) => {
                self.state = State::Lost;
                Poll::Pending
            }
            Poll::Pending => Poll::Pending,
        }
    }

    #[cold]
    fn send(&mut self, core: &Core, first: &Attempt, search: &Search) {
        let State::Armed { request, .. } = std::mem::replace(&mut self.state, State::Off) else { return };
        let Some(hedging) = &core.hedging else { return };
        if !self.timing.may_hedge(hedging.timeline.now()) {
            return;
        }
        let mut elsewhere = search.clone();
        elsewhere.is_hedge = true;
        first.avoid_server(&mut elsewhere);
        if let Ok(posted) = core.servers.post(Draft::new(request), Patience::None, &mut elsewhere) {
            self.state = State::Sent(posted.into());
            core.further.hedged();
        }
    }

    /// The first request has failed: the second one, if it is under way, takes its place.
    pub fn take(&mut self) -> Option<Attempt> {
        match std::mem::replace(&mut self.state, State::Lost) {
            State::Sent(second) => Some(second),
            other => {
                self.state = other;
                None
            }
        }
    }

    /// The call has ended.
    pub fn ended(&self, core: &Core, outcome: &Outcome) {
        let hedged = match &self.state {
            State::Armed { .. } | State::Off => Hedged::No,
            State::Sent(_) | State::Lost => Hedged::Lost,
            State::Won => Hedged::Won,
        };
        let status = &outcome.status;
        let is_answered =
            status.is_ok() || status.origin() == Origin::Remote || status.code() == Code::DeadlineExceeded;
        if let (Some(hedging), true) = (&core.hedging, is_answered) {
            let now = clock::now();
            self.timing.ended(hedging.timeline.at(now), now.saturating_duration_since(self.begun), hedged);
        }
    }
}
