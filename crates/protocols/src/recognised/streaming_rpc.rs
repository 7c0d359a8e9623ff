//! streaming_rpc: message streams beside baidu_std calls. Decided by its magic, `STRM`. It will be the second magic of
//! `baidu_std`'s machine, whose calls open the streams.
//!
//! Source: docs/wire/streaming_rpc.md

use super::{SINGLE, magic, recognised};
use polywire_wire::Protocol;

pub(crate) static PROTOCOL: Protocol =
    recognised("streaming_rpc", |bytes| magic(b"STRM", bytes), true, SINGLE);
