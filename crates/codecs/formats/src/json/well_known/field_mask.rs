//! `google.protobuf.FieldMask`: paths joined by commas, each segment in lowerCamelCase.

use crate::{
    FormatError,
    json::{put_string, read::Reader, write::Writer},
    protobuf::wire::{Reader as WireReader, WireType, put_varint},
    schema::MessageSchema,
};

pub(super) fn read(reader: &mut Reader<'_>, schema: MessageSchema<'_>) -> Result<(), FormatError> {
    let text = reader.lexer.string()?;
    let text = text.text(&mut reader.scratch).map_err(|what| reader.lexer.error(what))?;
    for path in text.split(',').filter(|_| !text.is_empty()) {
        let Some(path) = snake(path) else {
            return Err(reader.lexer.error(format!("not a {}: {text}", schema.full_name())));
        };
        reader.out.push(1 << 3 | 2);
        put_varint(&mut reader.out, path.len() as u64);
        reader.out.extend_from_slice(path.as_bytes());
    }
    Ok(())
}

pub(super) fn write(writer: &mut Writer, wire: &[u8]) -> Result<(), FormatError> {
    let mut paths = String::new();
    let mut fields = WireReader::new(wire);
    let mut first = true;
    while let Some(raw) = fields.field()? {
        if (raw.number, raw.wire) != (1, WireType::Bytes) {
            continue;
        }
        if !std::mem::take(&mut first) {
            paths.push(',');
        }
        let path = std::str::from_utf8(raw.payload).ok().and_then(camel);
        paths.push_str(
            &path.ok_or_else(|| writer.error("a path that does not come back from lowerCamelCase"))?,
        );
    }
    put_string(&mut writer.out, &paths);
    Ok(())
}

/// `foo_bar` to `fooBar`; `None` if converting back would give another name.
fn camel(path: &str) -> Option<String> {
    let mut out = String::with_capacity(path.len());
    let mut chars = path.chars();
    while let Some(c) = chars.next() {
        match c {
            '_' => out.push(chars.next().filter(char::is_ascii_lowercase)?.to_ascii_uppercase()),
            c if c.is_ascii_uppercase() => return None,
            c => out.push(c),
        }
    }
    Some(out)
}

/// Converts `fooBar` to `foo_bar`.
fn snake(path: &str) -> Option<String> {
    let mut out = String::with_capacity(path.len() + 4);
    for c in path.chars() {
        match c {
            '_' => return None,
            c if c.is_ascii_uppercase() => out.extend(['_', c.to_ascii_lowercase()]),
            c => out.push(c),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_change_case_only_where_they_can_come_back() {
        for (proto, json) in
            [("user.display_name", "user.displayName"), ("photo", "photo"), ("a_b_c", "aBC"), ("", "")]
        {
            assert_eq!(camel(proto).as_deref(), Some(json));
            assert_eq!(snake(json).as_deref(), Some(proto));
        }
        for proto in ["fooBar", "a__b", "a_1", "a_"] {
            assert_eq!(camel(proto), None);
        }
        assert_eq!(snake("foo_bar"), None);
    }
}
