//! A connection may be polled by any task: its time limits and its signals wake the task that polled it last.

use polywire_call::Status;
use polywire_engine::{Config, Connection, Dispatcher, Next, Signal, Turn, Wires, transport::duplex};
use polywire_wire::{Event, Exchange, Head, Host, Protocol, Registry, Route};
use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};
use tokio::{task::coop, time};

/// A server without methods.
struct Nothing;

impl Host for Nothing {
    fn admit(&mut self, _: &Head<'_>, _: Option<usize>) -> Result<Route, Status> {
        Err(Status::unimplemented("nothing"))
    }
    fn admit_reply(&mut self, _: Exchange, _: usize) -> bool {
        false
    }
}

impl Dispatcher for Nothing {
    type Host = Nothing;
    fn event(&mut self, _: Event<'_>, _: &mut Turn) -> Next {
        Next::Continue
    }
    fn commands(&mut self, _: &mut Wires<'_, Nothing>, _: usize) -> usize {
        0
    }
    fn sleep(&mut self, _: &Waker) -> bool {
        true
    }
    fn expire(&mut self, _: &mut Wires<'_, Nothing>) -> Option<Instant> {
        None
    }
    fn next_deadline(&self) -> Option<Instant> {
        None
    }
    fn recognised(&mut self, _: &mut Nothing, _: &'static Protocol) {}
    fn pending(&self) -> usize {
        0
    }
    fn closed(&mut self, _: &mut Nothing, _: Status) {}
}

const FIRST_BYTES: Duration = Duration::from_secs(10);

/// A connection that waits [`FIRST_BYTES`] for its peer, which sends nothing, and that peer.
fn silent() -> (Connection<Nothing>, impl Sized) {
    let (end, peer) = duplex("test", 1024);
    let config = Arc::new(Config::new(Registry::new(&[])));
    assert_eq!(config.timeouts.first_bytes, Some(FIRST_BYTES));
    (Connection::server(Box::new(end), config, Nothing, Nothing), peer)
}

/// Polls the connection once in a task that never runs again.
fn poll_elsewhere(connection: &mut Connection<Nothing>) {
    assert!(Pin::new(connection).poll(&mut Context::from_waker(Waker::noop())).is_pending());
}

/// The seconds of virtual time after which the connection ends; 60 or more if nothing wakes this task, since it is polled
/// then in any case.
async fn ends_after(connection: impl Future<Output = ()>) -> u64 {
    let begun = time::Instant::now();
    let _ = time::timeout(Duration::from_secs(60), connection).await;
    begun.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn a_time_limit_holds_in_the_second_task_of_a_connection() {
    let (mut connection, _peer) = silent();
    poll_elsewhere(&mut connection);
    assert_eq!(ends_after(connection).await, FIRST_BYTES.as_secs());
}

#[tokio::test(start_paused = true)]
async fn a_signal_reaches_the_second_task_of_a_connection() {
    let (mut connection, _peer) = silent();
    let connection_stats = connection.connection_stats().clone();
    poll_elsewhere(&mut connection);
    let driven = tokio::spawn(ends_after(connection));
    tokio::task::yield_now().await;
    connection_stats.tell(Signal::Close);
    assert_eq!(driven.await.unwrap(), 0);
}

/// Tokio registers no timer for a task that has used up its budget.
#[tokio::test(start_paused = true)]
async fn a_time_limit_holds_in_a_task_that_has_used_up_its_budget() {
    let (mut connection, _peer) = silent();
    let mut first = true;
    let driving = poll_fn(|cx| {
        if std::mem::take(&mut first) {
            while let Poll::Ready(progress) = coop::poll_proceed(cx) {
                progress.made_progress();
            }
        }
        Pin::new(&mut connection).poll(cx)
    });
    assert_eq!(ends_after(driving).await, FIRST_BYTES.as_secs());
}
