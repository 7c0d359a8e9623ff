//! What a client and sockets of ZeroMQ hold for peers, over which there is no budget: never more than
//! docs/limits.md says. The servers are a process of their own, so that the allocator of this one counts the
//! client alone.

use crate::{
    MEMORY,
    talk::{Line, Talk, TalkClient},
};
use polywire::{
    Bounds, Channel, Context, Reply, Server, Status, Stream, Streaming, stream, wire::Compression, zmq,
};
use polywire_machine_testing::until;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};
use tokio::task::JoinSet;

/// Set for the process that is the server.
const ROLE: &str = "POLYWIRE_TEST_TALKER";
const KIB: isize = 1 << 10;
const MIB: isize = 1 << 20;

/// Sends lines without end, each with so many letters as it is told, compressed if it is told so.
struct Talks;

fn line(request: &Line) -> Line {
    Line { text: "a".repeat(request.number as usize), ..Line::default() }
}

impl Talk for Talks {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        let reply = Reply::new(line(&request));
        Ok(if request.text == "gzip" { reply.compress(Compression::GZIP) } else { reply })
    }
    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        if request.text == "gzip" {
            cx.reply_compression(Compression::GZIP);
        }
        let (sender, lines) = stream(1);
        cx.spawn(async move {
            loop {
                sender.send(line(&request)).await?;
            }
        });
        Ok(lines)
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Err(Status::unimplemented("not here"))
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

/// The other process runs this test alone, until its standard input ends.
#[test]
fn the_talker() {
    if std::env::var_os(ROLE).is_none() {
        return; // not that process
    }
    let running = Server::new()
        .bounds(Bounds::default().shedding(None))
        .service(Talks.into_service())
        .listen("127.0.0.1:0")
        .start()
        .expect("a port");
    println!("listening on {}", running.addresses()[0]);
    let _ = std::io::stdin().read(&mut [0]); // until the parent ends
}

struct Talker {
    child: Child,
    /// It may say more.
    _stdout: BufReader<ChildStdout>,
    address: String,
}

impl Talker {
    fn start() -> Talker {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", "waiting::the_talker", "--nocapture"]).env(ROLE, "1");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let lines = stdout.by_ref().lines();
        let line = lines.map_while(Result::ok).find(|line| line.contains("listening on "));
        let line = line.expect("its address");
        let address = line.rsplit(' ').next().expect("a word").to_owned();
        Talker { child, _stdout: stdout, address }
    }

    fn channel(&self, protocol: &str) -> Channel {
        let channel = Channel::builder(&*self.address).protocol(protocol).timeout(None);
        channel.build().expect("the options are right")
    }
}

impl Drop for Talker {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended
        let _ = self.child.wait();
    }
}

/// What is held once that has not changed for a while.
async fn settled() -> isize {
    let (mut memory, mut since, begin) = (MEMORY.in_use(), Instant::now(), Instant::now());
    while since.elapsed() < Duration::from_millis(300) && begin.elapsed() < Duration::from_secs(30) {
        tokio::time::sleep(Duration::from_millis(5)).await;
        if (MEMORY.in_use() - memory).abs() > KIB {
            (memory, since) = (MEMORY.in_use(), Instant::now());
        }
    }
    MEMORY.in_use()
}

fn block_on(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(test);
}

/// A reader that takes one message and no more: a window of bytes for each stream, `Limits::ahead` of
/// messages, and by how much the windows of a connection may grow.
#[test]
fn messages_that_a_reader_does_not_take_are_a_window_for_each_stream() {
    let _alone = crate::alone();
    let talker = Talker::start();
    block_on(async {
        for protocol in ["grpc", "grpc-web", "connect", "http", "baidu_std"] {
            for letters in [5, 10_000] {
                let talk = TalkClient::new(talker.channel(protocol));
                let before = settled().await;
                let mut streams = Vec::new();
                for _ in 0..STREAMS {
                    let request = Line { number: letters, ..Line::default() };
                    let mut lines = talk.count(request).await.expect(protocol);
                    lines.next().await.expect("a line").expect(protocol);
                    streams.push(lines);
                }
                let held = settled().await - before;
                println!("{protocol}, {letters} letters: {held} bytes for {STREAMS} streams");
                assert!(held > 16 * KIB * STREAMS, "{protocol}: they wait here: {held}");
                // brpc's protocol has windows of its sender's choice.
                let each = if protocol == "baidu_std" { 3 * MIB } else { 512 * KIB };
                assert!(held < STREAMS * each + 6 * MIB, "{protocol}: {held} bytes");
                if protocol == "baidu_std" {
                    read_at_once(streams).await;
                    continue;
                }
                for lines in &mut streams {
                    for _ in 0..1200 {
                        lines.next().await.expect("a line").expect(protocol); // and none is lost
                    }
                }
            }
        }
    });
}
const STREAMS: isize = 8;

/// Reads all streams until each has had 1200 messages. Where one is full its connection is not read, so that
/// others may wait for messages that are behind those of this one.
async fn read_at_once(streams: Vec<Streaming<Line>>) {
    let few = Arc::new(AtomicUsize::new(streams.len()));
    let mut readers = JoinSet::new();
    for mut lines in streams {
        let few = few.clone();
        readers.spawn(async move {
            for count in 1.. {
                lines.next().await.expect("a line").expect("no failure"); // and none is lost
                let left = if count == 1200 { few.fetch_sub(1, SeqCst) - 1 } else { few.load(SeqCst) };
                if left == 0 {
                    break;
                }
            }
        });
    }
    readers.join_all().await;
}

/// Compressed messages wait as they came, and become what they are when they are asked for: 256 KiB of gzip
/// would be 256 MiB.
#[test]
fn compressed_messages_that_a_reader_does_not_take_stay_compressed() {
    let _alone = crate::alone();
    let talker = Talker::start();
    block_on(async {
        for protocol in ["grpc", "connect"] {
            let talk = TalkClient::new(talker.channel(protocol));
            let before = settled().await;
            let mut streams = Vec::new();
            for _ in 0..4 {
                let request = Line { number: 1 << 20, text: "gzip".into() };
                let mut lines = talk.count(request).await.expect(protocol);
                let first = lines.next().await.expect("a line").expect(protocol);
                assert_eq!(first.text.len(), 1 << 20);
                drop(first);
                streams.push(lines);
            }
            let held = settled().await - before;
            println!("{protocol}: {held} bytes for 4 streams");
            assert!(held < 4 * 2 * MIB, "{protocol}: {held} bytes");
            for lines in &mut streams {
                for _ in 0..20 {
                    let line = lines.next().await.expect("a line").expect(protocol);
                    assert_eq!(line.text.len(), 1 << 20, "and none is lost");
                }
            }
        }
    });
}

/// Replies of calls that were started and that nobody asks about: one for each call, compressed or not.
#[test]
fn replies_that_nobody_reads_are_one_for_each_call() {
    let _alone = crate::alone();
    let talker = Talker::start();
    block_on(async {
        for protocol in ["baidu_std", "grpc", "http:proto"] {
            let talk = TalkClient::new(talker.channel(protocol));
            let ask = |text: &str| talk.say(Line { number: 1 << 20, text: text.into() });
            ask("").await.expect(protocol);
            for text in ["", "gzip"] {
                let before = settled().await;
                let calls: Vec<_> = (0..CALLS).map(|_| ask(text).start()).collect();
                let held = settled().await - before;
                println!("{protocol} {text}: {held} bytes for {CALLS} calls");
                // Of HTTP/1 each call has a connection, with what it reads into.
                assert!(held < CALLS * MIB / 10 * 13 + 4 * MIB, "{protocol} {text}: {held} bytes");
                for call in calls {
                    assert_eq!(call.await.expect(protocol).text.len(), 1 << 20);
                }
            }
        }
    });
}
const CALLS: isize = 64;

/// A peer of ZMTP that has shaken hands.
fn peer(address: &str, kind: &str) -> TcpStream {
    let mut peer = TcpStream::connect(address.trim_start_matches("tcp://")).expect("it listens");
    let mut bytes = [&b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\x01NULL"[..], &[0; 48]].concat();
    bytes.extend_from_slice(&[4, 22 + kind.len() as u8]);
    bytes.extend_from_slice(b"\x05READY\x0bSocket-Type\0\0\0");
    bytes.push(kind.len() as u8);
    bytes.extend_from_slice(kind.as_bytes());
    peer.write_all(&bytes).expect("it reads");
    peer.set_read_timeout(Some(Duration::from_secs(10))).expect("possible");
    peer.read_exact(&mut [0; 64]).expect("a greeting");
    peer.set_nonblocking(true).expect("possible");
    peer
}

/// The queues of a socket at their marks: of short messages as many as the mark says, of long ones 16 MiB,
/// for each peer.
#[test]
fn messages_that_a_socket_does_not_receive_end_at_the_mark_or_at_16_mib_a_peer() {
    let _alone = crate::alone();
    block_on(async {
        for (letters, bound) in [(5, 2 * MIB), (200_000, 20 * MIB)] {
            let pull = zmq::Pull::new();
            let address = pull.bind("tcp://127.0.0.1:0").expect("a port");
            let mut peers: Vec<_> = (0..2).map(|_| peer(&address, "PUSH")).collect();
            let before = settled().await;
            let mut message = vec![2u8];
            message.extend_from_slice(&(letters as u64).to_be_bytes());
            message.resize(message.len() + letters, b'a');
            let batch = message.repeat(100_000 / letters + 1);
            let mut sent = vec![0; peers.len()];
            let begin = Instant::now();
            let mut moved = Instant::now();
            while moved.elapsed() < Duration::from_millis(500) && begin.elapsed() < Duration::from_secs(30) {
                for (peer, sent) in peers.iter_mut().zip(&mut sent) {
                    if let Ok(n) = peer.write(&batch[*sent % batch.len()..]) {
                        *sent += n;
                        moved = Instant::now();
                    }
                }
                tokio::task::yield_now().await;
            }
            let held = settled().await - before;
            assert!(begin.elapsed() < Duration::from_secs(30), "they are stopped");
            println!("PULL, {letters} letters: {held} bytes for 2 peers, which sent {sent:?}");
            assert!(held < 2 * bound, "{letters} letters: {held} bytes");
            assert!(sent.iter().all(|sent| *sent > 1000 * 14), "they send more than the mark: {sent:?}");
            for _ in 0..2000.min(sent[0] / message.len()) {
                assert_eq!(pull.recv().await.expect("a message").first().len(), letters);
            }
        }
    });
}

/// A peer that reads nothing: 64 MiB for it, or as many messages as the mark says.
#[test]
fn messages_that_a_peer_does_not_read_end_at_the_mark_or_at_64_mib_a_peer() {
    let _alone = crate::alone();
    block_on(async {
        for (letters, bound) in [(5, 2 * MIB), (1 << 20, 72 * MIB)] {
            let push = zmq::Push::new();
            let address = push.bind("tcp://127.0.0.1:0").expect("a port");
            let before = settled().await;
            let peer = peer(&address, "PULL");
            until("a peer", || push.try_send(vec![b'a'; letters]).is_ok()).await;
            let (mut taken, begin) = (1, Instant::now());
            let mut since = Instant::now();
            while since.elapsed() < Duration::from_millis(500) && begin.elapsed() < Duration::from_secs(30) {
                if push.try_send(vec![b'a'; letters]).is_ok() {
                    (taken, since) = (taken + 1, Instant::now());
                } else {
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
            let held = settled().await - before;
            println!("PUSH, {letters} letters: {held} bytes, {taken} messages");
            assert!(taken > 50, "{taken} messages");
            assert!(held < bound, "{letters} letters: {held} bytes");
            drop(peer);
        }
    });
}
