//! The worked frames, both directions.

use super::*;
use polywire_machine_testing::{
    at_every_split, at_every_split_reacting, at_every_truncation, survives_noise,
};

fn answer(side: &mut Side, seen: &Seen) {
    if let Seen::Open(open) = seen {
        side.reply(open, b"\x03");
    }
}

#[test]
fn a_call_of_format_a_and_its_reply() {
    let mut side = client("a");
    side.open(exchange(0, 1), &add(Format::A)).unwrap();
    assert_eq!(side.written(), hex(CALL_A));
    let (call, outcome) = side.feed(hex(REPLY_A)).poll().expect_finish();
    assert_eq!((call, outcome.body, outcome.reply), (exchange(0, 1), b"\x03"[..].into(), true));
    assert_eq!(outcome.content, Content::MSGPACK);

    let mut side = server();
    let open = side.feed(hex(CALL_A)).poll().expect_open();
    assert_eq!(open.head.target, function(ADD));
    assert_eq!((open.body.clone(), open.head.content), (b"\x92\x01\x02"[..].into(), Content::MSGPACK));
    side.reply(&open, b"\x03");
    assert_eq!(side.written(), hex(REPLY_A));
}

#[test]
fn a_failure_of_format_a() {
    let mut side = server();
    side.host.refuse(Status::unimplemented("Fail to find method"));
    let mut call = hex(CALL_A);
    call[8] = 2;
    assert_eq!(side.feed(&call).events(), []);
    assert_eq!(side.written(), hex(FAILURE_A));

    let mut side = client("a");
    side.open(exchange(0, 2), &add(Format::A)).unwrap();
    let (call, outcome) = side.feed(hex(FAILURE_A)).poll().expect_finish();
    assert_eq!(call, exchange(0, 2));
    assert_eq!(outcome.status.code(), polywire_call::Code::Unimplemented);
    assert_eq!(outcome.status.message(), "unknown function: 887912700");
    assert_eq!(outcome.status.origin(), polywire_call::Origin::Remote);
}

#[test]
fn a_void_function_of_format_a() {
    let mut side = server();
    let open = side.feed(hex(CALL_A)).poll().expect_open();
    side.reply(&open, b"");
    assert_eq!(side.written(), frame_a(false, 1, 0, &[0x91, 0]));
    let mut side = client("a");
    side.open(exchange(0, 1), &add(Format::A)).unwrap();
    let (_, outcome) = side.feed(frame_a(false, 1, 0, &[0x91, 0])).poll().expect_finish();
    assert_eq!((outcome.body, outcome.reply), (b""[..].into(), true));
}

#[test]
fn a_subscription_of_format_a_and_a_delivery() {
    let mut side = client("a");
    let call = Call::new("rest_rpc", "key").streamed();
    side.open(exchange(1, 0), &call).unwrap();
    assert_eq!(side.written(), hex(SUBSCRIBE_A));
    assert_eq!(side.feed(hex(DELIVERY_A)).poll(), part(exchange(1, 0), b"hi"));

    let publication = crate::rest_rpc::Publication { key: "key", token: "" };
    let topic = Octets(publication.topic(Format::A));
    let seen = server().feed(hex(SUBSCRIBE_A)).events();
    assert_eq!(
        seen,
        [Seen::Peer { kind: "rest_rpc".into(), identity: b""[..].into() }, Seen::Topic { on: true, topic }]
    );
    assert_eq!(publication.frame(Format::A, b"hi"), hex(DELIVERY_A));
}

#[test]
fn a_heartbeat_is_empty_and_sent_on_an_idle_connection() {
    let mut side = server();
    assert_eq!(side.feed(hex(HEARTBEAT)).feed(hex(HEARTBEAT)).events(), []);
    side.feed(hex(CALL_A)).poll().expect_open();
    assert!(side.written().is_empty());

    let five = std::time::Duration::from_secs(5);
    let limits = Limits::DEFAULT.keepalive(Keepalive::DEFAULT.every(five));
    let mut side = Side::new(&PROTOCOL, ClientSetup { parameter: "a", limits, ..ClientSetup::default() });
    side.poll();
    assert_eq!(side.until_deadline(), Some(five));
    side.wait(five / 2).unwrap();
    side.open(exchange(1, 0), &add(Format::A)).unwrap();
    side.written();
    side.wait(five * 3 / 4).unwrap();
    assert!(side.written().is_empty());
    side.wait(five / 4).unwrap();
    assert_eq!(side.written(), hex(HEARTBEAT));
    assert_eq!(side.until_deadline(), Some(five));
    let mut side = Side::new(&PROTOCOL, ClientSetup { parameter: "b", limits, ..ClientSetup::default() });
    side.poll();
    assert_eq!(side.until_deadline(), None, "format B has no heartbeat");
}

#[test]
fn calls_of_format_b_and_their_replies() {
    for (name, format, call) in [("b", Format::B, CALL_B), ("cross", Format::CrossB, CALL_B_CROSS)] {
        let mut side = client(name);
        side.open(exchange(1, 0), &add(format)).unwrap();
        assert_eq!(side.written(), hex(call));
    }
    let mut side = client("");
    side.open(exchange(1, 0), &add(Format::B)).unwrap();
    let (call, outcome) = side.feed(hex(REPLY_B)).poll().expect_finish();
    assert_eq!((call, outcome.body, outcome.reply), (exchange(1, 0), b"3"[..].into(), true));
    assert_eq!(outcome.content, Content::STRUCT_PACK);

    for (call, body) in [
        (CALL_B, "8c 90 45 40 01 00 00 00 02 00 00 00"),
        (CALL_B_DEBUG, "8d 90 45 40 04 fd 01 01 ff 00 01 00 00 00 02 00 00 00"),
    ] {
        let mut side = server();
        let open = side.feed(hex(call)).poll().expect_open();
        assert_eq!((open.head.target.clone(), &*open.body.0), (function(ADD), &*hex(body)));
        side.reply(&open, b"3");
        assert_eq!(side.written(), hex(REPLY_B));
    }
    let open = server().feed(hex(ECHO_B)).poll().expect_open();
    assert_eq!((open.head.target, open.body), (function(0xcbb1_1ed8), b"test"[..].into()));
    let mut side = client("b");
    side.open(exchange(1, 0), &Call::new("rest_rpc", "echo").content(Content::STRUCT_PACK).body("test"))
        .unwrap();
    assert_eq!(side.written(), hex(ECHO_B));
}

#[test]
fn format_b_is_answered_in_the_order_of_bytes_that_it_came_in() {
    let mut side = server();
    let open = side.feed(hex(CALL_B_CROSS)).poll().expect_open();
    assert_eq!(open.head.target, function(ADD));
    side.reply(&open, b"3");
    let mut reply = hex(REPLY_B);
    reply[16..24].reverse();
    assert_eq!(side.written(), reply);
    let mut side = client("cross");
    side.open(exchange(1, 0), &add(Format::CrossB)).unwrap();
    assert_eq!(side.feed(&reply).poll().expect_finish().1.body.0, b"3");
}

#[test]
fn a_subscription_of_format_b_and_a_delivery() {
    let publication = crate::rest_rpc::Publication { key: "topic1", token: "" };
    for (name, format) in [("b", Format::B), ("cross", Format::CrossB)] {
        let mut side = client(name);
        side.open(exchange(1, 0), &Call::new("rest_rpc", "topic1").streamed()).unwrap();
        let mut subscribe = hex(SUBSCRIBE_B);
        let mut delivery = hex(DELIVERY_B);
        if format == Format::CrossB {
            subscribe[4..8].reverse();
            delivery[4..8].reverse();
            delivery[16..24].reverse();
        }
        assert_eq!(side.written(), subscribe);
        assert_eq!(publication.frame(format, b"hello"), delivery);
        assert_eq!(side.feed(&delivery).poll(), part(exchange(1, 0), b"hello"));
    }
    let topic = Octets(publication.topic(Format::B));
    let seen = server().feed(hex(SUBSCRIBE_B)).events();
    assert_eq!(
        seen,
        [Seen::Peer { kind: "rest_rpc".into(), identity: b""[..].into() }, Seen::Topic { on: true, topic }]
    );
}

#[test]
fn names_have_the_ids_of_the_sheet() {
    assert_eq!(function_id("add"), ADD as u32);
    assert_eq!(function_id("dummy::add"), 0xb5c9_99c1);
}

#[test]
fn a_reply_without_a_value_in_format_b() {
    let mut side = server();
    let open = side.feed(hex(CALL_B)).poll().expect_open();
    side.finish(open.exchange, Outcome { reply: true, ..Outcome::default() });
    assert_eq!(side.written(), frame_b(false, 0, &[0]));
}

#[test]
fn every_split_and_truncation_of_every_message() {
    for call in [CALL_A, CALL_B, CALL_B_DEBUG, CALL_B_CROSS, ECHO_B] {
        let call = hex(call);
        let three = [&call[..], &call, &call].concat();
        assert_eq!(at_every_split_reacting(server, answer, &three).seen.len(), 3);
        at_every_truncation(server, &call);
    }
    for subscribe in [SUBSCRIBE_A, SUBSCRIBE_B] {
        assert_eq!(at_every_split(server, &hex(subscribe)).seen.len(), 2);
        at_every_truncation(server, &hex(subscribe));
    }
    let many = [hex(HEARTBEAT), hex(SUBSCRIBE_A), hex(HEARTBEAT), hex(CALL_A), hex(SUBSCRIBE_A)].concat();
    assert_eq!(at_every_split_reacting(server, answer, &many).seen.len(), 4);

    let called = |format: &'static str| {
        move || {
            let mut side = client(format);
            side.open(exchange(0, 1), &add(Format::named(format).unwrap())).unwrap();
            side.open(exchange(0, 2), &add(Format::named(format).unwrap())).unwrap();
            side.open(
                exchange(0, 3),
                &Call::new("rest_rpc", if format == "a" { "key" } else { "topic1" }).streamed(),
            )
            .unwrap();
            side.written();
            side
        }
    };
    for (format, replies) in [("a", [REPLY_A, DELIVERY_A, FAILURE_A]), ("b", [REPLY_B, DELIVERY_B, REPLY_B])]
    {
        assert_eq!(at_every_split(called(format), &replies.map(hex).concat()).seen.len(), 3);
        replies.iter().for_each(|reply| at_every_truncation(called(format), &hex(reply)));
        let goldens = replies.map(hex);
        survives_noise(called(format), &goldens.each_ref().map(|golden| &golden[..]), 3, 1500);
    }
    let goldens = [CALL_A, SUBSCRIBE_A, HEARTBEAT, CALL_B, CALL_B_CROSS, SUBSCRIBE_B].map(hex);
    survives_noise(server, &goldens.each_ref().map(|golden| &golden[..]), 4, 3000);
}
