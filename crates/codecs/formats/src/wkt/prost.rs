//! Conversions for prost's types of the same messages; its empty message is `()`.

use super::generated::POOL;

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
