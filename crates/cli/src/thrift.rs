//! Thrift on the command line: structs in the JSON of Apache's TJSONProtocol, which names the types of
//! values.
//!
//! ```text
//!  struct   {"<id>":{"<type>":<value>}, ...}          list, set   ["<type>",<count>,<element>, ...]
//!  type     tf i8 i16 i32 i64 dbl str rec map lst set uid         map   ["<type>","<type>",<count>,{"<key>":<value>, ...}]
//! ```
//!
//! A `binary` that is not UTF-8 is shown in base64.

use crate::{
    failure::Failure,
    request::{Asked, Subject, input},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use polywire::{
    Content, Raw, Target,
    thrift::{self, Bytes, Encoding, Error, Reader, Type, Uuid, Writer},
};
use serde_json::{Map, Value};
use std::{cell::RefCell, sync::Arc};

/// The maximum nesting of values.
const DEEPEST: usize = 64;

/// A method by its name, with the service before a colon if the server multiplexes.
struct Method {
    name: String,
    /// Default arguments.
    sample: &'static str,
}

/// Finds the method that the user named.
pub fn method(asked: &Asked<'_>) -> Result<Arc<dyn Subject>, Failure> {
    let name = asked.name.unwrap_or(asked.method).to_owned();
    Ok(Arc::new(Method { name, sample: asked.request }))
}

impl Subject for Method {
    fn target(&self) -> Target {
        Target::fixed("", self.name.clone().leak())
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn requests(&self, input: Option<&str>, content: Content) -> Result<Vec<Vec<u8>>, Failure> {
        let text = input.map_or_else(|| Ok(self.sample.to_owned()), input::json_or_file)?;
        input::split(&text)?.into_iter().map(|(_, one)| request(one, content)).collect()
    }

    fn reply(&self, raw: Raw) -> Result<String, String> {
        let encoding = Encoding::of(raw.content).ok_or("the reply is no struct of Thrift")?;
        let shown = thrift::decode::<Shown>(encoding, raw.body).map_err(|error| error.to_string())?;
        Ok(Value::Object(shown.0).to_string())
    }
}

/// The body of a call with these arguments.
///
/// # Errors
/// The input is not in the form that the module's documentation shows.
fn request(json: &str, content: Content) -> Result<Vec<u8>, Failure> {
    let wrong = |what: String| Failure::usage(format!("{json}: {what}"));
    let fields: Map<String, Value> = serde_json::from_str(json)
        .map_err(|error| wrong(format!("not a struct like {{\"1\":{{\"i32\":5}}}}: {error}")))?;
    let encoding = Encoding::of(content).unwrap_or_default();
    let typed = Typed { fields: &fields, failed: RefCell::default() };
    let body = thrift::encode(encoding, &typed).map_err(|error| wrong(error.to_string()))?;
    match typed.failed.into_inner() {
        Some(failed) => Err(wrong(failed)),
        None => Ok(body.to_vec()),
    }
}

/// The names of types.
const NAMES: [(&str, Type); 12] = [
    ("tf", Type::Bool),
    ("i8", Type::I8),
    ("i16", Type::I16),
    ("i32", Type::I32),
    ("i64", Type::I64),
    ("dbl", Type::Double),
    ("str", Type::Binary),
    ("rec", Type::Struct),
    ("map", Type::Map),
    ("lst", Type::List),
    ("set", Type::Set),
    ("uid", Type::Uuid),
];

fn named(name: &Value) -> Result<Type, String> {
    let found = NAMES.iter().find(|(known, _)| Some(*known) == name.as_str());
    let names = NAMES.map(|(name, _)| name).join(", ");
    found.map(|&(_, kind)| kind).ok_or_else(|| format!("{name} is no type; there are {names}"))
}

fn name_of(kind: Type) -> &'static str {
    NAMES.iter().find(|(_, known)| *known == kind).map_or("", |(name, _)| name)
}

/// A struct as the user typed it.
struct Typed<'a> {
    fields: &'a Map<String, Value>,
    /// Writers do not fail.
    failed: RefCell<Option<String>>,
}

impl thrift::Value for Typed<'_> {
    const TYPE: Type = Type::Struct;

    fn read<R: Reader>(_: &mut R) -> Result<Self, Error> {
        Err(Error::union("a struct that is only written"))
    }

    fn write<W: Writer>(&self, to: &mut W) {
        if let Err(failed) = write_struct(to, self.fields) {
            *self.failed.borrow_mut() = Some(failed);
        }
    }
}

fn write_struct<W: Writer>(to: &mut W, fields: &Map<String, Value>) -> Result<(), String> {
    let mut numbered = Vec::new();
    for (id, value) in fields {
        let id: i16 = id.parse().map_err(|_| format!("{id:?} is no id of a field"))?;
        match value.as_object().map(|typed| (typed.len(), typed.iter().next())) {
            Some((1, Some((kind, value)))) => numbered.push((id, named(&kind.as_str().into())?, value)),
            _ => return Err(format!("field {id}: {value} is not like {{\"i32\":5}}")),
        }
    }
    numbered.sort_by_key(|&(id, ..)| id);
    let outer = to.begin_struct();
    for (id, kind, value) in numbered {
        to.field(id, kind);
        write(to, kind, value).map_err(|what| format!("field {id}: {what}"))?;
    }
    to.end_struct(outer);
    Ok(())
}

fn write<W: Writer>(to: &mut W, kind: Type, value: &Value) -> Result<(), String> {
    let wrong = || format!("{value} is no {}", name_of(kind));
    let number = || value.as_i64().ok_or_else(wrong);
    match kind {
        Type::Bool => {
            to.bool(value.as_bool().or(value.as_i64().map(|number| number != 0)).ok_or_else(wrong)?)
        }
        Type::I8 => to.i8(number()?.try_into().map_err(|_| wrong())?),
        Type::I16 => to.i16(number()?.try_into().map_err(|_| wrong())?),
        Type::I32 => to.i32(number()?.try_into().map_err(|_| wrong())?),
        Type::I64 => to.i64(number()?),
        Type::Double => to.double(value.as_f64().ok_or_else(wrong)?),
        Type::Binary => to.string(value.as_str().ok_or_else(wrong)?),
        Type::Uuid => to.uuid(&value.as_str().and_then(|text| text.parse().ok()).ok_or_else(wrong)?),
        Type::Struct => write_struct(to, value.as_object().ok_or_else(wrong)?)?,
        Type::List | Type::Set => {
            let Some([kind, count, elements @ ..]) = value.as_array().map(Vec::as_slice) else {
                return Err(format!("{value} is not like [\"i32\",2,5,6]"));
            };
            let kind = named(kind)?;
            if count.as_u64() != Some(elements.len() as u64) {
                return Err(format!("{value} has {} elements", elements.len()));
            }
            to.list(kind, elements.len());
            elements.iter().try_for_each(|element| write(to, kind, element))?;
        }
        Type::Map => {
            let Some([key, kind, _, Value::Object(entries)]) = value.as_array().map(Vec::as_slice) else {
                return Err(format!("{value} is not like [\"str\",\"i32\",1,{{\"one\":1}}]"));
            };
            let (key, kind) = (named(key)?, named(kind)?);
            to.map(key, kind, entries.len());
            for (name, value) in entries {
                let name = match key {
                    Type::Binary | Type::Uuid => name.as_str().into(),
                    _ => {
                        serde_json::from_str(name).map_err(|_| format!("{name:?} is no {}", name_of(key)))?
                    }
                };
                write(to, key, &name)?;
                write(to, kind, value)?;
            }
        }
    }
    Ok(())
}

/// A struct to be shown.
struct Shown(Map<String, Value>);

impl thrift::Value for Shown {
    const TYPE: Type = Type::Struct;

    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        read_struct(from, DEEPEST).map(Shown)
    }

    fn write<W: Writer>(&self, _: &mut W) {}
}

fn read_struct<R: Reader>(from: &mut R, left: usize) -> Result<Map<String, Value>, Error> {
    let mut fields = Map::new();
    let outer = from.begin_struct()?;
    while let Some((id, kind)) = from.field()? {
        let value = read(from, kind, left)?;
        fields.insert(id.to_string(), Map::from_iter([(name_of(kind).to_owned(), value)]).into());
    }
    from.end_struct(outer);
    Ok(fields)
}

fn read<R: Reader>(from: &mut R, kind: Type, left: usize) -> Result<Value, Error> {
    let left = left.checked_sub(1).ok_or(Error::Depth)?;
    Ok(match kind {
        Type::Bool => u8::from(from.bool()?).into(),
        Type::I8 => from.i8()?.into(),
        Type::I16 => from.i16()?.into(),
        Type::I32 => from.i32()?.into(),
        Type::I64 => from.i64()?.into(),
        Type::Double => from.double()?.into(),
        Type::Binary => text(&from.binary()?).into(),
        Type::Uuid => uuid(from.uuid()?).into(),
        Type::Struct => read_struct(from, left)?.into(),
        Type::List | Type::Set => {
            // Of an empty list the protocols need not say the type of its elements.
            let Some((kind, count)) = from.any_list()? else {
                return Ok(Value::Array(vec!["".into(), 0.into()]));
            };
            let mut elements = vec![name_of(kind).into(), count.into()];
            for _ in 0..count {
                elements.push(read(from, kind, left)?);
            }
            elements.into()
        }
        Type::Map => {
            let Some((key, kind, count)) = from.any_map()? else {
                return Ok(Value::Array(vec!["".into(), "".into(), 0.into(), Map::new().into()]));
            };
            let mut entries = Map::new();
            for _ in 0..count {
                let name = match read(from, key, left)? {
                    Value::String(name) => name,
                    other => other.to_string(),
                };
                entries.insert(name, read(from, kind, left)?);
            }
            Value::Array(vec![name_of(key).into(), name_of(kind).into(), count.into(), entries.into()])
        }
    })
}

fn text(bytes: &Bytes) -> String {
    str::from_utf8(bytes).map_or_else(|_| STANDARD.encode(bytes), str::to_owned)
}

fn uuid(uuid: Uuid) -> String {
    uuid.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(json: &str) -> String {
        let shown = [Encoding::Binary, Encoding::Compact].map(|encoding| {
            let body = request(json, encoding.content()).unwrap();
            let shown = thrift::decode::<Shown>(encoding, body.into()).unwrap();
            Value::Object(shown.0).to_string()
        });
        assert_eq!(shown[0], shown[1], "{json}");
        shown[0].clone()
    }

    #[test]
    fn structs_of_all_types_come_back() {
        for json in [
            "{}",
            r#"{"1":{"tf":1},"2":{"tf":0},"3":{"i8":-5},"4":{"i16":-300},"5":{"i32":70000},"6":{"i64":-5000000000}}"#,
            r#"{"-1":{"dbl":1.5},"1":{"str":"text"},"300":{"uid":"00112233-4455-6677-8899-aabbccddeeff"}}"#,
            r#"{"1":{"rec":{"1":{"lst":["rec",2,{"2":{"i32":1}},{}]},"2":{"set":["tf",2,1,0]}}}}"#,
            r#"{"1":{"map":["str","i32",2,{"a":1,"b":2}]},"2":{"map":["i32","str",1,{"5":"five"}]}}"#,
        ] {
            assert_eq!(round_trip(json), json);
        }
    }

    #[test]
    fn the_sample_is_the_struct_of_the_sheet() {
        let body = request(r#"{"1":{"rec":{"1":{"str":"hello"}}}}"#, Content::THRIFT).unwrap();
        assert_eq!(body, b"\x0c\0\x01\x0b\0\x01\0\0\0\x05hello\0\0");
    }

    #[test]
    fn what_is_typed_wrongly_is_an_error() {
        for wrong in [
            "5",
            "[]",
            r#"{"x":{"i32":5}}"#,
            r#"{"1":5}"#,
            r#"{"1":{"int":5}}"#,
            r#"{"1":{"i8":300}}"#,
            r#"{"1":{"lst":["i32",3,1]}}"#,
            r#"{"1":{"map":["i32","i32",1,{"x":1}]}}"#,
            r#"{"1":{"uid":"1"}}"#,
        ] {
            assert!(request(wrong, Content::THRIFT).is_err(), "{wrong}");
        }
    }
}
