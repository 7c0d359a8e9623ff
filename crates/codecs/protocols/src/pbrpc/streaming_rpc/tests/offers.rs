//! Streams that are offered inside calls: accepted, ignored, refused, cancelled.

use super::*;
use polywire_call::{Code, Status, brpc};
use polywire_wire::{ClientSetup, Denied, Refusal, Route, ServerSetup};

#[test]
fn a_reply_is_wrapped_whether_it_accepts_or_not() {
    let (mut server, call) = opened();
    server.finish(call, Outcome { accept: false, ..accept(b"\x0a\x05hello") });
    let written = server.written();
    // "source_stream_id = server's first id or -1 if not accepted"
    let meta = "08 05 10 ff ff ff ff ff ff ff ff ff 01 18 03 20 00";
    let reply = frame(&hex("12 02 08 00 18 00 20 82 80 80 80 10 50 00 58 00 62 00"), b"\x0a\x05hello");
    assert_eq!(written, strm(meta, &reply));
    for (stream, seen) in [NINE, TEN].into_iter().zip(server.events()) {
        assert_eq!(brpc::number(&reset_of(stream, &seen)), brpc::EREQUEST);
    }

    let mut client = client();
    client.open(CALL, &hello()).expect("room");
    client.written();
    let events = client.feed(written).events();
    let (exchange, outcome) = events[0].clone().expect_finish();
    assert_eq!((exchange, brpc::number(&outcome.status)), (CALL, brpc::EREQUEST));
    assert_eq!(outcome.status.message(), "The server didn't accept the stream");
    assert_eq!(events[1..].iter().filter_map(Seen::exchange).collect::<Vec<_>>(), [FIVE, SIX]);
    assert_eq!(client.written(), b"");
}

#[test]
fn a_failure_is_wrapped_too() {
    let (mut server, call) = opened();
    server.fail(call, brpc::status(1234, "boom"));
    let written = server.written();
    assert_eq!(written[..4], *b"STRM");
    assert_eq!(server.events().len(), 2, "both streams end with it");

    let mut client = client();
    client.open(CALL, &hello()).expect("room");
    let events = client.feed(written).events();
    let (_, outcome) = events[0].clone().expect_finish();
    assert_eq!((brpc::number(&outcome.status), outcome.status.message()), (1234, "boom"));
    assert_eq!(reset_of(FIVE, &events[1]).code(), Code::Unknown);
    assert_eq!(reset_of(SIX, &events[2]).code(), Code::Unknown);
}

#[test]
fn what_is_refused_before_it_is_opened_is_wrapped_too() {
    let mut server = server();
    server.host.refuse_next(brpc::status(brpc::ENOMETHOD, "no"));
    server.host.route_next(Route { max_message: 5, ..Route::default() });
    let wrong_attachment = {
        let mut meta = settings_meta("08 05 10 01 18 01");
        meta.extend(hex("28 64"));
        frame(&meta, b"short")
    };
    for (request, number) in
        [(example_1(), brpc::ENOMETHOD), (example_1(), brpc::EREQUEST), (wrong_attachment, brpc::EREQUEST)]
    {
        assert_eq!(server.feed(request).events(), []);
        let mut client = client();
        client.open(CALL, &hello()).expect("room");
        let (_, outcome) = client.feed(server.written()).poll().expect_finish();
        assert_eq!(brpc::number(&outcome.status), number);
    }
    assert_eq!(server.feed(example_1()).events().len(), 1, "the connection goes on");
}

#[test]
fn only_a_credential_that_is_turned_down_is_answered_without_a_frame_around_it() {
    let setup = ServerSetup { authenticate: true, ..ServerSetup::default() };
    let mut server = Side::new(&baidu_std::PROTOCOL, setup);
    server.feed(example_1()).poll();
    server.authenticated(Err(Status::unauthenticated("")));
    assert_eq!(server.written()[..4], *b"PRPC");
}

#[test]
fn a_credential_that_is_accepted_lets_the_streams_in() {
    let setup = ServerSetup { authenticate: true, ..ServerSetup::default() };
    let mut server = Side::new(&baidu_std::PROTOCOL, setup);
    assert!(matches!(server.feed(example_1()).poll(), Seen::Authenticate { .. }));
    assert_eq!(server.feed(example_3()).poll(), Seen::Blocked);
    server.authenticated(Ok(()));
    assert_eq!(server.poll().expect_open().streams.len(), 2);
}

#[test]
fn another_number_of_streams_than_offered_is_refused() {
    let mut client = client();
    let one = Call { streams: vec![FIVE], ..hello() };
    client.open(CALL, &one).expect("room");
    client.written();
    let events = client.feed(example_2()).events();
    let (_, outcome) = events[0].clone().expect_finish();
    assert_eq!(brpc::number(&outcome.status), brpc::ERESPONSE);
    assert_eq!(brpc::number(&reset_of(FIVE, &events[1])), brpc::ERESPONSE);
    // "for every server id received in stream_settings an RST is sent"
    assert_eq!(client.written(), [example_6(), strm("08 0a 18 01", b"")].concat());
}

#[test]
fn a_malformed_reply_fails_the_call() {
    for inner in [&b""[..], b"PRPC", b"nonsense that is no frame at all"] {
        let mut client = client();
        client.open(CALL, &hello()).expect("room");
        let events = client.feed(strm("08 05 10 09 18 03 20 00", inner)).events();
        let (exchange, outcome) = events[0].clone().expect_finish();
        assert_eq!((exchange, brpc::number(&outcome.status)), (CALL, 71)); // EPROTO
        assert_eq!(events.len(), 3);
    }
    // A reply to another call.
    let mut client = client();
    client.open(Exchange { token: 7, slot: 7 }, &hello()).expect("room");
    client.written();
    let (exchange, outcome) = client.feed(example_2()).events()[0].clone().expect_finish();
    assert_eq!((exchange.token, brpc::number(&outcome.status)), (7, 71));
    assert_eq!(client.written(), [example_6(), strm("08 0a 18 01", b"")].concat());
}

#[test]
fn a_reply_may_come_in_segments_and_behind_those_of_calls() {
    let mut client = client();
    client.open(CALL, &hello()).expect("room");
    let other = client.call(&Call::new("S", "M"));
    let reply = &example_2()[20..];
    let (head, tail) = reply.split_at(30);
    let plain = frame(&hex("12 02 08 00 18 00 20 80 80 80 80 10 50 00 58 00 62 00"), b"x");
    let bytes =
        [strm("08 05 10 09 18 03 20 01", head), plain, strm("08 05 10 09 18 03 20 00", tail)].concat();
    let events = client.feed(bytes).events();
    assert_eq!(events[0].clone().expect_finish().0, other);
    assert!(events[1].clone().expect_finish().1.accept);
}

#[test]
fn data_for_a_further_stream_may_come_before_the_reply() {
    let mut client = client();
    client.open(CALL, &hello()).expect("room");
    client.written();
    assert_eq!(client.feed(strm("08 06 10 0a 18 03 20 00", b"early")).events(), [message(SIX, b"early")]);
    assert_eq!(client.written(), b"", "there is nobody to tell yet");
    client.grant(SIX, 5, 1);
    client.feed(example_2()).events();
    // FEEDBACK to stream 10, from stream 6: "send the feedback after connecting"
    assert_eq!(client.written(), strm("08 0a 10 06 18 04 2a 02 08 05", b""));
}

#[test]
fn a_server_may_write_right_behind_its_reply() {
    let (mut server, call) = opened();
    server.finish(call, accept(b""));
    server.send_message(TEN, b"first", false);
    let mut client = client();
    client.open(CALL, &hello()).expect("room");
    pass(&mut server, &mut client);
    let events = client.events();
    assert!(events[0].clone().expect_finish().1.accept);
    assert_eq!(events.last(), Some(&message(SIX, b"first")));
}

#[test]
fn a_call_given_up_ends_its_streams_and_a_late_reply_is_told_so() {
    let mut client = client();
    client.open(CALL, &hello()).expect("room");
    client.written();
    client.reset(CALL, Status::deadline_exceeded(""));
    let events = client.events();
    assert_eq!(events.iter().filter_map(Seen::exchange).collect::<Vec<_>>(), [FIVE, SIX]);
    assert_eq!(client.feed(example_2()).events(), []);
    // "RST is sent for stream_id and each extra id."
    assert_eq!(client.written(), [example_6(), strm("08 0a 18 01", b"")].concat());
    assert_eq!(client.feed(example_2()).events(), []);
    assert_eq!(client.written(), example_6(), "from now on the stream is unknown");
}

#[test]
fn a_late_reply_to_a_call_with_one_stream_is_answered_by_rst() {
    let mut client = client();
    client.open(CALL, &Call { streams: vec![FIVE], ..hello() }).expect("room");
    client.written();
    client.reset(CALL, Status::deadline_exceeded(""));
    client.events();
    assert_eq!(client.feed(example_2()).events(), []);
    assert_eq!(client.written(), example_6());
}

#[test]
fn a_stream_that_ended_before_its_reply_is_accepted_and_closed() {
    let (mut server, call) = opened();
    server.finish(NINE, Outcome::default());
    assert_eq!(server.written(), b"");
    server.finish(call, accept(b"\x0a\x05hello"));
    assert_eq!(server.written(), [example_2(), strm("08 05 10 09 18 02", b"")].concat());
    assert_eq!(server.events(), [credit(TEN, WINDOW)]);
}

#[test]
fn a_peer_that_reads_no_messages_is_sent_none() {
    let mut server = server();
    // need_feedback and no writable: a client without a handler
    let open = server.feed(frame(&settings_meta("08 05 10 01 18 00"), b"")).poll().expect_open();
    let stream = open.streams[0];
    server.finish(open.exchange, accept(b""));
    server.written();
    assert_eq!(server.events(), [Seen::Stopped { exchange: stream }]);
    assert_eq!(server.send_message(stream, b"nobody hears it", false), Credit::OPEN);
    assert_eq!(server.written(), b"");
    let data = strm("08 01 10 05 18 03 20 00", b"heard");
    assert_eq!(server.feed(data).events(), [message(stream, b"heard")]);
}

#[test]
fn streams_of_a_connection_are_bounded() {
    let limits = Limits::default().streams(5);
    let mut server = server_with(limits);
    assert_eq!(server.feed(example_1()).events().len(), 1, "two streams and their call");
    assert_eq!(server.feed(example_1()).events().len(), 1, "five, and six with the call");
    assert_eq!(server.feed(example_1()).events(), []);
    assert_eq!(server.host.withdrawn, 1);
    assert_eq!(server.host.denied, [Denied::Request], "it is counted");
    let mut client = Side::new(&PROTOCOL, ClientSetup { limits, ..ClientSetup::default() });
    client.open(CALL, &hello()).expect("room");
    let (_, outcome) = client.feed(server.written()).poll().expect_finish();
    assert_eq!(brpc::number(&outcome.status), brpc::ELIMIT);
    let many =
        |n| Call { streams: (0..n).map(|n| Exchange { token: n, slot: n as u32 }).collect(), ..hello() };
    assert_eq!(client.open(CALL, &many(5)), Err(Refusal::TooLarge));
    assert!(client.open(CALL, &many(4)).is_ok());
    assert_eq!(client.open(Exchange { token: 20, slot: 20 }, &hello()), Err(Refusal::Streams));
}

#[test]
fn thousands_of_streams_share_a_connection() {
    let limits = Limits::default().streams(5000);
    let mut server = server_with(limits);
    let mut client = Side::new(&PROTOCOL, ClientSetup { limits, ..ClientSetup::default() });
    let ours: Vec<_> = (10..4010).map(|n| Exchange { token: 1 << 32 | n, slot: n as u32 }).collect();
    client.open(CALL, &Call { streams: ours.clone(), ..hello() }).expect("room");
    pass(&mut client, &mut server);
    let open = server.poll().expect_open();
    assert_eq!(open.streams.len(), 4000);
    server.finish(open.exchange, accept(b""));
    settle(&mut client, &mut server);
    for (n, (&ours, &theirs)) in ours.iter().zip(&open.streams).enumerate() {
        client.send_message(ours, n.to_string(), false);
        server.send_message(theirs, n.to_string(), false);
    }
    let (by_client, by_server) = settle(&mut client, &mut server);
    for (n, (&ours, &theirs)) in ours.iter().zip(&open.streams).enumerate() {
        assert_eq!(by_client[n], message(ours, n.to_string().as_bytes()));
        assert_eq!(by_server[n], message(theirs, n.to_string().as_bytes()));
    }
    ours.iter().for_each(|&stream| client.finish(stream, Outcome::default()));
    assert_eq!(settle(&mut client, &mut server).1.len(), 4000);
    // All slots are free again.
    client.open(CALL, &Call { streams: ours, ..hello() }).expect("room");
    pass(&mut client, &mut server);
    assert_eq!(server.poll().expect_open().streams.len(), 4000);
}
