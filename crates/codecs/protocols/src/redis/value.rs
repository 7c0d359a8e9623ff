//! Replies as trees.
//!
//! [`Value`] has a variant for every type of RESP3. Types that RESP2 lacks are written as docs/wire/redis.md,
//! section 1 defines (see [`Writer`]). Strings share the memory of the reply they were read from.
//!
//! Not here: parsing ([`super::parse`]), and conversion to Rust types ([`super::convert`]).

use super::{Version, Writer};
use bytes::{Bytes, BytesMut};

/// A reply, or a part of one.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Value {
    /// `$-1` in RESP2, `_` in RESP3.
    #[default]
    Null,
    /// `*-1` in RESP2: null in place of an array. In RESP3 it is [`Value::Null`].
    NullArray,
    /// `+OK`: a line without CR or LF.
    Simple(Bytes),
    /// `-ERR ...`: a line, its first word is the code.
    Error(Bytes),
    Integer(i64),
    Bulk(Bytes),
    Array(Vec<Value>),
    Boolean(bool),
    Double(f64),
    /// An optional `-` and any number of digits.
    BigNumber(Bytes),
    /// An error of any bytes.
    BulkError(Bytes),
    Verbatim(Box<Verbatim>),
    /// Pairs in the order of arrival; keys may repeat.
    Map(Vec<(Value, Value)>),
    /// Items in the order of arrival; duplicates are not checked for.
    Set(Vec<Value>),
    /// A message between replies, see [`Writer::push`].
    Push(Vec<Value>),
    /// A value with attributes, which RESP2 leaves out.
    Attributed(Box<Attributed>),
}

/// A text and its format.
#[derive(Clone, PartialEq, Debug)]
pub struct Verbatim {
    /// The format of the text: `txt` or `mkd`.
    pub format: [u8; 3],
    pub text: Bytes,
}

/// A value with attributes.
#[derive(Clone, PartialEq, Debug)]
pub struct Attributed {
    pub attributes: Vec<(Value, Value)>,
    pub value: Value,
}

const _: () = assert!(size_of::<Value>() <= 40, "replies of many items take this much for each");

impl Value {
    /// The reply `+OK`.
    pub const OK: Value = Value::Simple(Bytes::from_static(b"OK"));

    /// An error of this text, its code first: `ERR no such key`.
    pub fn error(text: impl Into<String>) -> Value {
        Value::Error(text.into().into_bytes().into())
    }

    /// A bulk string; copies the bytes.
    pub fn bulk(bytes: impl AsRef<[u8]>) -> Value {
        Value::Bulk(Bytes::copy_from_slice(bytes.as_ref()))
    }

    /// Whether the value is an error: `-`, or `!` of RESP3.
    pub fn is_error(&self) -> bool {
        matches!(self, Value::Error(_) | Value::BulkError(_))
    }

    /// Whether the value is null, in either version.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null | Value::NullArray)
    }

    /// The bytes of a string of any kind.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Value::Simple(bytes) | Value::Bulk(bytes) | Value::BigNumber(bytes) => Some(bytes),
            Value::Verbatim(verbatim) => Some(&verbatim.text),
            Value::Attributed(attributed) => attributed.value.as_bytes(),
            Value::Null
            | Value::NullArray
            | Value::Error(_)
            | Value::BulkError(_)
            | Value::Integer(_)
            | Value::Array(_)
            | Value::Boolean(_)
            | Value::Double(_)
            | Value::Map(_)
            | Value::Set(_)
            | Value::Push(_) => None,
        }
    }

    /// The value in this version's wire form.
    pub fn encode(&self, version: Version) -> Bytes {
        let mut out = BytesMut::new();
        Writer::new(&mut out, version).value(self);
        out.freeze()
    }
}

impl Writer<'_> {
    /// Writes a value with all nested values.
    pub fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.null(),
            Value::NullArray => self.null_array(),
            Value::Simple(text) => self.simple(&String::from_utf8_lossy(text)),
            Value::Error(text) => self.error(&String::from_utf8_lossy(text)),
            Value::Integer(value) => self.integer(*value),
            Value::Bulk(bytes) => self.bulk_shared(bytes, || bytes.clone()),
            Value::Array(items) => {
                self.array(items.len());
                self.values(items);
            }
            Value::Boolean(value) => self.boolean(*value),
            Value::Double(value) => self.double(*value),
            Value::BigNumber(digits) => self.big_number(digits),
            Value::BulkError(bytes) => self.bulk_error(bytes),
            Value::Verbatim(verbatim) => self.verbatim(verbatim.format, &verbatim.text),
            Value::Map(pairs) => {
                self.map(pairs.len());
                self.pairs(pairs);
            }
            Value::Set(items) => {
                self.set(items.len());
                self.values(items);
            }
            Value::Push(items) => {
                self.push(items.len());
                self.values(items);
            }
            Value::Attributed(attributed) => {
                if self.version() == Version::Resp3 {
                    self.attributes(attributed.attributes.len());
                    self.pairs(&attributed.attributes);
                }
                self.value(&attributed.value);
            }
        }
    }

    fn values(&mut self, items: &[Value]) {
        items.iter().for_each(|item| self.value(item));
    }

    fn pairs(&mut self, pairs: &[(Value, Value)]) {
        for (key, value) in pairs {
            self.value(key);
            self.value(value);
        }
    }
}
