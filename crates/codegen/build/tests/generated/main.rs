//! Generated code from the point of view of its users.

mod editions;
mod flatbuffers;
mod flatbuffers_rare;
mod gbk;
mod mcpack;
mod misuse;
mod owned;
pub mod protobuf; // what is generated at its root is public, used or not
mod thrift;
mod with_prost;
