//! A single operation: its options, and the future that it becomes.

use crate::{
    answer::{Answer, Item},
    client::Client,
    error::Error,
    form::{Form, Reply, lost},
    request::{self, Request, Verb},
};
use bytes::{Bytes, BytesMut};
use polywire_client::{Blocking, CallFuture, Handle, Raw};
use std::{
    future::{Future, IntoFuture},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

/// An operation that has not been sent. Awaiting it sends it; dropping it sends nothing.
#[must_use = "an operation is sent when it is awaited"]
pub struct Operation<T> {
    client: Client,
    request: Request,
    timeout: Option<Duration>,
    repeat: bool,
    read: fn(Answer) -> Result<T, Error>,
}

impl<T> Operation<T> {
    pub(crate) fn new(client: &Client, request: Request, read: fn(Answer) -> Result<T, Error>) -> Self {
        Operation { client: client.clone(), request, timeout: None, repeat: false, read }
    }

    /// Time limit from the first poll to the end. Default: the channel's.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// When the value expires, from now: whole seconds, rounded up, minimum 1. For writes, and counters that
    /// create a key; a read sets a new expiry (GAT). Default: never, or unchanged.
    pub fn expires(mut self, time: Duration) -> Self {
        match self.request.verb {
            Verb::Append | Verb::Prepend | Verb::Delete | Verb::Version => {
                self.request.wrong = Some("this operation sets no expiry");
            }
            _ => self.request.expiry = Some(request::expiry(time)),
        }
        self
    }

    /// Allows the operation to be sent again where the server may have executed it already, because the
    /// connection was lost before the reply. Reads, `touch` and `set` without CAS allow it by default; the
    /// others do not, since a counter would count twice.
    pub fn repeatable(mut self) -> Self {
        self.repeat = true;
        self
    }

    pub(crate) fn into_request(self) -> Request {
        self.request
    }

    /// Sends it and waits for the reply on the calling thread, without a runtime.
    ///
    /// # Errors
    /// The errors of awaiting it. Also FAILED_PRECONDITION on a shard's thread.
    pub fn blocking(self) -> Result<T, Error> {
        let Operation { client, request, timeout, repeat, read } = self;
        let (body, opaque) = encode(&client, &request)?;
        let repeat = repeat || request.may_repeat();
        let reply = client.send(body, request.place(), repeat, timeout).blocking()?;
        read(answer(client.form, &request, opaque, reply.into_message()))
    }
}

impl Operation<u64> {
    /// For a write: the flags that readers get with the value. Default: 0.
    pub fn flags(mut self, flags: u32) -> Self {
        match self.request.verb {
            Verb::Set | Verb::Add | Verb::Replace => self.request.flags = flags,
            _ => self.request.wrong = Some("this operation keeps the flags of the value"),
        }
        self
    }

    /// For a write: only if the value still has this CAS. 0: unconditionally.
    pub fn cas(mut self, cas: u64) -> Self {
        match self.request.verb {
            Verb::Add => self.request.wrong = Some("`add` is for keys that are not there: they have no CAS"),
            _ => self.request.cas = cas,
        }
        self
    }
}

impl Operation<bool> {
    /// For `delete` and `invalidate`: only if the value still has this CAS. 0: unconditionally.
    pub fn cas(mut self, cas: u64) -> Self {
        match self.request.verb {
            Verb::Touch => self.request.wrong = Some("`touch` has no CAS"),
            _ => self.request.cas = cas,
        }
        self
    }
}

impl Operation<Option<u64>> {
    /// For a counter: the number that it begins with if the key does not exist. Default: the counter is not
    /// created.
    pub fn or_begin_at(mut self, initial: u64) -> Self {
        self.request.initial = Some(initial);
        self
    }
}

impl Operation<Option<Item>> {
    /// Creates a missing key with an empty value and this expiry, and asks the first caller to fill it
    /// ([`Recache::Won`](crate::Recache::Won)); the others get [`Recache::Lost`](crate::Recache::Lost) until
    /// it is filled. `memcache_meta` only.
    pub fn vivify(mut self, expires: Duration) -> Self {
        self.request.vivify = Some(request::expiry(expires));
        self
    }

    /// Asks one caller to renew a value that expires in less than this. `memcache_meta` only.
    pub fn renew_below(mut self, time: Duration) -> Self {
        self.request.recache = Some(u32::try_from(time.as_secs()).unwrap_or(u32::MAX));
        self
    }
}

fn encode(client: &Client, request: &Request) -> Result<(Bytes, u32), Error> {
    client.check(request)?;
    let opaque = client.opaques(1);
    let mut body = BytesMut::new();
    client.form.write(request, opaque, false, &mut body)?;
    Ok((body.freeze(), opaque))
}

/// The answer in the body of a reply to one request.
fn answer(form: Form, request: &Request, opaque: u32, raw: Raw) -> Answer {
    let bytes = raw.body.into_bytes();
    form.read(request, &Reply { opaque: Some(opaque), bytes })
}

impl<T: Send + 'static> Operation<T> {
    /// Sends the operation now, instead of when it is awaited; its result is taken later, by awaiting the
    /// handle. Dropping the handle cancels the call; the server may execute it nevertheless.
    pub fn start(self) -> Handle<T, Error> {
        Handle::of(self)
    }

    /// Like [`Operation::start`], for a plain thread, which takes the result by `wait`.
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn start_blocking(self) -> Result<Blocking<Handle<T, Error>>, Error> {
        Ok(Handle::blocking(self)?)
    }
}

impl<T> IntoFuture for Operation<T> {
    type Output = Result<T, Error>;
    type IntoFuture = OperationFuture<T>;

    fn into_future(self) -> OperationFuture<T> {
        let Operation { client, request, timeout, repeat, read } = self;
        let (call, failed) = match encode(&client, &request) {
            Err(error) => (None, Some(error)),
            Ok((body, opaque)) => {
                let repeat = repeat || request.may_repeat();
                let call = client.send(body, request.place(), repeat, timeout).into_future();
                (Some((call, opaque)), None)
            }
        };
        OperationFuture { call, failed, form: client.form, request, read }
    }
}

/// An operation under way. Dropping it stops waiting; the server may execute it nevertheless.
pub struct OperationFuture<T> {
    /// The call, with the opaque value of the request. `None`: nothing was sent.
    call: Option<(CallFuture<Raw>, u32)>,
    /// The reason why nothing was sent.
    failed: Option<Error>,
    form: Form,
    request: Request,
    read: fn(Answer) -> Result<T, Error>,
}

impl<T> Future for OperationFuture<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Some((call, opaque)) = &mut this.call else {
            return Poll::Ready(Err(this.failed.take().unwrap_or_else(|| lost("polled after its end"))));
        };
        let reply = ready!(Pin::new(call).poll(cx))?;
        Poll::Ready((this.read)(answer(this.form, &this.request, *opaque, reply.into_message())))
    }
}
