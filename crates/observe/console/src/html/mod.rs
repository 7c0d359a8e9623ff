//! A page in HTML for browsers: one layout, light and dark, complete without its script.
//!
//! ```text
//!  View --> Writer (text enters escaped) --> page with style sheet and script under the nonce of this answer
//!              ^                                             |
//!           Layout: bar, token, nonce, way to the root       +--> script: the same address with json=1, once a second
//! ```
//!
//! Source: docs/console.md.

mod flame;
mod number;
mod page;
mod plot;
mod writer;

pub use number::formatted;
pub use page::{Bar, Layout, page};
