//! Limits how often a line may be written to the log.
//!
//! ```text
//!  failure, failure, failure ... ─► LineGate: one in a minute ─► Some(0)   Some(41)   Some(7)
//!                                                                   how many were left out before it
//! ```
//!
//! Log lines about peers' behaviour must not fill a disk or take a thread's time. A gate belongs to one place
//! in the code, so that the number of gates is the number of kinds of failures, whatever peers do; there is
//! no gate per address or name.

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Lets a number of lines through in each interval, and counts the others.
///
/// ```
/// # use polywire_base::LineGate;
/// static GATE: LineGate = LineGate::one_in(60);
/// if let Some(left_out) = GATE.pass() {
///     println!("no connection can be accepted (this line was left out {left_out} times)");
/// }
/// assert_eq!(GATE.pass(), None);
/// ```
#[derive(Debug)]
pub struct LineGate {
    lines: u32,
    interval_ms: u64,
    /// The beginning of the interval in milliseconds, and the number of lines in it (the low 21 bits); 0: no
    /// line was written yet.
    state: AtomicU64,
    /// Lines that were left out since one passed.
    left_out: AtomicU64,
}

impl LineGate {
    /// A gate for one line per `seconds` seconds.
    pub const fn one_in(seconds: u32) -> LineGate {
        LineGate::new(1, seconds)
    }

    /// A gate for `lines` lines per `seconds` seconds; both at least one.
    pub const fn new(lines: u32, seconds: u32) -> LineGate {
        LineGate {
            lines: if lines == 0 { 1 } else { lines },
            interval_ms: if seconds == 0 { 1000 } else { seconds as u64 * 1000 },
            state: AtomicU64::new(0),
            left_out: AtomicU64::new(0),
        }
    }

    /// Whether a line may be written now, and how many were left out before it.
    pub fn pass(&self) -> Option<u64> {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        self.pass_at(START.elapsed())
    }

    /// Like [`LineGate::pass`] at this time, counted from any fixed moment.
    pub fn pass_at(&self, time: Duration) -> Option<u64> {
        // The first line begins an interval, so that two are not let through at the border of intervals of
        // the clock.
        let now = u64::try_from(time.as_millis()).unwrap_or(u64::MAX) & MOST_TIME;
        let passed = self.state.fetch_update(Relaxed, Relaxed, |state| {
            let (began, lines) = (state >> COUNT_BITS, state & MOST_COUNT);
            match () {
                () if state == 0 || now.saturating_sub(began) >= self.interval_ms => {
                    Some(now << COUNT_BITS | 1)
                }
                () if lines < u64::from(self.lines).min(MOST_COUNT) => Some(state + 1),
                () => None,
            }
        });
        match passed {
            Ok(_) => Some(self.left_out.swap(0, Relaxed)),
            Err(_) => {
                self.left_out.fetch_add(1, Relaxed);
                None
            }
        }
    }
}

/// The number of bits for the count of lines; the bits above hold milliseconds, enough for 278 years.
const COUNT_BITS: u32 = 21;
const MOST_COUNT: u64 = (1 << COUNT_BITS) - 1;
const MOST_TIME: u64 = u64::MAX >> COUNT_BITS;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_failures_is_a_line_for_each_interval_with_the_number_left_out() {
        let gate = LineGate::one_in(60);
        let passed: Vec<_> =
            (0..200_000).filter_map(|ms| Some((ms, gate.pass_at(Duration::from_millis(ms))?))).collect();
        assert_eq!(passed, [(0, 0), (60_000, 59_999), (120_000, 59_999), (180_000, 59_999)]);
        let gate = LineGate::new(3, 10);
        let passed: Vec<_> =
            (5..25).filter_map(|s| Some((s, gate.pass_at(Duration::from_secs(s))?))).collect();
        assert_eq!(passed, [(5, 0), (6, 0), (7, 0), (15, 7), (16, 0), (17, 0)]);
    }

    #[test]
    fn many_threads_pass_once() {
        let gate = LineGate::one_in(1);
        let passed = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        let at = Duration::from_millis(500);
                        passed.fetch_add(gate.pass_at(at).is_some().into(), Relaxed);
                    }
                });
            }
        });
        assert_eq!(passed.into_inner(), 1);
        assert_eq!(gate.pass_at(Duration::from_secs(2)), Some(3999));
    }

    #[test]
    fn clocks_at_their_ends_do_no_harm() {
        let gate = LineGate::one_in(u32::MAX);
        assert_eq!(gate.pass_at(Duration::MAX), Some(0));
        assert_eq!(gate.pass_at(Duration::ZERO), None);
    }
}
