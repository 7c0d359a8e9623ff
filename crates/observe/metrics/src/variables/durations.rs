//! Durations since the start, without a window.

use crate::{
    Scale,
    storage::{
        cells::lock,
        histogram::{Distribution, Histogram, empty},
    },
    variables::{
        Reading,
        exemplar::{Exemplar, Exemplars},
    },
};
use std::{
    cell::Cell,
    marker::PhantomData,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

/// The distribution of durations, or of other numbers, since the start. Cloning shares it. A
/// [`LatencyRecorder`] has a window as well, and counts its [parts](crate::LatencyRecorder::part), which are
/// of this type.
///
/// Memory: as much as a [`LatencyRecorder`] without its window.
///
/// [`LatencyRecorder`]: crate::LatencyRecorder
/// [`LatencyRecorder::part`]: crate::LatencyRecorder::part
#[derive(Clone)]
pub struct Durations(Arc<Inner>);

struct Inner {
    /// The durations that were recorded without a local recorder, and by dropped local recorders.
    shared: Histogram,
    /// Histograms of local recorders. Locked to read, to add and to remove them; never to write.
    owned: Mutex<Vec<Arc<Histogram>>>,
    exemplars: Mutex<Exemplars>,
}

impl Durations {
    pub fn new() -> Self {
        Durations(Arc::new(Inner {
            shared: Histogram::new(),
            owned: Mutex::default(),
            exemplars: Mutex::default(),
        }))
    }

    /// A histogram with one owner, who records without locking or sharing.
    pub fn local(&self) -> LocalLatency {
        let histogram = Arc::new(Histogram::new());
        lock(&self.0.owned).push(histogram.clone());
        LocalLatency { histogram, of: self.clone(), one_owner: PhantomData }
    }

    /// Records a duration; any thread may call it.
    pub fn record(&self, duration: Duration) {
        self.0.shared.record_shared(nanos(duration));
    }

    /// Records a number other than a duration: bytes, or a number of events. The [`Scale`](crate::Scale) with
    /// which it is exposed sets the unit.
    pub fn record_number(&self, number: u64) {
        self.0.shared.record_shared(number);
    }

    /// Adds what another recorder has recorded, which is left as it is.
    pub fn absorb(&self, other: &Durations) {
        other.each(|histogram| self.0.shared.absorb(histogram));
    }

    /// Like [`LatencyRecorder::keep_exemplar`](crate::LatencyRecorder::keep_exemplar).
    pub fn keep_exemplar<K: Into<String>, V: Into<String>>(
        &self,
        duration: Duration,
        at: SystemTime,
        labels: impl IntoIterator<Item = (K, V)>,
    ) {
        let labels = labels.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        lock(&self.0.exemplars).keep(Exemplar { labels, duration, at });
    }

    /// The exemplars, shortest first, each of a different bucket.
    pub fn exemplars(&self) -> Vec<Exemplar> {
        lock(&self.0.exemplars).all()
    }

    /// All durations. Their maximum has the precision of a percentile, and the time is not measured:
    /// `elapsed` is zero.
    pub fn total(&self) -> Distribution {
        let (mut counts, mut sum) = (empty(), 0);
        self.each(|histogram| histogram.add_to(&mut counts, &mut sum));
        Distribution::of_total(&counts, sum)
    }

    /// All durations as a histogram with these buckets.
    pub fn reading(&self, scale: &'static Scale) -> Reading {
        Reading::Histogram { total: Box::new(self.total()), scale, exemplars: self.exemplars() }
    }

    pub(super) fn each(&self, mut see: impl FnMut(&Histogram)) {
        // Stays locked while `shared` is read, so that an owner who leaves meanwhile is counted once.
        let owned = lock(&self.0.owned);
        owned.iter().map(|histogram| &**histogram).chain([&self.0.shared]).for_each(&mut see);
    }

    #[cfg(test)]
    pub(super) fn owners(&self) -> usize {
        lock(&self.0.owned).len()
    }
}

impl Default for Durations {
    fn default() -> Self {
        Durations::new()
    }
}

#[inline]
fn nanos(duration: Duration) -> u64 {
    // Not as_nanos, which has 128 bits. Saturates after half a millennium.
    duration.as_secs().saturating_mul(1_000_000_000).saturating_add(u64::from(duration.subsec_nanos()))
}

/// One owner's part of a [`LatencyRecorder`](crate::LatencyRecorder) or of [`Durations`]. It may move to
/// another thread, but has one owner at a time.
pub struct LocalLatency {
    histogram: Arc<Histogram>,
    of: Durations,
    /// Makes it `!Sync`.
    one_owner: PhantomData<Cell<()>>,
}

impl LocalLatency {
    /// Records a duration. Hot path: two or three loads and stores on the owner's cache lines.
    #[inline]
    pub fn record(&self, duration: Duration) {
        self.histogram.record_alone(nanos(duration));
    }
}

impl Drop for LocalLatency {
    fn drop(&mut self) {
        let mut owned = lock(&self.of.0.owned);
        owned.retain(|histogram| !Arc::ptr_eq(histogram, &self.histogram));
        self.of.0.shared.absorb(&self.histogram);
    }
}
