//! The programs, each a module with a `main`. They are one file that runs the program it is called by the
//! name of: linking each by itself would take minutes.

#[cfg(feature = "conformance")]
pub mod connect_conformance_client;
#[cfg(feature = "conformance")]
pub mod connect_conformance_server;
pub mod flatbuffers_puppet;
pub mod flatbuffers_schema;
pub mod grpc_testing_client;
pub mod grpc_testing_server;
pub mod memcache_client;
pub mod on_call;
#[cfg(feature = "protobuf-conformance")]
pub mod protobuf_conformance;
pub mod redis_cluster;
pub mod redis_sentinel;
pub mod registry;
pub mod rest_library;
pub mod restarts;
pub mod room_server;
#[cfg(feature = "thrift-test")]
pub mod thrift_test;
pub mod traced;
pub mod websocket_peer;
pub mod xds_client;
pub mod zmq_socket;

use std::process::{ExitCode, Termination};

/// Runs the program of this name to its end.
pub fn run(name: &str) -> ExitCode {
    match name {
        #[cfg(feature = "conformance")]
        "connect-conformance-client" => connect_conformance_client::main().report(),
        #[cfg(feature = "conformance")]
        "connect-conformance-relay" => connect_conformance_server::relay().report(),
        #[cfg(feature = "conformance")]
        "connect-conformance-server" => connect_conformance_server::main().report(),
        "flatbuffers-puppet" => flatbuffers_puppet::main().report(),
        "flatbuffers-schema" => flatbuffers_schema::main().report(),
        "grpc-testing-client" => grpc_testing_client::main().report(),
        "grpc-testing-server" => grpc_testing_server::main().report(),
        "memcache-client" => memcache_client::main().report(),
        "on-call" => on_call::main().report(),
        #[cfg(feature = "protobuf-conformance")]
        "protobuf-conformance" => protobuf_conformance::main().report(),
        "redis-cluster" => redis_cluster::main().report(),
        "redis-sentinel" => redis_sentinel::main().report(),
        "registry" => registry::main().report(),
        "rest-library" => rest_library::main().report(),
        "restarts" => restarts::main().report(),
        "room-server" => room_server::main().report(),
        #[cfg(feature = "thrift-test")]
        "thrift-test" => thrift_test::main().report(),
        "traced" => traced::main().report(),
        "websocket-peer" => websocket_peer::main().report(),
        "xds-client" => xds_client::main().report(),
        "zmq-socket" => zmq_socket::main().report(),
        _ => {
            eprintln!("{name:?} is no program of this file: call it by a link that has the name of one");
            ExitCode::from(2)
        }
    }
}
