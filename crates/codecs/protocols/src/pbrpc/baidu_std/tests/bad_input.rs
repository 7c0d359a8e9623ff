//! Every row of "Server behaviour on bad input" and of what a client does with bad replies.

use super::*;
use polywire_call::{Code, Native, Status, brpc};
use polywire_machine_testing::{Seen, SeenTarget};
use polywire_wire::{ClientSetup, Compression, Content, Route, WireError};

fn bytes_of(sizes: [u32; 2], rest: &[u8]) -> Vec<u8> {
    let mut bytes = b"PRPC".to_vec();
    sizes.iter().for_each(|size| bytes.extend_from_slice(&size.to_be_bytes()));
    bytes.extend_from_slice(rest);
    bytes
}

#[test]
fn bytes_that_are_no_prefix_of_the_magic_are_foreign_at_the_first_that_differs() {
    for foreign in ["G", "PI", "PRPD", "PRPD..........", "PRI * HTTP/2.0\r\n"] {
        assert_eq!(server().feed(foreign).poll(), Seen::Foreign, "{foreign}");
        assert_eq!(client().feed(foreign).poll(), Seen::Error(WireError::BadMagic), "{foreign}");
    }
}

#[test]
fn while_the_magic_is_incomplete_every_byte_is_looked_at() {
    for prefix in ["", "P", "PR", "PRP"] {
        assert_eq!(server().feed(prefix).poll(), Seen::Need(1), "{prefix}");
    }
    assert_eq!(server().feed("PRPC").poll(), Seen::Need(8));
}

#[test]
fn foreign_bytes_behind_a_frame_are_left_where_they_are() {
    let mut server = server();
    server.feed(example_1()).feed("HULU");
    server.poll().expect_open();
    assert_eq!(server.poll(), Seen::Foreign);
    assert_eq!(server.input, b"HULU"[..]);
}

#[test]
fn a_body_size_beyond_the_limit_closes_without_a_reply() {
    let mut server = server_with(Limits::default().max_message(100));
    assert_eq!(server.feed(bytes_of([101, 20], b"")).poll(), Seen::Error(WireError::TooLarge));
    assert_eq!(server.written(), b"");
    let mut client = Side::new(
        &PROTOCOL,
        ClientSetup { limits: Limits::default().max_message(100), ..ClientSetup::default() },
    );
    assert_eq!(client.feed(bytes_of([101, 20], b"")).poll(), Seen::Error(WireError::TooLarge));
}

#[test]
fn a_body_size_of_exactly_the_limit_is_accepted() {
    let request = example_1();
    let limits = Limits::default().max_message(request.len() as u32 - 12);
    server_with(limits).feed(request).poll().expect_open();
}

#[test]
fn the_default_limit_is_that_of_brpc() {
    assert!(matches!(server().feed(bytes_of([64 << 20, 20], b"")).poll(), Seen::Need(20)));
    assert_eq!(server().feed(bytes_of([(64 << 20) + 1, 20], b"")).poll(), Seen::Error(WireError::TooLarge));
}

#[test]
fn a_meta_size_beyond_body_size_closes() {
    let error = server().feed(bytes_of([10, 11], &[0; 10])).poll().expect_error();
    assert_eq!(error, WireError::Malformed("meta_size exceeds body_size"));
    assert!(matches!(client().feed(bytes_of([0, u32::MAX], b"")).poll(), Seen::Error(_)));
}

#[test]
fn a_meta_is_gathered_up_to_64_kib_and_no_further() {
    assert_eq!(server().feed(bytes_of([1 << 20, 65537], b"")).poll(), Seen::Error(WireError::TooLarge));
    let mut meta = echo_and(ID);
    let filler = 65536 - meta.len() - 4; // field 15, a length of three bytes
    meta.extend([0x7a, filler as u8 | 0x80, (filler >> 7) as u8 | 0x80, (filler >> 14) as u8]);
    meta.resize(65536, 0);
    let mut server = server();
    server.feed(frame(&meta, b"")).poll().expect_open();
}

#[test]
fn a_meta_that_does_not_parse_closes_without_a_reply() {
    let garbage: &[&[u8]] = &[
        b"\xff\xff\xff\xff",
        b"\x0a",                                             // field 1 without its length
        b"\x0a\x05ab",                                       // shorter than it says
        b"\x00\x00",                                         // field number 0
        b"\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", // a varint of eleven bytes
        b"\x0e\x00",                                         // wire type 6
        b"\x7b",                                             // a group that does not end
        b"\x7b\x74",                                         // a group that ends as another
        b"\x4a\x02\x0a\x05",                                 // a user field that is no message
    ];
    for meta in garbage {
        let mut server = server();
        let seen = server.feed(frame(meta, b"body")).poll();
        assert_eq!(seen, Seen::Error(WireError::Malformed("RpcMeta")), "{}", meta.escape_ascii());
        assert_eq!(server.written(), b"");
        assert_eq!(server.host.asked.len(), 0);
    }
}

#[test]
fn a_request_lacking_a_required_name_closes() {
    for request in ["0a 03 0a 01 73", "0a 03 12 01 6d", "0a 00"] {
        assert_eq!(
            server().feed(frame(&hex(request), b"")).poll(),
            Seen::Error(WireError::Malformed("RpcMeta"))
        );
    }
    // An empty name of a service is accepted.
    server().feed(frame(&hex("0a 04 0a 00 12 00"), b"")).poll().expect_open();
}

#[test]
fn a_name_that_is_not_utf8_closes() {
    let error = server().feed(frame(&hex("0a 05 0a 01 ff 12 00"), b"")).poll().expect_error();
    assert_eq!(error, WireError::Malformed("a name that is not UTF-8"));
}

#[test]
fn a_frame_without_request_has_empty_names() {
    let mut server = server();
    server.host.refuse_next(brpc::status(brpc::ENOSERVICE, "Fail to find service="));
    server.feed(frame(&hex(ID), b"")).events();
    let nobody = SeenTarget::Method { service: String::new(), method: String::new() };
    assert_eq!(server.host.asked[0].head.target, nobody);
    assert_eq!(server.written(), error_frame(1001, "Fail to find service="));
}

#[test]
fn an_attachment_longer_than_the_payload_is_a_bad_request() {
    let mut server = server();
    server.feed(frame(&echo_and(&format!("{ID} 28 07")), b"sixsix")).feed(example_1());
    let open = server.poll().expect_open();
    assert_eq!(open.attachment(), b"ATTACH", "the connection goes on with the next request");
    assert_eq!(server.host.asked.len(), 1);
    assert_eq!(server.written(), error_frame(1003, "attachment_size=7 is larger than payload_size=6"));
}

#[test]
fn an_attachment_as_long_as_the_payload_leaves_an_empty_message() {
    let open = server().feed(frame(&echo_and(&format!("{ID} 28 06")), b"sixsix")).poll().expect_open();
    assert_eq!((open.message(), open.attachment()), (&b""[..], &b"sixsix"[..]));
}

#[test]
fn a_negative_attachment_size_counts_as_zero() {
    let meta = echo_and(&format!("{ID} 28 ff ff ff ff ff ff ff ff ff 01"));
    assert_eq!(server().feed(frame(&meta, b"body")).poll().expect_open().head.attachment, 0);
}

#[test]
fn a_wrong_checksum_is_a_bad_request_and_gives_the_admission_back() {
    for digest in
        ["62 04 7e 27 82 d7 68 01", "62 04 7e 27 82 d6", "62 03 7e 27 82", "62 05 7e 27 82 d6 00", "62 00"]
    {
        let mut server = server();
        let meta = echo_and(&format!("{ID} 28 06 58 01 {digest}"));
        server.feed(frame(&meta, b"\x0a\x03crcATTACH")).feed(example_4());
        server.poll().expect_open();
        assert_eq!(server.written(), error_frame(1003, "Fail to verify checksum"), "{digest}");
        assert_eq!((server.host.asked.len(), server.host.withdrawn), (2, 1));
    }
}

#[test]
fn an_unknown_checksum_is_not_verified() {
    server().feed(frame(&echo_and("58 02 62 01 00"), b"x")).poll().expect_open();
    // "field 12 of a reply echoes the request's checksum_value while field 11 is 0: ignore 12 when 11 is 0"
    let reply = frame(&hex(&format!("12 02 08 00 {ID} 58 00 62 04 7e 27 82 d6")), b"x");
    assert!(client().feed(reply).poll().expect_finish().1.status.is_ok());
}

#[test]
fn unknown_compressions_reach_the_application_as_such() {
    let compression =
        |fields: &str| server().feed(frame(&echo_and(fields), b"")).poll().expect_open().head.compression;
    assert_eq!(compression("18 01"), Compression::SNAPPY);
    assert_eq!(compression("18 02"), Compression::GZIP);
    assert_eq!(compression("18 03"), Compression::ZLIB);
    assert_eq!(compression("18 04"), Compression::UNKNOWN);
    assert_eq!(compression("18 ff ff ff ff ff ff ff ff ff 01"), Compression::UNKNOWN);
}

#[test]
fn an_unknown_content_type_is_protobuf() {
    let content =
        |fields: &str| server().feed(frame(&echo_and(fields), b"")).poll().expect_open().head.content;
    assert_eq!(
        [content("50 01"), content("50 02"), content("50 03")],
        [Content::JSON, Content::PROTO_JSON, Content::PROTO_TEXT]
    );
    assert_eq!([content("50 04"), content("50 ff 01"), content("")], [Content::PROTOBUF; 3]);
}

#[test]
fn unknown_fields_are_skipped_whatever_their_kind() {
    let unknown = "7a 02 00 00  78 01  79 0000000000000000  7d 00000000  7b 08 01 7c  a2 06 01 00  08 01";
    let open = server().feed(frame(&echo_and(&format!("{unknown} {ID}")), b"")).poll().expect_open();
    assert_eq!(open.exchange.token, CALL.token);
    assert_eq!(open.head.fields, []);
}

#[test]
fn groups_nest_to_a_bound() {
    let nested = |levels: usize| {
        let mut meta = echo_and("");
        meta.extend(vec![0x7b; levels]);
        meta.extend(vec![0x7c; levels]);
        server().feed(frame(&meta, b"")).poll()
    };
    nested(30).expect_open();
    assert_eq!(nested(30_000), Seen::Error(WireError::Malformed("RpcMeta")));
}

#[test]
fn a_body_longer_than_its_route_allows_is_refused_without_being_buffered() {
    let mut server = server();
    server.host.route_next(Route { max_message: 5, ..Route::default() });
    let request = frame(&echo_and(ID), b"sixsix");
    assert_eq!(server.feed(&request[..request.len() - 6]).poll(), Seen::Need(1));
    assert_eq!(server.written(), error_frame(1003, "The message of 6 bytes exceeds the limit of 5"));
    assert_eq!(server.host.withdrawn, 1);
    server.feed("sixsix").feed(example_1()).poll().expect_open();
}

#[test]
fn a_client_drops_a_reply_whose_meta_does_not_parse_and_goes_on() {
    let mut client = client();
    client.feed(frame(b"\xff\xff", b"whatever")).feed(example_2());
    assert_eq!(client.poll().expect_finish().0, CALL);
}

#[test]
fn a_client_fails_a_call_whose_attachment_cannot_be() {
    let (exchange, outcome) =
        client().feed(frame(&hex(&format!("12 00 {ID} 28 07")), b"sixsix")).poll().expect_finish();
    assert_eq!((exchange, outcome.status.native()), (CALL, Native::Brpc(brpc::ERESPONSE)));
}

#[test]
fn a_client_fails_a_call_whose_reply_is_corrupt() {
    let mut client = client();
    client.feed(frame(&hex(&format!("12 00 {ID} 58 01 62 04 00 00 00 00")), b"x")).feed(example_2());
    let (exchange, outcome) = client.poll().expect_finish();
    assert_eq!((exchange, outcome.status.native()), (CALL, Native::Brpc(brpc::EREQUEST)));
    assert!(client.poll().expect_finish().1.status.is_ok());
}

#[test]
fn a_client_skips_a_reply_that_is_too_long_to_buffer() {
    let mut client = client().hosted(|h| h.limit_replies(5));
    let reply = frame(&hex(&format!("12 00 {ID}")), b"sixsix");
    let (exchange, outcome) = client.feed(&reply[..reply.len() - 6]).poll().expect_finish();
    assert_eq!((exchange, outcome.status.code()), (CALL, Code::ResourceExhausted));
    assert_eq!(client.poll(), Seen::Need(1));
    assert_eq!(client.feed("six").poll(), Seen::Need(1));
    assert_eq!(client.held(), 0);
    client.feed("six").feed(example_3());
    assert_eq!(
        client.poll().expect_finish().1.status,
        brpc::status(1234, "[127.0.0.1:9201][E1234]boom").with_origin(polywire_call::Origin::Remote)
    );
}

#[test]
fn a_client_ignores_the_body_of_a_failure() {
    let mut client = client();
    let reply = frame(&hex(&format!("12 03 08 ea 07 {ID} 28 7f")), b"ignored");
    client.feed(&reply[..reply.len() - 2]);
    let (_, outcome) = client.poll().expect_finish();
    assert_eq!((outcome.status.native(), outcome.body.len()), (Native::Brpc(brpc::ENOMETHOD), 0));
    client.feed(&reply[reply.len() - 2..]).feed(example_2());
    assert!(client.poll().expect_finish().1.status.is_ok());
}

#[test]
fn a_credential_turned_down_is_answered_with_its_reason() {
    let mut server = guarded();
    server.feed(example_1()).feed(example_1());
    server.poll();
    server.authenticated(Err(Status::unauthenticated("unknown user")));
    let text = b"Fail to authenticate: unknown user";
    let mut meta = vec![0x12, text.len() as u8 + 5, 0x08, 0xec, 0x07, 0x12, text.len() as u8];
    meta.extend(text);
    meta.extend(hex(ID));
    assert_eq!(server.written(), frame(&meta, b""));
    assert_eq!(server.events(), [Seen::Closed]);
    assert_eq!(server.host.asked.len(), 0);
}
