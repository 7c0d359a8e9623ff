//! A command, or a pipeline, before it is sent; and its replies as Rust types.

use crate::{
    FromValue, ParseError, Value,
    cluster::{self, Replies},
};
use bytes::Bytes;
use polywire_call::{Code, Origin, Reply, Status};
use polywire_client::{Blocking, Call, CallFuture, Handle, Raw};
use std::{
    future::{Future, IntoFuture},
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, Wake, Waker, ready},
    thread::Thread,
    time::Duration,
};

/// A command that has not been sent. Awaiting it sends; dropping it sends nothing.
#[must_use = "a command is sent when it is awaited"]
pub struct Query<T> {
    sending: Sending,
    shape: Shape,
    read: PhantomData<fn() -> T>,
}

/// The way in which the query is sent.
pub(crate) enum Sending {
    /// To the servers of a channel.
    Channel(Call<Raw>),
    /// To the nodes of a cluster.
    Cluster(Box<cluster::Request>),
    /// Not sent, because of this error.
    Refused(Box<Status>),
}

/// The number of expected replies, and which of them form the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    One,
    /// All replies, as a list.
    All,
    /// The items of the last reply, which is EXEC's.
    Transaction,
}

impl<T> Query<T> {
    pub(crate) fn new(sending: Sending, shape: Shape) -> Self {
        Query { sending, shape, read: PhantomData }
    }

    /// Time limit from the first poll to the end of the call, all attempts included. Default: that of the
    /// channel, or of the cluster.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.sending = match self.sending {
            Sending::Channel(call) => Sending::Channel(call.timeout(timeout)),
            Sending::Cluster(request) => Sending::Cluster(Box::new(request.timeout(timeout))),
            refused @ Sending::Refused(_) => refused,
        };
        self
    }

    /// Allows the command to be sent again where a server may have executed it already, because the
    /// connection was lost before the reply. Commands that change nothing allow it by default; the others do
    /// not, since a counter would count twice.
    pub fn repeatable(mut self) -> Self {
        self.sending = match self.sending {
            Sending::Channel(call) => Sending::Channel(call.idempotent(true)),
            Sending::Cluster(request) => Sending::Cluster(Box::new(request.repeatable())),
            refused @ Sending::Refused(_) => refused,
        };
        self
    }
}

impl<T: FromValue + Send + 'static> Query<T> {
    /// Sends the command now, instead of when it is awaited; its reply is taken later, by awaiting the
    /// handle. Dropping the handle cancels the call; the server may run the command nevertheless. In a
    /// cluster whose table of slots is not known yet, that is read first.
    pub fn start(self) -> Handle<T> {
        Handle::of(self)
    }

    /// Like [`Query::start`], for a plain thread, which takes the reply by `wait`.
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn start_blocking(self) -> Result<Blocking<Handle<T>>, Status> {
        Handle::blocking(self)
    }
}

impl<T: FromValue> Query<T> {
    /// Sends the command and waits for its reply on the calling thread, without a runtime.
    ///
    /// # Errors
    /// The errors of awaiting it. Also FAILED_PRECONDITION on a shard's thread.
    pub fn blocking(self) -> Result<T, Status> {
        match self.sending {
            Sending::Channel(call) => read(self.shape, Replies::Wire(body(call.blocking()?))),
            Sending::Cluster(request) => {
                if polywire_engine::current_shard_id().is_some() {
                    return Err(Status::failed_precondition(
                        "blocking() on a shard's thread would stop every connection there: await the call",
                    ));
                }
                read(self.shape, park_on(request.send())?)
            }
            Sending::Refused(status) => Err(*status),
        }
    }
}

impl<T: FromValue> IntoFuture for Query<T> {
    type Output = Result<T, Status>;
    type IntoFuture = QueryFuture<T>;

    fn into_future(self) -> QueryFuture<T> {
        let state = match self.sending {
            Sending::Channel(call) => State::Channel(call.into_future()),
            Sending::Cluster(request) => State::Cluster(Box::pin(request.send())),
            Sending::Refused(status) => State::Refused(Some(status)),
        };
        QueryFuture { state, shape: self.shape, read: PhantomData }
    }
}

/// A command in flight. Dropping it cancels the call; the server may run the command all the same.
pub struct QueryFuture<T> {
    state: State,
    shape: Shape,
    read: PhantomData<fn() -> T>,
}

// A box for the largest one would be an allocation for each call.
#[allow(clippy::large_enum_variant)]
enum State {
    Channel(CallFuture<Raw>),
    Cluster(Pin<Box<dyn Future<Output = Result<Replies, Status>> + Send>>),
    Refused(Option<Box<Status>>),
}

impl<T: FromValue> Future for QueryFuture<T> {
    type Output = Result<T, Status>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let replies = match &mut self.state {
            State::Channel(call) => Replies::Wire(body(ready!(Pin::new(call).poll(cx))?)),
            State::Cluster(request) => ready!(request.as_mut().poll(cx))?,
            State::Refused(status) => return Poll::Ready(Err(*status.take().expect("polled after its end"))),
        };
        Poll::Ready(read(self.shape, replies))
    }
}

fn body(reply: Reply<Raw>) -> Bytes {
    reply.into_message().body.into_bytes()
}

fn lost(error: ParseError) -> Status {
    Status::new(Code::DataLoss, format!("{error}")).with_origin(Origin::Local)
}

fn read<T: FromValue>(shape: Shape, replies: Replies) -> Result<T, Status> {
    let all = match (shape, replies) {
        (Shape::One, Replies::Wire(body)) => return T::from_value(Value::parse(body).map_err(lost)?),
        (_, Replies::Wire(body)) => Value::parse_all(body).map_err(lost)?,
        (_, Replies::Values(values)) => values,
    };
    match shape {
        Shape::One | Shape::All => T::from_value(Value::Array(all)),
        Shape::Transaction => transaction(all).and_then(T::from_value),
    }
}

/// The reply of EXEC, which is the last one.
pub(crate) fn transaction(mut replies: Vec<Value>) -> Result<Value, Status> {
    match replies.pop() {
        Some(Value::Null | Value::NullArray) => {
            Err(Status::new(Code::Aborted, "a watched key has changed").with_origin(Origin::Remote))
        }
        Some(Value::Error(text)) if text.starts_with(b"EXECABORT") => {
            // Why is said by the reply to the command that could not be queued.
            let why = replies.iter().position(Value::is_error).map(|at| (at, replies.swap_remove(at)));
            let text = String::from_utf8_lossy(&text).into_owned();
            let text = match why {
                Some((at, Value::Error(why))) if at > 0 => {
                    format!("{text} (command {at}: {})", String::from_utf8_lossy(&why))
                }
                _ => text,
            };
            Err(Status::failed_precondition(text).with_origin(Origin::Remote))
        }
        Some(last) => Ok(last),
        None => Err(lost(ParseError::Truncated)),
    }
}

/// Waits for a future on the calling thread.
fn park_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(std::sync::Arc::new(Unpark(std::thread::current())));
    let mut cx = Context::from_waker(&waker);
    let mut future = std::pin::pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut cx) {
            return output;
        }
        std::thread::park();
    }
}
