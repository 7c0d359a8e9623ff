//! Payload encodings and compression. No runtime, no sockets.
//!
//! - [`Payload`] is the interface of messages to server and client, whichever library generated them;
//!   [`decode_request`], [`encode_request`], [`decode_reply`] and [`encode_reply`] choose encoding and
//!   compression.
//! - [`View`] is a protobuf message that is read in place.
//! - [`schema`] describes messages from descriptors; code that works by schema needs no generated code.
//! - [`json`] converts JSON to protobuf and back by schema, in brpc's style and in protobuf's own.
//! - [`mcpack`] does the same for mcpack v2 and compack, the encodings of the older Baidu systems.
//! - [`foreign`] translates messages of somebody else between these forms and protobuf, within limits.
//! - [`msgpack`] and [`struct_pack`] carry Rust types through serde, as rest_rpc does.
//! - [`thrift`]: structs of Thrift in its binary and its compact protocol.
//! - [`flatbuffers`]: messages that are read in place.
//! - [`bson`]: documents of MongoDB's protocol, read in place.
//! - [`rest`] binds paths, queries and bodies of HTTP to fields, as `google.api.http` describes it.
//! - [`wkt`] and [`rpc`] are Google's own messages; [`MessageField`] and others are types of fields.
//! - [`compression`]: gzip, zlib, zstd, snappy, with a limit when decompressing.
//!
//! Forms and compressions are behind features: see `Cargo.toml`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// What serves a form that is left out is of no use.
#![cfg_attr(not(feature = "full"), allow(dead_code))]

#[cfg(feature = "bson")]
pub mod bson;
pub mod compression;
mod error;
mod field;
#[cfg(feature = "flatbuffers")]
pub mod flatbuffers;
pub mod foreign;
pub mod json;
#[cfg(feature = "mcpack")]
pub mod mcpack;
mod message;
#[cfg(feature = "rest_rpc")]
pub mod msgpack;
mod protobuf;
pub mod rest;
pub mod rpc;
pub mod schema;
#[cfg(feature = "rest_rpc")]
pub mod struct_pack;
pub mod text;
#[cfg(feature = "thrift")]
pub mod thrift;
#[cfg(feature = "views")]
mod view;
pub mod wkt;

#[cfg(test)]
mod testdata;

pub use error::FormatError;
pub use field::{EnumValue, FieldEnum, FieldMessage, KeyHasher, Map, MapState, MessageField, Storage};
pub use message::{Message, Payload, decode_reply, decode_request, encode_reply, encode_request};
#[cfg(feature = "views")]
pub use view::{View, Viewed};

#[doc(hidden)]
pub mod generated;
