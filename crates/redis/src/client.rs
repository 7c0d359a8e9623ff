//! A client of Redis servers.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use polywire::{Channel, redis};
//!
//! let redis = redis::Client::new(Channel::builder("127.0.0.1:6379").protocol("redis").build()?);
//! redis.set("key", "value").await?;
//! let value: Option<String> = redis.get("key").await?;
//! let (hits, name): (i64, String) = redis.pipeline().incr("hits").get("key").read().await?;
//! # Ok(())
//! # }
//! ```
//!
//! The protocol's name may have options: `redis:3` selects RESP3, `redis:db=5` a database. Replies are read
//! alike in both versions. An error reply becomes a [`Status`] with the server's text.
//!
//! Commands that affect a whole connection (SUBSCRIBE, WATCH, BLPOP) need a connection that no other call
//! uses: a channel whose kind is `Pooled` or `Short`. A transaction that is sent as a whole
//! ([`Pipeline::atomic`]) does not.

use super::{Argument, Command, FromValue, Value};
use bytes::{Bytes, BytesMut};
use polywire_call::{Code, Origin, Reply, Status};
use polywire_client::{Call, CallFuture, Channel, Raw, Target};
use std::{
    future::{Future, IntoFuture},
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

/// A Redis server behind a channel. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    channel: Channel,
}

/// The target of all calls: the body says everything.
const TARGET: Target = Target::fixed("", "");

impl Client {
    /// A client over a channel whose protocol is `redis`.
    pub fn new<P>(channel: Channel<P>) -> Self {
        Client { channel: channel.retyped() }
    }

    /// Sends any command; its reply is read as `T`.
    pub fn call<T: FromValue>(&self, command: &Command) -> Query<T> {
        Query { call: self.channel.call(TARGET, command.wire()), shape: Shape::One, read: PhantomData }
    }

    /// Several commands that are sent together and whose replies are received together.
    pub fn pipeline(&self) -> Pipeline {
        Pipeline { client: self.clone(), commands: BytesMut::new(), count: 0, atomic: false }
    }
}

/// Declares the commands that have methods, on a client and on a pipeline: `name(arguments) -> reply`; `[T]`
/// where the caller chooses the type of the reply.
macro_rules! commands {
    ($(
        $(#[$doc:meta])*
        $name:ident $([$read:ident])? ($($arg:ident: $kind:ident),*) -> $reply:ty = $word:literal;
    )*) => {
        /// Commands with methods; [`Client::call`] sends any other command.
        impl Client {$(
            $(#[$doc])*
            pub fn $name$(<$read: FromValue>)?(&self, $($arg: argument!($kind)),*) -> Query<$reply> {
                self.call(&command!($word $(, $arg: $kind)*))
            }
        )*}

        /// The same commands; their replies come with those of the whole pipeline.
        impl Pipeline {$(
            $(#[$doc])*
            pub fn $name(self, $($arg: argument!($kind)),*) -> Self {
                self.command(&command!($word $(, $arg: $kind)*))
            }
        )*}
    };
}
macro_rules! argument {
    (one) => { impl Argument };
    (list) => { impl IntoIterator<Item = impl Argument> };
    (pairs) => { impl IntoIterator<Item = (impl Argument, impl Argument)> };
    (seconds) => { Duration };
}
macro_rules! command {
    ($word:literal $(, $arg:ident: $kind:ident)*) => {
        Command::new($word)$(.$kind($arg))*
    };
}

/// Adds the arguments of a command, by kind.
trait Add {
    fn one(self, arg: impl Argument) -> Self;
    fn list(self, args: impl IntoIterator<Item = impl Argument>) -> Self;
    fn pairs(self, pairs: impl IntoIterator<Item = (impl Argument, impl Argument)>) -> Self;
    fn seconds(self, time: Duration) -> Self;
}

impl Add for Command {
    fn one(self, arg: impl Argument) -> Self {
        self.arg(arg)
    }
    fn list(self, args: impl IntoIterator<Item = impl Argument>) -> Self {
        self.arg_list(args)
    }
    fn pairs(self, pairs: impl IntoIterator<Item = (impl Argument, impl Argument)>) -> Self {
        pairs.into_iter().fold(self, |command, (key, value)| command.arg(key).arg(value))
    }
    /// A time in milliseconds, as the commands with `P` take it.
    fn seconds(self, time: Duration) -> Self {
        self.arg(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }
}

commands! {
    /// Checks the connection; the reply is `PONG`.
    ping() -> String = "PING";
    /// The string under a key; read it as an `Option` if the key may be missing.
    get [T] (key: one) -> T = "GET";
    /// Sets a string.
    set(key: one, value: one) -> () = "SET";
    /// Returns a string and deletes its key.
    getdel [T] (key: one) -> T = "GETDEL";
    /// The strings under several keys: a list of `Option`.
    mget [T] (keys: list) -> T = "MGET";
    /// Sets several keys at once.
    mset(pairs: pairs) -> () = "MSET";
    /// Sets a key that does not exist; returns whether it was set.
    setnx(key: one, value: one) -> bool = "SETNX";
    /// Sets a key that expires after this time, in steps of a millisecond.
    psetex(key: one, ends_in: seconds, value: one) -> () = "PSETEX";
    /// Appends to a string; returns its length afterwards.
    append(key: one, value: one) -> i64 = "APPEND";
    /// Length of a string in bytes.
    strlen(key: one) -> i64 = "STRLEN";
    /// Adds one to a number; returns the sum.
    incr(key: one) -> i64 = "INCR";
    /// Adds to a number; returns the sum.
    incrby(key: one, by: one) -> i64 = "INCRBY";
    /// Subtracts one from a number; returns the difference.
    decr(key: one) -> i64 = "DECR";
    /// Deletes keys; returns how many existed.
    del(keys: list) -> i64 = "DEL";
    /// Returns how many of these keys exist.
    exists(keys: list) -> i64 = "EXISTS";
    /// Makes a key expire after this time, in steps of a millisecond; returns whether the key exists.
    pexpire(key: one, ends_in: seconds) -> bool = "PEXPIRE";
    /// Milliseconds until a key expires; -1 if it does not, -2 if there is no such key.
    pttl(key: one) -> i64 = "PTTL";
    /// Removes the expiry of a key; returns whether it had one.
    persist(key: one) -> bool = "PERSIST";
    /// Keys that match a pattern: a list. Visits all keys.
    keys [T] (pattern: one) -> T = "KEYS";
    /// Puts items at the front of a list; returns its length.
    lpush(key: one, items: list) -> i64 = "LPUSH";
    /// Puts items at the back of a list; returns its length.
    rpush(key: one, items: list) -> i64 = "RPUSH";
    /// Takes an item off the front of a list; read it as an `Option` if the list may be empty.
    lpop [T] (key: one) -> T = "LPOP";
    /// Takes an item off the back of a list; read it as an `Option` if the list may be empty.
    rpop [T] (key: one) -> T = "RPOP";
    /// Number of items in a list.
    llen(key: one) -> i64 = "LLEN";
    /// A part of a list, as a list; negative ends count from the back.
    lrange [T] (key: one, start: one, end: one) -> T = "LRANGE";
    /// Sets fields of a hash; returns how many are new.
    hset(key: one, fields: pairs) -> i64 = "HSET";
    /// The value of a field; read it as an `Option` if the field may be missing.
    hget [T] (key: one, field: one) -> T = "HGET";
    /// All fields and values: a map.
    hgetall [T] (key: one) -> T = "HGETALL";
    /// Deletes fields; returns how many existed.
    hdel(key: one, fields: list) -> i64 = "HDEL";
    /// Adds members to a set; returns how many are new.
    sadd(key: one, members: list) -> i64 = "SADD";
    /// Removes members; returns how many existed.
    srem(key: one, members: list) -> i64 = "SREM";
    /// Whether it is a member.
    sismember(key: one, member: one) -> bool = "SISMEMBER";
    /// All members: a list or a set.
    smembers [T] (key: one) -> T = "SMEMBERS";
}

/// A command that has not been sent. Awaiting it sends; dropping it sends nothing.
#[must_use = "a command is sent when it is awaited"]
pub struct Query<T> {
    call: Call<Raw>,
    shape: Shape,
    read: PhantomData<fn() -> T>,
}

/// How many replies are expected, and which of them form the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    One,
    /// All replies, as a list.
    All,
    /// The items of the last reply, which is EXEC's.
    Transaction,
}

impl<T: FromValue> Query<T> {
    /// Time limit from the first poll to the end of the call. Default: the channel's.
    pub fn timeout(self, timeout: Duration) -> Self {
        Query { call: self.call.timeout(timeout), ..self }
    }

    /// Sends the command and waits for its reply on the calling thread, without a runtime.
    ///
    /// # Errors
    /// As when it is awaited. Also FAILED_PRECONDITION on a shard's thread.
    pub fn blocking(self) -> Result<T, Status> {
        read(self.shape, self.call.blocking()?)
    }
}

impl<T: FromValue> IntoFuture for Query<T> {
    type Output = Result<T, Status>;
    type IntoFuture = QueryFuture<T>;

    fn into_future(self) -> QueryFuture<T> {
        QueryFuture { call: self.call.into_future(), shape: self.shape, read: PhantomData }
    }
}

/// A command in flight. Dropping it cancels the call; the server may run the command all the same.
pub struct QueryFuture<T> {
    call: CallFuture<Raw>,
    shape: Shape,
    read: PhantomData<fn() -> T>,
}

impl<T: FromValue> Future for QueryFuture<T> {
    type Output = Result<T, Status>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let reply = ready!(Pin::new(&mut self.call).poll(cx))?;
        Poll::Ready(read(self.shape, reply))
    }
}

fn read<T: FromValue>(shape: Shape, reply: Reply<Raw>) -> Result<T, Status> {
    let body: Bytes = reply.into_message().body.into_bytes();
    let lost = |error| Status::new(Code::DataLoss, format!("{error}")).with_origin(Origin::Local);
    match shape {
        Shape::One => T::from_value(Value::parse(body).map_err(lost)?),
        Shape::All => T::from_value(Value::Array(Value::parse_all(body).map_err(lost)?)),
        Shape::Transaction => match Value::parse_all(body).map_err(lost)?.pop() {
            Some(Value::Null | Value::NullArray) => {
                Err(Status::new(Code::Aborted, "a watched key has changed").with_origin(Origin::Remote))
            }
            Some(last) => T::from_value(last),
            None => Err(lost(super::ParseError::Truncated)),
        },
    }
}

/// Commands that are sent in one write and answered in one wait.
///
/// ```
/// # use polywire::{Channel, redis};
/// # let channel = Channel::builder("127.0.0.1:6379").protocol("redis").build().unwrap();
/// let both = redis::Client::new(channel).pipeline().set("a", 1).incr("a").read::<(String, i64)>();
/// drop(both); // nothing was sent
/// ```
#[must_use = "commands are sent when the pipeline is read"]
pub struct Pipeline {
    client: Client,
    commands: BytesMut,
    count: usize,
    atomic: bool,
}

impl Pipeline {
    /// Adds any command.
    pub fn command(mut self, command: &Command) -> Self {
        command.append(&mut self.commands);
        self.count += 1;
        self
    }

    /// Makes the commands a transaction: either all of them run, or none does. MULTI is sent before them and
    /// EXEC after them.
    pub fn atomic(self) -> Self {
        Pipeline { atomic: true, ..self }
    }

    /// Number of commands so far.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Reads the replies as a list or a tuple, in the order of the commands. `Vec<Value>` contains each reply
    /// as it is, errors included; for any other type, an error reply becomes the result.
    pub fn read<T: FromValue>(self) -> Query<T> {
        let (body, shape) = if self.atomic {
            let mut body = BytesMut::with_capacity(self.commands.len() + 32);
            Command::new("MULTI").append(&mut body);
            body.extend_from_slice(&self.commands);
            Command::new("EXEC").append(&mut body);
            (body, Shape::Transaction)
        } else {
            (self.commands, Shape::All)
        };
        Query { call: self.client.channel.call(TARGET, body), shape, read: PhantomData }
    }
}
