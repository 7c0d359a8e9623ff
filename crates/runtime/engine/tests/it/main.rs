//! Connections and transports, driven by hand.

mod tasks;
#[cfg(feature = "tls")]
mod tls;
