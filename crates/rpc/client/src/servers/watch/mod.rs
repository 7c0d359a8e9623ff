//! The set of servers, and the task that keeps it up to date.
//!
//! | where | what it is |
//! | --- | --- |
//! | `current.rs` | the newest set, which calls choose from while others replace it |
//! | `keeper.rs` | the task that takes new sets from naming, and sweeps for outliers |
//! | `shared_source.rs` | a source that several channels watch together |

pub(super) mod current;
pub(super) mod keeper;
pub(super) mod shared_source;
