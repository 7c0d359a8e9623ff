//! Streaming methods, whose call is the stream.

use super::*;
use polywire_call::{Code, Status, brpc};
use polywire_wire::{Answer, Delivery, Part, Refusal, Route};

/// Routes of the three kinds.
const ONE_TO_MANY: Route = route(Delivery::Whole, true);
const MANY_TO_ONE: Route = route(Delivery::Messages, false);
const MANY_TO_MANY: Route = route(Delivery::Messages, true);

const fn route(delivery: Delivery, streamed: bool) -> Route {
    Route {
        method: 0,
        max_message: u32::MAX,
        caller: 0,
        way: 0,
        delivery,
        streamed,
        no_side_effects: false,
        upgrades: false,
    }
}

fn serving(route: Route) -> Side {
    server().hosted(|host| host.route(route))
}

/// A request of a foreign client: stream 5, which it reads and writes.
fn request(body: &[u8]) -> Vec<u8> {
    frame(&settings_meta("08 05 10 01 18 01"), body)
}

/// The reply to it, from stream `from`.
fn reply(from: u8) -> Vec<u8> {
    let meta = format!("12 02 08 00 18 00 20 82 80 80 80 10 42 06 08 0{from} 10 01 18 01 50 00 58 00 62 00");
    strm(&format!("08 05 10 0{from} 18 03 20 00"), &frame(&hex(&meta), b""))
}

fn talk() -> Call {
    Call::new("S", "M").parts_follow().streamed()
}

fn half() -> Part {
    Part { finished: true, ..Part::default() }
}

fn end_of_half(exchange: Exchange) -> Seen {
    Seen::Part {
        exchange,
        bytes: b"".as_slice().into(),
        end_of_message: false,
        finished: true,
        compression: Default::default(),
    }
}

/// A client and a server with a call of this kind between them, and the exchange of each.
fn between(call: &Call, route: Route) -> (Side, Exchange, Side, Exchange) {
    let (mut client, mut server) = (client(), serving(route));
    let ours = client.call(call);
    pass(&mut client, &mut server);
    let open = server.poll().expect_open();
    assert_eq!((open.streams.len(), open.finished), (0, route.delivery == Delivery::Whole));
    (client, ours, server, open.exchange)
}

#[test]
fn one_request_is_answered_by_messages_and_a_close() {
    let mut server = serving(ONE_TO_MANY);
    let open = server.feed(request(b"list")).poll().expect_open();
    assert_eq!((open.message(), open.finished), (&b"list"[..], true));
    server.events();
    assert_eq!(server.written(), b"", "the reply comes with the head of the answer");
    assert!(server.answer(open.exchange, &Answer::default()).is_open());
    assert_eq!(server.written(), reply(0));
    server.send_message(open.exchange, b"one", false);
    server.finish(open.exchange, Outcome::default());
    let expected = [strm("08 05 10 00 18 03 20 00", b"one"), strm("08 05 10 00 18 02", b"")].concat();
    assert_eq!(server.written(), expected);
}

#[test]
fn a_failure_before_the_head_is_the_reply_and_one_behind_it_an_rst() {
    let mut server = serving(ONE_TO_MANY);
    let open = server.feed(request(b"list")).poll().expect_open();
    server.fail(open.exchange, brpc::status(1234, "boom"));
    let written = server.written();
    assert!(written.windows(4).any(|bytes| bytes == b"boom") && written.starts_with(b"STRM"));
    let open = server.feed(request(b"list")).poll().expect_open();
    server.answer(open.exchange, &Answer::default());
    server.written();
    server.fail(open.exchange, brpc::status(1234, "boom"));
    assert_eq!(server.written(), strm("08 05 18 01", b""), "a foreign peer is not told why");
}

#[test]
fn a_method_that_takes_messages_replies_at_once() {
    let mut server = serving(MANY_TO_MANY);
    let open = server.feed(request(b"first")).poll().expect_open();
    assert_eq!((open.message(), open.finished), (&b"first"[..], false));
    assert_eq!(server.events(), [credit(open.exchange, WINDOW)]);
    assert_eq!(server.written(), reply(0));
    server.feed(strm("08 00 10 05 18 03 20 00", b"second"));
    assert_eq!(server.events(), [message(open.exchange, b"second")]);
    server.written();
    server.grant(open.exchange, 11, 2);
    server.events();
    assert_eq!(
        server.written(),
        b"",
        "six bytes were told before; the first message came with the call and does not count"
    );
    server.send_message(open.exchange, b"answer", false);
    assert_eq!(server.written(), strm("08 05 10 00 18 03 20 00", b"answer"));
}

#[test]
fn a_refusal_of_the_dispatcher_is_still_the_reply() {
    let mut server = serving(MANY_TO_MANY);
    let open = server.feed(request(b"")).poll().expect_open();
    server.fail(open.exchange, brpc::status(brpc::ELIMIT, "busy"));
    assert!(server.written().windows(4).any(|bytes| bytes == b"busy"));
    assert_eq!(server.events(), []);
    assert_eq!(server.written(), b"");
}

#[test]
fn a_client_that_closes_has_ended_its_messages() {
    let mut server = serving(MANY_TO_ONE);
    let open = server.feed(request(b"")).poll().expect_open();
    server.events();
    let close = strm("08 00 10 05 18 02", b"");
    let said = [strm("08 00 10 05 18 03 20 00", b"last"), close.clone()].concat();
    let exchange = open.exchange;
    let expected = [message(exchange, b"last"), end_of_half(exchange), Seen::Stopped { exchange }];
    assert_eq!(server.feed(said).events(), expected);
    server.written();
    server.finish(exchange, accept(b"the answer nobody hears"));
    assert_eq!(server.written(), b"");
    // A client that closes the stream of a call with one request and many answers cancels the call.
    let mut server = serving(ONE_TO_MANY);
    let open = server.feed(request(b"")).poll().expect_open();
    server.answer(open.exchange, &Answer::default());
    let events = server.feed(close).events();
    assert_eq!(reset_of(open.exchange, events.last().expect("an end")).code(), Code::Cancelled);
}

#[test]
fn a_method_has_one_stream_and_answers_if_the_client_reads() {
    for (settings, route) in [
        ("08 05 10 01 18 01 20 06", MANY_TO_MANY),
        ("08 05 10 01 18 00", ONE_TO_MANY),
        ("08 05 10 01 18 00", MANY_TO_MANY),
    ] {
        let mut server = serving(route);
        assert_eq!(server.feed(frame(&settings_meta(settings), b"body")).events(), []);
        assert_eq!(server.host.withdrawn, 1);
        assert_eq!(server.written()[..4], *b"STRM");
    }
    // A client that does not read answers may still send.
    let open = serving(MANY_TO_ONE).feed(frame(&settings_meta("08 05 10 01 18 00"), b"")).poll();
    open.expect_open();
}

#[test]
fn client_and_server_stream_both_ways_and_half_close() {
    let (mut client, ours, mut server, theirs) = between(&talk(), MANY_TO_MANY);
    let (by_client, by_server) = settle(&mut client, &mut server);
    assert_eq!(by_server, [credit(theirs, WINDOW)]);
    assert_eq!(by_client.len(), 2);
    assert!(matches!(by_client[0], Seen::Answer { exchange, .. } if exchange == ours));
    assert_eq!(by_client[1], credit(ours, WINDOW));
    client.send_message(ours, b"ping", false);
    server.send_message(theirs, b"pong", false);
    let (by_client, by_server) = settle(&mut client, &mut server);
    assert_eq!((by_client, by_server), (vec![message(ours, b"pong")], vec![message(theirs, b"ping")]));
    client.send(ours, &half());
    assert_eq!(settle(&mut client, &mut server).1, [end_of_half(theirs)]);
    server.send_message(theirs, b"and still I speak", false);
    server.finish(theirs, Outcome::default());
    let heard = settle(&mut client, &mut server).0;
    assert_eq!(heard, [message(ours, b"and still I speak"), ended(ours)]);
}

#[test]
fn client_and_server_exchange_the_reasons_of_resets() {
    let (mut client, ours, mut server, theirs) = between(&talk(), MANY_TO_MANY);
    settle(&mut client, &mut server);
    server.send_message(theirs, b"before", false);
    server.fail(theirs, brpc::status(1234, "boom"));
    let heard = settle(&mut client, &mut server).0;
    assert_eq!(heard[0], message(ours, b"before"));
    let why = reset_of(ours, &heard[1]);
    assert_eq!((brpc::number(&why), why.message()), (1234, "boom"));

    let (mut client, ours, mut server, theirs) = between(&talk(), MANY_TO_MANY);
    settle(&mut client, &mut server);
    client.reset(ours, Status::cancelled("enough"));
    let heard = settle(&mut client, &mut server).1;
    assert_eq!(reset_of(theirs, &heard[0]).code(), Code::Cancelled);
}

#[test]
fn many_messages_are_answered_by_one() {
    let (mut client, ours, mut server, theirs) = between(&Call::new("S", "M").parts_follow(), MANY_TO_ONE);
    assert_eq!(settle(&mut client, &mut server).0, [credit(ours, WINDOW)]);
    client.send_message(ours, b"one", false);
    client.send_message(ours, b"two", false);
    client.send(ours, &half());
    let expected = [message(theirs, b"one"), message(theirs, b"two"), end_of_half(theirs)];
    assert_eq!(settle(&mut client, &mut server).1, expected);
    server.finish(theirs, accept(b"both"));
    let (exchange, outcome) = settle(&mut client, &mut server).0[0].clone().expect_finish();
    assert_eq!((exchange, outcome.reply, &outcome.body[..]), (ours, true, &b"both"[..]));
}

#[test]
fn a_half_that_ends_before_the_reply_is_said_behind_it() {
    let (mut client, ours, mut server, theirs) = between(&talk(), MANY_TO_MANY);
    assert_eq!(client.send(ours, &half()), Credit::CLOSED);
    assert_eq!(client.written(), b"");
    assert_eq!(settle(&mut client, &mut server).1, [credit(theirs, WINDOW), end_of_half(theirs)]);
}

#[test]
fn brpcs_server_answers_an_upload_with_its_reply_and_gets_a_close() {
    let mut client = client();
    let ours = client.call(&Call::new("S", "M").parts_follow());
    client.written();
    let meta = "12 02 08 00 18 00 20 80 80 80 80 10 42 06 08 09 10 01 18 01 50 00 58 00 62 00";
    let data = "08 80 80 80 80 10 10 09 18 03 20 00";
    client.feed(strm(data, &frame(&hex(meta), b"thanks"))).events();
    client.send_message(ours, b"one", false);
    client.send(ours, &half());
    let [to, from] = ["08 09", "10 80 80 80 80 10"];
    let expected =
        [strm(&format!("{to} {from} 18 03 20 00"), b"one"), strm(&format!("{to} {from} 18 02"), b"")]
            .concat();
    assert_eq!(client.written(), expected);
    let (_, outcome) =
        client.feed(strm("08 80 80 80 80 10 10 09 18 02", b"")).events()[0].clone().expect_finish();
    assert_eq!(&outcome.body[..], b"thanks");
}

#[test]
fn a_foreign_server_may_answer_first_in_its_reply() {
    let mut client = client();
    let ours = client.call(&talk());
    client.written();
    let meta = "12 02 08 00 18 00 20 80 80 80 80 10 42 06 08 09 10 01 18 01 50 00 58 00 62 00";
    let data = "08 80 80 80 80 10 10 09 18 03 20 00";
    let events = client.feed(strm(data, &frame(&hex(meta), b"welcome"))).events();
    assert!(matches!(events[0], Seen::Answer { .. }));
    assert_eq!(events[1..], [credit(ours, WINDOW), message(ours, b"welcome")]);
    assert_eq!(client.written(), b"", "it is not counted");
}

#[test]
fn what_no_stream_can_carry_is_refused() {
    let mut client = client();
    let exchange = Exchange { token: 9, slot: 9 };
    let compressed = talk().compression(polywire_wire::Compression::GZIP);
    assert_eq!(client.open(exchange, &compressed), Err(Refusal::Compression));
    let both = Call { streams: vec![FIVE], ..talk() };
    assert_eq!(client.open(exchange, &both), Err(Refusal::Unsupported));
    assert_eq!(client.written(), b"");
}

#[test]
fn a_call_of_a_method_given_up_before_its_reply_is_told_so_late() {
    let (mut client, ours, mut server, theirs) = between(&talk(), MANY_TO_MANY);
    client.reset(ours, Status::cancelled(""));
    let (by_client, by_server) = settle(&mut client, &mut server);
    assert_eq!(by_client, []);
    assert_eq!(brpc::number(&reset_of(theirs, &by_server[1])), brpc::ECONNRESET);
}
