use crate::redis::PROTOCOL;
use bytes::Bytes;
use polywire_call::Status;
use polywire_machine_testing::{
    Rest, Seen, SeenTarget, Side, at_every_split_reacting, at_every_truncation, hex, survives_noise,
};
use polywire_wire::{
    Content, Credit, Delivery, Exchange, Goodbye, Outcome, Part, Route, ServerSetup, Wake, WireError,
};

/// `SET k v`, `GET k`, `GET none` in one go: docs/wire/redis.md, section 6.
const PIPELINE: &str = "2a 33 0d 0a 24 33 0d 0a 53 45 54 0d 0a 24 31 0d 0a 6b 0d 0a 24 31 0d 0a 76 0d 0a
    2a 32 0d 0a 24 33 0d 0a 47 45 54 0d 0a 24 31 0d 0a 6b 0d 0a
    2a 32 0d 0a 24 33 0d 0a 47 45 54 0d 0a 24 34 0d 0a 6e 6f 6e 65 0d 0a";
const ANSWERS: &str = "2b 4f 4b 0d 0a 24 31 0d 0a 76 0d 0a 24 2d 31 0d 0a";

fn server() -> Side {
    Side::server(&PROTOCOL)
}

fn guarded() -> Side {
    Side::new(&PROTOCOL, ServerSetup { authenticate: true, ..ServerSetup::default() })
}

/// Plays the application: answers what the worked frames need, and `+name` to any other command.
fn application(side: &mut Side, seen: &Seen) {
    let Seen::Open(open) = seen else { return };
    let reply: &[u8] = match &open.body[..] {
        b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n" => b"+OK\r\n",
        b"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n" => b"$1\r\nv\r\n",
        b"*2\r\n$3\r\nGET\r\n$4\r\nnone\r\n" if open.head.content == Content::RESP3 => b"_\r\n",
        b"*2\r\n$3\r\nGET\r\n$4\r\nnone\r\n" => b"$-1\r\n",
        b"*1\r\n$5\r\nMULTI\r\n" => b"+OK\r\n",
        b"*1\r\n$4\r\nEXEC\r\n" => b"*0\r\n",
        _ => {
            let SeenTarget::Command(name) = &open.head.target else { panic!("not a command: {open:?}") };
            side.reply(open, [b"+", &name[..], b"\r\n"].concat());
            return;
        }
    };
    side.reply(open, reply);
}

/// What a peer that sends these bytes reads, and whether the connection stays open.
fn talk_to(mut side: Side, bytes: impl AsRef<[u8]>) -> (String, Rest) {
    let events = side.feed(bytes).events_reacting(&mut |side, seen| match seen {
        Seen::Authenticate(claim) => side.authenticated(match &*claim.shown() {
            "AUTH sekrit" | "AUTH me sekrit" => Ok(()),
            _ => Err(Status::unauthenticated("no")),
        }),
        seen => application(side, seen),
    });
    let rest = match events.last() {
        _ if side.has_ended() => Rest::Ended,
        Some(Seen::Blocked) => Rest::Blocked,
        _ => Rest::Need,
    };
    (String::from_utf8(side.written()).expect("text"), rest)
}

#[track_caller]
fn answers(bytes: impl AsRef<[u8]>, reply: &str) {
    assert_eq!(talk_to(server(), bytes), (reply.to_owned(), Rest::Need));
}

#[track_caller]
fn answers_and_closes(bytes: impl AsRef<[u8]>, reply: &str) {
    assert_eq!(talk_to(server(), bytes), (reply.to_owned(), Rest::Ended));
}

#[track_caller]
fn guarded_answers(bytes: impl AsRef<[u8]>, reply: &str, rest: Rest) {
    assert_eq!(talk_to(guarded(), bytes), (reply.to_owned(), rest));
}

fn protocol_error(what: &str) -> String {
    format!("-ERR Protocol error: {what}\r\n")
}

#[test]
fn a_pipeline_is_answered_in_order_however_it_arrives() {
    let run = at_every_split_reacting(server, application, &hex(PIPELINE));
    assert_eq!(run.written, hex(ANSWERS));
    assert_eq!((run.seen.len(), run.rest), (3, Rest::Need));
    let Seen::Open(open) = &run.seen[0] else { panic!("{:?}", run.seen[0]) };
    assert_eq!(open.head.target, SeenTarget::Command(b"SET"[..].into()));
    assert_eq!((open.exchange.slot, open.finished), (Exchange::UNTRACKED, true));
    assert_eq!(open.head.content, Content::RESP2);
}

#[test]
fn inline_commands_and_own_answers_survive_every_split() {
    let bytes = b"\r\nset k \"a b\"\nHELLO 3\r\nCLIENT SETNAME me\r\nCLIENT GETNAME\r\n*0\r\nGET none\r\nQUIT\r\nGET k\r\n";
    let run = at_every_split_reacting(server, application, bytes);
    let written = String::from_utf8(run.written.0).expect("text");
    assert!(written.starts_with("+set\r\n%7\r\n$6\r\nserver\r\n"), "{written}");
    assert!(written.ends_with("+OK\r\n$2\r\nme\r\n_\r\n+OK\r\n"), "{written}");
    assert_eq!(run.rest, Rest::Ended);
}

#[test]
fn nothing_is_delivered_before_a_command_is_whole() {
    at_every_truncation(server, b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$12\r\nhello\r\nworld\r\n");
    at_every_truncation(server, b"SET key 'a value'\r\n");
}

#[test]
fn the_next_command_waits_for_the_reply_to_this_one() {
    let mut side = server();
    side.feed(hex(PIPELINE));
    let first = side.poll().expect_open();
    assert_eq!(side.poll(), Seen::Blocked);
    assert_eq!(side.written(), b"");
    side.reply(&first, b"+OK\r\n");
    let second = side.poll().expect_open();
    assert_ne!(first.exchange, second.exchange);
    side.finish(first.exchange, Outcome::default()); // the exchange has ended: no effect
    assert_eq!(side.poll(), Seen::Blocked);
    side.reply(&second, b"$1\r\nv\r\n");
    assert_eq!(side.poll().expect_open().body, b"*2\r\n$3\r\nGET\r\n$4\r\nnone\r\n");
}

#[test]
fn a_body_is_one_segment_even_if_it_came_in_many() {
    let mut side = server();
    let command = b"*2\r\n$4\r\nECHO\r\n$5\r\nhello\r\n";
    command.chunks(3).for_each(|piece| {
        side.feed(piece);
    });
    side.command(|machine, cx| {
        let step = machine.poll(cx).unwrap_or_else(|error| panic!("{error:?}"));
        let polywire_wire::Step::Event(polywire_wire::Event::Open(open)) = step else { panic!("no command") };
        assert_eq!(open.body.as_slice(), Some(&command[..]));
    });
}

#[test]
fn bad_commands_get_the_texts_of_redis_server() {
    // Captured from redis-server.
    answers_and_closes("*1\r\n:4\r\n", &protocol_error("expected '$', got ':'"));
    answers("*0\r\n*-1\r\n*-5\r\nPING\r\n", "+PING\r\n");
    for multibulk in ["*99999999999\r\n", "*01\r\n", "*+1\r\n", "* 1\r\n", "*\r\n", "*1x\r\n", "*1048577\r\n"]
    {
        answers_and_closes(multibulk, &protocol_error("invalid multibulk length"));
    }
    for bulk in ["$-5\r\n", "$536870913\r\n", "$04\r\n", "$\r\n", "$4x\r\n", "$99999999999999999999\r\n"] {
        answers_and_closes(format!("*1\r\n{bulk}PING\r\n"), &protocol_error("invalid bulk length"));
    }
    answers_and_closes("ECHO \"a\r\n", &protocol_error("unbalanced quotes in request"));
    answers_and_closes("P".repeat(70_000), &protocol_error("too big inline request"));
    answers_and_closes(
        ["P".repeat(70_000), "\r\n".into()].concat(),
        &protocol_error("too big inline request"),
    );
    // redis-server does not check this; docs/wire/redis.md, section 5 closes the connection.
    answers_and_closes("*1\r\n$4\r\nPINGxx", &protocol_error("expected CRLF after bulk data"));
    // Commands before the error are answered first.
    answers_and_closes(
        "PING\r\n*1\r\n:4\r\n",
        &format!("+PING\r\n{}", protocol_error("expected '$', got ':'")),
    );
}

#[test]
fn an_http_request_closes_the_connection_without_a_reply() {
    for request in ["POST / HTTP/1.1\r\n", "Host: x\r\n", "*1\r\n$4\r\npost\r\n"] {
        answers_and_closes(request, "");
    }
}

#[test]
fn hello_switches_the_version_and_reports() {
    // Captured, except for the number of the connection.
    let map = |kind: &str, proto: u8| {
        format!(
            "{kind}$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n:{proto}\r\n$2\r\nid\r\n:ID\r\n\
             $4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n"
        )
    };
    let answers = |bytes: &str, reply: &str| {
        let (written, _) = talk_to(server(), bytes);
        let mut lines: Vec<_> = written.split("\r\n").map(str::to_owned).collect();
        if let Some(at) = lines.iter().position(|line| line == "id") {
            assert!(lines[at + 1].starts_with(':'));
            lines[at + 1] = ":ID".into();
        }
        assert_eq!(lines.join("\r\n"), reply);
    };
    answers("*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n", &map("%7\r\n", 3));
    answers("HELLO\r\n", &map("*14\r\n", 2));
    answers("hello 3\r\nGET none\r\n", &(map("%7\r\n", 3) + "_\r\n"));
    answers("HELLO 3 SETNAME a\r\nCLIENT GETNAME\r\n", &(map("%7\r\n", 3) + "$1\r\na\r\n"));
    answers("HELLO 3 AUTH default x\r\n", &map("%7\r\n", 3));
    answers("HELLO 3\r\nRESET\r\nGET none\r\n", &(map("%7\r\n", 3) + "+RESET\r\n$-1\r\n"));
    answers("HELLO 4\r\n", "-NOPROTO unsupported protocol version\r\n");
    answers("HELLO 1\r\n", "-NOPROTO unsupported protocol version\r\n");
    answers("HELLO abc\r\n", "-ERR Protocol version is not an integer or out of range\r\n");
    answers("HELLO 3 FOO\r\n", "-ERR Syntax error in HELLO option 'FOO'\r\n");
    answers("HELLO 2 x y\r\n", "-ERR Syntax error in HELLO option 'x'\r\n");
    answers("HELLO 3 AUTH default b SETNAME\r\n", "-ERR Syntax error in HELLO option 'SETNAME'\r\n");
    let bad_name = "-ERR Client names cannot contain spaces, newlines or special characters.\r\n";
    answers("HELLO 3 SETNAME 'a b'\r\nGET none\r\n", &format!("{bad_name}$-1\r\n"));
    let wrong = "-WRONGPASS invalid username-password pair or user is disabled.\r\n";
    answers("HELLO 3 AUTH a b\r\nPING\r\n", &format!("{wrong}+PING\r\n"));
}

#[test]
fn the_connection_speaks_for_itself() {
    // Captured from redis-server.
    answers_and_closes("QUIT\r\nPING\r\n", "+OK\r\n");
    answers_and_closes("QUIT a\r\n", "+OK\r\n");
    answers("RESET a\r\n", "-ERR wrong number of arguments for 'reset' command\r\n");
    answers("CLIENT\r\n", "-ERR wrong number of arguments for 'client' command\r\n");
    answers(
        "CLIENT GETNAME\r\nCLIENT SETNAME foo\r\nCLIENT GETNAME\r\nCLIENT SETNAME ''\r\nCLIENT GETNAME\r\n",
        "$-1\r\n+OK\r\n$3\r\nfoo\r\n+OK\r\n$-1\r\n",
    );
    answers("CLIENT SETNAME a b\r\n", "-ERR wrong number of arguments for 'client|setname' command\r\n");
    answers("CLIENT ID x\r\n", "-ERR wrong number of arguments for 'client|id' command\r\n");
    answers(
        "CLIENT SETNAME 'a b'\r\n",
        "-ERR Client names cannot contain spaces, newlines or special characters.\r\n",
    );
    // As redis-py sends it; redis-server 7.0 does not know it.
    answers("CLIENT SETINFO LIB-NAME redis-py\r\nCLIENT SETINFO lib-ver 8.1.0\r\n", "+OK\r\n+OK\r\n");
    answers("CLIENT SETINFO COLOUR red\r\n", "-ERR Unrecognized option 'COLOUR'\r\n");
    // Other subcommands of CLIENT go to the application, and so does AUTH where no authentication is
    // required.
    answers("CLIENT LIST\r\nAUTH x\r\n", "+CLIENT\r\n+AUTH\r\n");
}

#[test]
fn connections_have_numbers_of_their_own() {
    let (first, _) = talk_to(server(), "CLIENT ID\r\n");
    let (second, _) = talk_to(server(), "CLIENT ID\r\n");
    assert_ne!(first, second);
}

#[test]
fn inside_a_transaction_the_application_gets_all_commands() {
    answers(
        "MULTI\r\nCLIENT GETNAME\r\nHELLO 3\r\nEXEC\r\nCLIENT GETNAME\r\n",
        "+OK\r\n+CLIENT\r\n+HELLO\r\n*0\r\n$-1\r\n",
    );
    answers("MULTI\r\nRESET\r\nCLIENT GETNAME\r\n", "+OK\r\n+RESET\r\n$-1\r\n");
    answers("MULTI\r\nDISCARD\r\nCLIENT GETNAME\r\n", "+OK\r\n+DISCARD\r\n$-1\r\n");
    // An application without transactions refuses MULTI.
    let mut side = server();
    side.feed("MULTI\r\nCLIENT GETNAME\r\n");
    let open = side.poll().expect_open();
    side.fail(open.exchange, Status::unimplemented("ERR unknown command 'MULTI'"));
    assert_eq!(side.events(), []);
    assert_eq!(side.written(), b"-ERR unknown command 'MULTI'\r\n$-1\r\n");
}

#[test]
fn nothing_is_dispatched_before_the_password() {
    // Captured from redis-server.
    let noauth = "-NOAUTH Authentication required.\r\n";
    guarded_answers("PING\r\nCLIENT ID\r\nMULTI\r\n", &noauth.repeat(3), Rest::Need);
    guarded_answers("AUTH sekrit\r\nPING\r\n", "+OK\r\n+PING\r\n", Rest::Need);
    guarded_answers("AUTH default sekrit\r\n", "+OK\r\n", Rest::Need);
    guarded_answers("AUTH me sekrit\r\n", "+OK\r\n", Rest::Need);
    guarded_answers("AUTH sekrit\r\nRESET\r\nPING\r\n", &format!("+OK\r\n+RESET\r\n{noauth}"), Rest::Need);
    guarded_answers("RESET\r\n", "+RESET\r\n", Rest::Need);
    guarded_answers("AUTH\r\n", "-ERR wrong number of arguments for 'auth' command\r\n", Rest::Need);
    guarded_answers("AUTH a b c\r\n", "-ERR syntax error\r\n", Rest::Need);
    guarded_answers("QUIT\r\n", "+OK\r\n", Rest::Ended);
    let hello_noauth = "-NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH \
        <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same \
        time\r\n";
    guarded_answers("HELLO 3\r\n", hello_noauth, Rest::Need);
    guarded_answers("HELLO\r\n", hello_noauth, Rest::Need);
    guarded_answers("HELLO 4\r\n", "-NOPROTO unsupported protocol version\r\n", Rest::Need);
    let (written, rest) = talk_to(guarded(), "HELLO 3 AUTH default sekrit SETNAME me\r\nCLIENT GETNAME\r\n");
    assert!(
        written.starts_with("%7\r\n") && written.ends_with("$2\r\nme\r\n") && rest == Rest::Need,
        "{written}"
    );
    guarded_answers(
        "HELLO 3 AUTH default sekrit SETNAME 'a b'\r\nPING\r\n",
        "-ERR Client names cannot contain spaces, newlines or special characters.\r\n+PING\r\n",
        Rest::Need,
    );
    // redis-server goes on after a wrong password; here the connection is closed.
    let wrong = "-WRONGPASS invalid username-password pair or user is disabled.\r\n";
    guarded_answers("AUTH bad\r\nAUTH sekrit\r\n", wrong, Rest::Ended);
    guarded_answers("HELLO 3 AUTH default bad\r\n", wrong, Rest::Ended);
}

#[test]
fn strangers_may_announce_little() {
    // Captured from redis-server.
    guarded_answers("*11\r\n", &protocol_error("unauthenticated multibulk length"), Rest::Ended);
    guarded_answers("*10\r\n$16385\r\n", &protocol_error("unauthenticated bulk length"), Rest::Ended);
    guarded_answers("*1\r\n$16384\r\n", "", Rest::Need);
    let long = format!("*1\r\n$16385\r\n{}\r\n", "x".repeat(16_385));
    let (written, rest) = talk_to(guarded(), format!("AUTH sekrit\r\n{long}"));
    assert!(written.starts_with("+OK\r\n+xxx") && rest == Rest::Need);
}

#[test]
fn a_colon_in_a_name_or_password_is_part_of_it() {
    for (command, user, password) in [
        ("AUTH a:b c", Some("a:b"), "c"),
        ("AUTH a b:c", Some("a"), "b:c"),
        ("AUTH a:b:c", None, "a:b:c"),
        ("AUTH default a:b:c", None, "a:b:c"),
        ("HELLO 3 AUTH a:b c", Some("a:b"), "c"),
    ] {
        let mut side = guarded();
        let claim = side.feed(format!("{command}\r\n")).poll().expect_claim();
        assert_eq!((claim.user, claim.credential), (user.map(octets), Some(octets(password))), "{command}");
    }
}

fn octets(text: &str) -> polywire_machine_testing::Octets {
    text.as_bytes().into()
}

#[test]
fn authentication_is_asked_once_and_nothing_goes_on_before_the_verdict() {
    let mut side = guarded();
    side.feed("AUTH me sekrit\r\nPING\r\n");
    assert_eq!(side.poll().expect_claim().shown(), "AUTH me sekrit");
    assert_eq!(side.poll(), Seen::Blocked);
    side.authenticated(Ok(()));
    side.authenticated(Err(Status::unauthenticated("too late")));
    side.poll().expect_open();
    assert_eq!(side.written(), b"+OK\r\n");
}

#[test]
fn a_refused_command_is_an_error_line_and_the_next_goes_on() {
    let mut side = server();
    side.host.refuse_next(Status::resource_exhausted("too many\r\ncalls"));
    side.host.refuse_next(Status::unimplemented("no such command"));
    side.host.refuse_next(Status::permission_denied("not you"));
    side.feed("PING\r\nfoo 'a b' c\r\nPING\r\nPING\r\n");
    side.poll().expect_open();
    let refused = "-ERR too many  calls\r\n-ERR unknown command 'foo', with args beginning with: 'a b' 'c' \r\n-NOPERM not you\r\n";
    assert_eq!(String::from_utf8(side.written()).as_deref(), Ok(refused));
    assert_eq!(side.host.asked.len(), 4);
}

#[test]
fn a_failed_command_is_an_error_line_and_a_silent_one_is_ok() {
    let mut side = server();
    side.feed("a\r\nb\r\nc\r\nd\r\n");
    let open = side.poll().expect_open();
    side.fail(open.exchange, Status::failed_precondition("WRONGTYPE Operation against a key"));
    let open = side.poll().expect_open();
    side.finish(open.exchange, Outcome::default());
    let open = side.poll().expect_open();
    side.reply(&open, b""); // empty: the reply to a later command answers this one too
    let open = side.poll().expect_open();
    side.reset(open.exchange, Status::cancelled("gone"));
    assert_eq!(side.events(), []);
    assert_eq!(side.written(), b"-WRONGTYPE Operation against a key\r\n+OK\r\n-ERR gone\r\n");
}

fn long_set(length: usize) -> (Vec<u8>, Vec<u8>) {
    let head = format!("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n${length}\r\n").into_bytes();
    (head, [vec![b'v'; length], b"\r\n".to_vec()].concat())
}

#[test]
fn a_long_command_is_admitted_once_and_before_it_is_here() {
    let (head, body) = long_set(1_000_000);
    let mut side = server();
    assert_eq!(side.feed(&head).poll(), Seen::Need(body.len()));
    let asked = &side.host.asked[0];
    assert_eq!((asked.announced, asked.fed), (Some(head.len() + body.len()), head.len()));
    assert_eq!(asked.head.target, SeenTarget::Command(b"SET"[..].into()));
    assert!(matches!(side.feed_split(&body, &[300_000])[..], [Seen::Open(_), Seen::Blocked]));
    assert_eq!(side.host.asked.len(), 1);
}

#[test]
fn a_short_command_is_admitted_when_it_is_here() {
    let mut side = server();
    side.feed("*2\r\n$3\r\nGET\r\n$1\r\nk").events();
    assert_eq!(side.host.asked.len(), 0);
    side.feed("\r\n").events();
    assert_eq!((side.host.asked.len(), side.host.asked[0].announced), (1, None));
}

#[test]
fn a_long_command_that_is_refused_is_skipped_and_never_held() {
    let (head, body) = long_set(1_000_000);
    for route in [false, true] {
        let mut side = server();
        if route {
            side.host.route_next(Route {
                method: 0,
                max_message: 999_999,
                delivery: Delivery::Whole,
                ..Route::default()
            });
        } else {
            side.host.refuse_next(Status::resource_exhausted("no memory"));
        }
        side.feed(&head).events();
        for piece in body.chunks(7_777) {
            assert_eq!(side.feed(piece).events(), []);
            assert!(side.held() < 8, "{}", side.held());
        }
        let words: &[u8] = if route {
            b"-ERR a command of 1000032 bytes is longer than the limit of 999999\r\n"
        } else {
            b"-ERR no memory\r\n"
        };
        assert_eq!(side.written(), words);
        assert_eq!(side.feed("PING\r\n").poll().expect_open().body, b"*1\r\n$4\r\nPING\r\n");
        assert_eq!(side.host.asked.len(), 2);
    }
}

#[test]
fn a_short_command_over_its_methods_limit_is_refused() {
    let mut side = server();
    side.host.route_next(Route { method: 0, max_message: 13, delivery: Delivery::Whole, ..Route::default() });
    side.host.route_next(Route { method: 0, max_message: 14, delivery: Delivery::Whole, ..Route::default() });
    side.feed("PING\r\nPING\r\n");
    side.poll().expect_open();
    assert_eq!(side.written(), b"-ERR a command of 14 bytes is longer than the limit of 13\r\n");
}

#[test]
fn many_short_arguments_are_admitted_before_they_are_here() {
    let mut side = server();
    side.host.refuse_next(Status::resource_exhausted("no"));
    side.feed("*1048576\r\n");
    assert!(matches!(side.poll(), Seen::Need(_)));
    side.feed("$3\r\nDEL\r\n");
    assert!(matches!(side.poll(), Seen::Need(n) if n <= 16 << 10));
    assert_eq!(side.written(), b"-ERR no\r\n");
    let key = b"$1\r\nk\r\n";
    for keys in [1 << 10; 1023].into_iter().chain([1023]) {
        assert_eq!(side.feed(key.repeat(keys)).events(), []);
        assert!(side.held() < 16);
    }
    assert_eq!(side.feed("PING\r\n").poll().expect_open().body, b"*1\r\n$4\r\nPING\r\n");
}

#[test]
fn a_command_name_without_end_is_not_claimed() {
    let mut side = server();
    side.feed("*1\r\n$65537\r\nx");
    assert_eq!(side.poll().expect_error(), WireError::Malformed("bulk length"));
    let mut side = server();
    side.feed(format!("*1\r\n$60000\r\n{}\r\n", "x".repeat(60_000)));
    assert_eq!(side.poll().expect_open().body.len(), 4 + 8 + 60_002);
}

#[test]
fn a_peer_that_does_not_read_is_not_read() {
    let mut side = server().with_room(10);
    side.feed("A\r\nB\r\nC\r\n");
    assert_eq!(side.events_reacting(&mut application).len(), 4, "three commands, then Blocked");
    let mut side = server().with_room(5);
    side.feed("A\r\nB\r\nC\r\n");
    assert_eq!(side.events_reacting(&mut application).len(), 3);
    assert_eq!(side.poll(), Seen::Blocked);
    side.written();
    assert_eq!(side.resume(Wake::Room), Ok(()));
    side.poll().expect_open();
}

#[test]
fn pushes_go_between_replies_and_stop_for_a_slow_reader() {
    let mut side = server().with_room(20);
    side.feed("PING\r\n");
    let open = side.poll().expect_open();
    let push =
        Part { bytes: Bytes::from_static(b">1\r\n+hi\r\n").into(), end_of_message: true, ..Part::default() };
    assert!(side.send(Exchange::CONNECTION, &push).is_open());
    side.reply(&open, b"+PONG\r\n");
    assert_eq!(side.send(Exchange::CONNECTION, &push), Credit { bytes: 0, messages: u32::MAX });
    assert_eq!(side.poll(), Seen::Blocked);
    assert_eq!(side.written(), b">1\r\n+hi\r\n+PONG\r\n>1\r\n+hi\r\n");
    assert_eq!(side.resume(Wake::Room), Ok(()));
    let credit = Credit { bytes: 20, messages: u32::MAX };
    assert_eq!(side.poll(), Seen::Credit { exchange: Exchange::CONNECTION, credit });
    assert_eq!(side.poll(), Seen::Need(1));
    assert_eq!(side.send(open.exchange, &push), Credit::CLOSED);
}

#[test]
fn a_connection_ends_when_what_was_asked_is_answered() {
    for goodbye in [false, true] {
        let end = |side: &mut Side| match goodbye {
            true => side.goodbye(Goodbye::Drain),
            false => assert_eq!(side.resume(Wake::Eof), Ok(())),
        };
        let mut idle = server();
        end(&mut idle);
        assert_eq!(idle.events(), [Seen::Closed]);

        let mut busy = server();
        busy.feed("A\r\nB\r\n");
        let open = busy.poll().expect_open();
        end(&mut busy);
        assert_eq!(busy.poll(), Seen::Blocked);
        busy.reply(&open, b"+A\r\n");
        let open = busy.poll().expect_open();
        busy.reply(&open, b"+B\r\n");
        assert_eq!(busy.poll(), Seen::Closed);
        assert_eq!(busy.written(), b"+A\r\n+B\r\n");
    }
    let mut begun = server();
    begun.feed("*1\r\n$1\r\n");
    begun.goodbye(Goodbye::Drain);
    assert!(matches!(begun.poll(), Seen::Need(_)), "a command that has begun may end");
    begun.feed("A\r\n").poll().expect_open();
    begun.goodbye(Goodbye::Close);
    assert_eq!(begun.poll(), Seen::Blocked);
}

#[test]
fn a_stop_answers_commands_of_which_a_byte_had_come_and_no_later_ones() {
    let command = "*2\r\n$1\r\nA\r\n$1\r\nx\r\n";
    for (first, second) in
        [(command, command), ("A x\r\n", "A x\r\n"), (command, "A x\r\n"), ("*0\r\n", command)]
    {
        for cut in [0, 1, 5, second.len() - 1] {
            if cut >= second.len() {
                continue;
            }
            let mut side = server();
            let running = side.feed(command).poll().expect_open();
            side.feed(first).feed(&second[..cut]);
            side.goodbye(Goodbye::Drain);
            side.reply(&running, b"+1\r\n");
            let mut served = 1;
            let mut rest = Some(&second[cut..]);
            let end = loop {
                match side.poll() {
                    Seen::Open(open) => {
                        served += 1;
                        side.reply(&open, b"+n\r\n");
                    }
                    Seen::Need(_) if rest.is_some() => {
                        side.feed(rest.take().expect("it is there")).feed(command);
                    }
                    end => break end,
                }
            };
            let expected = 1 + usize::from(first != "*0\r\n") + usize::from(cut > 0);
            assert_eq!((served, end), (expected, Seen::Closed), "{first:?}, {second:?} cut at {cut}");
        }
    }

    // Most of a long command is not in the input of the machine when the stop begins.
    let mut side = server();
    let long = format!("*2\r\n$1\r\nA\r\n$70000\r\n{}\r\n", "x".repeat(70_000));
    side.feed(&long[..30]);
    assert!(matches!(side.poll(), Seen::Need(_)));
    side.goodbye(Goodbye::Drain);
    let open = side.feed(&long[30..]).feed(command).poll().expect_open();
    side.reply(&open, b"+1\r\n");
    assert_eq!(side.poll(), Seen::Closed);
}

#[test]
fn closing_at_once_answers_the_command_under_way_alone() {
    let mut side = server();
    side.feed("A\r\nB\r\n");
    let open = side.poll().expect_open();
    side.goodbye(Goodbye::Close);
    side.reply(&open, b"+A\r\n");
    assert_eq!(side.poll(), Seen::Closed);
    assert_eq!(side.written(), b"+A\r\n");
}

#[test]
fn noise_neither_panics_nor_is_hoarded() {
    let pipeline = hex(PIPELINE);
    let goldens: &[&[u8]] = &[
        &pipeline,
        b"HELLO 3 AUTH a b SETNAME c\r\nMULTI\r\nCLIENT GETNAME\r\nEXEC\r\nRESET\r\n",
        b"*4\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$1\r\nx\r\n",
        b"*2\r\n$4\r\nECHO\r\n$70000\r\n",
        b"*1048576\r\n$3\r\nDEL\r\n$1\r\na\r\n",
    ];
    survives_noise(server, goldens, 1, 1500);
    survives_noise(guarded, goldens, 2, 500);
}
