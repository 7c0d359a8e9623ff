//! The protocols of clients, as constants for a channel: `.protocol(protocol::GRPC)`. A misspelt name does
//! not compile, nor does one whose feature is off. As text, for configuration, each has its
//! [`Protocol::name`].

use polywire_wire::Protocol;

macro_rules! protocols {
    ($($(#[$attribute:meta])* $name:ident = $protocol:expr;)*) => {
        $($(#[$attribute])* pub const $name: &Protocol = &$protocol;)*

        /// All protocols in this list.
        pub const ALL: &[&Protocol] = &[$($(#[$attribute])* $name,)*];
    };
}

protocols! {
    BAIDU_STD = crate::baidu_std::PROTOCOL;
    STREAMING_RPC = crate::streaming_rpc::PROTOCOL;
    #[cfg(feature = "grpc")]
    GRPC = crate::http::GRPC;
    #[cfg(feature = "grpc")]
    GRPC_WEB = crate::http::GRPC_WEB;
    #[cfg(feature = "http")]
    CONNECT = crate::http::CONNECT;
    #[cfg(feature = "http")]
    HTTP = crate::http::PROTOCOL;
    #[cfg(feature = "http")]
    H2 = crate::http::h2::PROTOCOL;
    #[cfg(feature = "hulu_pbrpc")]
    HULU_PBRPC = crate::hulu_pbrpc::PROTOCOL;
    #[cfg(feature = "sofa_pbrpc")]
    SOFA_PBRPC = crate::sofa_pbrpc::PROTOCOL;
    #[cfg(feature = "nshead")]
    NSHEAD = crate::nshead::PROTOCOL;
    #[cfg(feature = "nshead")]
    NOVA_PBRPC = crate::nova_pbrpc::PROTOCOL;
    #[cfg(feature = "nshead")]
    PUBLIC_PBRPC = crate::public_pbrpc::PROTOCOL;
    #[cfg(feature = "mcpack")]
    NSHEAD_MCPACK = crate::nshead_mcpack::PROTOCOL;
    #[cfg(feature = "mcpack")]
    UBRPC_MCPACK2 = crate::ubrpc::MCPACK2;
    #[cfg(feature = "mcpack")]
    UBRPC_COMPACK = crate::ubrpc::COMPACK;
    #[cfg(feature = "flatbuffers")]
    FB_RPC = crate::fb_rpc::PROTOCOL;
    #[cfg(feature = "flatbuffers")]
    FB_RPC_V0 = crate::fb_rpc::V0_PROTOCOL;
    #[cfg(feature = "redis")]
    REDIS = crate::redis::PROTOCOL;
    #[cfg(feature = "memcache")]
    MEMCACHE = crate::memcache::PROTOCOL;
    #[cfg(feature = "memcache")]
    MEMCACHE_META = crate::memcache::META;
    #[cfg(feature = "esp")]
    ESP = crate::esp::PROTOCOL;
    #[cfg(feature = "zeromq")]
    ZMTP = crate::zmtp::PROTOCOL;
    #[cfg(feature = "rest_rpc")]
    REST_RPC = crate::rest_rpc::PROTOCOL;
    #[cfg(feature = "thrift")]
    THRIFT = crate::thrift::PROTOCOL;
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use std::collections::BTreeSet;

    #[test]
    fn every_protocol_of_clients_has_a_constant() {
        let protocols = crate::builtin();
        let spoken = protocols.iter().filter(|protocol| protocol.machine.is_some() && !protocol.server_only);
        let spoken: BTreeSet<_> = spoken.map(|protocol| protocol.name).collect();
        assert_eq!(ALL.iter().map(|protocol| protocol.name).collect::<BTreeSet<_>>(), spoken);
    }
}
