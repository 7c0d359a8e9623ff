//! The wish to end, as a flag.

use crate::failure::Failure;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::*},
};

/// Set at SIGTERM or Ctrl-C, by a task of the runtime that this is called on.
///
/// # Errors
/// Signals cannot be heard of.
pub fn flag() -> Result<Arc<AtomicBool>, Failure> {
    let signal = polywire::stop_signal()?;
    let stop = Arc::new(AtomicBool::new(false));
    let set = stop.clone();
    tokio::spawn(async move {
        signal.await;
        set.store(true, Relaxed);
    });
    Ok(stop)
}
