//! Every row of the tables of codes.

use super::{GRPC, Said, client, envelope, failed, lines, message, reply, request, server};
use crate::http::{
    self,
    dialects::grpc::timeout::{self, Text},
    framing::Broken,
    status,
};
use polywire_call::{Code, Native, Origin, Status, brpc};
use polywire_machine_testing::{Call, Seen};
use polywire_wire::Role;
use std::time::Duration;

#[test]
fn every_code_goes_out_and_comes_in_as_its_number() {
    for code in Code::ALL {
        let mut side = server();
        let open = side.feed(request("application/grpc", "", envelope(0, ""))).poll().expect_open();
        let ok = code == Code::Ok;
        side.finish(open.exchange, if ok { message("m") } else { failed(Status::new(code, "why")) });
        let said = Said::of(&mut side);
        let field = format!("grpc-status: {}|", code as u8);
        assert!(said.head.contains(&field) || said.trailers.starts_with(&field), "{said:?}");

        let mut side = client(&GRPC, "");
        side.call(&Call::new("S", "M"));
        let body = if ok { envelope(0, "m") } else { vec![] };
        side.feed(reply("application/grpc", "", body, &field));
        let (_, outcome) = side.poll().expect_finish();
        assert_eq!((outcome.status.code(), outcome.reply), (code, ok));
        assert!(ok || outcome.status.origin() == Origin::Remote);
    }
}

#[test]
fn numbers_of_brpc_go_out_as_its_table_has_them() {
    for (number, status) in [
        (brpc::ENOSERVICE, 12),
        (brpc::ENOMETHOD, 12),
        (brpc::ERPCAUTH, 16),
        (brpc::EREQUEST, 3),
        (brpc::EINVAL, 3),
        (brpc::ELIMIT, 8),
        (brpc::ELOGOFF, 14),
        (brpc::EPERM, 7),
        (brpc::ERPCTIMEDOUT, 4),
        (brpc::ECANCELED, 1),
        (brpc::ETIMEDOUT, 13),
        (brpc::EINTERNAL, 13),
    ] {
        let mut side = server();
        let open = side.feed(request("application/grpc", "", envelope(0, ""))).poll().expect_open();
        side.finish(open.exchange, failed(brpc::status(number, "")));
        let head = Said::of(&mut side).head;
        assert!(head.contains(&format!("|grpc-status: {status}|")), "{number}: {head}");
    }
}

#[test]
fn an_applications_own_number_travels_beside_the_code() {
    let own = || Status::not_found("no item").with_native(Native::Brpc(4001));
    for (content_type, protocol, kind) in [
        ("application/grpc", &GRPC, ""),
        ("application/grpc-web+proto", &http::GRPC_WEB, ""),
        ("application/proto", &http::CONNECT, "connect-protocol-version: 1|"),
        ("application/connect+proto", &http::CONNECT, ""),
    ] {
        let streams = content_type.contains("connect+");
        let body = if kind.is_empty() { envelope(0, "") } else { Vec::new() };
        let mut side = server();
        let open = side.feed(request(content_type, kind, body)).poll().expect_open();
        side.finish(open.exchange, failed(own()));
        let written = side.written();
        assert!(String::from_utf8_lossy(&written).contains("x-bd-error-code"), "{content_type}: {written:?}");

        let mut side = client(protocol, "");
        let call = Call::new("S", "M");
        side.call(&if streams { call.streamed() } else { call });
        side.feed(written);
        let mut seen = side.poll();
        while matches!(seen, Seen::Answer { .. }) {
            seen = side.poll();
        }
        let outcome = seen.expect_finish().1;
        assert_eq!(outcome.status.code(), Code::NotFound, "{content_type}");
        assert_eq!(outcome.status.native(), Native::Brpc(4001), "{content_type}");
    }
}

#[test]
fn what_a_server_says_of_numbers_that_brpc_knows_is_not_believed() {
    for said in ["2004", "0", "", "x", "99999999999"] {
        let mut side = client(&GRPC, "");
        side.call(&Call::new("S", "M"));
        side.feed(reply("application/grpc", "", [], &format!("grpc-status: 5|x-bd-error-code: {said}|")));
        let status = side.poll().expect_finish().1.status;
        assert_eq!((status.native(), status.is_unprocessed()), (Native::None, false), "{said}");
    }
}

#[test]
fn statuses_of_http_in_place_of_a_reply() {
    let table = [
        (400, Code::Internal),
        (401, Code::Unauthenticated),
        (403, Code::PermissionDenied),
        (404, Code::Unimplemented),
        (429, Code::Unavailable),
        (431, Code::Unknown),
        (500, Code::Unknown),
        (502, Code::Unavailable),
        (503, Code::Unavailable),
        (504, Code::Unavailable),
        (302, Code::Unknown),
    ];
    for (status, code) in table {
        for protocol in [&GRPC, &http::GRPC_WEB] {
            let mut side = client(protocol, "");
            side.call(&Call::new("S", "M"));
            side.feed(lines(&format!("HTTP/1.1 {status} X|Content-Length: 2||no")));
            let (_, outcome) = side.poll().expect_finish();
            assert_eq!(outcome.status.code(), code, "{status} {}", protocol.name);
        }
    }
    let mut side = client(&GRPC, "");
    side.call(&Call::new("S", "M"));
    side.feed(lines("HTTP/1.1 503 X|Content-Length: 0|grpc-status: 5||"));
    assert_eq!(side.poll().expect_finish().1.status.code(), Code::NotFound, "its own word counts more");
}

#[test]
fn codes_of_rst_stream() {
    for (codes, code) in [
        (&[0x0, 0x1, 0x2, 0x3, 0x4, 0x6, 0x9, 0xa][..], Code::Internal),
        (&[0x7], Code::Unavailable),
        (&[0x8], Code::Cancelled),
        (&[0xb], Code::ResourceExhausted),
        (&[0xc], Code::PermissionDenied),
    ] {
        for &number in codes {
            let status = status::broken(Role::Client, Broken::Code(number), None);
            assert_eq!((status.code(), status.is_unprocessed()), (code, number == 7), "{number:#x}");
        }
    }
    assert!(status::broken(Role::Client, Broken::Refused, None).is_unprocessed());
}

#[test]
fn times_both_ways() {
    for (text, time) in [
        (&b"1n"[..], Duration::from_nanos(1)),
        (b"20u", Duration::from_micros(20)),
        (b"300m", Duration::from_millis(300)),
        (b"4S", Duration::from_secs(4)),
        (b"5M", Duration::from_secs(300)),
        (b"6H", Duration::from_secs(6 * 3600)),
        (b"99999999H", Duration::from_secs(99_999_999 * 3600)),
        (b"00000001S", Duration::from_secs(1)),
        (b"0m", Duration::ZERO),
    ] {
        assert_eq!(timeout::parse(text), Some(time));
    }
    for text in [&b""[..], b"S", b"1", b"1s", b"123456789S", b"-1S", b"+1S", b" 1S", b"1 S", b"1.5S"] {
        assert_eq!(timeout::parse(text), None, "{}", text.escape_ascii());
    }
    for (time, text) in [
        (Duration::ZERO, "1n"),
        (Duration::from_nanos(1), "1n"),
        (Duration::from_nanos(99_999_999), "99999999n"),
        (Duration::from_nanos(100_000_001), "100001u"),
        (Duration::from_secs(1), "1000000u"),
        (Duration::from_secs(100), "100000m"),
        (Duration::from_secs(100_000), "100000S"),
        (Duration::MAX, "99999999H"),
    ] {
        assert_eq!(std::str::from_utf8(Text::of(time).as_bytes()), Ok(text), "{time:?}");
    }
}
