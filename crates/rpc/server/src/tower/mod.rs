//! Interoperation with `tower`: any `Service<http::Request<_>>` at our port, our services in another
//! framework's router, and layers around our calls (`layer.rs`).
//!
//! ```text
//!  mount    our port ── path or method that no service has ──► Request<Body> ──► axum::Router, tonic::Routes, …
//!  export   axum::Router ── Request ──► Exported ──► HTTP/2 in memory ──► a server of ours without a port
//! ```
//!
//! Both pass bodies on as they arrive, with back-pressure and trailers, so that gRPC works in both
//! directions. Calls that arrive at our own port for our own services pass through neither.
//!
//! A mounted service can take over connections for WebSocket (`upgrade.rs`), an exported one cannot. If a
//! service answers 101 to a request for anything else, the client receives 501.

mod body;
mod export;
mod layer;
mod mount;
mod upgrade;

pub use body::Body;
pub use export::{ExportBody, Exported};
pub use layer::{Call, Rest, layered};
pub(crate) use mount::service;
pub use mount::{Caller, Mount};

/// Any error, as `tower` defines it.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;
