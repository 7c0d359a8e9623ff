//! A call of a method, before it is sent and while it is under way.

use crate::{Method, RawReply};
use polywire_call::{Parent, Reply, Status};
use polywire_client as client;
use polywire_formats::{
    FormatError,
    thrift::{self, Encoding},
};
use std::{
    future::{Future, IntoFuture},
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

/// A call that has not been sent. Awaiting it sends; dropping it sends nothing.
#[must_use = "a call is sent when it is awaited"]
pub struct Call<M> {
    call: client::Call<client::Raw>,
    method: PhantomData<fn() -> M>,
}

impl<M: Method> Call<M> {
    pub(crate) fn new(call: client::Call<client::Raw>) -> Self {
        Call { call, method: PhantomData }
    }

    /// Time limit from the first poll to the end of the call, tries included. Default: the channel's.
    pub fn timeout(self, timeout: Duration) -> Self {
        Call::new(self.call.timeout(timeout))
    }

    /// The call ends at this deadline at the latest, whatever its timeout is.
    pub fn deadline(self, deadline: Option<Instant>) -> Self {
        Call::new(self.call.deadline(deadline))
    }

    /// The call is made while `parent` is served: it ends by the same deadline, and belongs to the same
    /// trace.
    pub fn within(self, parent: &impl Parent) -> Self {
        Call::new(self.call.within(parent))
    }

    /// Adds a field for the server. It is sent over TTHeader only: the other forms have no place for it.
    pub fn metadata(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        Call::new(self.call.metadata(name, value))
    }

    /// The number of further tries of this call. Default: the channel's.
    pub fn retries(self, most: u32) -> Self {
        Call::new(self.call.retries(most))
    }

    /// Sends the call and waits on the calling thread, without a runtime.
    ///
    /// # Errors
    /// The errors of awaiting it. Also FAILED_PRECONDITION on a shard's thread.
    pub fn blocking(self) -> Result<M::Success, M::Failure> {
        read::<M>(self.call.blocking()?)
    }
}

impl<M: Method> Call<M> {
    /// Sends the call now, instead of when it is awaited; its result is taken later, by awaiting the handle.
    /// Dropping the handle cancels the call; the server may run the method nevertheless.
    pub fn start(self) -> client::Handle<M::Success, M::Failure> {
        client::Handle::of(self)
    }

    /// Like [`Call::start`], for a plain thread, which takes the result by `wait`.
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn start_blocking(self) -> Result<client::Blocking<client::Handle<M::Success, M::Failure>>, Status> {
        client::Handle::blocking(self)
    }
}

impl<M: Method> IntoFuture for Call<M> {
    type Output = Result<M::Success, M::Failure>;
    type IntoFuture = CallFuture<M>;

    fn into_future(self) -> CallFuture<M> {
        CallFuture { call: self.call.into_future(), method: PhantomData }
    }
}

/// A call in flight. Dropping it cancels the call; the server may run the method all the same.
pub struct CallFuture<M> {
    call: client::CallFuture<client::Raw>,
    method: PhantomData<fn() -> M>,
}

impl<M: Method> Future for CallFuture<M> {
    type Output = Result<M::Success, M::Failure>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let reply = ready!(Pin::new(&mut self.call).poll(cx))?;
        Poll::Ready(read::<M>(reply))
    }
}

fn read<M: Method>(reply: Reply<client::Raw>) -> Result<M::Success, M::Failure> {
    let RawReply { encoding, bytes } = raw_reply(reply)?;
    M::from_result(thrift::decode(encoding, bytes).map_err(FormatError::reply)?)
}

/// A call whose arguments and result are bytes, before it is sent. Awaiting it sends; dropping it sends
/// nothing.
#[must_use = "a call is sent when it is awaited"]
pub struct RawCall(client::Call<client::Raw>);

impl RawCall {
    pub(crate) fn new(call: client::Call<client::Raw>) -> Self {
        RawCall(call)
    }

    /// Time limit from the first poll to the end of the call, tries included. Default: the channel's.
    pub fn timeout(self, timeout: Duration) -> Self {
        RawCall(self.0.timeout(timeout))
    }

    /// Like [`Call::within`].
    pub fn within(self, parent: &impl Parent) -> Self {
        RawCall(self.0.within(parent))
    }

    /// Like [`Call::metadata`].
    pub fn metadata(self, name: &str, value: impl AsRef<[u8]>) -> Self {
        RawCall(self.0.metadata(name, value))
    }

    /// Like [`Call::start`].
    pub fn start(self) -> client::Handle<RawReply> {
        client::Handle::of(self)
    }

    /// Like [`Call::start_blocking`].
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn start_blocking(self) -> Result<client::Blocking<client::Handle<RawReply>>, Status> {
        client::Handle::blocking(self)
    }

    /// Like [`Call::blocking`].
    ///
    /// # Errors
    /// The errors of awaiting it. Also FAILED_PRECONDITION on a shard's thread.
    pub fn blocking(self) -> Result<RawReply, Status> {
        raw_reply(self.0.blocking()?)
    }
}

impl IntoFuture for RawCall {
    type Output = Result<RawReply, Status>;
    type IntoFuture = RawCallFuture;

    fn into_future(self) -> RawCallFuture {
        RawCallFuture(self.0.into_future())
    }
}

/// A call in flight. Dropping it cancels the call; the server may run the method all the same.
pub struct RawCallFuture(client::CallFuture<client::Raw>);

impl Future for RawCallFuture {
    type Output = Result<RawReply, Status>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let reply = ready!(Pin::new(&mut self.0).poll(cx))?;
        Poll::Ready(raw_reply(reply))
    }
}

fn raw_reply(reply: Reply<client::Raw>) -> Result<RawReply, Status> {
    let raw = reply.into_message();
    let encoding = Encoding::of(raw.content).ok_or(FormatError::UnknownContent(raw.content));
    Ok(RawReply { encoding: encoding.map_err(FormatError::reply)?, bytes: raw.body })
}
