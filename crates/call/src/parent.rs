//! What a call hands down to those that are made while it is served.

use std::time::Instant;

/// A call inside which others are made. Cancellation needs nothing here: a handler that is given up is dropped, and the
/// calls it awaits with it.
pub trait Parent {
    /// When whoever made it stops waiting.
    fn deadline(&self) -> Option<Instant>;
}
