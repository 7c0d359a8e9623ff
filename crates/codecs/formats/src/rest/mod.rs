//! HTTP requests as messages and messages as HTTP requests, by the rules of `google.api.http`.
//!
//! - [`HttpRule`] is a rule as the `.proto` file states it, [`Rule`] is a rule checked against its messages;
//! - `option.rs` reads rules from descriptors;
//! - `template.rs` has the templates of paths, `percent.rs` their encoding, `trie.rs` finds those of a path;
//! - `field.rs` finds the fields that paths and queries name, `text.rs` reads and writes their values;
//! - `http_body.rs` handles bodies that are not JSON: `google.api.HttpBody`;
//! - `query.rs` binds a query, `read.rs` a whole request, `write.rs` makes a request from a message,
//!   `failure.rs` has the body of a call that failed;
//! - `description.rs` says of a rule what goes where, for descriptions of a service.
//!
//! A request is read into protobuf piece by piece: body, query, path. Protobuf merges the pieces, and the
//! last value of a field wins, so the path overrides the query and the query the body.
//!
//! Limits: [`MAX_PARAMETERS`] parameters of a query, [`MAX_NAMES`] names of fields in one of them.
//!
//! Source: `google/api/http.proto`; docs/rest.md lists the bindings, and where other gateways
//!         differ.

#[cfg(feature = "descriptions")]
mod description;
mod failure;
mod field;
mod http_body;
mod option;
mod percent;
mod query;
mod read;
mod rule;
mod template;
mod text;
mod trie;
mod write;

#[cfg(test)]
mod tests;

#[cfg(feature = "descriptions")]
pub use description::{Carries, Parameter};
pub use failure::{LONGEST_FAILURE, explained, failure, only_member, read_failure};
pub use http_body::HttpBody;
pub use query::{MAX_NAMES, MAX_PARAMETERS};
pub use read::Request;
pub use rule::{Binding, HttpRule, Rule};
pub use template::{Segment, Template};
pub use trie::Trie;
pub use write::Filled;
