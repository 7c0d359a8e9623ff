//! Neighbours from the world of `tower`: any `Service<http::Request<_>>` at our port, and our services in another's router.
//!
//! ```text
//!  mount    our port ── path or method nobody here has ──► Request<Body> ──► axum::Router, tonic::Routes, …
//!  export   axum::Router ── Request ──► Exported ──► HTTP/2 in memory ──► a server of ours without a port
//! ```
//!
//! Both pass on bodies as they come, with back-pressure and trailers, so that gRPC of either side goes through. Calls that
//! arrive at our own port for our own services pass through neither.
//!
//! Not here: upgrades (WebSocket); a mounted service that answers 101 is answered 501.

mod body;
mod export;
mod mount;

pub use body::Body;
pub use export::{ExportBody, Exported};
pub(crate) use mount::service;
pub use mount::{Caller, Mount};

/// Any error, as `tower` has them.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
