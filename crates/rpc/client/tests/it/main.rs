//! Channels, from the side of their users and of their peers.

mod calls;
mod cluster;
mod combinations;
mod common;
mod homes;
mod routing;
mod servers;
mod streams;
