use crate::redis::{Command, PROTOCOL, Value};
use bytes::BytesMut;
use polywire_call::{Code, Status};
use polywire_machine_testing::{
    Call, Rest, Seen, SeenOutcome, Side, at_every_split_reacting, at_every_truncation, hex, pass,
    survives_noise,
};
use polywire_wire::{ClientSetup, Content, Exchange, Goodbye, Limits, Refusal, ServerSetup, Wake, WireError};

fn client() -> Side {
    Side::client(&PROTOCOL)
}

fn greeting(credential: Option<&'static [u8]>, parameter: &'static str) -> Side {
    Side::new(&PROTOCOL, ClientSetup { credential, parameter, ..ClientSetup::default() })
}

/// A call of these lines, one command each.
fn call(lines: &[&str]) -> Call {
    let mut body = BytesMut::new();
    lines.iter().for_each(|line| Command::parse(line).expect("a command").append(&mut body));
    Call::new("", "").body(body)
}

fn with_calls(calls: &'static [&'static [&'static str]]) -> impl Fn() -> Side {
    move || {
        let mut side = client();
        calls.iter().for_each(|lines| {
            side.call(&call(lines));
        });
        side
    }
}

#[track_caller]
fn finished(seen: Seen) -> (Exchange, SeenOutcome) {
    let (exchange, outcome) = seen.expect_finish();
    assert_eq!((outcome.status.clone(), outcome.reply), (Status::OK, true));
    (exchange, outcome)
}

#[test]
fn replies_find_their_calls_by_order_however_they_arrive() {
    // The worked frames of docs/wire/redis.md, section 6: three replies, then those of a transaction.
    let replies = hex("2b 4f 4b 0d 0a 24 31 0d 0a 76 0d 0a 24 2d 31 0d 0a
        2b 4f 4b 0d 0a 2b 51 55 45 55 45 44 0d 0a 2b 51 55 45 55 45 44 0d 0a 2a 32 0d 0a 2b 4f 4b 0d 0a 3a 32 0d 0a");
    let calls: &[&[&str]] = &[&["SET k v", "GET k"], &["GET none"], &["MULTI", "SET k 1", "INCR k", "EXEC"]];
    let run = at_every_split_reacting(with_calls(calls), |_, _| {}, &replies);
    let bodies: Vec<_> = run.seen.into_iter().map(|seen| finished(seen).1.body).collect();
    assert_eq!(bodies, [&replies[..12], &replies[12..17], &replies[17..]]);
    assert_eq!(run.rest, Rest::Need);
    let transaction = Value::parse_all(bodies[2].0.clone().into()).expect("replies");
    assert_eq!(transaction[3], Value::Array(vec![Value::OK, Value::Integer(2)]));
}

#[test]
fn no_reply_is_told_before_it_is_whole() {
    at_every_truncation(
        with_calls(&[&["HGETALL h"]]),
        b"%2\r\n$1\r\nf\r\n$2\r\nv\n\r\n+a\r\n*2\r\n:1\r\n#t\r\n",
    );
    at_every_truncation(with_calls(&[&["GET a", "GET b"]]), b"$3\r\nabc\r\n-ERR no\r\n");
}

#[test]
fn commands_leave_as_they_are() {
    let mut side = client();
    side.call(&call(&["SET k 'a b'", "GET k"]));
    assert_eq!(side.written(), b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\na b\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n");
}

#[test]
fn a_body_that_is_no_command_never_leaves() {
    for body in [&b""[..], b"PING\r\n", b"*1\r\n$4\r\nPIN", b"*0\r\n", b"*1\r\n$4\r\nPING\r\nx"] {
        let mut side = client();
        let exchange = side.call(&Call::new("", "").body(body));
        let (finished, outcome) = side.poll().expect_finish();
        assert_eq!((finished, outcome.status.code()), (exchange, Code::InvalidArgument));
        assert_eq!(side.written(), b"");
    }
    let lines = ["MONITOR", "UNSUBSCRIBE", "SYNC", "client reply off"];
    for line in lines {
        let mut side = client();
        side.call(&call(&["GET k", line]));
        assert_eq!(side.poll().expect_finish().1.status.code(), Code::InvalidArgument, "{line}");
    }
}

/// A conversation that has begun with this line.
fn conversation(line: &str) -> (Side, Exchange) {
    let mut side = client();
    let exchange = side.call(&call(&[line]).streamed());
    (side, exchange)
}

#[test]
fn a_conversation_gets_every_frame_as_it_comes() {
    let frames: [&[u8]; 4] =
        [b"*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n", b"+PONG\r\n", b"-ERR no\r\n", b">2\r\n+a\r\n:1\r\n"];
    let run = at_every_split_reacting(|| conversation("SUBSCRIBE c").0, |_, _| {}, &frames.concat());
    let parts: Vec<_> = run
        .seen
        .into_iter()
        .filter_map(|seen| if let Seen::Part { bytes, .. } = seen { Some(bytes.0) } else { None })
        .collect();
    assert_eq!(parts, frames);
}

#[test]
fn a_conversation_has_its_connection_for_itself() {
    let (mut side, exchange) = conversation("WATCH k");
    assert_eq!(side.open(Exchange::CONNECTION, &call(&["GET k"])), Err(Refusal::Full));
    assert_eq!(side.vacancies(), 0);
    side.send_message(exchange, b"*1\r\n$4\r\nPING\r\n", false);
    assert_eq!(side.written(), b"*2\r\n$5\r\nWATCH\r\n$1\r\nk\r\n*1\r\n$4\r\nPING\r\n");
    side.reset(exchange, Status::cancelled("dropped"));
    assert_eq!(side.poll(), Seen::Closed);
    let mut shared = client();
    shared.call(&call(&["GET k"]));
    let refused = shared.open(Exchange { token: 9, slot: 9 }, &call(&["GET k"]).streamed());
    assert_eq!(refused, Err(Refusal::Unsupported));
}

#[test]
fn a_conversation_waits_for_the_handshake() {
    let mut side = greeting(Some(b"p"), "");
    let exchange = side.call(&call(&["GET a"]).streamed());
    side.send_message(exchange, b"*1\r\n$4\r\nPING\r\n", false);
    assert_eq!(side.poll(), Seen::Need(3));
    assert_eq!(side.written(), b"*2\r\n$4\r\nAUTH\r\n$1\r\np\r\n");
    side.feed("+OK\r\n").events();
    assert_eq!(side.written(), b"*2\r\n$3\r\nGET\r\n$1\r\na\r\n*1\r\n$4\r\nPING\r\n");
}

#[test]
fn pushes_without_end_stop_the_reading_until_they_are_taken() {
    let (mut side, exchange) = conversation("SUBSCRIBE c");
    let message = b">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nx\r\n";
    side.feed(message.repeat(100_000));
    let mut delivered = 0;
    loop {
        match side.poll() {
            Seen::Part { .. } => delivered += 1,
            Seen::Blocked => break,
            other => panic!("{other:?}"),
        }
        assert!(delivered <= 100_000, "nothing stopped it");
    }
    assert!(delivered < 100_000, "{delivered}");
    side.grant(exchange, message.len(), 1);
    assert!(matches!(side.poll(), Seen::Part { .. }));
    assert_eq!(side.poll(), Seen::Blocked);
}

#[test]
fn a_part_beyond_the_limit_and_a_message_that_is_no_command_end_the_conversation() {
    let (mut side, _) = conversation("SUBSCRIBE c");
    side.feed("$99999999\r\n");
    assert!(matches!(side.poll(), Seen::Reset { why, .. } if why.code() == Code::ResourceExhausted));
    assert!(matches!(side.poll(), Seen::Error(_)));
    let (mut side, exchange) = conversation("SUBSCRIBE c");
    side.send_message(exchange, b"PING\r\n", false);
    assert!(matches!(side.poll(), Seen::Reset { why, .. } if why.code() == Code::InvalidArgument));
    assert_eq!(side.written(), b"*2\r\n$9\r\nSUBSCRIBE\r\n$1\r\nc\r\n");
}

#[test]
fn calls_wait_until_the_server_has_authenticated_the_client() {
    let mut side = greeting(Some(b"me:sekrit"), "3,db=5");
    let exchange = side.call(&call(&["GET k"]));
    assert_eq!(side.poll(), Seen::Need(3));
    let greeting = "*3\r\n$4\r\nAUTH\r\n$2\r\nme\r\n$6\r\nsekrit\r\n*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n5\r\n";
    assert_eq!(side.written(), greeting.as_bytes());
    side.feed("+OK\r\n%1\r\n$5\r\nproto\r\n:3\r\n+OK\r\n").events();
    assert_eq!(side.written(), b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n");
    let (finished, outcome) = finished(side.feed("_\r\n").poll());
    assert_eq!((finished, outcome.content), (exchange, Content::RESP3));
}

#[test]
fn a_server_without_resp3_is_spoken_to_in_resp2() {
    for refusal in ["-ERR unknown command 'HELLO'\r\n", "-NOPROTO unsupported protocol version\r\n"] {
        let mut side = greeting(None, "3");
        side.call(&call(&["GET k"]));
        side.poll();
        side.written();
        side.feed(refusal).events();
        assert_eq!(side.written(), b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n");
        assert_eq!(finished(side.feed("$-1\r\n").poll()).1.content, Content::RESP2);
    }
}

#[test]
fn a_server_that_refuses_the_credential_fails_all_calls() {
    let wrong = "-WRONGPASS invalid username-password pair or user is disabled.";
    let cases: [(Option<&[u8]>, &str, String, Code); 3] = [
        (Some(b"bad"), "", format!("{wrong}\r\n"), Code::Unauthenticated),
        (Some(b"bad"), "db=99", "+OK\r\n-ERR DB index is out of range\r\n".into(), Code::FailedPrecondition),
        (None, "3", "-NOAUTH HELLO must be called\r\n".into(), Code::Unauthenticated),
    ];
    for (credential, parameter, reply, code) in cases {
        let mut side = Side::new(&PROTOCOL, ClientSetup { credential, parameter, ..ClientSetup::default() });
        let calls = [side.call(&call(&["SET k v"])), side.call(&call(&["GET k"]))];
        side.poll();
        side.written();
        let events = side.feed(&reply).events();
        let failed: Vec<_> = events
            .iter()
            .filter_map(|seen| match seen {
                Seen::Reset { exchange, why } => Some((*exchange, why.code())),
                _ => None,
            })
            .collect();
        assert_eq!(failed, calls.map(|exchange| (exchange, code)), "{reply}");
        assert!(matches!(events.last(), Some(Seen::Error(_))));
        assert_eq!(side.written(), b"", "nothing was sent to where it does not belong");
    }
}

#[test]
fn a_channel_refuses_a_wrong_parameter() {
    for right in ["", "2", "3", "db=5", "3,db=5", "3,readonly"] {
        assert!((PROTOCOL.content)(right).is_some(), "{right}");
    }
    for wrong in ["4", "cluster", "db=", "db=-1", "3,database=1"] {
        assert_eq!((PROTOCOL.content)(wrong), None, "{wrong}");
    }
}

#[test]
fn a_wrong_parameter_is_told_to_the_caller() {
    let mut side = greeting(None, "4");
    assert_eq!(side.open(Exchange { token: 1, slot: 0 }, &call(&["GET k"])), Err(Refusal::Draining));
    assert_eq!(side.vacancies(), 0);
    assert!(side.poll().is_end());
}

#[test]
fn a_call_given_up_leaves_its_replies_to_be_counted_off() {
    let mut side = client();
    let first = side.call(&call(&["GET a", "GET b"]));
    let second = side.call(&call(&["GET c"]));
    side.reset(first, Status::deadline_exceeded(""));
    let body = [b"$100000\r\n".to_vec(), vec![b'x'; 100_000], b"\r\n".to_vec()].concat();
    for piece in body.chunks(999) {
        assert_eq!(side.feed(piece).events(), []);
        assert!(side.held() < 2);
    }
    let (exchange, outcome) = finished(side.feed("+b\r\n+c\r\n").poll());
    assert_eq!((exchange, &outcome.body[..]), (second, &b"+c\r\n"[..]));
    assert_eq!(side.host.asked_replies, []);
    assert_eq!(side.poll(), Seen::Need(3));
}

#[test]
fn a_call_given_up_half_way_keeps_nothing() {
    let mut side = client();
    let first = side.call(&call(&["GET a", "GET b"]));
    let second = side.call(&call(&["GET c"]));
    assert_eq!(side.feed("+a\r\n$5\r\nxx").events(), []);
    side.reset(first, Status::cancelled(""));
    assert_eq!(side.events(), []);
    assert_eq!(side.held(), 0);
    assert_eq!(finished(side.feed("xxx\r\n+c\r\n").poll()).0, second);
}

#[test]
fn a_call_given_up_before_it_left_never_leaves() {
    let mut side = greeting(Some(b"p"), "");
    let first = side.call(&call(&["SET a 1"]));
    let second = side.call(&call(&["GET c"]));
    side.reset(first, Status::cancelled(""));
    side.poll();
    side.written();
    side.feed("+OK\r\n").events();
    assert_eq!(side.written(), b"*2\r\n$3\r\nGET\r\n$1\r\nc\r\n");
    assert_eq!(finished(side.feed("+c\r\n").poll()).0, second);
}

#[test]
fn a_reply_without_a_call_ends_the_connection() {
    assert_eq!(
        client().feed("+OK\r\n").poll().expect_error(),
        WireError::Malformed("a reply without a call")
    );
}

#[test]
fn a_broken_reply_ends_the_connection() {
    for broken in ["?\r\n", "$-2\r\n", ":x\r\n", "*1\r\n>0\r\n", "$1\r\nabc", "+a\rb\r\n"] {
        let mut side = client();
        side.call(&call(&["GET k"]));
        side.feed(broken).poll().expect_error();
    }
}

#[test]
fn a_long_reply_is_asked_for_once_and_refused_ones_are_skipped() {
    let long = [b"$1000000\r\n".to_vec(), vec![b'x'; 1_000_000], b"\r\n".to_vec()].concat();
    let mut side = client();
    let exchange = side.call(&call(&["GET k"]));
    assert_eq!(side.feed(&long[..10]).poll(), Seen::Need(1_000_002));
    assert_eq!(side.host.asked_replies.len(), 1);
    assert_eq!(side.host.asked_replies[0].announced, 1_000_012);
    assert_eq!(finished(side.feed(&long[10..]).poll()).0, exchange);
    assert_eq!(side.host.asked_replies.len(), 1);

    for by_limit in [false, true] {
        let limits = Limits::default().max_message(if by_limit { 999_999 } else { 64 << 20 });
        let mut side = Side::new(&PROTOCOL, ClientSetup { limits, ..ClientSetup::default() })
            .hosted(|host| host.limit_replies(if by_limit { usize::MAX } else { 999_999 }));
        let first = side.call(&call(&["GET k", "GET l"]));
        let second = side.call(&call(&["GET m"]));
        let mut seen = Vec::new();
        for piece in [&long[..], b"+l\r\n+m\r\n"].concat().chunks(10_001) {
            seen.extend(side.feed(piece).events());
            assert!(side.held() < 16, "{}", side.held());
        }
        let [refused, fine] = seen.try_into().expect("two calls end");
        let (exchange, outcome) = refused.expect_finish();
        assert_eq!((exchange, outcome.status.code()), (first, Code::ResourceExhausted));
        assert_eq!(finished(fine).0, second);
    }
}

#[test]
fn a_whole_reply_over_the_limit_is_refused_too() {
    let limits = Limits::default().max_message(10);
    let mut side = Side::new(&PROTOCOL, ClientSetup { limits, ..ClientSetup::default() });
    side.call(&call(&["GET k"]));
    let status = side.feed("$5\r\nhello\r\n").poll().expect_finish().1.status;
    assert_eq!(status.message(), "the reply is longer than the limit of 10 bytes");
}

#[test]
fn pushes_come_between_replies_and_wait_to_be_granted() {
    let limits = Limits::default().ahead(2);
    let make = || Side::new(&PROTOCOL, ClientSetup { limits, ..ClientSetup::default() });
    let mut side = make();
    let exchange = side.call(&call(&["GET a", "GET b"]));
    side.feed("+a\r\n>2\r\n+invalidate\r\n_\r\n+b\r\n>1\r\n+x\r\n>1\r\n+y\r\n");
    let Seen::Part { exchange: on, bytes, end_of_message: true, finished: false, .. } = side.poll() else {
        panic!("no push")
    };
    assert_eq!((on, &bytes[..]), (Exchange::CONNECTION, &b">2\r\n+invalidate\r\n_\r\n"[..]));
    let (finished, outcome) = finished(side.poll());
    assert_eq!((finished, &outcome.body[..]), (exchange, &b"+a\r\n+b\r\n"[..]));
    assert!(matches!(side.poll(), Seen::Part { .. }));
    assert_eq!(side.poll(), Seen::Blocked);
    side.grant(Exchange::CONNECTION, 1000, 1);
    assert!(matches!(side.poll(), Seen::Part { .. }));
    assert_eq!(side.poll(), Seen::Blocked);
    side.grant(Exchange::CONNECTION, 1000, 2);
    assert_eq!(side.poll(), Seen::Need(3));
}

#[test]
fn pushes_survive_every_split() {
    let replies = b"+a\r\n>2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n+b\r\n>1\r\n+x\r\n";
    let run = at_every_split_reacting(with_calls(&[&["GET a", "GET b"]]), |_, _| {}, replies);
    assert_eq!(run.seen.len(), 3);
}

#[test]
fn subscriptions_are_confirmed_by_pushes_or_arrays() {
    // Captured: two channels, a message, and their end; RESP3, then RESP2.
    for kind in ['>', '*'] {
        let item = |word: &str, rest: &str| format!("{kind}3\r\n${}\r\n{word}\r\n{rest}", word.len());
        let bytes = [
            item("subscribe", "$1\r\na\r\n:1\r\n"),
            item("subscribe", "$1\r\nb\r\n:2\r\n"),
            item("message", "$1\r\na\r\n$1\r\nx\r\n"),
            item("unsubscribe", "$1\r\na\r\n:1\r\n"),
        ]
        .concat();
        let calls: &[&[&str]] = &[&["SUBSCRIBE a b"], &["UNSUBSCRIBE a"]];
        let run = at_every_split_reacting(with_calls(calls), |_, _| {}, bytes.as_bytes());
        let [Seen::Finish { .. }, Seen::Part { bytes: message, .. }, Seen::Finish { .. }] = &run.seen[..]
        else {
            panic!("{:?}", run.seen)
        };
        assert_eq!(*message, item("message", "$1\r\na\r\n$1\r\nx\r\n").as_bytes());
    }
}

#[test]
fn a_full_or_ending_connection_takes_no_calls() {
    let mut side = client();
    let ping = call(&["PING"]);
    assert_eq!(side.vacancies(), 8192);
    for _ in 0..8192 {
        side.call(&ping);
    }
    assert_eq!((side.vacancies(), side.open(Exchange { token: 0, slot: 0 }, &ping)), (0, Err(Refusal::Full)));
    side.goodbye(Goodbye::Drain);
    assert_eq!(side.open(Exchange { token: 0, slot: 0 }, &ping), Err(Refusal::Draining));
    assert_eq!(side.feed("+PONG\r\n".repeat(8192)).events().len(), 8193);
    assert!(side.has_ended());
}

#[test]
fn the_end_of_input_ends_the_connection_behind_whole_replies() {
    let mut side = client();
    let calls = [side.call(&call(&["GET a"])), side.call(&call(&["GET b"]))];
    side.feed("+a\r\n+b");
    assert_eq!(side.resume(Wake::Eof), Ok(()));
    assert_eq!(finished(side.poll()).0, calls[0]);
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn both_machines_understand_each_other() {
    let mut client = greeting(Some(b"sekrit"), "3");
    let mut server = Side::new(&PROTOCOL, ServerSetup { authenticate: true, ..ServerSetup::default() });
    let exchange = client.call(&call(&["ECHO hello", "ECHO 'a b'"]));
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.extend(client.events());
        pass(&mut client, &mut server);
        server.events_reacting(&mut |server, seen| match seen {
            Seen::Authenticate { .. } => server.authenticated(Ok(())),
            Seen::Open(open) => server.reply(open, format!("+{}\r\n", open.body.len())),
            _ => {}
        });
        pass(&mut server, &mut client);
    }
    let [finish] = seen.try_into().expect("one call ends");
    let (ended, outcome) = finished(finish);
    assert_eq!(
        (ended, &outcome.body[..], outcome.content),
        (exchange, &b"+25\r\n+23\r\n"[..], Content::RESP3)
    );
}

#[test]
fn noise_neither_panics_nor_is_hoarded() {
    let goldens: &[&[u8]] = &[
        b"+OK\r\n$1\r\nv\r\n$-1\r\n:12\r\n",
        b"%2\r\n+a\r\n,1.5\r\n+b\r\n~1\r\n#t\r\n",
        b">3\r\n+message\r\n+a\r\n+b\r\n|1\r\n+ttl\r\n:1\r\n*2\r\n_\r\n(123\r\n",
        b"=15\r\ntxt:Some string\r\n!3\r\nERR\r\n",
        b"$70000\r\nxxxxxx",
    ];
    survives_noise(with_calls(&[&["GET a", "GET b"], &["SUBSCRIBE c"], &["HGETALL d"]]), goldens, 3, 1500);
    survives_noise(client, goldens, 4, 300);
    survives_noise(|| greeting(Some(b"a:b"), "3,db=1"), goldens, 5, 500);
}
