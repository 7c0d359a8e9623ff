//! What compressed messages become, at servers and clients: it has limits, and the budget of memory sees it.

use crate::{
    MEMORY,
    talk::{Line, Talk, TalkClient},
};
use polywire::{
    Bounds, Channel, Code, Context, Limits, Native, Reply, Running, Server, Status, Stream, Streaming,
    Target, stream,
    wire::{Compression, Content, Inflated},
};
use polywire_machine_testing::until;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};
use tokio::sync::Semaphore;

const BUDGET: usize = 64 << 20;
const MIB: usize = 1 << 20;

/// Keeps what it is sent until it is let go. What it answers a number with is compressed, and has as many
/// bytes.
struct Keeps {
    let_go: Arc<Semaphore>,
    kept: Arc<AtomicUsize>,
}

impl Keeps {
    async fn wait(&self) {
        self.let_go.acquire().await.expect("it is never closed").forget();
    }
}

impl Talk for Keeps {
    async fn say(&self, _: &Context, request: Line) -> Result<Reply<Line>, Status> {
        self.kept.fetch_add(1, Relaxed);
        self.wait().await;
        let number = request.text.len() as u32;
        let reply = Line { number, text: "a".repeat(request.number as usize) };
        Ok(Reply::new(reply).compress(Compression::GZIP))
    }
    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        cx.reply_compression(Compression::GZIP);
        let (sender, lines) = stream(1);
        let text = "a".repeat(request.number as usize);
        sender.send(Line { text, ..Line::default() }).await.map_err(|_| Status::cancelled(""))?;
        Ok(lines)
    }
    async fn sum(&self, _: &Context, mut lines: Streaming<Line>) -> Result<Reply<Line>, Status> {
        let mut number = 0;
        while let Some(line) = lines.next().await.transpose()? {
            number += line.text.len() as u32;
            self.kept.fetch_add(1, Relaxed);
            self.wait().await;
        }
        Ok(Line { number, ..Line::default() }.into())
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

/// A line of zstd whose text has so many times 128 KiB of one letter, after `noise` bytes that are stored as
/// they are.
fn zstd(noise: usize, pieces: usize) -> Vec<u8> {
    const PIECE: usize = 128 << 10;
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68];
    let block = |bytes: &mut Vec<u8>, kind: usize, size: usize, is_last: bool| {
        let head = (size << 3 | kind << 1 | usize::from(is_last)) as u32;
        bytes.extend_from_slice(&head.to_le_bytes()[..3]);
    };
    let mut text = vec![0x0a];
    let mut length = noise + pieces * PIECE;
    while length >= 0x80 {
        text.push(length as u8 | 0x80);
        length >>= 7;
    }
    text.push(length as u8);
    text.resize(text.len() + noise, b'n');
    for raw in text.chunks(PIECE) {
        block(&mut bytes, 0, raw.len(), false);
        bytes.extend_from_slice(raw);
    }
    for piece in 0..pieces {
        block(&mut bytes, 1, PIECE, piece + 1 == pieces);
        bytes.push(b'a');
    }
    bytes
}

struct Kept {
    running: Running,
    let_go: Arc<Semaphore>,
    kept: Arc<AtomicUsize>,
}

fn serve(with: impl FnOnce(Server, Bounds) -> Server) -> Kept {
    let (let_go, kept) = (Arc::new(Semaphore::new(0)), Arc::<AtomicUsize>::default());
    let keeps = Keeps { let_go: let_go.clone(), kept: kept.clone() };
    // What it takes long to inflate here would be shed.
    let server = with(Server::new().service(keeps.into_service()), Bounds::default().shedding(None));
    Kept { running: server.listen("127.0.0.1:0").start().expect("it starts"), let_go, kept }
}

impl Kept {
    fn channel(&self, protocol: &str) -> Channel {
        let address = self.running.addresses()[0].to_string();
        Channel::builder(address).protocol(protocol).timeout(None).build().expect("the options are right")
    }

    fn used(&self) -> usize {
        self.running.overload().memory.expect("a budget").used
    }
}

fn say(channel: &Channel, compression: Compression, body: &[u8]) -> Saying {
    let call = channel.call(Target::fixed("talk.Talk", "Say").at(0), body.to_vec());
    let call = call.content(Content::PROTOBUF).compressed(compression).retries(0);
    tokio::spawn(async move { call.await.map(drop) })
}

type Saying = tokio::task::JoinHandle<Result<(), Status>>;

fn block_on(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(test);
}

/// The figure: 30 requests of 2.1 KB that would become 60 MiB each.
#[test]
fn small_requests_that_inflate_to_much_are_refused_before_they_do() {
    let _alone = crate::alone();
    block_on(async {
        let server = serve(|server, bounds| server.bounds(bounds.memory(BUDGET).connection_memory(16 << 20)));
        let channel = server.channel("grpc");
        let bomb = zstd(0, 480);
        assert!(bomb.len() < 2200, "{} bytes", bomb.len());
        let _ = say(&channel, Compression::ZSTD, &zstd(0, 480)).await; // connects
        let before = MEMORY.in_use();
        let calls: Vec<_> = (0..30).map(|_| say(&channel, Compression::ZSTD, &bomb)).collect();
        let mut most = 0;
        until("an end of all calls", || {
            most = most.max(MEMORY.in_use() - before);
            calls.iter().all(|call| call.is_finished()) || server.kept.load(Relaxed) == 30
        })
        .await;
        println!(
            "30 requests of {} bytes: {most} bytes at most, {} are kept",
            bomb.len(),
            server.kept.load(Relaxed)
        );
        for call in calls {
            let failed = call.await.expect("no panic").expect_err("it inflates to too much");
            assert_eq!(failed.code(), Code::ResourceExhausted, "{failed}");
            assert!(failed.message().contains("Limits::inflated"), "{failed}");
        }
        assert!(most < 40 << 20, "{most} bytes");
    });
}

/// Requests within the limits, to handlers that wait: what they become is charged to the budget, and beyond
/// it refused.
#[test]
fn what_requests_become_is_charged_to_the_budget() {
    let _alone = crate::alone();
    block_on(async {
        let server = serve(|server, bounds| server.bounds(bounds.memory(BUDGET)));
        let channel = server.channel("grpc");
        let request = zstd(100 << 10, 100); // 12.6 MiB of 100 KB
        let _ = say(&channel, Compression::ZSTD, &zstd(0, 480)).await; // connects
        let before = (MEMORY.in_use(), server.used());
        let calls: Vec<_> = (0..30).map(|_| say(&channel, Compression::ZSTD, &request)).collect();
        let (mut most, mut ended) = (0, 0);
        until("all that find no room", || {
            most = most.max(MEMORY.in_use() - before.0);
            ended = calls.iter().filter(|call| call.is_finished()).count();
            ended + server.kept.load(Relaxed) == 30
        })
        .await;
        let (held, charged) = (MEMORY.in_use() - before.0, server.used() - before.1);
        println!("{} are kept: {held} bytes, {charged} charged, {most} at most", 30 - ended);
        assert!(ended > 0 && ended < 30, "{ended} were refused");
        assert!(charged as f64 > held as f64 * 0.8, "{charged} bytes of {held} are charged");
        assert!((most as usize) < BUDGET + 48 * MIB, "{most} bytes");
        server.let_go.add_permits(1000);
        let mut refused = 0;
        for call in calls {
            if let Err(failed) = call.await.expect("no panic") {
                assert_eq!(failed.code(), Code::ResourceExhausted, "{failed}");
                refused += 1;
            }
        }
        assert_eq!(refused, ended);
        until("a budget that is free again", || server.used() <= before.1 + MIB).await;
    });
}

/// Without a budget a connection's handlers have four of the longest messages; further ones wait, still
/// compressed, and none is lost.
#[test]
fn requests_stay_compressed_while_handlers_have_enough() {
    let _alone = crate::alone();
    block_on(async {
        let server = serve(Server::bounds);
        let channel = server.channel("grpc");
        let request = zstd(100 << 10, 100);
        let _ = say(&channel, Compression::ZSTD, &zstd(0, 480)).await; // connects
        let before = MEMORY.in_use();
        let mut calls: Vec<_> = (0..20).map(|_| say(&channel, Compression::ZSTD, &request)).collect();
        let lines = TalkClient::new(channel.clone());
        for _ in 0..10 {
            let lines = lines.clone();
            calls.push(tokio::spawn(async move {
                let mut upload = lines.sum().compress(Compression::GZIP).await?;
                for _ in 0..2 {
                    upload.send(Line { text: "aabb".repeat(1 << 20), ..Line::default() }).await?;
                }
                assert_eq!(upload.finish().await?.number, 8 << 20);
                Ok(())
            }));
        }
        let mut most = 0;
        while server.kept.load(Relaxed) < 50 - 10 {
            until("something to let go", || {
                most = most.max(MEMORY.in_use() - before);
                server.let_go.available_permits() == 0 && server.kept.load(Relaxed) > 0
            })
            .await;
            server.let_go.add_permits(1);
        }
        server.let_go.add_permits(1000);
        for call in calls {
            call.await.expect("no panic").expect("none is lost");
        }
        println!("30 calls: {most} bytes at most");
        assert!((most as usize) < 160 * MIB, "{most} bytes");
    });
}

/// Every protocol that carries compressed requests.
#[test]
fn requests_that_inflate_to_too_much_are_refused_over_every_protocol() {
    let _alone = crate::alone();
    block_on(async {
        let limits = Limits::default().inflated(Inflated::default().most(MIB as u32));
        let server = serve(|server, bounds| server.bounds(bounds).limits(limits));
        server.let_go.add_permits(1000);
        for protocol in ["baidu_std", "hulu_pbrpc", "sofa_pbrpc", "grpc", "http:proto", "connect", "grpc-web"]
        {
            let talk = TalkClient::new(server.channel(protocol));
            for (text, fits) in [(MIB - 1000, true), (MIB, false)] {
                let line = Line { text: "a".repeat(text), ..Line::default() };
                let said = talk.say(line).compress(Compression::GZIP).retries(0).await;
                match fits {
                    true => assert_eq!(said.expect("it fits").number as usize, text, "{protocol}"),
                    false => {
                        let failed = said.expect_err("it is too long");
                        assert_eq!(failed.code(), Code::ResourceExhausted, "{protocol}: {failed}");
                        assert_eq!(
                            failed.native() == Native::Http(413),
                            protocol == "http:proto",
                            "{protocol}: {failed}"
                        );
                    }
                }
            }
        }
    });
}

/// A server's answer that inflates to too much, and one that the channel allows.
#[test]
fn replies_that_inflate_to_too_much_fail_their_calls() {
    let _alone = crate::alone();
    block_on(async {
        let server = serve(Server::bounds);
        server.let_go.add_permits(1000);
        let address = server.running.addresses()[0].to_string();
        for (most, fits) in [(16 << 20, true), (MIB as u32, false)] {
            let limits = Limits::default().inflated(Inflated::default().most(most).ratio(2000));
            let channel = Channel::builder(&*address).protocol("grpc").limits(limits).build();
            let talk = TalkClient::new(channel.expect("the options are right"));
            let line = Line { number: 2 << 20, ..Line::default() };
            let said = talk.say(line.clone()).retries(0).await.map(|reply| reply.text.len());
            let mut counting = talk.count(line).await.expect("it opens");
            let counted = counting.next().await.expect("a line").map(|line| line.text.len());
            for read in [said, counted] {
                match fits {
                    true => assert_eq!(read.expect("it fits"), 2 << 20),
                    false => assert_eq!(read.expect_err("it is too long").code(), Code::ResourceExhausted),
                }
            }
        }
    });
}
