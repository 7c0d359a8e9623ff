//! `google.protobuf.Any`: `{"@type": "type.googleapis.com/package.Message", …}`.
//!
//! The type must be in the same descriptor set; the name after the last slash identifies it.

use crate::{
    FormatError,
    json::{MAX_DEPTH, lexer::Lexer, read::Reader, write::Writer},
    protobuf::wire::{Reader as WireReader, WireType, put_varint},
    schema::{MessageSchema, WellKnown},
};

const TYPE_URL: u8 = 1 << 3 | 2;
const VALUE: u8 = 2 << 3 | 2;

pub(super) fn read(
    reader: &mut Reader<'_>,
    schema: MessageSchema<'_>,
    depth: u32,
) -> Result<(), FormatError> {
    reader.lexer.expect(b'{', "an object")?;
    let members = reader.lexer.position();
    let Some(url) = find_type(reader.lexer.again(members), depth)? else {
        // An empty Any is an empty object.
        return match reader.lexer.take(b'}') {
            true => Ok(()),
            false => Err(reader.lexer.error("an Any without \"@type\"")),
        };
    };
    let message = embedded(schema, &url).ok_or_else(|| reader.lexer.error(format!("unknown type {url}")))?;
    reader.out.push(TYPE_URL);
    put_varint(&mut reader.out, url.len() as u64);
    reader.out.extend_from_slice(url.as_bytes());
    reader.out.push(VALUE);
    let open = reader.open();
    match message.def().well_known {
        // "@type" is treated like any unknown member.
        WellKnown::No => reader.members(message, depth + 1)?,
        _ => special(reader, message, depth)?,
    }
    reader.close(open);
    Ok(())
}

/// Reads `{"@type": …, "value": …}` for types with a special form.
fn special(reader: &mut Reader<'_>, message: MessageSchema<'_>, depth: u32) -> Result<(), FormatError> {
    let mut found = false;
    let mut more = !reader.lexer.take(b'}');
    while more {
        let name = reader.lexer.name()?;
        if name.raw == "value" && !found {
            found = true;
            reader.value(message, depth + 1)?;
        } else {
            reader.lexer.skip(depth + 1)?;
        }
        more = reader.lexer.another(b'}')?;
    }
    if found { Ok(()) } else { Err(reader.lexer.error("an Any without \"value\"")) }
}

/// Looks ahead for `@type`, which may be anywhere in the object.
fn find_type(mut lexer: Lexer<'_>, depth: u32) -> Result<Option<String>, FormatError> {
    let mut more = !lexer.take(b'}');
    while more {
        let name = lexer.name()?;
        if name.raw == "@type" {
            let url = lexer.string()?;
            let mut scratch = Vec::new();
            let url = url.text(&mut scratch).map_err(|what| lexer.error(what))?;
            return Ok(Some(url.to_owned()));
        }
        lexer.skip(depth + 1)?;
        more = lexer.another(b'}')?;
    }
    Ok(None)
}

fn embedded<'p>(schema: MessageSchema<'p>, url: &str) -> Option<MessageSchema<'p>> {
    let (_, name) = url.rsplit_once('/')?;
    schema.pool().message(name)
}

pub(super) fn write(
    writer: &mut Writer,
    schema: MessageSchema<'_>,
    wire: &[u8],
    depth: u32,
) -> Result<(), FormatError> {
    let (mut url, mut value) = (&[][..], &[][..]);
    let mut fields = WireReader::new(wire);
    while let Some(raw) = fields.field()? {
        match (raw.number, raw.wire) {
            (1, WireType::Bytes) => url = raw.payload,
            (2, WireType::Bytes) => value = raw.payload,
            _ => {}
        }
    }
    if url.is_empty() && value.is_empty() {
        writer.out.extend_from_slice(b"{}");
        return Ok(());
    }
    if depth + 1 >= MAX_DEPTH {
        return Err(writer.error("nested more than 100 levels deep"));
    }
    let name = String::from_utf8_lossy(url);
    let message =
        embedded(schema, &name).ok_or_else(|| writer.error(format!("an Any of unknown type {name}")))?;
    writer.out.extend_from_slice(b"{\"@type\":");
    writer.text(url);
    match message.def().well_known {
        WellKnown::No => writer.members(message, value, depth + 1, false),
        _ => {
            writer.out.extend_from_slice(b",\"value\":");
            super::write(writer, message, value, depth + 1)?;
            writer.out.push(b'}');
            Ok(())
        }
    }
}
