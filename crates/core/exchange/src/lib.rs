//! Connects a call or a stream with its connection on another thread: one allocation, no lock.
//!
//! ```text
//!   user, any thread                                 home: the connection, its thread
//!   Draft::post --------------> inbox -------------> Desk::request, machine.open
//!   poll_reply <----- wake ----------------- DONE <- Desk::complete
//!   Source <-------- queue ------------------------ push_part (received parts)
//!   Sink  ---- queue, post ---> inbox -------------> pop_part while credit is open, machine.send
//!
//!   Answerer::answer -- post -> inbox -------------> Desk::take_answer, machine.finish      (at a server)
//!   Answerer::watch <-- wake --------------- DONE <- Desk::complete, Desk::cancel
//! ```
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Request`], [`Name`] | the request of a call |
//! | [`Line`] | one call or stream, shared by its user and its connection |
//! | [`Pipe`] | the queues of a stream, both ways |
//! | [`Desk`] | the connection's right to the lines of its inbox |
//! | [`Draft`], [`Caller`] | the right of a client's user: to a call before it is posted, and to its outcome |
//! | [`Answerer`] | the right of a handler: to the outcome of its call |
//! | [`Source`], [`Sink`] | the rights to the two directions of a stream |
//!
//! A line has two cells for data that is too large for an atomic. `said` belongs to the user until it posts
//! or answers, `heard` to home until it sets DONE. Types ensure that each side is one thread at a time: the
//! user's rights are handles that cannot be cloned, and home's right is the desk, of which each inbox has
//! one.
//!
//! Invariants: `said` is written before CALL is posted or before ANSWERED, and taken back by the user only
//! after DONE; `heard` is written once, before DONE, and read by the user only after it.
//!
//! Not here: the transport of bytes (crate `engine`), the handling of calls on a connection (crates `client`
//! and `server`), messages in place of parts (crate `streams`).

mod answerer;
mod caller;
mod desk;
mod line;
#[cfg(all(test, loom))]
mod loom_line;
mod pipe;
mod request;
mod sink;
mod source;
#[cfg(not(loom))]
mod spare;
mod turn;

pub use answerer::Answerer;
pub use caller::{Caller, Draft};
pub use desk::Desk;
pub use line::{Line, Stage};
pub use pipe::Pipe;
pub use request::{Name, Request};
pub use sink::Sink;
pub use source::Source;
pub use turn::turns_ended;

use polywire_base::sync;
