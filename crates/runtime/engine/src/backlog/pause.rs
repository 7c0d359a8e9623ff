//! Pauses of a shard that refuses calls, which limit the processor time spent on refusals.
//!
//! A refusal is a microsecond of work. But while workers compute on its processor, a shard wakes for each
//! request that arrives: two switches of threads, a wait for sockets, a read and a write, thirty microseconds
//! together. So a shard that has refused calls sleeps before it waits for its sockets again, several times as
//! long as refusing has taken ([`share`]). Meanwhile requests gather in the sockets of all connections, and
//! then many are refused by one read and one write.
//!
//! ```text
//!  turn, turn, turn (n of m calls refused: n/m of the time is owed) --> nothing left to do --> sleeps --> waits for sockets
//! ```
//!
//! Nothing else changes for a connection: that a peer has closed it, or cancels a call, is noticed when the
//! pause is over. Only threads of an [`Engine`](crate::Engine) pause. Source: docs/design/overload.md has the
//! figures.

use crate::clock;
use std::{
    cell::Cell,
    thread,
    time::{Duration, Instant},
};

/// The ratio of a shard's pause to the time that it spent on refusals, after a turn that has refused `calls`
/// calls. With it, refusals take one part in thirteen of the processor. Where one turn refuses many, more
/// requests wait in the socket than are read, and each pause makes admitted ones older: refusals then take
/// one part in eight.
fn share(refused: u32) -> u32 {
    if refused < MANY { 12 } else { 7 }
}

/// Calls refused in one turn that show that requests stand in the socket. A connection of HTTP/1 has one in
/// each.
const MANY: u32 = 8;
/// The shortest pause worth its two switches of threads.
const LEAST: Duration = Duration::from_micros(200);
/// The longest pause; it delays pages and methods that do not wait for workers.
pub(super) const MOST: Duration = Duration::from_millis(4);

/// The refusals of a shard.
struct Refusing {
    /// Whether the thread is a shard's.
    pauses: Cell<bool>,
    /// Calls that were refused in this turn.
    calls: Cell<u32>,
    /// The pause due for refusals since the last pause.
    owed: Cell<Duration>,
    /// The maximum of the next pause.
    most: Cell<Duration>,
}

/// How long a shard is busy without a pause before it counts as saturated.
const BUSY: Duration = Duration::from_millis(10);
/// How much of that time has to go into calls that took long, as a divisor. A quick call looks long when its
/// thread loses the processor meanwhile, which happens in one of a thousand.
const GOOD_PART: u32 = 4;
/// As how long such a call counts at most: on a busy machine a thread waits for several milliseconds.
const LONGEST: Duration = Duration::from_micros(320);

/// The calls on a shard that took long.
#[derive(Clone, Copy)]
struct Long {
    since: Instant,
    took: Duration,
}

thread_local! {
    static LONG: Cell<Option<Long>> = const { Cell::new(None) };
    /// Whether the thread has been idle since the last turn; beside it, since when it has been busy.
    static RESTED: Cell<bool> = const { Cell::new(true) };
    static BUSY_SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
    static REFUSING: Refusing = const {
        Refusing {
            pauses: Cell::new(false),
            calls: Cell::new(0),
            owed: Cell::new(Duration::ZERO),
            most: Cell::new(Duration::ZERO),
        }
    };
}

/// Makes the calling thread pause in [`before_waiting`] from now on.
pub(crate) fn begin() {
    REFUSING.with(|refusing| refusing.pauses.set(true));
}

/// Notes a call that is refused in the turn of a connection. `most`: how long the workers have something to
/// do without this shard.
pub(super) fn note_refused(most: Duration) {
    REFUSING.with(|refusing| {
        refusing.calls.set(refusing.calls.get() + u32::from(refusing.pauses.get()));
        refusing.most.set(most.min(MOST));
    });
}

/// Ends the turn of a connection that began at `began` and has handled `handled` messages besides the refused
/// ones.
#[inline]
pub(crate) fn end_turn(began: Instant, handled: u32) {
    if RESTED.replace(false) {
        BUSY_SINCE.set(Some(began));
    }
    REFUSING.with(|refusing| {
        if refusing.calls.get() > 0 {
            refusing.end_turn(clock::now().saturating_duration_since(began), handled);
        }
    });
}

/// Pauses, if calls were refused. To be called when the thread has nothing left to do but to wait for its
/// sockets.
pub(crate) fn before_waiting() {
    RESTED.set(true);
    REFUSING.with(|refusing| {
        if !refusing.owed.get().is_zero() {
            refusing.pause();
        }
    });
}

/// Whether the calling thread belongs to a shard that has been busy for so long that requests wait in its
/// sockets, where their age is unknown.
fn is_saturated(now: Instant) -> bool {
    let shard = REFUSING.with(|refusing| refusing.pauses.get());
    shard
        && !RESTED.get()
        && BUSY_SINCE.get().is_some_and(|since| now.saturating_duration_since(since) > BUSY)
}

/// Notes a call that took long. Returns whether such calls are what saturates the shard.
pub(super) fn is_saturated_by(took: Duration, now: Instant) -> bool {
    if !is_saturated(now) {
        return false;
    }
    let passed = |long: &Long| now.saturating_duration_since(long.since);
    let Some(long) = LONG.get().filter(|long| passed(long) < 2 * BUSY) else {
        LONG.set(Some(Long { since: now, took: Duration::ZERO }));
        return false;
    };
    let together = long.took + took.min(LONGEST);
    let is_over = passed(&long) >= BUSY;
    LONG.set((!is_over).then_some(Long { took: together, ..long }));
    is_over && together * GOOD_PART >= passed(&long)
}

impl Refusing {
    #[cold]
    fn end_turn(&self, took: Duration, handled: u32) {
        let calls = self.calls.take();
        let spent = took * calls / calls.saturating_add(handled).max(1);
        let owed = self.owed.get() + spent * share(calls);
        self.owed.set(owed);
        if owed > self.most.get() * 2 {
            self.pause(); // other connections always have something to do
        }
    }

    #[cold]
    fn pause(&self) {
        self.due().into_iter().for_each(thread::sleep);
    }

    /// The pause that is due now, which is taken.
    fn due(&self) -> Option<Duration> {
        let (owed, most) = (self.owed.get(), self.most.get());
        if owed < LEAST.min(most) {
            return None; // it adds up
        }
        self.owed.set(Duration::ZERO);
        Some(owed.min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shard() -> Refusing {
        let [owed, most] = [Duration::ZERO, Duration::from_millis(2)].map(Cell::new);
        Refusing { pauses: Cell::new(true), calls: Cell::new(0), owed, most }
    }

    #[test]
    fn a_shard_pauses_as_long_as_refusing_has_taken_times_the_share() {
        let (shard, us) = (shard(), Duration::from_micros);
        shard.calls.set(3);
        shard.end_turn(us(100), 1); // three quarters
        assert_eq!(shard.due(), Some(us(900)));
        assert_eq!(shard.due(), None, "it has been taken");
    }

    #[test]
    fn a_shard_pauses_less_where_requests_stand_in_a_socket() {
        let (shard, us) = (shard(), Duration::from_micros);
        shard.calls.set(MANY);
        shard.end_turn(us(100), 0);
        assert_eq!(shard.due(), Some(us(700)));
    }

    #[test]
    fn short_pauses_add_up_and_long_ones_are_cut() {
        let (shard, us) = (shard(), Duration::from_micros);
        for due in [None, None, Some(us(216))] {
            shard.calls.set(1);
            shard.end_turn(us(6), 0);
            assert_eq!(shard.due(), due);
        }
        shard.owed.set(us(6000));
        assert_eq!(shard.due(), Some(us(2000)), "6 ms would leave the workers idle");
    }

    #[test]
    fn a_shard_that_has_always_something_to_do_pauses_all_the_same() {
        let (shard, began) = (shard(), Instant::now());
        for _ in 0..10 {
            shard.calls.set(1);
            shard.end_turn(Duration::from_micros(100), 0);
        }
        assert!(began.elapsed() >= Duration::from_millis(4), "two pauses of 2 ms: {:?}", began.elapsed());
    }

    #[test]
    fn other_threads_do_not_pause() {
        let began = Instant::now();
        for _ in 0..1000 {
            note_refused(MOST);
            end_turn(began, 0);
            before_waiting();
        }
        assert!(REFUSING.with(|refusing| refusing.owed.get().is_zero()));
        assert!(!is_saturated(began + 10 * BUSY), "nobody waits in sockets that are not a shard's");
    }

    /// Calls one after the other, of which one in so many takes long; whether they ever saturate the shard.
    fn saturate(quick: Duration, long: Duration, one_in: u32) -> bool {
        thread::spawn(move || {
            begin();
            let mut now = Instant::now();
            end_turn(now, 1);
            (0..100_000).any(|call| {
                let took = if call % one_in == 0 { long } else { quick };
                now += took;
                call % one_in == 0 && is_saturated_by(took, now)
            })
        })
        .join()
        .expect("it ends")
    }

    #[test]
    fn calls_that_take_long_saturate_a_shard_and_a_thread_that_loses_the_processor_does_not() {
        let us = Duration::from_micros;
        assert!(saturate(us(3), us(25), 1));
        assert!(saturate(us(3), us(300), 1));
        assert!(saturate(us(3), us(60), 20), "half of the time");
        assert!(!saturate(us(3), us(3000), 1000), "half of the time, in one call of a thousand");
        assert!(!saturate(us(3), us(10_000), 1000));
    }

    #[test]
    fn a_shard_is_saturated_once_it_has_not_rested_for_long() {
        thread::spawn(|| {
            begin();
            let began = Instant::now();
            end_turn(began, 1);
            end_turn(began + BUSY, 1);
            assert!(!is_saturated(began + BUSY) && is_saturated(began + 2 * BUSY));
            before_waiting();
            assert!(!is_saturated(began + 2 * BUSY));
            end_turn(began + 2 * BUSY, 1);
            assert!(!is_saturated(began + 3 * BUSY), "it is counted from the first turn after the rest");
        })
        .join()
        .expect("it ends");
    }
}
