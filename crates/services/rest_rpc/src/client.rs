//! A client of rest_rpc servers.

use super::{
    ByteString, SERVICE, Subscription, Value, function_id,
    values::{Form, published},
};
use polywire_call::{Reply, Status};
use polywire_client::{Blocking, Call, CallFuture, Channel, Handle, Raw, Target};
use polywire_formats::FormatError;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    future::{Future, IntoFuture},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

/// A rest_rpc server that is called over a channel of the protocol `rest_rpc:a` or `rest_rpc:b`. Cheap to
/// clone.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
}

impl Client {
    pub fn new<P>(channel: Channel<P>) -> Self {
        Client { channel: channel.retyped() }
    }

    /// Calls a function. `arguments` is a tuple: `()`, `(1,)`, `(1, 2)`.
    pub fn call<A, R>(&self, name: &str, arguments: A) -> Query<R>
    where
        A: Serialize + Deserialize<'static>,
        R: DeserializeOwned,
    {
        let target = Target::named(SERVICE, name).at(function_id(name));
        self.send(target, &Form::of_arguments(), &arguments, Arc::new(Form::of_value()))
    }

    /// A function that is called often: its name and types are analysed only once.
    pub fn function<A, R>(&self, name: &'static str) -> RemoteFunction<A, R>
    where
        A: Deserialize<'static>,
        R: DeserializeOwned,
    {
        RemoteFunction {
            client: self.clone(),
            target: Target::fixed(SERVICE, name).at(function_id(name)),
            arguments: Arc::new(Form::of_arguments()),
            value: Arc::new(Form::of_value()),
        }
    }

    fn send<A: Serialize, R>(
        &self,
        target: Target,
        form: &Form<A>,
        arguments: &A,
        value: Arc<Form<R>>,
    ) -> Query<R> {
        let body = form.encode(self.channel.content(), arguments).map_err(FormatError::request);
        Query { call: self.channel.typed(target, body.map(Into::into)), value }
    }

    /// Subscribes, without a token, to publications under `key`.
    ///
    /// # Errors
    /// Errors of the connection, as far as they are known by then. Format B has one topic per connection and
    /// refuses a second.
    pub async fn subscribe<T: DeserializeOwned>(&self, key: &str) -> Result<Subscription<T>, Status> {
        self.subscribe_by_token(key, "").await
    }

    /// Subscribes, with this token, to publications under `key`.
    ///
    /// # Errors
    /// The errors of [`Client::subscribe`].
    pub async fn subscribe_by_token<T: DeserializeOwned>(
        &self,
        key: &str,
        token: &str,
    ) -> Result<Subscription<T>, Status> {
        let call = self.channel.stream(Target::named(SERVICE, key)).message(token.as_bytes().to_vec());
        Ok(Subscription::new(call.await?, self.channel.content()))
    }

    /// Publishes through a server that lets its peers do so.
    ///
    /// # Errors
    /// The errors of a call: `publish` is an ordinary function of the server.
    pub async fn publish<T: Value>(&self, key: &str, value: &T) -> Result<(), Status> {
        let data = self.packed(value)?;
        self.call("publish", (key.to_owned(), String::new(), data)).await
    }

    /// Publishes to peers that have subscribed with this token.
    ///
    /// # Errors
    /// The errors of [`Client::publish`].
    pub async fn publish_by_token<T: Value>(&self, key: &str, token: &str, value: &T) -> Result<(), Status> {
        let data = self.packed(value)?;
        self.call("publish_by_token", (key.to_owned(), token.to_owned(), data)).await
    }

    /// A value packed into a string, as subscribers will receive it.
    fn packed<T: Value>(&self, value: &T) -> Result<ByteString, Status> {
        let packed = published(self.channel.content(), value);
        packed.map(ByteString).map_err(FormatError::request)
    }
}

/// A function of a server, with its argument and result types.
pub struct RemoteFunction<A, R> {
    client: Client,
    target: Target,
    arguments: Arc<Form<A>>,
    value: Arc<Form<R>>,
}

impl<A, R> Clone for RemoteFunction<A, R> {
    fn clone(&self) -> Self {
        RemoteFunction {
            client: self.client.clone(),
            target: self.target.clone(),
            arguments: self.arguments.clone(),
            value: self.value.clone(),
        }
    }
}

impl<A: Serialize, R: DeserializeOwned> RemoteFunction<A, R> {
    pub fn call(&self, arguments: A) -> Query<R> {
        self.client.send(self.target.clone(), &self.arguments, &arguments, self.value.clone())
    }
}

/// A call that has not been sent. Awaiting it sends; dropping it sends nothing.
#[must_use = "a call is sent when it is awaited"]
pub struct Query<R> {
    call: Call<Raw>,
    value: Arc<Form<R>>,
}

impl<R: DeserializeOwned> Query<R> {
    /// Time limit from the first poll to the end of the call. Default: the channel's.
    pub fn timeout(self, timeout: Duration) -> Self {
        Query { call: self.call.timeout(timeout), ..self }
    }

    /// The call ends at this deadline at the latest, whatever its timeout is: for deadlines that are passed
    /// on.
    pub fn deadline(self, deadline: Option<Instant>) -> Self {
        Query { call: self.call.deadline(deadline), ..self }
    }

    /// Sends the call and waits on the calling thread, without a runtime.
    ///
    /// # Errors
    /// The errors of awaiting it. Also FAILED_PRECONDITION on a shard's thread.
    pub fn blocking(self) -> Result<R, Status> {
        read(&self.value, self.call.blocking()?)
    }
}

impl<R: DeserializeOwned + Send + 'static> Query<R> {
    /// Sends the call now, instead of when it is awaited; its result is taken later, by awaiting the handle.
    /// Dropping the handle cancels the call; the server may run the function nevertheless.
    pub fn start(self) -> Handle<R> {
        Handle::of(self)
    }

    /// Like [`Query::start`], for a plain thread, which takes the result by `wait`.
    ///
    /// # Errors
    /// FAILED_PRECONDITION on a shard's thread, which must not wait.
    pub fn start_blocking(self) -> Result<Blocking<Handle<R>>, Status> {
        Handle::blocking(self)
    }
}

impl<R: DeserializeOwned> IntoFuture for Query<R> {
    type Output = Result<R, Status>;
    type IntoFuture = QueryFuture<R>;

    fn into_future(self) -> QueryFuture<R> {
        QueryFuture { call: self.call.into_future(), value: self.value }
    }
}

/// A call in flight. Dropping it cancels the call; the server may run the function all the same.
pub struct QueryFuture<R> {
    call: CallFuture<Raw>,
    value: Arc<Form<R>>,
}

impl<R: DeserializeOwned> Future for QueryFuture<R> {
    type Output = Result<R, Status>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let reply = ready!(Pin::new(&mut self.call).poll(cx))?;
        Poll::Ready(read(&self.value, reply))
    }
}

fn read<R: DeserializeOwned>(value: &Form<R>, reply: Reply<Raw>) -> Result<R, Status> {
    let mut raw = reply.into_message();
    value.decode(raw.content, raw.body.contiguous()).map_err(FormatError::reply)
}
