//! Converts protobuf to mcpack: a message's bytes are read once to find the positions of its fields
//! ([`Index`]), which are then written in declaration order.
//!
//! Source: docs/wire/mcpack.md, "Protobuf mapping"

use super::{
    Variant, deeper,
    field::{
        BINARY, BOOL, DOUBLE, FLOAT, INT8, INT16, INT32, INT64, ISOARRAY, OBJECT, SIZE, STRING, UINT8,
        UINT16, UINT32, UINT64,
    },
    writer::Writer,
};
use crate::{
    FormatError,
    protobuf::{
        index::{Index, Slot, each_number},
        wire::unzigzag,
    },
    schema::{Cardinality, Field, Kind, MessageSchema},
};

pub(super) fn message(
    schema: MessageSchema<'_>,
    wire: &[u8],
    variant: Variant,
) -> Result<Vec<u8>, FormatError> {
    within(schema, wire, variant, ENOUGH.max(wire.len().saturating_mul(GROWTH)))
}

/// Length in bytes that every message may have: brpc's `max_body_size`.
pub(super) const ENOUGH: usize = 64 << 20;
/// The maximum ratio of a longer encoding to the protobuf encoding. Names and numbers of fixed width are
/// longer than in protobuf; but each empty row of a repeated message becomes a null in every column.
const GROWTH: usize = 8;

/// Like [`message`], but at most about `most` bytes at a time.
pub(super) fn within(
    schema: MessageSchema<'_>,
    wire: &[u8],
    variant: Variant,
    most: usize,
) -> Result<Vec<u8>, FormatError> {
    whole(schema, wire, Encoder { to: Writer::new(), index: Index::new(wire), variant, most })
}

/// A message of somebody else: output and work have limits.
pub(super) fn exactly(
    schema: MessageSchema<'_>,
    wire: &[u8],
    variant: Variant,
    longest: usize,
) -> Result<Vec<u8>, FormatError> {
    let mut index = Index::new(wire);
    index.limit_work(wire);
    let body = whole(schema, wire, Encoder { to: Writer::new(), index, variant, most: longest })?;
    if body.len() > longest { Err(FormatError::TooLarge { limit: longest }) } else { Ok(body) }
}

fn whole(schema: MessageSchema<'_>, wire: &[u8], mut encoder: Encoder) -> Result<Vec<u8>, FormatError> {
    encoder.to.out.reserve(wire.len() + wire.len() / 2 + 64);
    encoder.to.out.extend_from_slice(&[0; 4]);
    let count = encoder.members(schema, wire, 0)?;
    encoder.to.out[..4].copy_from_slice(&count.to_le_bytes());
    encoder.to.finish()
}

pub(super) struct Encoder {
    pub to: Writer,
    pub index: Index,
    pub variant: Variant,
    /// Bytes that may be written.
    most: usize,
}

/// A field of the message at hand.
#[derive(Clone, Copy)]
pub(super) struct Member<'m, 'p> {
    pub schema: MessageSchema<'p>,
    pub field: &'p Field,
    pub slot: Slot,
    pub wire: &'m [u8],
    /// The name; empty for an item.
    pub name: &'p [u8],
}

impl Encoder {
    /// Checks that this many bytes may be written.
    pub fn check(&self, bytes: usize) -> Result<(), FormatError> {
        if bytes > self.most { Err(FormatError::TooLarge { limit: self.most }) } else { Ok(()) }
    }

    /// Writes the members of an object; returns their number.
    fn members(&mut self, schema: MessageSchema<'_>, wire: &[u8], depth: u32) -> Result<u32, FormatError> {
        self.check(self.to.out.len())?;
        let base = self.index.begin(schema, wire)?;
        let mut count = 0;
        for (at, field) in schema.declared().iter().enumerate() {
            let (slot, name) = (self.index.slot(base, at), field.member().as_bytes());
            let member = Member { schema, field, slot, wire, name };
            count += u32::from(self.member(member, depth)?);
        }
        self.index.end(base);
        Ok(count)
    }

    /// Writes a field, if it has a value; returns whether it has.
    pub fn member(&mut self, member: Member<'_, '_>, depth: u32) -> Result<bool, FormatError> {
        let Member { schema, field, slot, name, .. } = member;
        match (field.cardinality, slot.count) {
            (Cardinality::Repeated, _) if field.idl.map => self.map(member, depth).map(|()| true),
            (Cardinality::Repeated, 0) => Ok(self.empty(member)),
            (Cardinality::Repeated, _) => self.repeated(member, depth),
            (Cardinality::Required, 0) => {
                let missing = format!("{}.{}", schema.full_name(), field.name);
                Err(FormatError::MissingRequired(missing.into()))
            }
            // "if idl_on is non-zero: an empty array is written instead, even for a singular non-message
            // field"
            (_, 0) if schema.child(field).is_none() => Ok(self.to.empty(name, false, field.idl.on)),
            (_, 0) => Ok(false),
            _ => self.singular(member, depth).map(|()| true),
        }
    }

    fn singular(&mut self, member: Member<'_, '_>, depth: u32) -> Result<(), FormatError> {
        let Member { schema, field, slot, wire, name } = member;
        match schema.child(field) {
            Some(child) if slot.count > 1 => {
                let whole = self.index.merge(field, slot, wire)?;
                self.object(child, &whole, name, depth)?;
                self.index.release(&whole);
                Ok(())
            }
            Some(child) => self.object(child, slot.last(wire)?.payload, name, depth),
            None => {
                let raw = slot.last(wire)?;
                self.scalar(field, name, raw.bits, raw.payload)
            }
        }
    }

    pub fn object(
        &mut self,
        schema: MessageSchema<'_>,
        wire: &[u8],
        name: &[u8],
        depth: u32,
    ) -> Result<(), FormatError> {
        let depth = deeper(depth)?;
        let object = self.to.object(name);
        let count = self.members(schema, wire, depth)?;
        self.to.end(object, count);
        Ok(())
    }

    /// Writes a repeated field without items: it is left out, except with `idl_on` and for messages in
    /// compack.
    fn empty(&mut self, member: Member<'_, '_>) -> bool {
        let Member { schema, field, name, .. } = member;
        let columns = schema.child(field).is_some() && self.variant == Variant::Compack;
        self.to.empty(name, columns, field.idl.on)
    }

    fn repeated(&mut self, member: Member<'_, '_>, depth: u32) -> Result<bool, FormatError> {
        let Member { schema, field, name, .. } = member;
        match (self.variant, schema.child(field)) {
            // An item of a column is "an array per row".
            (Variant::Compack, Some(child)) if !name.is_empty() => {
                self.columns(member, child, depth).map(|()| true)
            }
            (Variant::Compack, None) if is_number(field.kind) => self.isoarray(member),
            _ => self.array(member, depth),
        }
    }

    /// An array of fields. "An array that ends up with zero items is removed entirely."
    fn array(&mut self, member: Member<'_, '_>, depth: u32) -> Result<bool, FormatError> {
        let Member { schema, field, slot, wire, name } = member;
        let start = self.to.out.len();
        let array = self.to.array(name);
        let mut count = 0u32;
        slot.each(schema, field, wire, |raw| match schema.child(field) {
            Some(child) => {
                count += 1;
                self.object(child, raw.payload, b"", depth)
            }
            None if is_text(field.kind) => {
                count += 1;
                self.scalar(field, b"", 0, raw.payload)
            }
            None => {
                let mut written = Ok(());
                each_number(schema, field.kind, raw, |bits| {
                    count += 1;
                    if written.is_ok() {
                        written = self.scalar(field, b"", bits, &[]);
                    }
                })?;
                written
            }
        })?;
        if count == 0 {
            self.to.out.truncate(start);
            return Ok(false);
        }
        self.to.end(array, count);
        Ok(true)
    }

    /// Writes an array of numbers without heads.
    fn isoarray(&mut self, member: Member<'_, '_>) -> Result<bool, FormatError> {
        let Member { schema, field, slot, wire, name } = member;
        let code = code_of(field)?;
        let start = self.to.out.len();
        let array = self.to.begin_value(ISOARRAY, name);
        self.to.out.push(code);
        let items = self.to.out.len();
        slot.each(schema, field, wire, |raw| {
            each_number(schema, field.kind, raw, |bits| {
                let number = number(code, field.kind, bits);
                self.to.out.extend_from_slice(&number[..usize::from(code & SIZE)]);
            })
        })?;
        if self.to.out.len() == items {
            self.to.out.truncate(start);
            return Ok(false);
        }
        self.to.end_value(array);
        Ok(true)
    }

    /// "one object, member per entry (name = key)"
    fn map(&mut self, member: Member<'_, '_>, depth: u32) -> Result<(), FormatError> {
        let Member { schema, field, slot, wire, name } = member;
        let entry = schema.child(field).expect("maps have entries");
        let object = self.to.object(name);
        let mut count = 0;
        if slot.count > 0 {
            let depth = deeper(depth)?;
            slot.each(schema, field, wire, |raw| {
                count += 1;
                self.entry(entry, raw.payload, depth)
            })?;
        }
        self.to.end(object, count);
        Ok(())
    }

    fn entry(&mut self, entry: MessageSchema<'_>, wire: &[u8], depth: u32) -> Result<(), FormatError> {
        let base = self.index.begin(entry, wire)?;
        let (key, slot) = (self.index.slot(base, 0), self.index.slot(base, 1));
        let key = if key.count == 0 { &[][..] } else { key.last(wire)?.payload };
        let value = entry.field(1);
        match (entry.child(value), slot.count) {
            (Some(child), 0) => self.object(child, &[], key, depth)?,
            (Some(child), _) => self.object(child, slot.last(wire)?.payload, key, depth)?,
            (None, count) => {
                let (bits, payload) = match count {
                    0 => (0, &[][..]),
                    _ => slot.last(wire).map(|raw| (raw.bits, raw.payload))?,
                };
                // "string and bytes values both as string"
                match value.kind {
                    Kind::Bytes => self.to.string(key, payload),
                    _ => self.scalar(value, key, bits, payload)?,
                }
            }
        }
        self.index.end(base);
        Ok(())
    }

    #[inline]
    fn scalar(&mut self, field: &Field, name: &[u8], bits: u64, payload: &[u8]) -> Result<(), FormatError> {
        match code_of(field)? {
            STRING => self.to.string(name, payload),
            BINARY => self.to.binary(name, payload),
            code => {
                let number = number(code, field.kind, bits);
                self.to.number(code, name, &number[..usize::from(code & SIZE)]);
            }
        }
        Ok(())
    }
}

pub(super) fn is_number(kind: Kind) -> bool {
    !is_text(kind) && !matches!(kind, Kind::Message(_) | Kind::Group(_))
}

pub(super) const fn is_text(kind: Kind) -> bool {
    matches!(kind, Kind::String | Kind::Bytes)
}

#[inline]
fn code_of(field: &Field) -> Result<u8, FormatError> {
    code(field.kind, field.idl.kind, matches!(field.cardinality, Cardinality::Repeated))
        .ok_or_else(|| FormatError::mcpack(format!("{}: idl_type does not fit the field", field.name)))
}

/// The type in which a field is written: that of its kind, or its `idl_type`, if that fits.
#[inline]
pub(super) const fn code(kind: Kind, idl: u8, repeated: bool) -> Option<u8> {
    const CHOSEN: [u8; 8] = [INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64];
    let usual = match kind {
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 | Kind::Enum(_) => INT32,
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => INT64,
        Kind::Uint32 | Kind::Fixed32 => UINT32,
        Kind::Uint64 | Kind::Fixed64 => UINT64,
        Kind::Bool => BOOL,
        Kind::Float => FLOAT,
        Kind::Double => DOUBLE,
        Kind::String => STRING,
        Kind::Bytes => BINARY,
        Kind::Message(_) | Kind::Group(_) => OBJECT,
    };
    match (usual, idl) {
        (_, 0) | (BOOL, 9) | (FLOAT, 10) | (DOUBLE, 11) | (BINARY, 12) | (STRING, 13) => Some(usual),
        (DOUBLE, 10) => Some(FLOAT),
        (FLOAT, 11) if repeated => Some(DOUBLE),
        (BINARY, 13) => Some(STRING),
        (INT32 | INT64 | UINT32 | UINT64, 1..=8) => Some(CHOSEN[idl as usize - 1]),
        _ => None,
    }
}

/// The bytes of a number in its type; only the first ones are used. "An idl_type narrower than the value
/// truncates silently."
#[inline]
pub(super) fn number(code: u8, kind: Kind, bits: u64) -> [u8; 8] {
    let mut bytes = [0; 8];
    match kind {
        // Not converted: via the other type, a signalling NaN would become a quiet one.
        Kind::Float if code == FLOAT => bytes[..4].copy_from_slice(&bits.to_le_bytes()[..4]),
        Kind::Double | Kind::Float => {
            let value = match kind {
                Kind::Float => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from_bits(bits),
            };
            match code {
                FLOAT => bytes[..4].copy_from_slice(&(value as f32).to_le_bytes()),
                _ => bytes = value.to_le_bytes(),
            }
        }
        Kind::Int32 | Kind::Sfixed32 | Kind::Enum(_) => bytes = i64::from(bits as i32).to_le_bytes(),
        Kind::Sint32 => bytes = unzigzag(u64::from(bits as u32)).to_le_bytes(),
        Kind::Sint64 => bytes = unzigzag(bits).to_le_bytes(),
        Kind::Bool => bytes[0] = u8::from(bits != 0),
        _ => bytes = bits.to_le_bytes(),
    }
    bytes
}
