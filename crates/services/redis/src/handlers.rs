//! A service made of a handler for each command.
//!
//! ```
//! use polywire::redis::{self, Answer, Commands, Value};
//!
//! let service = redis::service(
//!     Commands::new()
//!         .on("shout", 2, |_, args| Value::from(args[1].to_ascii_uppercase()))
//!         .on("add", 3, |_, args| {
//!             let number = |at: usize| std::str::from_utf8(args[at]).ok()?.parse::<i64>().ok();
//!             match (number(1), number(2)) {
//!                 (Some(a), Some(b)) => Value::Integer(a + b),
//!                 _ => Value::error("ERR value is not an integer or out of range"),
//!             }
//!         }),
//! );
//! ```
//!
//! PING, ECHO, SELECT 0, COMMAND and CONFIG GET have built-in replies that clients expect; a handler of the
//! same name replaces them. Handlers of brpc's `RedisService` can be ported to this: a handler that answered
//! "continue" answers [`Answer::Begin`] with a [`Transaction`], which gets the connection's commands from
//! then on.

use super::{
    Args, Execution, RedisService, ReplyBuf, Value, Version, Writer, unknown_command, wrong_arguments,
};
use polywire_server::Context;
use std::{
    collections::HashMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
};

type Quick = dyn Fn(&Context, &[&[u8]]) -> Answer + Send + Sync;
type Slow = dyn for<'a> Fn(&'a Context, Vec<&'a [u8]>) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>>
    + Send
    + Sync;

/// Handlers by command name.
#[derive(Default)]
pub struct Commands {
    /// The handlers by command name in lower case.
    handlers: HashMap<Box<[u8]>, Handler>,
}

struct Handler {
    /// Number of arguments, including the name; if negative, the minimum.
    arity: i32,
    run: Run,
}

enum Run {
    Quick(Box<Quick>),
    Slow(Box<Slow>),
}

/// The answer of a handler.
pub enum Answer {
    Done(Value),
    /// Replies to this command, and passes all further commands of this connection to a transaction until
    /// that is over.
    Begin(Value, Box<dyn Transaction>),
}

impl<V: Into<Value>> From<V> for Answer {
    fn from(value: V) -> Self {
        Answer::Done(value.into())
    }
}

/// Handles every command of a connection, one after the other, until it is over.
pub trait Transaction: Send {
    /// Handles a command, whose name is the first argument. Returns the reply, and `true` if this was the
    /// last command.
    fn command(&mut self, cx: &Context, args: &[&[u8]]) -> (Value, bool);
}

impl Commands {
    pub fn new() -> Self {
        Commands::default()
    }

    /// Adds a handler that does not wait. `arity`: number of arguments, including the name; if negative, the
    /// minimum. The handler gets the name as its first argument.
    pub fn on<A: Into<Answer>>(
        self,
        name: &str,
        arity: i32,
        handler: impl Fn(&Context, &[&[u8]]) -> A + Send + Sync + 'static,
    ) -> Self {
        self.with(name, arity, Run::Quick(Box::new(move |cx, args| handler(cx, args).into())))
    }

    /// Adds an async handler: `|cx, args| Box::pin(async move { ... })`.
    pub fn on_async(
        self,
        name: &str,
        arity: i32,
        handler: impl for<'a> Fn(&'a Context, Vec<&'a [u8]>) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.with(name, arity, Run::Slow(Box::new(handler)))
    }

    fn with(mut self, name: &str, arity: i32, run: Run) -> Self {
        let name = name.to_ascii_lowercase().into_bytes().into();
        self.handlers.insert(name, Handler { arity, run });
        self
    }

    /// The handler of a command with these arguments.
    ///
    /// # Errors
    /// The error reply, if there is no such command or the number of arguments is wrong.
    fn find(&self, args: &[&[u8]]) -> Result<&Handler, Value> {
        let name = args.first().copied().unwrap_or_default();
        let Some(handler) = self.handlers.get(&*name.to_ascii_lowercase()) else {
            return Err(builtin(args));
        };
        let wanted = handler.arity.unsigned_abs() as usize;
        let fits = if handler.arity < 0 { args.len() >= wanted } else { args.len() == wanted };
        if fits { Ok(handler) } else { Err(Value::error(wrong_arguments(&String::from_utf8_lossy(name)))) }
    }
}

/// The transaction of a connection. Commands of a connection come one at a time, so this lock is never
/// contended.
#[derive(Default)]
struct Connection(Mutex<Option<Box<dyn Transaction>>>);

impl Connection {
    /// The transaction's reply, if there is a transaction.
    fn command(&self, cx: &Context, args: &[&[u8]]) -> Option<Value> {
        let mut slot = polywire_base::lock(&self.0);
        if args.first().is_some_and(|name| name.eq_ignore_ascii_case(b"reset")) {
            *slot = None;
            return Some(Value::Simple("RESET".into()));
        }
        let (value, over) = slot.as_mut()?.command(cx, args);
        if over {
            *slot = None;
        }
        Some(value)
    }

    fn take(&self, answer: Answer) -> Value {
        match answer {
            Answer::Done(value) => value,
            Answer::Begin(value, transaction) => {
                *polywire_base::lock(&self.0) = Some(transaction);
                value
            }
        }
    }
}

impl RedisService for Commands {
    fn execute(&self, cx: &Context, command: &[u8], out: &mut ReplyBuf, version: Version) -> Execution {
        let args: Vec<&[u8]> = Args::new(command).collect();
        let connection: Arc<Connection> = cx.session(Connection::default);
        let value = match connection.command(cx, &args) {
            Some(value) => value,
            None => match self.find(&args) {
                Ok(Handler { run: Run::Quick(run), .. }) => connection.take(run(cx, &args)),
                Ok(Handler { run: Run::Slow(_), .. }) => return Execution::Waits,
                Err(value) => value,
            },
        };
        Writer::limited(out, version, usize::MAX).value(&value);
        Execution::Done
    }

    async fn command(&self, cx: &Context, args: Args<'_>) -> Value {
        let args: Vec<&[u8]> = args.collect();
        match self.find(&args) {
            Ok(Handler { run: Run::Slow(run), .. }) => {
                let answer = run(cx, args).await;
                cx.session(Connection::default).take(answer)
            }
            Ok(Handler { run: Run::Quick(run), .. }) => cx.session(Connection::default).take(run(cx, &args)),
            Err(value) => value,
        }
    }
}

/// Replies to commands that clients send to any server.
fn builtin(args: &[&[u8]]) -> Value {
    let lower: Vec<_> = args.iter().map(|arg| arg.to_ascii_lowercase()).collect();
    let words: Vec<&[u8]> = lower.iter().map(|word| &word[..]).collect();
    match words[..] {
        [b"ping"] => Value::Simple("PONG".into()),
        [b"ping" | b"echo", _] => Value::bulk(args[1]),
        [b"select", b"0"] | [b"quit"] => Value::OK,
        [b"select", _] => Value::error("ERR DB index is out of range"),
        [b"command", b"count"] => Value::Integer(0),
        [b"command", b"docs", ..] | [b"config", b"get", _, ..] => Value::Map(Vec::new()),
        [b"command", ..] => Value::Array(Vec::new()),
        [name @ (b"ping" | b"echo" | b"select" | b"config"), ..] => {
            Value::error(wrong_arguments(&String::from_utf8_lossy(name)))
        }
        _ => {
            let mut args = args.iter().copied();
            Value::error(unknown_command(args.next().unwrap_or_default(), args))
        }
    }
}
