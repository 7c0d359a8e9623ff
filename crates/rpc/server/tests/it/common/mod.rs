//! A server on its own engine, with closures as handlers, and peers in memory.

#![allow(dead_code)] // each test binary uses a part of this

mod peer;

#[allow(unused_imports)]
pub use peer::NEVER;
pub use peer::{Peer, run};
use polywire_base::IoBuf;
use polywire_call::{Content, Status};
use polywire_engine::{Engine, transport};
use polywire_machine_testing::lab;
use polywire_server::{Call, Handler, Method, Preset, Running, Server, Service, Started};
use polywire_wire::{Outcome, ProtocolSet, Protocols};
use std::{future::Future, net::TcpListener, sync::Arc};

pub struct Lab;
impl Protocols for Lab {
    fn protocol_set() -> ProtocolSet {
        lab::PROTOCOLS
    }
}
impl Preset for Lab {
    type Pages = polywire_pages::Pages;
}

/// An engine with one shard and two workers.
pub fn engine() -> Engine {
    Engine::builder().shards(1).workers(2).build().expect("an engine")
}

pub fn server(service: Service) -> Server<Lab> {
    Server::<Lab>::new().service(service).engine(&engine()).pages(None)
}

/// Starts a server without a listener.
pub fn start(server: Server<Lab>) -> Running {
    server.serve(TcpListener::bind("127.0.0.1:0").expect("a free port")).expect("the server starts")
}

/// Starts a server with one service.
pub fn serve(service: Service) -> Running {
    start(server(service))
}

pub fn connect(running: &Running) -> Peer {
    connect_with(running, 1 << 20)
}

/// A connection that holds up to `capacity` bytes in each direction.
pub fn connect_with(running: &Running, capacity: usize) -> Peer {
    let (ours, theirs) = transport::duplex("test", capacity);
    running.serve_stream(theirs);
    Peer::new(ours)
}

pub fn service() -> Service {
    Service::new("test.Service", &[])
}

/// A method whose handler is a closure.
pub fn method<F, H>(name: &'static str, handler: F) -> Method
where
    F: Fn(Call) -> H + Send + Sync + 'static,
    H: Future<Output = Outcome> + Send + 'static,
{
    let handler = Arc::new(handler);
    Method::new(name, move || Box::new(Closure(handler.clone())))
}

struct Closure<F>(Arc<F>);

impl<F, H> Handler for Closure<F>
where
    F: Fn(Call) -> H + Send + Sync + 'static,
    H: Future<Output = Outcome> + Send + 'static,
{
    fn start(&self, call: Call) -> Started {
        let handler = self.0.clone();
        Started::Future(Box::pin(async move { handler(call).await }))
    }
}

/// A successful outcome with this body.
pub fn ok(body: impl Into<IoBuf>) -> Outcome {
    Outcome { body: body.into(), content: Content::RAW, reply: true, ..Outcome::default() }
}

pub fn bad(status: Status) -> Outcome {
    Outcome { status, ..Outcome::default() }
}
