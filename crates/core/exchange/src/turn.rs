//! How much a handler reads or writes of its stream before others have their turn.
//!
//! A handler whose messages are all there, or that always has room for the next, would not come to an end
//! before its queue does: its connection sends nothing meanwhile, and other calls of the thread wait. Polls
//! of that length also count as slow, so that the handler would leave its shard for the work pool and pay a
//! wake-up there and back for each filling of its queue. The tasks of a client are left alone: they are the
//! caller's, and have a scheduler of their own.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    task::Context,
};

/// How long a turn lasts at least, and is not much longer where a part takes a microsecond: well below what a
/// poll may take and still count as quick, since a machine that is busy doubles it.
const MICROSECONDS: u32 = 20;
/// Parts after which the clock is read. A turn that is over sooner costs no more than counting them.
const STEP: u32 = 16;
/// Whoever reads the clock again so much later has begun another turn.
const ANOTHER: u32 = 10 * MICROSECONDS;

/// How many parts a task may still move in either direction before it reads the clock. The numbers are
/// written without locked operations: what is lost if two tasks share a stream makes a turn longer or
/// shorter.
pub(crate) struct Turn {
    left: AtomicU32,
    /// The clock, when it was read first.
    began: AtomicU32,
    /// Parts between readings of the clock.
    step: u32,
}

impl Turn {
    /// Of a handler's stream.
    pub fn of_handler() -> Turn {
        Turn { left: AtomicU32::new(STEP), began: AtomicU32::new(0), step: STEP }
    }

    /// Of a client's stream: it has no end.
    pub fn of_client() -> Turn {
        Turn { left: AtomicU32::new(u32::MAX), began: AtomicU32::new(0), step: u32::MAX }
    }

    /// Counts a part that is moved next. Returns whether the turn is over: then the task is woken, and its
    /// poll should end.
    #[inline]
    pub fn is_over(&self, cx: &Context<'_>) -> bool {
        match self.left.load(Relaxed).checked_sub(1) {
            Some(left) => {
                self.left.store(left, Relaxed);
                false
            }
            None => self.looks(cx),
        }
    }

    #[cold]
    fn looks(&self, cx: &Context<'_>) -> bool {
        let now = microseconds();
        let passed = now.wrapping_sub(self.began.load(Relaxed));
        self.left.store(self.step - 1, Relaxed);
        if passed < MICROSECONDS || self.step == u32::MAX {
            return false;
        }
        self.began.store(now, Relaxed);
        if passed >= ANOTHER {
            return false;
        }
        self.end();
        ENDED.set(ENDED.get().wrapping_add(1));
        cx.waker().wake_by_ref();
        true
    }

    /// Counts parts that are moved with one.
    #[inline]
    pub fn count(&self, parts: u32) {
        self.left.store(self.left.load(Relaxed).saturating_sub(parts), Relaxed);
    }

    /// The task waits for its peer.
    #[inline]
    pub fn end(&self) {
        self.left.store(self.step, Relaxed);
    }
}

thread_local! {
    static ENDED: Cell<u32> = const { Cell::new(0) };
}

/// How many turns were over on this thread, modulo 2^32. A poll during which one was had to wait for nothing
/// but the turns of others.
pub fn turns_ended() -> u32 {
    ENDED.get()
}

/// Since some instant, modulo 2^32.
#[cfg(not(test))]
fn microseconds() -> u32 {
    use std::{sync::LazyLock, time::Instant};
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_micros() as u32
}

/// In tests time passes when they say so.
#[cfg(test)]
fn microseconds() -> u32 {
    NOW.get()
}

#[cfg(test)]
thread_local! {
    static NOW: Cell<u32> = const { Cell::new(0) };
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::{Desk, Line, Pipe};
    use polywire_wire::{Limits, Part};
    use std::{
        sync::Arc,
        task::{Poll, Wake, Waker},
    };

    #[derive(Default)]
    struct Woken(AtomicU32);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Relaxed);
        }
    }

    const MOST: u32 = 1000;

    /// How many parts a task moves of [`MOST`], each of which takes so many microseconds, before it has to
    /// wait, and how often it is woken.
    fn moved<T>(each: u32, mut next: impl FnMut(&mut Context<'_>) -> Poll<T>) -> (u32, u32) {
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(woken.clone());
        let mut one = || {
            let is_moved = next(&mut Context::from_waker(&waker)).is_ready();
            NOW.set(NOW.get() + each);
            is_moved
        };
        ((0..MOST).take_while(|_| one()).count() as u32, woken.0.load(Relaxed))
    }

    /// Whether this is a turn that has ended after one or two looks at the clock.
    fn is_short((moved, woken): (u32, u32)) -> bool {
        (moved == STEP || moved == 2 * STEP) && woken == 1
    }

    #[test]
    fn a_handler_that_has_always_more_to_send_lets_others_have_their_turn_and_goes_on() {
        let desk = Desk::new();
        let (_line, _answerer, (_, mut sink)) = Line::serve_stream(desk.inbox(), Pipe::new(&Limits::DEFAULT));
        let mut send = |cx: &mut Context<'_>| sink.poll_send(&mut Some(Part::default()), cx);
        let before = turns_ended();
        for _ in 0..3 {
            let turn = moved(2, &mut send);
            assert!(is_short(turn), "{turn:?}");
        }
        assert_eq!(turns_ended() - before, 3);
        let mut batches = std::iter::repeat_with(|| std::iter::repeat_with(Part::default).take(100));
        let batch = |cx: &mut Context<'_>| sink.poll_send_batch(&mut None, &mut batches.next().unwrap(), cx);
        let (moved, woken) = moved(40, batch);
        assert!(moved <= 2 && woken == 1, "parts of a batch count each: {moved}");
        desk.inbox().close(&mut Vec::new()); // its lines have the inbox, too
    }

    #[test]
    fn a_handler_that_has_always_more_to_read_lets_others_have_their_turn_and_goes_on() {
        const THERE: u32 = 4 * STEP + 1;
        let desk = Desk::new();
        let (line, _answerer, (mut source, _)) =
            Line::serve_stream(desk.inbox(), Pipe::new(&Limits::DEFAULT));
        for _ in 0..THERE {
            assert!(line.push_part(Part::default()).is_ok());
        }
        let mut read = |cx: &mut Context<'_>| source.poll_next(cx);
        let first = moved(2, &mut read);
        assert!(is_short(first), "{first:?}");
        let mut all = first.0;
        while all < THERE {
            all += moved(0, &mut read).0;
        }
        assert_eq!(moved(0, &mut read), (0, 0), "then it waits for its peer");
        desk.inbox().close(&mut Vec::new()); // its lines have the inbox, too
    }

    #[test]
    fn a_handler_that_waits_for_each_message_does_not_read_the_clock() {
        let turn = Turn::of_handler();
        for _ in 0..10 * STEP {
            assert!(!turn.is_over(&Context::from_waker(Waker::noop())));
            turn.end();
        }
        assert_eq!(turn.began.load(Relaxed), 0);
    }

    #[test]
    fn a_client_that_sends_is_not_interrupted() {
        let desk = Desk::new();
        let (_line, (_, mut sink)) = Line::offer(desk.inbox(), Pipe::new(&Limits::DEFAULT));
        let send = |cx: &mut Context<'_>| sink.poll_send(&mut Some(Part::default()), cx);
        assert_eq!(moved(2, send), (MOST, 0));
        let turn = Turn::of_client();
        turn.count(u32::MAX);
        assert!(!turn.is_over(&Context::from_waker(Waker::noop())));
        desk.inbox().close(&mut Vec::new()); // its lines have the inbox, too
    }
}
