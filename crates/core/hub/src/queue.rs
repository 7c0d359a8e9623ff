//! Messages that a peer sent and the application has not taken.

use crate::{peer::Taken, run::Run};
use std::collections::VecDeque;

/// Received runs, in the order of arrival.
#[derive(Default)]
pub(crate) struct Queue {
    runs: VecDeque<Run>,
    /// Sum of [`Run::cost`] over all runs.
    cost: usize,
    /// Number of runs at the front whose connections have ended.
    left: usize,
    left_cost: usize,
    /// Total of all runs about topics.
    news: Taken,
}

/// Number of runs that may keep the read buffers they arrived in.
const PINNED: usize = 64;
/// Shorter runs after those are copied out of their buffers.
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

    /// Takes the oldest run, and whether its connection has ended.
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

    /// Notes that the connection has ended. Returns the sum of [`Run::cost`] of the runs that it left.
    pub fn leave(&mut self) -> usize {
        for run in self.runs.iter_mut().take(PINNED).skip(self.left).filter(|run| run.bytes.len() < SHORT) {
            run.bytes = run.bytes.detached();
        }
        let more = self.cost - self.left_cost;
        (self.left, self.left_cost) = (self.runs.len(), self.cost);
        more
    }

    /// Number of runs whose connection has ended.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Total of the waiting runs about topics.
    pub fn news(&self) -> Taken {
        self.news
    }

    /// Number of waiting runs.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}
