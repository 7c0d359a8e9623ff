//! Thrift as specified in docs/wire/thrift.md. The bytes of calls and exceptions were written by Apache's
//! library for Python (0.25.0).

mod caught;
mod ttheader;

use super::*;
use polywire_base::IoBuf;
use polywire_call::{Code, Origin, Status, brpc};
use polywire_formats::thrift::Encoding;
use polywire_machine_testing::{
    Call, Seen, SeenTarget, Side, at_every_split, at_every_split_reacting, at_every_truncation, hex,
    survives_noise,
};
use polywire_wire::{
    ClientSetup, Exchange, Extensions, Goodbye, Limits, Outcome, Refusal, Route, ServerSetup, Sniff,
    WireError,
};
use std::sync::Arc;

const ECHO_ARGS: &str = "0c 00 01 0b 00 01 00 00 00 05 68 65 6c 6c 6f 00 00";
const ECHO_ARGS_COMPACT: &str = "1c 18 05 68 65 6c 6c 6f 00 00";

/// A call of `Echo` with the seqid 7 in each form.
const CALLS: [(&str, &str); 6] = [
    ("unframed", "80 01 00 01 00 00 00 04 45 63 68 6f 00 00 00 07"),
    ("unframed+old", "00 00 00 04 45 63 68 6f 01 00 00 00 07"),
    ("unframed+compact", "82 21 07 04 45 63 68 6f"),
    ("", "00 00 00 21 80 01 00 01 00 00 00 04 45 63 68 6f 00 00 00 07"),
    ("old", "00 00 00 1e 00 00 00 04 45 63 68 6f 01 00 00 00 07"),
    ("compact", "00 00 00 12 82 21 07 04 45 63 68 6f"),
];

/// The reply to the first call of this library's client, whose seqid is 8192, with an empty struct.
const REPLIES: [(&str, &str); 6] = [
    ("unframed", "80 01 00 02 00 00 00 04 45 63 68 6f 00 00 20 00 00"),
    ("unframed+old", "00 00 00 04 45 63 68 6f 02 00 00 20 00 00"),
    ("unframed+compact", "82 41 80 40 04 45 63 68 6f 00"),
    ("", "00 00 00 11 80 01 00 02 00 00 00 04 45 63 68 6f 00 00 20 00 00"),
    ("old", "00 00 00 0e 00 00 00 04 45 63 68 6f 02 00 00 20 00 00"),
    ("compact", "00 00 00 0a 82 41 80 40 04 45 63 68 6f 00"),
];

/// "no such method", type 1, after the head of the message.
const NO_SUCH_METHOD: &str =
    "0b 00 01 00 00 00 0e 6e 6f 20 73 75 63 68 20 6d 65 74 68 6f 64 08 00 02 00 00 00 01 00";
const NO_SUCH_METHOD_COMPACT: &str = "18 0e 6e 6f 20 73 75 63 68 20 6d 65 74 68 6f 64 15 02 00";

fn form(name: &str) -> Form {
    Form::named(name).unwrap()
}

fn is_compact(name: &str) -> bool {
    form(name).encoding == Encoding::Compact
}

fn args(name: &str) -> Vec<u8> {
    hex(if is_compact(name) { ECHO_ARGS_COMPACT } else { ECHO_ARGS })
}

fn call(name: &str) -> Vec<u8> {
    let (_, head) = CALLS.iter().find(|(form, _)| *form == name).unwrap();
    [hex(head), args(name)].concat()
}

fn server() -> Side {
    Side::server(&PROTOCOL)
}

fn limited(limits: Limits) -> Side {
    Side::new(&PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
}

fn told(settings: Settings) -> Side {
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(settings));
    Side::new(&PROTOCOL, ServerSetup { extensions: Some(&extensions), ..ServerSetup::default() })
}

fn client(name: &str) -> Side {
    Side::new(&PROTOCOL, ClientSetup { parameter: name, ..ClientSetup::default() })
}

/// An exchange as a client's dispatcher makes them.
fn exchange(version: u64, slot: u32) -> Exchange {
    Exchange { token: version << 32 | u64::from(slot), slot }
}

fn echo(name: &str) -> Call {
    Call::new("", "Echo").content(form(name).encoding.content()).body(args(name))
}

/// A client that has called `Echo`.
fn called(name: &'static str) -> impl Fn() -> Side {
    move || {
        let mut side = client(name);
        side.open(exchange(1, 0), &echo(name)).unwrap();
        side.written();
        side
    }
}

/// A strict message in a frame.
fn message(kind: u8, name: &str, seqid: i32, body: &[u8]) -> Vec<u8> {
    let length = (12 + name.len() + body.len()) as u32;
    let mut bytes =
        [&length.to_be_bytes()[..], &[0x80, 1, 0, kind], &(name.len() as u32).to_be_bytes()].concat();
    bytes.extend(name.as_bytes());
    bytes.extend(seqid.to_be_bytes());
    bytes.extend(body);
    bytes
}

fn echoes(side: &mut Side, seen: &Seen) {
    if let Seen::Open(open) = seen {
        side.reply(open, &open.body);
    }
}

#[test]
fn every_form_is_opened_and_answered_alike() {
    for (name, head) in CALLS {
        let mut side = server();
        let open = side.feed(call(name)).poll().expect_open();
        let number = method_id("Echo");
        assert_eq!(open.head.target, SeenTarget::Bound { protocol: "thrift", number }, "{name}");
        assert_eq!(open.head.content, form(name).encoding.content(), "{name}");
        assert_eq!(open.body.to_vec(), args(name), "{name}");
        side.reply(&open, args(name));
        // As in the request, but of type 2.
        let mut reply = hex(head);
        let at = match (form(name).framed, is_compact(name), form(name).strict) {
            (framed, true, _) => 1 + 4 * usize::from(framed),
            (framed, _, true) => 3 + 4 * usize::from(framed),
            (framed, _, false) => 8 + 4 * usize::from(framed),
        };
        reply[at] = if is_compact(name) { 0x41 } else { 2 };
        reply.extend(args(name));
        assert_eq!(side.written(), reply, "{name}");
    }
}

#[test]
fn clients_that_multiplex_are_answered_without_the_name_of_the_service() {
    // The call is that of Apache's TestClient, the reply that of TMultiplexedProcessor.
    let call = "00 00 00 20 80 01 00 01 00 00 00 13 54 68 72 69 66 74 54 65 73 74 3a 74 65 73 74 56 6f 69 64 7f ff ff f6 00";
    let reply = "00 00 00 15 80 01 00 02 00 00 00 08 74 65 73 74 56 6f 69 64 7f ff ff f6 00";
    let mut side = server();
    for _ in 0..2 {
        let open = side.feed(hex(call)).poll().expect_open();
        let number = method_id("ThriftTest:testVoid");
        assert_eq!(open.head.target, SeenTarget::Bound { protocol: "thrift", number });
        side.reply(&open, hex("00"));
        assert_eq!(side.written(), hex(reply));
    }
}

#[test]
fn a_client_writes_what_apache_writes() {
    for (name, _) in CALLS {
        let mut side = client(name);
        side.open(exchange(1, 0), &echo(name)).unwrap();
        let mut expected = call(name);
        let at = expected.windows(4).position(|bytes| bytes == b"Echo").unwrap();
        match (is_compact(name), form(name).strict) {
            (true, _) => {
                expected.splice(at - 2..at - 1, [0x80, 0x40]);
                if form(name).framed {
                    expected[3] += 1;
                }
            }
            (_, true) => expected[at + 6] = 0x20,
            (_, false) => expected[at + 7] = 0x20,
        }
        match (is_compact(name), form(name).strict) {
            (true, _) => {}
            (_, true) => expected[at + 7] = 0,
            (_, false) => expected[at + 8] = 0,
        }
        assert_eq!(side.written(), expected, "{name}");
    }
}

#[test]
fn calls_without_reply_are_written_as_apache_does_and_end_at_once() {
    for (name, expected) in [
        ("unframed", "80 01 00 04 00 00 00 07 53 76 63 3a 7a 69 70 00 00 00 00 00"),
        ("unframed+old", "00 00 00 07 53 76 63 3a 7a 69 70 04 00 00 00 00 00"),
        ("unframed+compact", "82 81 00 07 53 76 63 3a 7a 69 70 00"),
    ] {
        let mut side = client(name);
        let content = form(name).encoding.content();
        let zip = Call::new("Svc", "zip").index(ONEWAY).content(content).body([0]);
        side.open(exchange(1, 0), &zip).unwrap();
        assert_eq!(side.written(), hex(expected), "{name}");
        let Seen::Finish { exchange: ended, outcome } = side.poll() else {
            panic!("{name}: it has not ended")
        };
        assert_eq!((ended, outcome.status, outcome.body.to_vec()), (exchange(1, 0), Status::OK, vec![0]));
        assert!(matches!(side.poll(), Seen::Need(_)), "{name}");
    }
}

#[test]
fn a_call_without_reply_has_none_even_if_it_fails_or_is_refused() {
    let mut side = server();
    let open =
        side.feed(hex("80 01 00 04 00 00 00 07 53 76 63 3a 7a 69 70 00 00 01 2c 00")).poll().expect_open();
    side.fail(open.exchange, Status::internal("no"));
    side.host.refuse_next(Status::unimplemented("no such method"));
    side.feed(hex("80 01 00 04 00 00 00 07 53 76 63 3a 7a 69 70 00 00 01 2c 00"));
    assert!(matches!(side.poll(), Seen::Need(_)));
    assert!(side.written().is_empty());
    assert!(side.feed(call("unframed")).poll().expect_open().finished, "the next call is found");
}

#[test]
fn parsers_bear_every_split_truncation_and_noise() {
    for (name, _) in CALLS {
        let call = call(name);
        assert_eq!(at_every_split_reacting(server, echoes, &call.repeat(3)).seen.len(), 3, "{name}");
        at_every_truncation(server, &call);
    }
    for (name, reply) in REPLIES {
        assert_eq!(at_every_split(called(name), &hex(reply)).seen.len(), 1, "{name}");
        at_every_truncation(called(name), &hex(reply));
        survives_noise(called(name), &[&hex(reply)], 5, 300);
    }
    let goldens = CALLS.map(|(name, _)| call(name));
    survives_noise(server, &goldens.each_ref().map(|golden| &golden[..]), 6, 3000);
}

#[test]
fn exceptions_are_those_of_apache() {
    for (name, head, body) in [
        ("unframed", "80 01 00 03 00 00 00 04 45 63 68 6f 00 00 00 07", NO_SUCH_METHOD),
        ("unframed+old", "00 00 00 04 45 63 68 6f 03 00 00 00 07", NO_SUCH_METHOD),
        ("unframed+compact", "82 61 07 04 45 63 68 6f", NO_SUCH_METHOD_COMPACT),
    ] {
        let mut side = server();
        side.host.refuse_next(Status::unimplemented("no such method"));
        side.feed(call(name)).events();
        assert_eq!(side.written(), [hex(head), hex(body)].concat(), "{name}");
        assert!(side.feed(call(name)).poll().expect_open().finished, "{name}: the next call is found");
    }
}

fn failed(bytes: Vec<u8>) -> Status {
    let Seen::Finish { outcome, .. } = called("")().feed(bytes).poll() else { panic!("no end of the call") };
    outcome.status
}

/// The exception that the server sends for a status, and the status that the client makes of the exception.
#[test]
fn a_status_becomes_an_exception_and_the_exception_a_status() {
    for (status, kind, text, code) in [
        (Status::not_found("gone"), 6, "gone", Code::Internal),
        (Status::unimplemented("no such method"), 1, "no such method", Code::Unimplemented),
        (ExceptionType(42).status("own"), 42, "own", Code::Unknown),
        (brpc::status(brpc::EREQUEST, "bad"), 7, "bad", Code::Internal),
        (brpc::status(brpc::ELIMIT, "busy"), 6, "[E2004]busy", Code::ResourceExhausted),
        (brpc::status(brpc::ELOGOFF, "stopping"), 6, "[E2003]stopping", Code::Unavailable),
    ] {
        let mut side = server();
        let open = side.feed(message(1, "Echo", 8192, &[0])).poll().expect_open();
        side.fail(open.exchange, status);
        let mut body = [&[11, 0, 1][..], &(text.len() as u32).to_be_bytes(), text.as_bytes()].concat();
        body.extend([8, 0, 2, 0, 0, 0, kind as u8, 0]);
        let written = side.written();
        assert_eq!(written, message(3, "Echo", 8192, &body), "{text}");
        let received = failed(written);
        assert_eq!((received.code(), received.message(), received.origin()), (code, text, Origin::Remote));
    }
    // docs/wire/thrift.md, "As brpc has it", example 3, with our seqid
    let mut of_brpc = hex(
        "00 00 00 3a 80 01 00 03 00 00 00 04 45 63 68 6f 00 00 00 00 0b 00 01 00 00 00 1b 5b 31 32 37 2e 30 2e 30 2e 31
         3a 39 32 30 31 5d 5b 45 32 30 30 34 5d 62 75 73 79 08 00 02 00 00 00 00 00",
    );
    of_brpc[18] = 0x20;
    assert_eq!(failed(of_brpc).code(), Code::ResourceExhausted, "[127.0.0.1:9201][E2004]busy");
}

#[test]
fn replies_wait_for_those_before_them_unless_any_order_is_right() {
    let calls = [1, 2, 3].map(|seqid| message(1, "Echo", seqid, &[0])).concat();
    let reply = |seqid| message(2, "Echo", seqid, &[0]);
    for any_order in [false, true] {
        let mut side = told(Settings { any_order });
        let opens: Vec<_> = side.feed(&calls).events().into_iter().map(Seen::expect_open).collect();
        side.reply(&opens[2], [0]);
        side.reply(&opens[2], [0]); // once only
        assert_eq!(side.written(), if any_order { reply(3) } else { Vec::new() });
        side.reply(&opens[0], [0]);
        assert_eq!(side.written(), reply(1));
        side.reset(opens[1].exchange, Status::OK);
        let written = side.written();
        assert_eq!(written[..18], message(3, "Echo", 2, &[0; 36])[..18], "given up, and answered");
        assert!(if any_order { written.len() < 80 } else { written.ends_with(&reply(3)) });
        assert_eq!(side.held(), 0);
    }
}

#[test]
fn replies_that_wait_count_as_held() {
    let mut side = server();
    let calls = [1, 2].map(|seqid| message(1, "Echo", seqid, &[0])).concat();
    let opens: Vec<_> = side.feed(calls).events().into_iter().map(Seen::expect_open).collect();
    side.reply(&opens[1], [0; 5000]);
    assert_eq!(side.held(), 5000);
}

#[test]
fn messages_and_names_beyond_the_limit() {
    let limits = Limits::DEFAULT.max_message(100);
    assert_eq!(
        limited(limits).feed([0, 0, 0, 101, 0x80, 1, 0, 1, 0, 0, 0, 1]).poll(),
        Seen::Error(WireError::TooLarge)
    );

    let long_name = [&hex("80 01 00 01 00 00 01 00")[..], &[b'x'; 256], &hex("00 00 00 01 00")].concat();
    assert!(server().feed(&long_name).poll().expect_open().finished, "256 bytes");
    let mut side = server();
    side.feed(call("unframed")).poll().expect_open();
    let longer_name = [&hex("80 01 00 01 00 00 01 01")[..], &[b'x'; 257], &hex("00 00 00 01 00")].concat();
    let Seen::Error(WireError::Malformed(why)) = side.feed(&longer_name).poll() else { panic!("257 bytes") };
    assert!(why.contains("name"), "{why}");

    // Longer than the method allows: an exception, and the connection goes on.
    for name in ["", "unframed", "unframed+compact"] {
        let mut side = server();
        side.host.route_next(Route { max_message: 9, ..Route::default() });
        let seen = side.feed([call(name), call(name)].concat()).events();
        assert_eq!(seen.len(), 1, "{name}: {seen:?}");
        assert_eq!(side.host.withdrawn, 1, "{name}");
        let written = side.written();
        let text = b"exceeds the limit of 9";
        assert!(written.windows(text.len()).any(|bytes| bytes == text), "{name}: {}", written.escape_ascii());
    }

    // Bytes of a message that is refused are not kept.
    let mut side = server();
    side.host.refuse_next(Status::unimplemented("no"));
    side.feed(hex("80 01 00 01 00 00 00 04 45 63 68 6f 00 00 00 07 0b 00 01 00 10 00 00")).events();
    for _ in 0..16 {
        side.feed([7; 1 << 16]).events();
        assert!(side.input.len() < 64, "{} bytes are kept", side.input.len());
    }
    side.feed([0]).events();
    assert!(side.feed(call("unframed")).poll().expect_open().finished, "the next call is found");
}

#[test]
fn what_is_no_message_closes_the_connection() {
    for (name, bytes) in [
        ("another version", "00 00 00 21 80 02 00 01 00 00 00 04 45 63 68 6f 00 00 00 07"),
        ("a frame that ends in its head", "00 00 00 0c 80 01 00 01 00 00 00 04 45 63 68 6f 00"),
        ("no struct", "80 01 00 01 00 00 00 04 45 63 68 6f 00 00 00 07 63"),
        ("a negative length", "80 01 00 01 00 00 00 04 45 63 68 6f 00 00 00 07 0b 00 01 ff ff ff ff"),
        ("a seqid of six bytes", "82 21 ff ff ff ff ff 01 04 45 63 68 6f"),
    ] {
        assert!(matches!(server().feed(hex(bytes)).poll(), Seen::Error(_)), "{name}");
    }
    let mut side = server();
    side.feed(message(2, "Echo", 7, &[0])).events();
    assert!(side.has_ended(), "a reply is no first message");
    let mut side = server();
    side.feed(call("")).poll().expect_open();
    side.feed(message(2, "Echo", 8, &[0])).events();
    assert!(!side.has_ended(), "it has an exception");
}

#[test]
fn replies_find_their_calls_by_seqid() {
    let mut side = client("");
    for slot in 0..3 {
        side.open(exchange(1, slot), &echo("")).unwrap();
    }
    let reply = |place: i32, uses: i32| message(2, "Echo", uses << 13 | place, &[0]);
    let ended = |side: &mut Side, bytes| match side.feed(bytes).poll() {
        Seen::Finish { exchange, .. } => exchange.slot,
        other => panic!("{other:?}"),
    };
    assert_eq!(ended(&mut side, reply(2, 1)), 2);
    assert_eq!(ended(&mut side, reply(0, 1)), 0);
    // The place of a call that was given up is used again; its late reply belongs to nobody.
    side.reset(exchange(1, 1), Status::cancelled(""));
    side.open(exchange(2, 1), &echo("")).unwrap();
    assert!(matches!(side.feed(reply(1, 1)).poll(), Seen::Need(_)), "of the one that was given up");
    assert_eq!(ended(&mut side, reply(1, 2)), 1);
    // Apache's servers answer a call without reply so if it fails.
    assert!(matches!(side.feed(message(3, "zip", 0, &[0])).poll(), Seen::Need(_)), "of no call that waits");
    assert!(matches!(side.feed(reply(1, 2)).poll(), Seen::Error(_)), "a reply to no call");
}

#[test]
fn a_call_that_is_given_up_while_its_reply_arrives_leaves_the_next_untouched() {
    for (name, reply) in REPLIES {
        let reply = hex(reply);
        for length in 0..reply.len() {
            let mut side = called(name)();
            side.feed(&reply[..length]).events();
            side.reset(exchange(1, 0), Status::cancelled(""));
            let seen = side.feed(&reply[length..]).events();
            assert_eq!(seen.len(), 0, "{name} {length}: {seen:?}");
            side.open(exchange(2, 0), &echo(name)).unwrap();
            let mut second = reply.clone();
            let seqid = if is_compact(name) { [0x80, 0x40] } else { [0x20, 0] };
            let at = second.windows(2).position(|bytes| bytes == seqid).unwrap();
            if is_compact(name) {
                second.splice(at..at + 2, [0x80, 0x80, 1]);
                if form(name).framed {
                    second[3] += 1;
                }
            } else {
                second[at] = 0x40;
            }
            assert!(matches!(side.feed(second).poll(), Seen::Finish { .. }), "{name} {length}");
        }
    }
}

#[test]
fn a_client_refuses_what_the_protocol_has_no_place_for() {
    let mut side = client("");
    let id = exchange(1, 0);
    assert_eq!(side.open(id, &echo("").streamed()), Err(Refusal::Unsupported));
    assert_eq!(side.open(id, &echo("").attachment("x")), Err(Refusal::Unsupported));
    assert_eq!(side.open(id, &echo("compact")), Err(Refusal::Unsupported), "of another encoding");
    let long = Call::new("", &"x".repeat(MAX_NAME + 1)).content(form("").encoding.content()).body([0]);
    assert_eq!(side.open(id, &long), Err(Refusal::TooLarge));
    for slot in 0..8192 {
        assert!(side.open(exchange(1, slot), &echo("")).is_ok());
    }
    assert_eq!((side.vacancies(), side.open(exchange(1, 8192), &echo(""))), (0, Err(Refusal::Full)));
}

#[test]
fn a_draining_server_answers_what_has_arrived_and_nothing_later() {
    for name in ["", "unframed+compact"] {
        let mut side = server();
        let call = call(name);
        side.feed(&call[..call.len() - 1]).events();
        side.goodbye(Goodbye::Drain);
        let open = side.feed(&call[call.len() - 1..]).poll().expect_open();
        side.feed(&call);
        assert_eq!(side.poll(), Seen::Blocked, "{name}");
        side.reply(&open, [0]);
        assert_eq!(side.poll(), Seen::Closed, "{name}");
    }
}

#[test]
fn a_reply_in_another_encoding_becomes_an_exception() {
    let mut side = server();
    let open = side.feed(call("")).poll().expect_open();
    let outcome = Outcome { reply: true, ..Outcome::default() };
    side.finish(open.exchange, outcome);
    assert_eq!(side.written()[7], 3);
}

#[test]
fn names_of_forms_have_parts() {
    assert_eq!(Form::named(""), Some(Form::default()));
    assert_eq!(Form::named("framed+binary"), Some(Form::default()));
    let compact = Form { framed: false, encoding: Encoding::Compact, ..Form::default() };
    assert_eq!(Form::named("unframed+compact"), Some(compact));
    assert_eq!(Form::named("json"), None);
    assert_eq!(Form::named("+"), None);
    let ttheader = Form { framed: false, ttheader: true, ..Form::default() };
    assert_eq!(Form::named("ttheader"), Some(ttheader));
    for framed in ["ttheader+framed", "framed+ttheader"] {
        assert_eq!(Form::named(framed), Some(Form { framed: true, ..ttheader }));
    }
    assert_eq!(Form::named("unframed+ttheader"), Some(ttheader));
    assert_eq!(Form::named("ttheader+old"), None);
}

/// The host knows an unknown method by its number, the machine by the name that a stranger chose.
#[test]
fn an_unknown_method_is_named_as_it_was_called() {
    let no_method = brpc::status(brpc::ENOMETHOD, "Fail to find method=7383964704315337153");
    for (called, shown) in [
        ("Nope", "method=Nope "),
        ("EchoService:Nope", "method=EchoService:Nope "),
        ("No\u{1b}[2J\n", "method=No\\u{1b}[2J\\n "),
        (&"x".repeat(200), &format!("method={}… ", "x".repeat(128))),
    ] {
        let refusal = no_method.clone();
        let mut side = server().hosted(|host| host.refuse(refusal));
        side.feed(message(message::CALL, called, 7, &[0])).events();
        let written = side.written();
        let said = String::from_utf8_lossy(&written);
        assert!(said.contains(shown) && !said.contains("7383964704315337153"), "{said:?}");
    }
    let mut side = server().hosted(|host| host.refuse(Status::unimplemented("not today")));
    side.feed(message(message::CALL, "Nope", 7, &[0])).events();
    assert!(
        String::from_utf8_lossy(&side.written()).contains("not today"),
        "other refusals are told as they are"
    );
}
