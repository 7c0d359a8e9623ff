//! The order of replies, topics, pushed messages, and ends of connections.

use super::*;
use polywire_call::brpc;
use polywire_wire::{Goodbye, Part, Route, ServerSetup};
use std::time::Duration;

#[test]
fn format_a_is_answered_in_any_order() {
    let mut side = server();
    let calls = [1, 2, 3].map(|id| frame_a(false, id, ADD as u32, &[0x90]));
    let seen = side.feed(calls.concat()).events();
    let opens: Vec<_> = seen.into_iter().map(Seen::expect_open).collect();
    assert_eq!(opens.iter().map(|open| open.exchange.token).collect::<Vec<_>>(), [1, 2, 3]);
    side.reply(&opens[2], [3]);
    side.reply(&opens[0], [1]);
    side.reply(&opens[1], [2]);
    let replies = [3, 1, 2].map(|id| frame_a(false, id, 0, &[0x92, 0, id as u8]));
    assert_eq!(side.written(), replies.concat());
}

#[test]
fn format_b_is_answered_in_order_one_at_a_time() {
    let mut side = server();
    side.feed([hex(CALL_B), hex(ECHO_B)].concat());
    let first = side.poll().expect_open();
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&first, "3");
    let second = side.poll().expect_open();
    side.reply(&first, "late"); // the request has ended
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&second, "test");
    assert_eq!(side.written(), [hex(REPLY_B), frame_b(false, 0, b"\0test")].concat());
}

#[test]
fn failures_have_the_texts_of_the_original_server() {
    let mut side = server();
    let fail = |side: &mut Side, call: &[u8], status: Status| {
        let open = side.feed(call).poll().expect_open();
        side.fail(open.exchange, status);
        side.written()
    };
    let text = |text: &str| {
        let mut body = vec![0x92, 1];
        polywire_formats::msgpack::put_str(&mut body, text.as_bytes());
        frame_a(false, 1, 0, &body)
    };
    let a = |side: &mut Side, status| fail(side, &hex(CALL_A), status);
    assert_eq!(
        a(&mut side, Status::invalid_argument("unpack failed: Args not match!")),
        text("unpack failed: Args not match!")
    );
    assert_eq!(
        a(&mut side, Status::unimplemented("not today")),
        text("not today"),
        "by the handler, not by admission"
    );

    let mut side = server();
    let b = |side: &mut Side, status| fail(side, &hex(CALL_B), status);
    assert_eq!(
        b(&mut side, Status::not_found("no such user")),
        frame_b(false, 0, b"\x04exception occur when callno such user")
    );
    let panic = Status::internal("unknown exception occur when call add");
    assert_eq!(b(&mut side, panic), frame_b(false, 0, b"\x05unknown exception occur when call add"));
    side.host.refuse_next(Status::unimplemented("Fail to find method"));
    side.feed(hex(CALL_B)).events();
    assert_eq!(side.written(), frame_b(false, 0, b"\x01unknown function: 887912700"));
    side.host.refuse_next(Status::resource_exhausted("too many"));
    side.feed(hex(CALL_B)).events();
    assert_eq!(side.written(), frame_b(false, 0, b"\x04exception occur when calltoo many"));
    let close = side.feed(hex(CALL_B)).poll().expect_open();
    side.fail(close.exchange, brpc::status(brpc::ECLOSE, ""));
    assert_eq!((side.written(), side.poll()), (vec![], Seen::Closed));
}

#[test]
fn a_draining_server_answers_what_has_arrived_and_nothing_later() {
    let mut side = server();
    let opens: Vec<_> = [1, 2]
        .map(|id| side.feed(frame_a(false, id, ADD as u32, &[0x90])).poll().expect_open())
        .into_iter()
        .collect();
    side.goodbye(Goodbye::Drain);
    side.feed(frame_a(false, 3, ADD as u32, &[0x90]));
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&opens[1], [2]);
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&opens[0], [1]);
    assert_eq!(side.poll(), Seen::Closed);
    let replies = [2, 1].map(|id| frame_a(false, id, 0, &[0x92, 0, id as u8]));
    assert_eq!(side.written(), replies.concat());

    // So are requests that wait behind one that runs.
    let call = hex(CALL_B);
    for cut in [0, 3, call.len() - 1] {
        let mut side = server();
        let first = side.feed(&call).poll().expect_open();
        side.feed(&call).feed(&call[..cut]);
        side.goodbye(Goodbye::Drain);
        side.feed(&call[cut..]).feed(&call);
        side.reply(&first, "3");
        for _ in 0..1 + usize::from(cut > 0) {
            let open = side.poll().expect_open();
            side.reply(&open, "3");
        }
        assert_eq!(side.poll(), Seen::Closed, "cut at {cut}");
    }

    // A request of which a part has arrived is served.
    let mut side = server();
    let call = hex(CALL_B);
    side.feed(&call[..call.len() - 1]).events();
    side.goodbye(Goodbye::Drain);
    let open = side.feed(&call[call.len() - 1..]).poll().expect_open();
    side.reply(&open, "3");
    assert_eq!((side.written(), side.poll()), (hex(REPLY_B), Seen::Closed));
}

#[test]
fn a_long_text_is_cut_between_two_letters() {
    let mut side = server();
    let open = side.feed(hex(CALL_B)).poll().expect_open();
    side.fail(open.exchange, Status::not_found("ü".repeat(1 << 20)));
    let reply = side.written();
    assert!(reply.len() < 70 << 10);
    assert!(std::str::from_utf8(&reply[33..]).is_ok());
}

#[test]
fn a_refused_request_is_thrown_away_and_the_next_one_served() {
    let long =
        |id| frame_a(false, id, ADD as u32, &[&[0x91, 0xc6, 0, 0, 0x40, 0][..], &[7; 0x4000]].concat());
    let mut side = server();
    side.host.refuse_next(Status::unimplemented(""));
    side.host.route_next(Route { max_message: 100, ..Route::default() });
    let bytes = [long(1), long(2), hex(CALL_A)].concat();
    let mut seen = Vec::new();
    for piece in bytes.chunks(1000) {
        seen.extend(side.feed(piece).events());
        assert!(side.held() < 2000, "what is refused is not kept");
    }
    assert_eq!(seen.len(), 1);
    assert_eq!(side.host.withdrawn, 1);
    let text = String::from_utf8_lossy(&side.written()).into_owned();
    assert!(
        text.contains("unknown function: 887912700") && text.contains("exceeds the limit of 100"),
        "{text}"
    );
}

#[test]
fn format_b_remembers_one_topic() {
    let mut side = server();
    let on = |on, id| Seen::Topic { on, topic: crate::rest_rpc::topics::by_id(Format::B, id)[..].into() };
    let met = Seen::Peer { kind: "rest_rpc".into(), identity: b""[..].into() };
    assert_eq!(side.feed(frame_b(true, 1, b"")).events(), [met, on(true, 1)]);
    assert_eq!(side.feed(frame_b(true, 1, b"")).events(), []);
    assert_eq!(side.feed(frame_b(true, 2, b"")).events(), [on(false, 1), on(true, 2)]);
    let open = side.feed(hex(CALL_B)).poll().expect_open();
    side.reply(&open, "3");
    assert_eq!(side.written(), hex(REPLY_B), "a subscriber may call as well");
}

#[test]
fn a_topic_that_was_read_in_the_wrong_order_is_put_right_by_the_first_length() {
    let mut side = server();
    let mut subscribe = frame_b(true, 0x0102_0304, b"");
    subscribe[4..8].reverse();
    let topic = |format, id| Octets(crate::rest_rpc::topics::by_id(format, id));
    let seen = side.feed(subscribe).events();
    assert_eq!(seen[1], Seen::Topic { on: true, topic: topic(Format::B, 0x0403_0201) });
    let seen = side.feed(hex(CALL_B_CROSS)).events();
    assert_eq!(seen[0], Seen::Topic { on: false, topic: topic(Format::B, 0x0403_0201) });
    assert_eq!(seen[1], Seen::Topic { on: true, topic: topic(Format::CrossB, 0x0102_0304) });
    assert!(matches!(seen[2], Seen::Open(_)));
}

#[test]
fn topics_are_no_prefixes_of_each_other() {
    let topic = |key: &str, token: &str, format| crate::rest_rpc::Publication { key, token }.topic(format);
    let all: Vec<_> = [("k", ""), ("ke", ""), ("key", ""), ("k", "x"), ("", "")]
        .iter()
        .flat_map(|(key, token)| {
            [Format::A, Format::B, Format::CrossB].map(|format| topic(key, token, format))
        })
        .collect();
    for (n, one) in all.iter().enumerate() {
        for (m, other) in all.iter().enumerate() {
            assert_eq!(n == m, one.starts_with(other), "{one:?} {other:?}");
        }
    }
    assert_eq!(topic("ke", "y", Format::A), topic("key", "", Format::A), "the peer names them as one");
}

#[test]
fn pushes_wait_while_the_peer_reads_nothing() {
    let mut side = server().with_room(100);
    side.feed(hex(SUBSCRIBE_A)).events();
    let push = |side: &mut Side| {
        side.send(
            Exchange::CONNECTION,
            &Part { bytes: vec![7; 60].into(), end_of_message: true, ..Part::default() },
        )
    };
    assert!(push(&mut side).is_open());
    assert!(!push(&mut side).is_open());
    assert_eq!(side.feed(hex(CALL_A)).events(), [Seen::Blocked]);
    assert_eq!(side.written().len(), 120);
    assert!(
        matches!(side.poll(), Seen::Credit { exchange: Exchange::CONNECTION, credit } if credit.is_open())
    );
    side.poll().expect_open();
}

#[test]
fn an_idle_peer_of_format_a_is_closed_if_configured() {
    let idle = Duration::from_secs(15);
    let settings = Settings { idle: Some(idle), ..Settings::default() };
    let mut side = told(settings);
    side.feed(hex(HEARTBEAT)).events();
    assert_eq!(side.until_deadline(), Some(idle));
    side.wait(idle / 2).unwrap();
    side.feed(hex(HEARTBEAT)).events();
    assert_eq!(side.until_deadline(), Some(idle), "heartbeats count");
    let open = side.feed(hex(CALL_A)).poll().expect_open();
    assert_eq!(side.until_deadline(), None, "while a call is under way nobody is silent");
    side.reply(&open, [3]);
    side.wait(idle / 2).unwrap();
    side.feed(&hex(CALL_A)[..21]).events();
    side.wait(idle / 2).unwrap();
    assert_eq!(side.poll(), Seen::Closed, "part of a frame does not count");

    let mut side = told(settings);
    side.feed(hex(SUBSCRIBE_B)).events();
    assert_eq!(side.until_deadline(), None, "format B has no heartbeat");
}

#[test]
fn a_format_that_is_forced_is_the_only_one() {
    let only = |format| told(Settings { format: Some(format), ..Settings::default() });
    only(Format::A).feed(hex(CALL_A)).poll().expect_open();
    only(Format::B).feed(hex(CALL_B)).poll().expect_open();
    only(Format::CrossB).feed(hex(CALL_B_CROSS)).poll().expect_open();
    let open = only(Format::CrossB).feed(frame_b(false, (ADD as u32).swap_bytes(), b"")).poll().expect_open();
    assert_eq!(open.head.target, function(ADD), "which no guess could find out");
    let request = frame_a(false, 1 << 40, 1, &[0x90]);
    let refused = only(Format::B).feed([&request[..], &[0; 40]].concat()).poll();
    assert!(matches!(refused, Seen::Error(_)), "{refused:?}");
}

#[test]
fn nothing_is_asked_before_the_verdict() {
    let mut side = Side::new(&PROTOCOL, ServerSetup { authenticate: true, ..ServerSetup::default() });
    side.feed(hex(CALL_A));
    assert_eq!(side.poll().expect_claim().shown(), "rest_rpc -");
    assert_eq!((side.poll(), side.host.asked.len()), (Seen::Blocked, 0));
    side.authenticated(Ok(()));
    side.poll().expect_open();
    let mut side = Side::new(&PROTOCOL, ServerSetup { authenticate: true, ..ServerSetup::default() });
    side.feed(hex(CALL_B)).poll();
    side.authenticated(Err(Status::unauthenticated("")));
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn a_call_that_is_given_up_here_is_answered_all_the_same() {
    let mut side = server();
    let open = side.feed(hex(CALL_B)).poll().expect_open();
    side.reset(open.exchange, Status::deadline_exceeded("too late"));
    assert_eq!(side.written(), frame_b(false, 0, b"\x04exception occur when calltoo late"));
    side.feed(hex(CALL_B)).poll().expect_open();
    side.goodbye(Goodbye::Close);
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn a_reply_that_no_frame_of_format_a_can_hold_is_a_failure() {
    let mut side = server();
    let open = side.feed(hex(CALL_A)).poll().expect_open();
    side.reply(&open, vec![0; 10 << 20]);
    assert!(String::from_utf8_lossy(&side.written()).contains("longer than a frame can be"));
    let open = side.feed(hex(CALL_A)).poll().expect_open();
    side.reply(&open, vec![0; (10 << 20) - 3]);
    assert_eq!(side.written().len(), 20 + (10 << 20) - 1);
}
