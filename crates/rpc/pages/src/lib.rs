//! The pages of a server at its own port, and what they find.
//!
//! ```text
//!  request --> guard: who, by which name, from where, POST with token --> page function --> View --> HTML, text or JSON
//! ```
//!
//! A page is a value ([`Page`]), of the server or of an application. Its function makes a view and writes
//! nothing; crate `console` has the forms. `/health` alone is answered in its shard's turn, all else on the
//! work pool.
//!
//! Source: brpc's `/health`, `/version`, `/status`, `/vars`, `/index`, whose text is theirs; `guard.rs` has
//!         who may see what.
//!
//! The server knows of pages what its trait [`ServerPages`] says; what they read of it is
//! [`polywire_server::facts`].
//!
//! [`ServerPages`]: polywire_server::ServerPages

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod asked;
mod asking;
mod built_in;
mod certificates;
mod changed;
mod connections;
mod events;
mod facts;
mod findings;
mod flags;
mod guard;
mod head;
#[cfg(feature = "profile")]
mod hotspots;
#[cfg(feature = "console")]
mod inward;
mod json;
mod limits;
mod login;
mod logins;
mod memory;
mod method;
mod metrics;
#[cfg(feature = "openapi")]
mod openapi;
mod options;
mod overview;
mod page;
#[cfg(feature = "profile")]
mod pprof;
mod protocols;
mod rpcz;
mod says;
#[cfg(feature = "console")]
mod schema;
mod secrets;
mod senders;
mod shards;
mod site;
mod sockets;
mod status;
mod tasks;
mod threads;
#[cfg(feature = "console")]
mod try_it;
mod vars;
mod vlog;

pub use asked::{Access, Asked, Form};
pub use options::Pages;
pub use page::{Group, Page, Who};
pub use says::Elsewhere;
