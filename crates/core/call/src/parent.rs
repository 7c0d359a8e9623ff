//! What a call passes on to calls that are made while it is served.

use polywire_trace::Within;
use std::time::Instant;

/// A call during which further calls are made. Cancellation needs no method here: when a handler is cancelled
/// it is dropped, and the calls that it awaits are dropped with it.
pub trait Parent {
    /// The deadline of the call: its caller no longer waits after it.
    fn deadline(&self) -> Option<Instant>;

    /// The trace that it belongs to, of which the calls become a part. Default: none.
    fn trace(&self) -> Option<Within> {
        None
    }
}
