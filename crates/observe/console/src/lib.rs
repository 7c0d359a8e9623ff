//! The content of a server's page, as data, and its three forms: HTML, text and JSON.
//!
//! ```text
//!  page function --> View { facts, tables, findings, plots, forms } --+--> text   (terminals, scripts with grep)
//!                     one snapshot                                    +--> JSON   (scripts, and the page itself to stay fresh)
//!                                                                     +--> HTML   (feature `html`)
//! ```
//!
//! Invariants: a [`View`] has values and no markup, so that a page function cannot write any; every text is
//!             escaped where it is written, for its form. Texts are cut at [`escape::MOST`] characters unless
//!             they are the program's own ([`Value::Long`]).
//! Limits:     [`query::MOST_FIELDS`] fields of a query; [`query::MOST_ROWS`] rows of a table.
//!
//! Not here: access to pages, and the facts about the server (crate `server`).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

pub mod escape;
mod flame;
#[cfg(feature = "html")]
#[cfg_attr(docsrs, doc(cfg(feature = "html")))]
pub mod html;
mod json;
pub mod query;
mod text;
mod value;
mod view;

pub use flame::{Flame, FlameBox, Whose};
pub use json::{json, quoted};
pub use query::Query;
pub use text::text;
pub use value::Value;
pub use view::{Action, Column, Fact, Field, Finding, Link, Mark, Moment, Plot, Row, Section, Table, View};
