//! The context that a call passes on to the calls that its handler makes.

use polywire_trace::Within;
use std::time::Instant;

/// A call during which further calls are made. Cancellation needs no method here: when a handler is cancelled
/// it is dropped, and the calls that it awaits are dropped with it.
pub trait Parent {
    /// The deadline of the call: its caller no longer waits after it.
    fn deadline(&self) -> Option<Instant>;

    /// The trace of the call, to which further calls are added. Default: none.
    fn trace(&self) -> Option<Within> {
        None
    }
}
