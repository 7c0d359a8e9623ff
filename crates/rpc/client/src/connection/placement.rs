//! Which threads drive a connection whose callers run on a multi-thread runtime: that runtime, or a shard.
//!
//! With few calls under way the runtime is best: the task that reads a reply and the task that waits for it
//! share a thread, and no other thread has to be woken. With many, the runtime spreads callers and connection
//! over its workers, which wake each other for every handful of replies. A shard that drives the connection
//! instead takes calls from its inbox and writes them in large batches, and the workers are woken once for
//! many replies. See `docs/design/placement.md`.
//!
//! A connection therefore begins on its callers' runtime, moves to a shard of the default engine when many
//! calls have been under way for a while, and comes back when there have been few for longer than that.

use crate::connection::home::Home;
use polywire_engine::Engine;
use tokio::runtime::{Handle, RuntimeFlavor};

/// From this number of calls under way on, a shard is faster.
const MANY: usize = 16;
/// Up to this number of calls under way the callers' runtime is faster. Well below [`MANY`], so that a load
/// between the two leaves a connection where it is.
const FEW: usize = 4;
/// A connection moves to a shard when it has gone to sleep this many times more often with many calls than
/// with fewer.
const ENOUGH_MANY: u32 = 64;
/// A connection moves back when it has slept this many times more often with few calls than with many. The
/// number is larger than for moving there, so that a pause in the load does not count as its end.
const ENOUGH_FEW: u32 = 1024;

/// The recent numbers of calls under way on a connection, sampled each time before it slept.
#[derive(Default)]
pub(crate) struct Crowd {
    many: u32,
    few: u32,
}

impl Crowd {
    /// Notes how many calls are under way; the connection is about to sleep. Hot: once per turn.
    #[inline]
    pub fn seen(&mut self, calls: usize) {
        self.many = if calls >= MANY { self.many + 1 } else { self.many.saturating_sub(1) }.min(ENOUGH_MANY);
        self.few = if calls <= FEW { self.few + 1 } else { self.few.saturating_sub(1) }.min(ENOUGH_FEW);
    }
}

/// Where a connection is driven, and whether that may change.
pub(crate) enum Placement {
    /// Driven where it was made; it never moves.
    Fixed,
    /// Driven on the runtime of its callers.
    WithCallers(Handle),
    /// Driven on a shard, until few calls are under way again.
    OnShard { callers: Handle },
}

impl Placement {
    /// The placement of a connection that is made on the calling thread's runtime. It can only change where
    /// several workers share the callers.
    pub fn here() -> Placement {
        match Handle::try_current() {
            Ok(callers) if is_spread(&callers) => Placement::WithCallers(callers),
            _ => Placement::Fixed,
        }
    }

    /// Whether the connection should be driven elsewhere. Hot: once per poll.
    #[inline]
    pub fn moves(&self, crowd: &Crowd) -> bool {
        match self {
            Placement::Fixed => false,
            Placement::WithCallers(_) => crowd.many == ENOUGH_MANY,
            Placement::OnShard { .. } => crowd.few == ENOUGH_FEW,
        }
    }

    /// The placement after a move, and the home to move to; `None` if it may not move.
    pub fn other(self) -> Option<(Placement, Home)> {
        match self {
            Placement::Fixed => None,
            Placement::WithCallers(callers) => {
                let shard = Engine::default_engine().least_busy().clone();
                Some((Placement::OnShard { callers }, Home::Shard(shard)))
            }
            Placement::OnShard { callers } => {
                Some((Placement::WithCallers(callers.clone()), Home::Runtime(callers)))
            }
        }
    }
}

fn is_spread(runtime: &Handle) -> bool {
    runtime.runtime_flavor() == RuntimeFlavor::MultiThread && runtime.metrics().num_workers() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(times: u32, calls: usize) -> Crowd {
        let mut crowd = Crowd::default();
        (0..times).for_each(|_| crowd.seen(calls));
        crowd
    }

    #[test]
    fn it_moves_only_after_many_calls_for_a_while_and_back_after_few_for_longer() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
        let _inside = runtime.enter();
        let with_callers = Placement::here();
        assert!(!with_callers.moves(&after(ENOUGH_MANY - 1, MANY)));
        assert!(with_callers.moves(&after(ENOUGH_MANY, MANY)));
        assert!(!with_callers.moves(&after(10 * ENOUGH_MANY, MANY - 1)));
        let on_shard = Placement::OnShard { callers: runtime.handle().clone() };
        assert!(!on_shard.moves(&after(ENOUGH_FEW - 1, FEW)));
        assert!(on_shard.moves(&after(ENOUGH_FEW, FEW)));
        assert!(!on_shard.moves(&after(10 * ENOUGH_FEW, FEW + 1)));
    }

    #[test]
    fn a_runtime_with_one_thread_keeps_its_connections() {
        for workers in [0, 1] {
            let runtime = match workers {
                0 => tokio::runtime::Builder::new_current_thread().build().unwrap(),
                n => tokio::runtime::Builder::new_multi_thread().worker_threads(n).build().unwrap(),
            };
            let _inside = runtime.enter();
            assert!(!Placement::here().moves(&after(ENOUGH_MANY, MANY)));
        }
    }
}
