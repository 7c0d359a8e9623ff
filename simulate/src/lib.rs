//! Fleets of clients and servers in virtual time.
//!
//! Clients choose servers by the very code of `polywire_balance` that production runs; servers, their
//! machines and the network are models. A run reads no clock and draws all its random numbers from one seed,
//! so the same seed gives the same bytes.
//!
//! ```text
//!  scenarios ──► setup ──► run: events ──► measure ──► table, chart ──► docs/simulate/
//!                           │  client (Picker, retries)
//!                           │  server (processor sharing or a queue; Meter)
//! ```
//!
//! Not here: protocols and sockets. What bytes cost is measured by `bench/`.

#![forbid(unsafe_code)]

pub mod chart;
mod client;
pub mod draw;
mod events;
pub mod measure;
mod output;
pub mod retry;
mod run;
pub mod scenarios;
mod server;
pub mod setup;
mod slab;
pub mod table;

pub use output::{json, page, write};
pub use run::run;
pub use server::Discipline;
