//! Options of a running program: typed, validated, and changed while it runs, with a record of who changed
//! what.
//!
//! A [`Flag`] is a value of its owner, which reads it by one atomic load. A [`Flags`] is the set of flags
//! that a program lets its operators change, by name and as text. There is no global set: `main` makes one
//! and passes it on.
//!
//! ```
//! use polywire_flags::{Flag, Flags, Origin};
//! use std::time::Duration;
//!
//! let batch = Flag::new("batch", 64u64, "Rows that are written at once").range(1..=1000);
//! let flags = Flags::new();
//! flags.register(&batch)?;
//!
//! flags.set("batch", "128", &Origin::new("alice", "10.0.0.7"))?;
//! assert_eq!(batch.get(), 128);
//! assert!(flags.set("batch", "0", &Origin::new("alice", "10.0.0.7")).is_err());
//! // for ten minutes, then what it was before
//! flags.set_for("batch", "256", Duration::from_secs(600), &Origin::new("bob", "console"))?;
//! assert_eq!(flags.changes().last().map(|change| &*change.new), Some("256"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `value.rs` | the types that a flag can have, as text and as the bits of its atomic |
//! | `flag.rs` | [`Flag`]: a value, its validator, who is told of changes |
//! | `linked.rs` | [`Linked`]: a flag whose value belongs to another object |
//! | `set.rs` | [`Flags`]: by name; what is set, for how long, and by whom |
//! | `audit.rs` | [`Change`]: the last thousand changes |
//! | `sources.rs` | flag files and the environment |
//! | `text.rs` | brpc's table of `/flags` |
//!
//! Limits: a value has at most 1 KiB as text, a file 1 MiB; [`audit::KEPT`] changes are kept.
//! Not here: pages and their tokens (crate `server`), options of command lines.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

pub mod audit;
mod error;
mod flag;
mod linked;
mod set;
mod sources;
mod text;
mod value;

pub use audit::{Change, Origin};
pub use error::FlagError;
pub use flag::Flag;
pub use linked::Linked;
pub use set::{Flags, Registered};
pub use value::Value;
