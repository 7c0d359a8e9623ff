//! sofa_pbrpc. Decided by its magic, `SOFA`.
//!
//! Source: docs/wire/sofa_pbrpc.md

use super::{ANY, magic, recognised};
use polywire_wire::Protocol;

pub(crate) static PROTOCOL: Protocol = recognised("sofa_pbrpc", |bytes| magic(b"SOFA", bytes), true, ANY);
