//! Google's own message types, so that methods may take and return them as they are.
//!
//! Their Rust types are those of `buffa-types`. The descriptors are embedded as the compiler has them; a test of crate
//! `build` compares.

use crate::{generated, schema::Pool};
use buffa_types::google::protobuf as google;
use std::sync::LazyLock;

static POOL: LazyLock<Pool> = LazyLock::new(|| generated::pool(include_bytes!("well_known.binpb")));

macro_rules! messages {
    ($($name:literal $type:ident)*) => { $(crate::__buffa_message!(google::$type, $name, POOL);)* };
}

messages! {
    "google.protobuf.Any" Any
    "google.protobuf.Api" Api
    "google.protobuf.BoolValue" BoolValue
    "google.protobuf.BytesValue" BytesValue
    "google.protobuf.DoubleValue" DoubleValue
    "google.protobuf.Duration" Duration
    "google.protobuf.Empty" Empty
    "google.protobuf.FieldMask" FieldMask
    "google.protobuf.FloatValue" FloatValue
    "google.protobuf.Int32Value" Int32Value
    "google.protobuf.Int64Value" Int64Value
    "google.protobuf.ListValue" ListValue
    "google.protobuf.SourceContext" SourceContext
    "google.protobuf.StringValue" StringValue
    "google.protobuf.Struct" Struct
    "google.protobuf.Timestamp" Timestamp
    "google.protobuf.Type" Type
    "google.protobuf.UInt32Value" UInt32Value
    "google.protobuf.UInt64Value" UInt64Value
    "google.protobuf.Value" Value
}

/// prost's types for the same; its empty message is `()`.
#[cfg(feature = "prost")]
mod with_prost {
    use super::POOL;

    macro_rules! messages {
        ($($name:literal $type:ty)*) => { $(crate::__prost_message!($type, $name, POOL);)* };
    }

    messages! {
        "google.protobuf.Any" prost_types::Any
        "google.protobuf.Api" prost_types::Api
        "google.protobuf.Duration" prost_types::Duration
        "google.protobuf.Empty" ()
        "google.protobuf.FieldMask" prost_types::FieldMask
        "google.protobuf.ListValue" prost_types::ListValue
        "google.protobuf.SourceContext" prost_types::SourceContext
        "google.protobuf.Struct" prost_types::Struct
        "google.protobuf.Timestamp" prost_types::Timestamp
        "google.protobuf.Type" prost_types::Type
        "google.protobuf.Value" prost_types::Value
    }
}
