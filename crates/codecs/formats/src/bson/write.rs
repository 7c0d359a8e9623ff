//! Builds new documents.

use super::{Document, Kind, Value};
use std::fmt::Write;

/// A document that is being made.
///
/// ```
/// use polywire_formats::bson::{Document, array};
///
/// let tags = array(["a", "b"]);
/// let document = Document::builder().put("name", "one").put_array("tags", &tags).put("n", 1).build();
/// assert_eq!(document.get("name").and_then(|name| name.as_str()), Some("one"));
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Builder {
    /// Room for the length, then elements.
    bytes: Vec<u8>,
}

impl Default for Builder {
    fn default() -> Self {
        Builder { bytes: vec![0; 4] }
    }
}

impl Builder {
    /// Adds an element. A name ends at its first NUL, if it has one, since BSON cannot carry it.
    pub fn put<'a>(mut self, name: &str, value: impl Into<Value<'a>>) -> Self {
        self.add(name, value.into());
        self
    }

    /// Adds an array, see [`array()`].
    pub fn put_array(mut self, name: &str, array: &Document) -> Self {
        self.add(name, Value::Array(array.view()));
        self
    }

    /// Adds all elements of a document.
    pub fn put_all(mut self, document: &Document) -> Self {
        let bytes = document.as_bytes();
        self.bytes.extend_from_slice(&bytes[4..bytes.len() - 1]);
        self
    }

    pub fn build(mut self) -> Document {
        self.bytes.push(0);
        end(&mut self.bytes, 0);
        Document::built(self.bytes)
    }

    fn add(&mut self, name: &str, value: Value<'_>) {
        let out = &mut self.bytes;
        out.push(kind(&value) as u8);
        put_name(out, name);
        match value {
            Value::Double(number) => out.extend(number.to_le_bytes()),
            Value::String(text) | Value::Code(text) => put_text(out, text),
            Value::Document(view) | Value::Array(view) => out.extend_from_slice(view.as_bytes()),
            Value::Binary { subtype, bytes } => {
                out.extend(length(bytes.len()));
                out.push(subtype);
                out.extend_from_slice(bytes);
            }
            Value::ObjectId(id) => out.extend(id),
            Value::Bool(is) => out.push(is.into()),
            Value::DateTime(number) | Value::Int64(number) => out.extend(number.to_le_bytes()),
            Value::Null | Value::MinKey | Value::MaxKey => {}
            Value::Regex { pattern, options } => {
                put_name(out, pattern);
                put_name(out, options);
            }
            Value::Int32(number) => out.extend(number.to_le_bytes()),
            Value::Timestamp(number) => out.extend(number.to_le_bytes()),
            Value::Decimal128(bytes) => out.extend(bytes),
            Value::Deprecated { bytes, .. } => out.extend_from_slice(bytes),
        }
    }
}

/// An array of these values, for [`Builder::put_array`].
pub fn array<'a, V: Into<Value<'a>>>(values: impl IntoIterator<Item = V>) -> Document {
    let mut name = String::new();
    let mut array = Builder::default();
    for (at, value) in values.into_iter().enumerate() {
        name.clear();
        let _ = write!(name, "{at}"); // writing to a String does not fail
        array.add(&name, value.into());
    }
    array.build()
}

fn kind(value: &Value<'_>) -> Kind {
    match value {
        Value::Double(_) => Kind::Double,
        Value::String(_) => Kind::String,
        Value::Document(_) => Kind::Document,
        Value::Array(_) => Kind::Array,
        Value::Binary { .. } => Kind::Binary,
        Value::ObjectId(_) => Kind::ObjectId,
        Value::Bool(_) => Kind::Bool,
        Value::DateTime(_) => Kind::DateTime,
        Value::Null => Kind::Null,
        Value::Regex { .. } => Kind::Regex,
        Value::Code(_) => Kind::Code,
        Value::Int32(_) => Kind::Int32,
        Value::Timestamp(_) => Kind::Timestamp,
        Value::Int64(_) => Kind::Int64,
        Value::Decimal128(_) => Kind::Decimal128,
        Value::MinKey => Kind::MinKey,
        Value::MaxKey => Kind::MaxKey,
        Value::Deprecated { kind, .. } => *kind,
    }
}

/// Encodes a length. A document that exceeds the format's maximum also exceeds that of every message, which
/// is refused when it is sent.
fn length(bytes: usize) -> [u8; 4] {
    i32::try_from(bytes).unwrap_or(i32::MAX).to_le_bytes()
}

/// Writes the length of the document that begins at `start`.
fn end(out: &mut [u8], start: usize) {
    let length = length(out.len() - start);
    out[start..start + 4].copy_from_slice(&length);
}

fn put_name(out: &mut Vec<u8>, name: &str) {
    out.extend(name.bytes().take_while(|byte| *byte != 0));
    out.push(0);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend(length(text.len() + 1));
    out.extend_from_slice(text.as_bytes());
    out.push(0);
}
