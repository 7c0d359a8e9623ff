//! Channels that are made of channels.

mod parallel;
mod partitioned;
mod selective;
