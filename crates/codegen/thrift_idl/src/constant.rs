//! Values of constants and defaults.

use crate::{
    ast::{self, StructKind, ValueKind, What},
    parse::MAX_DEPTH,
    place::{Place, Wrong, wrong},
    schema::{Id, Type, Value},
    scope::{Constant, Scopes},
    uuid,
};
use std::collections::HashMap;

/// The maximum number of values that all constants of a schema may have together. A constant may repeat
/// another many times.
const MAX_VALUES: usize = 1_000_000;

/// Evaluates constants, each once.
pub(crate) struct Constants<'r> {
    pub scopes: &'r Scopes<'r>,
    /// The types that typedefs stand for.
    pub typedefs: HashMap<Id, Type>,
    known: HashMap<Id, (Type, Value)>,
    /// Constants that are being evaluated.
    open: Vec<Id>,
    values: usize,
}

impl<'r> Constants<'r> {
    pub fn new(scopes: &'r Scopes<'r>) -> Self {
        Constants { scopes, typedefs: HashMap::new(), known: HashMap::new(), open: Vec::new(), values: 0 }
    }

    /// Resolves the typedefs in a type, which have no cycles.
    pub fn follow(&self, kind: &Type) -> Type {
        let mut kind = kind;
        while let Type::Typedef(id) = kind {
            kind = &self.typedefs[id];
        }
        kind.clone()
    }

    pub fn is_exception(&self, kind: &Type) -> bool {
        let Type::Struct(id) = self.follow(kind) else { return false };
        matches!(self.scopes.declarations[id].1.what, What::Struct(StructKind::Exception, _))
    }

    /// Type and value of a constant.
    pub fn constant(&mut self, id: Id, depth: usize) -> Result<(Type, Value), Wrong> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let (file, declaration) = self.scopes.declarations[id];
        let What::Const(kind, value) = &declaration.what else {
            unreachable!("only constants are looked up")
        };
        if self.open.contains(&id) {
            let what = format!("the value of `{}` is made from itself", declaration.name.text);
            return Err(wrong(declaration.name.place, what));
        }
        self.open.push(id);
        let kind = self.scopes.kind(file, kind)?;
        let value = self.value(file, value, &kind, depth)?;
        self.open.pop();
        self.known.insert(id, (kind.clone(), value.clone()));
        Ok((kind, value))
    }

    /// A value of this type, as written in this file.
    pub fn value(&mut self, file: usize, of: &ast::Value, kind: &Type, depth: usize) -> Result<Value, Wrong> {
        self.count(1, of.place)?;
        if depth > MAX_DEPTH {
            return Err(wrong(of.place, format!("values are nested more than {MAX_DEPTH} deep")));
        }
        let kind = self.follow(kind);
        match (&of.kind, &kind) {
            (ValueKind::Name(name), _) => self.named(file, name, of.place, &kind, depth),
            (ValueKind::Int(value), _) => self.int(*value, of.place, &kind),
            (ValueKind::Double(value), Type::Double) => Ok(Value::Double(*value)),
            (ValueKind::Text(text), Type::String) => Ok(Value::String(text.clone())),
            (ValueKind::Text(text), Type::Binary) => Ok(Value::Binary(text.clone().into_bytes())),
            (ValueKind::Text(text), Type::Uuid) => uuid::parse(text).map(Value::Uuid).ok_or_else(|| {
                let what = format!("{text:?} is not a UUID: write 00112233-4455-6677-8899-aabbccddeeff");
                wrong(of.place, what)
            }),
            (ValueKind::List(values), Type::List(of) | Type::Set(of)) => {
                let one = |value| self.value(file, value, of, depth + 1);
                Ok(Value::List(values.iter().map(one).collect::<Result<_, _>>()?))
            }
            // Apache's compiler takes either pair of brackets for what is empty.
            (ValueKind::Map(pairs), Type::List(_) | Type::Set(_)) if pairs.is_empty() => {
                Ok(Value::List(Vec::new()))
            }
            (ValueKind::List(values), Type::Map(..)) if values.is_empty() => Ok(Value::Map(Vec::new())),
            (ValueKind::Map(pairs), Type::Map(key, value)) => {
                let pair = |(k, v): &(ast::Value, ast::Value)| {
                    let k = self.value(file, k, key, depth + 1)?;
                    Ok((k, self.value(file, v, value, depth + 1)?))
                };
                Ok(Value::Map(pairs.iter().map(pair).collect::<Result<_, _>>()?))
            }
            (ValueKind::Map(pairs), Type::Struct(id)) => self.structure(file, *id, pairs, of.place, depth),
            (written, _) => {
                let written = match written {
                    ValueKind::Double(_) => "a fraction",
                    ValueKind::Text(_) => "a text",
                    ValueKind::List(_) => "a list",
                    _ => "a map",
                };
                Err(wrong(of.place, format!("{written} cannot be the value of {}", self.shown(&kind))))
            }
        }
    }

    fn count(&mut self, values: usize, place: Place) -> Result<(), Wrong> {
        self.values += values;
        match self.values > MAX_VALUES {
            true => Err(wrong(place, format!("all constants together have more than {MAX_VALUES} values"))),
            false => Ok(()),
        }
    }

    fn int(&self, value: i64, place: Place, kind: &Type) -> Result<Value, Wrong> {
        let (least, most) = match kind {
            Type::Bool => (0, 1),
            Type::I8 => (i8::MIN.into(), i8::MAX.into()),
            Type::I16 => (i16::MIN.into(), i16::MAX.into()),
            Type::I32 => (i32::MIN.into(), i32::MAX.into()),
            Type::I64 => (i64::MIN, i64::MAX),
            #[allow(clippy::cast_precision_loss)] // as Apache's compiler does
            Type::Double => return Ok(Value::Double(value as f64)),
            Type::Enum(id) => {
                let known = self.numbers(*id).into_iter().find(|number| i64::from(*number) == value);
                return known.map(|number| Value::Enum(*id, number)).ok_or_else(|| {
                    wrong(place, format!("no value of {} has the number {value}", self.shown(kind)))
                });
            }
            _ => return Err(wrong(place, format!("a number cannot be the value of {}", self.shown(kind)))),
        };
        match (kind, least <= value && value <= most) {
            (Type::Bool, true) => Ok(Value::Bool(value == 1)),
            (_, true) => Ok(Value::Int(value)),
            (Type::Bool, false) => Err(wrong(place, format!("a bool is `true` or `false`, not {value}"))),
            _ => Err(wrong(place, format!("{value} is not from {least} to {most}"))),
        }
    }

    fn named(
        &mut self,
        file: usize,
        name: &str,
        place: Place,
        kind: &Type,
        depth: usize,
    ) -> Result<Value, Wrong> {
        // To Apache's compiler these are the numbers 1 and 0.
        if let "true" | "false" = name {
            return self.int(i64::from(name == "true"), place, kind);
        }
        let constant = self.scopes.constant(file, name);
        // As to Apache's compiler, it does not matter what stands before the dot where an enum is expected.
        if let (Type::Enum(id), false) = (kind, matches!(constant, Some(Constant::Const(_))))
            && let Some((_, last)) = name.rsplit_once('.')
            && let What::Enum(variants) = &self.scopes.declarations[*id].1.what
            && let Some(at) = variants.iter().position(|variant| variant.name.text == last)
        {
            return Ok(Value::Enum(*id, self.numbers(*id)[at]));
        }
        match constant {
            Some(Constant::Variant(id, at)) => {
                let number = self.numbers(id)[at];
                match kind {
                    Type::I8 | Type::I16 | Type::I32 | Type::I64 => self.int(number.into(), place, kind),
                    _ => {
                        let what = format!("`{name}` is not a value of {}", self.shown(kind));
                        Err(wrong(place, what))
                    }
                }
            }
            Some(Constant::Const(id)) => {
                let (of, value) = self.constant(id, depth + 1)?;
                self.count(size(&value), place)?;
                self.converted(value, &self.follow(&of), kind).ok_or_else(|| {
                    let (of, kind) = (self.shown(&of), self.shown(kind));
                    wrong(place, format!("`{name}` is {of}, and cannot be the value of {kind}"))
                })
            }
            None => {
                let mut what = format!("`{name}` is neither a constant nor a value of an enum");
                if let Type::Enum(id) = kind {
                    let (_, of) = self.scopes.declarations[*id];
                    if let What::Enum(variants) = &of.what
                        && variants.iter().any(|variant| variant.name.text == name)
                    {
                        what = format!("`{name}` is not declared: write `{}.{name}`", of.name.text);
                    }
                }
                Err(wrong(place, what))
            }
        }
    }

    /// The value of a constant converted to another type, where that loses nothing.
    fn converted(&self, value: Value, of: &Type, kind: &Type) -> Option<Value> {
        if self.same(of, kind) {
            return Some(value);
        }
        let anywhere = Place::default();
        match (value, kind) {
            (Value::Int(value), _) => self.int(value, anywhere, kind).ok(),
            (Value::Enum(_, number), Type::I8 | Type::I16 | Type::I32 | Type::I64) => {
                self.int(number.into(), anywhere, kind).ok()
            }
            (Value::String(text), Type::Binary) => Some(Value::Binary(text.into_bytes())),
            (Value::String(text), Type::Uuid) => uuid::parse(&text).map(Value::Uuid),
            (Value::List(values), Type::List(_) | Type::Set(_)) => {
                let (Type::List(from) | Type::Set(from)) = of else { return None };
                let (Type::List(to) | Type::Set(to)) = kind else { return None };
                self.same(from, to).then_some(Value::List(values))
            }
            _ => None,
        }
    }

    /// Whether two types are the same when typedefs are resolved. Types are nested at most [`MAX_DEPTH`] deep
    /// in each typedef, and typedefs have no cycles.
    fn same(&self, a: &Type, b: &Type) -> bool {
        match (self.follow(a), self.follow(b)) {
            (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) => self.same(&a, &b),
            (Type::Map(a, c), Type::Map(b, d)) => self.same(&a, &b) && self.same(&c, &d),
            (a, b) => a == b,
        }
    }

    fn structure(
        &mut self,
        file: usize,
        id: Id,
        pairs: &[(ast::Value, ast::Value)],
        place: Place,
        depth: usize,
    ) -> Result<Value, Wrong> {
        let (of, declaration) = self.scopes.declarations[id];
        let What::Struct(kind, fields) = &declaration.what else { unreachable!("a struct") };
        let mut values: Vec<(usize, Value)> = Vec::new();
        for (key, value) in pairs {
            let ValueKind::Text(name) = &key.kind else {
                return Err(wrong(key.place, "the name of a field, in quotes, stands here"));
            };
            let Some(at) = fields.iter().position(|field| field.name.text == *name) else {
                let what = format!("{} has no field `{name}`", self.shown(&Type::Struct(id)));
                return Err(wrong(key.place, what));
            };
            if values.iter().any(|(known, _)| *known == at) {
                return Err(wrong(key.place, format!("`{name}` has a value already")));
            }
            let field = self.scopes.kind(of, &fields[at].kind)?;
            values.push((at, self.value(file, value, &field, depth + 1)?));
        }
        if *kind == StructKind::Union && values.len() != 1 {
            return Err(wrong(place, "the value of a union has exactly one field"));
        }
        let missing = fields.iter().enumerate().find(|(at, field)| {
            let is_required = field.requiredness == ast::Requiredness::Required && field.default.is_none();
            is_required && !values.iter().any(|(known, _)| known == at)
        });
        if let Some((_, field)) = missing {
            return Err(wrong(place, format!("the required field `{}` has no value", field.name.text)));
        }
        Ok(Value::Struct(id, values))
    }

    /// The numbers of an enum's values, which are valid: `resolve` checks enums first.
    fn numbers(&self, id: Id) -> Vec<i32> {
        let What::Enum(variants) = &self.scopes.declarations[id].1.what else { return Vec::new() };
        numbers(variants).unwrap_or_default()
    }

    /// A type, in words.
    fn shown(&self, kind: &Type) -> String {
        let name = |id: &Id| self.scopes.declarations[*id].1.name.text.as_str();
        match kind {
            Type::Bool => "a bool".to_owned(),
            Type::I8 => "an i8".to_owned(),
            Type::I16 => "an i16".to_owned(),
            Type::I32 => "an i32".to_owned(),
            Type::I64 => "an i64".to_owned(),
            Type::Double => "a double".to_owned(),
            Type::String => "a string".to_owned(),
            Type::Binary => "a binary".to_owned(),
            Type::Uuid => "a uuid".to_owned(),
            Type::List(_) => "a list".to_owned(),
            Type::Set(_) => "a set".to_owned(),
            Type::Map(..) => "a map".to_owned(),
            Type::Struct(id) => format!("the struct `{}`", name(id)),
            Type::Enum(id) => format!("the enum `{}`", name(id)),
            Type::Typedef(_) => self.shown(&self.follow(kind)),
        }
    }
}

/// The numbers of an enum's values: as written, or one more than the one before, from 0.
pub(crate) fn numbers(variants: &[ast::Variant]) -> Result<Vec<i32>, Wrong> {
    let mut next: i64 = 0;
    let number = |variant: &ast::Variant| {
        let (place, value) = variant.value.unwrap_or((variant.name.place, next));
        next = value.saturating_add(1);
        i32::try_from(value).map_err(|_| {
            let what =
                format!("{value} is not from {} to {}, which a value of an enum is", i32::MIN, i32::MAX);
            wrong(place, what)
        })
    };
    variants.iter().map(number).collect()
}

/// The number of values that a value consists of.
fn size(value: &Value) -> usize {
    match value {
        Value::List(values) => 1 + values.iter().map(size).sum::<usize>(),
        Value::Map(pairs) => 1 + pairs.iter().map(|(key, value)| size(key) + size(value)).sum::<usize>(),
        Value::Struct(_, fields) => 1 + fields.iter().map(|(_, value)| size(value)).sum::<usize>(),
        _ => 1,
    }
}
