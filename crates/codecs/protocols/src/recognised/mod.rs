//! Protocols that are recognised and not supported further: one small file with the rule of each.
//!
//! | file | what decides |
//! | --- | --- |
//! | `tls.rs` | the record that carries a ClientHello |
//!
//! They are built in from the start, so that a protocol that is added later finds its first bytes
//! free. When one is implemented, its file here is removed and its folder defines its own `PROTOCOL`, with
//! the same sniff function.

pub(crate) mod tls;
