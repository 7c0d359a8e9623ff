//! hulu_pbrpc as docs/wire/hulu_pbrpc.md has it. The connection itself is tested by baidu_std, which shares
//! it.

use super::{PROTOCOL, SOURCE_ADDRESS, USER_DATA};
use polywire_base::IoBuf;
use polywire_call::{Code, Metadata, Native, Origin, Status, brpc};
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

/// The call of the sheet's examples: correlation id 4294967298, version 1 and slot 2.
const CALL: Exchange = Exchange { token: 1 << 32 | 2, slot: 2 };

/// "Example 1: request with attachment"
fn example_1() -> Vec<u8> {
    hex("48 55 4c 55 28 00 00 00 1b 00 00 00 0a 0b 45 63
         68 6f 53 65 72 76 69 63 65 10 00 18 00 20 82 80
         80 80 10 28 7b 60 07 0a 05 68 65 6c 6c 6f 41 54
         54 41 43 48")
}

/// "Example 2: success response"
fn example_2() -> Vec<u8> {
    hex("48 55 4c 55 19 00 00 00 0c 00 00 00 08 00 18 84
         80 80 80 20 20 00 40 07 0a 05 68 65 6c 6c 6f 41
         54 54 41 43 48")
}

/// "Example 3: error response"
fn example_3() -> Vec<u8> {
    hex("48 55 4c 55 28 00 00 00 28 00 00 00 08 d2 09 12
         1b 5b 31 32 37 2e 30 2e 30 2e 31 3a 39 32 30 31
         5d 5b 45 31 32 33 34 5d 62 6f 6f 6d 18 84 80 80
         80 20 20 00")
}

/// Frame of this meta and payload.
fn frame(meta: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut frame = b"HULU".to_vec();
    frame.extend(((meta.len() + payload.len()) as u32).to_le_bytes());
    frame.extend((meta.len() as u32).to_le_bytes());
    frame.extend([meta, payload].concat());
    frame
}

fn header(body_size: u32, meta_size: u32) -> Vec<u8> {
    [b"HULU", &body_size.to_le_bytes()[..], &meta_size.to_le_bytes()].concat()
}

/// Service `S`, method 1, and the id of the examples.
const PLAIN: &str = "0a 01 53 10 01 20 82 80 80 80 10";

fn request(fields: &str, payload: &[u8]) -> Vec<u8> {
    frame(&hex(&format!("{PLAIN} {fields}")), payload)
}

/// A reply of the examples' call to which these fields are added.
fn reply(fields: &str, payload: &[u8]) -> Vec<u8> {
    frame(&hex(&format!("08 00 18 84 80 80 80 20 {fields}")), payload)
}

#[test]
fn example_1_is_a_request_in_both_directions() {
    let open = server().feed(example_1()).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Index { service: "EchoService".into(), method: 0 });
    assert_eq!(open.exchange, Exchange { token: CALL.token, slot: Exchange::UNTRACKED });
    assert_eq!((open.message(), open.attachment()), (&b"\x0a\x05hello"[..], &b"ATTACH"[..]));
    assert_eq!((open.head.content, open.head.compression), (Content::PROTOBUF, Compression::NONE));
    assert_eq!(open.head.fields, [("log-id".to_owned(), b"123"[..].into())]);

    let mut client = client();
    let call = Call::new("example.EchoService", "Echo").index(0).body(b"\x0a\x05hello").attachment("ATTACH");
    client.open(CALL, &call.field("log-id", "123")).unwrap();
    assert_eq!(client.written(), example_1());
}

#[test]
fn example_2_is_a_reply_in_both_directions() {
    let (exchange, outcome) = client().feed(example_2()).poll().expect_finish();
    assert_eq!(exchange, CALL);
    assert!(outcome.status.is_ok() && outcome.reply);
    assert_eq!((outcome.body, outcome.attachment), (b"\x0a\x05helloATTACH"[..].into(), 6));

    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    let body = IoBuf::copy_from_slice(&open.body);
    server.finish(open.exchange, Outcome { body, attachment: 6, reply: true, ..Outcome::default() });
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
    assert_eq!((asked.len(), asked[0].announced, asked[0].fed), (1, Some(13), example_1().len() - 13));
    assert_eq!(asked[0].head.attachment, 6);
}

#[test]
fn a_refusal_is_answered_before_the_body_is_here() {
    let mut server = server();
    server.host.refuse_next(brpc::status(brpc::ENOMETHOD, "no"));
    let bytes = request("", b"sixsix");
    assert_eq!(server.feed(&bytes[..bytes.len() - 6]).poll(), Seen::Need(1));
    assert_eq!(server.written(), frame(&hex("08 ea 07 12 02 6e6f 18 84 80 80 80 20 20 00"), b""));
    server.feed("sixsix").feed(example_1()).poll().expect_open();
}

#[test]
fn a_failure_without_a_code_is_sent_as_it_is() {
    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    server.fail(open.exchange, brpc::status(-1, ""));
    let meta = "08 ff ff ff ff ff ff ff ff ff 01 18 84 80 80 80 20 20 00";
    assert_eq!(server.written(), frame(&hex(meta), b""));
}

#[test]
fn lengths_beyond_the_limit_close() {
    let limits = Limits::default().max_message(100);
    for role in [Role::Server, Role::Client] {
        let mut side = Side::new(&PROTOCOL, Setup::with_limits(role, limits));
        assert_eq!(side.feed(header(101, 20)).poll(), Seen::Error(WireError::TooLarge));
    }
    assert_eq!(server().feed(header(1 << 20, 65537)).poll(), Seen::Error(WireError::TooLarge));
    let error = server().feed(header(10, 11)).poll().expect_error();
    assert_eq!(error, WireError::Malformed("meta_size exceeds body_size"));
    // A big-endian length "looks huge".
    assert_eq!(server().feed(b"HULU\0\0\0\x28\0\0\0\x1b").poll(), Seen::Error(WireError::TooLarge));
}

#[test]
fn a_meta_that_does_not_parse_closes_a_server() {
    for meta in ["0a 01 53", "10 00", "ff", "0a 05 53", "0a 01 53 10", "0a 01 53 10 00 06"] {
        let error = server().feed(frame(&hex(meta), b"x")).poll().expect_error();
        assert_eq!(error, WireError::Malformed("HuluRpcRequestMeta"), "{meta}");
    }
    let error = server().feed(frame(&hex("0a 01 ff 10 00"), b"")).poll().expect_error();
    assert_eq!(error, WireError::Malformed("a name that is not UTF-8"));
}

#[test]
fn a_client_drops_a_reply_whose_meta_does_not_parse() {
    let mut client = client();
    client.feed(frame(&hex("08"), b"x")).feed(example_2());
    assert_eq!(client.poll().expect_finish().0, CALL);
}

#[test]
fn a_negative_index_is_beyond_every_method() {
    let meta = hex("0a 01 53 10 ff ff ff ff ff ff ff ff ff 01");
    let open = server().feed(frame(&meta, b"")).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Index { service: "S".into(), method: u32::MAX });
}

#[test]
fn a_message_size_that_cannot_be_means_no_attachment() {
    let attached =
        |fields: &str| server().feed(request(fields, b"sixsix")).poll().expect_open().head.attachment;
    assert_eq!(attached(""), 0);
    assert_eq!(attached("60 02"), 4);
    assert_eq!(attached("60 00"), 6);
    assert_eq!(attached("60 06"), 0);
    assert_eq!(attached("60 07"), 0);
    assert_eq!(attached("60 ff ff ff ff ff ff ff ff ff 01"), 0);
    let attached = |fields: &str| client().feed(reply(fields, b"sixsix")).poll().expect_finish().1.attachment;
    assert_eq!([attached(""), attached("40 02"), attached("40 07")], [0, 4, 0]);
}

#[test]
fn numbers_of_compressions_are_those_of_the_sheet() {
    let compression =
        |fields: &str| server().feed(request(fields, b"")).poll().expect_open().head.compression;
    assert_eq!(compression("18 01"), Compression::SNAPPY);
    assert_eq!(compression("18 02"), Compression::GZIP);
    assert_eq!(compression("18 03"), Compression::ZLIB);
    assert_eq!(compression("18 04"), Compression::NONE);
    assert_eq!(compression("18 ff ff ff ff ff ff ff ff ff 01"), Compression::NONE);
}

#[test]
fn every_field_of_a_request_has_its_place() {
    let call = Call::new("p.S", "M")
        .index(1)
        .body("body")
        .field("X-Bd-Span-Id", "3")
        .field("x-bd-parent-span-id", "2")
        .field("x-bd-trace-id", "1")
        .field("log-id", "0")
        .field(USER_DATA, "ud")
        .field(SOURCE_ADDRESS, "-1")
        .field("else", "kept")
        .compression(Compression::ZLIB);
    let mut client = client();
    client.open(CALL, &call).unwrap();
    let meta = "0a 01 53 10 01 18 03 20 82 80 80 80 10 28 00 38 01 40 02 48 03 5a 02 7564
                68 ff ff ff ff ff ff ff ff ff 01";
    let bytes = client.written();
    assert_eq!(bytes, frame(&hex(meta), b"body"));
    let open = server().feed(bytes).poll().expect_open();
    let fields: Vec<_> = open.head.fields.iter().map(|(n, v)| (n.as_str(), &v[..])).collect();
    let expected: [(&str, &[u8]); 6] = [
        ("log-id", b"0"),
        ("x-bd-trace-id", b"1"),
        ("x-bd-parent-span-id", b"2"),
        ("x-bd-span-id", b"3"),
        (USER_DATA, b"ud"),
        (SOURCE_ADDRESS, b"-1"),
    ];
    assert_eq!(fields, expected);
}

#[test]
fn a_reply_carries_user_data_and_address() {
    let mut server = server();
    let open = server.feed(request("", b"")).poll().expect_open();
    let trailers: Metadata =
        [(USER_DATA, "ud"), (SOURCE_ADDRESS, "7"), ("else", "kept")].into_iter().collect();
    let trailers = Some(Box::new(trailers));
    server.finish(open.exchange, Outcome { reply: true, trailers, ..Outcome::default() });
    let bytes = server.written();
    assert_eq!(bytes, reply("20 00 3a 02 7564 48 07  a2 bb 18 0c 0a 04 656c7365 12 04 6b657074", b""));
    let (_, outcome) = client().feed(bytes).poll().expect_finish();
    let expected = [
        (USER_DATA.to_owned(), b"ud"[..].into()),
        (SOURCE_ADDRESS.to_owned(), b"7"[..].into()),
        ("else".to_owned(), b"kept"[..].into()),
    ];
    assert_eq!(outcome.trailers, expected);
}

#[test]
fn the_first_request_alone_carries_the_credential() {
    let setup = ClientSetup { credential: Some(b"secret"), ..ClientSetup::default() };
    let mut client = Side::new(&PROTOCOL, setup);
    let call = Call::new("S", "M").index(1);
    let meta = "0a 01 53 10 01 18 00 20 82 80 80 80 10";
    client.open(CALL, &call).unwrap();
    let first = client.written();
    assert_eq!(first, frame(&hex(&format!("{meta} 7a 06 736563726574")), b""));
    client.open(CALL, &call).unwrap();
    assert_eq!(client.written(), frame(&hex(meta), b""));

    let mut server = guarded();
    let asked = server.feed(first).poll();
    assert_eq!(asked.expect_claim().shown(), "hulu_pbrpc secret");
    server.authenticated(Ok(()));
    server.poll().expect_open();
}

#[test]
fn a_credential_turned_down_is_answered_and_the_connection_closed() {
    let mut server = guarded();
    server.feed(example_1()).poll();
    server.authenticated(Err(Status::unauthenticated("")));
    let text = "12 14 4661696c20746f2061757468656e746963617465";
    assert_eq!(server.written(), frame(&hex(&format!("08 ec 07 {text} 18 84 80 80 80 20 20 00")), b""));
    assert_eq!(server.events(), [Seen::Closed]);
    assert_eq!(server.host.asked.len(), 0);
}

#[test]
fn what_the_protocol_cannot_carry_is_refused_at_the_client() {
    let refusal = |call: Call| client().open(CALL, &call).unwrap_err();
    assert_eq!(refusal(Call::new("s", "m")), Refusal::Unnumbered);
    let call = || Call::new("s", "m").index(0);
    assert_eq!(refusal(call().content(Content::JSON)), Refusal::Unsupported);
    assert_eq!(refusal(call().compression(Compression::ZSTD)), Refusal::Compression);
    assert_eq!(refusal(call().parts_follow()), Refusal::Unsupported);
    assert_eq!(refusal(call().field(USER_DATA, vec![0; 70_000])), Refusal::TooLarge);
}

proptest! {
    #[test]
    fn a_call_arrives_as_it_was_made_and_so_does_its_reply(
        service in "[^.\\pC]{0,90}",
        index in any::<u32>(),
        body in prop::collection::vec(any::<u8>(), 0..3000),
        attachment in prop::collection::vec(any::<u8>(), 0..3000),
        compression in 0..=3u8,
        token in any::<u64>(),
        data in prop::collection::vec(any::<u8>(), 1..300),
        address in any::<i64>(),
        pieces in prop::collection::vec(1..500usize, 1..4),
    ) {
        prop_assume!(address != 0);
        let (mut client, mut server) = (client(), server());
        let call = Call::new(&format!("pkg.{service}"), "m")
            .index(index)
            .body(&body)
            .attachment(&attachment)
            .field(USER_DATA, &data)
            .field(SOURCE_ADDRESS, address.to_string())
            .compression(Compression(compression));
        let exchange = Exchange { token, slot: token as u32 };
        client.open(exchange, &call).unwrap();
        let open = server.feed_split(client.written(), &pieces).remove(0).expect_open();
        prop_assert_eq!(open.exchange.token, token);
        prop_assert_eq!(&open.head.target, &SeenTarget::Index { service, method: index });
        prop_assert_eq!((open.message(), open.attachment()), (&body[..], &attachment[..]));
        prop_assert_eq!(open.head.compression, call.compression);
        prop_assert_eq!(open.head.field(USER_DATA), Some(&data[..]));

        let outcome = Outcome {
            body: IoBuf::copy_from_slice(&open.body),
            attachment: open.head.attachment,
            compression: call.compression,
            reply: true,
            trailers: Some(Box::new(call.metadata.clone())),
            ..Outcome::default()
        };
        server.finish(open.exchange, outcome);
        let (finished, outcome) = client.feed_split(server.written(), &pieces).remove(0).expect_finish();
        prop_assert_eq!(finished, exchange);
        prop_assert!(outcome.status.is_ok() && outcome.reply);
        prop_assert_eq!((outcome.body, outcome.attachment), (open.body, open.head.attachment));
        prop_assert_eq!(outcome.compression, call.compression);
        prop_assert_eq!(outcome.trailers.len(), 2);
    }

    #[test]
    fn a_failure_arrives_with_its_number_and_text(number in any::<i32>(), text in "\\PC{1,100}") {
        prop_assume!(![0, brpc::ECLOSE].contains(&number));
        let (mut client, mut server) = (client(), server());
        client.open(CALL, &Call::new("s", "m").index(0)).unwrap();
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
