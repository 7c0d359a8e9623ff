//! Every wire protocol, one folder each, and the registry of them all.
//!
//! A protocol is bytes in, bytes out, time in: it implements [`polywire_wire::Machine`] and knows no socket, clock or
//! thread. After reading one folder, the next holds no surprises.

#![forbid(unsafe_code)]

pub mod baidu_std;
pub mod fb_rpc;
pub mod http;
pub mod hulu_pbrpc;
pub mod nova_pbrpc;
pub mod nshead;
pub mod nshead_mcpack;
mod pbrpc;
mod protobuf;
pub mod public_pbrpc;
mod pushes;
mod recognised;
pub mod redis;
mod registry;
mod reply_fields;
pub mod rest_rpc;
mod sniff;
pub mod sofa_pbrpc;
pub mod streaming_rpc;
pub mod ubrpc;
mod untaken;
pub mod zmtp;

pub use registry::{Builtin, builtin};

/// What a peer is told about whom nobody could decide, see [`polywire_wire::is_undecided`].
const UNDECIDED: &str = "Authentication is not possible now";
