//! The positions of a message's fields.
//!
//! In the wire format fields come in any order, and pieces of a repeated field may be apart; text formats
//! need each once, in the order of the schema. So the bytes of a message are read once to note where each
//! field begins and ends. The notes of all levels share one stack: an outer message is not complete when an
//! inner one begins.

use super::wire::{Raw, Reader, WireType};
use crate::{
    FormatError,
    schema::{Cardinality, Field, Kind, MessageSchema},
};

/// A stack of notes.
pub(crate) struct Index {
    slots: Vec<Slot>,
    /// Bytes held in messages that were merged from pieces, and their limit.
    merged: usize,
    limit: usize,
    /// Fields of messages that may still be looked at, see [`Index::limit_work`].
    work: usize,
}

/// Fields that are looked at for one message, and for each of its bytes.
const WORK: usize = 64 << 20;
const WORK_OF_A_BYTE: usize = 64;

/// Position of a field in its message.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    /// Offset of the field's first tag.
    first: usize,
    /// Offset of the field's last tag.
    last: usize,
    /// The offset after the field.
    end: usize,
    pub count: usize,
}

/// The notes of one message.
#[derive(Clone, Copy)]
pub(crate) struct Base(usize);

impl Index {
    /// An index for messages inside `wire`.
    pub fn new(wire: &[u8]) -> Self {
        Index { slots: Vec::new(), merged: 0, limit: wire.len().saturating_mul(2), work: usize::MAX }
    }

    /// Limits the work for a message of somebody else. An empty message inside takes two bytes, and a look at
    /// each field that it could have: those of a type with 60 000 fields in 64 KiB would take minutes.
    pub fn limit_work(&mut self, wire: &[u8]) {
        self.work = WORK.saturating_add(wire.len().saturating_mul(WORK_OF_A_BYTE));
    }

    /// Notes the positions of the fields of a message.
    ///
    /// # Errors
    /// If the bytes are invalid.
    #[inline]
    pub fn begin(&mut self, schema: MessageSchema<'_>, wire: &[u8]) -> Result<Base, FormatError> {
        let (base, fields) = (self.slots.len(), schema.fields().len());
        // Behind the fields, a place for each oneof: its `last` is the member that was seen.
        let places = fields + schema.def().oneofs;
        self.work = self.work.checked_sub(places).ok_or_else(too_much)?;
        self.slots.resize(base + places, Slot::default());
        let mut reader = Reader::new(wire);
        let mut at = 0;
        while let Some(raw) = reader.field()? {
            let start = std::mem::replace(&mut at, wire.len() - reader.remaining());
            let Some((index, field)) = schema.field_by_number(raw.number) else { continue };
            if !fits(schema, field, &raw) {
                continue;
            }
            if let Some(oneof) = field.oneof {
                // Only the last one counts.
                let seen = &mut self.slots[base + fields + usize::from(oneof)];
                let other = std::mem::replace(&mut seen.last, index);
                if std::mem::replace(&mut seen.count, 1) > 0 && other != index {
                    self.slots[base + other].count = 0;
                }
            }
            let slot = &mut self.slots[base + index];
            if slot.count == 0 {
                slot.first = start;
            }
            (slot.last, slot.end, slot.count) = (start, at, slot.count + 1);
        }
        Ok(Base(base))
    }

    #[inline]
    pub fn slot(&self, base: Base, index: usize) -> Slot {
        self.slots[base.0 + index]
    }

    /// Removes the notes of a message.
    #[inline]
    pub fn end(&mut self, base: Base) {
        self.slots.truncate(base.0);
    }

    /// A singular message that came in pieces: their concatenation is the merged message. Messages merged
    /// inside merged messages hold the same bytes again, so their sum is limited. Return it with
    /// [`Index::release`].
    #[cold]
    pub fn merge(&mut self, field: &Field, slot: Slot, wire: &[u8]) -> Result<Vec<u8>, FormatError> {
        let mut whole = Vec::new();
        let mut reader = Reader::new(&wire[slot.first..slot.end]);
        while let Some(raw) = reader.field()? {
            if raw.number == field.number && matches!(raw.wire, WireType::Bytes | WireType::StartGroup) {
                whole.extend_from_slice(raw.payload);
            }
        }
        self.merged += whole.len();
        if self.merged > self.limit {
            return Err(FormatError::protobuf("messages in too many pieces"));
        }
        Ok(whole)
    }

    pub fn release(&mut self, whole: &[u8]) {
        self.merged -= whole.len();
    }
}

#[cold]
fn too_much() -> FormatError {
    FormatError::protobuf("too many messages of types with many fields")
}

impl Slot {
    /// The last occurrence in the message, which is the value of a singular scalar.
    #[inline]
    pub fn last<'w>(&self, wire: &'w [u8]) -> Result<Raw<'w>, FormatError> {
        Reader::new(&wire[self.last..]).field()?.ok_or_else(|| FormatError::protobuf("cut off in a field"))
    }

    /// Visits all occurrences in the message that have a matching wire type.
    #[inline]
    pub fn each<'w>(
        &self,
        schema: MessageSchema<'_>,
        field: &Field,
        wire: &'w [u8],
        mut visit: impl FnMut(Raw<'w>) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let mut reader = Reader::new(&wire[self.first..self.end]);
        while let Some(raw) = reader.field()? {
            if raw.number == field.number && fits(schema, field, &raw) {
                visit(raw)?;
            }
        }
        Ok(())
    }
}

/// Visits the numbers of a packed run, or a single value.
#[inline]
pub(crate) fn each_number(
    schema: MessageSchema<'_>,
    kind: Kind,
    raw: Raw<'_>,
    mut visit: impl FnMut(u64),
) -> Result<(), FormatError> {
    if raw.wire != WireType::Bytes {
        visit(raw.bits);
        return Ok(());
    }
    let mut reader = Reader::new(raw.payload);
    while !reader.is_empty() {
        let bits = match kind.wire_type() {
            1 => reader.fixed64()?,
            5 => u64::from(reader.fixed32()?),
            _ => reader.varint()?,
        };
        if is_value(schema, kind, bits) {
            visit(bits);
        }
    }
    Ok(())
}

/// Whether the data is a value of the field; otherwise it is unknown and skipped.
#[inline]
fn fits(schema: MessageSchema<'_>, field: &Field, raw: &Raw<'_>) -> bool {
    let wire = field.kind.wire_type();
    if raw.wire as u64 == wire {
        return is_value(schema, field.kind, raw.bits);
    }
    let packed = raw.wire == WireType::Bytes && matches!(wire, 0 | 1 | 5);
    packed && field.cardinality == Cardinality::Repeated && !raw.payload.is_empty()
}

/// Whether a number is a value of its type: closed enums have only those with a name.
#[inline]
fn is_value(schema: MessageSchema<'_>, kind: Kind, bits: u64) -> bool {
    let Kind::Enum(index) = kind else { return true };
    let def = schema.enumeration(index);
    !def.closed || def.name_of(bits as i32).is_some()
}
