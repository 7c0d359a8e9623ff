//! A call that is awaited: its attempts one after another, as a future.

use crate::{
    call::{
        attempt::Attempt,
        decision,
        hedge::Hedge,
        hedges::Hedges,
        moment::Moment,
        reply::{self, Answer, Raw},
        retry::{Retry, Step},
        unary::{Call, Ready},
    },
    connection::{home::sleep, waiting::Waiting},
    core::{CombinedCall, Combining, SharedCore},
    interceptor::Watch,
    servers::{Decision, PostError, Search, Undelivered},
    service_config::HedgingPolicy,
};
use polywire_call::{Reply, Status};
use polywire_exchange::Draft;
use polywire_formats::rest::Rule;
use polywire_wire::Outcome;
use std::{
    future::{Future, IntoFuture},
    mem::take,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::time::Sleep;

/// A call under way. Dropping it cancels the call, and notifies the peer if the protocol has a message for
/// that.
pub struct CallFuture<R> {
    state: State<R>,
}

// A box for the larger one would be an allocation for each call.
#[allow(clippy::large_enum_variant)]
enum State<R> {
    New(Option<Call<R>>),
    InFlight(InFlight),
    Over,
}

impl<R> Unpin for CallFuture<R> {}

impl<R: Answer> IntoFuture for Call<R> {
    type Output = Result<Reply<R>, Status>;
    type IntoFuture = CallFuture<R>;

    fn into_future(self) -> CallFuture<R> {
        CallFuture { state: State::New(Some(self)) }
    }
}

impl<R: Answer> Future for CallFuture<R> {
    type Output = Result<Reply<R>, Status>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let State::New(call) = &mut self.state {
            let call = call.take().expect("taken only here");
            // At its place before it is sent: what comes of that would be copied with it.
            let sent = call.complete(|ready| {
                let Ready { core, draft, retry, search, hedge, copies, watch, rule } = ready;
                let phase = Phase::Chosen(None);
                self.state = State::InFlight(InFlight { core, retry, search, hedge, phase, watch, rule });
                let State::InFlight(call) = &mut self.state else { unreachable!("it was just set") };
                call.send(draft, copies)
            });
            if let Err(status) = sent {
                self.state = State::Over;
                return Poll::Ready(Err(status));
            }
        }
        let State::InFlight(call) = &mut self.state else { panic!("a call was polled after it ended") };
        let outcome = ready!(call.poll(cx));
        let (most, watch, rule) = (call.retry.max_response(call.core.longest), call.watch.take(), call.rule);
        self.state = State::Over;
        Poll::Ready(reply::read(outcome, most, watch, rule))
    }
}

/// A unary call that has been sent, and is retried as long as that is allowed.
pub(crate) struct InFlight {
    core: SharedCore,
    retry: Retry,
    search: Search,
    /// The second request, where there may be one.
    hedge: Option<Box<Hedge>>,
    phase: Phase,
    /// The interceptors' state, if the channel has any.
    watch: Option<Box<Watch>>,
    /// The HTTP rule by which the reply is read, if the call was made by a rule.
    rule: Option<&'static Rule<'static>>,
}

enum Phase {
    /// The route of the call was chosen: its request is posted again. `None` until the call is sent at all.
    Chosen(Option<Draft>),
    Attempt(Attempt),
    /// Between two attempts. The request is taken when the pause is over.
    Pause(Pin<Box<Sleep>>, Option<Draft>),
    /// There is no server yet. The request is taken out when there may be one.
    Wait(Waiting, Option<Draft>),
    /// The channel is a combination: its channels make the call.
    Combined(Combining),
    /// The method has a hedging policy.
    Copies(Box<Hedges>),
}

impl InFlight {
    /// Sends a call for the first time.
    ///
    /// # Errors
    /// The call has ended with this status.
    #[inline]
    fn send(&mut self, draft: Draft, copies: Option<HedgingPolicy>) -> Result<(), Status> {
        if let Some(policy) = copies {
            self.phase = Phase::Copies(Hedges::new(policy, draft.into_request()));
            return Ok(());
        }
        let (patience, phase) = (self.retry.patience(), &mut self.phase);
        let posted = self.core.servers.post_call(draft, patience, &mut self.search, |caller, lease| {
            *phase = Phase::Attempt((caller, lease).into());
        });
        posted.or_else(|not_posted| self.after_unposted(not_posted))
    }

    /// Handles a first attempt that was not posted: a service config may allow a second one.
    #[cold]
    fn after_unposted(&mut self, failed: Undelivered<Draft>) -> Result<(), Status> {
        let Undelivered { request: draft, mut why } = failed;
        if let Some(decision) = why.decision.take() {
            self.follow_decision(*decision, draft);
        } else if let Some(combination) = &self.core.combination {
            let call = self.retry.combined(draft.into_request(), &self.search);
            self.phase = Phase::Combined(combination.clone().call(call));
            self.hedge = None;
        } else if why.waits {
            self.phase = Phase::Wait(self.core.servers.ready(draft.deadline, &self.search), Some(draft));
        } else {
            match self.retry.after_unposted(None, why, Moment::now()) {
                (_, Step::AgainAfter(pause)) => {
                    self.phase = Phase::Pause(Box::pin(sleep(pause)), Some(draft));
                }
                (outcome, Step::End | Step::Again) => {
                    let status = outcome.into_status();
                    if let Some(mut watch) = self.watch.take() {
                        watch.end(&status, 0);
                    }
                    return Err(status);
                }
            }
        }
        Ok(())
    }

    /// Sends a call on a combination; its reply is read later.
    pub fn of_combination(
        core: SharedCore,
        call: CombinedCall,
        timeout: Option<Duration>,
    ) -> Result<InFlight, Status> {
        let ready = Call::<Raw>::of_combination(core, call, timeout).complete(Ok)?;
        let Ready { core, draft, retry, search, hedge, copies, watch, rule } = ready;
        let mut call = InFlight { core, retry, search, hedge, phase: Phase::Chosen(None), watch, rule };
        call.send(draft, copies)?;
        Ok(call)
    }

    /// A call that was posted and is not retried.
    pub fn once(core: SharedCore, attempt: Attempt, retry: Retry) -> InFlight {
        let phase = Phase::Attempt(attempt);
        let search = Search::default();
        InFlight { core, retry: retry.never(), search, hedge: None, phase, watch: None, rule: None }
    }

    /// Ready once, with the outcome of the call.
    #[inline]
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        loop {
            let over = match &mut self.phase {
                Phase::Attempt(attempt) => {
                    let mut second;
                    let outcome = match attempt.poll(cx) {
                        Poll::Ready(outcome) => outcome,
                        Poll::Pending => {
                            let Some(hedge) = &mut self.hedge else { return Poll::Pending };
                            second = ready!(hedge.poll(cx, &self.core, attempt, &self.search));
                            &mut second
                        }
                    };
                    if outcome.status.is_ok() {
                        self.retry.succeeded(outcome);
                        if let Some(hedge) = &self.hedge {
                            hedge.ended(&self.core, outcome);
                        }
                        return Poll::Ready(take(outcome));
                    }
                    let outcome = take(outcome);
                    self.after_failure(outcome)
                }
                Phase::Chosen(draft) => {
                    let draft = draft.take().expect("another phase follows");
                    self.post(draft, None)
                }
                Phase::Pause(pause, draft) => {
                    ready!(pause.as_mut().poll(cx));
                    let draft = draft.take().expect("another phase follows");
                    self.post(draft, None)
                }
                Phase::Wait(wait, draft) => match ready!(wait.as_mut().poll(cx)) {
                    Some(over) => Some(self.end(over.into())),
                    None => {
                        let draft = draft.take().expect("another phase follows");
                        self.post(draft, None)
                    }
                },
                Phase::Copies(copies) => {
                    let mut outcome = ready!(copies.poll(cx, &self.core, &mut self.search, &mut self.retry));
                    Some(if outcome.status.is_ok() {
                        self.retry.succeeded(&mut outcome);
                        outcome
                    } else {
                        self.end(outcome)
                    })
                }
                Phase::Combined(calls) => {
                    let outcome = ready!(calls.as_mut().poll(cx));
                    Some(if outcome.status.is_ok() { outcome } else { self.end(outcome) })
                }
            };
            if let Some(outcome) = over {
                return Poll::Ready(outcome);
            }
        }
    }

    /// Handles a failed attempt. Returns the outcome of the call if it ends; otherwise another attempt or a
    /// pause has begun.
    #[cold]
    fn after_failure(&mut self, outcome: Outcome) -> Option<Outcome> {
        if let Some(second) = self.hedge.as_mut().and_then(|hedge| hedge.take()) {
            self.leave_server();
            self.phase = Phase::Attempt(second);
            return None;
        }
        let step = self.retry.after(&outcome, Moment::now());
        let step = step.if_allowed(|| self.core.may_retry(&outcome.status));
        if step != Step::End {
            self.leave_server();
        }
        let draft = match &mut self.phase {
            Phase::Attempt(attempt) if step != Step::End => attempt.reclaim(),
            Phase::Attempt(_)
            | Phase::Chosen(_)
            | Phase::Pause(..)
            | Phase::Wait(..)
            | Phase::Combined(_)
            | Phase::Copies(_) => None,
        };
        match draft {
            Some(draft) => self.follow(step, outcome, draft),
            None => Some(self.end(outcome)),
        }
    }

    /// Takes the step that follows a failure.
    fn follow(&mut self, step: Step, outcome: Outcome, draft: Draft) -> Option<Outcome> {
        match step {
            Step::End => Some(self.end(outcome)),
            Step::Again => self.post(draft, Some(outcome)),
            Step::AgainAfter(pause) => {
                self.phase = Phase::Pause(Box::pin(sleep(pause)), Some(draft));
                None
            }
        }
    }

    /// Begins another attempt. `before`: the failure that it follows at once.
    #[cold]
    fn post(&mut self, mut draft: Draft, before: Option<Outcome>) -> Option<Outcome> {
        let retry = &self.retry;
        self.search.change_metadata(&mut draft.metadata, |fields| retry.announce(fields));
        match self.core.servers.post(draft, self.retry.patience(), &mut self.search) {
            Ok(posted) => {
                self.phase = Phase::Attempt(posted.into());
                None
            }
            Err(Undelivered { request: draft, why }) if why.waits => {
                let ready = self.core.servers.ready(draft.deadline, &self.search);
                self.phase = Phase::Wait(ready, Some(draft));
                None
            }
            Err(Undelivered { request: draft, why: PostError { decision: Some(decision), .. } }) => {
                self.follow_decision(*decision, draft);
                None
            }
            Err(Undelivered { request: draft, why }) => {
                let (outcome, step) = self.retry.after_unposted(before, why, Moment::now());
                self.follow(step, outcome, draft)
            }
        }
    }

    /// Follows the chosen route: the request is posted again, at once or after a delay.
    #[cold]
    fn follow_decision(&mut self, decision: Decision, mut draft: Draft) {
        let delay = decision::follow(decision, &self.core, &mut draft, &mut self.retry);
        if let Some(hedge) = &mut self.hedge {
            hedge.ends_by(draft.deadline);
        }
        self.phase = match delay {
            Some(delay) => Phase::Pause(Box::pin(sleep(delay)), Some(draft)),
            None => Phase::Chosen(Some(draft)),
        };
    }

    /// Makes the next attempt go to another server, if possible.
    fn leave_server(&mut self) {
        if let Phase::Attempt(attempt) = &self.phase {
            attempt.avoid_server(&mut self.search);
        }
    }

    /// Like [`InFlight::poll`], for a call whose reply is not decoded yet: notifies the channel's
    /// interceptors of the call's end.
    pub fn poll_watched(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        let outcome = ready!(self.poll(cx));
        if let Some(mut watch) = self.watch.take() {
            watch.end(&outcome.status, outcome.body.len());
        }
        Poll::Ready(outcome)
    }

    fn end(&self, mut outcome: Outcome) -> Outcome {
        self.retry.explain(&mut outcome);
        if let Some(hedge) = &self.hedge {
            hedge.ended(&self.core, &outcome);
        }
        outcome
    }
}
