//! Drives protocols whose calls do not have one reply each: ZeroMQ's patterns without replies, where pushed
//! messages are published again, a stream over WebSocket, and commands of MongoDB.

use super::mongo;
use crate::{
    failure::Failure,
    flow::{self, Flow, Flowed, Pattern},
    peer::PeerArguments,
    protocols::DEFAULT,
    websocket,
};
use polywire::Engine;
use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// Number of rows.
pub const ROWS: u32 = 4;
/// Sockets that subscribe, or have a stream or commands under way.
const SOCKETS: usize = 10;

/// A row: the protocol, the kind of messages, and their amount.
pub type Row = (&'static str, &'static str, Flowed);

/// Runs the patterns one after the other, each for the time `each`: PUSH alone, then SUB while there is a
/// PUSH; the figures of a pattern are those of this process's sockets of that kind.
pub async fn all(
    address: &str,
    engine: &Engine,
    each: Duration,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<Row>, Failure> {
    let push = Flow {
        pattern: Pattern::Push,
        peer: PeerArguments::new(address.to_owned(), "zmtp"),
        sockets: 1,
        message: format!("demo {}", "x".repeat(95)).into(),
        duration: Some(each),
    };
    let sub = Flow { pattern: Pattern::Sub, sockets: SOCKETS, message: "demo".into(), ..push.clone() };
    let chat = Flow {
        pattern: Pattern::Stream(websocket::METHOD.to_owned()),
        peer: PeerArguments::new(address.to_owned(), websocket::NAME),
        message: DEFAULT.request.into(),
        ..sub.clone()
    };
    let pushed = flow::run(&push, engine, stop).await?;
    let (published, fed) = tokio::join!(flow::run(&sub, engine, stop), flow::run(&push, engine, stop));
    fed?;
    let chatted = flow::run(&chat, engine, stop).await?;
    let found = mongo::run(address, SOCKETS, each, stop).await?;
    Ok(vec![
        ("zmtp", "PUSH/PULL", pushed),
        ("zmtp", "PUB/SUB", published?),
        (websocket::NAME, "stream", chatted),
        ("mongo", "find", found),
    ])
}
