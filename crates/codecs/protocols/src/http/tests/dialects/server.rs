//! The server's side: what is admitted, delivered, refused and answered.

use super::{KINDS, Said, envelope, failed, lines, message, only_open, request, server, streaming};
use crate::http;
use polywire_base::IoBuf;
use polywire_call::{Code, Metadata, Status, brpc};
use polywire_formats::compression;
use polywire_machine_testing::{Octets, Seen, Side, at_every_split, at_every_truncation};
use polywire_wire::{
    Answer, Compression, Compressions, Content, Delivery, Extensions, Limits, Origins, Outcome, Part, Route,
    Sender, ServerSetup,
};
use std::sync::Arc;

const GRPC: &str = "application/grpc";

#[track_caller]
fn part(seen: Seen) -> (Octets, bool, bool, Compression) {
    match seen {
        Seen::Part { bytes, end_of_message, finished, compression, .. } => {
            (bytes, end_of_message, finished, compression)
        }
        other => panic!("expected Part, saw {other:?}"),
    }
}

#[test]
fn the_codec_is_part_of_the_content_type_and_comes_back() {
    for (asked, content, answered) in [
        ("application/grpc", Content::PROTOBUF, "application/grpc"),
        ("application/grpc+proto", Content::PROTOBUF, "application/grpc+proto"),
        ("application/grpc+json", Content::PROTO_JSON, "application/grpc+json"),
        ("Application/GRPC+Proto; a=b", Content::PROTOBUF, "application/grpc+proto"),
        ("application/grpc-web", Content::PROTOBUF, "application/grpc-web"),
        ("application/grpc-web+json", Content::PROTO_JSON, "application/grpc-web+json"),
        ("application/connect+json", Content::PROTO_JSON, "application/connect+json"),
    ] {
        let mut side = server();
        let open = side.feed(request(asked, "", envelope(0, "m"))).poll().expect_open();
        assert_eq!((open.head.content, &open.body[..]), (content, &b"m"[..]), "{asked}");
        side.finish(open.exchange, message(""));
        let head = Said::of(&mut side).head;
        assert!(head.contains(&format!("|Content-Type: {answered}|")), "{asked}: {head}");
    }
}

#[test]
fn other_codecs_are_415_and_other_verbs_405() {
    for content_type in ["application/grpc+xml", "application/grpcx", "application/connect+xml"] {
        let mut side = server();
        side.feed(request(content_type, "", ""));
        assert_eq!(side.poll(), Seen::Need(1));
        assert!(Said::of(&mut side).head.starts_with("HTTP/1.1 415 "), "{content_type}");
        assert!(side.host.asked.is_empty(), "not looked up");
    }
    let mut side = server();
    side.feed(lines("GET /S/M HTTP/1.1|Host: x|Content-Type: application/grpc||"));
    assert_eq!(side.poll(), Seen::Need(1));
    let head = Said::of(&mut side).head;
    assert!(head.starts_with("HTTP/1.1 405 ") && head.contains("|Allow: POST|"), "{head}");
}

#[test]
fn whole_requests_open_once_at_the_same_byte_however_they_come() {
    for (_, _, content_type) in KINDS.into_iter().filter(|(.., c)| !c.contains("text")) {
        let bytes = request(content_type, "", envelope(0, "hello"));
        at_every_truncation(server, &bytes);
        let run = at_every_split(server, &bytes);
        assert_eq!(only_open(&run.seen).body, b"hello");
    }
}

#[test]
fn messages_of_a_stream_are_parts_and_the_last_one_says_so() {
    for (_, _, content_type) in KINDS.into_iter().filter(|(.., c)| !c.contains("text")) {
        let body = [envelope(0, "one"), envelope(0, ""), envelope(0, "three")].concat();
        let run = at_every_split(streaming, &request(content_type, "", body));
        let mut seen = run.seen.into_iter();
        assert!(!seen.next().unwrap().expect_open().finished);
        let parts: Vec<_> = seen.map(part).collect();
        assert_eq!(parts[0], (Octets(b"one".to_vec()), true, false, Compression::NONE));
        assert_eq!(parts[1], (Octets(vec![]), true, false, Compression::NONE));
        assert_eq!((&parts[2].0[..], parts[2].1), (&b"three"[..], true));
        let told: Vec<_> = parts.iter().map(|part| part.2).collect();
        assert_eq!(told, [false, false, true], "{content_type}");
    }
}

#[test]
fn a_stream_without_messages_is_only_an_end() {
    let mut side = streaming();
    let open = side.feed(request(GRPC, "", "")).poll().expect_open();
    assert!(open.finished);
}

#[test]
fn parts_wait_for_grants() {
    let limits = Limits::default().ahead(2);
    let body: Vec<u8> = (0..5).flat_map(|n| envelope(0, [n; 3])).collect();
    let mut side = Side::new(&http::PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
        .hosted(|host| host.deliver(Delivery::Messages));
    let open = side.feed(request(GRPC, "", body)).poll().expect_open();
    assert_eq!(part(side.poll()).0, [0; 3]);
    assert_eq!(part(side.poll()).0, [1; 3]);
    for n in 2..5 {
        assert_eq!(side.poll(), Seen::Need(1), "two are out, the rest waits here");
        side.grant(open.exchange, 3, 1);
        assert_eq!(part(side.poll()).0, [n; 3]);
    }
}

#[test]
fn a_message_longer_than_the_window_arrives_whatever_is_granted() {
    let limits = Limits::default().window(16);
    for (content_type, body) in [
        (GRPC, [envelope(0, [b'x'; 100]), envelope(0, [b'y'; 100])].concat()),
        (
            "application/grpc-web-text",
            text_of(&[envelope(0, [b'x'; 100]), envelope(0, [b'y'; 100])].concat()),
        ),
    ] {
        let mut side = Side::new(&http::PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
            .hosted(|host| host.deliver(Delivery::Messages));
        let open = side.feed(request(content_type, "", body)).poll().expect_open();
        assert_eq!(part(side.poll()).0, [b'x'; 100]);
        assert_eq!(side.poll(), Seen::Blocked, "the window is spent: the peer has to wait");
        assert!(side.input.len() > 50, "unread");
        side.grant(open.exchange, 100, 1);
        assert_eq!(part(side.poll()).0, [b'y'; 100]);
    }
}

#[test]
fn text_padded_at_every_byte_passes_the_window_too() {
    let limits = Limits::default().window(16);
    let body: Vec<u8> = envelope(0, [b'x'; 100]).iter().flat_map(|byte| text_of(&[*byte])).collect();
    let mut side = Side::new(&http::PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
        .hosted(|host| host.deliver(Delivery::Messages));
    side.feed(request("application/grpc-web-text", "", body)).poll().expect_open();
    assert_eq!(part(side.poll()).0, [b'x'; 100]);
}

#[test]
fn text_in_small_pieces_is_held_back_by_the_window_as_in_large_ones() {
    let limits = Limits::default().window(64).ahead(1);
    let mut side = Side::new(&http::PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
        .hosted(|host| host.deliver(Delivery::Messages));
    let body = text_of(&vec![0; 3000]); // messages of no bytes; the second is not asked for
    let head = "POST /S/M HTTP/1.1|Host: x|Content-Type: application/grpc-web-text|Content-Length: 4000||";
    side.feed(lines(head)).poll().expect_open();
    let taken = |side: &mut Side, byte: u8| {
        side.feed([byte]).events();
        side.input.is_empty()
    };
    let taken = body.into_iter().take_while(|byte| taken(&mut side, *byte)).count();
    assert!((64..=100).contains(&taken), "{taken} bytes");
}

fn text_of(bytes: &[u8]) -> Vec<u8> {
    base64::Engine::encode(&base64::engine::general_purpose::STANDARD, bytes).into_bytes()
}

#[test]
fn each_message_says_whether_it_is_compressed() {
    let body = [envelope(1, "zz"), envelope(0, "plain")].concat();
    let mut side = streaming();
    side.feed(request(GRPC, "grpc-encoding: zstd|", body)).poll().expect_open();
    assert_eq!(part(side.poll()).3, Compression::ZSTD);
    assert_eq!(part(side.poll()).3, Compression::NONE);
}

#[test]
fn the_reply_is_compressed_as_the_caller_reads_it() {
    let zipped = compression::compress(Compression::GZIP, IoBuf::from("hello")).unwrap();
    let reply = || Outcome { compression: Compression::GZIP, ..message(zipped.to_vec()) };
    for (content_type, accept, says) in [
        (GRPC, "grpc-accept-encoding: identity,deflate, GZIP|", "|grpc-encoding: gzip|"),
        ("application/connect+proto", "connect-accept-encoding: gzip|", "|connect-content-encoding: gzip|"),
    ] {
        let mut side = server();
        let open = side.feed(request(content_type, accept, envelope(0, ""))).poll().expect_open();
        side.finish(open.exchange, reply());
        let said = Said::of(&mut side);
        assert!(said.head.contains(says), "{}", said.head);
        assert!(said.body.starts_with(&envelope(1, zipped.to_vec())));

        let mut side = server();
        let open = side.feed(request(content_type, "", envelope(0, ""))).poll().expect_open();
        side.finish(open.exchange, reply());
        let said = Said::of(&mut side);
        assert!(!said.head.contains("encoding: gzip"), "{}", said.head);
        assert!(said.body.starts_with(&envelope(0, "hello")), "inflated for a caller that cannot");
    }
}

#[test]
fn heads_list_the_compressions_of_replies() {
    let mut side = server();
    let accept = "grpc-accept-encoding: br, snappy;q=0.5 ,deflate;q=0|";
    side.feed(request(GRPC, accept, envelope(0, ""))).poll().expect_open();
    let accepts = side.host.asked[0].head.accepts;
    assert_eq!(accepts, Compressions::NONE.with(Compression::SNAPPY_FRAMED));
}

#[test]
fn unknown_compression_is_12_and_lists_those_that_are_read() {
    let mut side = server();
    side.feed(request(GRPC, "grpc-encoding: br|", envelope(1, "x")));
    assert_eq!(side.poll(), Seen::Need(1));
    let head = Said::of(&mut side).head;
    assert!(head.contains("|grpc-status: 12|"), "{head}");
    assert!(head.contains("|grpc-accept-encoding: gzip, deflate, zstd, snappy|"), "{head}");
}

#[test]
fn a_stream_is_head_messages_and_trailers() {
    let mut side = server();
    let open = side.feed(request(GRPC, "grpc-accept-encoding: gzip|", envelope(0, ""))).poll().expect_open();
    let metadata: Metadata = [("x-early", "1")].into_iter().collect();
    let answer =
        Answer { compression: Compression::GZIP, metadata: Some(Box::new(metadata)), ..Answer::default() };
    side.answer(open.exchange, &answer);
    side.send_message(open.exchange, "a", false);
    let zipped = Part {
        bytes: IoBuf::from("zz"),
        end_of_message: true,
        compression: Compression::GZIP,
        ..Part::default()
    };
    side.send(open.exchange, &zipped);
    let trailers: Metadata = [("x-late", "2")].into_iter().collect();
    let last = Outcome { trailers: Some(Box::new(trailers)), ..failed(Status::not_found("b c")) };
    side.finish(open.exchange, last);
    let said = Said::of(&mut side);
    assert!(said.head.contains("|grpc-encoding: gzip|x-early: 1|"), "{}", said.head);
    assert_eq!(said.body, [envelope(0, "a"), envelope(1, "zz")].concat());
    assert_eq!(said.trailers, "grpc-status: 5|grpc-message: b c|x-late: 2||");
}

#[test]
fn fields_before_the_message_and_behind_it_keep_their_places() {
    let outcome = || Outcome {
        headers: Some(Box::new([("x-early-bin", b"\x01")].into_iter().collect())),
        trailers: Some(Box::new([("x-late", "2"), ("grpc-status", "7"), ("te", "x")].into_iter().collect())),
        ..message("m")
    };
    let mut side = server();
    let open = side.feed(request(GRPC, "", envelope(0, ""))).poll().expect_open();
    side.finish(open.exchange, outcome());
    let said = Said::of(&mut side);
    assert!(said.head.contains("|x-early-bin: AQ|"), "{}", said.head);
    assert_eq!(said.trailers, "grpc-status: 0|x-late: 2||", "a status is ours to say");

    let mut side = server();
    let open = side.feed(request(GRPC, "", envelope(0, ""))).poll().expect_open();
    side.finish(
        open.exchange,
        Outcome { status: Status::new(Code::Aborted, "x"), reply: false, ..outcome() },
    );
    let said = Said::of(&mut side);
    assert!(said.head.contains("|x-early-bin: AQ|") && !said.head.contains("grpc-status"), "{}", said.head);
    assert_eq!(said.trailers, "grpc-status: 10|grpc-message: x|x-late: 2||");
}

#[test]
fn fields_that_cannot_be_said_fail_the_call_and_not_the_connection() {
    for (name, value) in [("x", "a\nb"), ("x y", "a"), ("x", "\u{e9}"), ("", "a")] {
        let mut side = server();
        let open = side.feed(request(GRPC, "", envelope(0, ""))).poll().expect_open();
        let fields = [(name, value)].into_iter().collect();
        side.finish(open.exchange, Outcome { trailers: Some(Box::new(fields)), ..message("secret") });
        let head = Said::of(&mut side).head;
        assert!(head.contains("|grpc-status: 13|"), "{head}");
        side.feed(request(GRPC, "", envelope(0, "next"))).poll().expect_open();
    }
}

#[test]
fn refusals_of_the_dispatcher_have_the_form_of_each_dialect() {
    let refusing = || server().hosted(|host| host.refuse(brpc::status(brpc::ENOMETHOD, "no such method")));
    for (content_type, says) in [
        (GRPC, "|grpc-status: 12|grpc-message: no such method|"),
        ("application/grpc-web+proto", "|grpc-status: 12|grpc-message: no such method|"),
    ] {
        let mut side = refusing();
        side.feed(request(content_type, "", envelope(0, "")));
        assert_eq!(side.poll(), Seen::Need(1));
        let head = Said::of(&mut side).head;
        assert!(head.starts_with("HTTP/1.1 200 OK|") && head.contains(says), "{head}");
    }
    let mut side = refusing();
    side.feed(request("application/connect+proto", "", envelope(0, "")));
    assert_eq!(side.poll(), Seen::Need(1));
    let said = Said::of(&mut side);
    let end = br#"{"error":{"code":"unimplemented","message":"no such method"}}"#;
    assert_eq!(said.body, envelope(2, end));
}

#[test]
fn the_limit_is_of_each_message_and_looked_at_before_it_is_read() {
    let route = Route { method: 0, max_message: 8, delivery: Delivery::Whole, ..Route::default() };
    for (length, fits) in [(8u32, true), (9, false), (u32::MAX, false)] {
        let mut side = server().hosted(|host| host.route(route));
        let head = [&[0][..], &length.to_be_bytes()].concat();
        side.feed(lines(
            "POST /S/M HTTP/1.1|Host: x|Content-Type: application/grpc|Transfer-Encoding: chunked||",
        ));
        side.feed(lines("5|")).feed(head).feed(lines("|"));
        assert_eq!(side.poll(), if fits { Seen::Need(1) } else { Seen::Closed });
        let refused = String::from_utf8(side.written()).unwrap();
        assert_eq!(refused.contains("grpc-status: 8\r\n"), !fits, "{length}: {refused}");
        assert_eq!(refused.contains("Connection: close\r\n"), !fits, "{length}: {refused}");
        assert_eq!(side.host.withdrawn, u32::from(!fits));
    }
}

#[test]
fn a_malformed_timeout_is_refused() {
    for (field, says) in [("grpc-timeout: 1x|", true), ("grpc-timeout: 99999999H|", false)] {
        let mut side = server();
        side.feed(request(GRPC, field, envelope(0, "")));
        let seen = side.poll();
        assert_eq!(matches!(seen, Seen::Open(_)), !says, "{field}: {seen:?}");
        let text = String::from_utf8(side.written()).unwrap();
        assert_eq!(text.contains("grpc-status: 13\r\n"), says, "{text}");
    }
}

#[test]
fn wrong_credentials_end_the_call_and_not_the_connection() {
    let setup = ServerSetup { authenticate: true, ..ServerSetup::default() };
    let mut side = Side::new(&http::PROTOCOL, setup);
    side.feed(request(GRPC, "authorization: bad|", envelope(0, "")));
    assert!(matches!(side.poll(), Seen::Authenticate { .. }));
    side.authenticated(Err(Status::unauthenticated("no")));
    side.events();
    assert!(Said::of(&mut side).head.contains("|grpc-status: 16|"));
    side.feed(request(GRPC, "authorization: good|", envelope(0, "m")));
    assert!(matches!(side.poll(), Seen::Authenticate { .. }));
    side.authenticated(Ok(()));
    assert_eq!(side.poll().expect_open().body, b"m");
}

#[test]
fn pages_are_let_in_only_where_their_origin_is_named() {
    const ASKS: &str = "OPTIONS /S/M HTTP/1.1|Host: x|Origin: https://a.example|\
        Access-Control-Request-Method: POST|Access-Control-Request-Headers: content-type,x-grpc-web||";
    for (allowed, lets_in) in [
        ("", false),
        ("*", true),
        ("https://b.example https://a.example", true),
        ("https://b.example", false),
    ] {
        let allowed = allowed.split_whitespace().map(str::to_owned).collect();
        let mut extensions = Extensions::default();
        extensions.insert(Arc::new(Origins { allowed, ..Origins::default() }));
        let setup = ServerSetup { extensions: Some(&extensions), ..ServerSetup::default() };
        let mut side = Side::new(&http::PROTOCOL, setup);
        let seen = side.feed(lines(ASKS)).poll();
        let said = String::from_utf8(side.written()).unwrap().replace("\r\n", "|");
        match seen {
            Seen::Open(open) => assert_eq!((open.head.sender, lets_in), (Sender::ForeignPage, false)),
            _ => assert!(lets_in, "an ordinary request where nobody is let in"),
        }
        assert_eq!(said.contains("|access-control-allow-origin: https://a.example|"), lets_in, "{said}");
        assert_eq!(said.contains("|access-control-allow-headers: content-type,x-grpc-web|"), lets_in);

        let mut side = Side::new(&http::PROTOCOL, setup);
        let bytes = request("application/grpc-web+proto", "Origin: https://a.example|", envelope(0, ""));
        let open = side.feed(bytes).poll().expect_open();
        assert_eq!(open.head.sender == Sender::Allowed, lets_in);
        side.finish(open.exchange, message(""));
        let head = Said::of(&mut side).head;
        assert_eq!(head.contains("|access-control-allow-origin: https://a.example|"), lets_in, "{head}");
    }
}

#[test]
fn details_travel_as_base64() {
    let mut side = server();
    let open = side.feed(request(GRPC, "", envelope(0, ""))).poll().expect_open();
    let status = Status::new(Code::Aborted, "x").with_details(vec![8, 10, 18, 1, 120]);
    side.finish(open.exchange, failed(status));
    assert!(Said::of(&mut side).head.contains("|grpc-status-details-bin: CAoSAXg|"));
}

/// The head of a reply in chunks already says that the connection will be closed.
#[test]
fn a_call_that_fails_early_says_at_once_that_its_connection_ends() {
    const LONG: usize = 1 << 20;
    let route = Route { method: 0, max_message: 10, delivery: Delivery::Messages, ..Route::default() };
    for content_type in ["application/connect+proto", "application/grpc-web+proto"] {
        for framed in ["Transfer-Encoding: chunked", &format!("Content-Length: {LONG}")] {
            let head = format!("POST /a.B/C HTTP/1.1|Host: x|Content-Type: {content_type}|{framed}||");
            let chunk = if framed.starts_with('T') { "400|" } else { "" };
            let request = [lines(&head), lines(chunk), envelope(0, [0; 11])].concat();
            for split in 1..request.len() {
                let mut side = server().hosted(|host| host.route(route));
                side.feed_split(&request, &[split]);
                let reply = String::from_utf8(side.written()).unwrap();
                assert!(reply.contains("\r\nConnection: close\r\n"), "{reply}");
                assert!(side.has_ended(), "{content_type}, {framed}, split at {split}");
            }
        }
    }
}

#[test]
fn handlers_of_pieces_read_and_write_envelopes_themselves() {
    for content_type in ["application/grpc", "application/grpc-web-text", "application/connect+proto"] {
        let mut side = server().hosted(|h| h.deliver(Delivery::Pieces));
        let open = side.feed(request(content_type, "", "any bytes")).poll().expect_open();
        let (bytes, .., finished, _) = part(side.poll());
        assert_eq!((&bytes[..], finished), (&b"any bytes"[..], true), "{content_type}");
        let fields: Metadata = [("content-type", content_type)].into_iter().collect();
        side.answer(
            open.exchange,
            &Answer { status: 200, metadata: Some(Box::new(fields)), ..Answer::default() },
        );
        side.send(open.exchange, &Part { bytes: "as they are".into(), ..Part::default() });
        let trailers: Metadata = [("grpc-status", "0")].into_iter().collect();
        side.finish(open.exchange, Outcome { trailers: Some(Box::new(trailers)), ..Outcome::default() });
        let said = String::from_utf8(side.written()).unwrap();
        assert!(said.contains(&format!("Content-Type: {content_type}\r\n")), "{said}");
        assert!(said.ends_with("\r\n\r\nb\r\nas they are\r\n0\r\ngrpc-status: 0\r\n\r\n"), "{said}");
    }
}
