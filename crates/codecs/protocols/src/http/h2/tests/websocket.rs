//! Extended CONNECT, RFC 8441: WebSocket in a stream.

use super::super::{PROTOCOL, frame::settings};
use super::Peer;
use crate::http::websocket::Calls;
use polywire_machine_testing::{Call, Seen, Side, pass};
use polywire_wire::{
    Answer, ClientSetup, Delivery, Extensions, Outcome, Part, Refusal, Route, ServerSetup, Upgrades,
};
use std::sync::Arc;

/// RFC 8441 5.1, with names of ours.
const CONNECT: [(&str, &str); 6] = [
    (":method", "CONNECT"),
    (":protocol", "websocket"),
    (":scheme", "https"),
    (":path", "/chat"),
    (":authority", "server.example.com"),
    ("sec-websocket-version", "13"),
];

fn server(route: Route) -> Side {
    let mut extensions = Extensions::default();
    extensions.insert(Arc::new(Upgrades));
    extensions.insert(Arc::new(Calls));
    let setup = ServerSetup { extensions: Some(&extensions), ..ServerSetup::default() };
    Side::new(&PROTOCOL, setup).hosted(|host| host.route(route))
}

fn taking_over() -> Route {
    Route {
        upgrades: true,
        streamed: true,
        delivery: Delivery::Pieces,
        max_message: 1 << 20,
        ..Route::default()
    }
}

#[test]
fn a_server_that_takes_it_says_so() {
    let announced = |mut side: Side| {
        side.events();
        let written = side.written();
        let setting = [&settings::ENABLE_CONNECT_PROTOCOL.to_be_bytes()[..], &1u32.to_be_bytes()].concat();
        written.windows(6).any(|six| six == setting)
    };
    assert!(announced(server(taking_over())));
    assert!(!announced(Side::server(&PROTOCOL)), "a server without it is as before");
}

#[test]
fn a_stream_is_taken_over() {
    let mut peer = Peer::greeting(server(taking_over()));
    peer.headers(1, false, &CONNECT);
    let open = peer.side.poll().expect_open();
    assert!(!open.finished);
    peer.side.answer(open.exchange, &Answer { status: 101, ..Answer::default() });
    let said = format!("{:?}", peer.said());
    assert!(said.contains("HEADERS 1") && said.contains("200") && !said.contains("upgrade"), "{said}");
    peer.data(1, false, b"frames");
    assert!(matches!(peer.side.poll(), Seen::Part { bytes, finished: false, .. } if bytes == b"frames"));
    peer.side.send(open.exchange, &Part { bytes: "ours".into(), ..Part::default() });
    peer.side.events();
    peer.data(1, true, b"");
    assert!(peer.events().iter().any(|seen| matches!(seen, Seen::Part { finished: true, .. })));
    peer.side.finish(open.exchange, Outcome::default());
    let said = format!("{:?}", peer.said());
    assert!(said.contains("DATA 1"), "{said}");
    // Others go on beside it.
    peer.post(3, true);
    assert_eq!(peer.side.poll().expect_open().exchange.token, 3);
}

#[test]
fn what_rfc_8441_forbids_is_malformed_and_the_rest_refused() {
    let without = |name: &str| CONNECT.into_iter().filter(|(n, _)| *n != name).collect::<Vec<_>>();
    let with = |name: &str, value: &'static str| {
        CONNECT.into_iter().map(|(n, v)| if n == name { (n, value) } else { (n, v) }).collect::<Vec<_>>()
    };
    for fields in [
        without(":scheme"),
        without(":path"),
        without(":authority"),
        without(":method"),
        with(":method", "GET"),
        with(":path", "*"),
        with(":protocol", ""),
    ] {
        let mut peer = Peer::greeting(server(taking_over()));
        peer.headers(1, false, &fields);
        assert_eq!(peer.events(), [], "{fields:?}");
        let said = format!("{:?}", peer.said());
        assert!(said.contains("RST_STREAM 1"), "{fields:?}: {said}");
    }
    let refused = |side: Side, fields: &[(&str, &str)], status: &str| {
        let mut peer = Peer::greeting(side);
        peer.headers(1, false, fields);
        assert!(peer.events().iter().all(|seen| !matches!(seen, Seen::Open(_))));
        let said = format!("{:?}", peer.said());
        assert!(said.contains(status), "{said}");
    };
    refused(Side::server(&PROTOCOL), &CONNECT, "501");
    refused(server(taking_over()), &with(":protocol", "connect-udp"), "501");
    refused(server(Route { max_message: 9, ..Route::default() }), &CONNECT, "501");
    refused(server(taking_over()), &without("sec-websocket-version"), "426");
    let foreign = [&CONNECT[..], &[("origin", "https://evil.example")]].concat();
    refused(server(taking_over()), &foreign, "403");
}

#[test]
fn a_client_asks_once_the_server_has_said_that_it_takes_it() {
    let call = Call::new("", "/chat")
        .parts_follow()
        .streamed()
        .field(":method", "GET")
        .field(":protocol", "websocket")
        .field("sec-websocket-version", "13");
    let exchange = polywire_wire::Exchange { token: 1, slot: 0 };
    let client = || Side::new(&PROTOCOL, ClientSetup { authority: "h", ..ClientSetup::default() });
    let (mut ours, mut theirs) = (client(), server(taking_over()));
    ours.events();
    assert_eq!(ours.open(exchange, &call), Err(Refusal::Full), "not known yet");
    for _ in 0..3 {
        pass(&mut ours, &mut theirs);
        theirs.events();
        pass(&mut theirs, &mut ours);
        ours.events();
    }
    assert!(ours.open(exchange, &call).is_ok());
    pass(&mut ours, &mut theirs);
    let open = theirs.poll().expect_open();
    theirs.answer(open.exchange, &Answer { status: 101, ..Answer::default() });
    theirs.send(open.exchange, &Part { bytes: "hello".into(), ..Part::default() });
    theirs.events();
    pass(&mut theirs, &mut ours);
    let seen = ours.events();
    assert!(
        matches!(&seen[..], [Seen::Answer { .. }, Seen::Part { bytes, .. }] if *bytes == b"hello"),
        "{seen:?}"
    );

    let (mut ours, mut theirs) = (client(), Side::server(&PROTOCOL));
    for _ in 0..3 {
        ours.events();
        pass(&mut ours, &mut theirs);
        theirs.events();
        pass(&mut theirs, &mut ours);
    }
    ours.events();
    assert_eq!(ours.open(exchange, &call), Err(Refusal::Unsupported));
}
