//! Constants and defaults as expressions.

use super::{Emit, types::Holds};
use crate::{emit::Text, model::names};
use polywire_thrift_idl::{Field, Id, Kind, StructKind, Type, Value};

/// The default of a type that has one.
const DEFAULT: &str = "::std::default::Default::default()";

impl Emit<'_> {
    pub fn constant(&self, text: &mut Text, name: &str, comment: &str, kind: &Type, value: &Value) {
        text.line("");
        text.doc(comment);
        let rust = self.kind(kind, false, false);
        match value {
            Value::String(of) => text.line(format!("pub const {name}: &str = {of:?};")),
            Value::List(_) | Value::Map(_) | Value::Struct(..) => {
                let value = self.expression(value, kind, false);
                text.line(format!(
                    "pub static {name}: ::std::sync::LazyLock<{rust}> = ::std::sync::LazyLock::new(|| {value});"
                ));
            }
            _ => text.line(format!("pub const {name}: {rust} = {};", self.expression(value, kind, false))),
        }
    }

    /// The default of a field that stores a value: the declared one, or that of its type.
    pub fn default(&self, owner: Option<Id>, field: &Field) -> String {
        match &field.default {
            None => DEFAULT.to_owned(),
            Some(value) => self.field_value(owner, &field.kind, value),
        }
    }

    /// The value of a field without the `Some` around it, but with its box.
    fn field_value(&self, owner: Option<Id>, kind: &Type, value: &Value) -> String {
        let ordered = owner.is_some_and(|owner| self.facts.keys.contains(&owner));
        let value = self.expression(value, kind, ordered);
        match self.facts.is_recursive(self.schema, owner, kind) {
            true => format!("::std::boxed::Box::new({value})"),
            false => value,
        }
    }

    /// The initial value of a struct's field.
    pub fn initial(&self, id: Id, field: &Field) -> String {
        match (self.holds(Some(id), field), &field.default) {
            (Holds::Optional, None) => "::std::option::Option::None".to_owned(),
            (Holds::Optional, Some(_)) => {
                format!("::std::option::Option::Some({})", self.default(Some(id), field))
            }
            _ => self.default(Some(id), field),
        }
    }

    fn expression(&self, value: &Value, kind: &Type, ordered: bool) -> String {
        let thrift = self.thrift();
        let kind = self.schema.follow(kind);
        match (value, kind) {
            (Value::Bool(value), _) => value.to_string(),
            (Value::Int(value), _) => value.to_string(),
            (Value::Double(value), _) => {
                let value = match value {
                    value if value.is_infinite() && *value > 0.0 => {
                        "::std::primitive::f64::INFINITY".to_owned()
                    }
                    value if value.is_infinite() => "::std::primitive::f64::NEG_INFINITY".to_owned(),
                    value => format!("{value:?}"),
                };
                if ordered { format!("{thrift}::Double({value})") } else { value }
            }
            (Value::String(value), _) => format!("::std::string::String::from({value:?})"),
            (Value::Binary(value), _) => {
                format!("{thrift}::Bytes::from_static(b\"{}\")", value.escape_ascii())
            }
            (Value::Uuid(value), _) => format!("{thrift}::Uuid({value:?})"),
            (Value::Enum(id, number), _) => self.variant(*id, *number),
            (Value::List(values), Type::Set(of)) => {
                let values: Vec<_> = values.iter().map(|value| self.expression(value, of, true)).collect();
                match values.is_empty() {
                    true => "::std::collections::BTreeSet::new()".to_owned(),
                    false => format!("::std::collections::BTreeSet::from([{}])", values.join(", ")),
                }
            }
            (Value::List(values), Type::List(of)) => {
                let values: Vec<_> = values.iter().map(|value| self.expression(value, of, ordered)).collect();
                format!("::std::vec![{}]", values.join(", "))
            }
            (Value::Map(pairs), Type::Map(key, of)) => {
                let pair = |(k, v): &(Value, Value)| {
                    format!("({}, {})", self.expression(k, key, true), self.expression(v, of, ordered))
                };
                let pairs: Vec<_> = pairs.iter().map(pair).collect();
                match pairs.is_empty() {
                    true => "::std::collections::BTreeMap::new()".to_owned(),
                    false => format!("::std::collections::BTreeMap::from([{}])", pairs.join(", ")),
                }
            }
            (Value::Struct(id, values), _) => self.structure_value(*id, values),
            (value, kind) => unreachable!("the schema has no {value:?} of {kind:?}"),
        }
    }

    fn variant(&self, id: Id, number: i32) -> String {
        let path = self.path(id, self.below);
        let Kind::Enum(variants) = &self.schema.items[id].what else { return DEFAULT.to_owned() };
        match variants.iter().find(|variant| variant.number == number) {
            Some(variant) => format!("{path}::{}", names::constant(&variant.name)),
            None => format!("{path}({number})"),
        }
    }

    fn structure_value(&self, id: Id, values: &[(usize, Value)]) -> String {
        let (of, path) = (self.schema.structure(id), self.path(id, self.below));
        if of.kind == StructKind::Union {
            let (at, value) = &values[0];
            let field = &of.fields[*at];
            let value = self.field_value(Some(id), &field.kind, value);
            return format!("{path}::{}({value})", names::type_name(&field.name));
        }
        let one = |(at, field): (usize, &Field)| {
            let value = match values.iter().find(|(known, _)| *known == at) {
                None => self.initial(id, field),
                Some((_, value)) => {
                    let value = self.field_value(Some(id), &field.kind, value);
                    match self.holds(Some(id), field) {
                        Holds::Optional => format!("::std::option::Option::Some({value})"),
                        _ => value,
                    }
                }
            };
            format!("{}: {value}", names::variable(&field.name))
        };
        let fields: Vec<_> = of.fields.iter().enumerate().map(one).collect();
        if fields.is_empty() { format!("{path} {{}}") } else { format!("{path} {{ {} }}", fields.join(", ")) }
    }
}
