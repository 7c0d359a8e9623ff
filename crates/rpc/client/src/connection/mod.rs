//! One connection: how it is made, what drives it, and the calls that are under way on it.
//!
//! ```text
//!  pool ──► connect ──► handle ◄── calls are posted here
//!              │           ▲
//!              ▼           │
//!           dispatch ──────┘ the pending calls; driven by a home (connect, placement) or by its callers (blocking)
//! ```
//!
//! It does not depend on the pool. When it has no room for a call, it uses the trait
//! [`Overflow`](overflow::Overflow).

pub(crate) mod age;
pub(crate) mod backoff;
pub(crate) mod blocking;
pub(crate) mod byte_streams;
pub(crate) mod connect;
pub(crate) mod connector;
pub(crate) mod credentials;
mod dispatch;
pub(crate) mod error;
pub(crate) mod handle;
pub(crate) mod home;
pub(crate) mod keepalive;
pub(crate) mod overflow;
mod placement;
pub(crate) mod server_options;
pub(crate) mod spec;
pub(crate) mod tally;
#[cfg(feature = "__tls")]
pub(crate) mod tls;
pub(crate) mod waiting;
