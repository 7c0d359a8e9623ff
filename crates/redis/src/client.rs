//! Calling a Redis server.
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
//! The protocol's name says more: `redis:3` asks for RESP3, `redis:db=5` for a database. Replies read alike in both
//! versions. Error replies are [`Status`]es that carry the server's text.
//!
//! Commands that concern a whole connection (SUBSCRIBE, WATCH, BLPOP) want one of their own: a channel whose kind is
//! `Pooled` or `Short`. A transaction in one go ([`Pipeline::atomic`]) does not.

use super::{Argument, Command, FromValue, Value};
use bytes::{Bytes, BytesMut};
use polywire_call::{Code, Origin, Reply, Status};
use polywire_client::{Call, CallFuture, Channel, Raw, Target};
use polywire_protocols::Builtin;
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
    channel: Channel<Builtin>,
}

/// What is called when the body says it all.
const TARGET: Target = Target::fixed("", "");

impl Client {
    /// A client over a channel whose protocol is `redis`.
    pub fn new(channel: Channel<Builtin>) -> Self {
        Client { channel }
    }

    /// Any command; its reply is read as `T`.
    pub fn call<T: FromValue>(&self, command: &Command) -> Query<T> {
        Query { call: self.channel.call(TARGET, command.wire()), shape: Shape::One, read: PhantomData }
    }

    /// Several commands that go out together and whose replies come together.
    pub fn pipeline(&self) -> Pipeline {
        Pipeline { client: self.clone(), commands: BytesMut::new(), count: 0, atomic: false }
    }
}

/// The commands that have methods, on a client and on a pipeline: `name(arguments) -> reply`; `[T]` where the caller
/// chooses what a reply is read as.
macro_rules! commands {
    ($(
        $(#[$doc:meta])*
        $name:ident $([$read:ident])? ($($arg:ident: $kind:ident),*) -> $reply:ty = $word:literal;
    )*) => {
        /// Commands with methods; [`Client::call`] sends any other.
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

/// How each kind of argument is added.
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
    /// In milliseconds, as the commands with `P` take it.
    fn seconds(self, time: Duration) -> Self {
        self.arg(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }
}

commands! {
    /// `PONG`.
    ping() -> String = "PING";
    /// The string under a key; `Option` if there may be none.
    get [T] (key: one) -> T = "GET";
    /// Sets a string.
    set(key: one, value: one) -> () = "SET";
    /// Takes a string and its key away.
    getdel [T] (key: one) -> T = "GETDEL";
    /// The strings under several keys: a list of `Option`.
    mget [T] (keys: list) -> T = "MGET";
    /// Sets several keys at once.
    mset(pairs: pairs) -> () = "MSET";
    /// Sets a key that does not exist; whether it did.
    setnx(key: one, value: one) -> bool = "SETNX";
    /// Sets a key that ends after this time, in steps of a millisecond.
    psetex(key: one, ends_in: seconds, value: one) -> () = "PSETEX";
    /// Appends to a string; its length then.
    append(key: one, value: one) -> i64 = "APPEND";
    /// Length of a string in bytes.
    strlen(key: one) -> i64 = "STRLEN";
    /// Adds one to a number; the sum.
    incr(key: one) -> i64 = "INCR";
    /// Adds to a number; the sum.
    incrby(key: one, by: one) -> i64 = "INCRBY";
    /// Subtracts one from a number; the difference.
    decr(key: one) -> i64 = "DECR";
    /// Deletes keys; how many there were.
    del(keys: list) -> i64 = "DEL";
    /// How many of these keys exist.
    exists(keys: list) -> i64 = "EXISTS";
    /// Lets a key end after this time, in steps of a millisecond; whether it exists.
    pexpire(key: one, ends_in: seconds) -> bool = "PEXPIRE";
    /// Milliseconds until a key ends; -1 if it does not, -2 if there is none.
    pttl(key: one) -> i64 = "PTTL";
    /// Lets a key not end; whether it would have.
    persist(key: one) -> bool = "PERSIST";
    /// Keys that fit a pattern: a list. Visits all keys.
    keys [T] (pattern: one) -> T = "KEYS";
    /// Puts items at the front of a list; its length.
    lpush(key: one, items: list) -> i64 = "LPUSH";
    /// Puts items at the back of a list; its length.
    rpush(key: one, items: list) -> i64 = "RPUSH";
    /// Takes an item off the front of a list; `Option` if there may be none.
    lpop [T] (key: one) -> T = "LPOP";
    /// Takes an item off the back of a list; `Option` if there may be none.
    rpop [T] (key: one) -> T = "RPOP";
    /// Items of a list.
    llen(key: one) -> i64 = "LLEN";
    /// A part of a list, as a list; negative ends count from the back.
    lrange [T] (key: one, start: one, end: one) -> T = "LRANGE";
    /// Sets fields of a hash; how many are new.
    hset(key: one, fields: pairs) -> i64 = "HSET";
    /// The value of a field; `Option` if there may be none.
    hget [T] (key: one, field: one) -> T = "HGET";
    /// All fields and values: a map.
    hgetall [T] (key: one) -> T = "HGETALL";
    /// Deletes fields; how many there were.
    hdel(key: one, fields: list) -> i64 = "HDEL";
    /// Adds members to a set; how many are new.
    sadd(key: one, members: list) -> i64 = "SADD";
    /// Removes members; how many there were.
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

/// How many replies there are, and which of them are the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    One,
    /// All of them, as a list.
    All,
    /// What is in the last one: EXEC's.
    Transaction,
}

impl<T: FromValue> Query<T> {
    /// From first poll to end. Default: the channel's.
    pub fn timeout(self, timeout: Duration) -> Self {
        Query { call: self.call.timeout(timeout), ..self }
    }

    /// Sends and waits on the calling thread, without a runtime.
    ///
    /// # Errors
    /// As awaiting it; and FAILED_PRECONDITION on a shard's thread.
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

/// A command under way. Dropping it gives it up; it may be carried out all the same.
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

/// Commands that go out together, in one write and one wait.
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

    /// Carries out all commands at once or none of them: MULTI goes before them and EXEC behind.
    pub fn atomic(self) -> Self {
        Pipeline { atomic: true, ..self }
    }

    /// Commands so far.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Reads the replies as a list or a tuple, in the order of the commands; `Vec<Value>` takes each as it is, errors
    /// included. For any other type an error reply is the result.
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
