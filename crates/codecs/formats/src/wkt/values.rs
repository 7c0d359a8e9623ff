//! JSON as messages: values, lists of values, and objects.

use super::{ListValue, NullValue, Struct, Value, value::Kind};

impl Value {
    /// The value that JSON writes as `null`.
    pub fn null() -> Value {
        Kind::NullValue(NullValue::NULL_VALUE.into()).into()
    }
    /// Whether the value is `null`. A message without a kind is not a valid value, but is read as `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.kind, None | Some(Kind::NullValue(_)))
    }
    pub fn as_bool(&self) -> Option<bool> {
        match self.kind {
            Some(Kind::BoolValue(value)) => Some(value),
            _ => None,
        }
    }
    /// The number, if the value is one: all JSON numbers have this type here.
    pub fn as_f64(&self) -> Option<f64> {
        match self.kind {
            Some(Kind::NumberValue(value)) => Some(value),
            _ => None,
        }
    }
    /// The text, if the value is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Some(Kind::StringValue(value)) => Some(value),
            _ => None,
        }
    }
    /// The items, if it is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match &self.kind {
            Some(Kind::ListValue(list)) => Some(&list.values),
            _ => None,
        }
    }
    /// The object, if the value is one.
    pub fn as_struct(&self) -> Option<&Struct> {
        match &self.kind {
            Some(Kind::StructValue(object)) => Some(object),
            _ => None,
        }
    }
}

impl Struct {
    /// The value of a field.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field)
    }
    /// Sets a field; returns its former value.
    pub fn insert(&mut self, field: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        self.fields.insert(field.into(), value.into())
    }
}

impl From<Kind> for Value {
    fn from(kind: Kind) -> Value {
        Value { kind: Some(kind) }
    }
}

macro_rules! values {
    ($($from:ty: $value:ident => $kind:expr;)*) => {$(
        impl From<$from> for Value {
            fn from($value: $from) -> Value {
                $kind.into()
            }
        }
    )*};
}

values! {
    bool: value => Kind::BoolValue(value);
    f64: value => Kind::NumberValue(value);
    f32: value => Kind::NumberValue(value.into());
    i32: value => Kind::NumberValue(value.into());
    u32: value => Kind::NumberValue(value.into());
    String: value => Kind::StringValue(value);
    &str: value => Kind::StringValue(value.into());
    Struct: value => Kind::StructValue(value.into());
    ListValue: value => Kind::ListValue(value.into());
    Vec<Value>: values => Kind::ListValue(ListValue { values }.into());
}

/// `None` is `null`.
impl<V: Into<Value>> From<Option<V>> for Value {
    fn from(value: Option<V>) -> Value {
        value.map_or_else(Value::null, Into::into)
    }
}

impl<V: Into<Value>> FromIterator<V> for ListValue {
    fn from_iter<I: IntoIterator<Item = V>>(values: I) -> ListValue {
        ListValue { values: values.into_iter().map(Into::into).collect() }
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for Struct {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(fields: I) -> Struct {
        Struct { fields: fields.into_iter().map(|(field, value)| (field.into(), value.into())).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Message, json};

    #[test]
    fn values_are_made_and_read_like_json() {
        let list: ListValue = ["a", "b"].into_iter().collect();
        let mut object: Struct = [("list", Value::from(list)), ("none", Value::null())].into_iter().collect();
        assert!(object.insert("n", 2).is_none() && object.insert("yes", Some(true)).is_none());
        assert_eq!(
            object.get("list").and_then(Value::as_list).map(|items| items[1].as_str()),
            Some(Some("b"))
        );
        assert_eq!(object.get("n").and_then(Value::as_f64), Some(2.0));
        assert_eq!(object.get("yes").and_then(Value::as_bool), Some(true));
        assert!(object.get("none").is_some_and(Value::is_null) && Value::default().is_null());
        let value = Value::from(object.clone());
        assert_eq!(value.as_struct(), Some(&object));
        assert_eq!(Value::from_wire(&value.to_wire().unwrap()).unwrap(), value);
        let one = Value::from(Struct::from_iter([("a", vec![Value::from(1.5), "b".into()])]));
        let text = json::from_wire(Value::schema(), &one.to_wire().unwrap(), json::Style::Canonical).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), r#"{"a":[1.5,"b"]}"#);
    }
}
