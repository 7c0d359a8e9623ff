//! sofa_pbrpc as docs/wire/sofa_pbrpc.md has it. The connection itself is tested by baidu_std, which shares
//! it.

use super::PROTOCOL;
use polywire_base::IoBuf;
use polywire_call::{Code, Native, Origin, Status, brpc};
use polywire_machine_testing::{
    Call, Seen, SeenTarget, Side, at_every_split, at_every_truncation, hex, pass, survives_noise,
};
use polywire_wire::{
    ClientSetup, Compression, Content, Exchange, Limits, Outcome, Refusal, Role, ServerSetup, Setup,
    WireError,
};
use proptest::prelude::*;

fn server() -> Side {
    Side::server(&PROTOCOL)
}

fn client() -> Side {
    Side::client(&PROTOCOL)
}

fn guarded() -> Side {
    Side::new(&PROTOCOL, ServerSetup { authenticate: true, ..ServerSetup::default() })
}

/// The call of the sheet's examples: sequence id 4294967298, version 1 and slot 2.
const CALL: Exchange = Exchange { token: 1 << 32 | 2, slot: 2 };

/// "Example 1: request, snappy body"
fn example_1() -> Vec<u8> {
    hex("53 4f 46 41 26 00 00 00 09 00 00 00 00 00 00 00
         2f 00 00 00 00 00 00 00 08 00 10 82 80 80 80 10
         a2 06 18 65 78 61 6d 70 6c 65 2e 45 63 68 6f 53
         65 72 76 69 63 65 2e 45 63 68 6f e0 12 03 07 18
         0a 05 68 65 6c 6c 6f")
}

/// "Example 2: success response"
fn example_2() -> Vec<u8> {
    hex("53 4f 46 41 11 00 00 00 07 00 00 00 00 00 00 00
         18 00 00 00 00 00 00 00 08 01 10 82 80 80 80 10
         c0 0c 00 c8 0c 00 e0 12 00 0a 05 68 65 6c 6c 6f")
}

/// "Example 3: error response"
fn example_3() -> Vec<u8> {
    hex("53 4f 46 41 30 00 00 00 00 00 00 00 00 00 00 00
         30 00 00 00 00 00 00 00 08 01 10 82 80 80 80 10
         c0 0c 01 c8 0c d2 09 d2 0c 1b 5b 31 32 37 2e 30
         2e 30 2e 31 3a 39 32 30 31 5d 5b 45 31 32 33 34
         5d 62 6f 6f 6d e0 12 00")
}

/// Frame of this meta and body.
fn frame(meta: &[u8], body: &[u8]) -> Vec<u8> {
    let (meta_size, body_size) = (meta.len() as u32, body.len() as u64);
    let mut frame = b"SOFA".to_vec();
    frame.extend(meta_size.to_le_bytes());
    frame.extend(body_size.to_le_bytes());
    frame.extend((u64::from(meta_size) + body_size).to_le_bytes());
    frame.extend([meta, body].concat());
    frame
}

fn header(meta_size: u32, body_size: u64, message_size: u64) -> Vec<u8> {
    let mut header = b"SOFA".to_vec();
    header.extend(meta_size.to_le_bytes());
    header.extend(body_size.to_le_bytes());
    header.extend(message_size.to_le_bytes());
    header
}

/// A request's meta without compression.
const PLAIN: &str = "08 00 10 82 80 80 80 10 a2 06 03 612e42";

#[test]
fn example_1_is_a_request_in_both_directions() {
    let open = server().feed(example_1()).poll().expect_open();
    let target = SeenTarget::Method { service: "example.EchoService".into(), method: "Echo".into() };
    assert_eq!(open.head.target, target);
    assert_eq!(open.exchange, Exchange { token: CALL.token, slot: Exchange::UNTRACKED });
    assert_eq!((open.head.content, open.head.compression), (Content::PROTOBUF, Compression::SNAPPY));
    assert_eq!(open.body, hex("07 18 0a 05 68 65 6c 6c 6f"));
    assert!(open.finished && open.head.attachment == 0 && open.head.timeout.is_none());

    let mut client = client();
    let call = Call::new("example.EchoService", "Echo").body(hex("07 18 0a 05 68 65 6c 6c 6f"));
    client.open(CALL, &call.compression(Compression::SNAPPY)).unwrap();
    assert_eq!(client.written(), example_1());
}

#[test]
fn example_2_is_a_reply_in_both_directions() {
    let (exchange, outcome) = client().feed(example_2()).poll().expect_finish();
    assert_eq!(exchange, CALL);
    assert!(outcome.status.is_ok() && outcome.reply);
    assert_eq!(outcome.body, b"\x0a\x05hello");

    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    server.reply(&open, b"\x0a\x05hello");
    assert_eq!(server.written(), example_2());
}

#[test]
fn example_3_is_an_error_in_both_directions() {
    let (exchange, outcome) = client().feed(example_3()).poll().expect_finish();
    assert_eq!(exchange, CALL);
    assert_eq!((outcome.status.code(), outcome.status.native()), (Code::Unknown, Native::Brpc(1234)));
    assert_eq!(outcome.status.message(), "[127.0.0.1:9201][E1234]boom");
    assert_eq!((outcome.status.origin(), outcome.reply), (Origin::Remote, false));

    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    server.fail(open.exchange, brpc::status(1234, "[127.0.0.1:9201][E1234]boom"));
    assert_eq!(server.written(), example_3());
}

#[test]
fn pieces_do_not_change_what_is_seen() {
    assert_eq!(at_every_split(server, &[example_1(), example_1()].concat()).seen.len(), 2);
    let replies = [example_2(), example_3(), example_2()].concat();
    assert_eq!(at_every_split(client, &replies).seen.len(), 3);
    assert_eq!(at_every_split(guarded, &example_1()).seen.len(), 1);
}

#[test]
fn a_truncated_frame_is_no_message() {
    at_every_truncation(server, &example_1());
    at_every_truncation(client, &example_2());
    at_every_truncation(client, &example_3());
}

#[test]
fn admission_comes_before_the_body() {
    let mut server = server();
    server.feed_split(example_1(), &[1]);
    let asked = &server.host.asked;
    assert_eq!((asked.len(), asked[0].announced, asked[0].fed), (1, Some(9), example_1().len() - 9));
}

#[test]
fn a_refusal_is_answered_before_the_body_is_here() {
    let mut server = server();
    server.host.refuse_next(brpc::status(brpc::ENOMETHOD, "Fail to find method=a.B"));
    let request = frame(&hex(PLAIN), b"sixsix");
    assert_eq!(server.feed(&request[..request.len() - 6]).poll(), Seen::Need(1));
    let meta = "08 01 10 82 80 80 80 10 c0 0c 01 c8 0c ea 07
                d2 0c 17 4661696c20746f2066696e64206d6574686f643d612e42 e0 12 00";
    assert_eq!(server.written(), frame(&hex(meta), b""));
    server.feed("sixsix").feed(example_1()).poll().expect_open();
}

#[test]
fn a_failure_without_a_code_is_sent_as_it_is() {
    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    server.fail(open.exchange, brpc::status(-1, ""));
    let meta = "08 01 10 82 80 80 80 10 c0 0c 01 c8 0c ff ff ff ff ff ff ff ff ff 01 e0 12 00";
    let reply = server.written();
    assert_eq!(reply, frame(&hex(meta), b""));
    let (_, outcome) = client().feed(reply).poll().expect_finish();
    assert_eq!(outcome.status.native(), Native::Brpc(-1));
}

#[test]
fn lengths_beyond_the_limit_close_whatever_they_add_up_to() {
    let limits = Limits::default().max_message(100);
    for (meta, body) in [(101, 0), (0, 101), (u32::MAX, 0), (0, u64::MAX), (20, u64::MAX - 19)] {
        for role in [Role::Server, Role::Client] {
            let mut side = Side::new(&PROTOCOL, Setup::with_limits(role, limits));
            let message = u64::from(meta).wrapping_add(body);
            assert_eq!(side.feed(header(meta, body, message)).poll(), Seen::Error(WireError::TooLarge));
        }
    }
    let mut server = Side::new(&PROTOCOL, Setup::with_limits(Role::Server, limits));
    server.feed(frame(&hex(PLAIN), &[0; 100])).poll().expect_open();
    assert_eq!(self::server().feed(header(65537, 0, 65537)).poll(), Seen::Error(WireError::TooLarge));
}

#[test]
fn a_message_size_that_is_not_the_sum_closes() {
    let error = server().feed(header(10, 10, 21)).poll().expect_error();
    assert_eq!(error, WireError::Malformed("message_size is not meta_size + body_size"));
}

#[test]
fn a_meta_that_does_not_parse_closes_a_server_and_is_dropped_by_a_client() {
    let bad: &[&str] =
        &["08 00", "10 01", "08 02 10 01", "ff", "08", "08 00 10 01 a2 06 05 61", "08 00 10 01 04"];
    for meta in bad {
        let error = server().feed(frame(&hex(meta), b"x")).poll().expect_error();
        assert_eq!(error, WireError::Malformed("SofaRpcMeta"), "{meta}");
        let mut client = client();
        client.feed(frame(&hex(meta), b"x")).feed(example_2());
        assert_eq!(client.poll().expect_finish().0, CALL, "{meta}");
    }
    let error = server().feed(frame(&hex("08 00 10 01 a2 06 01 ff"), b"")).poll().expect_error();
    assert_eq!(error, WireError::Malformed("a name that is not UTF-8"));
}

#[test]
fn unknown_fields_are_skipped_and_unknown_compressions_are_none() {
    let compression = |fields: &str| {
        let meta = hex(&format!("{PLAIN} 7a 01 00 e8 12 01 {fields}"));
        server().feed(frame(&meta, b"")).poll().expect_open().head.compression
    };
    assert_eq!(compression("e0 12 01"), Compression::GZIP);
    assert_eq!(compression("e0 12 02"), Compression::ZLIB);
    assert_eq!(compression("e0 12 03"), Compression::SNAPPY);
    assert_eq!(compression("e0 12 04"), Compression::UNKNOWN);
    assert_eq!(compression("e0 12 05"), Compression::NONE);
}

#[test]
fn a_method_without_a_dot_has_no_service() {
    let open = server().feed(frame(&hex("08 00 10 01 a2 06 01 61"), b"")).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Method { service: "".into(), method: "a".into() });
    let open = server().feed(frame(&hex("08 00 10 01"), b"")).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Method { service: "".into(), method: "".into() });
}

#[test]
fn a_reply_goes_without_its_attachment() {
    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    let body = IoBuf::from(&b"\x0a\x05helloATTACH"[..]);
    server.finish(open.exchange, Outcome { body, attachment: 6, reply: true, ..Outcome::default() });
    assert_eq!(server.written(), example_2());
}

#[test]
fn what_the_protocol_cannot_carry_is_refused_at_the_client() {
    let refusal = |call: Call| client().open(CALL, &call).unwrap_err();
    let call = || Call::new("s", "m");
    assert_eq!(refusal(call().attachment("a")), Refusal::Unsupported);
    assert_eq!(refusal(call().content(Content::JSON)), Refusal::Unsupported);
    assert_eq!(refusal(call().compression(Compression::ZSTD)), Refusal::Compression);
    assert_eq!(refusal(call().streamed()), Refusal::Unsupported);
    let setup = ClientSetup { credential: Some(b"secret"), ..ClientSetup::default() };
    let mut client = Side::new(&PROTOCOL, setup);
    assert_eq!(client.open(CALL, &call()), Err(Refusal::Credential));
}

#[test]
fn a_server_that_wants_credentials_closes_without_a_word() {
    let mut server = guarded();
    let asked = server.feed(example_1()).poll();
    assert_eq!(asked.expect_claim().shown(), "sofa_pbrpc -");
    server.authenticated(Err(Status::unauthenticated("who?")));
    assert_eq!((server.written(), server.events()), (vec![], vec![Seen::Closed]));
    assert_eq!(server.host.asked.len(), 0);
}

#[test]
fn foreign_bytes_behind_a_frame_are_left_where_they_are() {
    let mut server = server();
    server.feed(example_1()).feed("SOFT");
    server.poll().expect_open();
    assert_eq!(server.poll(), Seen::Foreign);
    assert_eq!(server.input, b"SOFT"[..]);
}

proptest! {
    #[test]
    fn a_call_arrives_as_it_was_made_and_so_does_its_reply(
        (service, method) in ("\\PC{0,90}", "[^.\\pC]{0,90}"),
        body in prop::collection::vec(any::<u8>(), 0..3000),
        compression in 0..=3u8,
        token in any::<u64>(),
        pieces in prop::collection::vec(1..500usize, 1..4),
    ) {
        let (mut client, mut server) = (client(), server());
        let call = Call::new(&service, &method).body(&body).compression(Compression(compression));
        let exchange = Exchange { token, slot: token as u32 };
        client.open(exchange, &call).unwrap();
        let open = server.feed_split(client.written(), &pieces).remove(0).expect_open();
        prop_assert_eq!(open.exchange.token, token);
        prop_assert_eq!(&open.head.target, &SeenTarget::Method { service, method });
        prop_assert_eq!((&open.body[..], open.head.compression), (&body[..], call.compression));

        let body = IoBuf::copy_from_slice(&open.body);
        let outcome = Outcome { body, compression: call.compression, reply: true, ..Outcome::default() };
        server.finish(open.exchange, outcome);
        let (finished, outcome) = client.feed_split(server.written(), &pieces).remove(0).expect_finish();
        prop_assert_eq!(finished, exchange);
        prop_assert!(outcome.status.is_ok() && outcome.reply);
        prop_assert_eq!((outcome.body, outcome.compression), (open.body, call.compression));
    }

    #[test]
    fn a_failure_arrives_with_its_number_and_text(number in any::<i32>(), text in "\\PC{1,100}") {
        prop_assume!(![0, brpc::ECLOSE].contains(&number));
        let (mut client, mut server) = (client(), server());
        client.open(CALL, &Call::new("s", "m")).unwrap();
        pass(&mut client, &mut server);
        let open = server.poll().expect_open();
        server.fail(open.exchange, brpc::status(number, text.clone()));
        pass(&mut server, &mut client);
        let (exchange, outcome) = client.poll().expect_finish();
        prop_assert_eq!((exchange, outcome.status.native()), (CALL, Native::Brpc(number)));
        prop_assert_eq!(outcome.status.message(), text);
    }
}

#[test]
fn noise_does_no_harm() {
    let examples = [example_1(), example_2(), example_3()];
    let examples: Vec<&[u8]> = examples.iter().map(|e| &e[..]).collect();
    survives_noise(server, &examples, 1, 3000);
    survives_noise(client, &examples, 2, 3000);
    survives_noise(guarded, &examples, 3, 1000);
}

#[test]
fn a_request_says_how_many_relays_it_has_passed_and_nothing_else_of_its_fields() {
    crate::relays::tests::are_told_and_no_other_field(&PROTOCOL);
}
