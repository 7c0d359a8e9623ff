//! Calls of one message each way over gRPC: what goes on, and how they end.

use super::*;
use polywire_call::{Code, Compression, Metadata};
use polywire_client::Target;
use polywire_wire::Limits;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tokio::sync::mpsc;

const PLACE: Target = Target::fixed(SERVICE, "Place");

#[tokio::test(start_paused = true)]
async fn a_call_of_an_unknown_service_reaches_the_server_behind_with_its_fields() {
    let place = method("Place", |call: Call| async move {
        let seen = call.cx.metadata();
        assert_eq!(call.cx.called(), (SERVICE, "Place"));
        assert_eq!((seen.get("x-tenant"), seen.get("key-bin")), (Some(&b"acme"[..]), Some(&b"\0\xff"[..])));
        let twice = seen.iter().filter(|(name, _)| *name == "grpc-accept-encoding").count();
        assert_eq!(twice, 1, "the fields of the first connection stay there");
        let fields = |name| Some(Box::new(Metadata::from_iter([(name, b"1")])));
        Ok(Outcome { headers: fields("x-head"), trailers: fields("x-tail"), ..ok(call.body) })
    });
    let chain = chain("grpc", "grpc", place);
    let reply =
        chain.channel.call(PLACE, "a lamp").metadata("x-tenant", "acme").metadata("key-bin", b"\0\xff");
    let reply = reply.await.expect("a reply");
    assert_eq!(reply.body.to_vec(), b"a lamp");
    assert_eq!(
        (reply.headers().get_str("x-head"), reply.metadata().get_str("x-tail")),
        (Some("1"), Some("1"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_keeps_code_text_details_and_fields() {
    let place = method("Place", |_| async {
        Err(Status::not_found("no such lamp").with_details(vec![8, 5]).with_metadata("x-shelf", "7"))
    });
    let status = chain("grpc", "grpc", place).channel.call(PLACE, "").await.unwrap_err();
    assert_eq!((status.code(), status.message()), (Code::NotFound, "no such lamp"));
    assert_eq!((status.details(), status.metadata().get_str("x-shelf")), (&[8, 5][..], Some("7")));
}

#[tokio::test(start_paused = true)]
async fn the_time_that_is_left_goes_on() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let place = method("Place", move |call: Call| {
        let tell = tell.clone();
        async move {
            let _ = tell.send(call.cx.remaining());
            std::future::pending().await
        }
    });
    let chain = chain("grpc", "grpc", place);
    chain.net.link("relay:1").delay(ms(30));
    let status = chain.channel.call(PLACE, "").timeout(ms(200)).await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    let left = told.recv().await.flatten().expect("a deadline");
    assert!(left > ms(100) && left <= ms(200), "{left:?}");
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_time_limit_has_none_behind() {
    let place = method("Place", |call: Call| async move { Ok(ok(format!("{:?}", call.cx.deadline()))) });
    let chain = chain("grpc", "grpc", place);
    let mut stream = chain.channel.stream(PLACE).message("").await.expect("a stream");
    let said = stream.next().await.expect("a message").expect("no failure");
    assert_eq!(said.bytes.to_vec(), b"None");
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_gives_up_ends_the_call_behind() {
    let (tell, mut told) = mpsc::unbounded_channel();
    let place = method("Place", move |call: Call| {
        let tell = tell.clone();
        let over = AtEnd(tell.clone());
        async move {
            let _held = (call, over);
            let _ = tell.send("begun");
            std::future::pending().await
        }
    });
    let chain = chain("grpc", "grpc", place);
    let call = tokio::spawn(chain.channel.call(PLACE, "").timeout(ms(3_600_000)).into_future());
    assert_eq!(told.recv().await, Some("begun"));
    call.abort();
    assert_eq!(tokio::time::timeout(ms(1000), told.recv()).await, Ok(Some("over")));
}

fn limits(max_message: u32) -> Limits {
    let mut limits = Limits::default();
    limits.max_message = max_message;
    limits
}

#[tokio::test(start_paused = true)]
async fn messages_beyond_a_limit_are_refused_in_both_directions() {
    let served = Arc::new(AtomicUsize::new(0));
    let place = method("Place", {
        let served = served.clone();
        move |call: Call| {
            served.fetch_add(1, Relaxed);
            async move { Ok(ok(vec![0; call.body.len() * 1000])) }
        }
    });
    let net = Net::<Lab>::seeded(1);
    net.serve("behind:1", Server::<Lab>::new().service(Service::new(SERVICE, &[]).with(place)));
    let below = net.host("relay").builder("behind:1").protocol("grpc").limits(limits(2000)).build().unwrap();
    net.serve("relay:1", Server::<Lab>::new().catch_all(Relay::to(below)).limits(limits(1000)));
    let channel = net.builder("relay:1").protocol("grpc").build().unwrap();
    assert_eq!(channel.call(PLACE, "12").await.expect("within both").body.len(), 2000);
    let long_reply = channel.call(PLACE, "123").await.unwrap_err();
    assert_eq!((long_reply.code(), served.load(Relaxed)), (Code::ResourceExhausted, 2), "{long_reply}");
    let long_request = channel.call(PLACE, vec![0; 1001]).await.unwrap_err();
    assert_eq!((long_request.code(), served.load(Relaxed)), (Code::ResourceExhausted, 2), "{long_request}");
}

#[tokio::test(start_paused = true)]
async fn a_compressed_request_is_read_behind() {
    let place = method("Place", |call: Call| async move {
        Ok(ok(format!("{} bytes, {:?}", call.body.len(), call.compression == Compression::NONE)))
    });
    let chain = chain("grpc", "grpc", place);
    let reply = chain.channel.call(PLACE, vec![0; 5000]).compress(Compression::GZIP).await.expect("a reply");
    assert_eq!(reply.body.to_vec(), b"5000 bytes, true");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_gone_is_a_failure_of_the_call() {
    let chain = chain("grpc", "grpc", method("Place", |call: Call| async { Ok(ok(call.body)) }));
    chain.channel.call(PLACE, "").await.expect("a reply");
    chain.behind.crash();
    assert_eq!(chain.channel.call(PLACE, "").await.unwrap_err().code(), Code::Unavailable);
}

#[tokio::test(start_paused = true)]
async fn what_the_server_behind_does_not_have_is_unimplemented() {
    let chain = chain("grpc", "grpc", method("Place", |call: Call| async { Ok(ok(call.body)) }));
    let status = chain.channel.call(Target::fixed(SERVICE, "Cancel"), "").await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
    assert!(status.message().contains("Cancel"), "{status}");
}

#[tokio::test(start_paused = true)]
async fn a_method_of_the_server_itself_is_not_relayed() {
    let chain = chain_with("grpc", "grpc", method("Place", |_| async { Ok(ok("behind")) }), |relay| {
        relay.service(Service::new("own.Own", &[]).with(method("Get", |_| async { Ok(ok("own")) })))
    });
    for (target, by) in [(PLACE, "behind"), (Target::fixed("own.Own", "Get"), "own")] {
        assert_eq!(chain.channel.call(target, "").await.expect("a reply").body.to_vec(), by.as_bytes());
    }
}

/// Servers over HTTP do not say beforehand what they read; of those of baidu_std it is known.
#[tokio::test(start_paused = true)]
async fn compressed_requests_stay_so_where_all_servers_of_a_protocol_read_them() {
    for (front, back, arrives) in [
        ("baidu_std", "baidu_std", Compression::GZIP),
        ("sofa_pbrpc", "baidu_std", Compression::GZIP),
        ("baidu_std", "grpc", Compression::NONE),
        ("connect", "grpc", Compression::NONE),
        ("grpc", "grpc", Compression::NONE),
        ("baidu_std", "connect", Compression::NONE),
        ("connect", "baidu_std", Compression::GZIP),
    ] {
        let place = method("Place", move |mut call: Call| async move {
            assert_eq!(call.compression, arrives);
            Ok(ok(call.decompressed(call.body.clone()).await?))
        });
        let chain = super::chain(front, back, place);
        let message = vec![7; 5000];
        let call = chain.channel.call(PLACE, message.clone()).compress(Compression::GZIP);
        let reply = call.await.unwrap_or_else(|status| panic!("{front} to {back}: {status}"));
        assert_eq!(reply.body.to_vec(), message, "{front} to {back}");
    }
}

/// HTTP has no blanks around a value: the server would get another one than rules of the relay have seen.
#[tokio::test(start_paused = true)]
async fn fields_that_would_arrive_as_others_end_the_call() {
    let seen = |call: Call| async move {
        let role = call.cx.metadata().get("x-role").unwrap_or_default().to_vec();
        Ok(ok(role))
    };
    for back in ["grpc", "connect", "baidu_std"] {
        let chain = super::chain("baidu_std", back, method("Place", seen));
        for (value, arrives) in [
            ("root", true),
            ("a b", true),
            ("", true),
            ("root ", false),
            (" root", false),
            ("\troot", false),
            ("a\u{1}b", false),
            ("line\nend", false),
        ] {
            let answered = chain.channel.call(PLACE, "").metadata("x-role", value).await;
            match answered {
                Ok(reply) => {
                    assert!(arrives || back == "baidu_std", "{back}, {value:?}");
                    assert_eq!(reply.body.to_vec(), value.as_bytes(), "{back}");
                }
                Err(status) => {
                    assert!(!arrives && back != "baidu_std", "{back}, {value:?}: {status}");
                    assert_eq!(status.code(), Code::InvalidArgument, "{back}, {value:?}: {status}");
                    assert!(status.message().contains("\"x-role\""), "{back}, {value:?}: {status}");
                }
            }
        }
        let chinese = chain.channel.call(PLACE, "").metadata("x-role", "张三").await;
        assert_eq!(chinese.is_ok(), back == "baidu_std", "{back}: {chinese:?}");
    }
}
