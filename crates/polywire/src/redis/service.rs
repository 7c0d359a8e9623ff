//! Commands to handlers.
//!
//! [`RedisService`] gets every command of every connection; [`Store`](super::Store) and
//! [`Commands`](super::Commands) are two of them. Commands of one connection come one at a time, in order.

use super::{Args, Value, Version, Writer, unknown_command};
use bytes::BytesMut;
use polywire_base::IoBuf;
use polywire_server::{Call, Context, Handler, Method, Service, Started};
use polywire_wire::{Content, Outcome};
use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

/// What answers commands.
///
/// HELLO, QUIT, RESET, AUTH of a server with an authenticator, and the parts of CLIENT that every client sends are
/// answered before they come here; RESET comes all the same, to be forgotten by.
pub trait RedisService: Send + Sync + 'static {
    /// Answers a command that needs no waiting: writes its reply and says true. Default: false, see
    /// [`RedisService::command`].
    ///
    /// It runs on the shard and must be quick.
    fn execute(&self, _cx: &Context, _command: &[u8], _out: &mut BytesMut, _version: Version) -> bool {
        false
    }

    /// Answers any other command. The name comes first among its arguments, in the case the peer wrote it.
    fn command(&self, _cx: &Context, args: Args<'_>) -> impl Future<Output = Value> + Send {
        let mut args = args;
        let name = args.next().unwrap_or_default();
        let unknown = Value::error(unknown_command(name, args));
        async { unknown }
    }
}

/// A service that takes all commands of a server: `Server::new().service(redis::service(store))`.
pub fn service(service: impl RedisService) -> Service {
    let service = Arc::new(service);
    let instance = move || -> Box<dyn Handler> {
        Box::new(Commanded { service: Arc::new(service.clone()), scratch: Mutex::default() })
    };
    // The server knows it by this name: protocols without services send everything here.
    Service::new("*", &[]).with(Method::new("command", instance))
}

/// One shard's way to the service.
struct Commanded<S> {
    /// The outer count is this shard's alone: calls take and drop it without touching a line that others write.
    #[allow(clippy::redundant_allocation)]
    service: Arc<Arc<S>>,
    /// Replies are written here one behind the other, so that most need no allocation. Locked by its shard alone.
    scratch: Mutex<BytesMut>,
}

impl<S: RedisService> Handler for Commanded<S> {
    #[inline]
    fn start(&self, mut call: Call) -> Started {
        let version = Version::of(call.content);
        let mut out = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        if self.service.execute(&call.cx, call.body.contiguous(), &mut out, version) {
            let body = if **out == b"+OK\r\n"[..] {
                out.clear();
                IoBuf::from("+OK\r\n")
            } else {
                out.split().into()
            };
            return Started::Ready(reply(body, call.content));
        }
        drop(out);
        let service = self.service.clone();
        Started::Future(Box::pin(async move {
            let value = service.command(&call.cx, Args::new(call.body.front())).await;
            let mut out = BytesMut::new();
            Writer::new(&mut out, version).value(&value);
            reply(out.into(), call.content)
        }))
    }
}

fn reply(body: IoBuf, content: Content) -> Outcome {
    Outcome { body, content, reply: true, ..Outcome::default() }
}
