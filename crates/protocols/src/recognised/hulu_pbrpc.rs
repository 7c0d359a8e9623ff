//! hulu_pbrpc. Decided by its magic, `HULU`.
//!
//! Source: docs/wire/hulu_pbrpc.md

use super::{ANY, magic, recognised};
use polywire_wire::Protocol;

pub(crate) static PROTOCOL: Protocol = recognised("hulu_pbrpc", |bytes| magic(b"HULU", bytes), true, ANY);
