//! Bytes of docs/wire/grpc.md section 7 and of the documents it names.

use super::{GRPC, Said, client, envelope, failed, lines, message, only_open, reply, request, server};
use crate::http;
use polywire_call::{Code, Status};
use polywire_formats::compression;
use polywire_machine_testing::{Call, Octets, SeenTarget, at_every_split, hex};
use polywire_wire::{Compression, Outcome};
use std::time::Duration;

const HELLO: &str = "0a 0b 48 65 6c 6c 6f 20 77 6f 72 6c 64";

#[test]
fn a_grpc_request_is_head_and_envelope() {
    let mut side = client(&GRPC, "");
    let call = Call::new("helloworld.Greeter", "SayHello").body(hex("0a 05 77 6f 72 6c 64"));
    side.call(&call.timeout(Duration::from_secs(1)));
    let said = Said::of(&mut side);
    for line in ["|te: trailers|", "|grpc-timeout: 1000000u|", "|Content-Type: application/grpc|"] {
        assert!(said.head.contains(line), "{}", said.head);
    }
    assert!(said.head.starts_with("POST /helloworld.Greeter/SayHello "));
    assert_eq!(said.body, hex("00 00 00 00 07 0a 05 77 6f 72 6c 64"));
}

#[test]
fn a_grpc_call_is_answered_by_envelope_and_trailers() {
    let body = hex("00 00 00 00 07 0a 05 77 6f 72 6c 64");
    let bytes = request("application/grpc", "te: trailers|grpc-timeout: 1S|", body);
    let run = at_every_split(server, &bytes);
    let open = only_open(&run.seen);
    let target = SeenTarget::Method { service: "pkg.Service".into(), method: "Method".into() };
    assert_eq!(open.head.target, target);
    assert_eq!(open.head.timeout, Some(Duration::from_secs(1)));
    assert_eq!(open.body, hex("0a 05 77 6f 72 6c 64"));

    let mut side = server();
    let open = side.feed(&bytes).poll().expect_open();
    side.finish(open.exchange, message(hex(HELLO)));
    let said = Said::of(&mut side);
    assert_eq!(said.head, "HTTP/1.1 200 OK|Content-Type: application/grpc|Transfer-Encoding: chunked||");
    assert_eq!(said.body, hex("00 00 00 00 0d 0a 0b 48 65 6c 6c 6f 20 77 6f 72 6c 64"));
    assert_eq!(said.trailers, "grpc-status: 0||");
}

#[test]
fn a_call_that_fails_at_once_is_a_head_alone() {
    let mut side = server();
    let open = side.feed(request("application/grpc", "", envelope(0, ""))).poll().expect_open();
    side.finish(open.exchange, failed(Status::unimplemented("no such method \u{2717}")));
    assert_eq!(
        Said::of(&mut side).head,
        "HTTP/1.1 200 OK|Content-Type: application/grpc|Content-Length: 0|grpc-status: 12|\
         grpc-message: no such method %E2%9C%97||"
    );
}

#[test]
fn a_message_that_others_compressed_inflates() {
    let golden = hex(
        "01 00 00 00 1b 1f 8b 08 00 00 00 00 00 02 03 e3 62 2d cf 2f ca 49 01 00 dd f7 84 95 07 00 00 00",
    );
    let bytes = request("application/grpc", "grpc-encoding: gzip|", golden);
    let run = at_every_split(server, &bytes);
    let open = only_open(&run.seen);
    assert_eq!(open.head.compression, Compression::GZIP);
    let inflated = compression::decompress(Compression::GZIP, open.body.to_vec().into(), 7).unwrap();
    assert_eq!(inflated, *hex("0a 05 77 6f 72 6c 64").as_slice());
}

#[test]
fn a_grpc_web_reply_ends_in_an_envelope() {
    let golden = hex(
        "00 00 00 00 0d 0a 0b 48 65 6c 6c 6f 20 77 6f 72 6c 64 80 00 00 00 10 67 72 70 63 2d 73 74 61 74 75 73 3a 20 30 0d 0a",
    );
    let mut side = server();
    let open = side.feed(request("application/grpc-web+proto", "", envelope(0, "x"))).poll().expect_open();
    side.finish(open.exchange, message(hex(HELLO)));
    let said = Said::of(&mut side);
    assert!(said.head.contains("|Content-Type: application/grpc-web+proto|"), "{}", said.head);
    assert_eq!((said.body, &said.trailers[..]), (Octets(golden.clone()), "|"));

    let calling = || {
        let mut side = client(&http::GRPC_WEB, "");
        side.call(&Call::new("S", "M"));
        side
    };
    let run = at_every_split(calling, &reply("application/grpc-web+proto", "", golden, ""));
    let (_, outcome) = run.seen.into_iter().next().unwrap().expect_finish();
    assert_eq!((outcome.status, outcome.body), (Status::OK, Octets(hex(HELLO))));
}

#[test]
fn the_text_form_is_read_whole_and_in_pieces() {
    let whole = "AAAAAA0KC0hlbGxvIHdvcmxkgAAAABBncnBjLXN0YXR1czogMA0K";
    let padded = "AAAAAA0=CgtIZWxsbyB3b3JsZA==gAAAABBncnBjLXN0YXR1czogMA0K";
    for text in [whole, padded] {
        let calling = || {
            let mut side = client(&http::GRPC_WEB, "text");
            side.call(&Call::new("S", "M"));
            side
        };
        let run = at_every_split(calling, &reply("application/grpc-web-text+proto", "", text, ""));
        let (_, outcome) = run.seen.into_iter().next().unwrap().expect_finish();
        assert_eq!((outcome.status, outcome.body), (Status::OK, Octets(hex(HELLO))), "{text}");
    }
}

#[test]
fn the_text_form_is_said_in_groups_of_four() {
    let mut side = server();
    let bytes = request("application/grpc-web-text", "", "AAAAAAA=");
    let open = side.feed(bytes).poll().expect_open();
    assert_eq!(open.body, b"");
    side.finish(open.exchange, message("M"));
    let said = Said::of(&mut side);
    // By Python 3.11: base64.b64encode(b"\0\0\0\0\1M"), and the same of b"\x80\0\0\0\x10grpc-status: 0\r\n".
    assert_eq!(said.body, *b"AAAAAAFNgAAAABBncnBjLXN0YXR1czogMA0K");
}

#[test]
fn metadata_of_bytes_is_base64_both_ways() {
    let bytes = request("application/grpc", "x-bin: q6ur, AQ==|y: q6ur|", envelope(0, ""));
    let mut side = server();
    let open = side.feed(bytes).poll().expect_open();
    let of = |name: &str| -> Vec<_> {
        open.head.fields.iter().filter(|(n, _)| n == name).map(|(_, v)| v.to_vec()).collect()
    };
    assert_eq!(of("x-bin"), [hex("ab ab ab"), hex("01")]);
    assert_eq!(of("y"), [b"q6ur"]);
    let fields = [("x-bin", &hex("ab ab ab")[..]), ("z", b"text")].into_iter().collect();
    side.finish(open.exchange, Outcome { trailers: Some(Box::new(fields)), ..message("") });
    assert_eq!(Said::of(&mut side).trailers, "grpc-status: 0|x-bin: q6ur|z: text||");
}

#[test]
fn special_text_survives_as_percent_code() {
    // The interop case special_status_message, docs/wire/grpc.md section 8.
    let text = "\t\ntest with whitespace\r\nand Unicode BMP \u{263a} and non-BMP \u{1f608}\t\n";
    let sent = "%09%0Atest with whitespace%0D%0Aand Unicode BMP %E2%98%BA and non-BMP %F0%9F%98%88%09%0A";
    let mut side = server();
    let open = side.feed(request("application/grpc", "", envelope(0, ""))).poll().expect_open();
    side.finish(open.exchange, failed(Status::new(Code::Unknown, text)));
    assert!(Said::of(&mut side).head.contains(&format!("|grpc-message: {sent}|")));

    let mut side = client(&GRPC, "");
    side.call(&Call::new("S", "M"));
    let head = format!(
        "HTTP/1.1 200 OK|Content-Type: application/grpc|Content-Length: 0|grpc-status: 2|grpc-message: {sent}||"
    );
    let (_, outcome) = side.feed(lines(&head)).poll().expect_finish();
    assert_eq!((outcome.status.code(), outcome.status.message()), (Code::Unknown, text));
}
