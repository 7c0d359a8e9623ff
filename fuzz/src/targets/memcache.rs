//! The client's machine of memcached's binary protocol: a read, a quiet batch and statistics under way.

const GET: &[u8] = b"\x80\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x05\0\0\0\0\0\0\0\0k";
const BATCH: &[u8] = b"\x80\x0d\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0a\
    \x80\x0d\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0\0b\
    \x80\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\0";
const STAT: &[u8] = b"\x80\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0\0";

pub fn run(input: &[u8]) {
    crate::play_calls(&polywire_protocols::memcache::PROTOCOL, &[GET, BATCH, STAT], input);
}
