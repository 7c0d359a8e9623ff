//! The meta commands: lines of docs/wire/memcache_meta.md, which memcached 1.6.18 has answered and sent.

use super::{call, finished, with_calls};
use crate::memcache::META;
use polywire_call::Code;
use polywire_machine_testing::{Rest, Seen, Side, at_every_split_reacting, at_every_truncation};
use polywire_wire::{ClientSetup, Exchange, Refusal};

fn calls(bodies: &[&str]) -> impl Fn() -> Side + use<> {
    with_calls(&META, bodies.iter().map(|body| body.as_bytes().to_vec()).collect())
}

#[test]
fn replies_find_their_calls_by_order_however_they_arrive() {
    let bodies = [
        "ms k 5 F7 T60 c O1\r\nwo\r\nr\r\n",
        "mg k v f c O2\r\n",
        "mg none v O3\r\n",
        "ma n N0 J5 v O4\r\nme k\r\nversion\r\n",
    ];
    let replies = [
        "HD c1 O1\r\n",
        "VA 5 f7 c1 O2\r\nwo\r\nr\r\n",
        "EN\r\n",
        "VA 1 O4\r\n5\r\nME k exp=-1 la=0\r\nVERSION 1.6.18\r\n",
    ];
    let run = at_every_split_reacting(calls(&bodies), |_, _| {}, replies.concat().as_bytes());
    let seen: Vec<_> = run.seen.into_iter().map(|seen| finished(seen).1.body.0).collect();
    assert_eq!(seen, replies.map(|reply| reply.as_bytes().to_vec()));
    assert_eq!(run.rest, Rest::Need);
}

#[test]
fn a_quiet_batch_ends_with_its_fence_whatever_is_left_out() {
    let batch = "mg a v k q O1\r\nms b 1 q O2\r\nx\r\nmg c v k q O3\r\nmn\r\n";
    for replies in [
        "MN\r\n",
        "VA 1 ka O1\r\nx\r\nMN\r\n",
        "NS O2\r\nMN\r\n",
        "VA 0 kc O3\r\n\r\nMN\r\n",
        "VA 1 O1\r\nx\r\nEX O2\r\nVA 1 O3\r\ny\r\nMN\r\n",
    ] {
        let run = at_every_split_reacting(calls(&[batch]), |_, _| {}, replies.as_bytes());
        let [seen] = <[_; 1]>::try_from(run.seen).expect("one end");
        assert_eq!(finished(seen).1.body.0, replies.as_bytes());
    }
}

#[test]
fn no_reply_is_told_before_it_is_whole() {
    at_every_truncation(calls(&["mg k v\r\n"]), b"VA 4 f0\r\n\r\n\r\n\r\n");
    at_every_truncation(calls(&["mg a v q O1\r\nmn\r\n"]), b"VA 1 O1\r\nx\r\nMN\r\n");
    at_every_truncation(calls(&["ms a 1\r\nx\r\n"]), b"SERVER_ERROR out of memory storing object\r\n");
}

#[test]
fn an_error_line_is_a_reply() {
    for line in [
        "ERROR\r\n",
        "CLIENT_ERROR bad command line format\r\n",
        "SERVER_ERROR object too large for cache\r\n",
    ] {
        let mut side = calls(&["ms k 1 O1\r\nx\r\n"])();
        assert_eq!(finished(side.feed(line).poll()).1.body.0, line.as_bytes());
    }
}

/// `CLIENT_ERROR unauthenticated` answers each request, the fence too.
#[test]
fn errors_of_a_quiet_batch_belong_to_any_of_its_requests() {
    let batch = "mg a v q O1\r\nms b 1 O2\r\nx\r\nmg c v q O3\r\nmn\r\n";
    for replies in [
        "SERVER_ERROR x\r\nHD O2\r\nMN\r\n",
        "SERVER_ERROR x\r\nMN\r\n",
        "HD O2\r\nSERVER_ERROR x\r\nMN\r\n",
        "SERVER_ERROR x\r\nVA 1 O3\r\ny\r\nMN\r\n",
        "CLIENT_ERROR x\r\nCLIENT_ERROR x\r\nCLIENT_ERROR x\r\nCLIENT_ERROR x\r\n",
    ] {
        let run = at_every_split_reacting(calls(&[batch]), |_, _| {}, replies.as_bytes());
        let [seen] = <[_; 1]>::try_from(run.seen).expect(replies);
        assert_eq!(finished(seen).1.body.0, replies.as_bytes());
    }
}

#[test]
fn what_could_not_be_answered_never_leaves() {
    let long = format!("mg {}\r\n", "k".repeat(251));
    let endless = format!("mg k {}\r\n", "v ".repeat(2000));
    for body in [
        "",
        "mg k q\r\n",
        "mg k",
        "mg k\n",
        "mg\r\n",
        "ms k\r\n",
        "ms k x\r\nx\r\n",
        "mg a q\r\nmg b\r\n",
        "ms k 2\r\nx\r\n",
        "ms k 1\r\nxyz",
        "get k\r\n",
        "quit\r\n",
        "flush_all noreply\r\n",
        "ms k 99999999999\r\nx\r\n",
        &long,
        &endless,
    ] {
        let mut side = Side::client(&META);
        let exchange = side.call(&call(body));
        let (finished, outcome) = side.poll().expect_finish();
        assert_eq!((finished, outcome.status.code()), (exchange, Code::InvalidArgument), "{body:?}");
        assert_eq!(side.written(), b"");
    }
}

#[test]
fn a_credential_is_shown_by_the_first_command() {
    let setup = |credential| ClientSetup { credential: Some(credential), ..ClientSetup::default() };
    let mut side = Side::new(&META, setup(b"user:pass"));
    side.call(&call("mn\r\n"));
    assert!(matches!(side.poll(), Seen::Need(_)));
    assert_eq!(side.written(), b"set auth 0 0 9\r\nuser pass\r\n");
    side.feed("STORED\r\n").events();
    assert_eq!(side.written(), b"mn\r\n");
    finished(side.feed("MN\r\n").poll());

    let mut side = Side::new(&META, setup(b"user:wrong"));
    side.call(&call("mn\r\n"));
    side.poll();
    side.written();
    let events = side.feed("CLIENT_ERROR authentication failure\r\n").events();
    let Some(Seen::Reset { why, .. }) = events.first() else { panic!("{events:?}") };
    assert_eq!(why.code(), Code::Unauthenticated);
    assert!(why.message().contains("authentication failure"), "{}", why.message());

    let mut side = Side::new(&META, setup(b"us er:pass"));
    assert_eq!(side.open(Exchange { token: 1, slot: 0 }, &call("mn\r\n")), Err(Refusal::Credential));
}
