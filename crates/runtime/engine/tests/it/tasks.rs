//! A connection may be polled by any task: its time limits and its signals wake the task that polled it last.

use polywire_call::Status;
#[cfg(feature = "tls")]
use polywire_engine::transport::tls;
use polywire_engine::{
    Config, Connection, Dispatcher, Fault, Faults, Next, Signal, Turn, Wires,
    memory::Memory,
    transport::{Transport, duplex},
};
use polywire_wire::{
    Cx, Event, Exchange, Head, Host, Machine, Open, Outcome, Protocol, ProtocolSet, Route, Sniff, Step,
    WireError,
};
use std::{
    future::{Future, poll_fn},
    io::IoSlice,
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
    fn request(&mut self, _: Open<'_>, _: &mut Turn) -> Next {
        Next::Continue
    }
    fn outcome(&mut self, _: Exchange, _: Outcome) -> Next {
        Next::Continue
    }
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
    (accepted(Box::new(end), true, &Arc::default()), peer)
}

fn accepted(end: Box<dyn Transport>, at_once: bool, faults: &Arc<Faults>) -> Connection<Nothing> {
    static PATIENT: Protocol = Protocol {
        name: "patient",
        sniff: |_| Sniff::NeedMore(1),
        machine: Some(|_| unreachable!("it is never recognised")),
        ..Protocol::DEFAULT
    };
    static PROTOCOLS: [&Protocol; 1] = [&PATIENT];
    let mut config = Config::new(ProtocolSet::new(&PROTOCOLS));
    assert_eq!((config.timeouts.first_bytes, config.at_once), (Some(FIRST_BYTES), false));
    config.at_once = at_once;
    config.faults = faults.clone();
    Connection::server(end, Arc::new(config), Nothing, Nothing)
}

/// Polls the connection once in a task that never runs again.
fn poll_elsewhere(connection: &mut Connection<Nothing>) {
    assert!(Pin::new(connection).poll(&mut Context::from_waker(Waker::noop())).is_pending());
}

/// The seconds of virtual time after which the connection ends; 60 or more if nothing wakes this task, since
/// it is polled then in any case.
async fn ends_after(connection: impl Future<Output = ()>) -> u64 {
    let begun = time::Instant::now();
    let _ = time::timeout(Duration::from_secs(60), connection).await;
    begun.elapsed().as_secs()
}

async fn send(peer: &mut impl Transport, bytes: &[u8]) {
    poll_fn(|cx| peer.poll_write(cx, &[IoSlice::new(bytes)])).await.unwrap();
}

/// Clients connect, and call when they have something to ask. Once they begin, they have so much time,
/// however they go on.
#[tokio::test(start_paused = true)]
async fn the_time_of_the_first_bytes_begins_with_the_first_of_them() {
    let (end, mut peer) = duplex("test", 1024);
    let faults = Arc::default();
    let driven = tokio::spawn(accepted(Box::new(end), false, &faults));
    for _ in 0..24 {
        time::sleep(Duration::from_secs(3600)).await;
        assert!(!driven.is_finished(), "a connection that has sent nothing is idle");
    }
    let begun = time::Instant::now();
    let trickle = async {
        loop {
            send(&mut peer, b"P").await;
            time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::select! {
        ended = time::timeout(Duration::from_secs(60), driven) => ended.expect("it ends").unwrap(),
        () = trickle => {}
    }
    assert_eq!((begun.elapsed().as_secs(), faults.count(Fault::FirstBytes)), (FIRST_BYTES.as_secs(), 1));
}

/// The handshake of TLS comes at once, or not at all. Where plain bytes are taken as well, nothing has begun
/// before a byte has come.
#[cfg(feature = "tls")]
#[tokio::test(start_paused = true)]
async fn where_tls_is_to_begin_its_handshake_is_timed_from_the_start() {
    let hello = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3];
    for (only, sent, ends) in
        [(true, 0, 10), (true, 1, 10), (true, 11, 10), (false, 0, 60), (false, 1, 10), (false, 11, 10)]
    {
        let (end, mut peer) = duplex("test", 1024);
        let identity = crate::tls::pair::certificate(&["localhost"]);
        let end = tls::accept(Box::new(end), crate::tls::pair::server_config(&identity, true), only);
        if sent > 0 {
            send(&mut peer, &hello[..sent]).await;
        }
        assert_eq!(
            ends_after(accepted(end, false, &Arc::default())).await,
            ends,
            "{sent} bytes, only TLS: {only}"
        );
    }
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

/// Answers its first byte with many.
struct Talks(bool);

impl Machine for Talks {
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if !std::mem::replace(&mut self.0, true) {
            cx.out.put(&[7; 100_000]);
        }
        cx.input.advance(cx.input.len());
        Ok(Step::Need(1))
    }
    fn finish(&mut self, _: &mut Cx<'_>, _: Exchange, _: Outcome) {}
}

static TALKS: Protocol = Protocol {
    name: "talks",
    sniff: |_| Sniff::Mine,
    machine: Some(|_| Box::new(Talks(false))),
    ..Protocol::DEFAULT
};

/// Readers pause, for minutes: only where memory is scarce they may not. One that reads on is not ended.
#[tokio::test(start_paused = true)]
async fn who_takes_nothing_is_let_go_in_the_end_and_soon_while_memory_is_scarce() {
    static PROTOCOLS: [&Protocol; 1] = [&TALKS];
    let scarce_from = |limit: usize| Some(Arc::new(Memory::new(limit, usize::MAX)));
    let rows = [
        ("no budget", None, false, 600..=600),
        ("enough", scarce_from(1 << 30), false, 600..=600),
        ("scarce", scarce_from(200_000), false, 30..=60),
        ("scarce, and read", scarce_from(200_000), true, 2000..=2000),
    ];
    for (what, memory, reads, ends) in rows {
        let (end, mut peer) = duplex("test", 1024);
        let mut config = Config::new(ProtocolSet::new(&PROTOCOLS));
        config.memory = memory;
        let faults = config.faults.clone();
        let mut driven = tokio::spawn(Connection::server(Box::new(end), Arc::new(config), Nothing, Nothing));
        send(&mut peer, b"x").await;
        let begun = time::Instant::now();
        let mut into = bytes::BytesMut::with_capacity(100_000);
        while begun.elapsed().as_secs() < 2000 {
            if time::timeout(Duration::from_secs(20), &mut driven).await.is_ok() {
                break;
            }
            if reads {
                poll_fn(|cx| peer.poll_read(cx, &mut into, 800)).await.unwrap();
            }
        }
        let seconds = begun.elapsed().as_secs();
        assert!(ends.contains(&seconds), "{what}: {seconds} s");
        assert_eq!(faults.count(Fault::WriteStall), u64::from(!reads), "{what}");
    }
}
