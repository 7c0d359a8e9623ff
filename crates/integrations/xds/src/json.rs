//! JSON as protobuf has it.

use polywire_formats::wkt::{ListValue, NullValue, Struct, Value, value::Kind};
use serde_json::{Map, Value as Json};

/// An object.
pub(crate) fn to_struct(object: &Map<String, Json>) -> Struct {
    Struct { fields: object.iter().map(|(name, value)| (name.clone(), to_value(value))).collect() }
}

fn to_value(json: &Json) -> Value {
    let kind = match json {
        Json::Null => Kind::NullValue(NullValue::NULL_VALUE.into()),
        Json::Bool(truth) => Kind::BoolValue(*truth),
        Json::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or_default()),
        Json::String(text) => Kind::StringValue(text.clone()),
        Json::Array(items) => {
            Kind::ListValue(Box::new(ListValue { values: items.iter().map(to_value).collect() }))
        }
        Json::Object(object) => Kind::StructValue(Box::new(to_struct(object))),
    };
    Value { kind: Some(kind) }
}
