//! The codecs of HTTP/2 by themselves: header blocks of a gRPC call, frame headers.

use bytes::BytesMut;
use polywire_protocols::http::h2::internals::{GRPC_REQUEST, Hpack, frame_header};

use crate::Bench;

const FRAMES: usize = 100;

pub fn all(bench: &mut Bench) {
    let request = GRPC_REQUEST.map(|(name, value)| (name.as_bytes(), value.as_bytes()));
    let reply: [(&[u8], &[u8]); 2] = [(b":status", b"200"), (b"content-type", b"application/grpc")];
    let trailers: [(&[u8], &[u8]); 1] = [(b"grpc-status", b"0")];
    for (name, fields) in
        [("request head", &request[..]), ("reply head", &reply[..]), ("trailers", &trailers[..])]
    {
        let mut hpack = Hpack::new();
        let mut block = BytesMut::new();
        hpack.encode(&mut block, fields.iter().copied());
        bench.time_prepared(
            &format!("h2: decode a first {name} of gRPC"),
            1,
            block.len(),
            Hpack::new,
            |mut new| {
                new.decode(&block, |_, _| {}).expect("our own block");
                new
            },
        );
        hpack.decode(&block, |_, _| {}).expect("our own block");
        block.clear();
        hpack.encode(&mut block, fields.iter().copied());
        bench.time(&format!("h2: decode a {name} of gRPC"), 1, 0, || {
            let mut bytes = 0;
            hpack.decode(&block, |name, value| bytes += name.len() + value.len()).expect("our own block");
            bytes
        });
        let mut out = BytesMut::with_capacity(1024);
        bench.time(&format!("h2: encode a {name} of gRPC"), 1, 0, || {
            out.clear();
            hpack.encode(&mut out, fields.iter().copied());
            out.len()
        });
    }
    let headers = [0, 0, 12, 0, 1, 0, 0, 0, 5].repeat(FRAMES);
    bench.time("h2: parse the header of a frame", FRAMES as u64, 0, || {
        let parsed = headers.chunks_exact(9).map(|bytes| frame_header(bytes.try_into().expect("nine bytes")));
        parsed.map(|(length, _, _, stream)| length + stream as usize).sum::<usize>()
    });
}
