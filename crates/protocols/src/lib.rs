//! Every wire protocol, one folder each, and the registry of them all. Protocols that share a machine are a family: their
//! folders are inside the folder of the family (`pbrpc/`, `nshead/`, `http/`).
//!
//! A protocol is bytes in, bytes out, time in: it implements [`polywire_wire::Machine`] and knows no socket, clock or
//! thread. After reading one folder, the next holds no surprises.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod backlog;
mod brpc_error;
pub mod http;
mod name;
pub mod nshead;
mod pbrpc;
mod protobuf;
mod pushes;
mod recognised;
pub mod redis;
mod registry;
mod reply_fields;
pub mod rest_rpc;
mod sniff;
pub mod zmtp;

pub use nshead::{nova_pbrpc, nshead_mcpack, public_pbrpc, ubrpc};
pub use pbrpc::{baidu_std, fb_rpc, hulu_pbrpc, sofa_pbrpc, streaming_rpc};
pub use registry::{Builtin, builtin};
