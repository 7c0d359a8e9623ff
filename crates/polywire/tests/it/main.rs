//! The public interface as a user has it. Tests of one program run beside each other in one process: what
//! needs a process of its own is in `memory` and `process`.

mod access_log;
mod authentication;
mod baidu;
mod blocking;
mod blocking_streams;
mod bound;
mod browsers;
mod call_ends;
mod call_metrics;
mod callers;
mod connections;
mod dump;
mod errors;
mod faults;
mod flatbuffers;
mod frames;
mod interceptors;
mod lengths;
mod many_shards;
mod memcache;
mod metrics;
mod middleware;
mod networks;
mod pages;
mod placement;
mod places;
mod rates;
mod rdma;
mod redis;
mod redis_client;
mod redis_cluster;
mod registries;
mod rest;
mod rest_rpc;
mod service_config;
mod standard;
mod start;
mod stopping;
mod streams;
mod support;
mod tasks;
#[cfg(feature = "testkit")]
mod testkit;
#[cfg(feature = "tls")]
mod tls;
#[cfg(feature = "tower")]
mod tower;
mod traces;
mod tries;
mod virtual_time;
#[cfg(feature = "websocket")]
mod websocket;
mod zmq;
mod zmq_security;

/// What is generated for the service of most tests.
#[allow(dead_code, clippy::all)]
mod talk {
    include!("../../../codegen/build/tests/golden_protobuf/talk.rs");
}
