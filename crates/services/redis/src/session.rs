//! A connection for exclusive use.

use crate::{
    Argument, Command, Execute, FromValue, Pipeline, Value,
    conversation::{conversation, left, next, parse, within},
    query,
};
use bytes::Bytes;
use polywire_call::{Code, Origin, Status};
use polywire_client::{Channel, Stream};
use std::{
    future::{Future, IntoFuture},
    marker::PhantomData,
    pin::Pin,
    time::Duration,
};

/// A connection that no other call uses, for commands that concern the whole connection: WATCH, BLPOP, CLIENT
/// REPLY and the like are safe here. It closes when it is dropped. It ends with UNAVAILABLE when its server
/// is no longer one of the channel's, such as a master that was replaced.
///
/// ```no_run
/// # async fn example(redis: polywire::redis::Client) -> Result<(), polywire::Status> {
/// let mut own = redis.session("stock").await?;
/// loop {
///     own.watch(["stock"]).await?;
///     let stock: i64 = own.get("stock").await?;
///     let done: Option<(i64,)> = own.exec(redis.pipeline().decrby("stock", stock.min(3))).await?;
///     if done.is_some() {
///         break; // else another client has changed it meanwhile
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct Session {
    stream: Stream,
    /// The number of replies to commands whose futures were dropped.
    owed: usize,
    timeout: Duration,
    ended: bool,
}

impl Session {
    /// Opens a connection over a channel of the kind `Pooled` or `Short`.
    ///
    /// # Errors
    /// FAILED_PRECONDITION: the channel has another kind. A connection that cannot be made fails the first
    /// command.
    pub async fn open<P>(channel: &Channel<P>) -> Result<Self, Status> {
        Ok(Session {
            stream: conversation(channel).await?,
            owed: 0,
            timeout: Duration::from_secs(5),
            ended: false,
        })
    }

    /// Sets the time limit of each command. Default: 5 s. A command that exceeds it ends the session.
    pub fn set_timeout(&mut self, timeout: Duration) {
        self.timeout = timeout;
    }

    /// Sends any command; its reply is read as `T`.
    ///
    /// # Errors
    /// The server's error; DEADLINE_EXCEEDED or UNAVAILABLE, after which the session has ended.
    pub async fn call<T: FromValue>(&mut self, command: &Command) -> Result<T, Status> {
        let mut replies = self.send(command.wire(), 1).await?;
        T::from_value(replies.pop().unwrap_or(Value::Null))
    }

    /// Sends commands together; the replies are read like those of [`Pipeline::read`].
    ///
    /// # Errors
    /// The errors of [`Session::call`].
    pub async fn pipeline<T: FromValue>(&mut self, pipeline: Pipeline) -> Result<T, Status> {
        let count = pipeline.len();
        T::from_value(Value::Array(self.send(pipeline.into_wire().freeze(), count).await?))
    }

    /// Watches keys: the next [`Session::exec`] does nothing if one of them changes before it.
    ///
    /// # Errors
    /// The errors of [`Session::call`].
    pub async fn watch(&mut self, keys: impl IntoIterator<Item = impl Argument>) -> Result<(), Status> {
        self.call(&keys.into_iter().fold(Command::new("WATCH"), Command::key)).await
    }

    /// Forgets the watched keys.
    ///
    /// # Errors
    /// The errors of [`Session::call`].
    pub async fn unwatch(&mut self) -> Result<(), Status> {
        self.call(&Command::new("UNWATCH")).await
    }

    /// Runs the commands as a transaction: MULTI, the commands and EXEC in one write. `None`: a watched key
    /// has changed, and no command was executed.
    ///
    /// # Errors
    /// Like [`Session::call`]. FAILED_PRECONDITION: a command could not be queued, so that none was executed.
    pub async fn exec<T: FromValue>(&mut self, pipeline: Pipeline) -> Result<Option<T>, Status> {
        let count = pipeline.len() + 2;
        let replies = self.send(pipeline.atomic().into_wire().freeze(), count).await?;
        match query::transaction(replies) {
            Ok(replies) => T::from_value(replies).map(Some),
            Err(status) if status.code() == Code::Aborted => Ok(None),
            Err(status) => Err(status),
        }
    }

    async fn send(&mut self, commands: Bytes, count: usize) -> Result<Vec<Value>, Status> {
        if self.ended {
            return Err(Status::unavailable("the session has ended").with_origin(Origin::Local));
        }
        if self.stream.server_has_left() {
            self.ended = true;
            return Err(left());
        }
        let timeout = self.timeout;
        let sent = within(timeout, self.exchange(commands, count)).await;
        let sent = sent.unwrap_or_else(|| {
            Err(Status::new(Code::DeadlineExceeded, format!("no reply within {timeout:?}"))
                .with_origin(Origin::Local))
        });
        self.ended |= sent.is_err();
        sent
    }

    async fn exchange(&mut self, commands: Bytes, count: usize) -> Result<Vec<Value>, Status> {
        // They are owed from now on: if this future is dropped, the next command skips them.
        let skipped = self.owed;
        self.owed += count;
        self.stream.send(commands).await?;
        let mut replies = Vec::with_capacity(count.min(1024));
        for at in 0..skipped + count {
            let reply = loop {
                let frame = next(&mut self.stream).await?;
                // Pushes of RESP3 answer no command.
                if !frame.starts_with(b">") {
                    break frame;
                }
            };
            self.owed -= 1;
            if at >= skipped {
                replies.push(parse(reply)?);
            }
        }
        Ok(replies)
    }
}

impl<'s> Execute for &'s mut Session {
    type Returns<T: FromValue> = SessionQuery<'s, T>;

    fn execute<T: FromValue>(self, command: Command) -> SessionQuery<'s, T> {
        SessionQuery { session: self, command, read: PhantomData }
    }
}

/// A command of a session that has not been sent. Awaiting it sends; dropping it sends nothing.
#[must_use = "a command is sent when it is awaited"]
pub struct SessionQuery<'s, T> {
    session: &'s mut Session,
    command: Command,
    read: PhantomData<fn() -> T>,
}

impl<'s, T: FromValue + 's> IntoFuture for SessionQuery<'s, T> {
    type Output = Result<T, Status>;
    type IntoFuture = Pin<Box<dyn Future<Output = Result<T, Status>> + Send + 's>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.session.call(&self.command).await })
    }
}
