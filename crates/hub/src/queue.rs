//! What a peer sent and nobody has taken.

use crate::{peer::Taken, run::Run};
use std::collections::VecDeque;

/// Runs in the order in which they came.
#[derive(Default)]
pub(crate) struct Queue {
    runs: VecDeque<Run>,
    /// Of all runs, as [`Run::cost`] has it.
    cost: usize,
    /// So many runs at the front came by connections that have ended.
    left: usize,
    left_cost: usize,
    /// Of all runs about topics.
    news: Taken,
}

/// Runs that may keep the read buffers they came in.
const PINNED: usize = 64;
/// Shorter ones behind them are copied out.
const SHORT: usize = 4 << 10;

impl Queue {
    pub fn push(&mut self, mut run: Run) {
        if self.runs.len() >= PINNED && run.bytes.len() < SHORT {
            run.bytes = run.bytes.detached();
        }
        self.cost += run.cost();
        if run.news {
            self.news.messages += 1;
            self.news.bytes += run.bytes.len();
        }
        self.runs.push_back(run);
    }

    /// The oldest run, and whether its connection has ended.
    pub fn pop(&mut self) -> Option<(Run, bool)> {
        let run = self.runs.pop_front()?;
        self.cost -= run.cost();
        if run.news {
            self.news.messages -= 1;
            self.news.bytes -= run.bytes.len();
        }
        let left = self.left > 0;
        if left {
            self.left -= 1;
            self.left_cost -= run.cost();
        }
        Some((run, left))
    }

    /// The connection has ended: what it brought is left behind. Says how much more that is, as [`Run::cost`] has it.
    pub fn leave(&mut self) -> usize {
        for run in self.runs.iter_mut().take(PINNED).skip(self.left).filter(|run| run.bytes.len() < SHORT) {
            run.bytes = run.bytes.detached();
        }
        let more = self.cost - self.left_cost;
        (self.left, self.left_cost) = (self.runs.len(), self.cost);
        more
    }

    /// Runs whose connection has ended.
    pub fn left(&self) -> usize {
        self.left
    }

    /// What waits about topics.
    pub fn news(&self) -> Taken {
        self.news
    }

    /// How many runs wait.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}
