//! Naming: the servers of a name, and their changes.
//!
//! ```text
//!  "file:///etc/echo"  ── Schemes::open ──►  Box<dyn Source>
//!                                               │ watch()
//!   Source::watch ── Updates::set(servers) ──► Work: sorts and sifts, compares, keeps the last good set, tries again
//!                                               │
//!                                               ▼
//!                                            Watched: the newest set, for the channels
//! ```
//!
//! A [`Source`] always reports whole sets, not changes. A source that fails is started again after a pause,
//! which grows with each failure, and the last good set stays in use meanwhile.
//!
//! | where | what it is |
//! | --- | --- |
//! | `server.rs`, `address.rs` | one server of a set; what its address looks like |
//! | `source.rs` | the trait that all sources have, and how they report |
//! | `registrar.rs` | the trait of what announces a server to a registry, and its runner |
//! | `function.rs` | sources made from functions |
//! | `watch/`, `options.rs` | runs a source, and shows its newest set to those who watch it; one source for all who name it |
//! | `accept.rs` | what is taken of a set: each server once, well-formed, within bounds |
//! | `state.rs`, `attempts.rs` | what a source and its users share; when a source that failed is asked again |
//! | `schemes.rs` | the sources by the scheme of their urls |
//! | `lines.rs` | servers written as lines of text, as brpc has them |
//! | `sources/` | the sources, a folder each |
//!
//! Not here: sources that make calls over a network (crate `registries`), connections, the choice of a server
//! (crate `balance`).

#![forbid(unsafe_code)]

mod accept;
pub mod address;
mod attempts;
mod function;
pub mod lines;
mod options;
mod registrar;
mod schemes;
mod server;
mod source;
pub mod sources;
mod state;
mod watch;

pub use attempts::Attempts;
pub use function::{source_every, source_fn};
pub use options::WatchOptions;
pub use registrar::{Accepted, Keeping, Registered, Registrar, Registration, State};
pub use schemes::{Naming, Scheme, Schemes};
pub use server::Server;
pub use source::{Source, SourceError, Updates, Watching};
pub use state::Set;
pub use watch::{Watched, Watches, Work, watch, watch_with};
