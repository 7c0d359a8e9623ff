//! Streams and started calls whose callers are plain threads.

use crate::talk::{Line, Talk, TalkClient};
use polywire::{
    Channel, Code, Context, RawStream, Reply, Resilience, Running, Server, Status, Stream, Streaming, Target,
};
use std::{
    net::TcpListener,
    sync::mpsc,
    time::{Duration, Instant},
};

/// Longer than any step takes: the test hangs.
const NEVER: Duration = Duration::from_secs(60);
/// Those whose streams take turns in both directions.
const PROTOCOLS: [&str; 3] = ["grpc", "baidu_std", "streaming_rpc"];

/// Tells when a stream of a caller has ended, and how.
struct Handler(mpsc::Sender<bool>);

impl Talk for Handler {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        for stream in cx.accept_streams() {
            tokio::spawn(repeat(stream));
        }
        if request.text == "hang" {
            let _ended = End(self.0.clone(), false);
            std::future::pending::<()>().await;
        }
        if request.text == "start" {
            let channel = Channel::builder("127.0.0.1:1").build().unwrap();
            let refused = TalkClient::new(channel).say(line(1)).start_blocking().err().unwrap();
            return Err(Status::aborted(refused.message()));
        }
        if request.text == "block" {
            let channel = Channel::builder("127.0.0.1:1").build().unwrap();
            let refused = TalkClient::new(channel).chat().blocking().err().unwrap();
            return Err(Status::aborted(refused.message()));
        }
        Ok(request.into())
    }

    async fn count(
        &self,
        cx: &Context,
        request: Line,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        let (sender, lines) = polywire::stream(1);
        cx.spawn(async move {
            for number in 0..request.number {
                sender.send(Line { number, ..Line::default() }).await?;
            }
            if request.text == "fail" { Err(Status::aborted("no more")) } else { Ok(()) }
        });
        Ok(lines)
    }

    async fn sum(&self, _: &Context, mut incoming: Streaming<Line>) -> Result<Reply<Line>, Status> {
        let mut number = 0;
        while let Some(line) = incoming.next().await.transpose()? {
            number += line.number;
        }
        Ok(Line { number, ..Line::default() }.into())
    }

    async fn chat(
        &self,
        cx: &Context,
        mut incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>> + Send, Status> {
        let (sender, lines) = polywire::stream(1);
        let ended = End(self.0.clone(), false);
        cx.spawn(async move {
            let mut ended = ended;
            while let Some(line) = incoming.next().await.transpose()? {
                sender.send(line).await?;
            }
            ended.1 = true;
            Ok(())
        });
        Ok(lines)
    }
}

/// Says whether a stream has come to its end when it is dropped.
struct End(mpsc::Sender<bool>, bool);

impl Drop for End {
    fn drop(&mut self) {
        let _ = self.0.send(self.1);
    }
}

async fn repeat(stream: RawStream) -> Result<(), Status> {
    let (mut sender, mut receiver) = stream.split();
    while let Some(message) = receiver.next().await.transpose()? {
        sender.send(message).await?;
    }
    Ok(())
}

fn serve() -> (Running, mpsc::Receiver<bool>) {
    let (tell, told) = mpsc::channel();
    let server = Server::new().service(Handler(tell).into_service());
    (server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap(), told)
}

fn line(number: u32) -> Line {
    Line { number, ..Line::default() }
}

/// By its address, and as a fleet.
fn clients(running: &Running, protocol: &str) -> [TalkClient; 2] {
    let address = running.addresses()[0].to_string();
    [format!("list://{address}"), address].map(|name| client(&name, protocol))
}

fn client(name: &str, protocol: &str) -> TalkClient {
    TalkClient::new(Channel::builder(name).protocol(protocol).timeout(NEVER).build().unwrap())
}

fn all_kinds(talk: &TalkClient, ended: &mpsc::Receiver<bool>, protocol: &str) {
    let counted: Result<Vec<_>, _> = talk.count(line(100)).blocking().unwrap().collect();
    assert_eq!(counted.unwrap(), (0..100).map(line).collect::<Vec<_>>(), "{protocol}");
    let mut failing = talk.count(Line { text: "fail".into(), number: 1 }).blocking().unwrap();
    assert_eq!(failing.recv(), Some(Ok(line(0))), "{protocol}");
    assert_eq!(failing.recv().unwrap().unwrap_err().code(), Code::Aborted, "{protocol}");
    assert_eq!(failing.recv(), None);

    let mut sum = talk.sum().blocking().unwrap();
    (1..=100).for_each(|number| sum.send(line(number)).unwrap());
    assert_eq!(sum.finish().unwrap().number, 5050, "{protocol}");

    let mut chat = talk.chat().blocking().unwrap();
    for number in 0..10 {
        chat.send(line(number)).unwrap();
        assert_eq!(chat.recv(), Some(Ok(line(number))), "{protocol}");
    }
    chat.finish();
    assert_eq!(chat.recv(), None);
    assert_eq!(ended.recv_timeout(NEVER), Ok(true), "{protocol}");

    let (mut sender, receiver) = talk.chat().blocking().unwrap().split();
    let sending = std::thread::spawn(move || (0..1000).for_each(|number| sender.send(line(number)).unwrap()));
    assert_eq!(receiver.map(Result::unwrap).map(|line| line.number).sum::<u32>(), 499_500, "{protocol}");
    sending.join().unwrap();
    assert_eq!(ended.recv_timeout(NEVER), Ok(true), "{protocol}");
}

#[test]
fn all_kinds_of_calls_can_be_made_on_plain_threads() {
    let (running, ended) = serve();
    for protocol in PROTOCOLS {
        for talk in clients(&running, protocol) {
            all_kinds(&talk, &ended, protocol);
        }
    }
}

#[test]
fn a_stream_that_has_not_begun_is_tried_on_another_server() {
    let (running, _ended) = serve();
    for protocol in PROTOCOLS {
        let (address, closed) = (&running.addresses()[0], TcpListener::bind("127.0.0.1:0").unwrap());
        let list = format!("list://{},{address}", closed.local_addr().unwrap());
        drop(closed);
        for _ in 0..10 {
            let talk = client(&list, protocol);
            let counted: Result<Vec<_>, _> = talk.count(line(2)).blocking().unwrap().collect();
            assert_eq!(counted.unwrap().len(), 2, "{protocol}");
        }
    }
}

/// Whose only thread waits.
#[test]
fn all_kinds_of_calls_can_be_made_on_the_thread_of_a_runtime() {
    let (running, ended) = serve();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for protocol in PROTOCOLS {
        for talk in clients(&running, protocol) {
            runtime.block_on(async { all_kinds(&talk, &ended, protocol) });
        }
    }
}

#[test]
fn a_stream_that_is_dropped_is_cancelled() {
    let (running, ended) = serve();
    for protocol in PROTOCOLS {
        for talk in clients(&running, protocol) {
            let mut chat = talk.chat().blocking().unwrap();
            chat.send(line(1)).unwrap();
            assert_eq!(chat.recv(), Some(Ok(line(1))));
            drop(chat);
            assert_eq!(ended.recv_timeout(NEVER), Ok(false), "{protocol}");
        }
    }
}

#[test]
fn a_thread_waits_no_longer_than_it_wants_and_no_longer_than_the_call() {
    let (running, _ended) = serve();
    for protocol in PROTOCOLS {
        for talk in clients(&running, protocol) {
            let mut chat = talk.chat().blocking().unwrap().wait_at_most(Duration::from_millis(20));
            let late = chat.recv().unwrap().unwrap_err();
            assert_eq!(late.code(), Code::DeadlineExceeded);
            assert_eq!(late.message(), "nothing happened on the stream within 20ms");
            let mut chat = talk.chat().timeout(Duration::from_millis(300)).blocking().unwrap();
            chat.send(line(1)).unwrap();
            assert_eq!(chat.recv(), Some(Ok(line(1))));
            let begun = Instant::now();
            assert_eq!(chat.recv().unwrap().unwrap_err().code(), Code::DeadlineExceeded, "{protocol}");
            assert!(begun.elapsed() < NEVER / 2);
        }
    }
}

#[test]
fn a_stream_goes_on_after_a_wait_that_was_too_short() {
    let (running, _ended) = serve();
    let [talk, _] = clients(&running, "grpc");
    let mut chat = talk.chat().blocking().unwrap().wait_at_most(Duration::from_millis(20));
    assert_eq!(chat.recv().unwrap().unwrap_err().code(), Code::DeadlineExceeded);
    let mut chat = chat.wait_at_most(NEVER);
    chat.send(line(7)).unwrap();
    assert_eq!(chat.recv(), Some(Ok(line(7))));
}

#[test]
fn streams_inside_a_call_have_a_blocking_side() {
    let (running, _ended) = serve();
    for talk in clients(&running, "baidu_std") {
        let (reply, mut stream) = talk.say(line(3)).blocking_with_stream().unwrap();
        assert_eq!(reply.number, 3);
        stream.send("one").unwrap();
        assert_eq!(stream.recv().unwrap().unwrap().to_vec(), b"one");
        let (mut sender, mut receiver) = stream.split();
        sender.send("two").unwrap();
        assert_eq!(receiver.recv().unwrap().unwrap().to_vec(), b"two");
        drop(sender);
        assert!(receiver.recv().is_none());
    }
}

#[test]
fn streams_of_bytes_have_a_blocking_side() {
    let (running, ended) = serve();
    let address = running.addresses()[0].to_string();
    let channel = Channel::builder(address).protocol("grpc").build().unwrap();
    let mut bytes = channel.stream(Target::fixed("talk.Talk", "Chat")).blocking().unwrap();
    bytes.send(Vec::new()).unwrap();
    assert!(bytes.recv().unwrap().is_ok());
    bytes.finish();
    assert!(bytes.recv().is_none());
    assert!(bytes.outcome().is_some_and(|outcome| outcome.status.is_ok()));
    assert_eq!(ended.recv_timeout(NEVER), Ok(true));
}

/// Over HTTP/1.1 one half follows the other, and plain HTTP reads a stream as lines.
#[test]
fn streams_over_http_have_a_blocking_side() {
    let (running, _ended) = serve();
    for protocol in ["grpc-web", "connect", "http", "grpc-web:h2", "connect:h2"] {
        for talk in clients(&running, protocol) {
            let counted: Result<Vec<_>, _> = talk.count(line(100)).blocking().unwrap().collect();
            assert_eq!(counted.unwrap(), (0..100).map(line).collect::<Vec<_>>(), "{protocol}");
            let mut endless = talk.count(line(u32::MAX)).blocking().unwrap();
            assert_eq!(endless.recv(), Some(Ok(line(0))), "{protocol}");
            drop(endless); // another caller is served
            if protocol == "http" {
                continue; // which carries no stream of requests
            }
            let mut sum = talk.sum().blocking().unwrap();
            (1..=100).for_each(|number| sum.send(line(number)).unwrap());
            assert_eq!(sum.finish().unwrap().number, 5050, "{protocol}");
        }
    }
}

#[test]
fn batches_go_out_and_come_in_on_plain_threads() {
    let (running, _ended) = serve();
    for talk in clients(&running, "baidu_std") {
        let (_, stream) = talk.say(line(3)).blocking_with_stream().unwrap();
        let (mut sender, mut receiver) = stream.split();
        let sending = std::thread::spawn(move || {
            sender.send_batch((0..1000u32).map(|n| n.to_le_bytes().to_vec())).unwrap();
            sender // which closes both directions when it is dropped
        });
        let mut seen = 0u32;
        while seen < 1000 {
            let batch = receiver.recv_batch(10).unwrap().unwrap();
            assert!((1..=10).contains(&batch.len()), "{}", batch.len());
            for message in batch {
                assert_eq!(message.to_vec(), seen.to_le_bytes());
                seen += 1;
            }
        }
        drop(sending.join().unwrap());
        assert!(receiver.recv_batch(10).is_none());
    }
}

#[test]
fn the_thread_of_a_shard_must_not_wait() {
    let (running, _ended) = serve();
    let [talk, _] = clients(&running, "grpc");
    for text in ["block", "start"] {
        let refused = talk.say(Line { text: text.into(), number: 0 }).blocking().unwrap_err();
        assert!(refused.message().starts_with("blocking() on a shard's thread"), "{refused:?}");
    }
}

#[test]
fn calls_run_while_the_thread_that_started_them_does_not_wait() {
    let (running, _ended) = serve();
    for protocol in ["grpc", "baidu_std", "connect", "http"] {
        for talk in clients(&running, protocol) {
            let calls = (0..10).map(|number| talk.say(line(number)).start_blocking().unwrap());
            for (number, mut call) in calls.collect::<Vec<_>>().into_iter().enumerate() {
                let begun = Instant::now();
                while !call.is_finished() {
                    assert!(begun.elapsed() < NEVER, "{protocol}: it runs by itself");
                    std::thread::yield_now();
                }
                assert_eq!(call.wait().unwrap().number, number as u32, "{protocol}");
            }
        }
    }
}

#[test]
fn a_started_call_that_is_dropped_is_cancelled() {
    let (running, ended) = serve();
    let hang = || Line { text: "hang".into(), number: 0 };
    for talk in clients(&running, "grpc") {
        let mut call = talk.say(hang()).start_blocking().unwrap().wait_at_most(Duration::from_millis(20));
        let late = call.wait().unwrap_err();
        assert_eq!(late.code(), Code::DeadlineExceeded);
        assert_eq!(late.message(), "the call has not ended within 20ms");
        assert!(!call.is_finished(), "it continues");
        assert!(ended.try_recv().is_err(), "it continues");
        drop(call);
        assert_eq!(ended.recv_timeout(NEVER), Ok(false));
    }
}

#[test]
fn the_deadline_of_a_started_call_holds_though_nobody_waits() {
    let (running, ended) = serve();
    let hang = || Line { text: "hang".into(), number: 0 };
    for talk in clients(&running, "grpc") {
        let limit = Duration::from_millis(100);
        let mut call = talk.say(hang()).timeout(limit).start_blocking().unwrap();
        assert_eq!(ended.recv_timeout(NEVER), Ok(false), "the handler is dropped");
        assert_eq!(call.wait().unwrap_err().code(), Code::DeadlineExceeded);
    }
}

/// On a runtime of one thread, which `start` leaves free as soon as something is awaited.
#[test]
fn a_started_call_is_awaited_later_or_elsewhere() {
    let (running, ended) = serve();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for protocol in PROTOCOLS {
        for talk in clients(&running, protocol) {
            runtime.block_on(async {
                let (first, second) = (talk.say(line(1)).start(), talk.say(line(2)).start());
                while !(first.is_finished() && second.is_finished()) {
                    tokio::task::yield_now().await; // nobody awaits them
                }
                assert_eq!((second.await.unwrap().number, first.await.unwrap().number), (2, 1), "{protocol}");
                let third = talk.say(line(3)).start();
                let elsewhere = tokio::spawn(third);
                assert_eq!(elsewhere.await.unwrap().unwrap().number, 3);
            });
        }
    }
    let [talk, _] = clients(&running, "grpc");
    runtime.block_on(async {
        let hanging = talk.say(Line { text: "hang".into(), number: 0 }).start();
        tokio::time::sleep(Duration::from_millis(20)).await;
        drop(hanging);
        while ended.try_recv() != Ok(false) {
            tokio::task::yield_now().await;
        }
    });
}

#[test]
fn a_started_call_that_cannot_be_sent_says_why_when_it_is_awaited() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let talk = TalkClient::new(
        Channel::builder(closed).timeout(NEVER).resilience(Resilience::default().retries(1)).build().unwrap(),
    );
    let status = runtime.block_on(async { talk.say(line(1)).start().await }).unwrap_err();
    assert_eq!(status.code(), Code::Unavailable, "{status}");
    let status = talk.say(line(1)).start_blocking().unwrap().wait().unwrap_err();
    assert_eq!(status.code(), Code::Unavailable, "{status}");
}
