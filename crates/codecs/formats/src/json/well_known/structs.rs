//! `Struct`, `ListValue` and `Value`: any JSON as protobuf.
//!
//! `Value` is a oneof of null_value = 1 (enum), number_value = 2 (double), string_value = 3, bool_value = 4,
//! struct_value = 5, list_value = 6. A struct has a map in field 1, a list its values in field 1.

use crate::{
    FormatError,
    json::{MAX_DEPTH, read::Reader, scalar, write::Writer},
    protobuf::wire::{Reader as WireReader, WireType},
    schema::{CANONICAL, MessageSchema},
};

const NULL: u8 = 1 << 3;
const NUMBER: u8 = 2 << 3 | 1;
const STRING: u8 = 3 << 3 | 2;
const BOOL: u8 = 4 << 3;
const STRUCT: u8 = 5 << 3 | 2;
const LIST: u8 = 6 << 3 | 2;

pub(super) fn read_struct(
    reader: &mut Reader<'_>,
    schema: MessageSchema<'_>,
    depth: u32,
) -> Result<(), FormatError> {
    match schema.field_by_number(1) {
        Some((_, fields)) if fields.map[CANONICAL] => reader.map(schema, fields, depth),
        _ => Err(reader.lexer.error("not the Struct we know")),
    }
}

pub(super) fn read_list(
    reader: &mut Reader<'_>,
    schema: MessageSchema<'_>,
    depth: u32,
) -> Result<(), FormatError> {
    let (_, values) =
        schema.field_by_number(1).ok_or_else(|| reader.lexer.error("not the ListValue we know"))?;
    reader.repeated(schema, values, depth)
}

pub(super) fn read_value(
    reader: &mut Reader<'_>,
    schema: MessageSchema<'_>,
    depth: u32,
) -> Result<(), FormatError> {
    match reader.lexer.peek() {
        Some(b'"') => {
            let text = reader.lexer.string()?;
            reader.out.push(STRING);
            reader.put_string(text)
        }
        Some(b'-' | b'0'..=b'9') => {
            let text = reader.lexer.number()?;
            let value =
                scalar::double(text).ok_or_else(|| reader.lexer.error("a number beyond all ranges"))?;
            reader.out.push(NUMBER);
            reader.out.extend_from_slice(&value.to_le_bytes());
            Ok(())
        }
        Some(bracket @ (b'{' | b'[')) => {
            let (tag, number) = if bracket == b'{' { (STRUCT, 5) } else { (LIST, 6) };
            let child = schema.field_by_number(number).and_then(|(_, field)| schema.child(field));
            let child = child.ok_or_else(|| reader.lexer.error("not the Value we know"))?;
            reader.out.push(tag);
            let open = reader.open();
            reader.value(child, depth + 1)?;
            reader.close(open);
            Ok(())
        }
        _ if reader.lexer.literal("null") => {
            reader.out.extend_from_slice(&[NULL, 0]);
            Ok(())
        }
        _ if reader.lexer.literal("true") => {
            reader.out.extend_from_slice(&[BOOL, 1]);
            Ok(())
        }
        _ if reader.lexer.literal("false") => {
            reader.out.extend_from_slice(&[BOOL, 0]);
            Ok(())
        }
        _ => Err(reader.lexer.error("expected a value")),
    }
}

pub(super) fn write_struct(
    writer: &mut Writer,
    schema: MessageSchema<'_>,
    wire: &[u8],
    depth: u32,
) -> Result<(), FormatError> {
    writer.only_field(schema, wire, depth, b"{}")
}

pub(super) fn write_list(
    writer: &mut Writer,
    schema: MessageSchema<'_>,
    wire: &[u8],
    depth: u32,
) -> Result<(), FormatError> {
    writer.only_field(schema, wire, depth, b"[]")
}

pub(super) fn write_value(
    writer: &mut Writer,
    schema: MessageSchema<'_>,
    wire: &[u8],
    depth: u32,
) -> Result<(), FormatError> {
    let mut last = None;
    let mut fields = WireReader::new(wire);
    while let Some(raw) = fields.field()? {
        if matches!(raw.number, 1..=6) {
            last = Some(raw); // of a oneof, the last member counts
        }
    }
    let raw = last.ok_or_else(|| writer.error("a Value without a value"))?;
    match (raw.number, raw.wire) {
        (2, WireType::Fixed64) => {
            let value = f64::from_bits(raw.bits);
            if !value.is_finite() {
                return Err(writer.error("a Value with NaN or an infinity, which JSON cannot express"));
            }
            writer.double(value);
        }
        (3, WireType::Bytes) => writer.text(raw.payload),
        (4, WireType::Varint) => {
            writer.out.extend_from_slice(if raw.bits == 0 { &b"false"[..] } else { b"true" });
        }
        (5 | 6, WireType::Bytes) => {
            let child = schema.field_by_number(raw.number).and_then(|(_, field)| schema.child(field));
            let child = child.ok_or_else(|| writer.error("not the Value we know"))?;
            if depth + 1 >= MAX_DEPTH {
                return Err(writer.error("nested more than 100 levels deep"));
            }
            super::write(writer, child, raw.payload, depth + 1)?;
        }
        _ => writer.out.extend_from_slice(b"null"),
    }
    Ok(())
}
