//! rest_rpc on the command line: JSON arrays of arguments in, results as JSON.
//!
//! Its bodies do not contain the types of values. msgpack distinguishes strings from numbers; for struct_pack
//! a number without a fraction is an `int`, or an `int64_t` if it is too large, any other a `double`. Results
//! of format B that are more than text are printed byte by byte.

use crate::{
    failure::Failure,
    request::{Asked, Subject, input},
};
use polywire::{
    Content, Raw, Target,
    rest_rpc::{SERVICE, function_id},
};
use polywire_formats::{
    FormatError, msgpack,
    struct_pack::{self, Scalar, Shape, Type},
};
use serde::{
    Serialize, Serializer,
    ser::{Error, SerializeTuple},
};
use serde_json::Value;
use std::sync::Arc;

/// A function by its name.
struct Function {
    name: String,
    /// Default arguments.
    sample: &'static str,
}

/// Finds the function that the user named.
pub fn function(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    let name = asked.name.unwrap_or(asked.method).to_owned();
    Ok(Arc::new(Function { name, sample: asked.request }))
}

impl Subject for Function {
    fn target(&self) -> Target {
        Target::fixed(SERVICE, self.name.clone().leak()).at(function_id(&self.name))
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn requests(&self, input: Option<&str>, content: Content) -> Result<Vec<Vec<u8>>, Failure> {
        let text = input.map_or_else(|| Ok(self.sample.to_owned()), input::json_or_file)?;
        input::split(&text)?.into_iter().map(|(_, one)| request(one, content)).collect()
    }

    fn reply(&self, mut raw: Raw) -> Result<String, String> {
        reply(raw.content, raw.body.contiguous()).map_err(|error| format!("the reply: {error}"))
    }
}

/// The body of a call with the arguments of a JSON array.
///
/// # Errors
/// The input is not an array, or has a value without a type in struct_pack.
fn request(json: &str, content: Content) -> Result<Vec<u8>, Failure> {
    let wrong = |what: String| Failure::usage(format!("{json}: {what}"));
    let arguments: Vec<Value> = serde_json::from_str(json)
        .map_err(|error| wrong(format!("not a JSON array of arguments: {error}")))?;
    let packed = if content == Content::MSGPACK { msgpack::encode(&arguments) } else { pack(&arguments) };
    packed.map_err(|error| wrong(error.to_string()))
}

/// A reply as JSON.
///
/// # Errors
/// The reply cannot be decoded.
fn reply(content: Content, body: &[u8]) -> Result<String, FormatError> {
    if body.is_empty() {
        return Ok("null".into());
    }
    let value: Value = match content {
        Content::MSGPACK => msgpack::decode(body)?,
        _ => match std::str::from_utf8(body) {
            Ok(text) if text.chars().all(|letter| !letter.is_control() || letter.is_whitespace()) => {
                text.parse::<serde_json::Number>().map_or_else(|_| text.into(), Value::Number)
            }
            _ => body.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into(),
        },
    };
    Ok(value.to_string())
}

/// "Exactly one number: decimal text; one string: the raw bytes; else struct_pack of the tuple of all
/// arguments."
fn pack(arguments: &[Value]) -> Result<Vec<u8>, FormatError> {
    match arguments {
        [] => Ok(Vec::new()),
        [Value::String(text)] => Ok(text.clone().into_bytes()),
        [Value::Number(number)] if number.is_f64() => {
            Ok(format!("{:.6}", number.as_f64().unwrap_or(0.0)).into_bytes())
        }
        [Value::Number(number)] => Ok(number.to_string().into_bytes()),
        [Value::Bool(value)] => Ok(vec![b'0' + u8::from(*value)]),
        _ => {
            let shapes = arguments.iter().map(shape).collect::<Result<Vec<_>, _>>()?;
            let kind = Type::from(Shape::Tuple(shapes));
            let Shape::Tuple(shapes) = kind.shape() else { unreachable!("made of one") };
            struct_pack::encode(&kind, &Tuple(arguments, shapes))
        }
    }
}

fn shape(value: &Value) -> Result<Shape, FormatError> {
    Ok(match value {
        Value::Bool(_) => Shape::Scalar(Scalar::Bool),
        Value::String(_) => Shape::Text,
        Value::Number(number) => Shape::Scalar(match number.as_i64() {
            Some(number) if i32::try_from(number).is_ok() => Scalar::I32,
            Some(_) => Scalar::I64,
            None if number.is_u64() => Scalar::U64,
            None => Scalar::F64,
        }),
        Value::Array(items) => match items.first() {
            Some(first) => Shape::Sequence(Box::new(shape(first)?)),
            None => return Err(FormatError::StructPack("an empty list has no type".into())),
        },
        other => return Err(FormatError::StructPack(format!("{other} has no type there").into())),
    })
}

/// Arguments with their types.
struct Tuple<'v>(&'v [Value], &'v [Shape]);

impl Serialize for Tuple<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        for (value, shape) in self.0.iter().zip(self.1) {
            tuple.serialize_element(&Typed(value, shape))?;
        }
        tuple.end()
    }
}

/// A value, encoded as the number type of its shape.
struct Typed<'v>(&'v Value, &'v Shape);

impl Serialize for Typed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.0, self.1) {
            (Value::Number(number), Shape::Scalar(Scalar::F64)) => {
                serializer.serialize_f64(number.as_f64().unwrap_or(0.0))
            }
            (Value::Number(number), shape) => match (number.as_i64(), shape) {
                (Some(number), Shape::Scalar(Scalar::I64)) => serializer.serialize_i64(number),
                (Some(number), _) => {
                    serializer.serialize_i32(number.try_into().map_err(|_| S::Error::custom("too large"))?)
                }
                (None, _) => number.serialize(serializer),
            },
            (Value::Array(items), Shape::Sequence(element)) => {
                serializer.collect_seq(items.iter().map(|item| Typed(item, element)))
            }
            (value, _) => value.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_packed_as_the_sheet_has_them() {
        let b = |json| request(json, Content::STRUCT_PACK).unwrap();
        assert_eq!(request("[1, 2]", Content::MSGPACK).unwrap(), [0x92, 1, 2]);
        assert_eq!(b("[1, 2]"), [0x8c, 0x90, 0x45, 0x40, 1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(b("[[1, 2]]"), [0xe8, 0x10, 0x42, 0x6e, 2, 1, 0, 0, 0, 2, 0, 0, 0]);
        assert_eq!(b(r#"["a", 1]"#), [0x4a, 0x90, 0x1b, 0x08, 1, b'a', 1, 0, 0, 0]);
        for (json, text) in
            [("[]", ""), ("[5]", "5"), ("[1.5]", "1.500000"), (r#"["test"]"#, "test"), ("[true]", "1")]
        {
            assert_eq!(b(json), text.as_bytes());
        }
        for wrong in ["{}", "5", "[1,", "[1, null]", "[[], 1]", "[[1, \"x\"], 1]"] {
            assert!(request(wrong, Content::STRUCT_PACK).is_err(), "{wrong}");
        }
    }

    #[test]
    fn results_are_shown_as_json() {
        let b = |body: &[u8]| reply(Content::STRUCT_PACK, body).unwrap();
        assert_eq!(
            (b(b"3"), b(b"-1.500000"), b(b"hi"), b(b"")),
            ("3".into(), "-1.5".into(), "\"hi\"".into(), "null".into())
        );
        assert_eq!(b(&[0x10, 0x8d]), "\"108d\"");
        assert_eq!(reply(Content::MSGPACK, b"\x92\x01\xa1x").unwrap(), "[1,\"x\"]");
        assert!(reply(Content::MSGPACK, &[0x92, 1]).is_err());
    }
}
