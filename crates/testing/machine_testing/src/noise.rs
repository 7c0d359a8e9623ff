//! Reproducible hostile bytes and commands: the part of fuzzing that runs with every `cargo test`.

use crate::{Random, Seen, Side, hex_dump};
use polywire_base::IoBuf;
use polywire_call::Status;
use polywire_wire::{Answer, Exchange, Goodbye, Outcome, Wake};
use std::{thread, time::Duration};

/// Bytes that a machine may hold in addition to twice the number of fed bytes.
const HELD: usize = 64 << 10;
/// Polls that a machine may need in addition to four for each byte that it was fed.
const POLLS: usize = 4096;

/// Feeds `rounds` inputs, each to a new side: random bytes, and `goldens` cut, spliced, repeated and altered,
/// in random pieces, while requests are answered, streamed, granted, reset or forgotten at random. Asserts
/// that the machine never panics, never spins, never returns `Need(0)`, and never holds much more than the
/// fed bytes. The first round feeds each golden unaltered.
///
/// ```no_run
/// # use polywire_machine_testing::{Side, hex, survives_noise};
/// # #[allow(non_snake_case)]
/// # fn test(PROTOCOL: &'static polywire_wire::Protocol) {
/// survives_noise(|| Side::server(PROTOCOL), &[&hex("50 52 50 43 ...")], 1, 2000);
/// # }
/// ```
///
/// # Panics
/// If the machine misbehaves; prints the seed, the round and the bytes.
pub fn survives_noise(make: impl Fn() -> Side, goldens: &[&[u8]], seed: u64, rounds: u32) {
    for round in 0..rounds {
        let mut random = Random::new(seed ^ (u64::from(round) << 32));
        let input = if round == 0 { goldens.concat() } else { input(&mut random, goldens) };
        let witness = Witness { seed, round, input: &input };
        play(make(), &mut random, &input);
        drop(witness);
    }
}

/// Runs one round of [`survives_noise`]: `input` unchanged, cut and answered according to `seed`. For fuzz
/// targets, which alter bytes in their own way.
///
/// # Panics
/// If the machine misbehaves.
pub fn survives(side: Side, seed: u64, input: &[u8]) {
    play(side, &mut Random::new(seed), input);
}

/// Prints the input that caused a panic.
struct Witness<'a> {
    seed: u64,
    round: u32,
    input: &'a [u8],
}

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("seed {}, round {}, input:\n{}", self.seed, self.round, hex_dump(self.input));
        }
    }
}

fn input(random: &mut Random, goldens: &[&[u8]]) -> Vec<u8> {
    if goldens.is_empty() || random.one_in(8) {
        let len = random.below(200);
        return random.bytes(len);
    }
    let mut bytes = random.pick(goldens).to_vec();
    for _ in 0..random.below(3) {
        bytes.extend_from_slice(goldens[random.below(goldens.len())]);
    }
    for _ in 0..=random.below(4) {
        alter(random, goldens, &mut bytes);
    }
    bytes
}

/// Makes one change of a kind that finds mistakes in parsers: lengths, digits, boundaries.
fn alter(random: &mut Random, goldens: &[&[u8]], bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(8) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = *random.pick(&[0, 1, 0x7f, 0x80, 0xff, b'0', b'9', b'-', b' ', b'\r', b'\n', b':']),
        2 => {
            let value: u32 =
                *random.pick(&[0, 1, 12, 0x7fff_ffff, 0x8000_0000, u32::MAX, 64 << 20, (64 << 20) + 1]);
            let value = if random.one_in(2) { value.to_be_bytes() } else { value.to_le_bytes() };
            bytes[at..].iter_mut().zip(value).for_each(|(byte, v)| *byte = v);
        }
        3 => bytes.truncate(at),
        4 => {
            let end = at + random.below(bytes.len() - at);
            bytes.drain(at..end);
        }
        5 => {
            let end = at + random.below((bytes.len() - at).min(64));
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
        6 => {
            let count = 1 + random.below(8);
            let noise = random.bytes(count);
            bytes.splice(at..at, noise);
        }
        _ => {
            let other = random.pick(goldens);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[random.below(other.len())..]);
        }
    }
}

/// A request that waits for its reply.
#[derive(Clone, Copy)]
struct Live {
    exchange: Exchange,
    /// Whether a streamed answer has begun.
    answered: bool,
}

fn play(mut side: Side, random: &mut Random, input: &[u8]) {
    let mut open = Vec::new();
    let (mut rest, mut polls) = (input, 0);
    loop {
        loop {
            polls += 1;
            assert!(polls <= POLLS + 4 * input.len(), "{polls} polls for {} bytes", input.len());
            let seen = side.poll();
            match &seen {
                Seen::Need(n) => assert!(*n >= 1, "Need(0) with {} bytes unread", side.input.len()),
                Seen::Open(opened) => {
                    open.push(Live { exchange: opened.exchange, answered: false });
                    open.extend(
                        opened.streams.iter().map(|&stream| Live { exchange: stream, answered: true }),
                    );
                }
                // A stream of a client's that has begun.
                Seen::Credit { exchange, .. } if open.iter().all(|live| live.exchange != *exchange) => {
                    open.push(Live { exchange: *exchange, answered: true });
                }
                Seen::Finish { exchange, .. } | Seen::Reset { exchange, .. } => {
                    open.retain(|l| l.exchange != *exchange)
                }
                Seen::Authenticate(_) => {
                    let refused = random.one_in(2);
                    side.authenticated(if refused { Err(Status::unauthenticated("no")) } else { Ok(()) });
                }
                _ => {}
            }
            if seen.is_rest() {
                break;
            }
            act(&mut side, random, &mut open);
        }
        let held = side.held();
        assert!(held <= HELD + 2 * input.len(), "holds {held} bytes of {} fed", input.len());
        if side.has_ended() {
            return;
        }
        side.written();
        if rest.is_empty() {
            return end(side, random, &mut open);
        }
        let n = if random.one_in(2) { rest.len() } else { 1 + random.below(rest.len()) };
        side.feed(&rest[..n]);
        rest = &rest[n..];
        act(&mut side, random, &mut open);
    }
}

/// A random command that a dispatcher may give at any time to an open exchange.
fn act(side: &mut Side, random: &mut Random, open: &mut Vec<Live>) {
    if side.has_ended() {
        return;
    }
    if open.is_empty() {
        return;
    }
    let at = random.below(open.len());
    let Live { exchange, answered } = open[at];
    match random.below(8) {
        0 | 1 => {
            open.remove(at);
            let len = random.below(50);
            let body = if answered { IoBuf::new() } else { random.bytes(len).into() };
            let accept = random.one_in(2);
            side.finish(exchange, Outcome { body, reply: !answered, accept, ..Outcome::default() });
        }
        2 => {
            open.remove(at);
            side.fail(exchange, Status::internal("noise"));
        }
        3 => {
            open.remove(at);
            side.reset(exchange, Status::cancelled("noise"));
        }
        4 => {
            if !answered {
                side.answer(exchange, &Answer::default());
                open[at].answered = true;
            }
            let len = random.below(50);
            side.send_message(exchange, random.bytes(len), false);
        }
        5 => side.grant(exchange, random.below(1000), random.below(4) as u32),
        _ => {}
    }
}

/// Plays the rest of a connection's life: time passes, the peer closes, we announce the end.
fn end(mut side: Side, random: &mut Random, open: &mut Vec<Live>) {
    let mut steps = [0, 1, 2, 3];
    steps.swap(0, random.below(4));
    steps.swap(1, random.below(4));
    for step in steps {
        let resumed = match step {
            0 => side.wait(Duration::from_secs(random.below(100) as u64)),
            1 => side.resume(Wake::Eof),
            2 => side.resume(Wake::Room),
            _ => {
                side.goodbye(if random.one_in(2) { Goodbye::Drain } else { Goodbye::Close });
                Ok(())
            }
        };
        if resumed.is_err() {
            return;
        }
        for seen in side.events() {
            if let Seen::Finish { exchange, .. } | Seen::Reset { exchange, .. } = seen {
                open.retain(|l| l.exchange != exchange);
            }
        }
        act(&mut side, random, open);
        if side.has_ended() {
            return;
        }
    }
}
