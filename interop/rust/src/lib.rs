//! Servers and clients that foreign test suites drive: gRPC's interop cases, Connect's conformance. They are
//! one file, `polywire-interop`, which runs the program that it is called by the name of;
//! `interop/harness/needs.py` makes the links.
//!
//! | program | who drives it |
//! | --- | --- |
//! | `grpc-testing-server` | the interop clients of grpc-go, grpc-java, grpcio, tonic |
//! | `xds-client` | `interop/xds/peer.py`, beside grpc-go's client |
//! | `connect-conformance-server` | `connectconformance`, feature `conformance` |
//! | `connect-conformance-client` | `connectconformance`, feature `conformance` |
//! | `protobuf-conformance` | `interop/protobuf/peer.py`; feature `protobuf-conformance` |
//! | `flatbuffers-puppet` | `interop/flatbuffers/peer.py`, beside the runtimes of other languages |
//! | `flatbuffers-schema` | `interop/flatbuffers/upstream.py`, beside flatc |
//! | `thrift-test` | `interop/thrift-test/peer.py`, beside Apache's programs; feature `thrift-test` |
//! | `on-call` | `interop/console/on_call.py` |
//! | `restarts` | `interop/restarts/peer.py` |
//! | `rest-library` | `interop/grpc-gateway/peer.py` |
//! | `grpc-testing-client` | `interop/grpc-go/peer.py` and its neighbours, against those projects' servers |

pub mod cases;
#[cfg(any(feature = "conformance", feature = "protobuf-conformance"))]
pub mod framed;
pub mod programs;
pub mod testing;

polywire::include!();

#[cfg(feature = "conformance")]
pub mod conformance;
