//! ZeroMQ's patterns without replies: what is pushed is published.

use crate::{
    failure::Failure,
    flow::{self, Flow, Flowed, Pattern},
};
use polywire::Engine;
use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// Number of patterns.
pub const PATTERNS: u32 = 2;
/// Number of subscribing sockets.
const SUBSCRIBERS: usize = 10;

/// PUSH alone, then SUB while there is a PUSH, `each` for this long. A pattern's figures are those of our
/// sockets of that kind.
pub async fn all(
    address: &str,
    engine: &Engine,
    each: Duration,
    stop: &Arc<AtomicBool>,
) -> Result<Vec<(&'static str, Flowed)>, Failure> {
    let push = Flow {
        pattern: Pattern::Push,
        server: address.to_owned(),
        sockets: 1,
        message: format!("demo {}", "x".repeat(95)).into(),
        duration: Some(each),
    };
    let sub = Flow { pattern: Pattern::Sub, sockets: SUBSCRIBERS, message: "demo".into(), ..push.clone() };
    let pushed = flow::run(&push, engine, stop).await?;
    let (published, fed) = tokio::join!(flow::run(&sub, engine, stop), flow::run(&push, engine, stop));
    fed?;
    Ok(vec![("PUSH/PULL", pushed), ("PUB/SUB", published?)])
}
