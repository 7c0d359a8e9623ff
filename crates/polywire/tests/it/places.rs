//! Requests that cost more than their length says begin where they hold up no connection.

use polywire::{
    Channel, Compression, Content, Engine, Handler, Inline, IoBuf, Method, Resilience, Server, Service,
    Started, Target,
    handler::{Call, Outcome},
};
use std::{net::TcpListener, thread, time::Duration};

/// Answers with the name of the thread that polls it first.
struct Where;
impl Handler for Where {
    fn start(&self, call: Call) -> Started {
        Started::Future(Box::pin(async move {
            let name = thread::current().name().unwrap_or_default().to_owned();
            Outcome { body: IoBuf::from(name), content: call.content, reply: true, ..Outcome::default() }
        }))
    }
}

const SHARD: &str = "polywire-0";
const POOL: &str = "polywire-work";

fn first_polled(
    protocol: &str,
    inline: Inline,
    content: Content,
    body: &[u8],
    compression: Compression,
) -> String {
    let engine = Engine::builder().shards(1).workers(1).build().unwrap();
    let method = Method::new("Where", || Box::new(Where)).inline(inline);
    let server = Server::new().service(Service::new("test.Places", &[]).with(method)).engine(&engine);
    let server = server.serve(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
    let channel = Channel::builder(server.addresses()[0].to_string()).protocol(protocol);
    let channel = channel
        .timeout(Duration::from_secs(20))
        .resilience(Resilience::default().retries(0))
        .build()
        .unwrap();
    let call = channel.call(Target::fixed("test.Places", "Where"), body.to_vec()).content(content);
    let reply = call.compress(compression).blocking().unwrap();
    String::from_utf8(reply.into_message().body.to_vec()).unwrap()
}

#[test]
fn compressed_requests_are_inflated_off_the_shard() {
    for protocol in ["baidu_std", "grpc", "http"] {
        let place =
            |inline, compression| first_polled(protocol, inline, Content::PROTOBUF, &[0; 1000], compression);
        assert_eq!(place(Inline::Adaptive, Compression::NONE), SHARD, "{protocol}");
        assert_eq!(place(Inline::Adaptive, Compression::GZIP), POOL, "{protocol}");
        assert_eq!(place(Inline::Always, Compression::GZIP), SHARD, "{protocol}: as it was told");
    }
}

#[test]
fn long_texts_are_parsed_off_the_shard() {
    let place = |content, length: usize| {
        first_polled("http", Inline::Adaptive, content, &vec![b' '; length], Compression::NONE)
    };
    assert_eq!(place(Content::JSON, 60_000), SHARD);
    assert_eq!(place(Content::JSON, 70_000), POOL);
    assert_eq!(place(Content::PROTOBUF, 70_000), SHARD, "read by generated code");
}
