//! The channels of this process, whoever made them.
//!
//! The list holds no channel: one that is dropped disappears.

use crate::core::Core;
use polywire_base::lock;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, Weak},
};

/// Channels that are there, and some that are gone.
static CHANNELS: Mutex<Listed> = Mutex::new(Listed { channels: Vec::new(), swept_at: 64 });

struct Listed {
    channels: Vec<Weak<Core>>,
    /// With so many channels those are looked for that are gone.
    swept_at: usize,
}

/// Lists a channel.
pub(crate) fn list(core: &Arc<Core>) {
    let mut listed = lock(&CHANNELS);
    if listed.channels.len() >= listed.swept_at {
        listed.channels.retain(|channel| channel.strong_count() > 0);
        listed.swept_at = (listed.channels.len() * 2).max(64);
    }
    listed.channels.push(Arc::downgrade(core));
}

/// The channels that users hold, in the order of their ids.
pub(crate) fn top() -> Vec<Arc<Core>> {
    let mut channels: Vec<_> = lock(&CHANNELS).channels.iter().filter_map(Weak::upgrade).collect();
    channels.sort_by_key(|channel| channel.id);
    channels
}

/// All channels, those of which combinations are made included. One may come several times.
pub(crate) fn everything() -> impl Iterator<Item = Arc<Core>> {
    let mut left = top();
    std::iter::from_fn(move || {
        let next = left.pop()?;
        if let Some(combination) = &next.combination {
            left.extend(combination.channels());
        }
        Some(next)
    })
}

/// All channels that have servers of their own, once each, the oldest first. Combinations have none.
pub(crate) fn with_servers() -> BTreeMap<u64, Arc<Core>> {
    everything().filter(|core| core.combination.is_none()).map(|core| (core.id, core)).collect()
}
