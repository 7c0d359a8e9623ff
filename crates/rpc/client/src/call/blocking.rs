//! A call on a plain thread: its attempts one after another, while the thread waits.

use crate::{
    call::{
        deadline, decision,
        moment::Moment,
        reply::{self, Answer},
        retry::{Retry, Step},
        unary::{Call, Ready},
    },
    connection::{blocking::park_until, home::Home},
    core::SharedCore,
    pool::{Attempted, Blocking, DraftAs, EndedCall},
    servers::{PostError, Search, Undelivered},
};
use polywire_call::{Reply, Status};
use polywire_exchange::Draft;
use polywire_wire::Outcome;
use std::{future::Future, pin::Pin, thread};
use tokio::sync::oneshot;

impl<R: Answer> Call<R> {
    /// Sends and waits on the calling thread, without a runtime. Callers on several threads share a
    /// connection.
    ///
    /// # Errors
    /// The errors of awaiting the call; also FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn blocking(self) -> Result<Reply<R>, Status> {
        if polywire_engine::current_shard_id().is_some() {
            return Err(Status::failed_precondition(
                "blocking() on a shard's thread would stop every connection there: await the call, \
                 or declare the method `blocking`",
            ));
        }
        if self.may_hedge() || self.is_combined() {
            return on_default_engine(self);
        }
        let Ready { core, draft, mut retry, mut search, watch, rule, .. } = self.complete(Ok)?;
        let mut outcome = run(&core, draft, &mut retry, &mut search);
        if !outcome.status.is_ok() {
            retry.explain(&mut outcome);
            deadline::hint_of_blocking(&mut outcome.status);
        }
        reply::read(outcome, retry.max_response(core.longest), watch, rule)
    }
}

/// Runs a call on a shard of the default engine while the calling thread waits, because the call may have
/// several concurrent requests.
fn on_default_engine<R: Answer>(call: Call<R>) -> Result<Reply<R>, Status> {
    let (done, mut answer) = oneshot::channel();
    Home::default().spawn(async move { drop(done.send(call.await)) });
    let answer = park_until(|cx| Pin::new(&mut answer).poll(cx));
    answer.unwrap_or_else(|_| Err(Status::internal("the default engine has ended")))
}

/// Makes the attempts of a call. Returns the outcome of the last one.
fn run(core: &SharedCore, mut draft: Draft, retry: &mut Retry, search: &mut Search) -> Outcome {
    let mut before = None; // the failure that the next attempt follows at once
    loop {
        let request = DraftAs { draft, form: Blocking };
        let (outcome, step, call) = match core.servers.post(request, retry.patience(), search) {
            Ok((Attempted { mut outcome, call }, mut lease)) => {
                lease.ended(&outcome);
                if outcome.status.is_ok() {
                    retry.succeeded(&mut outcome);
                    return outcome;
                }
                lease.avoid(search);
                let step = retry.after(&outcome, Moment::now());
                let step = step.if_allowed(|| core.may_retry(&outcome.status));
                (outcome, step, call)
            }
            Err(Undelivered { request: back, why: PostError { decision: Some(decision), .. } }) => {
                draft = back.draft;
                if let Some(delay) = decision::follow(*decision, core, &mut draft, retry) {
                    thread::sleep(delay);
                }
                continue;
            }
            Err(Undelivered { request: back, why }) if why.waits => {
                let mut waiting = core.servers.ready(back.deadline, search);
                if let Some(over) = park_until(|cx| waiting.as_mut().poll(cx)) {
                    return over.into();
                }
                draft = back.draft;
                continue;
            }
            Err(Undelivered { request: DraftAs { draft, .. }, why }) => {
                let (outcome, step) = retry.after_unposted(before, why, Moment::now());
                (outcome, step, EndedCall::Undelivered(draft))
            }
        };
        let again = if step == Step::End { None } else { call.into_draft() };
        let Some(next) = again else { return outcome };
        draft = next;
        search.change_metadata(&mut draft.metadata, |fields| retry.announce(fields));
        before = match step {
            Step::AgainAfter(pause) => {
                thread::sleep(pause);
                None
            }
            Step::Again | Step::End => Some(outcome),
        };
    }
}
