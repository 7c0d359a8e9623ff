//! rest_rpc to rest_rpc of the same format: requests say a hash of a function's name.

use super::*;
use crate::{Cluster, Routes};
use polywire_base::IoBuf;
use polywire_call::Code;
use polywire_client::Target;
use polywire_machine_testing::hex;
use polywire_protocols::rest_rpc::{PROTOCOL, function_id};
use polywire_wire::Connections;
use std::sync::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// `add(1, 2)` as docs/wire/rest_rpc.md has it, its reply, and that to an unknown function.
const CALL_A: &str = "27 00 00 00 03 00 00 00 01 00 00 00 00 00 00 00 fc 78 ec 34 92 01 02";
const REPLY_A: &str = "27 00 00 00 03 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 92 00 03";
const UNKNOWN_A: &str = "27 00 00 00 1e 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00
     92 01 bb 75 6e 6b 6e 6f 77 6e 20 66 75 6e 63 74 69 6f 6e 3a 20 38 38 37 39 31 32 37 30 30";
const CALL_B: &str =
    "27 00 00 00 fc 78 ec 34 00 00 00 00 00 00 00 00 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
     8c 90 45 40 01 00 00 00 02 00 00 00";
const REPLY_B: &str =
    "27 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 33";
const UNKNOWN_B: &str =
    "27 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 1c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
     01 75 6e 6b 6e 6f 77 6e 20 66 75 6e 63 74 69 6f 6e 3a 20 38 38 37 39 31 32 37 30 30";

const FORMATS: [(&str, Content); 3] = [
    ("rest_rpc:a", Content::MSGPACK),
    ("rest_rpc:b", Content::STRUCT_PACK),
    ("rest_rpc:cross", Content::STRUCT_PACK),
];

/// Of two arguments, in msgpack; some bytes in the other format.
const ARGUMENTS: &[u8] = &[0x92, 1, 2];

type Seen = Arc<Mutex<Vec<(&'static str, IoBuf)>>>;

/// A server that says what it was called with. `add` answers as one that has added 1 and 2.
fn functions(seen: &Seen) -> Service {
    ["add", "dummy::add", "fail"].into_iter().fold(Service::bound(PROTOCOL.name), |service, name| {
        let seen = seen.clone();
        let function = method(name, move |call: Call| {
            seen.lock().unwrap().push((name, call.body.clone()));
            let body = if call.content == Content::MSGPACK { &b"\x03"[..] } else { b"3" };
            let reply =
                Outcome { body: body.into(), content: call.content, reply: true, ..Outcome::default() };
            async move { if name == "fail" { Err(Status::unknown("no such lamp")) } else { Ok(reply) } }
        });
        service.with(function.id(function_id(name).into()))
    })
}

struct Chained {
    net: Net<Lab>,
    seen: Seen,
    _behind: Served,
    _relay: Served,
}

/// A relay to these functions, which are called in `back`.
fn chained(back: &str, options: impl FnOnce(Cluster) -> Relay) -> Chained {
    let (net, seen) = (Net::seeded(1), Seen::default());
    let behind = net.serve("behind:1", Server::<Lab>::new().service(functions(&seen)));
    let below = net.host("relay").builder("behind:1").protocol(back).kind(Connections::Pooled);
    let relay = options(Cluster::new(&below.build().expect("a channel")));
    let relay = net.serve("relay:1", Server::<Lab>::new().catch_all(relay));
    Chained { net, seen, _behind: behind, _relay: relay }
}

impl Chained {
    async fn call(&self, front: &str, service: &str, function: &str) -> Result<IoBuf, Status> {
        let channel = self.net.builder("relay:1").protocol(front).build().expect("a channel");
        let content =
            FORMATS.iter().find(|(name, _)| *name == front).map_or(Content::PROTOBUF, |(_, form)| *form);
        Ok(channel
            .call(Target::named(service, function), ARGUMENTS)
            .content(content)
            .await?
            .into_parts()
            .0
            .body)
    }

    /// What comes back when these bytes are sent, up to this many.
    async fn sends(&self, bytes: &[u8], expected: usize) -> Vec<u8> {
        let mut stream = self.net.host("caller").connect("relay:1").await.expect("a connection");
        stream.write_all(bytes).await.expect("it is read");
        let mut found = Vec::new();
        stream.take(expected as u64).read_to_end(&mut found).await.expect("bytes");
        found
    }

    /// The functions that the server has been asked for since.
    fn seen(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.seen.lock().unwrap()).into_iter().map(|(name, _)| name).collect()
    }
}

fn listed(cluster: Cluster) -> Cluster {
    let cluster = cluster.methods("rest_rpc", &["add", "fail"]).expect("names");
    cluster.methods("dummy", &["add"]).expect("names")
}

#[tokio::test(start_paused = true)]
async fn frames_of_both_formats_get_their_replies_by_names_and_by_numbers() {
    for (back, call, reply) in [("rest_rpc:a", CALL_A, REPLY_A), ("rest_rpc:b", CALL_B, REPLY_B)] {
        for named in [true, false] {
            let chain = chained(back, |cluster| Relay::to(if named { listed(cluster) } else { cluster }));
            let reply = hex(reply);
            assert_eq!(chain.sends(&hex(call), reply.len()).await, reply, "{back}, {named}");
            assert_eq!(chain.seen(), ["add"], "{back}, {named}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_function_that_is_not_listed_is_unknown_and_reaches_no_server() {
    for (back, call, unknown) in [("rest_rpc:a", CALL_A, UNKNOWN_A), ("rest_rpc:b", CALL_B, UNKNOWN_B)] {
        let some = |cluster: Cluster| Relay::to(cluster.methods("rest_rpc", &["fail"]).expect("names"));
        let chain = chained(back, some);
        let unknown = hex(unknown);
        assert_eq!(chain.sends(&hex(call), unknown.len()).await, unknown, "{back}");
        assert_eq!(chain.seen(), [""; 0], "{back}");
    }
}

#[tokio::test(start_paused = true)]
async fn routes_and_policies_see_the_names() {
    for (front, _) in FORMATS {
        let routes = |cluster: Cluster| {
            let routes = Routes::new().to("dummy".parse().expect("names"), listed(cluster)).expect("a route");
            Relay::by(routes)
        };
        let chain = chained(front, routes);
        chain.call(front, "dummy", "add").await.expect("a reply");
        assert_eq!(chain.seen(), ["dummy::add"], "{front}");
        let status = chain.call(front, "rest_rpc", "add").await.unwrap_err();
        let number = function_id("add");
        assert_eq!(
            (status.code(), status.message()),
            (Code::Unimplemented, &*format!("unknown function: {number}"))
        );
        assert_eq!(chain.seen(), [""; 0], "{front}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_list_a_function_is_called_as_its_number() {
    for (front, _) in FORMATS {
        let number = function_id("add").to_string();
        let some = |cluster: Cluster| {
            let calls = format!("rest_rpc/{number}").parse().expect("names");
            Relay::by(Routes::new().to(calls, cluster).expect("a route"))
        };
        let chain = chained(front, some);
        for name in ["add", &number] {
            chain.call(front, "rest_rpc", name).await.expect("a reply");
            assert_eq!(chain.seen(), ["add"], "{front}");
        }
        let status = chain.call(front, "dummy", "add").await.unwrap_err();
        assert_eq!(status.code(), Code::Unimplemented, "{front}: {status}");
        assert_eq!(chain.seen(), [""; 0], "{front}");
    }
}

#[tokio::test(start_paused = true)]
async fn each_function_goes_to_the_servers_that_list_it_and_two_names_of_one_number_to_none() {
    let both = |cluster: Cluster| {
        let one = cluster.clone().methods("rest_rpc", &["add"]).expect("names");
        let other = cluster.methods("dummy", &["add"]).expect("names");
        let routes = Routes::new().to("rest_rpc".parse().expect("names"), one).expect("a route");
        Relay::by(routes.to("*".parse().expect("names"), other).expect("a route"))
    };
    let chain = chained("rest_rpc:b", both);
    for (service, name) in [("rest_rpc", "add"), ("dummy", "dummy::add")] {
        chain.call("rest_rpc:b", service, "add").await.expect("a reply");
        assert_eq!(chain.seen(), [name]);
    }
    let channel = Net::<Lab>::seeded(1).builder("behind:1").protocol("rest_rpc").build().expect("a channel");
    let number = function_id("add").to_string();
    let wrong = Cluster::new(&channel).methods("rest_rpc", &["add", &number]).map(drop).unwrap_err();
    assert!(wrong.to_string().contains("have the same number"), "{wrong}");
}

#[tokio::test(start_paused = true)]
async fn failures_keep_code_and_text() {
    for (front, _) in FORMATS {
        let direct = chained(front, |cluster| Relay::to(listed(cluster)));
        let behind = direct.net.builder("behind:1").protocol(front).build().expect("a channel");
        for (service, name) in [("rest_rpc", "fail"), ("rest_rpc", "nobody")] {
            let call = behind.call(Target::named(service, name), ARGUMENTS).content(behind.content());
            let own = call.await.unwrap_err();
            let seen = direct.call(front, service, name).await.unwrap_err();
            assert_eq!((seen.code(), seen.message()), (own.code(), own.message()), "{front}, {name}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn one_format_does_not_go_to_the_other_nor_anything_else_there() {
    for (front, back) in [("rest_rpc:a", "rest_rpc:b"), ("rest_rpc:b", "rest_rpc:a"), ("grpc", "rest_rpc:b")]
    {
        let chain = chained(back, |cluster| Relay::to(listed(cluster)));
        let status = chain.call(front, "dummy", "add").await.unwrap_err();
        assert!(status.message().contains("are not relayed to servers of"), "{front}: {status}");
        assert_eq!(chain.seen(), [""; 0], "{front}");
    }
    let to_grpc = super::chain("rest_rpc", "grpc", method("Place", |_: Call| async { Ok(ok("")) }));
    let call = to_grpc.channel.call(Target::named("rest_rpc", "add"), "").content(Content::STRUCT_PACK);
    let status = call.await.unwrap_err();
    assert!(status.message().contains("unknown function"), "{status}");
}

#[tokio::test(start_paused = true)]
async fn two_relays_with_each_other_behind_them_end_a_call() {
    for (form, content) in FORMATS {
        let net = Net::<Lab>::seeded(1);
        for (one, other) in [("a:1", "b:1"), ("b:1", "a:1")] {
            // A connection for each call: on one for all, replies wait for those before.
            let below = net.host(one).builder(other).protocol(form).kind(Connections::Pooled);
            let below = below.build().expect("a channel");
            net.serve(one, Server::<Lab>::new().catch_all(Relay::to(below)));
        }
        let channel = net.builder("a:1").protocol(form).build().expect("a channel");
        let call = channel.call(Target::named("rest_rpc", "add"), ARGUMENTS).content(content);
        let status = call.timeout(ms(60_000)).await.unwrap_err();
        assert!(status.message().contains("too many relays"), "{form}: {status}");
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_subscribes_is_told_by_the_end_of_the_connection() {
    let chain = chained("rest_rpc:b", |cluster| Relay::to(listed(cluster)));
    for subscription in [
        "27 01 00 00 06 00 00 00 00 00 00 00 00 00 00 00 8a 0b 6e 3c 92 a3 6b 65 79 a0",
        "27 00 00 01 ee d7 ad 4d 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
    ] {
        assert_eq!(chain.sends(&hex(subscription), 1).await, b"", "{subscription}");
    }
}

#[tokio::test(start_paused = true)]
async fn strangers_end_their_own_connection_alone() {
    let chain = chained("rest_rpc:b", |cluster| Relay::to(listed(cluster)));
    let mut long_a = hex(CALL_A);
    long_a[4..8].fill(0xff);
    let mut long_b = hex(CALL_B);
    long_b[16..24].fill(0x7f);
    let mut attached = hex(CALL_B);
    attached[24] = 1;
    for frame in [&long_a, &long_b, &attached] {
        let first = hex(CALL_B);
        assert_eq!(chain.sends(frame, 1).await, b"");
        // And after a call that is well.
        let both = [&first[..], frame].concat();
        assert_eq!(chain.sends(&both, 1000).await, hex(REPLY_B));
    }
    // Cut anywhere, and left there.
    let whole = hex(CALL_B);
    for end in 0..whole.len() {
        let mut stream = chain.net.host("caller").connect("relay:1").await.expect("a connection");
        stream.write_all(&whole[..end]).await.expect("it is read");
    }
    chain.seen();
    // Numbers that nobody lists: each is refused, on a connection that goes on.
    let mut many = Vec::new();
    for number in 0..1000_u32 {
        let mut frame = whole.clone();
        frame[4..8].copy_from_slice(&number.to_le_bytes());
        many.extend(frame);
    }
    many.extend(&whole);
    let refused: usize = (0..1000_u32).map(|number| 33 + format!("unknown function: {number}").len()).sum();
    let replies = chain.sends(&many, refused + hex(REPLY_B).len()).await;
    assert!(replies.ends_with(&hex(REPLY_B)));
    assert_eq!(chain.seen(), ["add"]);
}
