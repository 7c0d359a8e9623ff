//! The largest and the smallest of integers: the longest queue, the least free space.

use crate::{
    sampler::Sampled,
    storage::{
        cells::{Cells, Combine, Owned, lock},
        history::clamped,
    },
    variables::{Reading, Variable, window::InWindow},
};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

/// Decides which of two values is kept.
trait Order: Send + Sync + 'static {
    /// The value that loses against every other.
    const NONE: i64;
    fn is_beyond(new: i64, old: i64) -> bool;
}

/// Keeps the larger one.
struct Larger;
impl Order for Larger {
    const NONE: i64 = i64::MIN;
    fn is_beyond(new: i64, old: i64) -> bool {
        new > old
    }
}

/// Keeps the smaller one.
struct Smaller;
impl Order for Smaller {
    const NONE: i64 = i64::MAX;
    fn is_beyond(new: i64, old: i64) -> bool {
        new < old
    }
}

impl<O: Order> Combine for O {
    const EMPTY: u64 = O::NONE as u64;

    fn combined(a: u64, b: u64) -> u64 {
        if O::is_beyond(a as i64, b as i64) { a } else { b }
    }

    fn write_shared(cell: &AtomicU64, n: u64) {
        // A store only where something changes: mostly a load of a line that stays shared.
        let mut old = cell.load(Relaxed);
        while O::is_beyond(n as i64, old as i64) {
            match cell.compare_exchange_weak(old, n, Relaxed, Relaxed) {
                Ok(_) => return,
                Err(newer) => old = newer,
            }
        }
    }

    #[inline]
    fn write_alone(cell: &AtomicU64, n: u64) {
        if O::is_beyond(n as i64, cell.load(Relaxed) as i64) {
            // If a reader takes the cell in between, this one counts for its next second.
            cell.store(n, Relaxed);
        }
    }
}

/// The extreme value since the last sample, and those of the seconds before.
struct Extremes<O> {
    cells: Arc<Cells<O>>,
    history: Mutex<History>,
    window: usize,
}

struct History {
    /// The extreme of each of the last seconds, newest last.
    seconds: VecDeque<u64>,
    /// The extreme of all that was sampled since the start.
    total: u64,
}

impl<O: Order> Extremes<O> {
    fn new(seconds: u32) -> Arc<Self> {
        let history = Mutex::new(History { seconds: VecDeque::new(), total: O::EMPTY });
        Arc::new(Extremes { cells: Cells::new(), history, window: clamped(seconds) })
    }

    fn total(&self) -> Option<i64> {
        let history = lock(&self.history);
        some::<O>(O::combined(self.cells.get(), history.total))
    }

    fn window(&self) -> Option<i64> {
        let history = lock(&self.history);
        some::<O>(history.seconds.iter().fold(O::EMPTY, |found, &second| O::combined(second, found)))
    }
}

fn some<O: Order>(n: u64) -> Option<i64> {
    (n != O::EMPTY).then_some(n as i64)
}

impl<O: Order> Sampled for Extremes<O> {
    fn sample(&self, _now: Instant) {
        let mut history = lock(&self.history);
        let second = self.cells.take();
        history.total = O::combined(second, history.total);
        history.seconds.push_back(second);
        while history.seconds.len() > self.window {
            history.seconds.pop_front();
        }
    }
}

macro_rules! extreme {
    ($kind:ident, $local:ident, $order:ident, $adjective:literal, $identity:literal) => {
        #[doc = concat!("The ", $adjective, " of the integers that were recorded: since the start, and in a window. Cloning")]
        #[doc = concat!("shares it. ", $identity, " itself counts as none.")]
        ///
        /// As a variable it is the extreme value since the start, and 0 while there is none;
        /// [`Window::of`](crate::Window::of) makes a variable of its window.
        #[derive(Clone)]
        pub struct $kind(Arc<Extremes<$order>>);

        impl $kind {
            /// A recorder with a window of ten seconds.
            pub fn new() -> Self {
                $kind::with_window(10)
            }

            /// A recorder with a window of `seconds`, 1 to 3600.
            pub fn with_window(seconds: u32) -> Self {
                $kind(Extremes::new(seconds))
            }

            /// A cell with one owner, who records without locking or sharing.
            pub fn local(&self) -> $local {
                $local(Owned::new(&self.0.cells))
            }

            /// Records an integer; any thread may call it.
            #[inline]
            pub fn record(&self, n: i64) {
                self.0.cells.write(n as u64);
            }

            #[doc = concat!("The ", $adjective, " since the start.")]
            pub fn total(&self) -> Option<i64> {
                self.0.total()
            }

            #[doc = concat!("The ", $adjective, " of the seconds of the window that were sampled.")]
            pub fn window(&self) -> Option<i64> {
                self.0.window()
            }
        }

        impl Default for $kind {
            fn default() -> Self {
                $kind::new()
            }
        }

        impl Variable for $kind {
            fn read(&self) -> Reading {
                Reading::Level(self.total().unwrap_or(0))
            }
            fn sampled(&self) -> Option<Weak<dyn Sampled>> {
                let weak: Weak<Extremes<$order>> = Arc::downgrade(&self.0);
                Some(weak)
            }
        }

        impl InWindow for $kind {
            fn in_window(&self) -> Reading {
                Reading::Level(self.window().unwrap_or(0))
            }
        }

        #[doc = concat!("One owner's part of a [`", stringify!($kind), "`]. It may move to another thread, but has one owner at a time.")]
        pub struct $local(Owned<$order>);

        impl $local {
            /// Records an integer. Hot path: a load, and a store if the value exceeds the extreme of this
            /// second.
            #[inline]
            pub fn record(&self, n: i64) {
                self.0.write(n as u64);
            }
        }
    };
}

extreme!(Maximum, LocalMaximum, Larger, "largest", "`i64::MIN`");
extreme!(Minimum, LocalMinimum, Smaller, "smallest", "`i64::MAX`");

#[cfg(test)]
mod tests {
    use super::*;
    use std::{thread, time::Duration};

    #[test]
    fn a_window_forgets_and_the_total_does_not() {
        let (largest, smallest, start) = (Maximum::with_window(2), Minimum::with_window(2), Instant::now());
        assert_eq!((largest.total(), smallest.window(), largest.read()), (None, None, Reading::Level(0)));
        let sampled =
            [largest.sampled(), smallest.sampled()].map(|s| s.and_then(|s| s.upgrade()).expect("alive"));
        let sample = |second| sampled.iter().for_each(|s| s.sample(start + Duration::from_secs(second)));
        for n in [5, -7, 3] {
            largest.record(n);
            smallest.record(n);
        }
        assert_eq!((largest.total(), smallest.total()), (Some(5), Some(-7)), "before any sample");
        sample(0);
        largest.local().record(4); // what an owner recorded stays when it goes
        smallest.local().record(4);
        sample(1);
        assert_eq!((largest.window(), smallest.window()), (Some(5), Some(-7)));
        sample(2);
        assert_eq!((largest.window(), smallest.window()), (Some(4), Some(4)));
        sample(3);
        assert_eq!((largest.window(), smallest.window()), (None, None));
        assert_eq!((largest.total(), smallest.total()), (Some(5), Some(-7)));
    }

    #[test]
    fn nothing_is_lost_whoever_records() {
        let largest = Maximum::new();
        let sampled = largest.sampled().and_then(|s| s.upgrade()).expect("alive");
        thread::scope(|scope| {
            for thread in 0..4i64 {
                let largest = &largest;
                scope.spawn(move || {
                    let local = largest.local();
                    for n in 0..10_000 {
                        if thread % 2 == 0 {
                            local.record(n * 4 + thread)
                        } else {
                            largest.record(n * 4 + thread)
                        }
                    }
                });
            }
            (0..100).for_each(|_| sampled.sample(Instant::now()));
        });
        assert_eq!(largest.total(), Some(9_999 * 4 + 3));
    }
}
