//! TTHeader as specified in docs/wire/ttheader.md. The bytes of calls and replies were written by Kitex
//! 0.15.1.

use super::*;
use crate::thrift::{
    BizStatus, fields,
    ttheader::{Header, Info, Infos, read_infos},
};
use polywire_machine_testing::{Octets, SeenOutcome, pass};
use std::time::Duration;

/// `add(40, 2)` of `Calculator` with the transient value `user`, 1500 ms, seqid 1.
const CALL: &str = "
    00 00 00 98 10 00 00 00 00 00 00 01 00 1b 00 00 01 00 02 00 10 52 50 43 5f 54 52 41 4e 53 49 54 5f 75 73 65 72 00 03
    61 6e 6e 00 03 69 73 6e 00 0a 43 61 6c 63 75 6c 61 74 6f 72 10 00 08 00 09 00 03 61 64 64 00 16 00 01 31 00 01 00 06
    66 72 61 6d 65 64 00 0c 00 04 31 35 30 30 00 11 00 03 37 30 30 00 03 00 00 00 14 00 00 00 06 00 0a 43 61 6c 63 75 6c
    61 74 6f 72 00 00 00 00 1e 80 01 00 01 00 00 00 03 61 64 64 00 00 00 01 08 00 01 00 00 00 28 08 00 02 00 00 00 02 00";
const ARGS: &str = "08 00 01 00 00 00 28 08 00 02 00 00 00 02 00";
const REPLY: &str = "
    00 00 00 31 10 00 00 00 00 00 00 01 00 03 00 00 10 00 01 00 16 00 01 32 00 00 00 00 00 17 80 01 00 02 00 00 00 03 61
    64 64 00 00 00 01 08 00 00 00 00 00 2a 00";
/// `zip()`, without reply, seqid 8.
const ONEWAY_CALL: &str = "
    00 00 00 72 10 00 00 00 00 00 00 08 00 15 00 00 01 00 01 00 03 69 73 6e 00 0a 43 61 6c 63 75 6c 61 74 6f 72 10 00 08
    00 09 00 03 7a 69 70 00 16 00 01 34 00 01 00 06 66 72 61 6d 65 64 00 0c 00 04 33 30 30 30 00 11 00 03 37 30 30 00 03
    00 00 00 14 00 00 00 06 00 0a 43 61 6c 63 75 6c 61 74 6f 72 00 00 00 10 80 01 00 04 00 00 00 03 7a 69 70 00 00 00 08
    00";
/// The handler has failed, seqid 5.
const FAILED: &str = "
    00 00 00 55 10 00 00 00 00 00 00 05 00 03 00 00 10 00 01 00 16 00 01 33 00 00 00 00 00 3b 80 01 00 03 00 00 00 03 61
    64 64 00 00 00 05 0b 00 01 00 00 00 1d 62 69 7a 20 65 72 72 6f 72 3a 20 74 68 65 20 68 61 6e 64 6c 65 72 20 66 61 69
    6c 65 64 08 00 02 00 00 00 06 00";
/// A connection of many calls is about to be closed.
const CLOSING: &str = "
    00 00 00 2b 10 00 00 00 00 00 00 00 00 04 00 00 01 00 01 00 05 63 72 72 73 74 00 01 31 00 80 01 00 02 00 00 00 04 6e
    6f 6e 65 00 00 00 00 00";
/// A BizStatusError with the number 4711, "no such sum" and {"why":"it is"}, seqid 4.
const BIZ_ERROR: &str = r"
    00 00 00 76 10 00 00 00 00 00 00 04 00 16 00 00 01 00 03 00 0b 62 69 7a 2d 6d 65 73 73 61 67 65 00 0b 6e 6f 20 73 75
    63 68 20 73 75 6d 00 09 62 69 7a 2d 65 78 74 72 61 00 0f 7b 22 77 68 79 22 3a 22 69 74 20 69 73 22 7d 00 0a 62 69 7a
    2d 73 74 61 74 75 73 00 04 34 37 31 31 10 00 01 00 16 00 01 32 00 00 00 00 00 00 10 80 01 00 02 00 00 00 03 61 64 64
    00 00 00 04 00";
/// The handler has sent the value k back as `seen`, seqid 7.
const BACKWARD: &str = "
    00 00 00 4c 10 00 00 00 00 00 00 07 00 06 00 00 01 00 01 00 04 73 65 65 6e 00 01 6b 10 00 01 00 16 00 01 32 00 00 00
    00 00 26 80 01 00 02 00 00 00 08 6d 65 74 61 64 61 74 61 00 00 00 07 0b 00 00 00 00 00 0a 76 7c 70 7c 7c 7c 31 2e 35
    73 00";

const FRAMED: &str = "ttheader+framed";
const FORMS: [&str; 4] = ["ttheader", FRAMED, "ttheader+compact", "ttheader+framed+compact"];

/// The seqid of the first call of this library's client.
const FIRST: i32 = 0x2000;

/// A reply of Kitex to the first call of this library's client.
fn to_first_call(reply: &str) -> Vec<u8> {
    with_seqids(reply, [FIRST; 2])
}

/// A reply of Kitex with these seqids in header and message.
fn with_seqids(reply: &str, [header, message]: [i32; 2]) -> Vec<u8> {
    let mut reply = hex(reply);
    let at = reply.windows(3).position(|bytes| bytes == [0x80, 1, 0]).unwrap();
    let name = usize::from(reply[at + 7]);
    reply[8..12].copy_from_slice(&header.to_be_bytes());
    reply[at + 8 + name..at + 12 + name].copy_from_slice(&message.to_be_bytes());
    reply
}

fn add(name: &str) -> Call {
    Call::new("Calculator", "add").content(form(name).encoding.content()).body(hex(ARGS))
}

/// A client that has called `add`.
fn called(name: &'static str) -> impl Fn() -> Side {
    move || {
        let mut side = client(name);
        side.open(exchange(1, 0), &add(name)).unwrap();
        side.written();
        side
    }
}

/// The outcome of the first call, answered by this reply.
fn outcome(reply: &str) -> SeenOutcome {
    outcome_of(to_first_call(reply))
}

fn outcome_of(reply: Vec<u8>) -> SeenOutcome {
    let Seen::Finish { outcome, .. } = called(FRAMED)().feed(reply).poll() else {
        panic!("no end of the call")
    };
    outcome
}

/// The status with the fields that came with it.
fn whole(outcome: SeenOutcome) -> Status {
    let fields = outcome.trailers.iter().map(|(name, value)| (name, &value[..])).collect();
    outcome.status.with_trailers(fields)
}

fn field<'a>(outcome: &'a SeenOutcome, name: &str) -> Option<&'a [u8]> {
    outcome.trailers.iter().find(|(known, _)| known == name).map(|(_, value)| &value[..])
}

fn texts(fields: &[(String, Octets)]) -> Vec<(&str, String)> {
    fields.iter().map(|(name, value)| (name.as_str(), value.escape_ascii().to_string())).collect()
}

/// The infos of a frame, sorted.
fn infos(frame: &[u8]) -> Vec<Info<'_>> {
    let mut infos = Vec::new();
    let end = Header::BYTES + 4 * usize::from(u16::from_be_bytes([frame[12], frame[13]]));
    read_infos(&frame[Header::BYTES..end], |info| infos.push(info)).unwrap();
    infos.sort_by_key(|info| format!("{info:?}"));
    infos
}

/// A frame with these infos, with their head, and a call of `add`.
fn frame(flags: u8, infos: &[u8]) -> Vec<u8> {
    frame_of(flags, infos, &[&hex("80 01 00 01 00 00 00 03 61 64 64 00 00 00 01")[..], &hex(ARGS)].concat())
}

/// A frame with these texts, and a call of `add`.
fn with_texts(texts: &[(&str, &str)]) -> Vec<u8> {
    let mut infos = Infos::default();
    texts.iter().for_each(|(name, value)| infos.text([name, ""], value.as_bytes()));
    frame(0, &infos.written(0).unwrap())
}

fn frame_of(flags: u8, infos: &[u8], message: &[u8]) -> Vec<u8> {
    let length = (10 + infos.len() + message.len()) as u32;
    let size = (infos.len() / 4) as u16;
    let fixed = [&length.to_be_bytes()[..], &[0x10, 0, 0, flags, 0, 0, 0, 1], &size.to_be_bytes()].concat();
    [&fixed[..], infos, message].concat()
}

#[test]
fn a_call_of_kitex_is_opened_and_answered_as_by_kitex() {
    let mut side = server();
    let open = side.feed(hex(CALL)).poll().expect_open();
    let number = method_id("Calculator:add");
    assert_eq!(open.head.target, SeenTarget::Bound { protocol: "thrift", number });
    assert_eq!(open.head.timeout, Some(Duration::from_millis(1500)));
    assert_eq!(open.body.to_vec(), hex(ARGS));
    let expected = [
        ("user", "ann"),
        ("isn", "Calculator"),
        ("source-service", ""),
        ("destination-service", "Calculator"),
        ("destination-method", "add"),
        ("source-method", ""),
    ];
    assert_eq!(texts(&open.head.fields), expected.map(|(name, value)| (name, value.to_owned())));
    side.reply(&open, hex("08 00 00 00 00 00 2a 00"));
    assert_eq!(side.written(), hex(REPLY));

    let open =
        side.feed(hex(&CALL.replace("00 01 08 00 01 00 00", "00 05 08 00 01 00 00"))).poll().expect_open();
    side.fail(open.exchange, Status::internal("biz error: the handler failed"));
    assert_eq!(side.written(), hex(FAILED), "with the seqid of the message");
}

#[test]
fn a_call_without_reply_has_none() {
    let mut side = server();
    let open = side.feed(hex(ONEWAY_CALL)).poll().expect_open();
    side.reply(&open, [0]);
    assert!(side.written().is_empty());
    let mut side = client(FRAMED);
    let zip = Call::new("Calculator", "zip").index(ONEWAY).content(form("").encoding.content()).body([0]);
    side.open(exchange(1, 0), &zip).unwrap();
    assert!(infos(&side.written()).contains(&Info::Number(fields::KIND, b"4")));
    assert!(matches!(side.poll(), Seen::Finish { .. }));
}

#[test]
fn a_client_writes_the_infos_of_kitex() {
    let mut side = client(FRAMED);
    let call = add(FRAMED).field("user", "ann").timeout(Duration::from_millis(1500));
    side.open(exchange(1, 0), &call).unwrap();
    let written = side.written();
    let kitex = hex(CALL);
    // Kitex adds its own name and method, which are empty here, and the time limit of its connect.
    let mut expected = infos(&kitex);
    expected.retain(|info| !matches!(info, Info::Number(3 | 17 | 20, _)));
    assert_eq!(infos(&written), expected);
    let message = |frame: &[u8]| frame[frame.len() - 34..].to_vec();
    let mut expected = message(&kitex);
    expected[15..19].copy_from_slice(&[0, 0, 0x20, 0]);
    assert_eq!(message(&written), expected);
    assert_eq!(written[4..12], [0x10, 0, 0, 1, 0, 0, 0x20, 0], "replies may come in any order");
}

#[test]
fn replies_of_kitex_are_read() {
    let good = outcome(REPLY);
    assert_eq!((good.status.is_ok(), good.body.to_vec()), (true, hex("08 00 00 00 00 00 2a 00")));
    let failed = whole(outcome(FAILED));
    assert_eq!((failed.code(), failed.message()), (Code::Internal, "biz error: the handler failed"));
    assert_eq!(ExceptionType::of(&failed), Some(ExceptionType::INTERNAL_ERROR));
    let biz = whole(outcome(BIZ_ERROR));
    assert_eq!(
        (BizStatus::of(&biz), biz.message(), biz.origin()),
        (Some(BizStatus(4711)), "no such sum", Origin::Remote)
    );
    assert_eq!(biz.metadata().get_str(BizStatus::EXTRA), Some(r#"{"why":"it is"}"#));
    // volo's servers send such a failure as an exception.
    let mut of_volo = to_first_call(BIZ_ERROR);
    let kind = of_volo.len() - 13;
    assert_eq!(std::mem::replace(&mut of_volo[kind], message::EXCEPTION), message::REPLY);
    assert_eq!(whole(outcome_of(of_volo)), biz);
    // Kitex's own types: no such service, and none that is named.
    for kind in [20, 21] {
        let mut unknown = to_first_call(FAILED);
        let at = unknown.len() - 2;
        unknown[at] = kind;
        let failed = whole(outcome_of(unknown));
        assert_eq!(failed.code(), Code::Unimplemented, "{kind}");
        assert_eq!(ExceptionType::of(&failed), Some(ExceptionType(kind.into())));
    }
    assert_eq!(field(&outcome(BACKWARD), "seen"), Some(&b"k"[..]));
}

#[test]
fn a_failure_of_the_application_is_written_as_by_kitex() {
    let mut side = server();
    let open = side.feed(hex(CALL)).poll().expect_open();
    let status = BizStatus(4711).status("no such sum");
    side.fail(open.exchange, status.with_metadata(BizStatus::EXTRA, r#"{"why":"it is"}"#));
    let (written, kitex) = (side.written(), hex(BIZ_ERROR));
    assert_eq!((written.len(), infos(&written)), (kitex.len(), infos(&kitex)));
    assert_eq!(written.last_chunk::<17>().unwrap()[..12], kitex.last_chunk::<17>().unwrap()[..12]);
    assert_eq!(written.last(), Some(&0), "an empty struct");
    let mut side = server();
    let open = side.feed(call("")).poll().expect_open();
    side.fail(open.exchange, BizStatus(4711).status("no such sum"));
    assert_eq!(side.written()[7], message::EXCEPTION, "without a TTHeader");
}

#[test]
fn calls_go_through_in_every_form() {
    for name in FORMS {
        let mut client = client(name);
        let mut server = server();
        let fields =
            [("k", "v"), ("RPC_PERSIST_p", "w"), ("log-id", "7"), ("ttheader-21", "s"), ("gdpr-token", "t")];
        let call = fields.iter().fold(add(name), |call, (name, value)| call.field(name, value));
        client.open(exchange(1, 0), &call.timeout(Duration::from_nanos(1))).unwrap();
        pass(&mut client, &mut server);
        let open = server.poll().expect_open();
        assert_eq!(open.head.timeout, Some(Duration::from_millis(1)), "{name}");
        for (field, value) in fields {
            assert_eq!(open.head.field(field), Some(value.as_bytes()), "{name} {field}");
        }
        let trailers = [("seen", "k"), ("biz-status", "7"), ("RPC_BACKWARD_volo", "1")];
        let trailers = Some(Box::new(trailers.into_iter().collect()));
        let content = open.head.content;
        let reply =
            Outcome { body: IoBuf::from(&[0][..]), content, reply: true, trailers, ..Outcome::default() };
        server.finish(open.exchange, reply);
        pass(&mut server, &mut client);
        let Seen::Finish { outcome, .. } = client.poll() else { panic!("{name}: no end") };
        assert!(outcome.status.is_ok(), "{name}: an application's field is no failure");
        assert_eq!(field(&outcome, "seen"), Some(&b"k"[..]), "{name}");
        assert_eq!(field(&outcome, "volo"), Some(&b"1"[..]), "{name}");
    }
}

#[test]
fn a_status_keeps_its_code_and_its_fields() {
    for status in [
        Status::not_found("gone").with_metadata("a", "1"),
        Status::invalid_argument("bad"),
        Status::unimplemented("no such method"),
        ExceptionType(42).status("own"),
        brpc::status(brpc::ELIMIT, "busy").unprocessed(),
    ] {
        let (mut client, mut server) = (called("ttheader")(), server());
        client.open(exchange(1, 1), &add("ttheader")).unwrap();
        pass(&mut client, &mut server);
        let open = server.poll().expect_open();
        server.fail(open.exchange, status.clone());
        pass(&mut server, &mut client);
        let Seen::Finish { outcome, .. } = client.poll() else { panic!("no end") };
        let received = whole(outcome);
        assert_eq!(received.code(), status.code(), "{status}");
        assert!(received.message().ends_with(status.message()), "{received}");
        assert_eq!(received.metadata().get("a"), status.metadata().get("a"), "{status}");
        assert_eq!(received.is_retryable(), status.is_retryable(), "{status}");
    }
}

#[test]
fn an_exception_is_found_by_the_seqid_of_its_header_and_one_of_no_call_is_skipped() {
    let of_proxy = outcome_of(with_seqids(FAILED, [FIRST, 0]));
    assert_eq!(of_proxy.status.message(), "biz error: the handler failed");
    let mut side = called(FRAMED)();
    let zip = Call::new("Calculator", "zip").index(ONEWAY).content(form("").encoding.content()).body([0]);
    side.open(exchange(1, 1), &zip).unwrap();
    assert!(matches!(side.poll(), Seen::Finish { .. }), "the call without reply");
    for of_no_call in [FAILED, REPLY] {
        let seen = side.feed(with_seqids(of_no_call, [0; 2])).events();
        assert!(seen.is_empty(), "{seen:?}");
    }
    let seen = side.feed(to_first_call(REPLY)).events();
    assert!(matches!(&seen[..], [Seen::Finish { .. }]), "{seen:?}");
}

#[test]
fn a_service_that_is_unknown_does_not_matter() {
    let mut side = server();
    side.host.unbound = ["Other:add", "Other:sub"].map(method_id).to_vec();
    let mut infos = Infos::default();
    infos.text([fields::SERVICE, ""], b"Other");
    let infos = infos.written(0).unwrap();
    for (asked, name) in ["add", "sub", "add", "add"].into_iter().enumerate() {
        let open = side.feed(frame_of(0, &infos, &message(1, name, 1, &[0]))).poll().expect_open();
        let number = method_id(name);
        assert_eq!(open.head.target, SeenTarget::Bound { protocol: "thrift", number });
        assert_eq!(
            side.host.asked.len(),
            asked + 1,
            "no call is refused, or goes to the service of all others"
        );
    }
    let other = frame(0, &hex("00 00 01 00 01 00 03 69 73 6e 00 01 42 00 00 00"));
    let mut side = server();
    let open = side.feed(other).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Bound { protocol: "thrift", number: method_id("B:add") });
}

#[test]
fn a_service_of_all_methods_sees_name_and_fields() {
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(Named));
    let setup = ServerSetup { extensions: Some(&extensions), ..ServerSetup::default() };
    let mut side = Side::new(&PROTOCOL, setup);
    let open = side.feed(hex(CALL)).poll().expect_open();
    assert_eq!(open.head.field(METHOD_FIELD), Some(&b"Calculator:add"[..]));
    assert_eq!(open.head.field("user"), Some(&b"ann"[..]));
    // As a proxy sends it on.
    let (mut one, mut two) = (client(FRAMED), client(FRAMED));
    one.open(exchange(1, 0), &add(FRAMED)).unwrap();
    two.open(
        exchange(1, 0),
        &Call { service: String::new(), method: "Calculator:add".into(), ..add(FRAMED) },
    )
    .unwrap();
    assert_eq!(one.written(), two.written());
    // No field of a peer is taken for it.
    let forged = [("RPC_TRANSIT_method", "Admin:drop"), ("Method", "Admin:drop")];
    let open = side.feed(with_texts(&forged)).poll().expect_open();
    assert_eq!(texts(&open.head.fields), [(METHOD_FIELD, "add".to_owned())]);
    let open = server().feed(with_texts(&forged)).poll().expect_open();
    assert_eq!(open.head.field(METHOD_FIELD), Some(&b"Admin:drop"[..]), "a field as others");
    let nameless = frame_of(0, &[0; 4], &message(1, "", 1, &[0]));
    let seen = side.feed(nameless).poll();
    assert_eq!(seen, malformed("a message without a name after a TTHeader"));
    let mut side = Side::new(&PROTOCOL, setup);
    let open = side.feed(call("")).poll().expect_open();
    assert_eq!(open.head.field(METHOD_FIELD), Some(&b"Echo"[..]));
    assert_eq!(open.head.fields.len(), 1);
}

/// No server here has a method whose name, with the service, has more than `MAX_NAME` bytes.
#[test]
fn a_service_of_a_long_name_is_unknown() {
    for (length, name) in [(252, ["x".repeat(252), ":add".to_owned()].concat()), (253, "add".to_owned())] {
        let open = server().feed(with_texts(&[("isn", &"x".repeat(length))])).poll().expect_open();
        let number = method_id(&name);
        assert_eq!(open.head.target, SeenTarget::Bound { protocol: "thrift", number }, "{length}");
    }
}

/// As in Kitex, which reads them into a map.
#[test]
fn of_infos_with_the_same_key_the_last_one_counts() {
    let numbers = hex("00 00 10 00 04 00 0c 00 02 36 30 00 03 00 01 61 00 03 00 01 62 00 0c 00 01 35 00 00");
    let open = server().feed(frame(0, &numbers)).poll().expect_open();
    assert_eq!(open.head.timeout, Some(Duration::from_millis(5)));
    assert_eq!(texts(&open.head.fields), [("source-service", "b".to_owned())]);
    let none = hex("00 00 10 00 02 00 0c 00 02 36 30 00 0c 00 01 30");
    assert_eq!(server().feed(frame(0, &none)).poll().expect_open().head.timeout, None, "60 ms, then 0");
    let twice =
        with_texts(&[("isn", "A"), ("RPC_TRANSIT_user", "ann"), ("RPC_TRANSIT_user", "bob"), ("isn", "B")]);
    let open = server().feed(twice).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Bound { protocol: "thrift", number: method_id("B:add") });
    assert_eq!(open.head.field("user"), Some(&b"bob"[..]));
    let mut infos = Infos::default();
    ["1", "2"].iter().for_each(|value| infos.text(["seen", ""], value.as_bytes()));
    let reply = frame_of(0, &infos.written(0).unwrap(), &message(2, "add", FIRST, &[0]));
    assert_eq!(texts(&outcome_of(reply).trailers), [("seen", "2".to_owned())]);
}

#[test]
fn fields_are_held_until_their_call_is_served_and_no_longer() {
    let mut side = server();
    let call = with_texts(&[("RPC_TRANSIT_long", &"x".repeat(16_000))]);
    assert!(matches!(side.feed(&call[..call.len() - 1]).poll(), Seen::Need(_)));
    assert!(side.held() >= 16_000, "its struct is still arriving");
    side.feed(&call[call.len() - 1..]).poll().expect_open();
    assert!(matches!(side.poll(), Seen::Need(_)));
    assert_eq!(side.held(), 0);
}

#[test]
fn a_call_that_takes_long_does_not_stop_those_after_it() {
    let mut side = limited(Limits::DEFAULT.calls(2));
    let open = |seen| match seen {
        Seen::Open(open) => Some(open),
        _ => None,
    };
    let opened = |side: &mut Side| side.events().into_iter().filter_map(open).collect::<Vec<_>>();
    let mut opens = opened(side.feed(frame(1, &[0; 4]).repeat(4)));
    assert_eq!(opens.len(), 2, "so many may be under way");
    for _ in 0..2 {
        side.reply(&opens.pop().unwrap(), [0]);
        opens.extend(opened(&mut side));
        assert_eq!(opens.len(), 2, "the first is not answered yet");
    }
}

#[test]
fn a_peer_that_compares_seqids_gets_replies_in_any_order() {
    for flags in [0, 1] {
        let mut side = server();
        let opens: Vec<_> =
            side.feed(frame(flags, &[0; 4]).repeat(2)).events().into_iter().map(Seen::expect_open).collect();
        side.reply(&opens[1], [0]);
        assert_eq!(side.written().is_empty(), flags == 0);
    }
}

#[test]
fn an_end_is_announced() {
    for flags in [0, 1] {
        let mut server = server();
        let open = server.feed(frame(flags, &[0; 4])).poll().expect_open();
        server.goodbye(Goodbye::Drain);
        server.goodbye(Goodbye::Drain);
        // A client of one call at a time would take it for its reply.
        assert_eq!(server.written(), if flags == 0 { Vec::new() } else { hex(CLOSING) });
        server.reply(&open, [0]);
        assert!(infos(&server.written()).contains(&Info::Text(b"crrst", b"1")));
        assert_eq!(server.poll(), Seen::Closed);
    }
    for name in FORMS {
        let (mut client, mut server) = (called(name)(), server());
        client.open(exchange(1, 1), &add(name)).unwrap();
        pass(&mut client, &mut server);
        server.poll().expect_open();
        server.goodbye(Goodbye::Drain);
        pass(&mut server, &mut client);
        assert_eq!(client.events(), [Seen::Draining], "{name}");
    }

    let reply = |seqid: i32| {
        let mut infos = Infos::default();
        infos.text([fields::CLOSES, ""], b"1");
        let mut reply = frame(0, &infos.written(0).unwrap());
        let message = reply.len() - hex(ARGS).len() - 15;
        reply[message + 3] = message::REPLY;
        reply[message + 11..message + 15].copy_from_slice(&seqid.to_be_bytes());
        reply
    };
    for name in ["ttheader", FRAMED] {
        let mut side = called(name)();
        assert_eq!(side.feed(hex(CLOSING)).events(), [Seen::Draining], "{name}: the seqid of no call");
        assert_eq!(side.open(exchange(1, 1), &add(name)), Err(Refusal::Draining), "{name}");
        let seen = side.feed(reply(8192)).events();
        assert!(matches!(&seen[..], [Seen::Finish { .. }]), "{name}: {seen:?}");
        let seen = called(name)().feed(reply(8192)).events();
        assert!(matches!(&seen[..], [Seen::Draining, Seen::Finish { .. }]), "{name}: {seen:?}");
    }
}

#[test]
fn parsers_bear_every_split_truncation_and_noise() {
    assert_eq!(at_every_split_reacting(server, echoes, &hex(CALL).repeat(3)).seen.len(), 3);
    at_every_truncation(server, &hex(CALL));
    survives_noise(server, &[&hex(CALL), &hex(ONEWAY_CALL)], 8, 3000);
    for reply in [REPLY, FAILED, BIZ_ERROR, BACKWARD].map(to_first_call) {
        assert_eq!(at_every_split(called(FRAMED), &reply).seen.len(), 1);
        at_every_truncation(called(FRAMED), &reply);
        survives_noise(called(FRAMED), &[&reply], 9, 300);
    }
}

#[test]
fn a_header_is_recognised_by_its_fixed_part() {
    let call = hex(CALL);
    for length in 1..Header::BYTES {
        assert_eq!((PROTOCOL.sniff)(&call[..length]), Sniff::NeedMore(1), "{length}");
    }
    assert_eq!((PROTOCOL.sniff)(&call[..Header::BYTES]), Sniff::Mine);
    let excluded = |why: &str, call: Vec<u8>, decided: usize| {
        assert_eq!((PROTOCOL.sniff)(&call[..decided]), Sniff::NotMine, "{why}");
        assert_eq!((PROTOCOL.sniff)(&call), Sniff::NotMine, "{why}");
    };
    for (why, at, byte, decided) in [
        ("more than 64 MiB", 0, 5, 1),
        ("another magic", 4, 0x11, 5),
        ("another magic", 5, 1, 6),
        ("no infos", 13, 0, 14),
        ("infos of more than the frame", 13, 0x24, 14),
    ] {
        let mut call = call.clone();
        call[at] = byte;
        excluded(why, call, decided);
    }
    // In a frame of 16 MiB.
    let sized = |size: &[u8; 2]| [&hex("01 00 00 00 10 00 00 00 00 00 00 01")[..], size].concat();
    assert_eq!((PROTOCOL.sniff)(&sized(&[0x1f, 0xff])), Sniff::Mine);
    excluded("the fifth character of nshead's name", sized(b" \0"), 14);
    excluded("MongoDB's opcode 2004", sized(&[0xd4, 7]), 14);
}

/// They are recognised, so that the reason for their end is seen.
#[test]
fn streams_and_handshakes_are_refused_as_such() {
    for flags in [2, 8, 16] {
        let mut without_message = frame(flags, &[0; 4]);
        without_message.truncate(18);
        without_message[3] = 14;
        for frame in [frame(flags, &[0; 4]), without_message] {
            assert_eq!((PROTOCOL.sniff)(&frame), Sniff::Mine, "{flags}");
            let seen = server().feed(frame).poll();
            let why = "a TTHeader of a stream, a handshake or a callback, which are not supported";
            assert_eq!(seen, malformed(why), "{flags}");
        }
    }
}

fn malformed(why: &'static str) -> Seen {
    Seen::Error(WireError::Malformed(why))
}

#[test]
fn what_is_no_header_closes_the_connection() {
    let [protocol, transforms, info] =
        ["a TTHeader before another protocol", "a TTHeader with transforms", "an info of a TTHeader"];
    for (why, infos, reason) in [
        ("protobuf", "04 00 00 00", protocol),
        ("a transform", "00 01 01 00", transforms),
        ("an unknown info", "00 00 02 00", info),
        ("half a count", "00 00 01 00", info),
        ("more texts than there are", "00 00 01 ff ff 00 00 00 00 00 00 00", info),
        ("half an entry", "00 00 01 00 01 00 03 69", info),
        ("more numbers than there are", "00 00 10 00 02 00 03 00 00 00 00 00", info),
        ("a text beyond the header", "00 00 10 00 01 00 03 ff ff 00 00 00", info),
        ("a token beyond the header", "00 00 11 00 0a 61 61 61", info),
    ] {
        for first in [true, false] {
            let mut side = server();
            if !first {
                side.feed(frame(0, &[0; 4])).poll().expect_open();
            }
            let seen = side.feed(frame(0, &hex(infos))).poll();
            assert_eq!(seen, malformed(reason), "{why}");
        }
    }
    let call = &hex("80 01 00 01 00 00 00 03 61 64 64 00 00 00 01 00")[..];
    let of_protobuf = [&[0x90][..], &call[1..]].concat();
    let short = [&[0, 0, 0, call.len() as u8 + 1][..], call].concat();
    for (first, other, message, reason) in [
        (true, false, &of_protobuf[..], "no message of Thrift after a TTHeader"),
        (true, true, &short[..], "a frame in a frame of another length"),
        (true, true, &[0, 0, 0][..], "a frame that ends before its message"),
        (true, false, &call[..6], "no message of Thrift after a TTHeader"),
        (false, true, &call[..6], "a frame that ends in the head of its message"),
        (true, true, &call[..10], "a frame that ends in the head of its message"),
        (
            true,
            true,
            &hex("00 00 00 0d 00 00 00 03 61 64 64 01 00 00 00 01 00"),
            "an old message after a TTHeader",
        ),
    ] {
        for is_first in [true, false].into_iter().filter(|is_first| if *is_first { first } else { other }) {
            let mut side = server();
            if !is_first {
                side.feed(frame(0, &[0; 4])).poll().expect_open();
            }
            let seen = side.feed(frame_of(0, &[0; 4], message)).poll();
            assert_eq!(seen, malformed(reason), "{is_first} {}", message.escape_ascii());
        }
    }
    let reply = frame_of(0, &[0; 4], &hex("80 01 00 02 00 00 00 03 61 64"));
    assert_eq!(
        called(FRAMED)().feed(reply).poll(),
        malformed("a frame that ends in the head of its message")
    );
}

#[test]
fn headers_have_a_limit() {
    let limits = Limits::DEFAULT.head(64);
    let fits = frame(0, &[0; 64]);
    assert!(limited(limits).feed(fits).poll().expect_open().finished);
    let longer = frame(0, &[0; 68]);
    assert_eq!(
        limited(limits).feed(&longer[..16]).poll(),
        Seen::Error(WireError::TooLarge),
        "before it arrives"
    );
    let limits = Limits::DEFAULT.max_message(100);
    assert_eq!(limited(limits).feed(&hex(CALL)[..14]).poll(), Seen::Error(WireError::TooLarge));

    let mut side = client("ttheader");
    let long = "x".repeat(1 << 16);
    assert_eq!(side.open(exchange(1, 0), &add("ttheader").field("long", &long)), Err(Refusal::TooLarge));
    // With its header and head, the message is longer than a frame can be. All parts are the same memory.
    let part = IoBuf::copy_from_slice(&[0; 1 << 20]);
    let mut call = add("ttheader").field("field", "x".repeat(1000));
    (0..2047).for_each(|_| call.body.append(part.clone()));
    call.body.append(IoBuf::copy_from_slice(&[0; (1 << 20) - 1000]));
    let vacancies = side.vacancies();
    assert_eq!(side.open(exchange(1, 0), &call), Err(Refusal::TooLarge));
    assert!(side.written().is_empty());
    assert_eq!(side.vacancies(), vacancies, "no place is taken");
    // A reply whose fields are too long is a failure, and the connection goes on.
    let mut side = server();
    let open = side.feed(hex(CALL)).poll().expect_open();
    side.fail(open.exchange, Status::internal("").with_metadata("long", &long));
    let written = side.written();
    assert!(written.windows(6).any(|bytes| bytes == b"longer"), "{}", written.escape_ascii());
    assert!(side.feed(hex(CALL)).poll().expect_open().finished);
}
