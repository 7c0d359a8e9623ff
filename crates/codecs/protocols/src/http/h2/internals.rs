//! The codecs by themselves, for benchmarks and fuzz targets (feature `__internals`).

use super::{
    encode,
    frame::{HEADER_BYTES, Header},
    hpack::{Decoder, Encoder},
};
use bytes::BytesMut;

/// The fields of a gRPC request.
pub const GRPC_REQUEST: [(&str, &str); 8] = [
    (":method", "POST"),
    (":scheme", "http"),
    (":path", "/helloworld.Greeter/SayHello"),
    (":authority", "localhost:50051"),
    ("content-type", "application/grpc"),
    ("te", "trailers"),
    ("user-agent", "grpc-rust/0.1"),
    ("grpc-timeout", "1S"),
];

/// Both ends of a connection's header compression.
pub struct Hpack {
    encoder: Encoder,
    decoder: Decoder<super::field::Field>,
}

impl Hpack {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Hpack { encoder: Encoder::new(), decoder: Decoder::new() }
    }

    /// Limits the encoder's table to SETTINGS_HEADER_TABLE_SIZE of the peer.
    pub fn limit(&mut self, most: usize) {
        self.encoder.limit(most);
    }

    pub fn encode<'f>(&mut self, out: &mut BytesMut, fields: impl IntoIterator<Item = (&'f [u8], &'f [u8])>) {
        self.encoder.begin(out);
        for (name, value) in fields {
            self.encoder.field(out, name, value, encode::indexing_of(name, value));
        }
    }

    /// # Errors
    /// The fault of the block.
    pub fn decode(&mut self, block: &[u8], mut visit: impl FnMut(&[u8], &[u8])) -> Result<(), &'static str> {
        self.decoder.decode(block, |name, value, _| visit(name, value)).map_err(super::hpack::Error::text)
    }
}

/// Length, type, flags and stream of a frame's header.
pub fn frame_header(bytes: &[u8; HEADER_BYTES]) -> (usize, u8, u8, u32) {
    let header = Header::parse(bytes);
    (header.length, header.kind.0, header.flags, header.stream)
}
