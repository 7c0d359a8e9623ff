//! Malformed messages: each fails its call in the form of its protocol.

use super::{GRPC, Said, client, envelope, lines, reply, request, server, streaming};
use crate::http;
use polywire_call::Code;
use polywire_machine_testing::{Call, Seen, Side};
use polywire_wire::Wake;

const PROTO: &str = "application/grpc";

/// What a server replies to a unary request with this body.
#[track_caller]
fn refused(content_type: &str, more: &str, body: impl AsRef<[u8]>) -> Said {
    let mut side = server();
    side.feed(request(content_type, more, body));
    let seen = side.events();
    assert_eq!(seen, [], "refused before it was opened");
    assert_eq!(side.host.withdrawn, 1);
    Said::of(&mut side)
}

#[test]
fn bodies_that_are_not_one_message_fail_unary_calls() {
    let two = [envelope(0, "a"), envelope(0, "b")].concat();
    for (body, status) in [
        (vec![], "12"),
        (two, "12"),
        (envelope(2, ""), "13"),
        (envelope(0x80, ""), "13"),
        (envelope(0xff, ""), "13"),
        (envelope(1, "no compression was named"), "13"),
        (envelope(0, "abc")[..7].to_vec(), "13"),
        (envelope(0, "abc")[..4].to_vec(), "13"),
        ([envelope(0, "abc"), vec![0]].concat(), "13"),
    ] {
        let said = refused(PROTO, "", &body);
        assert!(said.head.contains(&format!("|grpc-status: {status}|")), "{body:?}: {}", said.head);
    }
    let said = refused("application/connect+proto", "", envelope(1, "x"));
    assert!(said.body[5..].starts_with(br#"{"error":{"code":"internal""#), "{:?}", said.body);
    let said = refused("application/grpc-web-text", "", "AAA*");
    assert!(said.head.contains("|grpc-status: 13|"), "{}", said.head);
    let said = refused("application/grpc-web-text", "", "AAAAAAFNAA");
    assert!(said.head.contains("|grpc-status: 13|"), "half a group: {}", said.head);
}

#[test]
fn a_bad_message_in_a_stream_ends_it_for_both_sides() {
    let mut side = streaming();
    let open =
        side.feed(request(PROTO, "", [envelope(0, "a"), envelope(4, "b")].concat())).poll().expect_open();
    assert!(matches!(side.poll(), Seen::Part { .. }));
    match side.poll() {
        Seen::Reset { exchange, why } => {
            assert_eq!((exchange, why.code()), (open.exchange, Code::Cancelled));
        }
        other => panic!("{other:?}"),
    }
    assert!(Said::of(&mut side).head.contains("|grpc-status: 13|"));
}

#[test]
fn a_stream_cut_inside_a_message_is_short() {
    let mut side = streaming();
    side.feed(request(PROTO, "", &envelope(0, "abc")[..7])).poll().expect_open();
    assert!(matches!(side.poll(), Seen::Reset { .. }));
    assert!(Said::of(&mut side).head.contains("|grpc-status: 13|"));
}

/// How a unary call ends for its caller.
#[track_caller]
fn ended(mut side: Side, bytes: impl AsRef<[u8]>) -> (Code, String) {
    side.call(&Call::new("S", "M"));
    side.feed(bytes);
    let (_, outcome) = side.poll().expect_finish();
    (outcome.status.code(), outcome.status.message().to_owned())
}

#[test]
fn malformed_replies_fail_the_call() {
    let grpc = |body: Vec<u8>, trailers: &str| ended(client(&GRPC, ""), reply(PROTO, "", body, trailers)).0;
    assert_eq!(grpc(envelope(0, "m"), ""), Code::Unknown, "no status");
    assert_eq!(grpc(envelope(0, "m"), "grpc-status: x|"), Code::Unknown, "bad grpc-status text");
    assert_eq!(grpc(envelope(0, "m"), "grpc-status: 17|"), Code::Unknown);
    assert_eq!(grpc(vec![], "grpc-status: 0|"), Code::Unimplemented, "no message");
    assert_eq!(grpc([envelope(0, "m"), envelope(0, "n")].concat(), "grpc-status: 0|"), Code::Unimplemented);
    assert_eq!(grpc(envelope(0, "m")[..5].to_vec(), "grpc-status: 0|"), Code::Internal, "cut");
    assert_eq!(grpc(envelope(8, "m"), "grpc-status: 0|"), Code::Internal, "flags");
    assert_eq!(grpc(envelope(1, "m"), "grpc-status: 0|"), Code::Internal, "not announced");
    let unknown = reply(PROTO, "grpc-encoding: br|", envelope(1, "m"), "grpc-status: 0|");
    assert_eq!(ended(client(&GRPC, ""), unknown).0, Code::Internal);
    let other = reply("text/html", "", "<p>", "");
    assert_eq!(ended(client(&GRPC, ""), other).0, Code::Unknown);
}

#[test]
fn a_message_before_a_failure_is_dropped_as_brpc_sends_it() {
    let bytes = reply(PROTO, "", envelope(0, ""), "grpc-status: 5|grpc-message: no%20user|");
    assert_eq!(ended(client(&GRPC, ""), bytes), (Code::NotFound, "no user".into()));
}

#[test]
fn broken_escapes_in_a_message_stay_as_they_are() {
    for (sent, read) in [("50%", "50%"), ("%zz%4", "%zz%4"), ("%e2%98%ba", "\u{263a}"), ("%ff", "\u{fffd}")] {
        let bytes = reply(PROTO, "", "", &format!("grpc-status: 2|grpc-message: {sent}|"));
        assert_eq!(ended(client(&GRPC, ""), bytes).1, read, "{sent}");
    }
}

#[test]
fn bodies_without_their_last_envelope_fail() {
    let web = reply("application/grpc-web+proto", "", envelope(0, "m"), "");
    assert_eq!(ended(client(&http::GRPC_WEB, ""), web).0, Code::Unknown);
    let mut side = client(&http::CONNECT, "");
    side.call(&Call::new("S", "M").streamed());
    side.feed(reply("application/connect+proto", "", envelope(0, "m"), ""));
    let seen = side.events();
    let last = seen.into_iter().last().unwrap().expect_finish().1;
    assert_eq!(last.status.code(), Code::Internal);
}

#[test]
fn a_connection_that_breaks_inside_a_reply_is_no_end() {
    let mut side = client(&GRPC, "");
    side.call(&Call::new("S", "M").streamed());
    let bytes = reply(PROTO, "", envelope(0, "m"), "grpc-status: 0|");
    side.feed(&bytes[..bytes.len() - 4]);
    side.events();
    side.resume(Wake::Eof).unwrap();
    assert!(side.events().iter().any(|seen| matches!(seen, Seen::Reset { .. })));
    let mut side = client(&GRPC, "");
    side.feed(lines("HTTP/1.1 200 OK||"));
    assert!(matches!(side.poll(), Seen::Error(_)), "bytes that answer no call");
}
