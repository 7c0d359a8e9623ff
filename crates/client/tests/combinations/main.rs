//! Channels that are made of channels.

#[path = "../servers/cluster.rs"]
mod cluster;
#[path = "../common/mod.rs"]
mod common;
mod parallel;
mod partitioned;
mod selective;
