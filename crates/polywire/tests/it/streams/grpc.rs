//! What gRPC has and the lab's protocol has not: fields at both ends, compression, windows in bytes.

use crate::{
    support::{
        Closures, PollFn, apart, channel, from_fn, line, net_with, number, numbers, poll_fn, run_over,
    },
    talk::{Line, Talk, TalkClient},
};
use polywire::{Channel, Code, Compression, Limits, Status, Streaming, Target};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::*},
};

fn run(test: impl AsyncFn()) {
    run_over("grpc", test);
}

fn net(service: impl Talk) -> (Arc<polywire::Running>, TalkClient) {
    net_with(service.into_service(), Limits::default(), "grpc")
}

#[test]
fn fields_go_before_and_behind_the_messages() {
    run(async || {
        let (_running, talk) = net(Closures::default()
            .count(|cx, request| {
                let asked = cx.metadata().get("x-asked").expect("sent along").to_vec();
                cx.reply_metadata("x-before", &asked);
                cx.reply_trailer("x-behind-bin", [0, 255, 7]);
                let mut left = request.number;
                Ok(from_fn(move || left.checked_sub(1).map(|n| Ok(number(std::mem::replace(&mut left, n))))))
            })
            .sum(|cx, _| {
                cx.reply_metadata("x-before", "sum");
                cx.reply_trailer("x-behind", "sum");
                std::future::ready(Ok(number(1)))
            }));
        for n in [0, 2] {
            let mut lines = talk.count(number(n)).metadata("x-asked", "this").await.unwrap();
            assert_eq!(lines.metadata().get_str("x-before"), Some("this"), "known when the call is open");
            assert!(lines.trailers().is_empty());
            while lines.next().await.transpose().unwrap().is_some() {}
            assert_eq!(lines.trailers().get("x-behind-bin"), Some(&[0, 255, 7][..]));
        }
        let reply = talk.sum().await.unwrap().finish().await.unwrap();
        assert_eq!(reply.headers().get_str("x-before"), Some("sum"));
        assert_eq!(reply.metadata().get_str("x-behind"), Some("sum"));
    });
}

#[test]
fn a_failure_brings_its_fields_and_details() {
    run(async || {
        let (_running, talk) = net(Closures::default()
            .count(|cx, request| {
                cx.reply_trailer("x-trailer", "yes");
                let failed = Status::not_found("not \u{263a} here").with_metadata("x-failed", "it did");
                if request.number == 0 {
                    return Err(failed);
                }
                let mut items = vec![Err(failed.with_details(b"\x08\x05".to_vec())), Ok(number(1))];
                Ok(from_fn(move || items.pop()))
            })
            .sum(|_, _| {
                std::future::ready(Err(Status::new(Code::Aborted, "no").with_metadata("x-failed", "sum")))
            }));
        let at_once = talk.count(number(0)).await.err().unwrap();
        let (seen, later) = numbers(talk.count(number(1)).await.unwrap()).await;
        assert_eq!(seen, [1]);
        for status in [at_once, later.unwrap_err()] {
            assert_eq!((status.code(), status.message()), (Code::NotFound, "not \u{263a} here"));
            assert_eq!(status.metadata().get_str("x-failed"), Some("it did"));
            assert_eq!(status.metadata().get_str("x-trailer"), Some("yes"));
        }
        let failed = talk.sum().await.unwrap().finish().await.unwrap_err();
        assert_eq!(failed.metadata().get_str("x-failed"), Some("sum"));
    });
}

#[test]
fn messages_are_compressed_where_both_sides_want_it() {
    run(async || {
        let text = "so it goes ".repeat(1000);
        let answer = line(&text);
        let service = Closures::default()
            .count(move |cx, request| {
                assert_eq!(request.text.len(), 11_000);
                cx.reply_compression(Compression::GZIP);
                let mut left = vec![answer.clone(); 3];
                Ok(from_fn(move || left.pop().map(Ok)))
            })
            .sum(|_, mut incoming| async move {
                let mut bytes = 0;
                while let Some(line) = incoming.next().await.transpose()? {
                    bytes += line.text.len();
                }
                Ok(number(bytes as u32))
            });
        let (running, talk) = net(service);
        let mut lines = talk.count(line(&text)).compress(Compression::GZIP).await.unwrap();
        while let Some(line) = lines.next().await.transpose().unwrap() {
            assert_eq!(line.text, text);
        }
        let mut upload = talk.sum().compress(Compression::GZIP).await.unwrap();
        for _ in 0..3 {
            upload.send(line(&text)).await.unwrap();
        }
        assert_eq!(upload.finish().await.unwrap().number, 33_000);
        let connection_stats = &running.connections()[0];
        let (sent, got) = (connection_stats.bytes_out.load(SeqCst), connection_stats.bytes_in.load(SeqCst));
        assert!(sent < 2_000 && got < 2_000, "{sent} and {got} bytes for 33 and 44 kB");
    });
}

/// Messages of a kilobyte, counted when they are made.
fn flood(
    made: Arc<AtomicU32>,
) -> PollFn<impl FnMut(&mut std::task::Context<'_>) -> std::task::Poll<Option<Result<Line, Status>>>> {
    let text = "x".repeat(1024);
    poll_fn(move |_| {
        let number = made.fetch_add(1, SeqCst);
        std::task::Poll::Ready((number < 5000).then(|| Ok(Line { text: text.clone(), number })))
    })
}

#[test]
fn a_reader_that_stops_holds_back_the_handler_within_the_window() {
    run(async || {
        let made = Arc::new(AtomicU32::new(0));
        let counter = made.clone();
        let service = Closures::default().count(move |_, _| Ok(flood(counter.clone())));
        let limits = Limits::default().backlog(16 << 10);
        let (_running, talk) = net_with(service.into_service(), limits, "grpc");
        let mut lines = talk.count(number(1)).await.unwrap();
        assert_eq!(lines.next().await.unwrap().unwrap().number, 0);
        // Nothing else is read: other calls on the connection complete, and at last the handler waits.
        let mut before = 0;
        while before != made.load(SeqCst) {
            before = made.load(SeqCst);
            for _ in 0..200 {
                talk.say(number(1)).await.unwrap();
            }
        }
        let queued = polywire_exchange::Pipe::OUTWARD as u32;
        let most = queued + limits.ahead + limits.window / 1024 + limits.backlog / 1024 + 4;
        assert!(before <= most, "{before} messages made, at most {most} have room");
        for n in 1..5000 {
            assert_eq!(lines.next().await.unwrap().unwrap().number, n);
        }
        assert_eq!(lines.next().await, None);
    });
}

#[test]
fn many_streams_share_a_connection() {
    run(async || {
        let service = Closures::default().chat(|_, incoming: Streaming<Line>| Ok(incoming));
        let (running, channel) = channel(service.into_service(), Limits::default().exchanges(200), "grpc");
        let talk = TalkClient::new(channel);
        let chats = (0..50u32).map(|n| {
            let talk = talk.clone();
            tokio::spawn(async move {
                let mut chat = talk.chat().await.unwrap();
                for m in 0..40 {
                    chat.send(number(n * 100 + m)).await.unwrap();
                    assert_eq!(chat.next().await.unwrap().unwrap().number, n * 100 + m);
                }
                chat.finish();
                assert_eq!(chat.next().await, None);
            })
        });
        for chat in chats.collect::<Vec<_>>() {
            chat.await.unwrap();
        }
        assert_eq!(running.connections().len(), 1);
    });
}

#[test]
fn what_a_request_is_called_that_cannot_be_read() {
    run(async || {
        let (running, _) = apart(Closures::default().into_service());
        for (protocol, code) in [
            ("grpc", Code::Internal),
            ("grpc:json", Code::Internal),
            ("grpc-web", Code::Internal),
            ("connect", Code::InvalidArgument),
            ("http:proto", Code::InvalidArgument),
            ("baidu_std", Code::InvalidArgument),
        ] {
            let channel = Channel::builder(running.addresses()[0].to_string()).protocol(protocol);
            let channel = channel.timeout(std::time::Duration::from_secs(60)).build().unwrap();
            let check = Target::fixed("grpc.health.v1.Health", "Check");
            let failed = channel.call(check, b"\xff".to_vec()).await.unwrap_err();
            assert_eq!(failed.code(), code, "{protocol}: {failed}");
        }
    });
}
