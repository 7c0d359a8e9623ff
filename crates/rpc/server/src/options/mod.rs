//! The options of a server, in groups.
//!
//! | file | what it is |
//! | --- | --- |
//! | `bounds` | how much a server takes on at once |
//! | `lifecycle` | how it begins and ends |
//! | `recording` | what it writes down of itself and its calls |

mod bounds;
mod lifecycle;
mod recording;

pub use bounds::Bounds;
pub use lifecycle::Lifecycle;
pub use recording::Recording;
