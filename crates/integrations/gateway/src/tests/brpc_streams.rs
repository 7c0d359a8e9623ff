//! Streams of brpc: those that a call offers, and methods that stream over streaming_rpc.

use super::{translation::set_with, *};
use crate::{Cluster, Schemas};
use polywire_call::Code;
use polywire_client::{Stream, Target};
use polywire_wire::Part;

const PLACE: Target = Target::fixed(SERVICE, "Place");
const WATCH: Target = Target::fixed(SERVICE, "Watch");
const COLLECT: Target = Target::fixed(SERVICE, "Collect");
const TALK: Target = Target::fixed(SERVICE, "Talk");

/// Accepts a stream if the message is not empty, and says everything twice on it.
fn echoes(tell: mpsc::UnboundedSender<&'static str>) -> Method {
    method("Place", move |call: Call| {
        let at_end = AtEnd(tell.clone());
        async move {
            let accept = !call.body.is_empty();
            if let Some(mut stream) = call.cx.accept_streams().pop().filter(|_| accept) {
                tokio::spawn(async move {
                    let _at_end = at_end;
                    while let Some(Ok(message)) = stream.next().await {
                        if stream.send_batch([message.clone(), message]).await.is_err() {
                            return;
                        }
                    }
                });
            }
            Ok(Outcome { accept, ..ok(call.body) })
        }
    })
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_a_call_offers_goes_on_after_it_until_either_side_ends_it() {
    for (front, back) in
        [("streaming_rpc", "baidu_std"), ("baidu_std", "baidu_std"), ("baidu_std", "streaming_rpc")]
    {
        let (tell, mut told) = mpsc::unbounded_channel();
        let chain = chain(front, back, echoes(tell));
        let (reply, mut stream) = chain.channel.call(PLACE, "a lamp").with_stream().await.expect("a stream");
        assert_eq!(reply.body.to_vec(), b"a lamp", "{front} {back}");
        for message in ["one", "", "three"] {
            stream.send(message).await.expect("room");
            for _ in 0..2 {
                let heard = stream.next().await.expect("a message").expect("a message");
                assert_eq!(heard.to_vec(), message.as_bytes(), "{front} {back}");
            }
        }
        // Further calls are not in its way.
        chain.channel.call(PLACE, "another").await.expect("a reply");
        assert_eq!(told.recv().await, Some("over"), "that of the other call, which offered nothing");
        drop(stream);
        assert_eq!(told.recv().await, Some("over"), "{front} {back}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_the_server_does_not_accept_is_not_accepted() {
    for back in ["baidu_std", "grpc"] {
        let (tell, _told) = mpsc::unbounded_channel();
        let chain = chain("baidu_std", back, echoes(tell));
        let body = if back == "grpc" { "a lamp" } else { "" };
        let refused = chain.channel.call(PLACE, body).with_stream().await.map(drop).expect_err("no stream");
        assert_eq!(refused.code(), Code::InvalidArgument, "{back}: {refused}");
    }
}

/// One that does not read, so that the other has to stop.
#[tokio::test(start_paused = true)]
async fn a_caller_that_does_not_read_an_offered_stream_stops_the_server() {
    const LONG: usize = 64 << 10;
    let (tell, mut told) = mpsc::unbounded_channel();
    let pours = method("Place", move |call: Call| {
        let tell = tell.clone();
        async move {
            let mut stream = call.cx.accept_streams().pop().expect("a stream");
            tokio::spawn(async move {
                for k in 0..1000_usize {
                    if stream.send(vec![0; LONG]).await.is_err() {
                        return;
                    }
                    let _ = tell.send(k);
                }
            });
            Ok(Outcome { accept: true, ..ok("") })
        }
    });
    let chain = chain("baidu_std", "baidu_std", pours);
    let (_, mut stream) = chain.channel.call(PLACE, "").with_stream().await.expect("a stream");
    tokio::time::sleep(ms(60_000)).await;
    let mut ahead = 0;
    while told.try_recv().is_ok() {
        ahead += LONG;
    }
    assert!(ahead > 0 && ahead < 16 << 20, "{ahead} bytes");
    for _ in 0..1000 {
        assert_eq!(stream.next().await.expect("a message").expect("a message").len(), LONG);
    }
    assert!(stream.next().await.is_none());
}

/// Methods of the three kinds that stream.
fn streams() -> Service {
    let watch = method("Watch", |mut call: Call| async move {
        let (_, mut sink) = call.stream.take().expect("a stream");
        for k in 0..3_u8 {
            let message = [&call.body.to_vec()[..], &[b'0' + k]].concat();
            sink.send(Part::message(message.into())).await?;
        }
        if call.body.is_empty() {
            return Err(Status::aborted("of nothing there are three"));
        }
        Ok(Outcome::default())
    });
    let collect = method("Collect", |mut call: Call| async move {
        let (mut source, _sink) = call.stream.take().expect("a stream");
        let mut all = Vec::new();
        while let Some(part) = source.next().await.transpose()? {
            all.extend(part.bytes.to_vec());
        }
        Ok(ok(all))
    });
    let talk = streaming("Talk", |mut call: Call| async move {
        let (mut source, mut sink) = call.stream.take().expect("a stream");
        while let Some(part) = source.next().await.transpose()? {
            sink.send(Part::message(part.bytes)).await?;
        }
        Ok(Outcome::default())
    });
    let (watch, collect) =
        (watch.streaming(Delivery::Whole, true), collect.streaming(Delivery::Messages, false));
    Service::new(SERVICE, &[]).with(watch).with(collect).with(talk)
}

fn known(front: &'static str, back: &'static str) -> Chain {
    let text = "rpc Collect(stream Order) returns (Order);";
    let set = set_with((text, &format!("{text} rpc Talk(stream Order) returns (stream Order);")));
    let schemas = Schemas::from_descriptor_set(&set).expect("schemas");
    let net = Net::seeded(1);
    let behind = net.serve("behind:1", Server::<Lab>::new().service(streams()));
    let below = net.host("relay").builder("behind:1").protocol(back).build().expect("a channel");
    let relay = Relay::to(Cluster::new(&below).schemas(&schemas));
    net.serve("relay:1", Server::<Lab>::new().catch_all(relay));
    let channel = net.builder("relay:1").protocol(front).build().expect("a channel");
    Chain { net, behind, channel }
}

async fn heard(stream: &mut Stream) -> Option<String> {
    let part = stream.next().await?.expect("no failure");
    Some(String::from_utf8(part.bytes.to_vec()).expect("text"))
}

const PAIRS: [(&str, &str); 6] = [
    ("grpc", "baidu_std"),
    ("grpc", "streaming_rpc"),
    ("connect:h2", "streaming_rpc"),
    ("streaming_rpc", "grpc"),
    ("streaming_rpc", "connect:h2"),
    ("baidu_std", "baidu_std"),
];

#[tokio::test(start_paused = true)]
async fn methods_that_stream_are_called_over_streaming_rpc_and_from_it() {
    for (front, back) in PAIRS {
        let chain = known(front, back);
        let mut stream = chain.channel.stream(WATCH).message("a").await.expect("a stream");
        for message in ["a0", "a1", "a2"] {
            assert_eq!(heard(&mut stream).await.as_deref(), Some(message), "{front} {back}");
        }
        assert_eq!(heard(&mut stream).await, None, "{front} {back}");
        assert!(stream.outcome().expect("an end").status.is_ok(), "{front} {back}");

        let mut stream = chain.channel.stream(TALK).await.expect("a stream");
        for message in ["one", "two", "three"] {
            stream.send(message).await.expect("room");
            assert_eq!(heard(&mut stream).await.as_deref(), Some(message), "{front} {back}");
        }
        stream.finish();
        assert_eq!(heard(&mut stream).await, None, "{front} {back}");

        let mut stream = chain.channel.stream(COLLECT).await.expect("a stream");
        for message in ["a ", "red ", "lamp"] {
            stream.send(message).await.expect("room");
        }
        stream.finish();
        assert_eq!(heard(&mut stream).await.as_deref(), Some("a red lamp"), "{front} {back}");
        assert_eq!(heard(&mut stream).await, None, "{front} {back}");
    }
}

/// A request without fields has no bytes, and is one all the same.
#[tokio::test(start_paused = true)]
async fn an_empty_request_is_a_request_and_a_failure_comes_after_the_messages() {
    for (front, back) in PAIRS {
        let chain = known(front, back);
        let mut stream = chain.channel.stream(WATCH).message("").await.expect("a stream");
        for message in ["0", "1", "2"] {
            assert_eq!(heard(&mut stream).await.as_deref(), Some(message), "{front} {back}");
        }
        let status = stream.next().await.expect("a failure").expect_err("a failure");
        assert_eq!(status.code(), Code::Aborted, "{front} {back}: {status}");
    }
}
