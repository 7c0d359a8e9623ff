//! Every wire protocol, one folder each, and the set of them all. Protocols that share a machine are a
//! family: their folders are inside the folder of the family (`pbrpc/`, `nshead/`, `http/`).
//!
//! A protocol is bytes in, bytes out, time in: it implements [`polywire_wire::Machine`] and knows no socket,
//! clock or thread. All folders have the same structure.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Code that several protocols share is unused if none of them is built in.
#![cfg_attr(not(feature = "full"), allow(dead_code, unused_imports))]

mod arrived;
mod backlog;
mod brpc_error;
mod builtin;
#[cfg(feature = "esp")]
pub mod esp;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "memcache")]
pub mod memcache;
#[cfg(feature = "mongo")]
pub mod mongo;
mod name;
#[cfg(feature = "nshead")]
pub mod nshead;
mod pbrpc;
mod protobuf;
pub mod protocol;
mod pushes;
pub mod rdma;
mod recognised;
#[cfg(feature = "redis")]
pub mod redis;
#[cfg(any(
    feature = "hulu_pbrpc",
    feature = "nshead",
    feature = "rest_rpc",
    feature = "sofa_pbrpc",
    feature = "zeromq"
))]
mod relays;
mod reply_fields;
#[cfg(feature = "rest_rpc")]
pub mod rest_rpc;
mod sniff;
#[cfg(feature = "thrift")]
pub mod thrift;
#[cfg(feature = "zeromq")]
pub mod zmtp;

pub use builtin::{Builtin, builtin};
#[cfg(feature = "nshead")]
pub use nshead::{nova_pbrpc, public_pbrpc};
#[cfg(feature = "mcpack")]
pub use nshead::{nshead_mcpack, ubrpc};
#[cfg(feature = "flatbuffers")]
pub use pbrpc::fb_rpc;
#[cfg(feature = "hulu_pbrpc")]
pub use pbrpc::hulu_pbrpc;
#[cfg(feature = "sofa_pbrpc")]
pub use pbrpc::sofa_pbrpc;
pub use pbrpc::{baidu_std, streaming_rpc};
