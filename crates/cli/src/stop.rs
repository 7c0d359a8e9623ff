//! A flag that asks the program to end.

use crate::failure::Failure;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::*},
};

/// A flag that is set at SIGTERM or Ctrl-C, by a task of the runtime of the caller.
///
/// # Errors
/// The signals cannot be received.
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
