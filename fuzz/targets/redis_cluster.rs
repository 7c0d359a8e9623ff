//! Tables of slots as the nodes of a Redis cluster tell them, and redirections.
#![no_main]

use bytes::Bytes;
use polywire_redis::{Value, read_topology};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Ok(reply) = Value::parse(Bytes::copy_from_slice(input)) {
        assert!(read_topology(&reply) <= 2 * 16_384);
    }
});
