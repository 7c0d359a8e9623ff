//! Protocols that are told apart but not spoken yet: one small file each, with what decides.
//!
//! They stand in the registry from the start, so that no protocol that joins later finds its bytes taken. When one is
//! built, its file here goes and its folder brings its own `PROTOCOL`, with the same sniff function.

pub(crate) mod mongo;
pub(crate) mod thrift;
pub(crate) mod tls;
