//! Streams offered inside calls, as a handler and a caller see them, over real sockets.

use crate::{
    support::line,
    talk::{Line, Talk, TalkClient},
};
use polywire::{
    Channel, Code, Context, IoBuf, Lifecycle, Origin, Reply, Running, Server, Status, Stream, Streaming, brpc,
};
use polywire_machine_testing::until;
use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};
use tokio::sync::mpsc;

/// Does with its streams what its request says.
struct Room {
    /// How streams ended, and how sending failed.
    told: mpsc::UnboundedSender<Result<(), Status>>,
    /// Messages that a handler was allowed to send without end.
    sent: Arc<AtomicUsize>,
}

impl Talk for Room {
    async fn say(&self, cx: &Context, request: Line) -> Result<Reply<Line>, Status> {
        let (told, sent) = (self.told.clone(), self.sent.clone());
        match &*request.text {
            "echo" => {
                for mut stream in cx.accept_streams() {
                    let told = told.clone();
                    tokio::spawn(async move {
                        let ended = async {
                            while let Some(message) = stream.next().await.transpose()? {
                                stream.send(message).await?;
                            }
                            Ok(())
                        };
                        told.send(ended.await)
                    });
                }
            }
            "three" => {
                let mut stream = cx.accept_stream()?;
                for text in ["one", "two", "three"] {
                    stream.send(text).await?; // leaves behind the reply
                }
            }
            "three and hold" => {
                let mut stream = cx.accept_stream()?;
                stream.send_batch(["one", "two", "three"]).await?;
                tokio::spawn(async move { stream.next().await });
            }
            "forever" => {
                let mut stream = cx.accept_stream()?;
                tokio::spawn(async move {
                    while stream.send(vec![7; 10_000]).await.is_ok() {
                        sent.fetch_add(1, SeqCst);
                    }
                    told.send(stream.next().await.unwrap_or(Ok(IoBuf::new())).map(drop))
                });
            }
            "silent" => {
                let mut stream = cx.accept_stream()?.idle_timeout(Duration::from_millis(30));
                tokio::spawn(async move {
                    while let Some(Ok(message)) = stream.next().await {
                        assert_eq!(message.to_vec(), b"a sign");
                    }
                    // It goes on after the error.
                    let again = stream.next_batch(8).await.unwrap();
                    told.send(again.map(drop))?;
                    stream.send("still here").await.unwrap();
                    told.send(stream.next_batch(8).await.unwrap_or(Ok(Vec::new())).map(drop))
                });
            }
            "hold" => {
                let mut stream = cx.accept_stream()?;
                tokio::spawn(
                    async move { told.send(stream.next().await.unwrap_or(Ok(IoBuf::new())).map(drop)) },
                );
            }
            "fail" => {
                let _ = cx.accept_stream()?;
                return Err(brpc::status(1234, "nobody"));
            }
            _ => {}
        }
        Ok(request.into())
    }
    async fn count(&self, _: &Context, _: Line) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(polywire::stream(1).1)
    }
    async fn sum(&self, _: &Context, _: Streaming<Line>) -> Result<Reply<Line>, Status> {
        Ok(line("").into())
    }
    async fn chat(
        &self,
        _: &Context,
        incoming: Streaming<Line>,
    ) -> Result<impl Stream<Item = Result<Line, Status>>, Status> {
        Ok(incoming)
    }
}

/// How long a server waits for what is open.
const DRAIN: Duration = Duration::from_millis(200);

struct Net {
    running: Running,
    talk: TalkClient,
    heard: mpsc::UnboundedReceiver<Result<(), Status>>,
    sent: Arc<AtomicUsize>,
}

async fn net(protocol: &str) -> Net {
    let (told, heard) = mpsc::unbounded_channel();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let sent = Arc::new(AtomicUsize::new(0));
    let room = Room { told, sent: sent.clone() };
    let server = Server::new().service(room.into_service()).lifecycle(Lifecycle::default().drain(DRAIN));
    let running = server.serve(listener).unwrap();
    let builder = Channel::builder(running.addresses()[0].to_string()).protocol(protocol);
    let talk = TalkClient::new(builder.timeout(Duration::from_secs(20)).build().unwrap());
    Net { running, talk, heard, sent }
}

#[tokio::test]
async fn a_stream_lives_on_after_its_call_and_ends_with_its_sender() {
    for protocol in ["baidu_std", "streaming_rpc"] {
        let Net { talk, running: _running, mut heard, .. } = net(protocol).await;
        let (reply, mut stream) = talk.say(line("echo")).with_stream().await.unwrap();
        assert_eq!(reply.text, "echo");
        for n in 0..1000u32 {
            stream.send(n.to_le_bytes().to_vec()).await.unwrap();
            assert_eq!(stream.next().await.unwrap().unwrap().to_vec(), n.to_le_bytes());
        }
        stream.send("").await.unwrap();
        assert!(stream.next().await.unwrap().unwrap().is_empty(), "empty messages are messages");
        assert_eq!(talk.say(line("beside")).await.unwrap().text, "beside", "calls go on beside it");
        drop(stream);
        assert_eq!(heard.recv().await, Some(Ok(())));
    }
}

#[tokio::test]
async fn several_streams_of_a_call_are_told_apart() {
    let Net { talk, running: _running, mut heard, .. } = net("streaming_rpc").await;
    let (_, mut streams) = talk.say(line("echo")).with_streams(20).await.unwrap();
    assert_eq!(streams.len(), 20);
    for (n, stream) in streams.iter_mut().enumerate().rev() {
        stream.send(n.to_string()).await.unwrap();
    }
    for (n, stream) in streams.iter_mut().enumerate() {
        assert_eq!(stream.next().await.unwrap().unwrap().to_vec(), n.to_string().into_bytes());
    }
    drop(streams);
    for _ in 0..20 {
        assert_eq!(heard.recv().await, Some(Ok(())));
    }
}

#[tokio::test]
async fn what_is_sent_before_the_reply_comes_behind_it() {
    let Net { talk, running: _running, .. } = net("baidu_std").await;
    let (_, mut stream) = talk.say(line("three")).with_stream().await.unwrap();
    for text in ["one", "two", "three"] {
        assert_eq!(stream.next().await.unwrap().unwrap().to_vec(), text.as_bytes());
    }
    assert!(stream.next().await.is_none());
    assert_eq!(stream.send("late").await.unwrap_err().code(), Code::Cancelled);
}

#[tokio::test]
async fn a_stream_that_is_not_taken_fails_the_call() {
    let Net { talk, running: _running, .. } = net("baidu_std").await;
    let refused = talk.say(line("no")).with_stream().await.err().unwrap();
    assert_eq!(
        (brpc::number(&refused), refused.message()),
        (brpc::EREQUEST, "The server didn't accept the stream")
    );
    let failed = talk.say(line("fail")).with_stream().await.err().unwrap();
    assert_eq!((brpc::number(&failed), failed.message()), (1234, "nobody"));
    let without = talk.say(line("three")).await.err().unwrap();
    assert_eq!(without.message(), "the caller offers no stream inside this call");
}

#[tokio::test]
async fn a_method_that_streams_wants_a_stream() {
    let Net { talk, running, .. } = net("baidu_std").await;
    let channel = Channel::connect(running.addresses()[0].to_string()).await.unwrap();
    let target = polywire::Target::fixed("talk.Talk", "Chat");
    let refused = channel.call(target, IoBuf::new()).await.err().unwrap();
    assert_eq!(refused.code(), Code::Unimplemented);
    assert_eq!(refused.message(), "talk.Talk/Chat streams: open a stream with the call over baidu_std");
    assert_eq!(talk.say(line("")).await.unwrap().text, "");
}

#[tokio::test]
async fn protocols_without_streams_refuse_them() {
    for protocol in ["grpc", "http", "hulu_pbrpc", "nova_pbrpc"] {
        let Net { talk, running: _running, .. } = net(protocol).await;
        let refused = talk.say(line("echo")).with_stream().await.err().unwrap();
        assert_eq!(refused.code(), Code::Unimplemented, "{protocol}: {refused}");
    }
}

#[tokio::test]
async fn a_slow_reader_holds_back_its_peer() {
    let Net { talk, running: _running, sent, .. } = net("streaming_rpc").await;
    let (_, mut stream) = talk.say(line("forever")).with_stream().await.unwrap();
    // The stream is not read: bytes in flight are limited by the window, and by the parts that may wait here.
    // A thousand other calls on the connection complete meanwhile, and do not advance it.
    until("a message that leaves", || sent.load(SeqCst) > 0).await;
    // On a busy machine it takes more of them until the window is full.
    let mut ahead = 0;
    while std::mem::replace(&mut ahead, sent.load(SeqCst)) != ahead {
        for _ in 0..1000 {
            talk.say(line("")).await.unwrap();
        }
        assert!(ahead * 10_000 < 4 << 20, "{ahead} messages of 10 000 bytes");
    }
    for _ in 0..1000 {
        talk.say(line("")).await.unwrap();
    }
    assert_eq!(sent.load(SeqCst), ahead, "it stands still");
    for _ in 0..2000 {
        assert_eq!(stream.next().await.unwrap().unwrap().len(), 10_000);
    }
}

#[tokio::test]
async fn an_idle_peer_is_noticed_by_a_timeout_and_the_stream_goes_on() {
    let Net { talk, running: _running, .. } = net("streaming_rpc").await;
    let (_, mut stream) = talk.say(line("echo")).with_stream().await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(10), stream.next()).await.is_err());
    stream.send("still here").await.unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap().to_vec(), b"still here");
}

#[tokio::test]
async fn a_lost_connection_ends_streams_at_both_ends() {
    let Net { running, mut heard, .. } = net("streaming_rpc").await;
    let server = running.addresses()[0].to_string();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let between = listener.local_addr().unwrap().to_string();
    let relay = tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        let mut server = tokio::net::TcpStream::connect(server).await.unwrap();
        tokio::io::copy_bidirectional(&mut client, &mut server).await
    });
    let channel = Channel::builder(between).protocol("streaming_rpc").build().unwrap();
    let (_, mut stream) = TalkClient::new(channel).say(line("hold")).with_stream().await.unwrap();
    relay.abort();
    let lost = stream.next().await.unwrap().unwrap_err();
    assert_eq!(lost.code(), Code::Unavailable, "{lost}");
    assert!(heard.recv().await.unwrap().is_err());
}

#[tokio::test]
async fn a_server_that_stops_waits_for_open_streams_and_then_breaks_them_off() {
    let Net { talk, running, mut heard, .. } = net("streaming_rpc").await;
    let (_, mut stream) = talk.say(line("hold")).with_stream().await.unwrap();
    let began = std::time::Instant::now();
    let (_, broken) = tokio::join!(running.stop(), stream.next());
    assert!(began.elapsed() >= DRAIN);
    let broken = broken.unwrap().unwrap_err();
    assert!(matches!(brpc::number(&broken), brpc::ECONNRESET | brpc::EEOF), "{broken}");
    assert!(heard.recv().await.unwrap().is_err());
}

#[tokio::test]
async fn batches_keep_the_order_and_the_bounds_of_messages() {
    let Net { talk, running: _running, .. } = net("baidu_std").await;
    let (_, stream) = talk.say(line("echo")).with_stream().await.unwrap();
    let (mut sender, mut receiver) = stream.split();
    let message = |n: u32| n.to_le_bytes().repeat(n as usize % 50);
    let sending = tokio::spawn(async move {
        sender.send_batch(Vec::<Vec<u8>>::new()).await.unwrap(); // nothing
        sender.send_batch((0..5000).map(message)).await.unwrap(); // more than there is room for
        sender
    });
    let (mut seen, mut longest) = (0, 0);
    while seen < 5000 {
        let batch = receiver.next_batch(32).await.unwrap().unwrap();
        assert!((1..=32).contains(&batch.len()));
        longest = longest.max(batch.len());
        for got in batch {
            assert_eq!(got.to_vec(), message(seen), "{seen}");
            seen += 1;
        }
    }
    assert!(longest > 1, "several came at once");
    drop(sending.await.unwrap());
    assert!(receiver.next_batch(32).await.is_none());
}

#[tokio::test]
async fn the_end_of_a_stream_comes_behind_the_last_batch() {
    for (text, good) in [("three", true), ("three and hold", false)] {
        let Net { talk, running, .. } = net("streaming_rpc").await;
        let (_, mut stream) = talk.say(line(text)).with_stream().await.unwrap();
        for expected in ["one", "two", "three"] {
            let batch = stream.next_batch(0).await.unwrap().unwrap(); // 0 means one at a time
            assert_eq!(batch.iter().map(IoBuf::to_vec).collect::<Vec<_>>(), [expected.as_bytes()]);
        }
        let (_, end) = tokio::join!(running.stop(), stream.next_batch(8));
        assert_eq!(end.is_none(), good, "{end:?}");
        assert!(end.is_none_or(|end| end.is_err()));
        assert!(stream.next_batch(8).await.is_none(), "once");
    }
}

#[tokio::test]
async fn a_silent_peer_is_noticed_and_the_stream_goes_on() {
    let Net { talk, running: _running, mut heard, .. } = net("baidu_std").await;
    let (_, mut stream) = talk.say(line("silent")).with_stream().await.unwrap();
    for _ in 0..5 {
        stream.send("a sign").await.unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let idle = heard.recv().await.unwrap().unwrap_err();
    assert_eq!((idle.code(), idle.origin()), (Code::DeadlineExceeded, Origin::Local), "{idle}");
    assert_eq!(idle.message(), "no message has come within 30ms");
    assert_eq!(stream.next().await.unwrap().unwrap().to_vec(), b"still here");
    stream.send("back").await.unwrap();
    heard.recv().await.unwrap().unwrap_or_else(|status| {
        // The machine may have been busy for longer than the limit.
        assert_eq!(status.code(), Code::DeadlineExceeded);
    });
}

/// The time that a dropped `next` has waited counts.
#[tokio::test]
async fn a_wait_that_is_begun_again_does_not_begin_the_idle_time_again() {
    let Net { talk, running: _running, .. } = net("baidu_std").await;
    let (_, stream) = talk.say(line("echo")).with_stream().await.unwrap();
    let mut stream = stream.idle_timeout(Duration::from_millis(50));
    let idle = loop {
        tokio::select! {
            next = stream.next() => break next.unwrap().unwrap_err(),
            () = tokio::time::sleep(Duration::from_millis(5)) => {}
        }
    };
    assert_eq!(idle.code(), Code::DeadlineExceeded);
}
