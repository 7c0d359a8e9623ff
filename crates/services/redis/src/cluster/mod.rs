//! Clusters: commands go to the node that has their keys.
//!
//! ```text
//!  command ─► place: the slot of its keys ─► table: the node of the slot ─► the node's channel
//!               │ several slots                 ▲                              │
//!               ▼                               │ MOVED: this slot             ▼
//!             refused                           │ failed: the whole table   redirect? ─no─► the reply
//!                                               └──────────────────────────────┘
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `slot.rs` | the slot of a key |
//! | `positions.rs`, `place.rs` | the keys of a command, and where it goes |
//! | `topology.rs` | who has which slots, as nodes tell it |
//! | `redirect.rs` | what a node says instead of answering |
//! | `nodes.rs` | the nodes and the table of slots |
//! | `refresh.rs` | when the table is old |
//! | `request.rs`, `pipeline.rs` | a command, and several, until their replies have come |
//! | `builder.rs` | options |
//! | `handle.rs` | `Cluster`, from which a program has clients |
//!
//! Calls that find the table wrong read it again, one of them at a time and at most ten times a second. The
//! first call after a connection was lost, or after the table has become old, lets a background task read it
//! and does not wait for it. A cluster without calls has no task.

mod builder;
mod handle;
mod nodes;
mod pipeline;
mod place;
mod positions;
mod redirect;
mod refresh;
mod request;
mod slot;
mod topology;

pub use builder::{Builder, ReadFrom};
pub use handle::Cluster;
pub(crate) use nodes::Inner;
pub(crate) use place::{Placed, one_slot, place, reads};
pub(crate) use redirect::{is_host, join};
pub(crate) use request::{Replies, Request};
pub use slot::Slot;
pub use topology::{MAX_NODES, read_topology};
