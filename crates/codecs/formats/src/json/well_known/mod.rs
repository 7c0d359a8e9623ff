//! The special forms of Google's well-known types in canonical JSON. brpc's JSON has none.
//!
//! Source: protobuf.dev, programming-guides/json, "Any", "Timestamp", "Duration", "Struct" and the rows
//! below; docs/wire/http.md, section 2, "ProtoJSON".
//!
//! | type | JSON |
//! |---|---|
//! | Timestamp | RFC 3339 in UTC, 0, 3, 6 or 9 digits of fraction: `"1972-01-01T10:00:20.021Z"` |
//! | Duration | seconds with 0, 3, 6 or 9 digits and `s`: `"1.212s"` |
//! | FieldMask | paths in lowerCamelCase, joined by commas: `"f.fooBar,h"` |
//! | wrappers | the bare value |
//! | Struct, Value, ListValue | any JSON |
//! | Any | the message's object with `@type`; well-known ones under `value` |

mod any;
mod field_mask;
mod structs;
mod time;

use super::{read::Reader, write::Writer};
use crate::{
    FormatError,
    schema::{MessageSchema, WellKnown},
};

/// Reads the special form of a well-known type.
pub(super) fn read(
    reader: &mut Reader<'_>,
    schema: MessageSchema<'_>,
    depth: u32,
) -> Result<(), FormatError> {
    match schema.def().well_known {
        WellKnown::Timestamp => time::read(reader, schema, time::parse_timestamp),
        WellKnown::Duration => time::read(reader, schema, time::parse_duration),
        WellKnown::FieldMask => field_mask::read(reader, schema),
        WellKnown::Wrapper => wrapper(reader, schema, depth),
        WellKnown::Struct => structs::read_struct(reader, schema, depth),
        WellKnown::ListValue => structs::read_list(reader, schema, depth),
        WellKnown::Value => structs::read_value(reader, schema, depth),
        WellKnown::Any => any::read(reader, schema, depth),
        WellKnown::No => reader.value(schema, depth),
    }
}

/// Writes the special form of a well-known type.
pub(super) fn write(
    writer: &mut Writer,
    schema: MessageSchema<'_>,
    wire: &[u8],
    depth: u32,
) -> Result<(), FormatError> {
    match schema.def().well_known {
        WellKnown::Timestamp => time::write(writer, wire, time::format_timestamp),
        WellKnown::Duration => time::write(writer, wire, time::format_duration),
        WellKnown::FieldMask => field_mask::write(writer, wire),
        WellKnown::Wrapper => writer.wrapped(schema, wire),
        WellKnown::Struct => structs::write_struct(writer, schema, wire, depth),
        WellKnown::ListValue => structs::write_list(writer, schema, wire, depth),
        WellKnown::Value => structs::write_value(writer, schema, wire, depth),
        WellKnown::Any => any::write(writer, schema, wire, depth),
        WellKnown::No => writer.object(schema, wire, depth),
    }
}

fn wrapper(reader: &mut Reader<'_>, schema: MessageSchema<'_>, depth: u32) -> Result<(), FormatError> {
    let Some((_, value)) = schema.field_by_number(1) else {
        return Err(reader.lexer.error("a wrapper without a value"));
    };
    reader.element(schema, value, depth)
}
