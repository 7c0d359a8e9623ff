//! A caller, a relay and a server on a network in memory, in virtual time.

mod brpc_streams;
mod changes;
mod failures;
mod fault;
mod frames;
mod limit;
mod mcpack;
mod memory;
mod numbers;
mod offered;
mod replies;
mod rest;
mod rest_rpc;
mod routes;
mod shadow;
mod sight;
mod streams;
mod thrift;
mod translation;
mod tries;
mod unary;
mod zmtp;

use crate::Relay;
use polywire_call::Status;
use polywire_client::Channel;
use polywire_protocols::Builtin;
use polywire_server::{Call, Handler, Method, Preset, Server, Service, Started};
use polywire_testkit::{Net, Served};
use polywire_wire::{Content, Delivery, Outcome, ProtocolSet, Protocols};
use std::{future::Future, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::mpsc,
};

pub struct Lab;
impl Protocols for Lab {
    fn protocol_set() -> ProtocolSet {
        Builtin::protocol_set()
    }
}
impl Preset for Lab {
    type Pages = ();
}
impl polywire_naming::Naming for Lab {}
impl polywire_routing::Routing for Lab {}

pub const SERVICE: &str = "shop.v1.Orders";

pub fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A caller, a relay without services of its own, and a server behind it.
pub struct Chain {
    pub net: Net<Lab>,
    pub behind: Served,
    /// To the relay.
    pub channel: Channel<Lab>,
}

/// The caller speaks `front`, the server is called in `back`.
pub fn chain(front: &'static str, back: &'static str, method: Method) -> Chain {
    chain_with(front, back, method, |relay| relay)
}

pub fn chain_with(
    front: &'static str,
    back: &'static str,
    method: Method,
    options: impl FnOnce(Server<Lab>) -> Server<Lab>,
) -> Chain {
    let net = Net::seeded(1);
    let service = Service::new(SERVICE, &[]).with(method);
    let behind = net.serve("behind:1", Server::<Lab>::new().service(service));
    let below = net.host("relay").builder("behind:1").protocol(back).build().expect("a channel");
    net.serve("relay:1", options(Server::<Lab>::new().catch_all(Relay::to(below))));
    let channel = net.builder("relay:1").protocol(front).build().expect("a channel");
    Chain { net, behind, channel }
}

/// A method whose handler is a closure.
pub fn method<F, H>(name: &'static str, handler: F) -> Method
where
    F: Fn(Call) -> H + Send + Sync + 'static,
    H: Future<Output = Result<Outcome, Status>> + Send + 'static,
{
    let handler = Arc::new(handler);
    Method::new(name, move || Box::new(Closure(handler.clone())))
}

/// The same with messages both ways.
pub fn streaming<F, H>(name: &'static str, handler: F) -> Method
where
    F: Fn(Call) -> H + Send + Sync + 'static,
    H: Future<Output = Result<Outcome, Status>> + Send + 'static,
{
    method(name, handler).streaming(Delivery::Messages, true)
}

/// Tells when it is dropped.
pub struct AtEnd(pub mpsc::UnboundedSender<&'static str>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        let _ = self.0.send("over"); // a test that has ended asks no more
    }
}

struct Closure<F>(Arc<F>);

impl<F, H> Handler for Closure<F>
where
    F: Fn(Call) -> H + Send + Sync + 'static,
    H: Future<Output = Result<Outcome, Status>> + Send + 'static,
{
    fn start(&self, call: Call) -> Started {
        let handler = self.0.clone();
        Started::Future(Box::pin(async move { handler(call).await.unwrap_or_else(Outcome::from) }))
    }
}

/// A successful outcome with this message.
pub fn ok(body: impl Into<polywire_base::IoBuf>) -> Outcome {
    Outcome { body: body.into(), content: Content::PROTOBUF, reply: true, ..Outcome::default() }
}

/// Why the relay says that a call has failed.
pub fn mark(status: &Status) -> Option<&str> {
    status.metadata().get_str("polywire-gateway")
}

/// What comes back from the relay when a caller sends these bytes: as many as expected, or up to the end.
pub async fn send(net: &Net<Lab>, bytes: &[u8], expected: usize) -> Vec<u8> {
    let mut stream = net.host("caller").connect("relay:1").await.expect("a connection");
    stream.write_all(bytes).await.expect("it is read");
    let mut found = vec![0; expected];
    let mut filled = 0;
    while filled < expected {
        match stream.read(&mut found[filled..]).await.expect("bytes") {
            0 => break,
            more => filled += more,
        }
    }
    found.truncate(filled);
    found
}
