//! HTTP/2, and gRPC on it. Decided by the client's preface of 24 bytes, which is asked for before HTTP/1 and Redis, since
//! `PRI` could begin a line of either.
//!
//! Source: docs/wire/grpc.md, sections 1 and 6; RFC 9113, section 3.4

use super::{SINGLE, magic, recognised};
use polywire_wire::Protocol;

const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

pub(crate) static PROTOCOL: Protocol = recognised("h2", |bytes| magic(PREFACE, bytes), false, SINGLE);
