//! fb_rpc as docs/wire/flatbuffers_rpc.md has it. The connection itself is tested by baidu_std, which shares
//! it.

use super::{Drafts, PROTOCOL, V0_PROTOCOL, draft_method_id, method_id};
use polywire_base::IoBuf;
use polywire_call::{Metadata, Native, Origin, Status, brpc};
use polywire_machine_testing::{
    Call, Seen, SeenTarget, Side, at_every_split, at_every_truncation, hex, pass, survives_noise,
};
use polywire_wire::{
    ClientSetup, Compression, Compressions, Content, Exchange, Extensions, Limits, Outcome, Refusal,
    ServerSetup, Sniff, WireError,
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

/// The call of the sheet's frames.
const CALL: Exchange = Exchange { token: 0x0102_0304_0506_0708, slot: 0x0506_0708 };

/// "`Request{text:"hello"}` is this 32-byte FlatBuffer"
fn hello() -> Vec<u8> {
    hex("0c 00 00 00 00 00 06 00 08 00 04 00 06 00 00 00 04 00 00 00 05 00 00 00 68 65 6c 6c 6f 00 00 00")
}

/// "Request to `example.api.Echo`, method 41, attachment `att`"
fn request() -> Vec<u8> {
    hex("46 52 50 43 00 00 00 3b 00 00 00 18
         11 36 d1 c4 29 00 00 00 20 00 00 00 03 00 00 00 08 07 06 05 04 03 02 01
         0c 00 00 00 00 00 06 00 08 00 04 00 06 00 00 00 04 00 00 00 05 00 00 00 68 65 6c 6c 6f 00 00 00
         61 74 74")
}

/// "Success reply with the same 32-byte table and no attachment"
fn reply() -> Vec<u8> {
    hex("46 52 50 43 00 00 00 34 00 00 00 14
         00 00 00 00 20 00 00 00 00 00 00 00 08 07 06 05 04 03 02 01
         0c 00 00 00 00 00 06 00 08 00 04 00 06 00 00 00 04 00 00 00 05 00 00 00 68 65 6c 6c 6f 00 00 00")
}

/// "Error reply ENOMETHOD (1002 = 0x3ea), 32 bytes"
fn failure() -> Vec<u8> {
    error_reply(brpc::ENOMETHOD)
}

/// An error reply with a text after the numbers of the meta.
fn error_reply_saying(code: i32, text: &str) -> Vec<u8> {
    let fields: Metadata = [("polywire-status-message", text)].into_iter().collect();
    let behind = crate::reply_fields::written(&fields);
    let mut bytes = [&error_reply(code)[..], &behind[..]].concat();
    bytes[7] += behind.len() as u8;
    bytes[11] += behind.len() as u8;
    bytes
}

fn error_reply(code: i32) -> Vec<u8> {
    let mut bytes = hex("46 52 50 43 00 00 00 14 00 00 00 14
         ea 03 00 00 00 00 00 00 00 00 00 00 08 07 06 05 04 03 02 01");
    bytes[12..16].copy_from_slice(&code.to_le_bytes());
    bytes
}

/// A frame whose meta is `raw` and whose payload is `payload`.
fn frame(raw: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut frame = b"FRPC".to_vec();
    frame.extend(((raw.len() + payload.len()) as u32).to_be_bytes());
    frame.extend((raw.len() as u32).to_be_bytes());
    frame.extend([raw, payload].concat());
    frame
}

/// The request of the sheet with other sizes and another payload.
fn sized(message: i32, attachment: i32, payload: &[u8]) -> Vec<u8> {
    let mut raw = request()[12..36].to_vec();
    raw[8..12].copy_from_slice(&message.to_le_bytes());
    raw[12..16].copy_from_slice(&attachment.to_le_bytes());
    frame(&raw, payload)
}

/// The reply of the sheet with another code, other sizes and another payload.
fn answered(code: i32, message: i32, attachment: i32, payload: &[u8]) -> Vec<u8> {
    let mut raw = reply()[12..32].to_vec();
    raw[..4].copy_from_slice(&code.to_le_bytes());
    raw[4..8].copy_from_slice(&message.to_le_bytes());
    raw[8..12].copy_from_slice(&attachment.to_le_bytes());
    frame(&raw, payload)
}

fn call() -> Call {
    let call = Call::new("example.api.Echo", "Repeat").index(41).content(Content::FLATBUFFERS);
    call.body(hello())
}

#[test]
fn the_request_of_the_sheet_in_both_directions() {
    let open = server().feed(request()).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Id(0xc4d1_3611 << 32 | 41));
    assert_eq!(open.exchange, Exchange { token: CALL.token, slot: Exchange::UNTRACKED });
    assert_eq!((open.message(), open.attachment()), (&hello()[..], &b"att"[..]));
    assert_eq!((open.head.content, open.head.timeout), (Content::FLATBUFFERS, None));
    assert_eq!(open.head.accepts, Compressions::NONE);

    let mut client = client();
    client.open(CALL, &call().attachment("att")).unwrap();
    assert_eq!(client.written(), request());
}

#[test]
fn the_reply_of_the_sheet_in_both_directions() {
    let (exchange, outcome) = client().feed(reply()).poll().expect_finish();
    assert_eq!(exchange, CALL);
    assert!(outcome.status.is_ok() && outcome.reply);
    assert_eq!((&outcome.body[..], outcome.attachment), (&hello()[..], 0));
    assert_eq!(outcome.content, Content::FLATBUFFERS);

    let mut server = server();
    let open = server.feed(request()).poll().expect_open();
    server.finish(open.exchange, Outcome { body: hello().into(), reply: true, ..Outcome::default() });
    assert_eq!(server.written(), reply());
}

#[test]
fn the_error_of_the_sheet_in_both_directions() {
    let (exchange, outcome) = client().feed(failure()).poll().expect_finish();
    assert_eq!(exchange, CALL);
    assert_eq!(outcome.status.native(), Native::Brpc(brpc::ENOMETHOD));
    assert_eq!((outcome.status.message(), outcome.status.origin()), ("No such method", Origin::Remote));

    let mut server = server();
    let open = server.feed(request()).poll().expect_open();
    server.fail(open.exchange, brpc::status(brpc::ENOMETHOD, ""));
    assert_eq!(server.written(), failure());

    let open = server.feed(request()).poll().expect_open();
    server.fail(open.exchange, brpc::status(brpc::ENOMETHOD, "behind"));
    assert_eq!(server.written(), error_reply_saying(brpc::ENOMETHOD, "behind"));
    let (_, outcome) = client().feed(error_reply_saying(brpc::ENOMETHOD, "behind")).poll().expect_finish();
    assert_eq!((outcome.status.message(), outcome.trailers.len()), ("behind", 0));
}

#[test]
fn a_method_has_one_number_made_of_two() {
    assert_eq!(method_id("test.BenchmarkService", 0), 0x3533_7ad9 << 32);
    assert_eq!(method_id("Echo", i32::MAX as u32), 0x9953_d8f1_7fff_ffff);
}

#[test]
fn pieces_do_not_change_what_is_seen() {
    assert_eq!(at_every_split(server, &[request(), request()].concat()).seen.len(), 2);
    assert_eq!(at_every_split(client, &[reply(), failure(), reply()].concat()).seen.len(), 3);
    assert_eq!(at_every_split(guarded, &request()).seen.len(), 1);
}

#[test]
fn a_truncated_frame_is_no_message() {
    at_every_truncation(server, &request());
    at_every_truncation(client, &reply());
    at_every_truncation(client, &failure());
}

#[test]
fn other_beginnings_are_other_protocols() {
    for beginning in ["X", "FX", "FRX", "FRPX", "PRPC", "BRPC"] {
        assert_eq!((PROTOCOL.sniff)(beginning.as_bytes()), Sniff::NotMine, "{beginning}");
        assert_eq!(server().feed(beginning).poll(), Seen::Foreign, "{beginning}");
        assert_eq!(client().feed(beginning).poll(), Seen::Error(WireError::BadMagic), "{beginning}");
    }
    for undecided in ["", "F", "FR", "FRP"] {
        assert_eq!((PROTOCOL.sniff)(undecided.as_bytes()), Sniff::NeedMore(1));
    }
    assert_eq!((PROTOCOL.sniff)(b"FRPC"), Sniff::Mine);
}

#[test]
fn lengths_are_judged_by_the_header_alone() {
    let header = |body: u32, meta: u32| [b"FRPC", &body.to_be_bytes()[..], &meta.to_be_bytes()].concat();
    for side in [server as fn() -> Side, client] {
        assert_eq!(side().feed(header(u32::MAX, 24)).poll(), Seen::Error(WireError::TooLarge));
        for (body, meta) in [(0, 1), (23, 24)] {
            let error = side().feed(header(body, meta)).poll().expect_error();
            assert_eq!(error, WireError::Malformed("meta_size exceeds body_size"));
        }
        assert_eq!(side().feed(header(1 << 20, 65537)).poll(), Seen::Error(WireError::TooLarge));
    }
    let limits = Limits::default().max_message(58);
    let mut small = Side::new(&PROTOCOL, ServerSetup { limits, ..ServerSetup::default() });
    assert_eq!(small.feed(&request()[..12]).poll(), Seen::Error(WireError::TooLarge));
}

#[test]
fn a_meta_without_all_fields_closes() {
    for length in 0..24 {
        let error = server().feed(frame(&request()[12..12 + length], b"")).poll().expect_error();
        assert!(matches!(error, WireError::Malformed(_)), "{length}: {error:?}");
    }
    for length in 0..20 {
        let error = client().feed(frame(&reply()[12..12 + length], b"")).poll().expect_error();
        assert!(matches!(error, WireError::Malformed(_)), "{length}: {error:?}");
    }
    let error = guarded().feed(frame(&request()[12..35], b"")).poll().expect_error();
    assert!(matches!(error, WireError::Malformed(_)));
}

#[test]
fn what_a_meta_has_beyond_its_fields_is_skipped() {
    let longer = |known: &[u8], payload: &[u8]| frame(&[known, b"extra"].concat(), payload);
    let open = server().feed(longer(&request()[12..36], &request()[36..])).poll().expect_open();
    assert_eq!((open.message(), open.attachment()), (&hello()[..], &b"att"[..]));
    let (_, outcome) = client().feed(longer(&reply()[12..32], &hello())).poll().expect_finish();
    assert_eq!(&outcome.body[..], &hello()[..]);
}

#[test]
fn sizes_that_are_not_those_of_the_payload_are_answered_with_1003() {
    let wrong = [(0, 6), (6, 1), (7, 0), (7, -1), (-1, 7), (5, 0), (0, 7), (-2, -2), (i32::MAX, i32::MAX)];
    for (message, attachment) in wrong {
        let mut server = server();
        server.feed(sized(message, attachment, b"sixsix")).feed(request());
        server.poll().expect_open();
        let text = "the sizes are not those of the payload";
        assert_eq!(server.written(), error_reply_saying(brpc::EREQUEST, text), "{message} {attachment}");
        assert_eq!(server.host.asked.len(), 1, "what is wrong is not admitted");
    }
    let mut server = server();
    server.feed(sized(0, 0, b"")).events();
    let text = "the sizes are not those of the payload";
    assert_eq!(server.written(), error_reply_saying(brpc::EREQUEST, text));
    server.feed(sized(1, 5, b"sixsix")).poll().expect_open();
}

#[test]
fn a_reply_that_contradicts_itself_fails_its_call_alone() {
    let wrong = [
        answered(0, 0, 0, b""),
        answered(0, 0, 6, b"sixsix"),
        answered(0, 5, 0, b"sixsix"),
        answered(0, 7, -1, b"sixsix"),
        answered(0, -1, 7, b"sixsix"),
        answered(1002, 6, 0, b"sixsix"),
        answered(1002, 0, 6, b"sixsix"),
        answered(1002, 0, 6, b""),
    ];
    for bytes in wrong {
        let mut client = client();
        client.feed(&bytes).feed(reply());
        let (exchange, outcome) = client.poll().expect_finish();
        assert_eq!(exchange, CALL);
        assert_eq!(outcome.status.native(), Native::Brpc(brpc::ERESPONSE), "{}", bytes.escape_ascii());
        assert!(client.poll().expect_finish().1.status.is_ok());
    }
}

#[test]
fn admission_comes_before_the_body() {
    let mut server = server();
    server.feed_split(request(), &[1]);
    let asked = &server.host.asked;
    assert_eq!((asked.len(), asked[0].announced, asked[0].fed), (1, Some(35), 36));
    assert_eq!(asked[0].head.attachment, 3);
}

#[test]
fn a_refusal_is_answered_before_the_body_is_here() {
    let mut server = server();
    server.host.refuse_next(brpc::status(brpc::ENOMETHOD, ""));
    assert_eq!(server.feed(&request()[..40]).poll(), Seen::Need(1));
    assert_eq!(server.written(), failure());
    server.feed(&request()[40..]).feed(request()).poll().expect_open();
}

#[test]
fn a_success_without_a_message_is_sent_as_2002() {
    let mut server = server();
    let open = server.feed(request()).poll().expect_open();
    server.finish(open.exchange, Outcome { reply: true, ..Outcome::default() });
    assert_eq!(server.written(), error_reply(brpc::ERESPONSE));
    let open = server.feed(request()).poll().expect_open();
    let body = IoBuf::from("attached");
    server.finish(open.exchange, Outcome { body, attachment: 8, reply: true, ..Outcome::default() });
    assert_eq!(server.written(), error_reply(brpc::ERESPONSE));
}

#[test]
fn a_number_of_the_peers_own_gets_a_text() {
    let (_, outcome) = client().feed(error_reply(-7)).poll().expect_finish();
    assert_eq!(outcome.status.native(), Native::Brpc(-7));
    assert_eq!(outcome.status.message(), "the server gave a number of its own and no text");
}

#[test]
fn what_the_protocol_cannot_carry_is_refused_at_the_client() {
    let refusal = |call: Call| {
        let mut client = client();
        let refusal = client.open(CALL, &call).unwrap_err();
        assert_eq!(client.written(), b"");
        refusal
    };
    let unnumbered = Call::new("s", "m").content(Content::FLATBUFFERS).body("message");
    assert_eq!(refusal(unnumbered), Refusal::Unnumbered);
    assert_eq!(refusal(call().index(1 << 31)), Refusal::Unnumbered);
    assert_eq!(refusal(call().content(Content::PROTOBUF)), Refusal::Unsupported);
    assert_eq!(refusal(call().compression(Compression::GZIP)), Refusal::Compression);
    assert_eq!(refusal(call().parts_follow()), Refusal::Unsupported);
    assert_eq!(refusal(call().streamed()), Refusal::Unsupported);
    assert_eq!(refusal(call().body("").attachment("att")), Refusal::Unsupported);
    let setup = ClientSetup { credential: Some(b"secret"), ..ClientSetup::default() };
    let mut client = Side::new(&PROTOCOL, setup);
    assert_eq!(client.open(CALL, &call()), Err(Refusal::Credential));
}

#[test]
fn a_peer_that_is_turned_down_gets_1004_and_the_connection_closes() {
    let mut server = guarded();
    let asked = server.feed(request()).poll();
    assert_eq!(asked.expect_claim().shown(), "fb_rpc -");
    server.authenticated(Err(Status::unauthenticated("who?")));
    let reply = server.written();
    assert_eq!((server.events(), server.host.asked.len()), (vec![Seen::Closed], 0));
    let known = error_reply(brpc::ERPCAUTH).len(); // what brpc's clients read
    assert_eq!(reply[12..known], error_reply(brpc::ERPCAUTH)[12..]);
    let mut client = client();
    client.open(CALL, &call()).unwrap();
    let (_, outcome) = client.feed(reply).poll().expect_finish();
    assert_eq!(outcome.status.message(), "Fail to authenticate: who?");
    assert_eq!(outcome.status.code(), polywire_call::Code::Unauthenticated);
}

#[test]
fn a_reply_beyond_the_servers_own_limit_is_2002() {
    let limited = ServerSetup { limits: Limits::default().max_message(100), ..ServerSetup::default() };
    let mut server = Side::new(&PROTOCOL, limited);
    for (bytes, code) in [(80, 0), (81, brpc::ERESPONSE)] {
        let open = server.feed(request()).poll().expect_open();
        server.reply(&open, vec![0; bytes]);
        let reply = server.written();
        assert_eq!(reply[12..16], code.to_le_bytes(), "{bytes}");
    }
}

/// "`test..BenchmarkService` (two dots): 0x4b9f138f"; "`BRPC`".
fn draft_request(magic: &[u8; 4]) -> Vec<u8> {
    let mut bytes =
        frame(&hex("8f 13 9f 4b 01 00 00 00 20 00 00 00 00 00 00 00 08 07 06 05 04 03 02 01"), &hello());
    bytes[..4].copy_from_slice(magic);
    bytes
}

fn with_drafts(test: impl FnOnce(&mut Side)) {
    let mut extensions = Extensions::default();
    extensions.insert(std::sync::Arc::new(Drafts));
    let setup = ServerSetup { extensions: Some(&extensions), ..ServerSetup::default() };
    test(&mut Side::new(&PROTOCOL, setup));
}

#[test]
fn drafts_name_a_service_with_two_dots_and_a_method_by_its_position() {
    assert_eq!(draft_method_id("test.BenchmarkService", 0), 0x4b9f_138f << 32);
    let call =
        Call::new("test.BenchmarkService", "Test").index(1).content(Content::FLATBUFFERS).body(hello());
    let v1 = ClientSetup { parameter: "v1", ..ClientSetup::default() };
    for (mut client, magic) in [(Side::new(&PROTOCOL, v1), b"FRPC"), (Side::client(&V0_PROTOCOL), b"BRPC")] {
        client.open(CALL, &call).unwrap();
        assert_eq!(client.written(), draft_request(magic));
    }
    let target = SeenTarget::Id(draft_method_id("test.BenchmarkService", 1));
    with_drafts(|server| {
        assert_eq!(server.feed(draft_request(b"FRPC")).poll().expect_open().head.target, target);
    });
    let open = Side::server(&V0_PROTOCOL).feed(draft_request(b"BRPC")).poll().expect_open();
    assert_eq!((&open.head.target, open.message()), (&target, &hello()[..]));
    assert_eq!((PROTOCOL.content)("v1"), Some(Content::FLATBUFFERS));
    assert_eq!((PROTOCOL.content)("v3"), None);
}

/// Clients of the drafts may not be able to skip further fields.
#[test]
fn a_meta_to_a_draft_has_nothing_behind_its_numbers() {
    let fails = |server: &mut Side, magic: &[u8; 4]| {
        let open = server.feed(draft_request(magic)).poll().expect_open();
        server.fail(open.exchange, brpc::status(brpc::ENOMETHOD, "a text"));
        let mut expected = failure();
        expected[..4].copy_from_slice(magic);
        assert_eq!(server.written(), expected);
        let open = server.feed(draft_request(magic)).poll().expect_open();
        let trailers = Some(Box::new([("a", "field")].into_iter().collect::<Metadata>()));
        let outcome = Outcome { body: hello().into(), reply: true, trailers, ..Outcome::default() };
        server.finish(open.exchange, outcome);
        let mut expected = reply();
        expected[..4].copy_from_slice(magic);
        assert_eq!(server.written(), expected);
    };
    with_drafts(|server| fails(server, b"FRPC"));
    fails(&mut Side::server(&V0_PROTOCOL), b"BRPC");
}

#[test]
fn v0_is_cut_and_altered_like_the_others() {
    let (server, client) = (|| Side::server(&V0_PROTOCOL), || Side::client(&V0_PROTOCOL));
    let mut answer = reply();
    answer[..4].copy_from_slice(b"BRPC");
    let request = draft_request(b"BRPC");
    assert_eq!(at_every_split(server, &[&request[..], &request].concat()).seen.len(), 2);
    at_every_truncation(server, &request);
    at_every_truncation(client, &answer);
    survives_noise(server, &[&request, &answer], 4, 1000);
    survives_noise(client, &[&request, &answer], 5, 1000);
    assert_eq!(server().feed("FRPC").poll(), Seen::Foreign);
}

proptest! {
    #[test]
    fn a_call_arrives_as_it_was_made_and_so_does_its_reply(
        service in "[a-z.]{0,90}",
        index in 0..=i32::MAX as u32,
        body in prop::collection::vec(any::<u8>(), 1..3000),
        attachment in prop::collection::vec(any::<u8>(), 0..3000),
        token in any::<u64>(),
        pieces in prop::collection::vec(1..500usize, 1..4),
    ) {
        let (mut client, mut server) = (client(), server());
        let call = Call::new(&service, "m").index(index).content(Content::FLATBUFFERS);
        let exchange = Exchange { token, slot: token as u32 };
        client.open(exchange, &call.body(&body).attachment(&attachment)).unwrap();
        let open = server.feed_split(client.written(), &pieces).remove(0).expect_open();
        prop_assert_eq!(open.exchange.token, token);
        prop_assert_eq!(&open.head.target, &SeenTarget::Id(method_id(&service, index)));
        prop_assert_eq!((open.message(), open.attachment()), (&body[..], &attachment[..]));

        let body = IoBuf::copy_from_slice(&open.body);
        let outcome = Outcome { body, attachment: open.head.attachment, reply: true, ..Outcome::default() };
        server.finish(open.exchange, outcome);
        let (finished, outcome) = client.feed_split(server.written(), &pieces).remove(0).expect_finish();
        prop_assert_eq!(finished, exchange);
        prop_assert!(outcome.status.is_ok() && outcome.reply);
        prop_assert_eq!((outcome.body, outcome.attachment), (open.body, open.head.attachment));
    }

    #[test]
    fn a_failure_arrives_with_its_number(number in any::<i32>()) {
        prop_assume!(![0, brpc::ECLOSE].contains(&number));
        let (mut client, mut server) = (client(), server());
        client.open(CALL, &call()).unwrap();
        pass(&mut client, &mut server);
        let open = server.poll().expect_open();
        server.fail(open.exchange, brpc::status(number, "lost"));
        pass(&mut server, &mut client);
        let (exchange, outcome) = client.poll().expect_finish();
        prop_assert_eq!((exchange, outcome.status.native()), (CALL, Native::Brpc(number)));
    }
}

#[test]
fn noise_does_no_harm() {
    let examples = [request(), reply(), failure()];
    let examples: Vec<&[u8]> = examples.iter().map(|e| &e[..]).collect();
    survives_noise(server, &examples, 1, 3000);
    survives_noise(client, &examples, 2, 3000);
    survives_noise(guarded, &examples, 3, 1000);
}
