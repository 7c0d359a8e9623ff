//! `consul://` against an agent in memory with the documented semantics, in virtual time.

#[path = "../common/mod.rs"]
mod common;

mod agent;
mod register;
mod source;
