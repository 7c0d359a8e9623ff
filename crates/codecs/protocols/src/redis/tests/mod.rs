//! Golden bytes, splits, truncations, limits, noise. What is marked "captured" was answered by redis-server
//! 7.0.15.

mod client;
mod server;
mod value;
