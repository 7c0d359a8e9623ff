//! Tests of the kit itself, on a protocol of its own: once right, and once with each mistake that the kit
//! should find.

use crate::*;
use polywire_base::IoBuf;
use polywire_call::{Code, Status};
use polywire_wire::*;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

/// `"E" | n: u8 | n bytes`, answered with the same; serial: the next request waits for the reply. `"X"` is
/// refused.
struct Echo<const MISTAKE: u8> {
    role: Role,
    admitted: Option<Route>,
    waits: bool,
    calls: u64,
}

const NONE: u8 = 0;
/// Takes the first byte before the message is complete and forgets that it did.
const FORGETS: u8 = 1;
const NEED_ZERO: u8 = 2;
const PANICS_ON_EMPTY: u8 = 3;
const SPINS: u8 = 4;
const ADMITS_TWICE: u8 = 5;

fn machine<const MISTAKE: u8>(setup: &Setup<'_>) -> Box<dyn Machine> {
    Box::new(Echo::<MISTAKE> { role: setup.role(), admitted: None, waits: false, calls: 0 })
}
const fn protocol<const MISTAKE: u8>() -> Protocol {
    Protocol {
        name: "echo",
        sniff: |_| Sniff::Mine,
        framed: true,
        connections: &[Connections::Pooled],
        machine: Some(machine::<MISTAKE>),
        fields: |raw, visit| visit("raw", raw),
        ..Protocol::DEFAULT
    }
}
static ECHO: Protocol = protocol::<NONE>();

impl<const MISTAKE: u8> Machine for Echo<MISTAKE> {
    fn poll<'a>(&'a mut self, cx: &'a mut Cx<'_>) -> Result<Step<'a>, WireError> {
        if self.waits {
            return Ok(Step::Blocked);
        }
        let have = cx.input.len();
        let head = cx.input.peek(have.min(2)).expect("peek of what is here");
        let (magic, n) = (head.first().copied(), head.get(1).copied());
        let Some(magic) = magic else { return Ok(Step::Need(if MISTAKE == NEED_ZERO { 0 } else { 2 })) };
        if magic != b'E' {
            return Err(WireError::BadMagic);
        }
        if MISTAKE == FORGETS && have == 1 {
            cx.input.advance(1);
        }
        let Some(n) = n else { return Ok(Step::Need(1)) };
        let n = n as usize;
        let head = Head {
            target: Target::Id(0),
            timeout: None,
            attachment: 0,
            content: Content::RAW,
            compression: Compression::NONE,
            accepts: Compressions::NONE,
            sender: Default::default(),
            dialect: Default::default(),
            raw: b"r",
            ids: true,
        };
        if self.role == Role::Server && (self.admitted.is_none() || MISTAKE == ADMITS_TWICE) {
            self.admitted = cx.host.admit(&head, Some(n)).ok();
        }
        if have < 2 + n {
            return Ok(Step::Need(2 + n - have));
        }
        assert!(MISTAKE != PANICS_ON_EMPTY || n > 0, "the mistake");
        if MISTAKE == SPINS {
            return Ok(Step::Event(Event::Notice(Notice::Draining)));
        }
        cx.input.advance(2);
        let body = cx.input.cut(n);
        self.calls += 1;
        if self.role == Role::Client {
            let exchange = Exchange { token: 1 << 32 | (self.calls - 1), slot: self.calls as u32 - 1 };
            let outcome = Outcome { body, reply: true, ..Outcome::default() };
            return Ok(Step::Event(Event::Finish { exchange, outcome }));
        }
        self.waits = true;
        let exchange = Exchange { token: self.calls, slot: Exchange::UNTRACKED };
        let route = self.admitted.take().unwrap_or_default();
        Ok(Step::Event(Event::Open(Open { exchange, route, head, body, finished: true, streams: &[] })))
    }

    fn finish(&mut self, cx: &mut Cx<'_>, _: Exchange, outcome: Outcome) {
        self.waits = false;
        cx.out.put(&[b'E', outcome.body.len() as u8]);
        cx.out.share(&outcome.body);
    }

    fn reset(&mut self, _: &mut Cx<'_>, _: Exchange, _: Status) {
        self.waits = false;
    }

    fn open(&mut self, cx: &mut Cx<'_>, e: Exchange, call: &Outgoing<'_>) -> Result<Credit, Refusal> {
        self.finish(cx, e, Outcome { body: call.body.clone(), ..Outcome::default() });
        Ok(Credit::CLOSED)
    }
}

fn echo(side: &mut Side, seen: &Seen) {
    if let Seen::Open(open) = seen {
        side.reply(open, &open.body);
    }
}

#[test]
fn two_sides_speak_with_each_other() {
    let (mut client, mut server) = (Side::client(&ECHO), Side::server(&ECHO));
    let call = client.call(&Call::new("S", "M").body("hi"));
    assert_eq!(pass(&mut client, &mut server), 4);
    let open = server.poll().expect_open();
    assert_eq!((&open.body[..], open.head.field("RAW")), (&b"hi"[..], Some(&b"r"[..])));
    assert_eq!(server.poll(), Seen::Blocked);
    server.reply(&open, "ho");
    pass(&mut server, &mut client);
    let (exchange, outcome) = client.poll().expect_finish();
    assert_eq!((exchange, outcome.body), (call, Octets(b"ho".to_vec())));
    assert_eq!(client.poll(), Seen::Need(2));
}

#[test]
fn the_host_records_when_it_was_asked() {
    let mut server = Side::server(&ECHO).hosted(|h| h.deliver(Delivery::Pieces));
    server.feed(b"E\x03").events();
    server.feed(b"abc").events();
    assert_eq!(server.host.asked.len(), 1);
    assert_eq!((server.host.asked[0].announced, server.host.asked[0].fed), (Some(3), 2));
}

#[test]
fn a_connection_that_broke_stays_closed() {
    let mut server = Side::server(&ECHO);
    assert_eq!(server.feed(b"?").events(), [Seen::Error(WireError::BadMagic)]);
    assert!(server.has_ended());
    assert_eq!(server.poll(), Seen::Closed);
    assert_eq!(server.events(), []);
}

#[test]
fn a_right_parser_stands_everything() {
    let run = at_every_split_reacting(|| Side::server(&ECHO), echo, b"E\x03abcE\x00E\x02de");
    assert_eq!((run.seen.len(), run.rest), (3, Rest::Need));
    assert_eq!(run.written, b"E\x03abcE\x00E\x02de");
    assert_eq!(at_every_split(|| Side::server(&ECHO), b"E\x01a").rest, Rest::Blocked);
    at_every_truncation(|| Side::server(&ECHO), b"E\x03abc");
    survives_noise(|| Side::server(&ECHO), &[b"E\x03abc", b"E\x00"], 1, 500);
    survives_noise(|| Side::client(&ECHO), &[b"E\x03abc", b"E\x00"], 2, 500);
}

#[test]
fn feeding_in_pieces_polls_after_each() {
    let seen = Side::server(&ECHO).feed_split(b"E\x03abc", &[1, 2]);
    assert!(matches!(&seen[..], [Seen::Open(_), Seen::Blocked]), "{seen:?}");
}

fn finds(mistake: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(mistake)).is_err()
}

#[test]
fn every_mistake_is_found() {
    static FORGETFUL: Protocol = protocol::<FORGETS>();
    static ZERO: Protocol = protocol::<NEED_ZERO>();
    static PANICKY: Protocol = protocol::<PANICS_ON_EMPTY>();
    static SPINNING: Protocol = protocol::<SPINS>();
    static TWICE: Protocol = protocol::<ADMITS_TWICE>();
    assert!(finds(|| drop(at_every_split(|| Side::server(&FORGETFUL), b"E\x03abc"))));
    assert!(finds(|| at_every_truncation(|| Side::server(&ZERO), b"E\x03abc")));
    assert!(finds(|| survives_noise(|| Side::server(&ZERO), &[b"E\x00"], 1, 50)));
    assert!(finds(|| survives_noise(|| Side::server(&PANICKY), &[b"E\x01a"], 1, 500)));
    assert!(finds(|| survives_noise(|| Side::server(&SPINNING), &[b"E\x01a"], 1, 50)));
    let mut server = Side::server(&TWICE);
    server.feed_split(b"E\x03abc", &[1]);
    assert_eq!(server.host.asked.len(), 4, "asked again for every byte, and the host shows it");
}

#[test]
fn statuses_and_bodies_are_seen_as_they_are() {
    let outcome = Outcome { status: Status::not_found("gone"), body: IoBuf::from("x"), ..Outcome::default() };
    let seen = SeenOutcome::from(&outcome);
    assert_eq!((seen.status.code(), format!("{:?}", seen.body)), (Code::NotFound, "b\"x\"".into()));
}

/// A conversation over a serial protocol, so that a client makes one call after the other.
fn converse(there: FaultPlan, back: FaultPlan) -> (MachinePair, Vec<(End, Seen)>) {
    let mut net = MachinePair::new(Side::client(&ECHO), Side::server(&ECHO), there, back);
    net.client.call(&Call::new("S", "M").body("one"));
    net.client.call(&Call::new("S", "M").body("two"));
    let seen = net.run(Duration::from_secs(60), |side, end, seen| {
        if end == End::Server {
            echo(side, seen);
        }
    });
    (net, seen)
}

#[test]
fn calls_cross_a_slow_and_torn_network_in_virtual_time() {
    let ms = Duration::from_millis;
    for seed in 0..20 {
        let plan = FaultPlan::new(seed).pieces(2).delay(ms(1)..ms(50)).capacity(3);
        let (net, seen) = converse(plan.clone(), plan);
        let bodies: Vec<_> = seen
            .into_iter()
            .filter(|(end, _)| *end == End::Client)
            .map(|(_, s)| s.expect_finish().1.body)
            .collect();
        assert_eq!(bodies, [Octets(b"one".to_vec()), Octets(b"two".to_vec())]);
        assert!(net.now() > epoch() + ms(4) && net.now() < epoch() + Duration::from_secs(60));
    }
}

#[test]
fn a_network_that_breaks_tells_whom_it_reaches() {
    let (net, seen) = converse(FaultPlan::new(1).after(7, Fate::Reset), FaultPlan::new(1));
    assert!(net.is_lost(End::Server) && !net.is_lost(End::Client));
    assert_eq!(seen.len(), 0, "what was under way is lost: {seen:?}");
    let (net, seen) = converse(FaultPlan::new(1), FaultPlan::new(1).after(3, Fate::Silence));
    assert!(!net.is_lost(End::Client));
    assert_eq!(
        seen.iter().filter(|(end, _)| *end == End::Server).count(),
        2,
        "requests came, replies did not"
    );
    assert_eq!(seen.len(), 2);
}
