//! Thrift: services of `.thrift` files, at the server and at the client.
//!
//! | piece | what it is |
//! | --- | --- |
//! | [`Service`] | a service of a server, which generated code makes: `Calculator.into_service()` |
//! | [`Client`], [`Call`], [`RawCall`] | what generated clients consist of; calls of bytes |
//! | [`Method`], [`Served`] | a method, as generated code describes it |
//! | [`Returned`], [`Nothing`] | results of methods that declare no exception |
//! | [`Any`], [`Raw`], [`RawReply`] | all methods of a server, as bytes |
//! | [`ExceptionType`] | TApplicationException: how a call failed without an exception that it declares |
//! | [`BizStatus`] | failures of the application in Kitex and volo, over TTHeader |
//! | [`Value`], [`Reader`], [`Writer`], [`Type`] | values in both encodings |
//! | [`Uuid`], [`Double`], [`Bytes`] | Rust types of `uuid`, of `double` in sets and keys, and of `binary` |
//!
//! Not here: bytes on the wire (crates `protocols` and `formats`), and the reading of `.thrift` files (crate
//!           `build`).

#![forbid(unsafe_code)]

mod call;
mod client;
mod method;
mod raw;
mod service;

pub use call::{Call, CallFuture, RawCall, RawCallFuture};
pub use client::Client;
pub use method::{Method, Nothing, Returned, Served, missing_result};
pub use polywire_formats::thrift::{
    Bytes, Double, Encoding, Error, Reader, Scope, Type, Uuid, Value, Writer, decode, encode, recode,
};
pub use polywire_protocols::thrift::{BizStatus, ExceptionType, Form};
pub use raw::{Any, Raw, RawReply};
pub use service::Service;
