//! gRPC, grpc-web and Connect, selected by two bits of the plan. Servers receive all of them over HTTP/1.
#![no_main]

use polywire_protocols::http;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let kind = input.first().map_or(0, |plan| plan >> 2 & 3);
    let (protocol, parameter) = match kind {
        0 => (&http::GRPC_WEB, ""),
        1 => (&http::GRPC_WEB, "text"),
        2 => (&http::CONNECT, ""),
        _ => (&http::GRPC, ""),
    };
    polywire_fuzz::play_as(protocol, parameter, input);
});
