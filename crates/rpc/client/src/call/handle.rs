//! A call that runs before it is awaited.

use crate::{
    call::{reply::Answer, streaming::Blocking, unary::Call},
    connection::home::{Home, HomeId},
};
use polywire_call::{Reply, Status};
use std::{
    future::{Future, IntoFuture},
    pin::Pin,
    task::{Context, Poll, Waker},
};
use tokio::task::JoinHandle;

/// A call that runs from the moment when it is started; its result is taken later, by awaiting the handle.
/// Retries, hedging and the deadline proceed while the handle is not awaited. Dropping the handle cancels the
/// call and notifies the peer if the protocol has a message for that.
///
/// Clients of single protocols (Redis, memcached, rest_rpc, Thrift) have the same method `start`, and the
/// same handle.
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
pub struct Handle<T, E = Status> {
    state: State<T, E>,
}

/// The [`Handle`] of a call with one message each way.
pub type CallHandle<R> = Handle<Reply<R>>;

enum State<T, E> {
    /// The call ended while it was started: it could not be sent.
    Ended(Result<T, E>),
    Running(JoinHandle<Result<T, E>>),
    /// The result was taken.
    Over,
}

impl<R: Answer> Call<R> {
    /// Sends the call now, instead of when it is awaited. It then runs on its own, on the caller's shard or
    /// tokio runtime; a thread without either uses a shard of the default engine.
    ///
    /// The connection's bytes are written by that shard or runtime: where it has one thread, the request
    /// leaves it when the caller's task next awaits something.
    pub fn start(self) -> CallHandle<R> {
        Handle::of(self)
    }

    /// Like [`Call::start`], for a caller that takes the reply by waiting on its thread with
    /// [`Blocking::wait`]. The call runs on a shard of the default engine.
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn start_blocking(self) -> Result<Blocking<CallHandle<R>>, Status> {
        Handle::blocking(self)
    }
}

impl<T: Send + 'static, E: From<Status> + Send + 'static> Handle<T, E> {
    /// Starts a call of any client: its future is polled once, which has to send the request, and then runs
    /// on the caller's home.
    #[doc(hidden)]
    pub fn of<C>(call: C) -> Self
    where
        C: IntoFuture<Output = Result<T, E>>,
        C::IntoFuture: Send + Unpin + 'static,
    {
        let home = Home::of(HomeId::current());
        let mut call = call.into_future();
        // The first poll sends the request and begins its time limit. What it would wake is the task that
        // polls it next.
        let state = match Pin::new(&mut call).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => State::Ended(result),
            Poll::Pending => State::Running(home.start(call)),
        };
        Handle { state }
    }

    /// Like [`Handle::of`], on a shard of the default engine, for a caller that waits on its thread.
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread.
    #[doc(hidden)]
    pub fn blocking<C>(call: C) -> Result<Blocking<Self>, Status>
    where
        C: IntoFuture<Output = Result<T, E>>,
        C::IntoFuture: Send + 'static,
    {
        let running = |call| Handle { state: State::Running(Home::default().start(call)) };
        Blocking::here("the call has not ended", || running(call.into_future()))
    }
}

impl<T, E> Handle<T, E> {
    /// Whether the call has ended: taking its result does not wait.
    pub fn is_finished(&self) -> bool {
        match &self.state {
            State::Ended(_) | State::Over => true,
            State::Running(task) => task.is_finished(),
        }
    }
}

impl<T, E> Unpin for Handle<T, E> {}

/// # Panics
/// If it is polled after it has given the result.
impl<T, E: From<Status>> Future for Handle<T, E> {
    type Output = Result<T, E>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let ended = match &mut self.state {
            State::Running(task) => Pin::new(task).poll(cx),
            State::Ended(_) | State::Over => Poll::Ready(Ok(self.take())),
        };
        ended.map(|ended| {
            self.state = State::Over;
            ended.unwrap_or_else(|lost| {
                let why = match lost.is_panic() {
                    true => Status::internal("the call panicked"),
                    false => Status::cancelled("the runtime on which the call was started has ended"),
                };
                Err(why.into())
            })
        })
    }
}

impl<T, E> Handle<T, E> {
    fn take(&mut self) -> Result<T, E> {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Ended(result) => result,
            State::Running(_) | State::Over => panic!("the result of a call was taken twice"),
        }
    }
}

impl<T, E> Drop for Handle<T, E> {
    fn drop(&mut self) {
        if let State::Running(task) = &self.state {
            task.abort();
        }
    }
}

impl<T, E: From<Status>> Blocking<Handle<T, E>> {
    /// Waits for the result.
    ///
    /// # Errors
    /// The error of the call. With DEADLINE_EXCEEDED of [`Blocking::wait_at_most`] the call continues, and
    /// may be waited for again.
    ///
    /// # Panics
    /// If the result was given before.
    pub fn wait(&mut self) -> Result<T, E> {
        self.wait_for(Pin::new)?
    }

    /// Whether the call has ended: [`Blocking::wait`] returns at once.
    pub fn is_finished(&self) -> bool {
        self.inner().is_finished()
    }
}
