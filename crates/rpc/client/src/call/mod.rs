//! Calls: their options, their attempts, and their replies.
//!
//! ```text
//!  unary ──► future   ─┐                  ┌─► retry ──► policy      handle: a future that runs before it is awaited
//!        └─► blocking ─┼─► attempt ──► pool
//!  streaming ──────────┘  each attempt; when one fails, Retry says what follows
//! ```

mod attempt;
mod blocking;
mod deadline;
mod decision;
pub(crate) mod future;
pub(crate) mod handle;
pub(crate) mod hedge;
mod hedges;
pub(crate) mod moment;
mod offering;
mod policy;
pub(crate) mod reply;
pub(crate) mod retry;
pub(crate) mod rule;
pub(crate) mod streaming;
pub(crate) mod target;
mod timeout;
pub(crate) mod unary;
