//! Replies are matched with their calls, and deliveries with their subscriptions.

use super::*;
use polywire_call::{Code, Origin};
use polywire_wire::{ClientSetup, Compression, Goodbye, Refusal};

#[test]
fn replies_of_format_a_may_come_in_any_order() {
    let mut side = client("a");
    let calls = [exchange(1, 0), exchange(1, 1), exchange(7, 2)];
    for call in calls {
        side.open(call, &add(Format::A)).unwrap();
    }
    let ids = side.written().chunks(23).map(|frame| frame[8..16].to_vec()).collect::<Vec<_>>();
    assert_eq!(ids, calls.map(|call| call.token.to_le_bytes().to_vec()));
    for call in [calls[2], calls[0], calls[1]] {
        let reply = frame_a(false, call.token, 0, &[0x92, 0, call.slot as u8]);
        assert_eq!(side.feed(reply).poll().expect_finish().0, call);
    }
}

#[test]
fn replies_of_format_b_are_counted_off() {
    let mut side = client("b");
    let calls = [exchange(1, 0), exchange(1, 1), exchange(1, 2)];
    for call in calls {
        side.open(call, &add(Format::B)).unwrap();
    }
    side.reset(calls[1], Status::cancelled(""));
    let replies = [b"\x001", b"\x002", b"\x003"].map(|body| frame_b(false, 0, body));
    let seen = side.feed(replies.concat()).events();
    let bodies: Vec<_> =
        seen.into_iter().map(|seen| seen.expect_finish()).map(|(call, of)| (call, of.body)).collect();
    assert_eq!(bodies, [(calls[0], b"1"[..].into()), (calls[2], b"3"[..].into())]);
    assert!(matches!(side.feed(hex(REPLY_B)).poll(), Seen::Error(_)), "nobody waits for it");
}

#[test]
fn the_rest_of_a_reply_is_dropped_with_its_cancelled_call() {
    let mut side = client("b");
    side.open(exchange(1, 0), &add(Format::B)).unwrap();
    side.open(exchange(1, 1), &add(Format::B)).unwrap();
    side.feed(&frame_b(false, 0, &[0; 100])[..80]).events();
    side.reset(exchange(1, 0), Status::cancelled(""));
    side.feed(&frame_b(false, 0, &[0; 100])[80..]).feed(hex(REPLY_B));
    assert_eq!(side.poll().expect_finish().0, exchange(1, 1));
}

#[test]
fn codes_of_format_b_are_told_apart() {
    for (body, code) in [
        (&b"\x01unknown function: 1"[..], Code::Unimplemented),
        (b"\x04exception occur when callno", Code::Unknown),
        (b"\x05unknown exception occur when call add", Code::Internal),
        (b"\x10something new", Code::Unknown),
    ] {
        let mut side = client("b");
        side.open(exchange(1, 0), &add(Format::B)).unwrap();
        let status = side.feed(frame_b(false, 0, body)).poll().expect_finish().1.status;
        assert_eq!((status.code(), status.origin()), (code, Origin::Remote));
        assert_eq!(status.message().as_bytes(), &body[1..]);
    }
}

#[test]
fn a_reply_that_is_too_long_is_thrown_away_and_the_next_one_comes() {
    for (format, reply) in
        [("a", frame_a(false, exchange(1, 0).token, 0, &[0x91; 1000])), ("b", frame_b(false, 0, &[0; 1000]))]
    {
        let of = Format::named(format).unwrap();
        let mut side = client(format).hosted(|host| host.limit_replies(100));
        side.open(exchange(1, 0), &add(of)).unwrap();
        side.open(exchange(0, 1), &add(of)).unwrap();
        let (call, outcome) = side.feed(reply).poll().expect_finish();
        assert_eq!((call, outcome.status.code()), (exchange(1, 0), Code::ResourceExhausted));
        let next = if of == Format::A { REPLY_A } else { REPLY_B };
        assert_eq!(side.feed(hex(next)).poll().expect_finish().0, exchange(0, 1));
    }
}

#[test]
fn what_the_wire_cannot_carry_is_refused() {
    let mut side = client("a");
    let refused = |side: &mut Side, call: &Call| side.open(exchange(1, 0), call).unwrap_err();
    assert_eq!(refused(&mut side, &add(Format::B)), Refusal::Unsupported, "the form of another format");
    assert_eq!(refused(&mut side, &add(Format::A).parts_follow()), Refusal::Unsupported);
    assert_eq!(refused(&mut side, &add(Format::A).attachment("a")), Refusal::Unsupported);
    assert_eq!(refused(&mut side, &add(Format::A).compression(Compression::GZIP)), Refusal::Compression);
    assert_eq!(refused(&mut side, &add(Format::A).body(vec![0x90; 10 << 20])), Refusal::TooLarge);
    assert_eq!(refused(&mut side, &Call::new("rest_rpc", &"k".repeat(1025)).streamed()), Refusal::TooLarge);
    assert!(side.written().is_empty());
    side.goodbye(Goodbye::Drain);
    assert_eq!((refused(&mut side, &add(Format::A)), side.vacancies()), (Refusal::Draining, 0));
}

#[test]
fn so_many_calls_of_format_b_wait_and_no_more() {
    let mut side = client("b");
    while side.vacancies() > 0 {
        side.open(exchange(1, 0), &add(Format::B)).unwrap();
    }
    assert_eq!(side.open(exchange(1, 0), &add(Format::B)), Err(Refusal::Full));
    side.feed(hex(REPLY_B)).poll().expect_finish();
    assert_eq!(side.vacancies(), 1);
}

#[test]
fn a_subscription_that_is_not_read_stops_the_connection() {
    let limits = Limits::DEFAULT.ahead(2);
    let mut side = Side::new(&PROTOCOL, ClientSetup { parameter: "a", limits, ..ClientSetup::default() });
    side.open(exchange(1, 0), &Call::new("rest_rpc", "key").streamed()).unwrap();
    side.feed([hex(DELIVERY_A), hex(DELIVERY_A), hex(DELIVERY_A)].concat());
    let one = part(exchange(1, 0), b"hi");
    assert_eq!(side.events(), [one.clone(), one.clone(), Seen::Blocked]);
    side.grant(exchange(1, 0), 2, 1);
    assert_eq!(side.events(), [one, Seen::Blocked]);
}

#[test]
fn deliveries_reach_their_subscription_or_are_dropped() {
    let mut side = client("a");
    side.open(exchange(1, 0), &Call::new("rest_rpc", "key").streamed()).unwrap();
    side.open(exchange(1, 1), &Call::new("rest_rpc", "key").body("token").streamed()).unwrap();
    assert_eq!(
        side.open(exchange(1, 2), &Call::new("rest_rpc", "key").streamed()),
        Err(Refusal::Unsupported)
    );
    let delivery = |name: &str, value: &[u8]| {
        let mut body = vec![0x93, 0];
        polywire_formats::msgpack::put_str(&mut body, name.as_bytes());
        polywire_formats::msgpack::put_str(&mut body, value);
        frame_a(true, 0, 0, &body)
    };
    let bytes = [delivery("keytoken", b"1"), delivery("other", b"2"), delivery("key", b"3")].concat();
    assert_eq!(side.feed(bytes).events(), [part(exchange(1, 1), b"1"), part(exchange(1, 0), b"3")]);
    side.reset(exchange(1, 0), Status::cancelled(""));
    assert_eq!(side.feed(delivery("key", b"4")).events(), []);
    side.open(exchange(1, 2), &Call::new("rest_rpc", "key").streamed()).unwrap();

    let mut side = client("b");
    side.open(exchange(1, 0), &Call::new("rest_rpc", "topic1").streamed()).unwrap();
    let another = Call::new("rest_rpc", "topic2").streamed();
    assert_eq!(side.open(exchange(1, 1), &another), Err(Refusal::Unsupported), "it would replace the first");
    assert_eq!(side.feed(frame_b(true, 9, b"\0x")).events(), []);
    let failed = frame_b(true, function_id("topic1"), b"\x04no");
    assert_eq!(side.feed(failed).poll().expect_finish().0, exchange(1, 0));
    side.open(exchange(1, 1), &another).unwrap();
}
