//! Streams of messages as handlers and callers use them: the part that client and server have in common.
//!
//! ```text
//!  a client's call                        wire                        a server's handler
//!  Outgoing<Request> --Form--> Sink ...............> Source --Form--> Streaming<Request>
//!  Streaming<Reply>  <-Form-- Source <.............. Sink <--Form--- impl Stream<Item = Result<Reply, Status>>
//! ```
//!
//! Memory is bounded at every step: a queue of [`stream()`] by its capacity, a line by its rings, a machine
//! by its windows. A side that is too fast waits.
//!
//! Not here: how a stream is opened (crate `client`), who answers it (crate `server`), how parts of messages
//! reach a connection (crate `exchange`).

#![forbid(unsafe_code)]

mod form;
mod idle;
mod inflating;
mod item;
pub mod lines;
mod outgoing;
mod raw;
pub mod stream;
mod streaming;

pub use form::Form;
pub use futures_core::Stream;
pub use idle::SleepFor;
pub use inflating::{Budget, Inflating, Inflation, Turn};
pub use item::Item;
pub use lines::Lines;
pub use outgoing::Outgoing;
pub use raw::{RawReceiver, RawSender, RawStream};
pub use stream::stream;
pub use streaming::{Ending, OnEnd, Streaming};
