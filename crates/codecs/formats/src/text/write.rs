//! Converts protobuf to text format: one field per line, two spaces per level, in declaration order.

use super::group_name;
use crate::{
    FormatError,
    protobuf::{
        index::{Index, Slot, each_number},
        wire::{MAX_DEPTH, too_deep, unzigzag},
    },
    schema::{Cardinality, Field, Kind, MessageSchema},
};
use std::io::Write;

pub(super) fn message(schema: MessageSchema<'_>, wire: &[u8]) -> Result<Vec<u8>, FormatError> {
    let mut writer = Writer { out: Vec::with_capacity(wire.len() * 2), index: Index::new(wire), level: 0 };
    writer.fields(schema, wire)?;
    Ok(writer.out)
}

struct Writer {
    out: Vec<u8>,
    index: Index,
    level: usize,
}

impl Writer {
    fn fields(&mut self, schema: MessageSchema<'_>, wire: &[u8]) -> Result<(), FormatError> {
        let base = self.index.begin(schema, wire)?;
        for (index, field) in schema.fields().iter().enumerate() {
            let slot = self.index.slot(base, index);
            if slot.count > 0 {
                self.field(schema, field, slot, wire)?;
            } else if field.cardinality == Cardinality::Required {
                let name = format!("{}.{}", schema.full_name(), field.name);
                return Err(FormatError::MissingRequired(name.into()));
            }
        }
        self.index.end(base);
        Ok(())
    }

    fn field(
        &mut self,
        schema: MessageSchema<'_>,
        field: &Field,
        slot: Slot,
        wire: &[u8],
    ) -> Result<(), FormatError> {
        let repeated = field.cardinality == Cardinality::Repeated;
        match schema.child(field) {
            Some(child) if !repeated && slot.count > 1 => {
                let whole = self.index.merge(field, slot, wire)?;
                self.message(field, child, &whole)?;
                self.index.release(&whole);
                Ok(())
            }
            Some(child) => slot.each(schema, field, wire, |raw| self.message(field, child, raw.payload)),
            None if repeated && field.kind.wire_type() != 2 => slot.each(schema, field, wire, |raw| {
                each_number(schema, field.kind, raw, |bits| self.scalar(schema, field, bits, &[]))
            }),
            None if repeated => slot.each(schema, field, wire, |raw| {
                self.scalar(schema, field, 0, raw.payload);
                Ok(())
            }),
            None => {
                let raw = slot.last(wire)?;
                if field.cardinality != Cardinality::Implicit || raw.bits != 0 || !raw.payload.is_empty() {
                    self.scalar(schema, field, raw.bits, raw.payload);
                }
                Ok(())
            }
        }
    }

    fn name(&mut self, field: &Field, child: Option<MessageSchema<'_>>) {
        self.out.resize(self.out.len() + 2 * self.level, b' ');
        match (&field.extension, child) {
            (Some(full), _) => write!(self.out, "[{full}]").expect("writing to a Vec does not fail"),
            (None, Some(child)) if matches!(field.kind, Kind::Group(_)) => {
                self.out.extend_from_slice(group_name(field, child).as_bytes());
            }
            _ => self.out.extend_from_slice(field.name.as_bytes()),
        }
    }

    fn message(&mut self, field: &Field, child: MessageSchema<'_>, wire: &[u8]) -> Result<(), FormatError> {
        if self.level as u32 + 1 >= MAX_DEPTH {
            return Err(too_deep());
        }
        self.name(field, Some(child));
        self.out.extend_from_slice(b" {\n");
        self.level += 1;
        self.fields(child, wire)?;
        self.level -= 1;
        self.out.resize(self.out.len() + 2 * self.level, b' ');
        self.out.extend_from_slice(b"}\n");
        Ok(())
    }

    fn scalar(&mut self, schema: MessageSchema<'_>, field: &Field, bits: u64, payload: &[u8]) {
        self.name(field, None);
        self.out.extend_from_slice(b": ");
        let out = &mut self.out;
        let written = match field.kind {
            Kind::Bool => write!(out, "{}", bits != 0),
            Kind::Int32 | Kind::Sfixed32 => write!(out, "{}", bits as i32),
            Kind::Uint32 | Kind::Fixed32 => write!(out, "{}", bits as u32),
            Kind::Sint32 => write!(out, "{}", unzigzag(u64::from(bits as u32)) as i32),
            Kind::Int64 | Kind::Sfixed64 => write!(out, "{}", bits as i64),
            Kind::Uint64 | Kind::Fixed64 => write!(out, "{bits}"),
            Kind::Sint64 => write!(out, "{}", unzigzag(bits)),
            // Rust spells infinities and NaN as the format does, except for the case of NaN.
            Kind::Double if f64::from_bits(bits).is_nan() => write!(out, "nan"),
            Kind::Double => write!(out, "{:?}", f64::from_bits(bits)),
            Kind::Float if f32::from_bits(bits as u32).is_nan() => write!(out, "nan"),
            Kind::Float => write!(out, "{:?}", f32::from_bits(bits as u32)),
            Kind::Enum(index) => match schema.enumeration(index).name_of(bits as i32) {
                Some(name) => write!(out, "{name}"),
                None => write!(out, "{}", bits as i32),
            },
            Kind::String => {
                put_quoted(out, payload, true);
                Ok(())
            }
            Kind::Bytes | Kind::Message(_) | Kind::Group(_) => {
                put_quoted(out, payload, false);
                Ok(())
            }
        };
        written.expect("writing to a Vec does not fail");
        self.out.push(b'\n');
    }
}

/// Writes a string with C's escapes. Text stays readable; in bytes, everything outside ASCII is escaped.
fn put_quoted(out: &mut Vec<u8>, bytes: &[u8], text: bool) {
    let text = text && std::str::from_utf8(bytes).is_ok();
    out.push(b'"');
    for byte in bytes {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'"' | b'\'' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            0x20..=0x7e => out.push(*byte),
            0x80.. if text => out.push(*byte),
            _ => write!(out, "\\{byte:03o}").expect("writing to a Vec does not fail"),
        }
    }
    out.push(b'"');
}
