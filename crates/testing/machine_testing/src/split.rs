//! Tests that every parser must pass: bytes arrive in any pieces, and may stop anywhere.

use crate::{Octets, Seen, Side, hex_dump};
use polywire_wire::Wake;

/// Bytes of input that [`at_every_truncation`] lets a machine hold in addition to the fed bytes.
const SLACK: usize = 4096;

/// The reason why a machine rested after the last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Need,
    Blocked,
    Foreign,
    Ended,
}

/// The result of one way to feed the same bytes.
#[derive(Debug, PartialEq)]
pub struct Run {
    /// All events in order, without `Need` and `Blocked`; adjacent pieces of one message are joined.
    pub seen: Vec<Seen>,
    /// Everything that the machine wrote.
    pub written: Octets,
    pub rest: Rest,
}

impl Run {
    /// Feeds and polls, piece by piece.
    fn of(side: &mut Side, react: &mut dyn FnMut(&mut Side, &Seen), pieces: &[&[u8]]) -> Run {
        let (mut seen, mut written, mut blocked) = (Vec::new(), Vec::new(), false);
        for piece in pieces {
            let events = side.feed(piece).events_reacting(react);
            blocked = matches!(events.last(), Some(Seen::Blocked));
            seen.extend(events);
            written.extend(side.written());
        }
        let rest = match seen.last() {
            _ if side.has_ended() => Rest::Ended,
            Some(Seen::Foreign) => Rest::Foreign,
            _ if blocked => Rest::Blocked,
            _ => Rest::Need,
        };
        Run { seen: joined(seen), written: Octets(written), rest }
    }
}

/// The events, in a form that does not depend on how the bytes were split.
fn joined(seen: Vec<Seen>) -> Vec<Seen> {
    let mut kept: Vec<Seen> = Vec::new();
    for mut step in seen {
        if matches!(step, Seen::Blocked) {
            continue;
        }
        let (last, this) = (kept.last_mut(), &mut step);
        if let (
            Some(Seen::Part {
                exchange: e, bytes, end_of_message: end @ false, finished: done @ false, ..
            }),
            Seen::Part { exchange, bytes: more, end_of_message, finished, .. },
        ) = (last, this)
            && e == exchange
        {
            bytes.0.append(&mut more.0);
            (*end, *done) = (*end_of_message, *finished);
            continue;
        }
        kept.push(step);
    }
    kept
}

/// [`at_every_split_reacting`] for protocols whose machine continues without an answer.
///
/// ```no_run
/// # use polywire_machine_testing::{Side, at_every_split, hex};
/// # #[allow(non_snake_case)]
/// # fn test(PROTOCOL: &'static polywire_wire::Protocol) {
/// let run = at_every_split(|| Side::server(PROTOCOL), &hex("50 52 50 43 ..."));
/// assert_eq!(run.seen.len(), 1);
/// # }
/// ```
#[track_caller]
pub fn at_every_split(make: impl Fn() -> Side, bytes: &[u8]) -> Run {
    at_every_split_reacting(make, |_, _| {}, bytes)
}

/// Feeds `bytes` whole, in two pieces at every position, byte by byte, and at once as segments of one byte,
/// each time to a new side; asserts that all see the same events, rest the same way, and hand back the run of
/// the whole for the test to look at. `react` answers the events, as a serial protocol needs to go on:
///
/// ```no_run
/// # use polywire_machine_testing::{Seen, Side, at_every_split_reacting};
/// # #[allow(non_snake_case)]
/// # fn test(REDIS: &'static polywire_wire::Protocol) {
/// let pong = |side: &mut Side, seen: &Seen| {
///     if let Seen::Open(open) = seen {
///         side.reply(open, "+PONG\r\n");
///     }
/// };
/// let run = at_every_split_reacting(|| Side::server(REDIS), pong, b"PING\r\nPING\r\n");
/// assert_eq!(run.written, "+PONG\r\n+PONG\r\n");
/// # }
/// ```
///
/// Written bytes are not compared, since a protocol may write less when more input is already there (`100
/// Continue`, window updates). Takes time quadratic in the length: keep messages below some thousand bytes.
///
/// # Panics
/// If a split changes the result; prints the split and both sequences.
#[track_caller]
pub fn at_every_split_reacting(
    make: impl Fn() -> Side,
    mut react: impl FnMut(&mut Side, &Seen),
    bytes: &[u8],
) -> Run {
    let whole = Run::of(&mut make(), &mut react, &[bytes]);
    let mut same = |how: String, pieces: &[&[u8]]| {
        let run = Run::of(&mut make(), &mut react, pieces);
        assert!(
            run.seen == whole.seen && run.rest == whole.rest,
            "{how} changes what is seen\n whole: {:?} then {:?}\n split: {:?} then {:?}\n bytes:\n{}",
            whole.seen,
            whole.rest,
            run.seen,
            run.rest,
            hex_dump(bytes)
        );
    };
    for at in 1..bytes.len() {
        let (head, tail) = bytes.split_at(at);
        same(format!("a split at byte {at}"), &[head, tail]);
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    same("byte by byte".into(), &single);

    let mut segmented = make();
    single.iter().for_each(|byte| {
        segmented.feed(byte);
    });
    let run = Run::of(&mut segmented, &mut react, &[&[]]);
    assert!(
        run.seen == whole.seen && run.rest == whole.rest,
        "segments of one byte change what is seen\n one:  {:?} then {:?}\n many: {:?} then {:?}",
        whole.seen,
        whole.rest,
        run.seen,
        run.rest
    );
    whole
}

/// Feeds every proper prefix of `message`, each to a new side. Asserts that the machine reports no event,
/// that it waits with `Need(n)` where `n` is at least 1 and not more than the message still lacks, and that
/// it holds no more than it was given (with a slack of 4 KiB); that closing the peer's half there neither
/// panics nor completes a request or a reply; and that the whole message does report something.
///
/// For delivery as `Whole`; a side that delivers pieces reports its `Open` with the head.
///
/// # Panics
/// If one of these does not hold; prints at which byte.
#[track_caller]
pub fn at_every_truncation(make: impl Fn() -> Side, message: &[u8]) {
    for length in 0..message.len() {
        let mut side = make();
        side.feed(&message[..length]);
        match side.poll() {
            Seen::Need(n) => {
                let lacks = message.len() - length;
                assert!(n >= 1, "Need(0) after {length} bytes");
                assert!(n <= lacks, "after {length} bytes Need({n}), but the message lacks {lacks}");
            }
            seen => panic!("{length} of {} bytes are enough for {seen:?}", message.len()),
        }
        assert!(side.held() <= length + SLACK, "holds {} bytes after {length}", side.held());
        let resumed = side.resume(Wake::Eof);
        if resumed.is_ok() {
            for seen in side.events() {
                let complete = match &seen {
                    Seen::Open(_) | Seen::Part { .. } | Seen::Answer { .. } => true,
                    Seen::Finish { outcome, .. } => outcome.status.is_ok(),
                    _ => false,
                };
                assert!(!complete, "the end of input after {length} bytes completes {seen:?}");
            }
        }
    }
    let whole = make().feed(message).events();
    assert!(!whole.is_empty(), "the whole message reports nothing");
}
