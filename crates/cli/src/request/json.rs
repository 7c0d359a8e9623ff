//! Converts JSON to bodies and back, by schema.

use polywire::{Content, Raw, wire::Longest};
use polywire_formats::{
    FormatError, compression,
    json::{Options, Style, from_wire, to_wire},
    mcpack::{self, Variant},
    schema::{Cardinality, MessageSchema, MethodSchema},
    text,
};
use serde_json::Value;

/// Longest reply in bytes: the default limit of a channel.
pub const LONGEST: usize = polywire::Limits::DEFAULT.max_message as usize;

/// The body for a request in canonical JSON.
///
/// # Errors
/// JSON that does not fit the method's input; an encoding that messages cannot have.
pub fn request(method: MethodSchema<'_>, json: &str, content: Content) -> Result<Vec<u8>, FormatError> {
    let read = to_wire(method.input, json.as_bytes(), Style::Canonical)?;
    in_form(method.input, read.wire, content)
}

/// Notes about members of the text that are not fields: canonical JSON ignores them, but they may be typing
/// errors.
pub fn notes(method: MethodSchema<'_>, json: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if let Ok(value) = serde_json::from_str(json) {
        unknown_members(method.input, &value, &mut notes);
    }
    notes
}

fn in_form(schema: MessageSchema<'_>, wire: Vec<u8>, content: Content) -> Result<Vec<u8>, FormatError> {
    match content {
        Content::PROTOBUF => Ok(wire),
        Content::JSON => from_wire(schema, &wire, Style::Brpc(Options::default())),
        Content::PROTO_JSON => from_wire(schema, &wire, Style::Canonical),
        Content::PROTO_TEXT => text::from_wire(schema, &wire),
        Content::MCPACK => mcpack::from_wire(schema, &wire, Variant::Mcpack),
        Content::COMPACK => mcpack::from_wire(schema, &wire, Variant::Compack),
        other => Err(FormatError::UnknownContent(other)),
    }
}

/// A reply as canonical JSON.
///
/// # Errors
/// The body is not a message of this type.
pub fn reply(method: MethodSchema<'_>, raw: Raw) -> Result<String, FormatError> {
    let mut body = compression::decompress(raw.compression, raw.body, Longest::default())?;
    let bytes = body.contiguous();
    let wire = match raw.content {
        Content::PROTOBUF => None,
        Content::JSON => Some(to_wire(method.output, bytes, Style::Brpc(Options::default()))?.wire),
        Content::PROTO_JSON => Some(to_wire(method.output, bytes, Style::Canonical)?.wire),
        Content::PROTO_TEXT => Some(text::to_wire(method.output, bytes)?),
        Content::MCPACK | Content::COMPACK => Some(mcpack::to_wire(method.output, bytes, LONGEST)?),
        other => return Err(FormatError::UnknownContent(other)),
    };
    let text = from_wire(method.output, wire.as_deref().unwrap_or(bytes), Style::Canonical)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn unknown_members(schema: MessageSchema<'_>, value: &Value, notes: &mut Vec<String>) {
    let Value::Object(members) = value else { return };
    if schema.full_name().starts_with("google.protobuf.") {
        return; // these have special forms
    }
    for (name, value) in members {
        let plain = plain_name(name);
        let Some(field) = schema.fields().iter().find(|field| plain_name(&field.name) == plain) else {
            if !name.starts_with('[') {
                notes.push(format!("{} has no field {name:?}; it was left out", schema.full_name()));
            }
            continue;
        };
        let Some(child) = schema.child(field) else { continue };
        match value {
            Value::Array(items) => items.iter().for_each(|item| unknown_members(child, item, notes)),
            Value::Object(entries) if field.cardinality == Cardinality::Repeated => {
                // A map: its keys can be anything.
                let held = child.fields().iter().find(|field| field.number == 2);
                let Some(held) = held.and_then(|field| child.child(field)) else { continue };
                entries.values().for_each(|entry| unknown_members(held, entry, notes));
            }
            other => unknown_members(child, other, notes),
        }
    }
}

/// A form of names in which `foo_bar` and `fooBar` are equal.
fn plain_name(name: &str) -> String {
    name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schemas;
    use polywire::Compression;

    fn benchmark() -> MethodSchema<'static> {
        Schemas::builtin().method("test.BenchmarkService.Test").unwrap()
    }

    const TEXT: &str =
        r#"{"opcode":1,"echoAttachment":0,"attachment_size":"5","request_id":"9","mesage":"x"}"#;

    #[test]
    fn requests_take_both_spellings_and_the_channels_form() {
        let wire = request(benchmark(), TEXT, Content::PROTOBUF).unwrap();
        assert_eq!(wire, [0x08, 1, 0x10, 0, 0x18, 5, 0x20, 9]);
        assert_eq!(
            notes(benchmark(), TEXT),
            ["test.BenchmarkMessage has no field \"mesage\"; it was left out"]
        );
        let json = request(benchmark(), TEXT, Content::JSON).unwrap();
        assert_eq!(
            String::from_utf8(json).unwrap(),
            r#"{"opcode":1,"echo_attachment":0,"attachment_size":5,"request_id":9}"#
        );
        assert!(request(benchmark(), TEXT, Content::RESP2).is_err());
        assert!(matches!(
            request(benchmark(), "{\"opcode\":1}", Content::PROTOBUF),
            Err(FormatError::MissingRequired(_))
        ));
    }

    #[test]
    fn a_reply_is_inflated_no_further_than_a_channel_takes() {
        let most = Longest::default().inflated(5);
        // Snappy begins with the length of the text: seven bits per byte.
        let says = |n: usize| (0..4).map(|i| (n >> (7 * i)) as u8 | 0x80).chain([(n >> 28) as u8]).collect();
        let inflated = |n| {
            let body: Vec<u8> = says(n);
            reply(benchmark(), Raw { body: body.into(), compression: Compression::SNAPPY, ..Raw::default() })
        };
        assert_eq!(inflated(most + 1), Err(FormatError::Inflated { limit: most }));
        assert!(matches!(inflated(most), Err(FormatError::Compressed(_))), "it is not that long");
    }

    #[test]
    fn replies_are_canonical_whatever_form_they_came_in() {
        let canonical = r#"{"opcode":1,"echoAttachment":0,"attachmentSize":"5","requestId":"9"}"#;
        let text = [Content::JSON, Content::PROTO_JSON, Content::PROTO_TEXT];
        for content in [Content::PROTOBUF, Content::MCPACK, Content::COMPACK].into_iter().chain(text) {
            let body = request(benchmark(), TEXT, content).unwrap();
            let raw = Raw { body: body.into(), content, ..Raw::default() };
            assert_eq!(reply(benchmark(), raw).unwrap(), canonical);
        }
    }
}
