//! The service that answers the commands of a server.
//!
//! A [`RedisService`] gets every command of every connection; `Store` and [`Commands`](super::Commands)
//! implement it. Commands of one connection arrive one at a time, in order.

use super::{Args, ReplyBuf, Value, Version, Writer, unknown_command};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_protocols::redis::PROTOCOL;
use polywire_server::{Call, Context, Handler, Method, Service, Started};
use polywire_wire::{Content, Outcome};
use std::{
    future::Future,
    sync::{Arc, Mutex},
};

/// Answers commands.
///
/// HELLO, QUIT, RESET, AUTH of a server with an authenticator, and the parts of CLIENT that every client
/// sends are answered before they reach the service. RESET is passed on as well, so that the service can
/// reset the state of the connection.
pub trait RedisService: Send + Sync + 'static {
    /// Answers a command that needs no waiting, if it can be done at once. Default: [`Execution::Waits`].
    ///
    /// It runs on the shard and must be quick.
    fn execute(&self, _cx: &Context, _command: &[u8], _out: &mut ReplyBuf, _version: Version) -> Execution {
        Execution::Waits
    }

    /// Writes the reply to a command for which [`RedisService::execute`] returned [`Execution::Long`]. Runs
    /// on the work pool.
    fn execute_long(
        &self,
        cx: &Context,
        command: &[u8],
        out: &mut ReplyBuf,
        version: Version,
    ) -> impl Future<Output = ()> + Send {
        async move {
            let value = self.command(cx, Args::new(command)).await;
            Writer::limited(out, version, usize::MAX).value(&value);
        }
    }

    /// Answers any other command. The first argument is its name, spelt as the peer sent it.
    fn command(&self, _cx: &Context, args: Args<'_>) -> impl Future<Output = Value> + Send {
        let mut args = args;
        let name = args.next().unwrap_or_default();
        let unknown = Value::error(unknown_command(name, args));
        async { unknown }
    }
}

/// The result of running a command on its shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Execution {
    /// The reply has been written.
    Done,
    /// The command was not executed: [`RedisService::command`] has to answer, where waiting is possible.
    Waits,
    /// The command was not executed: [`RedisService::execute_long`] has to answer on the work pool, since it
    /// takes long.
    Long,
}

/// Makes a service that gets all Redis commands of a server: `Server::new().service(redis::service(store))`.
pub fn service(service: impl RedisService) -> Service {
    let service = Arc::new(service);
    let instance = move || -> Box<dyn Handler> {
        Box::new(Commanded { service: Arc::new(service.clone()), scratch: Mutex::default() })
    };
    Service::bound(PROTOCOL.name).with(Method::new("command", instance))
}

/// One shard's reference to the service, for one command.
struct Commanded<S> {
    /// The outer count belongs to this shard alone: calls clone and drop it without touching a cache line
    /// that other shards write.
    #[allow(clippy::redundant_allocation)]
    service: Arc<Arc<S>>,
    /// Replies are written here one after the other, so that most need no allocation. Only its shard locks
    /// it.
    scratch: Mutex<ReplyBuf>,
}

impl<S: RedisService> Handler for Commanded<S> {
    #[inline]
    fn start(&self, mut call: Call) -> Started {
        let version = Version::of(call.content);
        let mut out = polywire_base::lock(&self.scratch);
        out.clear(); // a command that panicked may have left part of a reply
        let execution = self.service.execute(&call.cx, call.body.contiguous(), &mut out, version);
        if execution == Execution::Done {
            let body = if out.as_slice() == Some(b"+OK\r\n") {
                out.clear();
                IoBuf::from("+OK\r\n")
            } else {
                out.take()
            };
            return Started::Ready(reply(body, call.content));
        }
        drop(out);
        if execution == Execution::Long {
            return Started::Future(Box::pin(long(Arc::clone(&*self.service), call)));
        }
        let service = self.service.clone();
        Started::Future(Box::pin(async move {
            let value = service.command(&call.cx, Args::new(call.body.front())).await;
            let mut out = ReplyBuf::default();
            Writer::limited(&mut out, version, usize::MAX).value(&value);
            reply(out.take(), call.content)
        }))
    }
}

/// Runs a command on the work pool.
async fn long<S: RedisService>(service: Arc<S>, mut call: Call) -> Outcome {
    if call.body.len() < 4096 {
        call.body = IoBuf::copy_from_slice(call.body.contiguous()); // so that it does not pin the read buffer
    }
    let content = call.content;
    let run = async move {
        let mut out = ReplyBuf::default();
        let version = Version::of(call.content);
        service.execute_long(&call.cx, call.body.contiguous(), &mut out, version).await;
        out
    };
    let out = match polywire_engine::current_shard() {
        Some(shard) => shard.work().spawn(run).await,
        None => Ok(run.await), // the call does not run on a shard
    };
    match out {
        Ok(mut out) => reply(out.take(), content),
        Err(_) => Status::internal("the command was cancelled").into(),
    }
}

fn reply(body: IoBuf, content: Content) -> Outcome {
    Outcome { body, content, reply: true, ..Outcome::default() }
}
