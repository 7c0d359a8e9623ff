//! Tables of slots as the nodes of a Redis cluster tell them, and redirections.

use bytes::Bytes;
use polywire_redis::{Value, read_topology};

pub fn run(input: &[u8]) {
    if let Ok(reply) = Value::parse(Bytes::copy_from_slice(input)) {
        assert!(read_topology(&reply) <= 2 * 16_384);
    }
}
