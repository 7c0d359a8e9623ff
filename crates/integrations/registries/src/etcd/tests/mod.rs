//! `etcd://` against a store in memory with the documented semantics, in virtual time.

mod register;
mod source;
mod store;
#[path = "../../../tests/it/common/watching.rs"]
mod watching;
