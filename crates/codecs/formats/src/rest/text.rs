//! Reads and writes values of fields in URLs.
//!
//! The form is that of protobuf's JSON without the quotes: enums by name or number, bytes in base64 of either
//! alphabet, timestamps, durations and field masks as text, wrappers as the value they wrap. A struct is
//! written as its JSON.

use super::field;
use crate::{
    json::{self, STANDARD, Style, URL_SAFE, lexer::Lexer},
    protobuf::wire::{Raw, Reader, WireType, put_bits, put_varint, unzigzag},
    schema::{Field, FieldDefault, Kind, MessageSchema, WellKnown},
};
use base64::Engine;

/// Appends a field with one value, after its tag.
///
/// # Errors
/// The fault of the text.
pub(super) fn put(
    out: &mut Vec<u8>,
    schema: MessageSchema<'_>,
    field: &Field,
    text: &[u8],
) -> Result<(), &'static str> {
    let tag = u64::from(field.number) << 3 | field.kind.wire_type();
    put_varint(out, tag);
    match field.kind {
        Kind::Bytes => {
            let alphabet = if text.iter().any(|b| matches!(b, b'-' | b'_')) { &URL_SAFE } else { &STANDARD };
            return put_bytes(out, &alphabet.decode(text).map_err(|_| "not base64")?);
        }
        Kind::String if field.as_bytes => return put_bytes(out, text),
        _ => {}
    }
    let text = std::str::from_utf8(text).map_err(|_| "not UTF-8")?;
    match field.kind {
        Kind::String => return put_bytes(out, text.as_bytes()),
        Kind::Bool => match text {
            "true" | "True" | "TRUE" | "t" | "T" | "1" => out.push(1),
            "false" | "False" | "FALSE" | "f" | "F" | "0" => out.push(0),
            _ => return Err("not true or false"),
        },
        Kind::Double => {
            let value = json::not_finite(text, true).or_else(|| json::double(text)).ok_or("not a number")?;
            out.extend_from_slice(&value.to_le_bytes());
        }
        Kind::Float => {
            let value = match json::not_finite(text, true) {
                Some(value) => value as f32,
                None => json::double(text).ok_or("not a number")? as f32,
            };
            if value.is_infinite() && json::not_finite(text, true).is_none() {
                return Err("beyond the range of a float");
            }
            out.extend_from_slice(&value.to_le_bytes());
        }
        Kind::Enum(index) => {
            let def = schema.enumeration(index);
            let number = def.number_of(text).or_else(|| {
                let number = json::integer(Kind::Int32, text, false)? as i32;
                (!def.closed || def.name_of(number).is_some()).then_some(number)
            });
            let number = number.ok_or("not a value of its enum")?;
            put_varint(out, i64::from(number) as u64);
        }
        Kind::Message(_) => {
            let child = schema.child(field).expect("the kind says so");
            return put_bytes(out, &well_known(child, text)?);
        }
        kind => put_bits(out, kind, json::integer(kind, text, false).ok_or("not an integer of its range")?),
    }
    Ok(())
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), &'static str> {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
    Ok(())
}

fn well_known(schema: MessageSchema<'_>, text: &str) -> Result<Vec<u8>, &'static str> {
    let quoted = || {
        let mut quoted = Vec::with_capacity(text.len() + 2);
        json::put_string(&mut quoted, text);
        quoted
    };
    let (text, wrong) = match schema.def().well_known {
        WellKnown::Wrapper => {
            let (_, value) = schema.field_by_number(1).ok_or("a wrapper without a value")?;
            let mut out = Vec::new();
            return put(&mut out, schema, value, text.as_bytes()).map(|()| out);
        }
        // JSON has names in camelCase, but people also write those of the `.proto` file.
        WellKnown::FieldMask if text.contains('_') => {
            let mut out = Vec::new();
            for path in text.split(',') {
                out.push(1 << 3 | 2);
                put_bytes(&mut out, path.as_bytes())?;
            }
            return Ok(out);
        }
        WellKnown::Timestamp => (quoted(), "not a time, as 2006-01-02T15:04:05Z"),
        WellKnown::Duration => (quoted(), "not a duration, as 1.5s"),
        WellKnown::FieldMask => (quoted(), "not a list of fields"),
        _ => (text.as_bytes().to_vec(), "not JSON that fits"),
    };
    json::part_to_wire(schema, &text, Style::Canonical).map_err(|_| wrong)
}

/// The text of one value; `None` if it cannot be written as text.
pub(super) fn of(schema: MessageSchema<'_>, field: &Field, raw: &Raw<'_>) -> Option<Vec<u8>> {
    let bits = raw.bits;
    Some(match field.kind {
        Kind::String => raw.payload.to_vec(),
        Kind::Bytes => base64::engine::general_purpose::URL_SAFE.encode(raw.payload).into_bytes(),
        Kind::Bool => (bits != 0).to_string().into_bytes(),
        Kind::Double => float(f64::from_bits(bits), |value| value.to_string()),
        Kind::Float => float(f64::from(f32::from_bits(bits as u32)), |value| (value as f32).to_string()),
        Kind::Enum(index) => match schema.enumeration(index).name_of(bits as i32) {
            Some(name) => name.as_bytes().to_vec(),
            None => (bits as i32).to_string().into_bytes(),
        },
        Kind::Int32 | Kind::Sfixed32 => (bits as i32).to_string().into_bytes(),
        Kind::Sint32 | Kind::Sint64 => unzigzag(bits).to_string().into_bytes(),
        Kind::Int64 | Kind::Sfixed64 => (bits as i64).to_string().into_bytes(),
        Kind::Uint32 | Kind::Fixed32 => (bits as u32).to_string().into_bytes(),
        Kind::Uint64 | Kind::Fixed64 => bits.to_string().into_bytes(),
        Kind::Message(_) => return of_message(schema.child(field)?, raw.payload),
        Kind::Group(_) => return None,
    })
}

fn float(value: f64, finite: impl Fn(f64) -> String) -> Vec<u8> {
    match value {
        value if value.is_nan() => b"NaN".to_vec(),
        f64::INFINITY => b"Infinity".to_vec(),
        f64::NEG_INFINITY => b"-Infinity".to_vec(),
        value => finite(value).into_bytes(),
    }
}

fn of_message(schema: MessageSchema<'_>, wire: &[u8]) -> Option<Vec<u8>> {
    match schema.def().well_known {
        WellKnown::No | WellKnown::Any => None,
        WellKnown::Wrapper => {
            let (_, value) = schema.field_by_number(1)?;
            of(schema, value, &last(wire, value)?.unwrap_or_else(|| absent(value)))
        }
        WellKnown::Struct | WellKnown::Value | WellKnown::ListValue => {
            json::from_wire(schema, wire, Style::Canonical).ok()
        }
        _ => {
            let quoted = json::from_wire(schema, wire, Style::Canonical).ok()?;
            let mut scratch = Vec::new();
            let text = Lexer::new(&quoted).ok()?.string().ok()?;
            Some(text.text(&mut scratch).ok()?.as_bytes().to_vec())
        }
    }
}

/// The field's last value in these bytes; `None` if they are not a valid message.
pub(super) fn last<'w>(wire: &'w [u8], field: &Field) -> Option<Option<Raw<'w>>> {
    let (mut reader, mut last) = (Reader::new(wire), None);
    while let Some(raw) = reader.field().ok()? {
        if raw.number == field.number {
            last = Some(raw);
        }
    }
    Some(last)
}

/// The value that an unset field is read as.
pub(super) fn absent(field: &Field) -> Raw<'_> {
    let (bits, payload) = match &field.default {
        FieldDefault::Bits(bits) => (*bits, &[][..]),
        FieldDefault::Bytes(bytes) => (0, &**bytes),
    };
    Raw { number: field.number, wire: WireType::Varint, bits, payload }
}

/// The texts of the items of a repeated field, packed or not; `None` if an item cannot be written as text.
pub(super) fn of_items(schema: MessageSchema<'_>, field: &Field, raw: &Raw<'_>) -> Option<Vec<Vec<u8>>> {
    let packed = raw.wire == WireType::Bytes && field.kind.wire_type() != 2;
    if !packed {
        return Some(vec![of(schema, field, raw)?]);
    }
    let (mut reader, mut texts) = (Reader::new(raw.payload), Vec::new());
    while !reader.is_empty() {
        let bits = match field.kind.wire_type() {
            1 => reader.fixed64(),
            5 => reader.fixed32().map(u64::from),
            _ => reader.varint(),
        };
        texts.push(of(schema, field, &Raw { bits: bits.ok()?, payload: &[], ..*raw })?);
    }
    Some(texts)
}

/// The key and the text of an entry of a map.
pub(super) fn of_entry(schema: MessageSchema<'_>, raw: &Raw<'_>) -> Option<(Vec<u8>, Vec<u8>)> {
    let [key, value] = schema.fields() else { return None };
    let text = |field| of(schema, field, &last(raw.payload, field)?.unwrap_or_else(|| absent(field)));
    field::form(schema, value)?;
    Some((text(key)?, text(value)?))
}
