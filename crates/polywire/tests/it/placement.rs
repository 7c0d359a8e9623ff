//! On whose threads a channel's connection is driven when its callers run on a multi-thread runtime.

use bytes::BytesMut;
use polywire::{
    Channel, Engine, Handler, Method, Pooling, Resilience, Running, Server, Service, Started, Target,
    handler::{Call, Outcome},
};
use polywire_engine::{Peer, Transport, transport};
use std::{
    io::{self, IoSlice},
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Poll},
    thread,
    time::Duration,
};
use tokio::runtime::{Builder, Runtime};

/// What takes so long has hung.
const NEVER: Duration = Duration::from_secs(60);
const ECHO: Target = Target::fixed("test.Echo", "Echo");
const CALLERS: usize = 32;
/// More calls than any move needs: what has not happened by then does not happen.
const MOST: u32 = 50_000;

struct Echo;
impl Handler for Echo {
    fn start(&self, call: Call) -> Started {
        Started::Ready(Outcome { body: call.body, content: call.content, reply: true, ..Outcome::default() })
    }
}

/// Never answers.
struct Hold;
impl Handler for Hold {
    fn start(&self, _: Call) -> Started {
        Started::Future(Box::pin(std::future::pending()))
    }
}

fn server() -> Running {
    let engine = Engine::builder().shards(1).workers(1).build().unwrap();
    let service = Service::new("test.Echo", &[])
        .with(Method::new("Echo", || Box::new(Echo)))
        .with(Method::new("Hold", || Box::new(Hold)));
    Server::new().service(service).engine(&engine).serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap()
}

/// Who reads a connection.
#[derive(Default)]
struct Readers {
    /// The last one was a shard.
    on_shard: AtomicBool,
    /// Reads by shards, and by others.
    shards: AtomicU64,
    others: AtomicU64,
    /// Whether the socket fails to move, as where no file descriptor is left.
    refuses: AtomicBool,
    /// Whether it has failed to.
    refused: AtomicBool,
    /// Whether the socket loses all bytes, in both directions.
    mute: AtomicBool,
}

/// A socket that notes who reads it.
struct Watched {
    inner: Box<dyn Transport>,
    readers: Arc<Readers>,
}

impl Transport for Watched {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        into: &mut BytesMut,
        most: usize,
    ) -> Poll<io::Result<usize>> {
        if self.readers.mute.load(Relaxed) {
            return Poll::Pending; // as a server that does not answer
        }
        let thread = thread::current();
        let on_shard = thread.name().is_some_and(|name| name.starts_with("polywire-"));
        self.readers.on_shard.store(on_shard, Relaxed);
        let reads = if on_shard { &self.readers.shards } else { &self.readers.others };
        reads.fetch_add(1, Relaxed);
        self.inner.poll_read(cx, into, most)
    }
    fn poll_write(&mut self, cx: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        if self.readers.mute.load(Relaxed) {
            return Poll::Ready(Ok(slices.iter().map(|slice| slice.len()).sum())); // lost
        }
        self.inner.poll_write(cx, slices)
    }
    fn shutdown(&mut self) {
        self.inner.shutdown();
    }
    fn move_to_current_runtime(&mut self) -> io::Result<()> {
        if self.readers.refuses.load(Relaxed) {
            self.readers.refused.store(true, Relaxed);
            return Err(io::Error::other("no descriptor is left"));
        }
        self.inner.move_to_current_runtime()
    }
    fn peer(&self) -> &Peer {
        self.inner.peer()
    }
    fn local(&self) -> &Peer {
        self.inner.local()
    }
}

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn channel(server: &Running, protocol: &str, dedicated: bool) -> (Channel, Arc<Readers>) {
    let readers = Arc::new(Readers::default());
    let seen = readers.clone();
    let channel = Channel::builder(server.addresses()[0].to_string())
        .protocol(protocol)
        .timeout(NEVER)
        .resilience(Resilience::default().retries(0))
        .pooling(Pooling::default().threads(dedicated).homes(1)) // whoever calls from another runtime calls over the same connection
        .connector(move |address| {
            let (address, readers) = (address.to_owned(), seen.clone());
            async move { Ok(Watched { inner: transport::connect(&address).await?, readers }) }
        });
    (channel.build().unwrap(), readers)
}

/// So many callers call until a shard reads the connection, or no shard does; whether it came to that within
/// [`MOST`] calls of each. Every reply is its request's.
fn call_until(
    runtime: &Runtime,
    callers: usize,
    channel: &Channel,
    readers: &Arc<Readers>,
    shard: bool,
) -> bool {
    runtime.block_on(async {
        let tasks: Vec<_> = (0..callers)
            .map(|caller| {
                let (channel, readers) = (channel.clone(), readers.clone());
                tokio::spawn(async move {
                    for call in 0..MOST {
                        let body = format!("{caller}: {call}").into_bytes();
                        let reply = channel.call(ECHO, body.clone()).await.unwrap().into_message();
                        assert_eq!(reply.body.to_vec(), body);
                        if readers.on_shard.load(Relaxed) == shard {
                            return true;
                        }
                    }
                    false
                })
            })
            .collect();
        let mut came = false;
        for task in tasks {
            came |= task.await.unwrap();
        }
        came
    })
}

#[test]
fn a_connection_moves_to_a_shard_while_many_call_and_back_when_few_do() {
    let (server, runtime) = (server(), runtime());
    for protocol in ["baidu_std", "grpc"] {
        let (channel, readers) = channel(&server, protocol, true);
        for round in 0..3 {
            let came = call_until(&runtime, CALLERS, &channel, &readers, true);
            assert!(came, "{protocol}, round {round}: {CALLERS} callers, and no shard took the connection");
            let came = call_until(&runtime, 1, &channel, &readers, false);
            assert!(came, "{protocol}, round {round}: one caller, and the shard kept the connection");
        }
        assert_eq!(channel.connections_made(), 1, "it is the same connection all the time");
    }
}

#[test]
fn a_connection_stays_where_its_callers_are_if_that_was_asked_for() {
    let (server, runtime) = (server(), runtime());
    // How many calls move a connection that may be moved.
    let (moves, readers) = channel(&server, "baidu_std", true);
    assert!(call_until(&runtime, CALLERS, &moves, &readers, true), "no shard took the connection");
    let needed = readers.others.load(Relaxed);
    let (stays, readers) = channel(&server, "baidu_std", false);
    runtime.block_on(async {
        let tasks: Vec<_> = (0..CALLERS)
            .map(|_| {
                let (channel, readers) = (stays.clone(), readers.clone());
                tokio::spawn(async move {
                    for call in 0.. {
                        channel.call(ECHO, "hi").await.unwrap();
                        let enough = call >= 500 && readers.others.load(Relaxed) > 2 * needed;
                        if enough || call >= MOST || readers.shards.load(Relaxed) > 0 {
                            break;
                        }
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    });
    assert_eq!(readers.shards.load(Relaxed), 0, "no shard has ever read it");
    assert_eq!(stays.connections_made(), 1);
}

/// The runtime that the connection came from ends while a shard drives it: who calls from elsewhere is
/// served.
#[test]
fn a_moved_connection_outlives_the_end_of_its_callers_runtime() {
    let server = server();
    let (channel, readers) = channel(&server, "baidu_std", true);
    let first = runtime();
    assert!(call_until(&first, CALLERS, &channel, &readers, true));
    drop(first);
    let before = readers.shards.load(Relaxed);
    let second = runtime();
    second.block_on(async {
        for _ in 0..2000 {
            channel.call(ECHO, "hi").await.unwrap();
        }
    });
    assert_eq!(channel.connections_made(), 1, "it is the same connection");
    assert!(readers.shards.load(Relaxed) >= before + 2000, "and the shard drives it all the time");
}

/// No descriptor is left for the move: the connection stays where it is, and the deadlines of its calls hold.
#[test]
fn deadlines_hold_where_a_move_has_failed() {
    const LIMIT: Duration = Duration::from_secs(4);
    let (server, runtime) = (server(), runtime());
    let (channel, readers) = channel(&server, "baidu_std", true);
    readers.refuses.store(true, Relaxed);
    let begun = std::time::Instant::now();
    runtime.block_on(async {
        let tasks: Vec<_> = (0..CALLERS)
            .map(|_| {
                let (channel, readers) = (channel.clone(), readers.clone());
                tokio::spawn(async move {
                    for _ in 0..MOST {
                        channel.call(ECHO, "hi").timeout(LIMIT).await.unwrap();
                        if readers.refused.load(Relaxed) {
                            break;
                        }
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert!(readers.refused.load(Relaxed), "no move was tried");
        assert!(begun.elapsed() < LIMIT, "too slow to show anything");
        readers.mute.store(true, Relaxed);
        let hold = channel.call(Target::fixed("test.Echo", "Hold"), "hi").timeout(LIMIT);
        let ended = tokio::time::timeout(3 * LIMIT, async { hold.await.map(drop) }).await;
        assert!(ended.is_ok(), "a call with a time limit of {LIMIT:?} has not ended after {:?}", 3 * LIMIT);
    });
}
