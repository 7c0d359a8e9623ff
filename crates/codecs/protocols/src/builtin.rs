//! All protocols, in the order in which their `sniff` functions are called with first bytes.
//!
//! Protocols that few bytes identify reliably come first. The order is right if no protocol keeps a
//! connection undecided that a later one would already claim, and none claims the first bytes of a later one;
//! `tests` checks that with the first message of every page of docs/wire. For this reason mongo, decided at
//! 16 bytes, precedes nshead, which needs 28.

use crate::recognised::tls;
use polywire_wire::{Protocol, ProtocolSet, Protocols};

/// The protocols of this crate that the features of this build enable, including those that are only
/// recognised. Clients use baidu_std unless another protocol is named. A program that needs other protocols
/// makes its own [`ProtocolSet`].
pub const fn builtin() -> ProtocolSet {
    ProtocolSet::new(BUILTIN).with_default(&crate::pbrpc::baidu_std::PROTOCOL).with_left_out(LEFT_OUT)
}

/// The protocols of [`builtin`], for types that depend on a set of protocols: a channel, a server.
pub struct Builtin;
impl Protocols for Builtin {
    fn protocol_set() -> ProtocolSet {
        builtin()
    }
}

static BUILTIN: &[&Protocol] = &[
    // one byte, or a few
    &tls::PROTOCOL,
    #[cfg(feature = "zeromq")]
    &crate::zmtp::PROTOCOL,
    // four letters
    &crate::pbrpc::baidu_std::PROTOCOL,
    &crate::rdma::PROTOCOL,
    #[cfg(feature = "flatbuffers")]
    &crate::pbrpc::fb_rpc::PROTOCOL,
    #[cfg(feature = "flatbuffers")]
    &crate::pbrpc::fb_rpc::V0_PROTOCOL,
    #[cfg(feature = "hulu_pbrpc")]
    &crate::pbrpc::hulu_pbrpc::PROTOCOL,
    #[cfg(feature = "sofa_pbrpc")]
    &crate::pbrpc::sofa_pbrpc::PROTOCOL,
    // longer texts
    #[cfg(feature = "http")]
    &crate::http::h2::PROTOCOL,
    #[cfg(feature = "http")]
    &crate::http::PROTOCOL,
    // clients only
    #[cfg(feature = "grpc")]
    &crate::http::GRPC,
    #[cfg(feature = "grpc")]
    &crate::http::GRPC_WEB,
    #[cfg(feature = "http")]
    &crate::http::CONNECT,
    #[cfg(feature = "memcache")]
    &crate::memcache::PROTOCOL,
    #[cfg(feature = "memcache")]
    &crate::memcache::META,
    #[cfg(feature = "esp")]
    &crate::esp::PROTOCOL,
    &crate::pbrpc::streaming_rpc::PROTOCOL,
    // eight bytes, or a name after its length; one byte and a shape
    #[cfg(feature = "thrift")]
    &crate::thrift::PROTOCOL,
    #[cfg(feature = "rest_rpc")]
    &crate::rest_rpc::PROTOCOL,
    // a line
    #[cfg(feature = "redis")]
    &crate::redis::PROTOCOL,
    // a number after some bytes of anything
    #[cfg(feature = "mongo")]
    &crate::mongo::PROTOCOL,
    // whatever has nshead's magic: of a server that has a service for it
    #[cfg(feature = "nshead")]
    &crate::nshead::PROTOCOL,
    // the same by what clients write
    #[cfg(feature = "nshead")]
    &crate::nshead::public_pbrpc::PROTOCOL,
    #[cfg(feature = "mcpack")]
    &crate::nshead::ubrpc::MCPACK2,
    #[cfg(feature = "mcpack")]
    &crate::nshead::ubrpc::COMPACK,
    #[cfg(feature = "mcpack")]
    &crate::nshead::nshead_mcpack::PROTOCOL,
    #[cfg(feature = "nshead")]
    &crate::nshead::nova_pbrpc::PROTOCOL,
];

/// Names of protocols that are not in [`BUILTIN`], and the feature that each of them needs.
static LEFT_OUT: &[(&str, &str)] = &[
    #[cfg(not(feature = "zeromq"))]
    ("zmtp", "zeromq"),
    #[cfg(not(feature = "flatbuffers"))]
    ("fb_rpc", "flatbuffers"),
    #[cfg(not(feature = "flatbuffers"))]
    ("fb_rpc_v0", "flatbuffers"),
    #[cfg(not(feature = "hulu_pbrpc"))]
    ("hulu_pbrpc", "hulu_pbrpc"),
    #[cfg(not(feature = "sofa_pbrpc"))]
    ("sofa_pbrpc", "sofa_pbrpc"),
    #[cfg(not(feature = "http"))]
    ("h2", "http"),
    #[cfg(not(feature = "http"))]
    ("http", "http"),
    #[cfg(not(feature = "grpc"))]
    ("grpc", "grpc"),
    #[cfg(not(feature = "grpc"))]
    ("grpc-web", "grpc"),
    #[cfg(not(feature = "http"))]
    ("connect", "http"),
    #[cfg(not(feature = "rest_rpc"))]
    ("rest_rpc", "rest_rpc"),
    #[cfg(not(feature = "thrift"))]
    ("thrift", "thrift"),
    #[cfg(not(feature = "redis"))]
    ("redis", "redis"),
    #[cfg(not(feature = "memcache"))]
    ("memcache", "memcache"),
    #[cfg(not(feature = "memcache"))]
    ("memcache_meta", "memcache"),
    #[cfg(not(feature = "esp"))]
    ("esp", "esp"),
    #[cfg(not(feature = "mongo"))]
    ("mongo", "mongo"),
    #[cfg(not(feature = "nshead"))]
    ("nshead", "nshead"),
    #[cfg(not(feature = "nshead"))]
    ("public_pbrpc", "nshead"),
    #[cfg(not(feature = "mcpack"))]
    ("ubrpc_mcpack2", "mcpack"),
    #[cfg(not(feature = "mcpack"))]
    ("ubrpc_compack", "mcpack"),
    #[cfg(not(feature = "mcpack"))]
    ("nshead_mcpack", "mcpack"),
    #[cfg(not(feature = "nshead"))]
    ("nova_pbrpc", "nshead"),
];

#[cfg(test)]
mod tests;
