//! One connection: how it is made, who drives it, and the calls that are under way on it.

pub(crate) mod backoff;
pub(crate) mod blocking;
pub(crate) mod connector;
pub(crate) mod dispatch;
pub(crate) mod handle;
pub(crate) mod home;
pub(crate) mod keepalive;
pub(crate) mod placement;
#[cfg(feature = "__tls")]
pub(crate) mod tls;
