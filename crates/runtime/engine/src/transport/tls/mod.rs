//! TLS as a transport: rustls without its own I/O, between a byte stream and its connection.
//!
//! ```text
//!  socket --sealed--> thread's buffer --rustls opens, in place--> read buffer of the connection
//!  socket <--sealed-- thread's buffer <--rustls seals-- records of 16 KiB, gathered from the output
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `session` | the state machine: sealed bytes in, plain bytes out, and back |
//! | `records` | the buffers around it: what was read, gathered, sealed and not yet sent |
//! | `stream` | a client's end: a [`Transport`](super::Transport) over another one |
//! | `door` | a server's end: TLS or plain, decided by the first bytes |
//! | `failure` | which side caused a failure, and its counter |
//! | `pem` | certificates and keys from PEM texts and files |
//!
//! Copies, allocations and memory are described in docs/design/tls.md.
//!
//! Not here: which certificates and roots (crates `server` and `client`).

mod door;
mod failure;
mod pem;
mod records;
mod session;
mod stream;

pub use door::accept;
pub use pem::{Pem, PemError, certificates, key, unusable};
pub use stream::connect;

use rustls::crypto::CryptoProvider;
use std::sync::Arc;

/// The cryptography that is built in: ring, or aws-lc-rs where that feature is on.
pub fn provider() -> Arc<CryptoProvider> {
    #[cfg(feature = "tls-aws-lc")]
    let provider = rustls::crypto::aws_lc_rs::default_provider();
    #[cfg(not(feature = "tls-aws-lc"))]
    let provider = rustls::crypto::ring::default_provider();
    Arc::new(provider)
}

/// Creates the keys that seal a server's session tickets. They are generated here, changed every six hours,
/// and shared with no other process.
///
/// # Errors
/// If the system provides no randomness.
pub fn ticketer() -> Result<Arc<dyn rustls::server::ProducesTickets>, rustls::Error> {
    #[cfg(feature = "tls-aws-lc")]
    return rustls::crypto::aws_lc_rs::Ticketer::new();
    #[cfg(not(feature = "tls-aws-lc"))]
    return rustls::crypto::ring::Ticketer::new();
}
