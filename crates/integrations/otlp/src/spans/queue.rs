//! Spans that wait to be sent, bounded, and the figures.

use polywire_base::lock;
use polywire_trace::Record;
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
};
use tokio::sync::Notify;

pub(crate) struct Queue {
    most: usize,
    waiting: Mutex<VecDeque<Arc<Record>>>,
    /// Notified when spans wait, or no more are accepted.
    changed: Notify,
    is_finished: AtomicBool,
    pub counts: Counts,
}

#[derive(Default)]
pub(crate) struct Counts {
    pub sent: AtomicU64,
    pub dropped: AtomicU64,
    pub failed: AtomicU64,
    pub rejected: AtomicU64,
    pub retries: AtomicU64,
}

/// The number of spans by what happened to them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Figures {
    /// Spans that the collector accepted.
    pub sent: u64,
    /// Spans for which the queue had no room.
    pub dropped: u64,
    /// Spans that were given up after several attempts.
    pub failed: u64,
    /// Spans that the collector rejected.
    pub rejected: u64,
    /// Attempts after the first ones.
    pub retries: u64,
    /// Spans that are waiting.
    pub waiting: usize,
}

impl Queue {
    pub fn new(most: usize) -> Self {
        Queue {
            most,
            waiting: Mutex::default(),
            changed: Notify::new(),
            is_finished: AtomicBool::new(false),
            counts: Counts::default(),
        }
    }

    pub fn push(&self, record: &Arc<Record>) {
        let mut waiting = lock(&self.waiting);
        if waiting.len() >= self.most || self.is_finished.load(Relaxed) {
            drop(waiting);
            self.counts.dropped.fetch_add(1, Relaxed);
            return;
        }
        waiting.push_back(record.clone());
        drop(waiting);
        self.changed.notify_one();
    }

    /// Ready when spans wait or no more are accepted.
    pub async fn filled(&self) {
        while self.len() == 0 && !self.is_finished() {
            self.changed.notified().await;
        }
    }

    /// Ready when `count` spans wait, or the queue is finished.
    pub async fn filled_to(&self, count: usize) {
        while self.len() < count && !self.is_finished() {
            self.changed.notified().await;
        }
    }

    pub fn take(&self, most: usize) -> Vec<Arc<Record>> {
        let mut waiting = lock(&self.waiting);
        let count = waiting.len().min(most);
        waiting.drain(..count).collect()
    }

    pub fn len(&self) -> usize {
        lock(&self.waiting).len()
    }

    /// Stops accepting spans.
    pub fn finish(&self) {
        self.is_finished.store(true, Relaxed);
        self.changed.notify_one();
    }

    pub fn is_finished(&self) -> bool {
        self.is_finished.load(Relaxed)
    }

    pub fn figures(&self) -> Figures {
        let Counts { sent, dropped, failed, rejected, retries } = &self.counts;
        let [sent, dropped, failed, rejected, retries] =
            [sent, dropped, failed, rejected, retries].map(|count| count.load(Relaxed));
        Figures { sent, dropped, failed, rejected, retries, waiting: self.len() }
    }
}
