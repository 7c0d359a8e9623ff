//! A call that is under way before anybody waits for it.

use crate::{
    call::{future::CallFuture, reply::Answer, streaming::Blocking, unary::Call},
    connection::home::{Home, HomeId},
};
use polywire_call::{Reply, Status};
use std::{
    future::{Future, IntoFuture},
    pin::Pin,
    task::{Context, Poll, Waker},
};
use tokio::task::JoinHandle;

/// A call that was sent when it was started, and whose reply is taken later, by awaiting it. Its further tries, its second
/// request and its deadline need nobody who waits. Dropping it cancels the call, and notifies the peer if the protocol has a
/// message for that.
///
/// ```
/// # mod polywire { pub use {polywire_call::*, polywire_client::*}; }
/// use polywire::{Call, Reply, Status};
///
/// # trait Users { fn find(&self, id: u64) -> Call<polywire::Raw>; }
/// # fn other_work() {}
/// # async fn example(users: impl Users) -> Result<Reply<polywire::Raw>, Status> {
/// let user = users.find(1).start(); // on its way
/// other_work();
/// user.await
/// # }
/// ```
#[must_use = "dropping it cancels the call"]
pub struct CallHandle<R> {
    state: State<R>,
}

enum State<R> {
    /// It ended while it was started: it could not be sent.
    Ended(Result<Reply<R>, Status>),
    Running(JoinHandle<Result<Reply<R>, Status>>),
    /// The reply was taken.
    Over,
}

impl<R: Answer> Call<R> {
    /// Sends the call now, in place of when it is awaited. It then runs on its own, on the caller's shard or tokio runtime; a
    /// thread without either uses a shard of the default engine.
    ///
    /// The connection's bytes are written by that shard or runtime: where it has one thread, the request leaves it when the
    /// caller's task next awaits something.
    pub fn start(self) -> CallHandle<R> {
        let home = Home::of(HomeId::current());
        let mut call = self.into_future();
        // The first poll sends the request and begins its time limit. What it would wake is the task that polls it next.
        let state = match Pin::new(&mut call).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(reply) => State::Ended(reply),
            Poll::Pending => State::Running(home.start(call)),
        };
        CallHandle { state }
    }

    /// As [`Call::start`], for a caller that takes the reply by waiting on its thread, [`Blocking::wait`]. The call runs on a
    /// shard of the default engine.
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn start_blocking(self) -> Result<Blocking<CallHandle<R>>, Status> {
        let running = |call: CallFuture<R>| CallHandle { state: State::Running(Home::default().start(call)) };
        Blocking::here("the call has not ended", || running(self.into_future()))
    }
}

impl<R> CallHandle<R> {
    /// Whether the call has ended: taking its reply does not wait.
    pub fn is_finished(&self) -> bool {
        match &self.state {
            State::Ended(_) | State::Over => true,
            State::Running(task) => task.is_finished(),
        }
    }
}

impl<R> Unpin for CallHandle<R> {}

/// # Panics
/// If it is polled after it has given the reply.
impl<R: Answer> Future for CallHandle<R> {
    type Output = Result<Reply<R>, Status>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let ended = match &mut self.state {
            State::Running(task) => Pin::new(task).poll(cx),
            State::Ended(_) | State::Over => Poll::Ready(Ok(self.take())),
        };
        ended.map(|ended| {
            self.state = State::Over;
            ended.unwrap_or_else(|lost| {
                Err(match lost.is_panic() {
                    true => Status::internal("the call panicked"),
                    false => Status::cancelled("the runtime on which the call was started has ended"),
                })
            })
        })
    }
}

impl<R> CallHandle<R> {
    fn take(&mut self) -> Result<Reply<R>, Status> {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Ended(reply) => reply,
            State::Running(_) | State::Over => panic!("the reply of a call was taken twice"),
        }
    }
}

impl<R> Drop for CallHandle<R> {
    fn drop(&mut self) {
        if let State::Running(task) = &self.state {
            task.abort();
        }
    }
}

impl<R: Answer> Blocking<CallHandle<R>> {
    /// Waits for the reply.
    ///
    /// # Errors
    /// How the call failed. DEADLINE_EXCEEDED of [`Blocking::wait_at_most`]: the call continues, and may be waited for again.
    ///
    /// # Panics
    /// If the reply was given before.
    pub fn wait(&mut self) -> Result<Reply<R>, Status> {
        self.wait_for(Pin::new)?
    }

    /// Whether the call has ended: [`Blocking::wait`] returns at once.
    pub fn is_finished(&self) -> bool {
        self.inner().is_finished()
    }
}
