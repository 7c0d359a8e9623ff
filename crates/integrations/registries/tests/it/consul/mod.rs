//! `consul://` against an agent in memory with the documented semantics, in virtual time.

mod agent;
mod register;
mod source;
