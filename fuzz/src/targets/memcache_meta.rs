//! The client's machine of memcached's meta commands: a read, a quiet batch and others under way.

const CALLS: [&[u8]; 3] = [
    b"mg k v f c O5\r\n",
    b"mg a v q O1\r\nms b 1 q O2\r\nx\r\nma n v O3\r\nmn\r\n",
    b"md k O6\r\nme k\r\nversion\r\n",
];

pub fn run(input: &[u8]) {
    crate::play_calls(&polywire_protocols::memcache::META, &CALLS, input);
}
