//! OP_MSG and the handshake by OP_QUERY. The bytes were written by PyMongo (4.20.0; OP_QUERY: 4.8.0), and the
//! documents by its `bson`; the checksum was computed as a CRC-32C bit by bit.

use super::*;
use polywire_base::IoBuf;
use polywire_call::{Status, brpc};
use polywire_formats::bson::Document;
use polywire_machine_testing::{
    Seen, SeenOpen, SeenTarget, Side, at_every_split_reacting, at_every_truncation, hex, survives_noise,
};
use polywire_wire::{Exchange, Goodbye, Limits, Outcome, Refusal, Route, ServerSetup, Sniff, WireError};
use std::time::Duration;

/// `{ping: 1, $db: "admin"}`
const PING: &str =
    "33 00 00 00 67 45 8b 6b 00 00 00 00 dd 07 00 00 00 00 00 00 00 1e 00 00 00 10 70 69 6e 67 00 01 00 00 00
    02 24 64 62 00 06 00 00 00 61 64 6d 69 6e 00 00";

/// The same message with the id 7 and a checksum.
const SUMMED: &str =
    "37 00 00 00 07 00 00 00 00 00 00 00 dd 07 00 00 01 00 00 00 00 1e 00 00 00 10 70 69 6e 67 00 01 00 00 00
    02 24 64 62 00 06 00 00 00 61 64 6d 69 6e 00 00 0b 1b b5 0f";

/// `{ping: 1, maxTimeMS: 1500, $db: "admin"}`
const TIMED: &str =
    "42 00 00 00 07 00 00 00 00 00 00 00 dd 07 00 00 00 00 00 00 00 2d 00 00 00 10 70 69 6e 67 00 01 00 00 00
    10 6d 61 78 54 69 6d 65 4d 53 00 dc 05 00 00 02 24 64 62 00 06 00 00 00 61 64 6d 69 6e 00 00";

/// `{insert: "c", ordered: true, $db: "db"}`, and beside it two documents.
const INSERT: &str = "69 00 00 00 69 98 3c 64 00 00 00 00 dd 07 00 00 00 00 00 00 00 29 00 00 00 02 69 6e 73 65 72 74 00 02 00
    00 00 63 00 08 6f 72 64 65 72 65 64 00 01 02 24 64 62 00 03 00 00 00 64 62 00 00 01 2a 00 00 00 64 6f 63 75 6d 65 6e
    74 73 00 0e 00 00 00 10 5f 69 64 00 01 00 00 00 00 0e 00 00 00 10 5f 69 64 00 02 00 00 00 00";

/// An insert that is not acknowledged.
const UNANSWERED: &str = "5f 00 00 00 c6 23 7b 32 00 00 00 00 dd 07 00 00 02 00 00 00 00 1f 00 00 00 02 69 6e 73 65 72 74 00 02
    00 00 00 63 00 02 24 64 62 00 03 00 00 00 64 62 00 00 01 2a 00 00 00 64 6f 63 75 6d 65 6e 74 73 00 0e 00 00 00 10 5f
    69 64 00 01 00 00 00 00 0e 00 00 00 10 5f 69 64 00 02 00 00 00 00";

/// OP_QUERY: `{ismaster: 1, helloOk: true}` for `admin.$cmd`.
const QUERY: &str = "44 00 00 00 67 45 8b 6b 00 00 00 00 d4 07 00 00 04 00 00 00 61 64 6d 69 6e 2e 24 63 6d 64 00 00 00 00 00 ff
    ff ff ff 1d 00 00 00 10 69 73 6d 61 73 74 65 72 00 01 00 00 00 08 68 65 6c 6c 6f 4f 6b 00 01 00";

/// OP_QUERY: `{ping: 1}` for `db.$cmd`.
const QUERY_PING: &str =
    "33 00 00 00 c6 23 7b 32 00 00 00 00 d4 07 00 00 04 00 00 00 64 62 2e 24 63 6d 64 00 00 00 00 00 ff ff
    ff ff 0f 00 00 00 10 70 69 6e 67 00 01 00 00 00 00";

/// `{ok: 1.0}`
const OK: &str = "11 00 00 00 01 6f 6b 00 00 00 00 00 00 00 f0 3f 00";

/// `{ok: 0.0, errmsg: "no", code: 59, codeName: "CommandNotFound"}`
const NOT_FOUND: &str = "48 00 00 00 01 6f 6b 00 00 00 00 00 00 00 00 00 02 65 72 72 6d 73 67 00 03 00 00 00 6e 6f 00 10 63 6f
    64 65 00 3b 00 00 00 02 63 6f 64 65 4e 61 6d 65 00 10 00 00 00 43 6f 6d 6d 61 6e 64 4e 6f 74 46 6f 75 6e 64 00 00";

fn server() -> Side {
    Side::server(&PROTOCOL)
}

fn limited(limits: Limits) -> Side {
    Side::new(&PROTOCOL, ServerSetup { limits, ..ServerSetup::default() })
}

/// An OP_MSG with the id 7 of these flags and sections.
fn message(flags: u32, sections: &[u8]) -> Vec<u8> {
    let numbers = [20 + sections.len() as u32, 7, 0, 2013, flags];
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend_from_slice(sections);
    bytes
}

/// A section of kind 0.
fn body(document: &Document) -> Vec<u8> {
    [&[0], document.as_bytes()].concat()
}

/// A section of kind 1.
fn sequence(name: &str, documents: &[u8]) -> Vec<u8> {
    let size = (4 + name.len() + 1 + documents.len()) as u32;
    [&[1], &size.to_le_bytes()[..], name.as_bytes(), &[0], documents].concat()
}

fn command(name: &str) -> Document {
    Document::builder().put(name, 1).put("$db", "db").build()
}

/// The document of each reply that was written, with its `responseTo`.
fn replies(side: &mut Side) -> Vec<(u32, Document)> {
    let written = side.written();
    let mut rest = &written[..];
    let mut replies = Vec::new();
    while !rest.is_empty() {
        let number = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
        let (length, own) = (number(0) as usize, if number(12) == 1 { 36 } else { 21 });
        let document = bytes::Bytes::copy_from_slice(&rest[own..length]);
        replies.push((number(8), Document::from_bytes(document).unwrap()));
        rest = &rest[length..];
    }
    replies
}

/// Number and text of the only reply, which is a failure.
fn failure(side: &mut Side) -> (i64, String) {
    let replies = replies(side);
    let [(_, document)] = &replies[..] else { panic!("{replies:?}") };
    assert_eq!(document.get("ok").and_then(|ok| ok.as_f64()), Some(0.0), "{document:?}");
    let number = document.get("code").and_then(|code| code.as_i64()).unwrap();
    assert!(document.get("codeName").is_some());
    (number, document.get("errmsg").and_then(|text| text.as_str()).unwrap().to_owned())
}

fn open(side: &mut Side, bytes: impl AsRef<[u8]>) -> SeenOpen {
    side.feed(bytes).poll().expect_open()
}

fn answers(side: &mut Side, seen: &Seen) {
    if let Seen::Open(open) = seen {
        side.reply(open, hex(OK));
    }
}

#[test]
fn a_command_is_opened_by_its_name_and_answered_to_its_id() {
    let mut side = server();
    let ping = open(&mut side, hex(PING));
    assert_eq!(ping.head.target, SeenTarget::Command(b"ping"[..].into()));
    assert_eq!((ping.head.content, ping.head.timeout), (Content::BSON, None));
    assert_eq!(ping.head.field(DATABASE_FIELD), Some(&b"admin"[..]));
    assert_eq!(ping.body.to_vec(), hex(PING)[20..]);
    side.reply(&ping, hex(OK));
    let reply = [hex("26 00 00 00 01 00 00 00 67 45 8b 6b dd 07 00 00 00 00 00 00 00"), hex(OK)].concat();
    assert_eq!(side.written(), reply);

    let open = open(&mut side, hex(INSERT));
    assert_eq!(open.head.target, SeenTarget::Command(b"insert"[..].into()));
    assert_eq!(open.head.field(DATABASE_FIELD), Some(&b"db"[..]));
    let sections: Vec<_> = Sections::new(&open.body).map(Result::unwrap).collect();
    let [Section::Body(_), documents @ Section::Sequence { name: "documents", .. }] = sections[..] else {
        panic!("{sections:?}")
    };
    let ids: Vec<_> = documents.documents().map(|document| document.get("_id").unwrap().as_i64()).collect();
    assert_eq!(ids, [Some(1), Some(2)]);
    side.reply(&open, hex(OK));
    assert_eq!(side.written()[4..12], hex("02 00 00 00 69 98 3c 64"));
}

#[test]
fn a_handshake_by_op_query_has_an_op_reply() {
    let mut side = server();
    let open = open(&mut side, hex(QUERY));
    assert_eq!(open.head.target, SeenTarget::Command(b"ismaster"[..].into()));
    assert_eq!(open.head.field(DATABASE_FIELD), Some(&b"admin"[..]));
    assert_eq!(open.body.to_vec(), [&[0], &hex(QUERY)[39..]].concat());
    side.reply(&open, hex(OK));
    // docs/wire/mongo.md, example 2: the head, flags AwaitCapable, no cursor, one document
    let head = "35 00 00 00 01 00 00 00 67 45 8b 6b 01 00 00 00 08 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00";
    assert_eq!(side.written(), [hex(head), hex(OK)].concat());

    assert_eq!(side.feed(hex(QUERY_PING)).events(), []);
    assert_eq!(failure(&mut side).0, 352, "OP_QUERY has handshakes only");
    let mut to_a_collection = hex(QUERY);
    to_a_collection[26] = b'x'; // "admin.xcmd"
    assert_eq!(side.feed(to_a_collection).events(), []);
    assert_eq!(failure(&mut side).0, 352, "and these only for $cmd");
}

#[test]
fn a_command_that_is_not_acknowledged_has_no_reply_whatever_becomes_of_it() {
    let mut side = server();
    let first = open(&mut side, hex(UNANSWERED));
    side.reply(&first, hex(OK));
    let second = open(&mut side, hex(UNANSWERED));
    side.fail(second.exchange, Status::internal("no"));
    side.host.refuse_next(Status::unimplemented("no"));
    assert_eq!(side.feed(hex(UNANSWERED)).events(), []);
    assert_eq!(side.written(), b"");
    let ping = open(&mut side, hex(PING));
    side.reply(&ping, hex(OK));
    assert_eq!(replies(&mut side).len(), 1, "the next command has one");
}

#[test]
fn commands_come_one_after_the_other() {
    let mut side = server();
    let first = open(&mut side, [hex(PING), hex(TIMED), hex(PING)].concat());
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&first, hex(OK));
    let second = side.poll().expect_open();
    assert_eq!(second.head.timeout, Some(Duration::from_millis(1500)));
    side.reply(&first, hex(OK)); // it has ended
    assert_eq!(side.poll(), Seen::Blocked);
    side.reset(second.exchange, Status::cancelled("too late"));
    let third = side.poll().expect_open();
    assert_eq!(third.head.timeout, None);
    side.reply(&third, hex(OK));
    let replies = replies(&mut side);
    assert_eq!(replies.iter().map(|(to, _)| *to).collect::<Vec<_>>(), [0x6b8b_4567, 7, 0x6b8b_4567]);
    assert_eq!(replies[1].1.get("code").and_then(|code| code.as_i64()), Some(11601));
}

#[test]
fn messages_are_found_at_every_split_and_none_is_completed_by_a_truncation() {
    let all = [hex(QUERY), hex(PING), hex(SUMMED), hex(INSERT)].concat();
    let run = at_every_split_reacting(server, answers, &all);
    assert_eq!(run.seen.iter().filter(|seen| matches!(seen, Seen::Open(_))).count(), 4);
    for golden in [QUERY, PING, SUMMED, TIMED, INSERT, UNANSWERED] {
        at_every_truncation(server, &hex(golden));
    }
}

#[test]
fn altered_messages_do_no_harm() {
    let goldens = [QUERY, PING, SUMMED, TIMED, INSERT, UNANSWERED, QUERY_PING].map(hex);
    let goldens: Vec<&[u8]> = goldens.iter().map(|golden| &golden[..]).collect();
    survives_noise(server, &goldens, 16, 3000);
    for golden in goldens {
        for at in 0..golden.len() {
            for bit in 0..8 {
                let mut altered = golden.to_vec();
                altered[at] ^= 1 << bit;
                server().feed(&altered).events_reacting(&mut answers);
            }
        }
    }
}

#[test]
fn a_checksum_is_that_of_its_message() {
    let summed = hex(SUMMED);
    let open = open(&mut server(), &summed);
    assert_eq!(open.body.to_vec(), hex(PING)[20..], "without it");
    for at in 16..summed.len() {
        let mut altered = summed.clone();
        altered[at] ^= 0x10;
        let error = server().feed(&altered).poll().expect_error();
        assert!(matches!(error, WireError::Malformed(_)), "{at}: {error:?}");
    }
    let short = message(1, &[1, 2, 3]);
    assert!(matches!(server().feed(short).poll(), Seen::Error(_)), "no room for one");
}

#[test]
fn flags_that_have_to_be_known_close_and_others_are_passed_over() {
    for bit in 2..16 {
        let error = server().feed(message(1 << bit, &body(&command("ping")))).poll().expect_error();
        assert!(matches!(error, WireError::Malformed(_)), "{bit}");
    }
    for bit in 16..32 {
        open(&mut server(), message(1 << bit, &body(&command("ping"))));
    }
}

#[test]
fn what_is_no_message_closes_the_connection() {
    let ping = body(&command("ping"));
    let document = Document::default();
    let two: Vec<u8> = [document.as_bytes(), document.as_bytes()].concat();
    for (what, sections) in [
        ("no sections", vec![]),
        ("two commands", [&ping[..], &ping].concat()),
        ("documents without a command", sequence("documents", &two)),
        ("a kind that there is not", [&ping[..], &[2]].concat()),
        ("half a document", ping[..ping.len() - 3].to_vec()),
        ("bytes after the last section", [&ping[..], &[0]].concat()),
        ("a sequence longer than the message", [&ping[..], &[1], &100u32.to_le_bytes(), b"a\0"].concat()),
        ("a sequence shorter than its size", [&ping[..], &[1], &3u32.to_le_bytes(), b"a\0"].concat()),
        ("a sequence without a name", [&ping[..], &[1], &5u32.to_le_bytes(), b"a"].concat()),
        ("a name that is not UTF-8", [&ping[..], &[1], &6u32.to_le_bytes(), b"\xff\0"].concat()),
        ("a sequence of what is no document", [&ping[..], &sequence("a", b"\x05\0\0\0\x01")].concat()),
        ("too many sections", [&ping[..], &sequence("a", b"").repeat(MAX_SECTIONS)].concat()),
    ] {
        let error = server().feed(message(0, &sections)).poll().expect_error();
        assert!(matches!(error, WireError::Malformed(_)), "{what}: {error:?}");
    }
    let most = [&ping[..], &sequence("a", b"").repeat(MAX_SECTIONS - 1)].concat();
    open(&mut server(), message(0, &most));

    for op_code in [0u32, 1, 1000, 2001, 2002, 2005, 2006, 2007, 2012] {
        let mut other = hex(PING);
        other[12..16].copy_from_slice(&op_code.to_le_bytes());
        let error = server().feed(&other[..16]).poll().expect_error();
        assert!(matches!(error, WireError::Malformed(_)), "{op_code}");
    }
    for length in [0u32, 15, 0x8000_0000] {
        let mut other = hex(PING);
        other[..4].copy_from_slice(&length.to_le_bytes());
        server().feed(&other[..16]).poll().expect_error();
    }
    for (what, mut query) in [("no end of the name", hex(QUERY)), ("more after it", hex(QUERY))] {
        match what {
            "more after it" => query.push(1),
            _ => query.truncate(25),
        }
        let length = query.len() as u32;
        query[..4].copy_from_slice(&length.to_le_bytes());
        assert!(matches!(server().feed(query).poll(), Seen::Error(_)), "{what}");
    }
}

#[test]
fn what_is_wrong_in_a_command_is_answered_and_the_connection_goes_on() {
    let elements = |number: usize| {
        let many = (1..number).fold(Document::builder(), |all, _| all.put("", 1));
        Document::builder().put("$db", "db").put_all(&many.build()).build()
    };
    let mut wrong = command("ping").as_bytes().to_vec();
    wrong[4] = 0x42;
    let long = "x".repeat(256);
    let longer = "x".repeat(257);
    let database = |name: &str| Document::builder().put("ping", 1).put("$db", name).build();
    for (what, document, number) in [
        ("a type that BSON has not", wrong, 22),
        ("no database", Document::builder().put("ping", 1).build().as_bytes().to_vec(), 40571),
        ("a database that is a number", Document::builder().put("$db", 1).build().as_bytes().to_vec(), 40571),
        ("no elements", Document::default().as_bytes().to_vec(), 40571),
        ("a long name", command(&longer).as_bytes().to_vec(), 2),
        ("a long name of a database", database(&longer).as_bytes().to_vec(), 2),
        ("too many elements", elements(MAX_ELEMENTS + 1).as_bytes().to_vec(), 2),
    ] {
        let mut side = server();
        let seen = side.feed(message(0, &[&[0], &document[..]].concat())).events();
        assert_eq!((seen, failure(&mut side).0), (vec![], number), "{what}");
        open(&mut side, hex(PING));
    }
    open(&mut server(), message(0, &body(&command(&long))));
    open(&mut server(), message(0, &body(&database(&long))));
    open(&mut server(), message(0, &body(&elements(MAX_ELEMENTS))));
}

#[test]
fn a_message_beyond_the_limit_closes_as_soon_as_its_length_is_read() {
    let mut side = limited(Limits::DEFAULT.max_message(51));
    open(&mut side, hex(PING));
    let mut side = limited(Limits::DEFAULT.max_message(50));
    assert_eq!(side.feed(&hex(PING)[..16]).poll().expect_error(), WireError::TooLarge);
}

#[test]
fn what_the_host_refuses_is_answered_with_its_reason() {
    let mut side = server();
    side.host.refuse_next(Status::unimplemented("no"));
    assert_eq!(side.feed(hex(PING)).events(), []);
    let reply =
        [hex("5d 00 00 00 01 00 00 00 67 45 8b 6b dd 07 00 00 00 00 00 00 00"), hex(NOT_FOUND)].concat();
    assert_eq!(side.written(), reply);
    side.host.route_next(Route { max_message: 10, ..Route::default() });
    assert_eq!(side.feed(hex(PING)).events(), []);
    let (number, text) = failure(&mut side);
    assert_eq!(number, 146);
    assert!(text.contains("the limit of 10"), "{text}");
    assert_eq!(side.host.withdrawn, 1);
    side.host.refuse_next(brpc::status(brpc::ELOGOFF, "it stops"));
    assert_eq!(side.feed(hex(PING)).events(), []);
    assert_eq!(failure(&mut side), (91, "it stops".into()), "after which clients look for another server");
    open(&mut side, hex(PING));
}

#[test]
fn outcomes_become_documents() {
    let mut side = server();
    let mut outcome_of = |outcome: Outcome| {
        let ping = open(&mut side, hex(PING));
        side.finish(ping.exchange, outcome);
        replies(&mut side).remove(0).1
    };
    let number = |document: &Document| document.get("code").and_then(|code| code.as_i64());
    assert_eq!(
        outcome_of(Status::not_found("no").into()).get("codeName").unwrap().as_str(),
        Some("NamespaceNotFound")
    );
    assert_eq!(number(&outcome_of(Status::deadline_exceeded("late").into())), Some(50));
    assert_eq!(number(&outcome_of(Outcome::default())), Some(1), "nothing");
    let body = || IoBuf::from(hex(NOT_FOUND));
    assert_eq!(
        number(&outcome_of(Outcome { body: body(), reply: true, ..Outcome::default() })),
        Some(1),
        "no BSON"
    );
    // A failure with a document of its own.
    let status = Status::internal("for the log");
    let failed = Outcome { status, body: body(), content: Content::BSON, ..Outcome::default() };
    assert_eq!(outcome_of(failed).as_bytes(), hex(NOT_FOUND));
    let ping = open(&mut side, hex(PING));
    side.fail(ping.exchange, brpc::status(brpc::ECLOSE, ""));
    assert_eq!((side.poll(), side.written().len()), (Seen::Closed, 0));
}

#[test]
fn a_reply_that_no_client_would_read_becomes_a_failure() {
    let long = Document::builder().put("x", &vec![7u8; 100_000][..]).build();
    let mut side = server();
    let reply = |side: &mut Side, most: u32| {
        side.host.route_next(Route { max_message: most, ..Route::default() });
        let ping = open(side, hex(PING));
        side.reply(&ping, long.as_bytes());
    };
    let whole = 21 + long.as_bytes().len() as u32;
    reply(&mut side, whole);
    assert_eq!(replies(&mut side)[0].1, long);
    reply(&mut side, whole - 1);
    let (number, text) = failure(&mut side);
    assert!(number == 10334 && text.contains(&whole.to_string()), "{text}");
    // A text as long as that.
    side.host.refuse_next(Status::internal("x".repeat(50_000_000)));
    assert_eq!(side.feed(hex(PING)).events(), []);
    assert_eq!(failure(&mut side).0, 10334);
}

#[test]
fn nothing_is_opened_before_the_verdict_and_a_refusal_says_why() {
    let locked = || Side::new(&PROTOCOL, ServerSetup { authenticate: true, ..ServerSetup::default() });
    for first in [PING, QUERY] {
        let mut side = locked();
        let claim = side.feed(&hex(first)[..16]).poll().expect_claim();
        assert_eq!((claim.scheme, claim.credential), ("mongo", None));
        side.feed(&hex(first)[16..]);
        assert_eq!(side.poll(), Seen::Blocked);
        side.authenticated(Ok(()));
        let opened = side.poll().expect_open();
        side.reply(&opened, hex(OK));
        open(&mut side, hex(PING));

        let mut side = locked();
        side.feed(hex(first)).poll().expect_claim();
        side.authenticated(Err(Status::unauthenticated("who?")));
        assert_eq!(side.poll(), Seen::Closed);
        assert_eq!(failure(&mut side), (18, "who?".into()));
    }
}

#[test]
fn a_peer_that_does_not_read_its_replies_is_not_read() {
    let mut side = server().with_room(100);
    for _ in 0..2 {
        let ping = open(&mut side, hex(PING));
        side.reply(&ping, hex(NOT_FOUND));
    }
    assert_eq!(side.feed(hex(PING)).poll(), Seen::Blocked);
    assert_eq!(replies(&mut side).len(), 2);
    side.poll().expect_open();
}

#[test]
fn a_server_that_ends_closes_when_the_current_command_is_answered() {
    let mut side = server();
    let ping = open(&mut side, hex(PING));
    side.goodbye(Goodbye::Drain);
    side.reply(&ping, hex(OK));
    assert_eq!(replies(&mut side).len(), 1);
    side.goodbye(Goodbye::Close);
    assert_eq!(side.feed(hex(PING)).poll(), Seen::Closed);
}

#[test]
fn there_is_no_client() {
    let mut side = Side::client(&PROTOCOL);
    let call = polywire_machine_testing::Call::new("", "ping").content(Content::BSON);
    assert_eq!(side.open(Exchange { token: 1 << 32, slot: 0 }, &call), Err(Refusal::WrongRole));
}

#[test]
fn every_op_code_that_a_client_may_send_is_recognised_and_no_other() {
    let first = |length: u32, op_code: u32| {
        let numbers = [length, 7, 0, op_code];
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>()
    };
    for op_code in [1, 1000, 2001, 2002, 2004, 2005, 2006, 2007, 2012, 2013] {
        assert_eq!((PROTOCOL.sniff)(&first(16, op_code)), Sniff::Mine, "{op_code}");
    }
    for (length, op_code) in [(16, 0), (16, 2003), (16, 2011), (15, 2013), (0, 2013), ((64 << 20) + 1, 2013)]
    {
        assert_eq!((PROTOCOL.sniff)(&first(length, op_code)), Sniff::NotMine, "{length} {op_code}");
    }
}
