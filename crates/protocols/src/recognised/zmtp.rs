//! ZMTP, the protocol of ZeroMQ. Decided by its first byte, FF: "enough to exclude every other protocol of ours, so claim
//! at 1 byte", because libzmq sends ten bytes and says nothing more until it has seen our signature.
//!
//! Source: docs/wire/zmtp.md, section 7

use super::{SINGLE, magic, recognised};
use polywire_wire::Protocol;

pub(crate) static PROTOCOL: Protocol = recognised("zmtp", |bytes| magic(b"\xff", bytes), false, SINGLE);
