//! tonic's implementation of `grpc.testing`.

pub mod testing {
    tonic::include_proto!("grpc.testing");
}

/// The services of `polywire serve` that stream.
pub mod demo {
    tonic::include_proto!("example");
}

use testing::Payload;

/// Fields of a request that are returned: one in the head, one after the last message.
pub const ECHO_INITIAL: &str = "x-grpc-test-echo-initial";
pub const ECHO_TRAILING: &str = "x-grpc-test-echo-trailing-bin";

pub fn zeros(size: i32) -> Option<Payload> {
    Some(Payload { body: vec![0; usize::try_from(size).unwrap_or(0)], ..Default::default() })
}
