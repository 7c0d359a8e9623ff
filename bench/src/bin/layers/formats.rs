//! Messages in and out of bytes.

use polywire::{Compression, Content};
use polywire_base::IoBuf;
use polywire_formats::{Payload, decode_request};

use crate::Bench;
use crate::dispatch::example::EchoRequest;

const CALLS: u64 = 100;

pub fn all(bench: &mut Bench) {
    for bytes in [10, 100, 1000, 64 * 1024] {
        let message = EchoRequest { message: "x".repeat(bytes) };
        for (form, content) in [("protobuf", Content::PROTOBUF), ("JSON", Content::JSON)] {
            // A form that is not there yet is left out.
            let Ok(encoded) = message.encode(content, Compression::NONE, Default::default()) else {
                continue;
            };
            bench.time(&format!("{form}: encode {bytes} B"), CALLS, bytes, || {
                for _ in 0..CALLS {
                    std::hint::black_box(
                        message
                            .encode(content, Compression::NONE, Default::default())
                            .expect("it did before"),
                    );
                }
            });
            bench.time(&format!("{form}: decode {bytes} B"), CALLS, bytes, || {
                for _ in 0..CALLS {
                    let body: IoBuf = encoded.clone();
                    let read = decode_request::<EchoRequest>(content, Compression::NONE, body, 1 << 26);
                    std::hint::black_box(read.expect("we wrote it"));
                }
            });
        }
    }
}
