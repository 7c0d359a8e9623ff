//! ubrpc as docs/wire/ubrpc.md has it.

use super::{ANY, COMPACK, MCPACK2, REQUEST_NAME, RESPONSE_NAME, RESULT};
use crate::nshead::tests::{CALL, failed, family, frame};
use polywire_base::IoBuf;
use polywire_call::{Code, Metadata, Native, Origin, brpc};
use polywire_formats::mcpack::Writer;
use polywire_machine_testing::{Call, SeenTarget, Side, hex};
use polywire_wire::{Compression, Content, Exchange, Outcome, RELAYS, Refusal, Route};

/// "Example 1: ubrpc_compack request EchoService.Echo({message="hello", nums=[1,2]})"
fn example_1() -> Vec<u8> {
    hex("00 00 e8 03 00 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         c1 00 00 00 10 00 bb 00 00 00 02 00 00 00 10 07
         12 00 00 00 68 65 61 64 65 72 00 01 00 00 00 31
         0b 63 6f 6e 6e 65 63 74 69 6f 6e 00 01 20 08 8a
         00 00 00 63 6f 6e 74 65 6e 74 00 01 00 00 00 10
         00 80 00 00 00 04 00 00 00 d0 0d 0c 73 65 72 76
         69 63 65 5f 6e 61 6d 65 00 45 63 68 6f 53 65 72
         76 69 63 65 00 18 03 69 64 00 01 00 00 00 01 00
         00 00 d0 07 05 6d 65 74 68 6f 64 00 45 63 68 6f
         00 10 07 37 00 00 00 70 61 72 61 6d 73 00 01 00
         00 00 10 04 29 00 00 00 72 65 71 00 02 00 00 00
         d0 08 06 6d 65 73 73 61 67 65 00 68 65 6c 6c 6f
         00 30 05 09 00 00 00 6e 75 6d 73 00 14 01 00 00
         00 02 00 00 00")
}

/// "Example 2: success response"
fn example_2() -> Vec<u8> {
    hex("00 00 e8 03 00 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         75 00 00 00 10 00 6f 00 00 00 01 00 00 00 20 08
         5d 00 00 00 63 6f 6e 74 65 6e 74 00 01 00 00 00
         10 00 53 00 00 00 02 00 00 00 18 03 69 64 00 01
         00 00 00 01 00 00 00 10 0e 2e 00 00 00 72 65 73
         75 6c 74 5f 70 61 72 61 6d 73 00 01 00 00 00 10
         04 20 00 00 00 72 65 73 00 02 00 00 00 d0 08 06
         6d 65 73 73 61 67 65 00 68 65 6c 6c 6f 00 14 05
         63 6f 64 65 00 fb ff ff ff")
}

/// "Example 3: error response"
fn example_3() -> Vec<u8> {
    hex("00 00 e8 03 00 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         75 00 00 00 10 00 6f 00 00 00 01 00 00 00 20 08
         5d 00 00 00 63 6f 6e 74 65 6e 74 00 01 00 00 00
         10 00 53 00 00 00 02 00 00 00 18 03 69 64 00 01
         00 00 00 01 00 00 00 10 06 36 00 00 00 65 72 72
         6f 72 00 02 00 00 00 14 05 63 6f 64 65 00 d2 04
         00 00 d0 08 1c 6d 65 73 73 61 67 65 00 5b 31 32
         37 2e 30 2e 30 2e 31 3a 39 32 30 35 5d 5b 45 31
         32 33 34 5d 62 6f 6f 6d 00")
}

/// The call of the examples: id 4294967297.
const EXAMPLE: Exchange = Exchange { token: 1 << 32 | 1, slot: 1 };

/// The messages of examples 1 and 2.
fn request_message() -> Vec<u8> {
    example_1()[188..].to_vec()
}
fn reply_message() -> Vec<u8> {
    example_2()[121..].to_vec()
}

fn call() -> Call {
    Call::new("example.EchoService", "Echo").content(Content::COMPACK)
}

fn server() -> Side {
    Side::server(&MCPACK2)
}

/// The envelope of a failure as brpc writes it, in the form of example 3.
fn failure(id: i64, code: i32, text: &str) -> Vec<u8> {
    let mut to = Writer::new();
    let (top, content, first) = (to.object(b""), to.array(b"content"), to.object(b""));
    to.int64(b"id", id);
    let error = to.object(b"error");
    to.int32(b"code", code);
    to.string(b"message", text.as_bytes());
    to.end(error, 2);
    to.end(first, 2);
    to.end(content, 1);
    to.end(top, 1);
    to.finish().unwrap()
}

/// A frame of an envelope whose `content[0]` has these members.
fn envelope(members: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut to = Writer::new();
    let (top, content, first) = (to.object(b""), to.array(b"content"), to.object(b""));
    members(&mut to);
    to.end(first, 0); // counts are not believed
    to.end(content, 0);
    to.end(top, 0);
    frame(1000, 0, 0, &to.finish().unwrap())
}

fn names(to: &mut Writer) {
    to.string(b"service_name", b"S");
    to.string(b"method", b"M");
    to.int64(b"id", 7);
}

#[test]
fn example_1_is_a_request_in_both_directions() {
    let open = server().feed(example_1()).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Method { service: "EchoService".into(), method: "Echo".into() });
    assert_eq!((&open.body[..], open.head.content), (&request_message()[..], Content::MCPACK));
    let open = Side::server(&COMPACK).feed(example_1()).poll().expect_open();
    assert_eq!(open.head.content, Content::COMPACK);

    let mut client = Side::client(&COMPACK);
    client.open(EXAMPLE, &call().body(request_message())).unwrap();
    assert_eq!(client.written(), example_1());
}

#[test]
fn example_2_is_a_reply_in_both_directions() {
    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    server.reply(&open, reply_message());
    assert_eq!(server.written(), example_2());

    let mut client = Side::client(&MCPACK2);
    client.open(CALL, &call().body([0; 4])).unwrap();
    let (exchange, outcome) = client.feed(example_2()).poll().expect_finish();
    assert_eq!(
        (exchange, outcome.body, outcome.content),
        (CALL, reply_message()[..].into(), Content::MCPACK)
    );
    assert!(outcome.reply && outcome.trailers.is_empty());
}

#[test]
fn example_3_is_an_error_in_both_directions() {
    let mut server = server();
    let open = server.feed(example_1()).feed(example_1()).poll().expect_open();
    server.fail(open.exchange, brpc::status(1234, "[127.0.0.1:9205][E1234]boom"));
    assert_eq!(server.written(), example_3());
    server.poll().expect_open(); // the connection stays

    let mut client = Side::client(&MCPACK2);
    client.open(CALL, &call().body([0; 4])).unwrap();
    let (_, outcome) = client.feed(example_3()).poll().expect_finish();
    assert_eq!((outcome.status.code(), outcome.status.native()), (Code::Unknown, Native::Brpc(1234)));
    assert_eq!(
        (outcome.status.message(), outcome.status.origin()),
        ("[127.0.0.1:9205][E1234]boom", Origin::Remote)
    );
}

#[test]
fn both_are_of_nsheads_family() {
    family(&MCPACK2, &example_1(), &example_2());
    family(&COMPACK, &example_1(), &example_3());
}

#[test]
fn a_refusal_is_answered_with_the_id_of_its_request() {
    let mut server = server();
    server.host.refuse_next(brpc::status(brpc::ENOMETHOD, "no such method"));
    server.host.route_next(Route { max_message: 4, ..Route::default() });
    server.feed(example_1()).feed(example_1()).feed(example_1());
    server.poll().expect_open();
    assert_eq!(server.host.withdrawn, 1);
    let text = "The message of 41 bytes exceeds the limit of 4";
    let expected = [
        frame(1000, 0, 0, &failure(4294967297, 1002, "no such method")),
        frame(1000, 0, 0, &failure(4294967297, 1003, text)),
    ];
    assert_eq!(server.written(), expected.concat());
}

#[test]
fn faults_of_envelopes_are_answered_and_the_connection_stays() {
    let params = |to: &mut Writer| {
        let params = to.object(b"params");
        to.end(params, 0);
    };
    let cases: [(Vec<u8>, i64); 9] = [
        (frame(0, 0, 0, b""), 0),
        (frame(0, 0, 0, &hex("10 00 04000000 00000000")), 0),
        (frame(0, 0, 0, &hex("10 00 12000000 01000000 20 08 00000000 636f6e74656e7400")), 0),
        (envelope(|to| to.int64(b"id", 7)), 7),
        (envelope(names), 7), // no params
        (
            envelope(|to| {
                to.string(b"service_name", b"");
                to.string(b"method", b"M");
                params(to);
            }),
            0,
        ),
        (
            envelope(|to| {
                to.int64(b"id", 9);
                to.int64(b"method", 1);
            }),
            9,
        ),
        (
            envelope(|to| {
                names(to);
                to.string(b"params", b"x");
            }),
            7,
        ),
        (
            envelope(|to| {
                names(to);
                let params = to.object(b"params");
                to.string(b"req", b"no object");
                to.end(params, 1);
            }),
            7,
        ),
    ];
    for (bytes, id) in cases {
        let mut server = server();
        server.feed(&bytes).feed(example_1()).poll().expect_open();
        let written = server.written();
        let start = failure(id, 1003, "");
        let id = 74..87; // the member `id`, behind heads that are the same in all failures
        assert_eq!(written[id], start[38..51], "{}", bytes.escape_ascii());
        assert_eq!(failed(&MCPACK2, &call().body([0; 4]), &written).0, brpc::EREQUEST);
        assert_eq!(server.host.asked.len(), 1);
    }
}

#[test]
fn a_message_is_the_only_member_of_params_or_params_itself() {
    let message = |fill: fn(&mut Writer)| {
        let bytes = envelope(|to| {
            names(to);
            let params = to.object(b"params");
            fill(to);
            to.end(params, 0);
        });
        server().feed(bytes).poll().expect_open().body.0
    };
    let one = message(|to| {
        let any = to.object(b"whatever");
        to.int32(b"a", 1);
        to.end(any, 1);
    });
    assert_eq!(one, hex("01000000 14 02 6100 01000000"));
    let two = message(|to| {
        to.int32(b"a", 1);
        to.int32(b"b", 2);
    });
    assert_eq!(two, hex("00000000 14 02 6100 01000000 14 02 6200 02000000"));
    assert_eq!(message(|_| {}), [0; 4]);
}

#[test]
fn members_come_in_any_order_and_ids_in_any_integer() {
    let bytes = envelope(|to| {
        let params = to.object(b"params");
        to.end(params, 0);
        to.int32(b"else", 1);
        to.string(b"method", b"M");
        to.int32(b"id", -5);
        to.string(b"service_name", b"p.S");
    });
    let mut server = server();
    let open = server.feed(bytes).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Method { service: "p.S".into(), method: "M".into() });
    server.fail(open.exchange, brpc::status(1, "x"));
    assert_eq!(server.written(), frame(1000, 0, 0, &failure(-5, 1, "x")));
}

#[test]
fn names_of_arguments_and_results_can_be_chosen() {
    let mut client = Side::client(&MCPACK2);
    let body = hex("01000000 14 02 6100 01000000");
    let chosen = call().body(&body).field(REQUEST_NAME, "").field(RESPONSE_NAME, "answer");
    client.open(EXAMPLE, &chosen).unwrap();
    let sent = client.written();
    let params = [&hex("10 07 0c000000 706172616d7300")[..], &body].concat();
    assert!(sent.ends_with(&params), "{}", sent.escape_ascii());

    let mut server = server();
    let open = server.feed(example_1()).poll().expect_open();
    let trailers: Metadata = [(RESPONSE_NAME, "answer"), (RESULT, "-3")].into_iter().collect();
    let (body, trailers) = (IoBuf::copy_from_slice(&body), Some(Box::new(trailers)));
    server.finish(open.exchange, Outcome { body, trailers, reply: true, ..Outcome::default() });
    let (_, outcome) = client.feed(server.written()).poll().expect_finish();
    assert_eq!(outcome.body, hex("01000000 14 02 6100 01000000"));
    assert_eq!(outcome.trailers, [(RESULT.to_owned(), b"-3"[..].into())]);
}

/// A relay passes on what it does not know.
#[test]
fn names_that_are_not_the_usual_ones_are_reported() {
    let body = hex("01000000 14 02 6100 01000000");
    for (name, reported) in [("req", None), ("request", Some("request")), ("", Some(""))] {
        // With one member, `params` itself would be misread.
        let body = if name.is_empty() {
            hex("02000000 14 02 6100 01000000 14 02 6200 02000000")
        } else {
            body.clone()
        };
        let mut client = Side::client(&MCPACK2);
        client.open(CALL, &call().body(&body).field(REQUEST_NAME, name).field("log-id", "5")).unwrap();
        let open = server().feed(client.written()).poll().expect_open();
        assert_eq!(open.head.field(REQUEST_NAME), reported.map(str::as_bytes), "{name:?}");
        assert_eq!((&open.body[..], open.head.field("log-id")), (&body[..], Some(&b"5"[..])), "{name:?}");
    }
    for (name, reported) in [("res", None), ("answer", Some("answer")), ("", Some(""))] {
        let mut client = Side::client(&MCPACK2);
        client.open(CALL, &call().body(&body).field(RESPONSE_NAME, ANY)).unwrap();
        let reply = envelope(|to| {
            let params = to.object(b"result_params");
            let object = (!name.is_empty()).then(|| to.object(name.as_bytes()));
            to.int32(b"a", 1);
            object.into_iter().for_each(|object| to.end(object, 1));
            to.end(params, 1);
        });
        let (_, outcome) = client.feed(reply).poll().expect_finish();
        assert_eq!(outcome.body, body, "{name:?}");
        let found = outcome.trailers.first().map(|(name, value)| (&**name, &value[..]));
        assert_eq!(found, reported.map(|name| (RESPONSE_NAME, name.as_bytes())), "{name:?}");
    }
}

/// Frames have no place for more.
#[test]
fn the_number_of_relays_is_the_provider_of_a_frame() {
    for (relays, shown) in
        [("1", Some("1")), ("9", Some("9")), ("0", None), ("10", None), ("x", None), ("", None)]
    {
        let mut client = Side::client(&MCPACK2);
        client.open(CALL, &call().body([0; 4]).field(RELAYS, relays)).unwrap();
        let sent = client.written();
        let provider = shown.map_or("\0".repeat(16), |digit| format!("polywire-relay-{digit}"));
        assert_eq!(sent[8..24], *provider.as_bytes(), "{relays:?}");
        let open = server().feed(sent).poll().expect_open();
        assert_eq!(open.head.field(RELAYS), shown.map(str::as_bytes), "{relays:?}");
    }
    for provider in [*b"polywire-relay-0", *b"polywire-relay-a", *b"polywire_relay-1", *b"polywire-relay-\0"]
    {
        let mut sent = example_1();
        sent[8..24].copy_from_slice(&provider);
        assert!(server().feed(sent).poll().expect_open().head.fields.is_empty());
    }
}

#[test]
fn empty_replies_are_bad_replies() {
    for reply in [
        frame(0, 0, 0, b""),
        envelope(|to| to.int64(b"id", 1)),
        envelope(|to| {
            let params = to.object(b"result_params");
            to.end(params, 0);
        }),
        frame(0, 0, 0, &failure(1, 0, "text")),
        frame(0, 0, 0, &failure(1, 5, "")),
    ] {
        assert_eq!(
            failed(&MCPACK2, &call().body([0; 4]), &reply).0,
            brpc::ERESPONSE,
            "{}",
            reply.escape_ascii()
        );
    }
    let direct = envelope(|to| {
        let params = to.object(b"result_params");
        to.int32(b"a", 1);
        to.end(params, 0);
    });
    let mut client = Side::client(&MCPACK2);
    client.open(CALL, &call().body([0; 4]).field(RESPONSE_NAME, "")).unwrap();
    assert_eq!(client.feed(direct).poll().expect_finish().1.body, hex("00000000 14 02 6100 01000000"));
}

#[test]
fn what_the_protocol_cannot_carry_is_refused_at_the_client() {
    let refusal = |call: Call| Side::client(&MCPACK2).open(CALL, &call).unwrap_err();
    assert_eq!(refusal(call().compression(Compression::SNAPPY)), Refusal::Compression);
    assert_eq!(refusal(call().content(Content::PROTOBUF)), Refusal::Unsupported);
    assert_eq!(refusal(call().attachment("a")), Refusal::Unsupported);
    assert_eq!(refusal(call()), Refusal::Unsupported, "no object is empty: it has a count");
    assert_eq!(refusal(call().body([0; 4]).field(REQUEST_NAME, "n".repeat(255))), Refusal::TooLarge);
}
