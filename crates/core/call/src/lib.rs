//! The types that describe a call independently of the protocol that carries it.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Status`] | how a call ended: code, message, origin, whether a retry is safe |
//! | [`Metadata`] | header and trailer fields: an ordered multimap in one allocation |
//! | [`Parent`] | what a call passes on to calls that are made while it is served |
//! | [`ConfigError`] | what is wrong with an option of a server or a channel |
//! | [`bounded`] | a text, cut to the length that is sent |
//! | [`brpc`] | the error numbers of Apache brpc and the codes that they map to |
//!
//! Not here: bytes on the wire (crate `wire`), who carries calls out (crates `client`, `server`).

#![forbid(unsafe_code)]

mod body;
pub mod brpc;
mod config;
mod metadata;
mod parent;
mod reply;
mod status;
mod text;

pub use body::{Compression, Compressions, Content};
pub use config::ConfigError;
pub use metadata::Metadata;
pub use parent::Parent;
pub use reply::Reply;
pub use status::{Code, Native, Origin, Status};
pub use text::bounded;
