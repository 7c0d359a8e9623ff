//! Streams as users write them: generated traits and clients, over the lab's protocol in memory, and over plain HTTP.

#[allow(dead_code, clippy::all)]
mod talk {
    include!("../../../build/tests/golden/talk.rs");
}

mod cancelling;
mod ends;
mod grpc;
mod kinds;
mod offered;
mod plain_http;
mod pressure;
mod support;
