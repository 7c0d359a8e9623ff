//! Every protocol there is, in the order in which they are asked about first bytes.
//!
//! The order is by how surely few bytes identify a protocol. It is right if no protocol keeps a connection undecided that
//! a later one would already claim, and none claims what belongs to a later one; `tests` tries that with the first
//! message of every sheet. Which is why mongo, decided at 16 bytes, stands before nshead, which waits for 28.

use crate::{
    baidu_std, fb_rpc, http, hulu_pbrpc, nova_pbrpc, nshead, nshead_mcpack, public_pbrpc,
    recognised::{mongo, thrift, tls},
    redis, rest_rpc, sofa_pbrpc, streaming_rpc, ubrpc, zmtp,
};
use polywire_wire::{Protocol, Protocols, Registry};

/// All protocols of this crate, those that are only recognised included; clients speak baidu_std where their user names
/// none. A program that wants fewer makes a [`Registry`] of its own.
pub const fn builtin() -> Registry {
    Registry::new(BUILTIN).with_default(&baidu_std::PROTOCOL)
}

/// The protocols of [`builtin`], for types that name which protocols they know: a channel, a server.
pub struct Builtin;
impl Protocols for Builtin {
    fn registry() -> Registry {
        builtin()
    }
}

static BUILTIN: &[&Protocol] = &[
    // one byte, or a few
    &tls::PROTOCOL,
    &zmtp::PROTOCOL,
    // four letters
    &baidu_std::PROTOCOL,
    &fb_rpc::PROTOCOL,
    &hulu_pbrpc::PROTOCOL,
    &sofa_pbrpc::PROTOCOL,
    // longer texts
    &http::h2::PROTOCOL,
    &http::PROTOCOL,
    // clients only
    &http::GRPC,
    &http::GRPC_WEB,
    &http::CONNECT,
    &streaming_rpc::PROTOCOL,
    // seven bytes; one byte and a shape
    &thrift::PROTOCOL,
    &rest_rpc::PROTOCOL,
    // a line
    &redis::PROTOCOL,
    // a number after some bytes of anything
    &mongo::PROTOCOL,
    // whatever has nshead's magic: of a server that has a service for it
    &nshead::PROTOCOL,
    // the same by what clients write
    &public_pbrpc::PROTOCOL,
    &ubrpc::MCPACK2,
    &ubrpc::COMPACK,
    &nshead_mcpack::PROTOCOL,
    &nova_pbrpc::PROTOCOL,
];

#[cfg(test)]
mod tests;
