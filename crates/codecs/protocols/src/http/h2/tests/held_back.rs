//! Requests that the server delays: what they cost the peer that sent them, and what the host is told of
//! them.

use super::super::frame::{Kind, PREFACE, settings};
use super::Peer;
use super::peer::{POST, setting};
use polywire_machine_testing::{Seen, SeenOpen, Side};
use polywire_wire::{Delivery, Denied, Limits, Patience, Route, ServerSetup};
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);

/// A server that assembles at most 10 000 bytes of messages at a time, with windows of 1000 bytes, and starts
/// no request while more than 1000 bytes of replies are unread.
fn side(authenticate: bool, delivery: Delivery) -> Side {
    let patience = Patience::DEFAULT.queued(1000).stall(None);
    let limits = Limits::default().window(1000).window_growth(0).max_message(10_000).patience(patience);
    let setup = ServerSetup { limits, authenticate, ..ServerSetup::default() };
    let side = Side::new(&super::PROTOCOL, setup);
    side.hosted(|host| host.route(Route { max_message: 10_000, delivery, ..Route::default() }))
}

/// A client of that server which reads no replies.
fn peer(authenticate: bool, delivery: Delivery) -> Peer {
    let mut peer = Peer::greeting(side(authenticate, delivery));
    peer.frame(Kind::SETTINGS, 0, 0, &setting(settings::INITIAL_WINDOW_SIZE, 0));
    peer.events();
    peer.said();
    peer
}

fn call(peer: &mut Peer, stream: u32, end: bool, fields: &[(&str, &str)]) {
    peer.headers(stream, end, &[&POST[..], fields].concat());
}

fn open_window(peer: &mut Peer, stream: u32) {
    peer.frame(Kind::WINDOW_UPDATE, 0, stream, &5000u32.to_be_bytes());
}

fn opened(seen: Vec<Seen>) -> SeenOpen {
    match <[Seen; 1]>::try_from(seen) {
        Ok([Seen::Open(open)]) => open,
        other => panic!("expected one Open, saw {other:?}"),
    }
}

fn asks(seen: &[Seen]) -> bool {
    matches!(seen, [Seen::Authenticate(_), Seen::Blocked])
}

fn oldest(peer: &mut Peer) -> Option<Instant> {
    peer.side.command(|machine, _| machine.oldest())
}

fn give_up(peer: &mut Peer) -> u32 {
    let begun = peer.side.now() - MINUTE;
    peer.side.command(|machine, cx| machine.give_up(cx, begun))
}

fn wait(peer: &mut Peer, seconds: u64) {
    peer.side.wait(Duration::from_secs(seconds)).expect("the connection lives");
}

/// A peer whose request on stream 3 has these fields and waits, because the reply to stream 1 is unread; its
/// credential was checked before.
fn parked(max_message: u32, fields: &[(&str, &str)]) -> Peer {
    let mut peer = peer(true, Delivery::Messages);
    peer.side.host.route(Route { max_message, delivery: Delivery::Messages, ..Route::default() });
    call(&mut peer, 1, true, &[("authorization", "a")]);
    assert!(asks(&peer.events()));
    peer.side.authenticated(Ok(()));
    let first = opened(peer.events());
    call(&mut peer, 3, false, &[&[("authorization", "b")], fields].concat());
    assert!(asks(&peer.events()));
    peer.side.reply(&first, [7; 2000]);
    peer.side.authenticated(Ok(()));
    assert_eq!(peer.events(), []);
    assert_eq!(peer.side.host.denied, [Denied::Request]);
    peer.said();
    peer
}

const LONG: [(&str, &str); 2] = [("content-type", "application/json"), ("content-length", "5000")];

/// The body of a request that waits for its handler arrives during the wait.
#[test]
fn a_request_that_waits_for_its_handler_is_not_late() {
    for complete in [true, false] {
        let mut peer = parked(10_000, &LONG);
        // The reply is sent just when another request comes, whose own reply is not read either: both bodies
        // are accepted, and one request still waits.
        open_window(&mut peer, 1);
        call(&mut peer, 5, false, &[&[("authorization", "b")][..], &LONG].concat());
        let seen = peer.side.events_reacting(&mut |side, seen| {
            if let Seen::Open(open) = seen {
                side.reply(open, [7; 2000]);
            }
        });
        assert_eq!(opened(seen).exchange.token, 5);
        let said = peer.said();
        assert!(said.iter().any(|said| *said == "WINDOW_UPDATE 3 4000"), "{said:?}");
        peer.data(3, complete, &vec![1; if complete { 5000 } else { 4000 }]);
        assert_eq!(peer.events(), []);
        assert_eq!(oldest(&mut peer), None, "its peer is not waited for");
        wait(&mut peer, 600);
        assert_eq!((give_up(&mut peer), peer.events()), (0, vec![]));
        // Now the request begins.
        open_window(&mut peer, 5);
        let mut seen = peer.events();
        let third = opened(seen.drain(..1).collect());
        assert_eq!(third.exchange.token, 3);
        assert_eq!(seen.len(), usize::from(complete), "{seen:?}");
        let begun = peer.side.now();
        assert_eq!(oldest(&mut peer), Some(begun).filter(|_| !complete));
        wait(&mut peer, 60);
        assert_eq!(give_up(&mut peer), u32::from(!complete));
        let seen = peer.events();
        let reset = seen
            .iter()
            .any(|seen| matches!(seen, Seen::Reset { exchange, .. } if *exchange == third.exchange));
        assert_eq!(reset, !complete, "{seen:?}");
        assert_eq!((peer.side.host.asked.len(), peer.side.host.withdrawn), (3, 0));
    }
}

/// The host is told only that a request was withdrawn, whatever ended it, if it was never told of the request
/// itself.
#[test]
fn a_request_that_waits_for_its_handler_and_fails_is_withdrawn() {
    let too_long = [1; 600];
    let cases: [(&str, &[u8]); 3] =
        [("application/json", &too_long), ("application/grpc-web-text", b"!!!!"), ("application/json", b"")];
    for (kind, data) in cases {
        let mut peer = parked(500, &[("content-type", kind)]);
        match data {
            [] => peer.frame(Kind::RST_STREAM, 0, 3, &8u32.to_be_bytes()),
            data => peer.data(3, false, data),
        };
        assert_eq!(peer.events(), [], "{kind}");
        assert_eq!((peer.side.host.asked.len(), peer.side.host.withdrawn), (2, 1), "{kind}");
        // Nothing of it is left to start when there is room.
        open_window(&mut peer, 1);
        assert_eq!(peer.events(), [], "{kind}");
    }
}

/// The upload's window stays closed because the peer does not read the reply of another call.
#[test]
fn an_upload_that_this_side_holds_back_does_not_make_its_connection_late() {
    let is_patient = |peer: &mut Peer| peer.side.command(|machine, _| machine.is_patient());
    let mut peer = peer(false, Delivery::Messages);
    let first = opened(peer.post(1, true).events());
    opened(peer.post(3, false).events());
    peer.data(3, false, &[1; 600]);
    peer.events();
    assert_eq!(oldest(&mut peer), Some(peer.side.now()), "2000 bytes may come");
    assert!(!is_patient(&mut peer));
    peer.side.reply(&first, [7; 2000]);
    peer.data(3, false, &[1; 900]);
    peer.events();
    assert_eq!(oldest(&mut peer), None, "as much again has to wait");
    assert!(peer.side.command(|machine, _| machine.is_receiving()));
    assert!(is_patient(&mut peer));
    wait(&mut peer, 600);
    assert_eq!(give_up(&mut peer), 0);
    open_window(&mut peer, 1);
    peer.events();
    assert_eq!(oldest(&mut peer), Some(peer.side.now()));
    assert!(!is_patient(&mut peer));
}

#[test]
fn the_time_of_an_authenticator_is_no_bodys() {
    let mut peer = peer(true, Delivery::Whole);
    let length = ("content-length", "20");
    call(&mut peer, 1, false, &[("authorization", "a"), length]);
    assert!(asks(&peer.events()));
    wait(&mut peer, 5);
    peer.side.authenticated(Ok(()));
    assert_eq!(peer.events(), []);
    peer.data(1, false, &[1; 10]);
    wait(&mut peer, 30);
    // Nothing is read while the next credential is checked.
    call(&mut peer, 3, true, &[("authorization", "b")]);
    assert!(asks(&peer.events()));
    wait(&mut peer, 300);
    assert_eq!(give_up(&mut peer), 0);
    peer.side.authenticated(Ok(()));
    assert_eq!(opened(peer.events()).exchange.token, 3);
    assert_eq!(oldest(&mut peer), Some(peer.side.now() - Duration::from_secs(30)));
    wait(&mut peer, 29);
    assert_eq!(give_up(&mut peer), 0);
    wait(&mut peer, 1);
    assert_eq!(give_up(&mut peer), 1);
}

/// What the peer has sent in time stays unread while the authenticator runs.
#[test]
fn the_time_of_an_authenticator_is_not_that_of_an_acknowledgement() {
    let mut peer = Peer::new(side(true, Delivery::Whole));
    peer.side.feed(PREFACE);
    peer.frame(Kind::SETTINGS, 0, 0, b"");
    call(&mut peer, 1, true, &[("authorization", "a")]);
    assert!(asks(&peer.events()));
    peer.frame(Kind::SETTINGS, 1, 0, b"");
    wait(&mut peer, 60);
    peer.side.authenticated(Ok(()));
    assert_eq!(opened(peer.events()).exchange.token, 1);
}
