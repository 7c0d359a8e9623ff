//! nshead as docs/wire/nshead.md has it, and the tests that all of its family share.

mod adaptor;

use super::PROTOCOL;
use polywire_call::{Native, Status, brpc};
use polywire_machine_testing::{
    Call, Seen, SeenTarget, Side, at_every_split_reacting, at_every_truncation, hex, pass, survives_noise,
};
use polywire_wire::{
    Compression, Content, Exchange, Goodbye, Limits, Outcome, Protocol, Refusal, Role, ServerSetup, Setup,
    Stopping, Wake, WireError,
};

/// The call of the sheets' examples: id 4294967298, version 1 and slot 2.
pub(crate) const CALL: Exchange = Exchange { token: 1 << 32 | 2, slot: 2 };

/// A frame that is zero except for these fields.
pub(crate) fn frame(version: u16, log_id: u32, reserved: u32, body: &[u8]) -> Vec<u8> {
    let mut frame = vec![0; 36];
    frame[2..4].copy_from_slice(&version.to_le_bytes());
    frame[4..8].copy_from_slice(&log_id.to_le_bytes());
    frame[24..28].copy_from_slice(&hex("94 93 70 fb"));
    frame[28..32].copy_from_slice(&reserved.to_le_bytes());
    frame[32..].copy_from_slice(&(body.len() as u32).to_le_bytes());
    frame.extend(body);
    frame
}

/// The tests that every dialect has to pass: `request` and `reply` are what its client and its server send.
pub(crate) fn family(protocol: &'static Protocol, request: &[u8], reply: &[u8]) {
    let answered = |side: &mut Side, seen: &Seen| {
        if let Seen::Open(open) = seen {
            side.reply(open, &open.body.0);
        }
    };
    let server = || Side::server(protocol);
    let three = [request, request, request].concat();
    assert_eq!(at_every_split_reacting(server, answered, &three).seen.len(), 3);
    at_every_truncation(server, request);
    let client = || {
        let mut client = Side::client(protocol);
        let call = Call::new("p.S", "M").index(0).content((protocol.content)("").unwrap());
        client
            .open(CALL, &call.body(if protocol.name == "nshead" { frame(0, 0, 0, b"") } else { vec![0; 4] }))
            .unwrap();
        client.written();
        client
    };
    assert_eq!(at_every_split_reacting(client, |_, _| {}, reply).seen.len(), 1);
    at_every_truncation(client, reply);
    survives_noise(server, &[request, reply], 1, 1500);
    survives_noise(client, &[reply, request], 2, 1500);

    // One call at a time, on either side.
    let mut side = server();
    side.feed(request).feed(request);
    let first = side.poll().expect_open();
    assert_eq!((side.poll(), side.host.asked.len()), (Seen::Blocked, 1));
    side.reply(&first, &first.body.0);
    let second = side.poll().expect_open();
    side.reply(&first, "late"); // the request has ended
    assert_eq!(side.poll(), Seen::Blocked);
    side.goodbye(Goodbye::Drain);
    side.reply(&second, &second.body.0);
    side.goodbye(Goodbye::Close);
    assert_eq!(side.events(), [Seen::Closed]);

    // A stop, while requests are on their way: those of which a byte has arrived are served, if there is no
    // refusal.
    for cut in [0, 20, request.len() - 1] {
        let mut side = server();
        side.feed(request).feed(&request[..cut]);
        side.goodbye(Goodbye::Drain);
        side.feed(&request[cut..]).feed(request);
        let mut served = 0;
        let end = loop {
            match side.poll() {
                Seen::Open(open) => side.reply(&open, &open.body.0),
                end => break end,
            };
            served += 1;
        };
        let expected = match protocol.stopping {
            Stopping::Serves => (1 + usize::from(cut > 0), Seen::Closed),
            _ => (3, Seen::Need(36)),
        };
        assert_eq!((served, end), expected, "{} cut at {cut}", protocol.name);
    }

    let mut side = client();
    assert_eq!((side.vacancies(), side.open(CALL, &Call::new("s", "m").index(0))), (0, Err(Refusal::Full)));
    assert_eq!(side.feed(reply).poll().expect_finish().0, CALL);
    assert_eq!(side.vacancies(), 1);
    assert!(matches!(side.feed(reply).poll(), Seen::Error(WireError::Malformed(_))));
    let mut side = client();
    side.reset(CALL, Status::cancelled(""));
    assert_eq!((side.vacancies(), side.feed(reply).poll()), (0, Seen::Closed));

    // A frame that is too long is refused when its head is read.
    let limits = Limits::default().max_message(100);
    let mut head = frame(0, 0, 0, &[0; 101]);
    head.truncate(36);
    for role in [Role::Server, Role::Client] {
        let mut side = Side::new(protocol, Setup::with_limits(role, limits));
        if role == Role::Client {
            side = client();
            head[32..].copy_from_slice(&((64u32 << 20) + 1).to_le_bytes());
        }
        assert_eq!(side.feed(&head).poll(), Seen::Error(WireError::TooLarge));
    }
    let mut side = client().hosted(|host| host.limit_replies(0));
    assert!(!side.feed(reply).poll().expect_finish().1.status.is_ok());
    assert_eq!(side.poll(), Seen::Closed);

    // The protocol cannot carry a credential.
    let setup = ServerSetup { authenticate: true, ..ServerSetup::default() };
    let mut side = Side::new(protocol, setup);
    let claim = side.feed(request).poll().expect_claim();
    assert_eq!((claim.scheme, &claim.credential), (protocol.name, &None));
    assert_eq!(side.poll(), Seen::Blocked);
    side.authenticated(Err(Status::unauthenticated("who?")));
    assert_eq!((side.events(), side.written()), (vec![Seen::Closed], vec![]));

    // A peer that closes, and a peer that does not read.
    let mut side = server();
    let open = side.feed(request).poll().expect_open();
    side.fail(open.exchange, brpc::status(brpc::ECLOSE, ""));
    assert_eq!((side.events(), side.written()), (vec![Seen::Closed], vec![]));
    let mut side = server().with_room(1);
    side.feed(request).feed(request);
    let open = side.poll().expect_open();
    side.reply(&open, &open.body.0);
    assert_eq!(side.poll(), Seen::Blocked);
    side.written();
    side.resume(Wake::Room).unwrap();
    side.poll().expect_open();
}

/// A request that is refused or fails closes the connection, because the protocol has no errors.
pub(crate) fn has_no_errors(protocol: &'static Protocol, request: &[u8]) {
    let mut side = Side::server(protocol);
    side.host.refuse_next(brpc::status(brpc::ELIMIT, "no"));
    assert_eq!(side.feed(request).events(), [Seen::Closed]);
    assert_eq!(side.written(), b"");
    let mut side = Side::server(protocol);
    let open = side.feed(request).poll().expect_open();
    side.fail(open.exchange, Status::internal("no"));
    assert_eq!((side.events(), side.written()), (vec![Seen::Closed], vec![]));
}

/// How a call ends for its caller after this reply, which carries an error number of brpc.
pub(crate) fn failed(protocol: &'static Protocol, call: &Call, reply: &[u8]) -> (i32, String) {
    let mut client = Side::client(protocol);
    client.open(CALL, call).unwrap();
    let (exchange, outcome) = client.feed(reply).poll().expect_finish();
    assert_eq!(exchange, CALL);
    match outcome.status.native() {
        Native::Brpc(number) => (number, outcome.status.message().to_owned()),
        other => panic!("{other:?}"),
    }
}

/// "Example 1: raw nshead request (id=1, version=2, log_id=5)"
fn example_1() -> Vec<u8> {
    hex("01 00 02 00 05 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         05 00 00 00 68 65 6c 6c 6f")
}

/// "Example 2: its response"
fn example_2() -> Vec<u8> {
    hex("01 00 02 00 05 00 00 00 00 00 00 00 00 00 00 00
         00 00 00 00 00 00 00 00 94 93 70 fb 00 00 00 00
         03 00 00 00 62 79 65")
}

#[test]
fn examples_are_a_frame_and_its_answer_in_both_directions() {
    let mut server = Side::server(&PROTOCOL);
    let open = server.feed(example_1()).poll().expect_open();
    assert_eq!(open.head.target, SeenTarget::Bound { protocol: "nshead", number: 0 });
    assert_eq!((open.body.0.clone(), open.head.content), (example_1(), Content::RAW));
    assert_eq!(open.head.fields, [("log-id".to_owned(), b"5"[..].into())]);
    server.reply(&open, "bye");
    assert_eq!(server.written(), example_2());

    let mut client = Side::client(&PROTOCOL);
    client.open(CALL, &Call::new("", "").content(Content::RAW).body(example_1())).unwrap();
    assert_eq!(client.written(), example_1());
    let (exchange, outcome) = client.feed(example_2()).poll().expect_finish();
    assert_eq!((exchange, outcome.body, outcome.content), (CALL, example_2()[..].into(), Content::RAW));
}

#[test]
fn nshead_is_one_of_its_family() {
    family(&PROTOCOL, &example_1(), &example_2());
    has_no_errors(&PROTOCOL, &example_1());
}

#[test]
fn admission_comes_before_the_body() {
    let mut server = Side::server(&PROTOCOL);
    server.feed(&example_1()[..36]).poll();
    assert_eq!((server.host.asked.len(), server.host.asked[0].announced), (1, Some(5)));
    server.host.refuse_next(brpc::status(brpc::ELOGOFF, "going"));
    let mut refused =
        Side::server(&PROTOCOL).hosted(|host| host.refuse_next(brpc::status(brpc::ELOGOFF, "")));
    assert_eq!(refused.feed(&example_1()[..36]).events(), [Seen::Closed]);
}

#[test]
fn no_reply_is_no_reply() {
    let mut server = Side::server(&PROTOCOL);
    let open = server.feed(example_1()).feed(example_1()).poll().expect_open();
    server.finish(open.exchange, Outcome::default());
    assert_eq!(server.written(), b"");
    server.poll().expect_open();
}

#[test]
fn a_client_overwrites_magic_length_and_log_id() {
    let mut bytes = example_1();
    bytes[24] = 0;
    let call = |bytes: &[u8]| Call::new("", "").content(Content::RAW).body(bytes);
    let mut client = Side::client(&PROTOCOL);
    assert_eq!(client.open(CALL, &call(&bytes)), Err(Refusal::Unsupported), "no head of nshead");
    assert_eq!(client.open(CALL, &call(&bytes[..35])), Err(Refusal::Unsupported));
    let mut long = example_1();
    long[32] = 9;
    client.open(CALL, &call(&long).field("log-id", "7")).unwrap();
    let mut expected = example_1();
    expected[4] = 7;
    assert_eq!(client.written(), expected);
}

#[test]
fn other_forms_are_refused_where_they_are_called() {
    let refusal = |call: Call| Side::client(&PROTOCOL).open(CALL, &call.body(example_1())).unwrap_err();
    assert_eq!(refusal(Call::new("", "")), Refusal::Unsupported);
    let raw = || Call::new("", "").content(Content::RAW);
    assert_eq!(refusal(raw().compression(Compression::SNAPPY)), Refusal::Unsupported);
    assert_eq!(refusal(raw().streamed()), Refusal::Unsupported);
}

#[test]
fn wrong_magic_is_seen_as_soon_as_it_is_here() {
    for bytes in [&[0; 25][..], &[0; 40]] {
        assert_eq!(Side::server(&PROTOCOL).feed(bytes).poll(), Seen::Error(WireError::BadMagic));
    }
    assert_eq!(Side::server(&PROTOCOL).feed([0; 24]).poll(), Seen::Need(12));
}

#[test]
fn what_a_client_sends_a_server_reads() {
    let (mut client, mut server) = (Side::client(&PROTOCOL), Side::server(&PROTOCOL));
    client.open(CALL, &Call::new("", "").content(Content::RAW).body(example_1())).unwrap();
    pass(&mut client, &mut server);
    let open = server.poll().expect_open();
    server.reply(&open, "");
    pass(&mut server, &mut client);
    assert_eq!(client.poll().expect_finish().1.body.len(), 36);
}
