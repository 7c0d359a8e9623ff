//! `zookeeper://` against a server in memory with the documented semantics, in virtual time.

#[path = "../common/mod.rs"]
mod common;
mod register;
mod server;
mod source;
