//! ZeroMQ sockets next to the services: pushed messages are published, and a tick every second.

use polywire::zmq::{Error, Port, Pub, Pull, proxy};
use std::time::Duration;

const TICK: Duration = Duration::from_secs(1);

/// The port for ZeroMQ's sockets: SUB is connected to a PUB, PUSH to a PULL. REQ and DEALER call the
/// services. Publishes on the runtime of the caller, until that ends.
pub fn port() -> Port {
    let (jobs, news) = (Pull::new(), Pub::new());
    let port = Port::new().socket(&jobs).socket(&news);
    tokio::spawn(async move {
        let ended = tokio::select! {
            ended = proxy(jobs.socket(), news.socket()) => ended,
            ended = ticks(&news) => ended,
        };
        debug_assert!(matches!(ended, Err(Error::Closed)), "{ended:?}");
    });
    port
}

async fn ticks(news: &Pub) -> Result<(), Error> {
    let mut tick = tokio::time::interval(TICK);
    for n in 0u64.. {
        tick.tick().await;
        news.send(format!("tick {n}")).await?;
    }
    Ok(())
}
