//! How many calls may be under way at the same time.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::Relaxed},
};

/// A number of calls that may be under way at the same time; a further one is refused. Clones count together,
/// also over shards: each call writes to one place in memory twice.
#[derive(Clone, Debug)]
pub struct CallLimit(Arc<Counted>);

#[derive(Debug)]
struct Counted {
    most: u32,
    under_way: AtomicU32,
}

impl CallLimit {
    pub fn new(most: u32) -> CallLimit {
        CallLimit(Arc::new(Counted { most, under_way: AtomicU32::new(0) }))
    }

    pub fn most(&self) -> u32 {
        self.0.most
    }

    /// Calls that are under way now.
    pub fn under_way(&self) -> u32 {
        self.0.under_way.load(Relaxed)
    }

    /// A call begins; `None`: there are as many as may be.
    pub(crate) fn enter(&self) -> Option<UnderWay> {
        let counted = &self.0;
        let fits = |under_way: u32| (under_way < counted.most).then_some(under_way + 1);
        counted.under_way.fetch_update(Relaxed, Relaxed, fits).ok()?;
        Some(UnderWay(self.clone()))
    }
}

/// A call that is counted until this is dropped.
pub(crate) struct UnderWay(CallLimit);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.0.under_way.fetch_sub(1, Relaxed);
    }
}
