//! The room of one connection: how it is made, who drives it, and the calls that are under way on it.
//!
//! ```text
//!  pool ──► connect ──► handle ◄── calls are posted here
//!              │           ▲
//!              ▼           │
//!           dispatch ──────┘ the pending calls; driven by a home (connect, placement) or by its callers (blocking)
//! ```
//!
//! It knows nothing of the pool: when it has no room for a call it asks through the trait
//! [`Overflow`](overflow::Overflow).

pub(crate) mod backoff;
pub(crate) mod blocking;
pub(crate) mod connect;
pub(crate) mod connector;
mod dispatch;
pub(crate) mod error;
pub(crate) mod handle;
pub(crate) mod home;
pub(crate) mod keepalive;
pub(crate) mod overflow;
mod placement;
pub(crate) mod spec;
#[cfg(feature = "__tls")]
pub(crate) mod tls;
