//! Calls that a service config has to do with: limits of their own, and attempts with pauses between them.
//!
//! Calls of other channels never come here.

use crate::{
    call::attempt::{self, Sent, Tries},
    call::deadline,
    call::reply::Answer,
    connection::home::sleep,
    core::Shared,
    service_config::{Attempts, Method, Verdict},
};
use polywire_call::{Reply, Status};
use polywire_engine::{Draft, clock};
use polywire_wire::Outcome;
use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    thread,
    time::{Duration, Instant},
};

/// A call with one message each way.
pub(crate) struct Managed {
    state: State,
    max_response: usize,
}

enum State {
    New(Option<Box<New>>),
    Running(Pin<Box<dyn Future<Output = Outcome> + Send + Sync>>),
}

struct New {
    shared: Arc<Shared>,
    draft: Draft,
    tries: Tries,
    attempts: Attempts,
}

impl Managed {
    pub fn new(shared: Arc<Shared>, draft: Draft, tries: Tries, attempts: Attempts) -> Self {
        let max_response = max_response(attempts.method(), &shared);
        Managed { state: State::New(Some(Box::new(New { shared, draft, tries, attempts }))), max_response }
    }

    /// Longest reply, bytes.
    pub fn max_response(&self) -> usize {
        self.max_response
    }

    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Outcome> {
        loop {
            match &mut self.state {
                State::New(new) => {
                    let new = new.take().expect("taken only here");
                    self.state = State::Running(Box::pin(new.run(self.max_response)));
                }
                State::Running(run) => return run.as_mut().poll(cx),
            }
        }
    }

    /// Makes the call on the calling thread.
    pub fn blocking<R: Answer>(self) -> Result<Reply<R>, Status> {
        let State::New(Some(new)) = self.state else { unreachable!("a call is awaited or blocks, not both") };
        let mut outcome = new.block(self.max_response);
        if !outcome.status.is_ok() {
            deadline::hint_of_blocking(&mut outcome.status);
        }
        R::read(outcome, self.max_response)
    }
}

impl New {
    async fn run(self: Box<Self>, max_response: usize) -> Outcome {
        let New { shared, mut draft, tries, mut attempts } = *self;
        let deadline = draft.deadline;
        loop {
            attempts.announce(&mut draft.metadata);
            let kept = (*draft).clone();
            let outcome = match Sent::post(shared.clone(), draft, tries) {
                Ok(mut sent) => poll_fn(|cx| sent.poll(cx)).await,
                Err(status) => status.into(),
            };
            match pause_after(&mut attempts, &outcome, deadline) {
                None => return checked(outcome, max_response),
                Some(pause) => sleep(pause).await,
            }
            draft = Draft::new(kept);
        }
    }

    fn block(self, max_response: usize) -> Outcome {
        let New { shared, mut draft, tries, mut attempts } = self;
        let deadline = draft.deadline;
        loop {
            attempts.announce(&mut draft.metadata);
            let kept = (*draft).clone();
            let outcome = attempt::block(&shared, draft, &mut tries.clone());
            match pause_after(&mut attempts, &outcome, deadline) {
                None => return checked(outcome, max_response),
                Some(pause) => thread::sleep(pause),
            }
            draft = Draft::new(kept);
        }
    }
}

/// The pause before another attempt; `None`: there is none. Whoever would only wait for its deadline fails at once.
pub(crate) fn pause_after(
    attempts: &mut Attempts,
    outcome: &Outcome,
    deadline: Option<Instant>,
) -> Option<Duration> {
    match attempts.ended(&outcome.status, outcome.trailers.as_deref()) {
        Verdict::Over => None,
        Verdict::Again(pause) => {
            let left = deadline.map(|at| at.saturating_duration_since(clock::now()));
            left.is_none_or(|left| pause < left).then_some(pause)
        }
    }
}

/// # Errors
/// RESOURCE_EXHAUSTED: the config allows no request of so many bytes.
pub(crate) fn check_request(method: &Method, bytes: usize) -> Result<(), Status> {
    match method.max_request {
        Some(most) if bytes > most as usize => Err(Status::resource_exhausted(format!(
            "request of {bytes} bytes, the service config allows {most}"
        ))),
        _ => Ok(()),
    }
}

/// The config's limit, and the channel's.
pub(crate) fn max_response(method: &Method, shared: &Shared) -> usize {
    method.max_response.unwrap_or(u32::MAX).min(shared.config.limits.max_message) as usize
}

fn checked(outcome: Outcome, most: usize) -> Outcome {
    let bytes = outcome.body.len();
    if !outcome.status.is_ok() || bytes <= most {
        return outcome;
    }
    Status::resource_exhausted(format!("reply of {bytes} bytes, the service config allows {most}")).into()
}
