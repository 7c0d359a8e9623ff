//! How long a call may take.

use std::time::{Duration, Instant};

/// What a call says of its timeout.
#[derive(Clone, Copy)]
pub(crate) enum Timeout {
    /// Nothing: it has the channel's.
    Default,
    Of(Duration),
}

impl Timeout {
    /// With an upper bound: of two timeouts the shorter, or `limit` where the call says nothing.
    pub fn within(self, limit: Duration) -> Timeout {
        match self {
            Timeout::Default => Timeout::Of(limit),
            Timeout::Of(timeout) => Timeout::Of(timeout.min(limit)),
        }
    }

    /// The timeout; `default` where the call says nothing.
    #[inline]
    pub fn or(self, default: Option<Duration>) -> Option<Duration> {
        match self {
            Timeout::Default => default,
            Timeout::Of(timeout) => Some(timeout),
        }
    }
}

/// The earlier of two deadlines, if there is any.
#[inline]
pub(crate) fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
