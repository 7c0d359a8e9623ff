//! What a call is besides its message: names, the relays that it has passed, its copies.

use super::*;
use crate::{Figures, Routes, Shadow};
use polywire_call::{Code, ConfigError, Metadata};

/// Servers that are not brpc's may insist on the name of the parameter, callers on that of the return value.
#[tokio::test(start_paused = true)]
async fn names_of_parameter_and_return_value_and_what_is_returned_go_on_from_ubrpc_to_ubrpc() {
    for (parameter, returned) in [("request", "answer"), ("", ""), ("req", "res")] {
        let old = Old::new("ubrpc_mcpack2", None, "Echo", move |call: Call| async move {
            let seen = call.cx.metadata().get_str("x-bd-idl-request").map(str::to_owned);
            assert_eq!(seen.as_deref(), (parameter != "req").then_some(parameter));
            assert_eq!(call.body.to_vec(), hex(UBRPC_REQUEST)[REQUEST_MESSAGE]);
            let names = [("x-bd-idl-response", returned.as_bytes()), ("x-bd-idl-result", b"-7")];
            let body = hex(UBRPC_REPLY)[REPLY_MESSAGE].to_vec();
            let trailers = Some(Box::new(Metadata::from_iter(names)));
            Ok(Outcome { content: Content::MCPACK, trailers, ..ok(body) })
        });
        let call = old.channel("ubrpc_mcpack2").call(ECHO, hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec());
        let call = call.metadata("x-bd-idl-request", parameter).metadata("x-bd-idl-response", returned);
        let reply = call.await.unwrap_or_else(|status| panic!("{parameter:?}: {status}"));
        assert_eq!(reply.body.to_vec(), hex(UBRPC_REPLY)[REPLY_MESSAGE], "{parameter:?}");
        assert_eq!(reply.metadata().get_str("x-bd-idl-result"), Some("-7"), "{parameter:?}");
    }
}

/// Only one side has such names.
#[tokio::test(start_paused = true)]
async fn names_of_parameter_and_return_value_are_those_of_the_cluster_where_they_are_missing() {
    names_are_said(|cluster| cluster.idl_names("request", "answer")).await;
}

#[tokio::test(start_paused = true)]
async fn a_method_may_have_names_of_its_own() {
    names_are_said(|cluster| cluster.idl_names_of("Echo", "request", "answer")).await;
    names_are_said(|cluster| {
        cluster
            .idl_names_of("Echo", "request", "answer")?
            .idl_names("x", "y")?
            .idl_names_of("Other", "x", "y")
    })
    .await;
    names_are_said(|cluster| cluster.idl_names_of("Other", "x", "y")?.idl_names("request", "answer")).await;
}

/// The parameter of the method is `request`, and its return value `answer`.
async fn names_are_said(said: fn(Cluster) -> Result<Cluster, ConfigError>) {
    let body = |text: &str, from| hex(text)[from..].to_vec();
    let cluster = |net: &Net<Lab>, back| {
        let below = net.host("relay").builder("behind:1").protocol(back).build().expect("a channel");
        let cluster = Cluster::new(&below).schemas(&known(&["echo.proto"]));
        said(cluster).expect("names")
    };
    let serve = |net: &Net<Lab>, back, method| {
        net.serve("behind:1", Server::<Lab>::new().service(Service::new(ECHO_SERVICE, &[]).with(method)));
        net.serve("relay:1", Server::<Lab>::new().catch_all(Relay::to(cluster(net, back))));
    };
    let net = Net::<Lab>::seeded(1);
    serve(&net, "grpc", method("Echo", |_| async { Ok(ok(REPLY)) }));
    let old = net.builder("relay:1").protocol("ubrpc_mcpack2").build().expect("a channel");
    let call = || old.call(ECHO, body(UBRPC_REQUEST, REQUEST_MESSAGE.start));
    let reply = call().metadata("x-bd-idl-response", "answer").await.expect("a reply");
    assert_eq!(reply.body.to_vec(), body(UBRPC_REPLY, REPLY_MESSAGE.start));
    assert!(call().await.unwrap_err().message().contains("no `res`"));

    let net = Net::<Lab>::seeded(1);
    let reply = body(UBRPC_REPLY, REPLY_MESSAGE.start);
    let named = method("Echo", move |call: Call| {
        assert_eq!(call.cx.metadata().get_str("x-bd-idl-request"), Some("request"));
        let body = reply.clone();
        async move { Ok(Outcome { content: Content::MCPACK, ..ok(body) }) }
    });
    serve(&net, "ubrpc_mcpack2", named);
    let new = net.builder("relay:1").protocol("grpc").build().expect("a channel");
    assert_eq!(new.call(ECHO, REQUEST).await.expect("a reply").body.to_vec(), REPLY);
    assert!(cluster(&net, "grpc").idl_names(&"n".repeat(255), "").is_err());
    for (method, name) in [("Echo", &*"n".repeat(255)), ("example.EchoService/Echo", ""), ("", "")] {
        assert!(cluster(&net, "grpc").idl_names_of(method, "", name).is_err(), "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_name_of_a_parameter_steers_no_server_but_those_of_ubrpc() {
    let old = Old::new("grpc", Some(&known(&["echo.proto"])), "Echo", |call: Call| async move {
        let fields: Vec<_> = call.cx.metadata().iter().map(|(name, _)| name.to_owned()).collect();
        assert!(!fields.iter().any(|name| name.starts_with("x-bd-")), "{fields:?}");
        Ok(ok(REPLY))
    });
    let call = old.channel("ubrpc_mcpack2").call(ECHO, hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec());
    call.metadata("x-bd-idl-request", "x").await.expect("a reply");
}

#[tokio::test(start_paused = true)]
async fn a_short_name_is_that_of_the_only_service_that_has_it() {
    let body = || hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec();
    let both = known(&["echo.proto", "other.proto"]);
    let old = Old::new("grpc", Some(&both), "Echo", |_| async { Ok(ok(REPLY)) });
    let status = old.channel("ubrpc_mcpack2").call(ECHO, body()).await.unwrap_err();
    assert_eq!((status.code(), mark(&status)), (Code::Unimplemented, Some("translate")));
    assert!(status.message().contains("several services are called EchoService"), "{status}");
    let unknown = Old::new("grpc", Some(&known(&["other.proto"])), "Echo", |_| async { Ok(ok(REPLY)) });
    let target = Target::fixed("example.Nothing", "Echo");
    let status = unknown.channel("ubrpc_mcpack2").call(target, body()).await.unwrap_err();
    assert!(status.message().contains("schema of Nothing is not known"), "{status}");
    let without = Old::new("grpc", None, "Echo", |_| async { Ok(ok(REPLY)) });
    let status = without.channel("ubrpc_mcpack2").call(ECHO, body()).await.unwrap_err();
    assert!(status.message().contains("none to translate mcpack"), "{status}");
    let back = Old::new("ubrpc_mcpack2", None, "Echo", |_| async { Ok(ok(REPLY)) });
    let status = back.channel("grpc").call(ECHO, REQUEST).await.unwrap_err();
    assert!(status.message().contains("none to translate protobuf"), "{status}");
    for old in [old, unknown, without, back] {
        assert_eq!(old.served.load(Relaxed), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn servers_without_names_get_calls_of_their_method_alone() {
    let old = Old::new("nshead_mcpack", None, "Echo", |call: Call| async move {
        Ok(Outcome { content: Content::MCPACK, ..ok(call.body) })
    });
    let body = || hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec();
    let channel = old.channel("ubrpc_mcpack2");
    channel.call(ECHO, body()).await.expect("its method");
    let status = channel.call(Target::fixed(ECHO_SERVICE, "Drop"), body()).await.unwrap_err();
    assert_eq!((status.code(), mark(&status)), (Code::Unimplemented, Some("translate")));
    assert!(status.message().contains("that is example.EchoService/Echo"), "{status}");
    assert_eq!(old.served.load(Relaxed), 1);
    let below =
        old.net.host("relay").builder("behind:1").protocol("nshead_mcpack").build().expect("a channel");
    old.net.serve("relay:2", Server::<Lab>::new().catch_all(Relay::to(below)));
    let untold = old.net.builder("relay:2").protocol("ubrpc_mcpack2").build().expect("a channel");
    let status = untold.call(ECHO, body()).await.unwrap_err();
    assert!(status.message().contains("the relay is not told"), "{status}");
    assert_eq!(old.served.load(Relaxed), 1);
}

/// There is no place for the ids of relays, but for how many there were.
#[tokio::test(start_paused = true)]
async fn relays_in_a_circle_end_a_call_over_ubrpc_and_nshead_mcpack() {
    for round in ["ubrpc_mcpack2", "nshead_mcpack"] {
        let net = Net::<Lab>::seeded(1);
        for (one, other) in [("a:1", "b:1"), ("b:1", "a:1")] {
            let below = net.host(one).builder(other).protocol(round).build().expect("a channel");
            let relay = Relay::to(Cluster::new(&below).only(ECHO_SERVICE, "Echo").expect("names"));
            let relay = relay.nameless(ECHO_SERVICE, "Echo").expect("names");
            net.serve(one, Server::<Lab>::new().catch_all(relay));
            net.link(one).delay(ms(20)); // a circle without an end has one by time
        }
        let channel = net.builder("a:1").protocol("ubrpc_mcpack2").build().expect("a channel");
        let call = channel.call(ECHO, hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec()).timeout(ms(5000));
        let status = call.await.unwrap_err();
        if round == "ubrpc_mcpack2" {
            assert_eq!(mark(&status), Some("loop"), "{status}");
            assert!(status.message().contains("too many relays"), "{status}");
        }
        let connections = net.log().iter().filter(|event| format!("{event:?}").contains("Connected")).count();
        assert!(connections <= 10, "{round}: {connections}");
    }
}

/// ubrpc to ubrpc, while a new server of protobuf is shown the calls.
#[tokio::test(start_paused = true)]
async fn a_shadow_of_protobuf_gets_copies_of_calls_in_mcpack_and_its_answers_are_compared() {
    for (answer, same) in [(REPLY, 1), (&b"\x0a\x05hello"[..], 0)] {
        let net = Net::<Lab>::seeded(1);
        let old = method("Echo", |_| async {
            Ok(Outcome { content: Content::MCPACK, ..ok(hex(UBRPC_REPLY)[REPLY_MESSAGE].to_vec()) })
        });
        let new = method("Echo", move |call: Call| async move {
            assert_eq!(call.body.to_vec(), REQUEST);
            Ok(ok(answer))
        });
        for (name, method) in [("old:1", old), ("new:1", new)] {
            net.serve(name, Server::<Lab>::new().service(Service::new(ECHO_SERVICE, &[]).with(method)));
        }
        let below = |name: &str, protocol: &str| {
            net.host("relay").builder(name).protocol(protocol).build().expect("a channel")
        };
        let (old, new) = (below("old:1", "ubrpc_mcpack2"), below("new:1", "grpc"));
        let figures = Figures::new();
        let shadow = Shadow::to(Cluster::new(&new).schemas(&known(&["echo.proto"])));
        let shadow = shadow.method("example.EchoService/Echo").expect("a method").compare();
        let shadow = shadow.counted(&figures, "*", "new");
        let routes = Routes::new().to("*".parse().expect("names"), &old).expect("a route");
        net.serve(
            "relay:1",
            Server::<Lab>::new().catch_all(Relay::by(routes.shadow(shadow).expect("a shadow"))),
        );
        let channel = net.builder("relay:1").protocol("ubrpc_mcpack2").build().expect("a channel");
        channel.call(ECHO, hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec()).await.expect("a reply");
        let mut found = figures.shadows().pop().expect("a shadow");
        for _ in 0..10_000 {
            if found.same + found.different > 0 {
                break;
            }
            tokio::time::sleep(ms(1)).await;
            found = figures.shadows().pop().expect("a shadow");
        }
        assert_eq!((found.same, found.different), (same, 1 - same), "{found:?}");
    }
}

/// Guessed schemas have no options, which may say other names for mcpack. To a shadow nothing is sent either.
#[tokio::test(start_paused = true)]
async fn by_a_guessed_schema_nothing_is_translated_from_or_to_mcpack() {
    let schemas = known(&["echo.proto"]);
    let old = Old::new("baidu_std", Some(&schemas), "Echo", |_| async { Ok(ok(REPLY)) });
    let reply = hex(UBRPC_REPLY);
    assert_eq!(old.sends(UBRPC_REQUEST, reply.len()).await, reply);
    schemas.replace_guessed(&known_set(&["echo.proto"])).expect("a set");
    assert!(schemas.is_guessed());
    let failed = old.channel("ubrpc_mcpack2").call(ECHO, hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec()).await;
    let failed = failed.expect_err("refused");
    assert!(failed.message().contains("is guessed"), "{failed}");
    assert_eq!(old.served.load(Relaxed), 1);
    let json = old.channel("connect:json").call(ECHO, &b"{\"message\":\"hello\"}"[..]).await;
    let json = json.expect("a reply").into_message().body.to_vec();
    assert!(json.starts_with(b"{\"message\":\"hello\""), "{json:?}");
    let behind = old.net.host("relay").builder("behind:1").protocol("grpc").build().expect("a channel");
    let cluster = Cluster::new(&behind).schemas(&schemas);
    let message = hex(UBRPC_REQUEST)[REQUEST_MESSAGE].to_vec();
    let copied =
        crate::translation::copied(&cluster, (ECHO_SERVICE, "Echo"), Content::MCPACK, message.into());
    assert!(copied.is_none());
}
