//! What is tried: a file each, whose `run` takes one input and panics if something is wrong.

mod baidu_std;
mod debug_string;
mod dialects;
mod esp;
mod fb_rpc;
mod flatbuffers;
mod h2;
mod h2_frames;
mod hpack;
mod http;
mod hulu_pbrpc;
mod mcpack;
mod mcpack_generated;
mod memcache;
mod memcache_meta;
mod mongo;
mod naming_lines;
mod nova_pbrpc;
mod nshead;
mod nshead_adaptor;
mod nshead_mcpack;
mod public_pbrpc;
mod redis;
mod redis_cluster;
mod rest;
mod rest_rpc;
mod rest_rpc_values;
mod rpc_dump;
mod sniff;
mod sofa_pbrpc;
mod streaming_rpc;
mod thrift;
mod thrift_idl;
mod tokens;
mod translate;
mod ubrpc;
mod websocket;
mod xds;
mod zmtp;
mod zmtp_curve;
mod zmtp_plain;

macro_rules! by_name {
    ($($name:ident)*) => { &[$((stringify!($name), $name::run)),*] };
}

/// Every target, by name.
#[rustfmt::skip]
pub const TARGETS: &[(&str, fn(&[u8]))] = by_name! {
    baidu_std debug_string dialects esp fb_rpc flatbuffers h2 h2_frames hpack
    http hulu_pbrpc mcpack mcpack_generated memcache memcache_meta mongo naming_lines
    nova_pbrpc nshead nshead_adaptor nshead_mcpack public_pbrpc redis redis_cluster rest
    rest_rpc rest_rpc_values rpc_dump sniff sofa_pbrpc streaming_rpc thrift thrift_idl
    tokens translate ubrpc websocket xds zmtp zmtp_curve zmtp_plain
};
