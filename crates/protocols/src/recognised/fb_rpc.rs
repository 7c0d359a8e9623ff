//! fb_rpc: FlatBuffers over brpc connections. Decided by its magic, `FRPC`.
//!
//! Source: docs/wire/flatbuffers_rpc.md

use super::{ANY, magic, recognised};
use polywire_wire::Protocol;

pub(crate) static PROTOCOL: Protocol = recognised("fb_rpc", |bytes| magic(b"FRPC", bytes), true, ANY);
