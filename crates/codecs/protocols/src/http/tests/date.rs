//! RFC 9110 6.6.1: replies have a `date`.

use super::{lines, opened, said, server};
use crate::http::h2;
use polywire_call::{Code, Metadata, Status, brpc};
use polywire_machine_testing::{Call, Seen, SeenOutcome, Side, pass};
use polywire_wire::{Answer, Content, Delivery, Outcome, Protocol};
use std::time::{Duration, SystemTime};

const GET: &str = "GET / HTTP/1.1|Host: x||";

/// A side whose wall clock shows `Sun, 06 Nov 1994 08:49:37 GMT`, and a quarter of a second.
fn dated(side: Side) -> Side {
    let now = side.now();
    side.hosted(|host| {
        host.calendar = Some((now, SystemTime::UNIX_EPOCH + Duration::from_millis(784_111_777_250)));
    })
}

fn ok(fields: &[(&str, &str)]) -> Outcome {
    let fields: Metadata = fields.iter().copied().collect();
    let headers = (!fields.is_empty()).then(|| Box::new(fields));
    Outcome { body: "{}".into(), content: Content::JSON, reply: true, headers, ..Outcome::default() }
}

#[test]
fn a_reply_has_a_date() {
    let mut side = dated(server());
    for (wait, date) in [(0, "08:49:37"), (700, "08:49:37"), (100, "08:49:38"), (3_600_000, "09:49:38")] {
        side.wait(Duration::from_millis(wait)).unwrap();
        let open = opened(&mut side, GET);
        side.finish(open.exchange, ok(&[]));
        let head = "HTTP/1.1 200 OK|Content-Type: application/json|Content-Length: 2|";
        assert_eq!(said(&mut side), format!("{head}Date: Sun, 06 Nov 1994 {date} GMT||{{}}"));
    }
}

#[test]
fn refusals_and_final_replies_have_a_date_and_interim_ones_have_none() {
    const DATE: &str = "|Date: Sun, 06 Nov 1994 08:49:37 GMT|";
    let mut side = dated(server());
    let open = opened(&mut side, GET);
    side.finish(
        open.exchange,
        Outcome { status: brpc::status(brpc::ENOMETHOD, "why"), ..Outcome::default() },
    );
    let refused = said(&mut side);
    assert!(refused.starts_with("HTTP/1.1 404 ") && refused.contains(DATE), "{refused}");

    let mut side = dated(server());
    side.feed(lines("GET / HTTP/1.1|Host: x|bad field: y||"));
    side.poll();
    let goodbye = said(&mut side);
    assert!(goodbye.starts_with("HTTP/1.1 400 ") && goodbye.contains(DATE), "{goodbye}");

    let mut side = dated(server());
    side.feed(lines("POST / HTTP/1.1|Host: x|Expect: 100-continue|Content-Length: 2||"));
    side.poll();
    assert_eq!(said(&mut side), "HTTP/1.1 100 Continue||");
}

#[test]
fn a_streamed_answer_has_a_date_in_its_head() {
    let mut side = dated(server()).hosted(|host| host.deliver(Delivery::Pieces));
    let open = opened(&mut side, GET);
    side.answer(open.exchange, &Answer { status: 200, ..Answer::default() });
    let head = said(&mut side);
    assert!(head.contains("|Date: Sun, 06 Nov 1994 08:49:37 GMT|"), "{head}");
}

#[test]
fn a_date_of_the_handlers_own_is_the_only_one() {
    let own = ("dAte", "Thu, 01 Jan 1970 00:00:00 GMT");
    let mut side = dated(server());
    let open = opened(&mut side, GET);
    side.finish(open.exchange, ok(&[own]));
    let head = said(&mut side);
    assert!(head.contains("|dAte: Thu, 01 Jan 1970 00:00:00 GMT|"), "{head}");
    assert_eq!(head.to_ascii_lowercase().matches("date:").count(), 1, "{head}");

    let (mut client, mut server) = (Side::client(&h2::PROTOCOL), dated(Side::server(&h2::PROTOCOL)));
    let outcome = call(
        &mut client,
        &mut server,
        Content::JSON,
        Outcome { content: Content::RAW, ..ok(&[("date", own.1)]) },
    );
    let dates: Vec<_> = outcome.trailers.iter().filter(|(name, _)| name == "date").collect();
    assert_eq!(dates, [&("date".to_owned(), own.1.as_bytes().into())]);
}

/// Makes one call, which the server answers with this outcome.
fn call(client: &mut Side, server: &mut Side, content: Content, reply: Outcome) -> SeenOutcome {
    client.events();
    client.call(&Call::new("S", "M").content(content).body("x"));
    let mut reply = Some(reply);
    loop {
        let moved = pass(client, server);
        server.events_reacting(&mut |side, seen| {
            if let Seen::Open(open) = seen {
                side.finish(open.exchange, reply.take().expect("one call"));
            }
        });
        let moved = moved + pass(server, client);
        for seen in client.events() {
            if let Seen::Finish { outcome, .. } = seen {
                return outcome;
            }
        }
        assert!(moved > 0, "nobody says anything more");
    }
}

/// The date is shown for replies that are passed on as raw bytes, and not for those that are read as a
/// message.
#[test]
fn a_client_shows_the_date_of_raw_replies_only() {
    for protocol in [&super::PROTOCOL, &h2::PROTOCOL] {
        let (mut client, mut server) = (Side::client(protocol), dated(Side::server(protocol)));
        for reply in [ok(&[]), ok(&[("x-own", "1")])] {
            let own = reply.headers.is_some();
            let outcome = call(&mut client, &mut server, Content::JSON, reply);
            let names: Vec<_> = outcome.trailers.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, if own { vec!["x-own"] } else { vec![] }, "{}", protocol.name);
        }
        let raw = Outcome { content: Content::RAW, ..ok(&[]) };
        let outcome = call(&mut client, &mut server, Content::JSON, raw);
        let date = outcome.trailers.iter().find(|(name, _)| name.eq_ignore_ascii_case("date"));
        assert_eq!(date.unwrap().1, b"Sun, 06 Nov 1994 08:49:37 GMT", "{}", protocol.name);
    }
}

/// A failure of gRPC is a head alone, with HTTP's own date in it; a `date` that the handler sent is kept
/// apart from it.
#[test]
fn a_date_among_the_trailers_of_a_failure_arrives() {
    for protocol in [&crate::http::GRPC, &crate::http::GRPC_WEB] {
        let own = ("date", "Thu, 01 Jan 1970 00:00:00 GMT");
        for fields in [vec![("x-own", "1")], vec![("x-own", "1"), own]] {
            let (mut client, mut server) = (Side::client(protocol), dated(grpc_server(protocol)));
            let trailers = Some(Box::new(fields.iter().copied().collect::<Metadata>()));
            let status = Status::not_found("gone");
            let reply = Outcome { status, trailers, ..Outcome::default() };
            let outcome = call(&mut client, &mut server, Content::PROTOBUF, reply);
            assert_eq!((outcome.status.code(), outcome.status.message()), (Code::NotFound, "gone"));
            let said: Vec<_> =
                outcome.trailers.iter().map(|(name, value)| (name.as_str(), &value[..])).collect();
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
            assert_eq!(said, fields, "{}", protocol.name);
        }
    }
}

fn grpc_server(client: &'static Protocol) -> Side {
    Side::server(if client.name == "grpc" { &h2::PROTOCOL } else { &super::PROTOCOL })
}

/// What the server writes for a call over HTTP/2; from the third call of a second on, the date is one indexed
/// byte.
#[test]
fn over_http2_the_date_is_written_once_a_second_and_indexed_afterwards() {
    let (mut client, mut server) = (Side::client(&h2::PROTOCOL), dated(Side::server(&h2::PROTOCOL)));
    let bytes = |client: &mut Side, server: &mut Side| {
        client.events();
        client.call(&Call::new("S", "M").content(Content::JSON).body("x"));
        pass(client, server);
        server.events_reacting(&mut |side, seen| {
            if let Seen::Open(open) = seen {
                side.finish(open.exchange, Outcome { body: "".into(), ..ok(&[]) });
            }
        });
        let moved = pass(server, client);
        assert!(client.events().iter().any(|seen| matches!(seen, Seen::Finish { .. })));
        moved
    };
    let _greeting = bytes(&mut client, &mut server);
    let same: Vec<_> = (0..4).map(|_| bytes(&mut client, &mut server)).collect();
    server.wait(Duration::from_secs(1)).unwrap();
    let next: Vec<_> = (0..4).map(|_| bytes(&mut client, &mut server)).collect();
    assert!(same.iter().chain(&next[1..]).all(|bytes| *bytes == same[0]), "{same:?} {next:?}");
    assert!((20..40).contains(&(next[0] - same[0])), "{same:?} {next:?}");
}

#[test]
fn without_a_calendar_there_is_no_date() {
    let mut side = server();
    let open = opened(&mut side, GET);
    side.finish(open.exchange, ok(&[]));
    assert!(!said(&mut side).contains("Date"));
}
