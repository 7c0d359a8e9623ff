//! The choice of a server for an attempt.
//!
//! | where | what it is |
//! | --- | --- |
//! | `nearby.rs` | the picker of a set: over all servers, or over those of the own zone first |
//! | `query.rs` | what a balancer is given of the thread and of the call |
//! | `probes.rs` | the questions of the balancer `prequal` to the servers |

pub(super) mod nearby;
pub(crate) mod probes;
pub(super) mod query;
