//! Are all `required` fields there?
//!
//! Generated messages keep required fields as plain values, so that a missing one reads as its default. The sheets call
//! it a bad request (docs/wire/common.md, "A missing required field is a parse failure"), so the bytes are looked
//! through beforehand, by the schema. Messages that have no required field anywhere below them are not looked at
//! ([`MessageSchema::has_required`](crate::schema::MessageSchema::has_required)).
//!
//! A singular message may arrive in several pieces which merge; together they must be complete. Pieces are kept as
//! slices, never copied: memory is at most eight times the body, however it is cut up.

use super::{
    bits::Bits,
    wire::{MAX_DEPTH, Reader, WireType, too_deep},
};
use crate::{
    FormatError,
    schema::{Cardinality, Field, MessageSchema},
};

/// Walks `bytes`, an encoded message of this schema.
///
/// # Errors
/// [`FormatError::MissingRequired`] with the first field found missing, [`FormatError::Protobuf`] for broken bytes.
pub(crate) fn check(schema: MessageSchema<'_>, bytes: &[u8]) -> Result<(), FormatError> {
    walk(schema, &[bytes], MAX_DEPTH)
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
        return Err(FormatError::MissingRequired(schema.required_name(bit).into()));
    }
    if let Some(value) = schema.map_value().filter(|(_, value)| value.has_required()) {
        if !messages.iter().any(|(index, _)| *index == value.0) {
            return walk(value.1, &[], depth.checked_sub(1).ok_or_else(too_deep)?);
        }
    }
    for (index, pieces) in messages {
        let child = schema.child(schema.field(index)).expect("only messages were collected");
        walk(child, &pieces, depth.checked_sub(1).ok_or_else(too_deep)?)?;
    }
    Ok(())
}

type Pieces<'a> = Vec<(usize, Vec<&'a [u8]>)>;

/// Remembers a piece of a singular message; of a oneof only the member that came last counts.
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
