//! Values from and into Rust types.
//!
//! Not here: [`super::Command`], which takes arguments and not values.

use super::{Value, error::line_status};
use bytes::Bytes;
use polywire_call::{Code, Origin, Status};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    hash::{BuildHasher, Hash},
};

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::bulk(text)
    }
}
impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Bulk(text.into_bytes().into())
    }
}
impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Self {
        Value::bulk(bytes)
    }
}
impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Value::Bulk(bytes.into())
    }
}
impl From<Bytes> for Value {
    fn from(bytes: Bytes) -> Self {
        Value::Bulk(bytes)
    }
}
impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Integer(value)
    }
}
impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Double(value)
    }
}
impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Boolean(value)
    }
}
impl From<()> for Value {
    fn from((): ()) -> Self {
        Value::OK
    }
}
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::Array(items.into_iter().map(Into::into).collect())
    }
}
/// An error line, see [`super::status_line`].
impl From<Status> for Value {
    fn from(status: Status) -> Self {
        Value::error(super::error::status_line(&status))
    }
}
impl<T: Into<Value>> From<Result<T, Status>> for Value {
    fn from(result: Result<T, Status>) -> Self {
        result.map_or_else(Value::from, Into::into)
    }
}

/// A type that a reply can be converted to.
///
/// Numbers are read from integers and from strings that are numbers; strings from every value with a text
/// form; lists from arrays, sets and pushes; maps from maps and from flat arrays of keys and values.
/// Therefore the same code works with RESP2 and RESP3. `Option` is `None` for a null. An error reply becomes
/// a [`Status`] that carries its text.
#[diagnostic::on_unimplemented(
    message = "a redis reply cannot be read as `{Self}`",
    note = "try `String`, `Bytes`, `i64`, `f64`, `bool`, `()`, `Option`, `Vec`, a map, a tuple, or `redis::Value`"
)]
pub trait FromValue: Sized {
    /// # Errors
    /// The server's own error, or `DATA_LOSS` if the value has another form.
    fn from_value(value: Value) -> Result<Self, Status>;
}

impl FromValue for Value {
    fn from_value(value: Value) -> Result<Self, Status> {
        Ok(value)
    }
}

/// Accepts any reply except an error.
impl FromValue for () {
    fn from_value(value: Value) -> Result<Self, Status> {
        plain(value).map(drop)
    }
}

impl FromValue for bool {
    fn from_value(value: Value) -> Result<Self, Status> {
        match plain(value)? {
            Value::Boolean(value) => Ok(value),
            Value::Integer(value) => Ok(value != 0),
            Value::Simple(text) if text == "OK" => Ok(true),
            Value::Null | Value::NullArray => Ok(false), // SET NX that was not carried out
            other => Err(unlike("a boolean", &other)),
        }
    }
}

impl FromValue for Bytes {
    fn from_value(value: Value) -> Result<Self, Status> {
        match plain(value)? {
            Value::Simple(bytes) | Value::Bulk(bytes) | Value::BigNumber(bytes) => Ok(bytes),
            Value::Verbatim(verbatim) => Ok(verbatim.text),
            Value::Integer(value) => Ok(value.to_string().into()),
            Value::Double(value) => Ok(super::encode::double_text(value).into()),
            other => Err(unlike("a string", &other)),
        }
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value) -> Result<Self, Status> {
        Bytes::from_value(value).map(Into::into)
    }
}

impl FromValue for String {
    fn from_value(value: Value) -> Result<Self, Status> {
        String::from_utf8(Vec::from_value(value)?).map_err(|_| mismatch("a reply that is not UTF-8"))
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl FromValue for $number {
            fn from_value(value: Value) -> Result<Self, Status> {
                let value = plain(value)?;
                let read = match &value {
                    Value::Integer(value) => <$number>::try_from(*value).ok(),
                    Value::Boolean(value) => Some((*value).into()),
                    other => other.as_bytes().and_then(|b| std::str::from_utf8(b).ok()?.parse().ok()),
                };
                read.ok_or_else(|| unlike(concat!("a number that fits ", stringify!($number)), &value))
            }
        }
    )*};
}
numbers!(i64, u64, i32, u32, usize);

impl FromValue for f64 {
    fn from_value(value: Value) -> Result<Self, Status> {
        match plain(value)? {
            Value::Double(value) => Ok(value),
            Value::Integer(value) => Ok(value as f64),
            other => {
                let read = other.as_bytes().and_then(|b| std::str::from_utf8(b).ok()?.parse().ok());
                read.ok_or_else(|| unlike("a number", &other))
            }
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Result<Self, Status> {
        if value.is_null() { Ok(None) } else { T::from_value(value).map(Some) }
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: Value) -> Result<Self, Status> {
        items(value)?.into_iter().map(T::from_value).collect()
    }
}

impl<T: FromValue + Eq + Hash, S: BuildHasher + Default> FromValue for HashSet<T, S> {
    fn from_value(value: Value) -> Result<Self, Status> {
        items(value)?.into_iter().map(T::from_value).collect()
    }
}

impl<K: FromValue + Eq + Hash, V: FromValue, S: BuildHasher + Default> FromValue for HashMap<K, V, S> {
    fn from_value(value: Value) -> Result<Self, Status> {
        pairs(value)?.into_iter().map(|(k, v)| Ok((K::from_value(k)?, V::from_value(v)?))).collect()
    }
}

impl<K: FromValue + Ord, V: FromValue> FromValue for BTreeMap<K, V> {
    fn from_value(value: Value) -> Result<Self, Status> {
        pairs(value)?.into_iter().map(|(k, v)| Ok((K::from_value(k)?, V::from_value(v)?))).collect()
    }
}

/// Pairs in the order of the reply: of maps, of flat arrays of keys and values, and of arrays of pairs, so
/// that members with their scores are read alike in both versions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pairs<K, V>(pub Vec<(K, V)>);

impl<K: FromValue, V: FromValue> FromValue for Pairs<K, V> {
    fn from_value(value: Value) -> Result<Self, Status> {
        let read = |(k, v)| Ok((K::from_value(k)?, V::from_value(v)?));
        pairs(value)?.into_iter().map(read).collect::<Result<_, _>>().map(Pairs)
    }
}

macro_rules! tuples {
    ($(($($item:ident),*) $count:literal;)*) => {$(
        impl<$($item: FromValue),*> FromValue for ($($item,)*) {
            fn from_value(value: Value) -> Result<Self, Status> {
                let items = items(value)?;
                if items.len() != $count {
                    return Err(mismatch(&format!("{} items where {} were expected", items.len(), $count)));
                }
                let mut items = items.into_iter();
                Ok(($($item::from_value(items.next().expect("counted above"))?,)*))
            }
        }
    )*};
}
tuples! { (A) 1; (A, B) 2; (A, B, C) 3; (A, B, C, D) 4; (A, B, C, D, E) 5; (A, B, C, D, E, F) 6; }

/// The value without its attributes, unless it is an error.
fn plain(value: Value) -> Result<Value, Status> {
    match value {
        Value::Attributed(attributed) => plain(attributed.value),
        Value::Error(text) | Value::BulkError(text) => Err(line_status(&String::from_utf8_lossy(&text))),
        other => Ok(other),
    }
}

fn items(value: Value) -> Result<Vec<Value>, Status> {
    match plain(value)? {
        Value::Array(items) | Value::Set(items) | Value::Push(items) => Ok(items),
        Value::Map(pairs) => Ok(pairs.into_iter().flat_map(|(k, v)| [k, v]).collect()),
        other => Err(unlike("a list", &other)),
    }
}

fn pairs(value: Value) -> Result<Vec<(Value, Value)>, Status> {
    match plain(value)? {
        Value::Map(pairs) => Ok(pairs),
        // No key of a map is an array: these are pairs.
        Value::Array(items) if matches!(items.first(), Some(Value::Array(pair)) if pair.len() == 2) => {
            let pair = |item| match item {
                Value::Array(pair) => <[Value; 2]>::try_from(pair).ok().map(|[key, value]| (key, value)),
                _ => None,
            };
            let pairs: Option<_> = items.into_iter().map(pair).collect();
            pairs.ok_or_else(|| mismatch("expected a list of pairs, got other items among them"))
        }
        Value::Array(items) if items.len().is_multiple_of(2) => {
            let mut items = items.into_iter();
            Ok(std::iter::from_fn(|| Some((items.next()?, items.next()?))).collect())
        }
        other => Err(unlike("a map", &other)),
    }
}

#[cold]
fn unlike(expected: &str, value: &Value) -> Status {
    let kind = match value {
        Value::Null | Value::NullArray => "null",
        Value::Simple(_) | Value::Bulk(_) | Value::Verbatim(_) => "a string",
        Value::Error(_) | Value::BulkError(_) => "an error",
        Value::Integer(_) | Value::BigNumber(_) => "an integer",
        Value::Array(_) | Value::Set(_) | Value::Push(_) => "a list",
        Value::Boolean(_) => "a boolean",
        Value::Double(_) => "a double",
        Value::Map(_) => "a map",
        Value::Attributed(_) => "a value with attributes",
    };
    mismatch(&format!("expected {expected}, got {kind}"))
}

fn mismatch(what: &str) -> Status {
    Status::new(Code::DataLoss, format!("unexpected redis reply: {what}")).with_origin(Origin::Local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_read_alike_in_both_versions() {
        let flat = Value::Array(vec!["f".into(), "1".into(), "g".into(), "2".into()]);
        let map = Value::Map(vec![("f".into(), "1".into()), ("g".into(), Value::Integer(2))]);
        let expected = BTreeMap::from([("f".to_owned(), 1i64), ("g".to_owned(), 2)]);
        assert_eq!(FromValue::from_value(flat), Ok(expected.clone()));
        assert_eq!(FromValue::from_value(map), Ok(expected));
        // ZRANGE WITHSCORES of RESP2 and of RESP3; XREAD of RESP2.
        let scored = Pairs(vec![("a".to_owned(), 1.5), ("b".to_owned(), 2.0)]);
        let flat = Value::Array(vec!["a".into(), "1.5".into(), "b".into(), "2".into()]);
        assert_eq!(FromValue::from_value(flat), Ok(scored.clone()));
        let pair = |name: &str, score| Value::Array(vec![name.into(), Value::Double(score)]);
        assert_eq!(FromValue::from_value(Value::Array(vec![pair("a", 1.5), pair("b", 2.0)])), Ok(scored));
        let mixed = Value::Array(vec![pair("a", 1.0), "b".into()]);
        assert!(Pairs::<String, f64>::from_value(mixed).is_err());
        assert_eq!(f64::from_value("1.5".into()), Ok(1.5));
        assert_eq!(f64::from_value(Value::Double(1.5)), Ok(1.5));
        assert_eq!(Option::<String>::from_value(Value::Null), Ok(None));
        assert_eq!(Option::<String>::from_value("x".into()), Ok(Some("x".to_owned())));
        assert_eq!(bool::from_value(Value::OK), Ok(true));
        assert_eq!(bool::from_value(Value::Null), Ok(false));
        assert_eq!(
            <(String, i64)>::from_value(vec![Value::bulk("a"), Value::Integer(1)].into()),
            Ok(("a".to_owned(), 1))
        );
        assert_eq!(Vec::<u8>::from_value("ab".into()), Ok(b"ab".to_vec()));
    }

    #[test]
    fn an_error_reply_is_a_status_with_its_text() {
        let status = String::from_value(Value::error("WRONGTYPE not a string")).expect_err("an error");
        assert_eq!((status.code(), status.message()), (Code::FailedPrecondition, "WRONGTYPE not a string"));
        assert_eq!(Value::from(status), Value::error("WRONGTYPE not a string"));
        let status = i64::from_value("x".into()).expect_err("no number");
        assert_eq!(status.message(), "unexpected redis reply: expected a number that fits i64, got a string");
    }
}
