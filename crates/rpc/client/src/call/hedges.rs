//! A call whose method has a hedging policy in the service config: copies of it, one after the other, until
//! one is answered.
//!
//! ```text
//!  first ── delay ──► second ── delay ──► third ..         up to maxAttempts; no further ones while tokens are short
//!    │                  │                   │
//!    ├─ answered well ──┴───────────────────┴──► the answer of the call; the others are given up
//!    ├─ a status of nonFatalStatusCodes ───────► the next one is sent now, or when the server says
//!    └─ another status ────────────────────────► the call ends with it
//! ```
//!
//! Source: gRFC A6, "Hedging Policy".

use crate::{
    call::{attempt::Attempt, decision, retry::Retry},
    connection::{home::sleep, waiting::Waiting},
    core::Core,
    servers::{PostError, Search, Undelivered},
    service_config::{HedgeVerdict, HedgingPolicy},
};
use polywire_engine::clock;
use polywire_exchange::{Draft, Request};
use polywire_wire::Outcome;
use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::time::Sleep;

/// The copies of a call.
pub(crate) struct Hedges {
    policy: HedgingPolicy,
    request: Request,
    running: Vec<Attempt>,
    /// Copies that were sent.
    made: u32,
    next: Next,
    /// The outcome of the latest copy that failed.
    failed: Option<Outcome>,
}

/// When the next copy of the call is sent.
enum Next {
    Now,
    At(Pin<Box<Sleep>>),
    /// When a server may be available.
    Ready(Waiting),
    Never,
}

impl Hedges {
    /// Creates the call. Nothing is sent before it is polled.
    pub fn new(policy: HedgingPolicy, request: Request) -> Box<Self> {
        Box::new(Hedges { policy, request, running: Vec::new(), made: 0, next: Next::Now, failed: None })
    }

    /// Ready once, with the outcome of the call.
    pub fn poll(
        &mut self,
        cx: &mut Context<'_>,
        core: &Core,
        search: &mut Search,
        retry: &mut Retry,
    ) -> Poll<Outcome> {
        loop {
            if let Poll::Ready(due) = self.poll_next(cx) {
                match due {
                    Some(over) => return Poll::Ready(over),
                    None => {
                        self.send(core, search, retry);
                        continue; // the next time is to be waited for
                    }
                }
            }
            let (mut at, mut has_failed) = (0, false);
            while let Some(attempt) = self.running.get_mut(at) {
                let Poll::Ready(outcome) = attempt.poll(cx).map(std::mem::take) else {
                    at += 1;
                    continue;
                };
                let attempt = self.running.remove(at);
                if outcome.status.is_ok() {
                    return Poll::Ready(outcome);
                }
                attempt.avoid_server(search);
                has_failed = true;
                if retry.is_tried_at_once(&outcome.status) {
                    self.made -= 1;
                    self.next = Next::Now;
                } else {
                    self.after(retry, outcome);
                }
            }
            if self.running.is_empty() && matches!(self.next, Next::Never) {
                return Poll::Ready(self.failed.take().unwrap_or_default());
            }
            if !has_failed {
                return Poll::Pending;
            }
        }
    }

    /// Ready with `None` when a copy has to be sent; or with the outcome of a call that ends while it waits
    /// for a server.
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Outcome>> {
        let over = match &mut self.next {
            Next::Never => return Poll::Pending,
            Next::Now => None,
            Next::At(timer) => {
                ready!(timer.as_mut().poll(cx));
                None
            }
            Next::Ready(waiting) => ready!(waiting.as_mut().poll(cx)),
        };
        self.next = Next::Never;
        Poll::Ready(over.map(Outcome::from))
    }

    fn send(&mut self, core: &Core, search: &mut Search, retry: &mut Retry) {
        if self.made > 0 && !retry.may_hedge() {
            return; // tokens are short: none is sent any more
        }
        let mut request = self.request.clone();
        search.change_metadata(&mut request.metadata, |fields| retry.announce_number(self.made, fields));
        let mut elsewhere = search.clone();
        elsewhere.is_hedge = !self.running.is_empty();
        self.running.iter().for_each(|attempt| attempt.avoid_server(&mut elsewhere));
        match core.servers.post(Draft::new(request), retry.patience(), &mut elsewhere) {
            Ok(posted) => {
                if elsewhere.is_hedge {
                    core.further.hedged();
                }
                self.running.push(posted.into());
                self.made += 1;
                self.arm(self.policy.delay);
            }
            Err(Undelivered { why, .. }) if why.waits => {
                search.waits_as(&elsewhere);
                self.next = Next::Ready(core.servers.ready(self.request.deadline, search));
            }
            Err(Undelivered { why: PostError { decision: Some(mut decision), .. }, .. }) => {
                // The method has one of the two: copies, or attempts one after the other.
                decision.retry = None;
                *search = elsewhere;
                self.next = match decision::follow(*decision, core, &mut self.request, retry) {
                    Some(delay) => Next::At(Box::pin(sleep(delay))),
                    None => Next::Now,
                };
            }
            Err(Undelivered { why, .. }) if why.is_final => {
                self.stop();
                self.failed = Some(why.status.into());
            }
            Err(Undelivered { why, .. }) => {
                self.made += 1;
                self.arm(self.policy.delay);
                self.after(retry, why.status.into());
            }
        }
    }

    /// Schedules the next copy after this time, if there is one.
    fn arm(&mut self, delay: Duration) {
        let left = self.request.deadline.map(|at| at.saturating_duration_since(clock::now()));
        self.next = match delay {
            _ if self.made >= self.policy.attempts || left.is_some_and(|left| delay >= left) => Next::Never,
            Duration::ZERO => Next::Now,
            delay => Next::At(Box::pin(sleep(delay))),
        };
    }

    fn stop(&mut self) {
        self.policy.attempts = self.made;
        self.next = Next::Never;
    }

    /// A copy has failed.
    fn after(&mut self, retry: &mut Retry, outcome: Outcome) {
        match retry.hedge_failed(&outcome) {
            HedgeVerdict::Fatal => {
                self.running.clear();
                self.stop();
            }
            HedgeVerdict::NoMore => self.stop(),
            HedgeVerdict::Next(pause) => self.arm(pause),
        }
        self.failed = Some(outcome);
    }
}
