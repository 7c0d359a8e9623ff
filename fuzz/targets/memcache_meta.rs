//! The client's machine of memcached's meta commands: a read, a quiet batch and others under way.
#![no_main]

const CALLS: [&[u8]; 3] = [
    b"mg k v f c O5\r\n",
    b"mg a v q O1\r\nms b 1 q O2\r\nx\r\nma n v O3\r\nmn\r\n",
    b"md k O6\r\nme k\r\nversion\r\n",
];

libfuzzer_sys::fuzz_target!(|input: &[u8]| polywire_fuzz::play_calls(
    &polywire_protocols::memcache::META,
    &CALLS,
    input
));
