//! The binary protocol: the frames of docs/wire/memcache.md, section 7, which memcached 1.6.18 has answered
//! and sent.

use super::{call, finished, reply, request, with_calls};
use crate::memcache::{PROTOCOL, opcode};
use polywire_call::Code;
use polywire_machine_testing::{Rest, Seen, Side, at_every_split_reacting, at_every_truncation, hex};
use polywire_wire::{ClientSetup, Exchange, Refusal};

const GET: &str = "80 00 00 05 00 00 00 00 00 00 00 05 00 00 00 00 00 00 00 00 00 00 00 00 48 65 6c 6c 6f";
const MISS: &str =
    "81 00 00 00 00 00 00 01 00 00 00 09 00 00 00 00 00 00 00 00 00 00 00 00 4e 6f 74 20 66 6f 75 6e 64";
const SET: &str =
    "80 01 00 05 08 00 00 00 00 00 00 12 11 22 33 44 00 00 00 00 00 00 00 00 de ad be ef 00 00 0e 10
    48 65 6c 6c 6f 57 6f 72 6c 64";
const STORED: &str = "81 01 00 00 00 00 00 00 00 00 00 00 11 22 33 44 00 00 00 00 00 00 00 01";
const HIT: &str =
    "81 00 00 00 04 00 00 00 00 00 00 09 00 00 00 00 00 00 00 00 00 00 00 01 de ad be ef 57 6f 72 6c 64";
const QUIET_BATCH: &str = "80 0d 00 01 00 00 00 00 00 00 00 01 00 00 00 01 00 00 00 00 00 00 00 00 61
    80 0d 00 01 00 00 00 00 00 00 00 01 00 00 00 02 00 00 00 00 00 00 00 00 62
    80 0a 00 00 00 00 00 00 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 00";
const SASL: &str = "80 21 00 05 00 00 00 00 00 00 00 0f 00 00 00 00 00 00 00 00 00 00 00 00 50 4c 41 49 4e 00 75 73 65 72 00 70 61 73 73";

#[test]
fn replies_find_their_calls_by_order_however_they_arrive() {
    let calls = vec![hex(GET), hex(SET), [hex(GET), hex(GET)].concat()];
    let replies = [hex(MISS), hex(STORED), hex(HIT), hex(MISS)];
    let run = at_every_split_reacting(with_calls(&PROTOCOL, calls), |_, _| {}, &replies.concat());
    let bodies: Vec<_> = run.seen.into_iter().map(|seen| finished(seen).1.body.0).collect();
    assert_eq!(bodies, [hex(MISS), hex(STORED), [hex(HIT), hex(MISS)].concat()]);
    assert_eq!(run.rest, Rest::Need);
}

#[test]
fn a_quiet_batch_ends_with_its_fence_whatever_is_left_out() {
    let fence = reply(opcode::NOOP, 3, 0, b"");
    let hits = [reply(opcode::GETKQ, 1, 0, b"x"), reply(opcode::GETKQ, 2, 0, b"y")];
    for present in [&[][..], &[0], &[1], &[0, 1]] {
        let mut replies: Vec<u8> = present.iter().flat_map(|i| hits[*i].clone()).collect();
        replies.extend(&fence);
        let run = at_every_split_reacting(with_calls(&PROTOCOL, vec![hex(QUIET_BATCH)]), |_, _| {}, &replies);
        let [seen] = <[_; 1]>::try_from(run.seen).expect("one end");
        assert_eq!(finished(seen).1.body.0, replies);
    }
}

#[test]
fn no_reply_is_told_before_it_is_whole() {
    at_every_truncation(with_calls(&PROTOCOL, vec![hex(GET)]), &hex(HIT));
    let batch = [reply(opcode::GETKQ, 2, 0, b"y"), reply(opcode::NOOP, 3, 0, b"")].concat();
    at_every_truncation(with_calls(&PROTOCOL, vec![hex(QUIET_BATCH)]), &batch);
}

#[test]
fn requests_leave_as_they_are() {
    let mut side = Side::client(&PROTOCOL);
    side.call(&call(hex(SET)));
    side.call(&call(hex(QUIET_BATCH)));
    assert_eq!(side.written(), [hex(SET), hex(QUIET_BATCH)].concat());
}

#[test]
fn statistics_end_with_an_empty_packet() {
    let mut side = with_calls(&PROTOCOL, vec![request(opcode::STAT, 7, "")])();
    let items = [reply(opcode::STAT, 7, 0, b"pid1"), reply(opcode::STAT, 7, 0, b"uptime2")].concat();
    assert!(matches!(side.feed(&items).poll(), Seen::Need(_)));
    let end = reply(opcode::STAT, 7, 0, b"");
    assert_eq!(finished(side.feed(&end).poll()).1.body.0, [items, end].concat());
}

#[test]
fn what_could_not_be_answered_never_leaves() {
    let quiet = request(opcode::GETQ, 1, "k");
    let long = request(opcode::GET, 1, &"k".repeat(251));
    let mut cut = hex(SET);
    cut.pop();
    for body in [vec![], quiet, long, cut, hex(HIT), hex(SASL), request(opcode::QUIT, 0, "")] {
        let mut side = Side::client(&PROTOCOL);
        let exchange = side.call(&call(&body));
        let (finished, outcome) = side.poll().expect_finish();
        assert_eq!((finished, outcome.status.code()), (exchange, Code::InvalidArgument), "{body:x?}");
        assert_eq!(side.written(), b"");
    }
    let streamed = call(hex(GET)).streamed();
    assert_eq!(Side::client(&PROTOCOL).open(Exchange::CONNECTION, &streamed), Err(Refusal::WrongRole));
}

fn with_credential(credential: &'static [u8]) -> Side {
    Side::new(&PROTOCOL, ClientSetup { credential: Some(credential), ..ClientSetup::default() })
}

#[test]
fn calls_wait_until_the_server_has_accepted_the_credential() {
    let mut side = with_credential(b"user:pass");
    let exchange = side.call(&call(hex(GET)));
    assert!(matches!(side.poll(), Seen::Need(_)));
    assert_eq!(side.written(), hex(SASL));
    side.feed(reply(opcode::SASL_AUTH, 0, 0, b"Authenticated")).events();
    assert_eq!(side.written(), hex(GET));
    assert_eq!(finished(side.feed(hex(HIT)).poll()).0, exchange);
}

#[test]
fn a_server_that_refuses_the_credential_fails_all_calls() {
    for (status, text) in [(0x20, "Auth failure."), (0x21, "continue"), (0x81, "Unknown command")] {
        let mut side = with_credential(b"user:pass");
        let calls = [side.call(&call(hex(GET))), side.call(&call(hex(SET)))];
        side.poll();
        side.written();
        let events = side.feed(reply(opcode::SASL_AUTH, 0, status, text.as_bytes())).events();
        let failed: Vec<_> = events
            .iter()
            .filter_map(|seen| match seen {
                Seen::Reset { exchange, why } => Some((*exchange, why.code())),
                _ => None,
            })
            .collect();
        assert_eq!(failed, calls.map(|exchange| (exchange, Code::Unauthenticated)), "{text}");
        assert!(matches!(events.last(), Some(Seen::Error(_))));
        assert_eq!(side.written(), b"", "nothing was sent to where it does not belong");
    }
    let mut side = with_credential(b"us\0er:pass");
    assert_eq!(side.open(Exchange { token: 1, slot: 0 }, &call(hex(GET))), Err(Refusal::Credential));
}
