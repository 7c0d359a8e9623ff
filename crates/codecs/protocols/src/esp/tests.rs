//! esp as docs/wire/esp.md has it: its examples, and what a server can do wrong.

use super::{Address, Head, PROTOCOL};
use polywire_call::{Code, Native, Status, brpc};
use polywire_machine_testing::{
    Call, Seen, Side, at_every_split_reacting, at_every_truncation, hex, survives_noise,
};
use polywire_wire::{
    ClientSetup, Compression, Content, Exchange, Goodbye, Limits, Refusal, Role, ServerSetup, Setup,
    WireError,
};

const PROLOGUE: &str = "00 45 53 50 01 02 00 00";

/// "Example 1: first request on a connection", without the prologue
fn example_1() -> Vec<u8> {
    hex(
        "00 00 00 00 00 00 00 00 01 00 11 22 7f 00 00 01 09 00 00 00 0a 00 00 00 00 00 00 00 02 00 00 00 68 69",
    )
}

/// "Example 2: response (msg = 0 means success)"
fn example_2() -> Vec<u8> {
    hex(
        "01 00 11 22 7f 00 00 01 00 00 00 00 00 00 00 00 00 00 00 00 0a 00 00 00 00 00 00 00 02 00 00 00 6f 6b",
    )
}

/// Example 2 with another `msg`.
fn refused(msg: u32) -> Vec<u8> {
    let mut frame = example_2();
    frame[16..20].copy_from_slice(&msg.to_le_bytes());
    frame
}

fn call(frame: impl AsRef<[u8]>) -> Call {
    Call::new("", "").content(Content::RAW).body(frame)
}

/// A client with the call of example 1 under way, which was sent.
fn calling() -> Side {
    let mut side = Side::client(&PROTOCOL);
    side.call(&call(example_1()));
    side.written();
    side
}

#[test]
fn examples_are_a_call_and_its_reply() {
    let mut side = Side::client(&PROTOCOL);
    let exchange = side.call(&call(example_1()));
    assert_eq!(side.written(), [hex(PROLOGUE), example_1()].concat());
    let (ended, outcome) = side.feed(example_2()).poll().expect_finish();
    assert!(outcome.status.is_ok() && outcome.reply, "{outcome:?}");
    assert_eq!((ended, &outcome.body.0[..], outcome.content), (exchange, &example_2()[..], Content::RAW));

    let (head, body_len) = Head::read(example_1().first_chunk().expect("a head"));
    let to = Address { stub: 1, port: 0x2211, ip: 0x0100_007f };
    assert_eq!((head, body_len), (Head { to, msg: 9, msg_id: 10, ..Head::default() }, 2));
    assert_eq!(head.write(2)[..], example_1()[..Head::BYTES]);
    assert_eq!((u64::from(to), Address::from(u64::from(to))), (0x0100_007f_2211_0001, to));
}

#[test]
fn the_prologue_is_sent_once_on_a_connection() {
    let mut side = calling();
    side.feed(example_2()).poll().expect_finish();
    side.call(&call(example_1()));
    assert_eq!(side.written(), example_1());
}

#[test]
fn a_credential_takes_the_place_of_the_prologue() {
    let setup = ClientSetup { credential: Some(b"\0mine"), ..ClientSetup::default() };
    let mut side = Side::new(&PROTOCOL, setup);
    side.call(&call(example_1()));
    assert_eq!(side.written(), [&b"\0mine"[..], &example_1()].concat());
}

#[test]
fn a_call_that_is_refused_here_leaves_the_prologue_to_the_next() {
    let mut side = Side::client(&PROTOCOL);
    let exchange = Exchange { token: 1 << 32, slot: 0 };
    let mut refusal = |call: &Call| side.open(exchange, call).unwrap_err();
    assert_eq!(refusal(&call(&example_1()[..31])), Refusal::Unsupported, "no head");
    assert_eq!(refusal(&call(example_1()).content(Content::PROTOBUF)), Refusal::Unsupported);
    assert_eq!(refusal(&call(example_1()).compression(Compression::SNAPPY)), Refusal::Unsupported);
    assert_eq!(refusal(&call(example_1()).attachment("x")), Refusal::Unsupported);
    assert_eq!(refusal(&call(example_1()).streamed()), Refusal::Unsupported);
    assert_eq!(side.written(), b"");
    side.open(exchange, &call(example_1())).unwrap();
    assert_eq!(side.written(), [hex(PROLOGUE), example_1()].concat());
}

#[test]
fn the_length_is_that_of_the_body_whatever_the_head_says() {
    let mut long = example_1();
    long[28..32].fill(0xff);
    let mut side = Side::client(&PROTOCOL);
    side.call(&call(long));
    assert_eq!(side.written()[8..], example_1());
    let mut side = Side::client(&PROTOCOL);
    side.call(&call(Head::default().write(7)));
    assert_eq!(side.written()[8..], [0; 32]);
}

#[test]
fn a_reply_that_is_no_success_fails_the_call_and_is_handed_on() {
    for msg in [1, 2, u32::MAX] {
        let mut side = calling();
        let (_, outcome) = side.feed(refused(msg)).poll().expect_finish();
        assert_eq!(outcome.status.native(), Native::Brpc(brpc::ENOENT));
        assert!(!outcome.status.is_retryable(), "its server has answered");
        assert_eq!(outcome.body.0[..], refused(msg));
        assert!(outcome.status.message().contains(&msg.to_string()), "{}", outcome.status.message());
        side.call(&call(example_1()));
        assert_eq!(side.feed(example_2()).poll().expect_finish().1.status.code(), Code::Ok);
    }
}

#[test]
fn one_call_at_a_time_and_whole_frames_at_every_split() {
    let mut side = calling();
    let other = Exchange { token: 9 << 32, slot: 9 };
    assert_eq!((side.vacancies(), side.open(other, &call(example_1()))), (0, Err(Refusal::Full)));
    side.feed(example_2()).poll().expect_finish();
    assert_eq!(side.vacancies(), 1);

    for reply in [example_2(), refused(3), Head::default().write(0).to_vec()] {
        assert_eq!(at_every_split_reacting(calling, |_, _| {}, &reply).seen.len(), 1);
        at_every_truncation(calling, &reply);
    }
}

#[test]
fn a_reply_that_nobody_waits_for_closes_the_connection() {
    let closes = |side: &mut Side, bytes: &[u8]| match side.feed(bytes).poll() {
        Seen::Error(error) => error,
        other => panic!("{other:?}"),
    };
    let none = WireError::Malformed("a reply without a call");
    assert_eq!(closes(&mut Side::client(&PROTOCOL), &[0]), none, "before any call");
    let mut side = calling();
    side.feed([example_2(), example_2()].concat()).poll().expect_finish();
    assert_eq!(side.poll().expect_error(), none);
    // No server has this machine; if one had, it would answer nobody.
    let mut server = Side::new(&PROTOCOL, ServerSetup::default());
    assert_eq!(closes(&mut server, &hex(PROLOGUE)), none);
}

#[test]
fn a_length_beyond_the_limit_closes_as_soon_as_it_is_read() {
    let limited = |body_len: u32| {
        let setup = Setup::with_limits(Role::Client, Limits::DEFAULT.max_message(1000));
        let mut side = Side::new(&PROTOCOL, setup);
        side.call(&call(example_1()));
        side.feed(Head::default().write(body_len)).poll()
    };
    assert_eq!(limited(1000), Seen::Need(1000));
    for body_len in [1001, 1 << 31, u32::MAX] {
        assert_eq!(limited(body_len), Seen::Error(WireError::TooLarge), "{body_len}");
    }
    let mut side = calling();
    let sheet = Head::default().write((64 << 20) + 1);
    assert_eq!(side.feed(sheet).poll(), Seen::Error(WireError::TooLarge), "64 MiB is the default");
}

#[test]
fn a_reply_that_may_not_be_kept_fails_its_call_before_it_comes() {
    let mut side = calling().hosted(|host| host.limit_replies(10));
    let (_, outcome) = side.feed(Head::default().write(1 << 20)).poll().expect_finish();
    assert_eq!(outcome.status.code(), Code::ResourceExhausted);
    assert_eq!((side.poll(), side.vacancies()), (Seen::Closed, 0));
}

#[test]
fn the_connection_ends_with_a_call_that_was_given_up() {
    for came in [0, 10, 33] {
        let mut side = Side::client(&PROTOCOL);
        let exchange = side.call(&call(example_1()));
        side.feed(&example_2()[..came]).poll();
        side.reset(Exchange { token: 7 << 32, slot: 7 }, Status::cancelled("of another call"));
        assert!(side.poll().is_rest());
        side.reset(exchange, Status::cancelled(""));
        assert_eq!((side.feed(&example_2()[came..]).poll(), side.vacancies()), (Seen::Closed, 0));
        assert_eq!(side.open(exchange, &call(example_1())), Err(Refusal::Draining));
    }
}

#[test]
fn a_client_that_leaves_waits_for_its_reply() {
    let mut side = calling();
    side.goodbye(Goodbye::Drain);
    assert_eq!(side.vacancies(), 0);
    side.feed(example_2()).poll().expect_finish();
    assert_eq!(side.poll(), Seen::Closed);
    let mut side = calling();
    side.goodbye(Goodbye::Close);
    assert_eq!(side.feed(example_2()).poll(), Seen::Closed);
}

#[test]
fn noise_does_no_harm() {
    let goldens = [example_2(), refused(1), Head::default().write(3).to_vec()];
    let goldens: Vec<&[u8]> = goldens.iter().map(Vec::as_slice).collect();
    survives_noise(calling, &goldens, 26, 1500);
}
