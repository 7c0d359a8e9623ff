//! A collector on a network in memory, in virtual time.

use polywire_call::Status;
use polywire_protocols::Builtin;
use polywire_server::{Call, Handler, Method, Preset, Server, Service, Started};
use polywire_testkit::Net;
use polywire_wire::{Content, Outcome, ProtocolSet, Protocols};
use std::sync::{Arc, Mutex};
use tokio::time::Instant;

pub struct Collector;
impl Protocols for Collector {
    fn protocol_set() -> ProtocolSet {
        Builtin::protocol_set()
    }
}
impl Preset for Collector {
    type Pages = ();
}
impl polywire_naming::Naming for Collector {}
impl polywire_routing::Routing for Collector {}

/// A request that has arrived, with the time, and the answer to it: nothing rejected, or an error.
#[derive(Clone, Default)]
pub struct Received {
    pub requests: Arc<Mutex<Vec<(Instant, Vec<u8>)>>>,
    pub failures: Arc<Mutex<Vec<Status>>>,
}

impl Handler for Received {
    fn start(&self, call: Call) -> Started {
        self.requests.lock().unwrap().push((Instant::now(), call.body.to_vec()));
        let failure = self.failures.lock().unwrap().pop();
        Started::Ready(match failure {
            Some(status) => Outcome { status, ..Outcome::default() },
            None => Outcome { content: Content::PROTOBUF, reply: true, ..Outcome::default() },
        })
    }
}

impl Received {
    fn service(&self, name: &'static str) -> Service {
        let own = self.clone();
        let method = Method::new("Export", move || Box::new(own.clone()));
        Service::new(name, &[]).with(method)
    }

    /// The times between requests, in seconds.
    pub fn pauses(&self) -> Vec<f64> {
        let requests = self.requests.lock().unwrap();
        requests.windows(2).map(|pair| (pair[1].0 - pair[0].0).as_secs_f64()).collect()
    }
}

/// A network with a collector at `collector:4317`, which has the service of this name.
pub fn net(received: &Received, service: &'static str) -> (Net<Collector>, impl Sized) {
    let net = Net::seeded(1);
    let served = net.serve("collector:4317", Server::<Collector>::new().service(received.service(service)));
    (net, served)
}
