//! Protocols that are recognised and not spoken: one small file each, which says how.
//!
//! | file | what decides |
//! | --- | --- |
//! | `tls.rs` | the record that carries a ClientHello |
//!
//! They stand in the registry from the start, so that no protocol that joins later finds its bytes taken.
//! When one is built, its file here goes and its folder brings its own `PROTOCOL`, with the same sniff
//! function.

pub(crate) mod tls;
