//! Finds the string of a message that is not UTF-8.
//!
//! Generated code checks strings while it reads them, and only reports that one of them was invalid. This
//! module finds the first invalid one in the bytes, by the schema. It runs only after a message was refused.

use super::wire::{MAX_DEPTH, Reader, WireType};
use crate::schema::{Cardinality, Field, Kind, MessageSchema};

/// The path of the first string that is not UTF-8: `package.Message.field[2].below`. `None`: there is none,
/// or the bytes before it are invalid.
#[cold]
pub(crate) fn first_misfit(schema: MessageSchema<'_>, bytes: &[u8]) -> Option<String> {
    let mut path = Vec::new();
    if !find(schema, bytes, MAX_DEPTH, &mut path) {
        return None;
    }
    // Names were collected from the inside out.
    path.push(schema.full_name().to_owned());
    path.reverse();
    Some(path.join("."))
}

fn find(schema: MessageSchema<'_>, bytes: &[u8], depth: u32, path: &mut Vec<String>) -> bool {
    let mut reader = Reader::new(bytes);
    while let Ok(Some(raw)) = reader.field() {
        let Some((_, field)) = schema.field_by_number(raw.number) else { continue };
        // Generated code accepts any bytes here: it reads no extensions, and does not check strings that it
        // stores as bytes.
        if field.as_bytes || field.extension.is_some() {
            continue;
        }
        let found = match (raw.wire, schema.child(field)) {
            (WireType::Bytes | WireType::StartGroup, Some(child)) => {
                depth > 0 && find(child, raw.payload, depth - 1, path)
            }
            (WireType::Bytes, None) => {
                field.kind == Kind::String && std::str::from_utf8(raw.payload).is_err()
            }
            _ => false,
        };
        if found {
            let read = &bytes[..bytes.len() - reader.remaining()];
            path.push(name(field, read));
            return true;
        }
    }
    false
}

/// A field's name; for a repeated field with the index of its last value in these bytes.
fn name(field: &Field, read: &[u8]) -> String {
    let name = match &field.extension {
        Some(full) => format!("[{full}]"),
        None => field.name.to_string(),
    };
    if field.cardinality != Cardinality::Repeated {
        return name;
    }
    let (mut reader, mut count) = (Reader::new(read), 0_usize);
    while let Ok(Some(raw)) = reader.field() {
        count += usize::from(raw.number == field.number);
    }
    format!("{name}[{}]", count.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protobuf::wire::put_varint;
    use crate::schema::Pool;
    use crate::testdata::{self, KINDS2};

    #[test]
    fn the_first_string_that_is_not_utf8_is_named_with_its_place() {
        let pool = testdata::pool(KINDS2);
        let all = pool.message("t.All").unwrap();
        for (wire, path) in [
            (&b"\x4a\x02hi"[..], None),
            (b"\x62\x01\xff", None), // bytes
            (b"\x4a\x01\xff", Some("t.All.f_string")),
            (b"\xb2\x01\x01a\xb2\x01\x01\xff\xb2\x01\x01\xfe", Some("t.All.r_string[1]")),
            (b"\xc2\x0c\x03\x4a\x01\xff", Some("t.All.f_message.f_string")),
            (b"\xca\x01\x00\xca\x01\x03\x4a\x01\xff", Some("t.All.r_message[1].f_string")),
            (b"\xf2\x01\x03\x0a\x01\xff", Some("t.All.m_string[0].key")),
            (b"\xfa\x01\x05\x08\x01\x12\x01\xff", Some("t.All.m_int32[0].value")),
            (b"\x4a\x05\xff", None), // cut off
            (b"\x4b\x01\xff", None), // not the wire type of a string
        ] {
            assert_eq!(first_misfit(all, wire).as_deref(), path, "{}", wire.escape_ascii());
        }
    }

    #[test]
    fn strings_that_generated_code_does_not_check_are_passed_over() {
        let mut pool = testdata::pool(
            r#"syntax = "proto2"; package t;
            message M { optional string kept = 1; map<string, string> names = 2; optional string text = 3; extensions 4 to 5; }
            extend M { optional string extra = 4; optional M more = 5; }"#,
        );
        let wire =
            b"\x22\x01\xff\x2a\x03\x1a\x01\xff\x0a\x01\xff\x12\x06\x0a\x01\xff\x12\x01\xff\x1a\x01\xff";
        let misfit = |pool: &Pool| first_misfit(pool.message("t.M").unwrap(), wire);
        for (kept, path) in [
            (&[][..], Some("t.M.kept")),
            (&["t.M.kept", "t.M.none", "t.None.kept", "none"], Some("t.M.names[0].key")),
            (&["t.M.NamesEntry.key"], Some("t.M.names[0].value")),
            (&["t.M.NamesEntry.value"], Some("t.M.text")),
            (&["t.M.text"], None),
        ] {
            pool.keep_as_bytes(kept);
            assert_eq!(misfit(&pool).as_deref(), path, "{kept:?} and those before");
        }
    }

    #[test]
    fn below_the_deepest_level_nothing_is_looked_for() {
        let pool = testdata::pool(KINDS2);
        let all = pool.message("t.All").unwrap();
        let within = |inner: &[u8]| {
            let mut outer = b"\xc2\x0c".to_vec();
            put_varint(&mut outer, inner.len() as u64);
            [&outer, inner].concat()
        };
        let deepest = (0..MAX_DEPTH).fold(b"\x4a\x01\xff".to_vec(), |inner, _| within(&inner));
        assert!(first_misfit(all, &deepest).is_some());
        assert_eq!(first_misfit(all, &within(&deepest)), None);
    }
}
