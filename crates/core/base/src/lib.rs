//! The lowest layer: buffers that are cut and shared instead of copied, and the few lock-free structures
//! through which threads communicate.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`IoBuf`] | bytes received or to be sent: a chain of reference-counted segments |
//! | [`Output`] | bytes that a connection still has to write to its socket |
//! | [`SpscQueue`] | bounded queue, one producer, one consumer |
//! | [`WakerCell`] | one waker, one registering side, any waking side |
//! | [`Inbox`] | a queue for posts to a connection; wakes it only when it sleeps |
//! | [`Wheel`] | deadlines in 1 ms ticks |
//! | [`Slab`] | a table that numbers its values |
//! | [`LineGate`] | how often a line of the log may be written |
//! | [`running`] | which method a thread runs, for a profiler |
//! | [`calendar`] | days as dates, and back |
//! | [`later`] | an instant plus a duration, whatever it is |
//! | [`lock`], [`watch_locks`] | a mutex, poisoned or not; who waits for it |
//! | [`Sort`] | sorting off hot paths, compiled once |
//! | [`SortedMap`] | a map of few entries in the order of their keys |
//! | [`murmur3_32`] | a hash of names that peers compute alike |
//! | [`caught`], [`caught_future`] | code of an application, whose panic ends nothing else |
//! | [`nearest`], [`is_near`] | the known word that was meant by a misspelt one |
//!
//! Not here: sockets, protocols, and everything else that interprets the bytes.

pub mod calendar;
mod caught;
mod inbox;
mod iobuf;
mod line_gate;
mod lock;
#[cfg(all(test, loom))]
mod loom_inbox;
#[cfg(all(test, loom))]
mod loom_spsc_queue;
#[cfg(loom)]
#[doc(hidden)]
pub mod loom_support;
#[cfg(all(test, loom))]
mod loom_waker_cell;
mod murmur3;
mod nearest;
mod output;
pub mod running;
mod setters;
mod slab;
mod sort;
mod sorted_map;
mod spsc_queue;
#[doc(hidden)]
pub mod sync;
mod time;
mod waker_cell;
mod wheel;

pub use caught::{caught, caught_future};
pub use inbox::{Inbox, Link, Node};
pub use iobuf::IoBuf;
pub use line_gate::LineGate;
pub use lock::{LockWatch, lock, watch_locks};
pub use murmur3::murmur3_32;
pub use nearest::{is_near, nearest};
pub use output::Output;
pub use slab::{Key, Slab};
pub use sort::Sort;
pub use sorted_map::SortedMap;
pub use spsc_queue::SpscQueue;
pub use time::later;
pub use waker_cell::WakerCell;
pub use wheel::{Timer, Wheel};
