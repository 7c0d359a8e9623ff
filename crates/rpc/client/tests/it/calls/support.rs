//! What the tests of calls share.

use crate::common::*;
use polywire_client::{Builder, Channel, NoProtocols};
use polywire_engine::transport;
use polywire_machine_testing::lab;
use std::{
    future::{Future, poll_fn},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::*},
    },
    task::Poll,
    time::Duration,
};

pub fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// Polls a call once, so that it is sent.
pub async fn sent<F: Future + Unpin>(call: &mut F) {
    poll_fn(|cx| {
        assert!(std::pin::Pin::new(&mut *call).poll(cx).is_pending());
        Poll::Ready(())
    })
    .await;
}

/// A channel whose first `refusals` connections are refused, and how many were tried.
pub fn refusing(
    refusals: usize,
) -> (Channel<NoProtocols>, Arc<AtomicUsize>, tokio::sync::mpsc::UnboundedReceiver<Peer>) {
    let (builder, tried, peers) = refusing_builder(refusals);
    (builder.build().expect("a channel"), tried, peers)
}

pub fn refusing_builder(
    refusals: usize,
) -> (Builder<NoProtocols>, Arc<AtomicUsize>, tokio::sync::mpsc::UnboundedReceiver<Peer>) {
    let tried = Arc::new(AtomicUsize::new(0));
    let (tries, (connects, peers)) = (tried.clone(), tokio::sync::mpsc::unbounded_channel());
    let builder = Channel::<NoProtocols>::builder("lab").protocol_set(lab::PROTOCOLS).protocol("lab");
    let builder = builder.connector(move |_| {
        let (ours, theirs) = transport::duplex("lab", 1000);
        std::future::ready(if tries.fetch_add(1, SeqCst) < refusals {
            Err(std::io::ErrorKind::ConnectionRefused.into())
        } else {
            connects.send(Peer::new(theirs)).expect("the test listens");
            Ok(ours)
        })
    });
    (builder, tried, peers)
}

/// Runs a test in virtual time.
pub fn run_paused<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    let day = Duration::from_secs(86_400);
    runtime
        .expect("a runtime")
        .block_on(async { tokio::time::timeout(day, test).await.expect("the test hangs") })
}
