//! Numbers and names of enums.

use crate::flatbuffers::Read;
use polywire_fbs::{Enum, Scalar, Value};

/// Writes a number of the schema into its space.
pub(super) fn put(scalar: Scalar, value: &Value, place: &mut [u8]) {
    match (value, scalar.rust) {
        (Value::Null | Value::Text(_) | Value::Empty, _) => {}
        (Value::Bool(value), _) => place[0] = u8::from(*value),
        (Value::Float(value), "f32") => place.copy_from_slice(&(*value as f32).to_le_bytes()),
        (Value::Float(value), _) => place.copy_from_slice(&value.to_le_bytes()),
        (Value::Integer(value), _) => place.copy_from_slice(&value.to_le_bytes()[..place.len()]),
    }
}

/// The value of a name, `Red` or `Colour.Red`, or of several bit flags together, `Grass Meat`.
pub(super) fn named(of: &Enum, text: &str) -> Option<Value> {
    let value = |word: &str| {
        let name = word.rsplit_once('.').map_or(word, |(_, name)| name);
        of.variants.iter().find(|(own, ..)| own == name).map(|(_, value, _)| *value)
    };
    let mut words = text.split_ascii_whitespace();
    let first = value(words.next()?)?;
    if !of.flags && words.next().is_some() {
        return None;
    }
    words.try_fold(first, |all, word| Some(all | value(word)?)).map(Value::Integer)
}

/// Writes a number as JSON.
pub(super) fn write(scalar: Scalar, buffer: &[u8], at: usize, out: &mut Vec<u8>) {
    let text = match scalar.rust {
        "bool" => bool::read(buffer, at).to_string(),
        "f32" => float(f32::read(buffer, at)),
        "f64" => float(f64::read(buffer, at)),
        _ => integer(scalar, buffer, at).to_string(),
    };
    out.extend_from_slice(text.as_bytes());
}

/// The shortest decimal number that reads as the same value; infinities and NaN are strings.
fn float<F: zmij::Float + Into<f64> + Copy>(value: F) -> String {
    match value.into() {
        f64::INFINITY => "\"inf\"".to_owned(),
        f64::NEG_INFINITY => "\"-inf\"".to_owned(),
        other if other.is_nan() => "\"nan\"".to_owned(),
        _ => zmij::Buffer::new().format_finite(value).to_owned(),
    }
}

/// The name of an enum's value, if it has one; for bit flags, the names of all.
pub(super) fn name(of: &Enum, buffer: &[u8], at: usize) -> Option<String> {
    let value = integer(of.of, buffer, at);
    if let Some((name, ..)) = of.variants.iter().find(|(_, number, _)| *number == value) {
        return Some(name.clone());
    }
    let bits = of.variants.iter().filter(|(_, bit, _)| of.flags && value & bit != 0);
    let all = bits.clone().fold(0, |all, (_, bit, _)| all | bit);
    let names: Vec<_> = bits.map(|(name, ..)| name.as_str()).collect();
    (all == value && value != 0).then(|| names.join(" "))
}

pub(super) fn integer(scalar: Scalar, buffer: &[u8], at: usize) -> i128 {
    match scalar.rust {
        "i8" => i8::read(buffer, at).into(),
        "u8" => u8::read(buffer, at).into(),
        "i16" => i16::read(buffer, at).into(),
        "u16" => u16::read(buffer, at).into(),
        "i32" => i32::read(buffer, at).into(),
        "u32" => u32::read(buffer, at).into(),
        "i64" => i64::read(buffer, at).into(),
        _ => u64::read(buffer, at).into(),
    }
}
