//! Who may call which method: gRPC's authorization policy, a JSON file, as middleware of a server.
//!
//! ```text
//!  call -> Policy -- a deny rule matches --------> PERMISSION_DENIED
//!             `----- else no allow rule matches -> PERMISSION_DENIED
//!             `----- else ----------------------> the rest of the chain, the handler
//! ```
//!
//! The file is that of other implementations of gRPC and means the same for calls over every protocol: a path
//! is `/package.Service/Method` of the method that runs, never the text that a caller has sent.
//!
//! Source:     grpc/proposal, A43-grpc-authorization-api.md, A59-audit-logging.md, A41-xds-rbac.md; the page
//!             docs/authorization.md, which has our additions and what differs.
//! Invariants: a policy in use was checked as a whole; there is always one in use.
//! Limits:     text of a policy 1 MiB, 1000 rules, 10 000 texts to compare with.
//! Not here:   who the caller is (TLS and authenticators: crate `server`), and pages and services that every
//!             server has, which no middleware sees.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod audit;
mod certificate;
mod document;
mod error;
mod fields;
mod pattern;
mod policy;
mod reload;
mod rules;
mod stdout;
mod strict;
#[cfg(test)]
mod tests;

pub use audit::{AuditLogger, AuditRecord};
pub use error::PolicyError;
pub use policy::{Policy, PolicyBuilder};
pub use rules::KnownCallers;
