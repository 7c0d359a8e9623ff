//! `zookeeper://` against a server in memory with the documented semantics, in virtual time.

mod register;
mod server;
mod source;
