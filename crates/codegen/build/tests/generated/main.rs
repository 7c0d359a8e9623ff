//! Generated code from the point of view of its users.

mod editions;
mod flatbuffers;
mod flatbuffers_rare;
mod gbk;
mod mcpack;
mod misuse;
mod owned;
mod protobuf;
mod thrift;
mod views;
mod with_prost;
