//! Vectors of tables and structs with a `key`, sorted by it.

use super::{
    super::{Key, Read, Table},
    number,
};
use polywire_fbs::{Schema, Type, Value};
use std::cmp::Ordering;

/// The value of a key.
enum Found<'b> {
    Integer(i128),
    Float(f64),
    Text(&'b str),
}

impl Found<'_> {
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Found::Integer(one), Found::Integer(other)) => one.cmp(other),
            (Found::Float(one), Found::Float(other)) => one.order(*other),
            (Found::Text(one), Found::Text(other)) => one.order(other),
            _ => Ordering::Equal, // all are of one type
        }
    }
}

/// The key at `at`, or its default.
fn key<'b>(schema: &Schema, kind: &Type, default: &Value, buffer: &'b [u8], at: Option<usize>) -> Found<'b> {
    if *kind == Type::String {
        return Found::Text(at.map_or("", |at| <&str>::read(buffer, at)));
    }
    let scalar = schema.scalar(kind);
    let mut usual = [0; 8];
    let (bytes, at) = match at {
        Some(at) => (buffer, at),
        None => {
            number::put(scalar, default, &mut usual[..scalar.size]);
            (&usual[..], 0)
        }
    };
    match scalar.rust {
        "f32" => Found::Float(f32::read(bytes, at).into()),
        "f64" => Found::Float(f64::read(bytes, at)),
        "bool" => Found::Integer(u8::read(bytes, at).into()),
        _ => Found::Integer(number::integer(scalar, bytes, at)),
    }
}

/// Sorts the tables at these positions of a message, if they have a key.
pub(super) fn tables(schema: &Schema, of: &Type, message: &[u8], positions: &mut [usize]) {
    let Type::Table(id) = of else { return };
    let Some(field) = schema.table(*id).key() else { return };
    let mut keyed: Vec<_> = positions
        .iter()
        .map(|at| {
            let place = Table::at(message, *at).position(field.slot);
            (key(schema, &field.kind, &field.default, message, place), *at)
        })
        .collect();
    keyed.sort_by(|(one, _), (other, _)| one.order(other));
    positions.iter_mut().zip(keyed).for_each(|(position, (_, at))| *position = at);
}

/// Sorts structs that lie one after the other, if they have a key.
pub(super) fn structs(schema: &Schema, of: &Type, values: &mut [u8]) {
    let Type::Struct(id) = of else { return };
    let Some(member) = schema.structure(*id).key() else { return };
    let size = schema.structure(*id).size;
    let mut sorted: Vec<&[u8]> = values.chunks_exact(size).collect();
    sorted.sort_by(|one, other| {
        let [one, other] =
            [one, other].map(|value| key(schema, &member.kind, &Value::Null, value, Some(member.at)));
        one.order(&other)
    });
    let sorted = sorted.concat();
    values.copy_from_slice(&sorted);
}
