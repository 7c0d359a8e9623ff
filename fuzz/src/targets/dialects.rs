//! gRPC, grpc-web and Connect, selected by two bits of the plan. Servers receive all of them over HTTP/1.

use polywire_protocols::http;

pub fn run(input: &[u8]) {
    let kind = input.first().map_or(0, |plan| plan >> 2 & 3);
    let (protocol, parameter) = match kind {
        0 => (&http::GRPC_WEB, ""),
        1 => (&http::GRPC_WEB, "text"),
        2 => (&http::CONNECT, ""),
        _ => (&http::GRPC, ""),
    };
    crate::play_as(protocol, parameter, input);
}
