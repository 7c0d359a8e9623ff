//! A channel whose connections lead to the test itself.

#![allow(dead_code)] // each test binary uses its part

#[path = "../../../../server/tests/it/common/peer.rs"]
mod peer;

use bytes::Bytes;
#[allow(unused_imports)]
pub use peer::NEVER;
#[allow(unused_imports)]
pub use peer::{Peer, run};
use polywire_client::{Builder, Call, Channel, NoProtocols, Raw, Target};
use polywire_engine::transport;
use polywire_machine_testing::lab;
use tokio::sync::mpsc::{self, UnboundedReceiver};

pub const ECHO: Target = Target::fixed("test.Service", "Echo");

/// A channel of the lab's protocol, and the peers it connects to, in their order. A minute for each call.
pub fn channel() -> (Builder, UnboundedReceiver<Peer>) {
    channel_with(1 << 20)
}

/// Each direction of a connection holds up to `capacity` bytes.
pub fn channel_with(capacity: usize) -> (Builder, UnboundedReceiver<Peer>) {
    let (connects, peers) = mpsc::unbounded_channel();
    let builder = Channel::<NoProtocols>::builder("lab").protocol_set(lab::PROTOCOLS).protocol("lab");
    let builder = builder.timeout(std::time::Duration::from_secs(60)).connector(move |_| {
        let (ours, theirs) = transport::duplex("lab", capacity);
        let connected = connects.send(Peer::new(theirs)).map(|()| ours);
        std::future::ready(connected.map_err(|_| std::io::ErrorKind::ConnectionRefused.into()))
    });
    (builder, peers)
}

pub fn echo(channel: &Channel, body: &'static [u8]) -> Call<Raw> {
    channel.call(ECHO, Bytes::from_static(body))
}

/// The body of a reply.
pub fn body(reply: Result<polywire_call::Reply<Raw>, polywire_call::Status>) -> Vec<u8> {
    reply.expect("a good reply").into_message().body.to_vec()
}
