//! The client's side: what calls write, and how replies are read.

use super::{GRPC, KINDS, Said, client, envelope, reply};
use crate::http;
use polywire_call::{Code, Origin, Status};
use polywire_machine_testing::{Call, Octets, Seen, Side, at_every_split};
use polywire_wire::{ClientSetup, Compression, Content, Limits};

/// The end of a reply in each kind: what follows the messages in the body, and the trailers.
fn end(content_type: &str, status: u8) -> (Vec<u8>, String) {
    if content_type.contains("web") {
        (envelope(0x80, format!("grpc-status: {status}\r\nx-late: 1\r\n")), String::new())
    } else if content_type.contains("connect") {
        let error = if status == 0 { "" } else { r#""error":{"code":"aborted"},"# };
        (envelope(2, format!(r#"{{{error}"metadata":{{"x-late":["1"]}}}}"#)), String::new())
    } else {
        (vec![], format!("grpc-status: {status}|x-late: 1|"))
    }
}

#[test]
fn a_unary_reply_is_one_finish_with_fields_of_both_places() {
    for (protocol, parameter, content_type) in [KINDS[0], KINDS[1]] {
        let calling = || {
            let mut side = client(protocol, parameter);
            side.call(&Call::new("S", "M"));
            side
        };
        let (last, trailers) = end(content_type, 0);
        let body = [envelope(0, "hello"), last].concat();
        let bytes = reply(
            content_type,
            "x-early-bin: AQI|date: now|server: s|grpc-encoding: identity|",
            body,
            &trailers,
        );
        let run = at_every_split(calling, &bytes);
        let (_, outcome) = run.seen.into_iter().next().unwrap().expect_finish();
        assert_eq!((outcome.status, outcome.reply), (Status::OK, true), "{content_type}");
        assert_eq!(outcome.body, b"hello");
        let early =
            [("x-early-bin".to_owned(), Octets(vec![1, 2])), ("server".into(), Octets(b"s".to_vec()))];
        assert_eq!(outcome.headers, early, "{content_type}");
        assert_eq!(outcome.trailers, [("x-late".to_owned(), Octets(b"1".to_vec()))]);
    }
}

#[test]
fn a_streamed_reply_is_answer_parts_finish() {
    for (protocol, parameter, content_type) in KINDS.into_iter().filter(|(.., c)| !c.contains("text")) {
        for (status, code) in [(0, Code::Ok), (10, Code::Aborted)] {
            let calling = || {
                let mut side = client(protocol, parameter);
                side.call(&Call::new("S", "M").streamed());
                side
            };
            let (last, trailers) = end(content_type, status);
            let body = [envelope(0, "one"), envelope(0, ""), last].concat();
            let bytes = reply(content_type, "x-early: 1|", body, &trailers);
            let run = at_every_split(calling, &bytes);
            let [
                Seen::Answer { metadata, .. },
                Seen::Part { bytes: one, .. },
                Seen::Part { bytes: two, .. },
                last,
            ] = &run.seen[..]
            else {
                panic!("{content_type}: {:?}", run.seen)
            };
            assert_eq!(metadata[..], [("x-early".to_owned(), Octets(b"1".to_vec()))]);
            assert_eq!((&one[..], &two[..]), (&b"one"[..], &b""[..]));
            let (_, outcome) = last.clone().expect_finish();
            assert_eq!((outcome.status.code(), outcome.reply), (code, false));
            assert_eq!(outcome.trailers, [("x-late".to_owned(), Octets(b"1".to_vec()))]);
        }
    }
}

#[test]
fn a_head_that_is_the_whole_reply_ends_any_call() {
    for (streamed, protocol) in
        [(false, &GRPC), (true, &GRPC), (false, &http::GRPC_WEB), (true, &http::GRPC_WEB)]
    {
        let mut side = client(protocol, "");
        let call = Call::new("S", "M");
        side.call(&if streamed { call.streamed() } else { call });
        side.feed(super::lines(
            "HTTP/1.1 200 OK|Content-Type: application/grpc|Content-Length: 0|grpc-status: 7|grpc-message: no|x: 1||",
        ));
        let (_, outcome) = side.poll().expect_finish();
        let status = outcome.status;
        assert_eq!(
            (status.code(), status.message(), status.origin()),
            (Code::PermissionDenied, "no", Origin::Remote)
        );
        assert_eq!(outcome.trailers, [("x".to_owned(), Octets(b"1".to_vec()))]);
    }
}

#[test]
fn a_status_in_the_head_is_ignored_beside_messages() {
    for (trailers, code) in [("", Code::Unknown), ("grpc-status: 0|", Code::Ok)] {
        for streamed in [false, true] {
            let mut side = client(&GRPC, "");
            let call = Call::new("S", "M");
            side.call(&if streamed { call.streamed() } else { call });
            side.feed(reply("application/grpc", "grpc-status: 9|", envelope(0, "hello"), trailers));
            let last = side.events().pop().unwrap();
            assert_eq!(last.expect_finish().1.status.code(), code, "{trailers:?} {streamed}");
        }
    }
}

#[test]
fn a_reply_in_another_codec_is_not_read() {
    for (protocol, parameter, content_type) in KINDS {
        let other = content_type.strip_suffix("+proto").unwrap_or(content_type).to_owned() + "+json";
        for (said, code) in [(&*other, Code::Internal), ("image/jpeg", Code::Unknown)] {
            let mut side = client(protocol, parameter);
            side.call(&Call::new("S", "M").streamed());
            side.feed(reply(said, "", envelope(0, "{}"), ""));
            assert_eq!(side.poll().expect_finish().1.status.code(), code, "{said}");
        }
    }
}

#[test]
fn messages_of_an_upload_go_in_envelopes() {
    for (protocol, parameter, content_type) in KINDS.into_iter().filter(|(.., c)| !c.contains("text")) {
        let mut side = client(protocol, parameter);
        let exchange = side.call(&Call::new("S", "M").parts_follow());
        side.send_message(exchange, "one", false);
        side.send_message(exchange, "", false);
        side.send_message(exchange, "three", true);
        let said = Said::of(&mut side);
        assert!(said.head.contains(&format!("|Content-Type: {content_type}|")), "{}", said.head);
        assert_eq!(said.body, [envelope(0, "one"), envelope(0, ""), envelope(0, "three")].concat());
    }
}

#[test]
fn an_upload_may_end_without_another_message() {
    let mut side = client(&GRPC, "");
    let exchange = side.call(&Call::new("S", "M").parts_follow());
    side.send(exchange, &polywire_wire::Part { finished: true, ..Default::default() });
    assert_eq!(Said::of(&mut side).body, b"");
}

#[test]
fn compression_and_codec_are_said_in_the_head() {
    let mut side = client(&GRPC, "");
    let call = Call::new("S", "M").body("zz").compression(Compression::ZSTD).content(Content::PROTO_JSON);
    side.call(&call);
    let said = Said::of(&mut side);
    for line in [
        "|Content-Type: application/grpc+json|",
        "|grpc-encoding: zstd|",
        "|grpc-accept-encoding: gzip, deflate, ",
    ] {
        assert!(said.head.contains(line), "{}", said.head);
    }
    assert_eq!(said.body, envelope(1, "zz"));
}

#[test]
fn metadata_is_encoded_and_what_is_ours_left_out() {
    let mut side = client(&GRPC, "");
    let call = Call::new("S", "M").field("x-bin", [0xab, 0xab, 0xab]).field("Plain", "1");
    side.call(&call.field("grpc-timeout", "9S").field("te", "gzip").field("user-agent", "me"));
    let head = Said::of(&mut side).head;
    assert!(head.contains("|x-bin: q6ur|Plain: 1|user-agent: me||"), "{head}");
    assert!(!head.contains("9S") && !head.contains("gzip|x"), "{head}");
}

#[test]
fn a_reply_longer_than_allowed_is_not_read() {
    let limits = Limits::default().max_message(8);
    for (length, code) in [(8, Code::Ok), (9, Code::ResourceExhausted)] {
        let setup = ClientSetup { limits, authority: "test", ..ClientSetup::default() };
        let mut side = Side::new(&GRPC, setup);
        side.call(&Call::new("S", "M"));
        side.feed(reply("application/grpc", "", envelope(0, vec![b'x'; length]), "grpc-status: 0|"));
        assert_eq!(side.poll().expect_finish().1.status.code(), code);
    }
    let mut side = client(&GRPC, "").hosted(|host| host.limit_replies(8));
    side.call(&Call::new("S", "M"));
    side.feed(reply("application/grpc", "", envelope(0, vec![b'x'; 9]), "grpc-status: 0|"));
    assert_eq!(side.poll().expect_finish().1.status.code(), Code::ResourceExhausted);
}

#[test]
fn what_cannot_be_said_ends_the_call_here() {
    for call in [
        Call::new("S", "M").field("x", "a\nb"),
        Call::new("S", "M").field("x y", "a"),
        Call::new("S", "M").compression(Compression::SNAPPY),
        Call::new("S", "M\r\n"),
        Call::new("S", "M").attachment("a"),
    ] {
        let mut side = client(&GRPC, "");
        side.call(&call);
        assert_eq!(side.poll().expect_finish().1.status.code(), Code::InvalidArgument);
        assert_eq!(side.written(), b"");
    }
}
