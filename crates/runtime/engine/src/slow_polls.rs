//! The handlers that have held up a shard.

use polywire_base::lock;
use std::{
    collections::VecDeque,
    sync::Mutex,
    time::{Duration, Instant},
};

/// The number of slow polls that are kept for each shard, the latest ones.
pub const SLOW_POLLS: usize = 64;

/// A poll of a handler that has held up its shard for longer than the limit.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SlowPoll {
    /// The polled method, `service/method`.
    pub method: &'static str,
    /// When the poll was first seen: up to half a limit after it began.
    pub began: Instant,
    /// How long the poll was seen to last: up to a whole limit less than its real duration.
    pub lasted: Duration,
    /// Whether the poll was under way when it was last seen.
    pub lasts: bool,
}

/// The last slow polls of a shard. The watchdog writes them; the shard itself never does.
#[derive(Default)]
pub(crate) struct SlowPolls(Mutex<VecDeque<SlowPoll>>);

impl SlowPolls {
    pub fn add(&self, method: &'static str, began: Instant, lasted: Duration) {
        let mut polls = lock(&self.0);
        if polls.len() == SLOW_POLLS {
            polls.pop_front();
        }
        polls.push_back(SlowPoll { method, began, lasted, lasts: true });
    }

    /// Updates the latest slow poll, which was seen again, or was seen to have ended.
    pub fn follow(&self, lasted: Option<Duration>) {
        if let Some(last) = lock(&self.0).back_mut() {
            last.lasts = lasted.is_some();
            last.lasted = lasted.unwrap_or(last.lasted);
        }
    }

    pub fn list(&self) -> Vec<SlowPoll> {
        lock(&self.0).iter().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_slow_polls_are_kept_each_with_its_end() {
        let (polls, start) = (SlowPolls::default(), Instant::now());
        polls.follow(None); // none is there
        for n in 0..SLOW_POLLS as u64 + 10 {
            polls.add("test/Slow", start + Duration::from_secs(n), Duration::from_millis(10));
        }
        polls.follow(Some(Duration::from_millis(15)));
        assert!(polls.list()[SLOW_POLLS - 1].lasts);
        polls.follow(None);
        let list = polls.list();
        assert_eq!((list.len(), list[0].began), (SLOW_POLLS, start + Duration::from_secs(10)));
        let last = list[SLOW_POLLS - 1];
        assert_eq!((last.lasted, last.lasts), (Duration::from_millis(15), false));
    }
}
