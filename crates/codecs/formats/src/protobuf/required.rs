//! Checks that all `required` fields are present.
//!
//! Generated messages store required fields as plain values, so that a missing one reads as its default. The
//! sheets require an error (docs/wire/common.md, "A missing required field is a parse failure"), so the bytes
//! are checked beforehand, by the schema. Messages without any required field, including nested ones, are not
//! checked ([`MessageSchema::has_required`](crate::schema::MessageSchema::has_required)).
//!
//! A singular message may arrive in several pieces, which merge; together they must be complete. Pieces are
//! kept as slices, never copied: memory is at most eight times the body, however it is divided.

use super::{
    bits::Bits,
    wire::{MAX_DEPTH, Reader, WireType, too_deep},
};
use crate::{
    FormatError,
    schema::{Cardinality, Field, MessageSchema},
};

/// Checks `bytes`, an encoded message of this schema.
///
/// # Errors
/// [`FormatError::MissingRequired`] with the first missing field, [`FormatError::Protobuf`] for invalid
/// bytes.
#[inline]
pub(crate) fn check(schema: MessageSchema<'_>, bytes: &[u8]) -> Result<(), FormatError> {
    let is_flat = !schema.has_required_below() && schema.required_count() <= u64::BITS as usize;
    if is_flat { flat(schema, bytes) } else { walk(schema, &[bytes], MAX_DEPTH) }
}

/// Checks the required fields of this message alone, of which there are at most 64. Hot path: once per
/// request in most proto2 services.
fn flat(schema: MessageSchema<'_>, bytes: &[u8]) -> Result<(), FormatError> {
    let mut seen = 0_u64;
    let mut reader = Reader::new(bytes);
    while let Some(number) = reader.pass()? {
        if let Some(bit) = schema.field_by_number(number).and_then(|(_, field)| field.required_bit) {
            seen |= 1 << bit;
        }
    }
    let first_missing = seen.trailing_ones() as usize;
    if first_missing < schema.required_count() { Err(lacking(schema, first_missing)) } else { Ok(()) }
}

#[cold]
fn lacking(schema: MessageSchema<'_>, bit: usize) -> FormatError {
    FormatError::MissingRequired(schema.required_name(bit).into())
}

fn walk(schema: MessageSchema<'_>, pieces: &[&[u8]], depth: u32) -> Result<(), FormatError> {
    let mut seen = Bits::new(schema.required_count());
    let mut messages = Vec::new();
    for piece in pieces {
        let mut reader = Reader::new(piece);
        while let Some(raw) = reader.field()? {
            let Some((index, field)) = schema.field_by_number(raw.number) else { continue };
            if let Some(bit) = field.required_bit {
                seen.insert(usize::from(bit));
            }
            let Some(child) = schema.child(field).filter(|c| c.has_required()) else { continue };
            if !matches!(raw.wire, WireType::Bytes | WireType::StartGroup) {
                continue;
            }
            match field.cardinality {
                Cardinality::Repeated => {
                    walk(child, &[raw.payload], depth.checked_sub(1).ok_or_else(too_deep)?)?;
                }
                _ => collect(schema, field, index, raw.payload, &mut messages),
            }
        }
    }
    if let Some(bit) = seen.first_missing(schema.required_count()) {
        return Err(lacking(schema, bit));
    }
    match schema.map_value() {
        // An entry without a value has an empty message as its value.
        Some((index, value))
            if value.has_required() && !messages.iter().any(|(known, _)| *known == index) =>
        {
            return walk(value, &[], depth.checked_sub(1).ok_or_else(too_deep)?);
        }
        _ => {}
    }
    for (index, pieces) in messages {
        let child = schema.child(schema.field(index)).expect("only messages were collected");
        walk(child, &pieces, depth.checked_sub(1).ok_or_else(too_deep)?)?;
    }
    Ok(())
}

type Pieces<'a> = Vec<(usize, Vec<&'a [u8]>)>;

/// Remembers a piece of a singular message; of a oneof, only the last member counts.
fn collect<'a>(
    schema: MessageSchema<'_>,
    field: &Field,
    index: usize,
    piece: &'a [u8],
    messages: &mut Pieces<'a>,
) {
    if field.oneof.is_some() {
        messages.retain(|(other, _)| *other == index || schema.field(*other).oneof != field.oneof);
    }
    match messages.iter_mut().find(|(known, _)| *known == index) {
        Some((_, pieces)) => pieces.push(piece),
        None => messages.push((index, vec![piece])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        schema::Pool,
        testdata::{self, KINDS2},
    };
    use std::sync::LazyLock;

    static POOL: LazyLock<Pool> = LazyLock::new(|| testdata::pool(KINDS2));

    fn missing(message: &str, wire: &[u8]) -> Option<String> {
        match check(POOL.message(message).unwrap(), wire) {
            Ok(()) => None,
            Err(FormatError::MissingRequired(field)) => Some(field.into()),
            Err(e) => panic!("{e}"),
        }
    }

    #[test]
    fn required_fields_are_missed_at_every_depth() {
        // Needs { id = 1, below = 2, more = 3, text = 4 }; Holds { needs = 1, by_name = 2 }
        for (message, wire, field) in [
            ("t.Needs", &b"\x08\x01\x22\x00"[..], None),
            ("t.Needs", b"\x22\x00", Some("t.Needs.id")),
            ("t.Needs", b"\x08\x01", Some("t.Needs.text")),
            ("t.Needs", b"\x08\x01\x22\x00\x12\x02\x08\x01", Some("t.Needs.text")),
            ("t.Needs", b"\x08\x01\x22\x00\x1a\x04\x08\x01\x22\x00\x1a\x00", Some("t.Needs.id")),
            ("t.Holds", b"", None),
            ("t.Holds", b"\x0a\x00", Some("t.Needs.id")),
            ("t.Holds", b"\x12\x09\x0a\x01k\x12\x04\x08\x01\x22\x00", None),
            ("t.Holds", b"\x12\x03\x0a\x01k", Some("t.Needs.id")),
        ] {
            assert_eq!(missing(message, wire).as_deref(), field, "{message} {}", wire.escape_ascii());
        }
    }

    #[test]
    fn pieces_of_a_message_are_complete_together() {
        assert_eq!(missing("t.Holds", b"\x0a\x02\x08\x01\x0a\x02\x22\x00"), None);
        assert_eq!(missing("t.Holds", b"\x0a\x02\x08\x01\x0a\x02\x08\x02").as_deref(), Some("t.Needs.text"));
        // Also inside a message that comes in pieces.
        let below = b"\x08\x01\x22\x00\x12\x02\x08\x01";
        let rest = b"\x12\x02\x22\x00";
        let wire = [&[0x0a, below.len() as u8][..], below, &[0x0a, rest.len() as u8], rest].concat();
        assert_eq!(missing("t.Holds", &wire), None);
    }

    #[test]
    fn broken_and_bottomless_bytes_are_refused() {
        let needs = POOL.message("t.Needs").unwrap();
        let whole = b"\x08\x01\x22\x02hi\x12\x06\x08\x01\x22\x02ho";
        for cut in 1..whole.len() {
            // After the sixth byte a complete message ends.
            assert_eq!(check(needs, &whole[..cut]).is_ok(), cut == 6, "cut at {cut}");
        }
        let mut deep = b"\x08\x01\x22\x00".to_vec();
        for _ in 0..200 {
            let mut outer = b"\x08\x01\x22\x00\x12".to_vec();
            super::super::wire::put_varint(&mut outer, deep.len() as u64);
            outer.extend(deep);
            deep = outer;
        }
        assert!(matches!(check(needs, &deep), Err(FormatError::Protobuf(_))));
    }

    #[test]
    fn any_number_of_fields_may_be_required() {
        for count in [1_u64, 63, 64, 65, 130] {
            let fields: String = (1..=count).map(|n| format!("required int32 f{n} = {n};")).collect();
            let source = format!(r#"syntax = "proto2"; package c; message Many {{ {fields} }}"#);
            let pool = testdata::pool(source.leak());
            let many = pool.message("c.Many").unwrap();
            let mut wire = Vec::new();
            for n in 1..=count {
                match check(many, &wire) {
                    Err(FormatError::MissingRequired(field)) => assert_eq!(*field, *format!("c.Many.f{n}")),
                    other => panic!("{n} of {count}: {other:?}"),
                }
                super::super::wire::put_varint(&mut wire, n << 3);
                wire.push(1);
            }
            assert!(check(many, &wire).is_ok(), "all {count}");
        }
    }

    #[test]
    fn only_messages_with_required_fields_below_them_are_looked_at() {
        for (message, has, can_lack) in [
            ("t.All", false, false),
            ("t.Needs", true, false),
            ("t.Holds", true, false),
            ("t.Pair", false, false),
        ] {
            let schema = POOL.message(message).unwrap();
            assert_eq!((schema.has_required(), schema.can_lack_required()), (has, can_lack), "{message}");
        }
        let pool = testdata::pool(
            r#"syntax = "proto2"; package c; message In { required int32 a = 1; }
            message Lacks { required In in = 1; } message Above { repeated Lacks l = 1; }"#,
        );
        assert!(pool.message("c.Lacks").unwrap().can_lack_required());
        assert!(pool.message("c.Above").unwrap().can_lack_required());
        assert!(!pool.message("c.In").unwrap().can_lack_required());
    }
}
