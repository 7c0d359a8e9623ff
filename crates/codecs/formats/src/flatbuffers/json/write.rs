//! Converts a verified message to JSON.

use super::{
    super::{Read, Table, Vector, read::follow},
    NONE, number,
};
use crate::{FormatError, json::put_string};
use polywire_fbs::{Field, Place, Schema, Type, Union, Variant};

pub(super) fn message(
    schema: &Schema,
    id: Place,
    message: &[u8],
    max_bytes: usize,
) -> Result<Vec<u8>, FormatError> {
    let out = Vec::with_capacity(message.len().min(max_bytes));
    let mut writer = Writer { schema, buffer: message, out, max_bytes };
    writer.table(id, Table::root(message))?;
    Ok(writer.out)
}

struct Writer<'s, 'b> {
    schema: &'s Schema,
    buffer: &'b [u8],
    out: Vec<u8>,
    max_bytes: usize,
}

impl Writer<'_, '_> {
    fn table(&mut self, id: Place, table: Table<'_>) -> Result<(), FormatError> {
        self.out.push(b'{');
        for field in self.schema.table(id).fields.iter().filter(|field| !field.deprecated) {
            let Some(at) = table.position(field.slot) else {
                if field.key && matches!(field.kind, Type::Scalar(_) | Type::Enum(_)) {
                    self.usual(field)?;
                }
                continue;
            };
            match (&field.kind, field.kind.union()) {
                (Type::Union(_), Some(of)) => {
                    let Some(kind) = table.position(field.slot - 2) else { continue };
                    self.union(self.schema.union(of), &field.name, kind, at)?;
                }
                (_, Some(of)) => {
                    let Some(types) = table.position(field.slot - 2) else { continue };
                    self.unions(self.schema.union(of), &field.name, types, at)?;
                }
                (kind, None) => {
                    self.name(&field.name);
                    match field.nested {
                        Some(root) => self.nested(root, at)?,
                        None => self.value(kind, at)?,
                    }
                }
            }
        }
        self.out.push(b'}');
        Ok(())
    }

    /// Writes the default of a field that is absent.
    fn usual(&mut self, field: &Field) -> Result<(), FormatError> {
        let scalar = self.schema.scalar(&field.kind);
        let mut bytes = vec![0; scalar.size];
        number::put(scalar, &field.default, &mut bytes);
        self.name(&field.name);
        let Writer { schema, max_bytes, .. } = *self;
        let mut inner = Writer { schema, buffer: &bytes, out: std::mem::take(&mut self.out), max_bytes };
        let written = inner.value(&field.kind, 0);
        self.out = inner.out;
        written
    }

    /// Writes a message inside a vector of bytes.
    fn nested(&mut self, root: Place, at: usize) -> Result<(), FormatError> {
        let message = Vector::<u8>::read(self.buffer, at).bytes();
        let Writer { schema, max_bytes, .. } = *self;
        let mut inner = Writer { schema, buffer: message, out: std::mem::take(&mut self.out), max_bytes };
        let written = inner.table(root, Table::root(message));
        self.out = inner.out;
        written
    }

    /// Writes the type of a union, and its value; for one of a newer schema, its number alone.
    fn union(&mut self, of: &Union, name: &str, kind: usize, at: usize) -> Result<(), FormatError> {
        let tag = number::integer(of.of, self.buffer, kind);
        if tag == 0 {
            return Ok(());
        }
        self.name(&format!("{name}_type"));
        self.tag(of, tag);
        if let Some(variant) = of.variants.iter().find(|variant| variant.number == tag) {
            self.name(name);
            self.variant(variant, at)?;
        }
        Ok(())
    }

    /// Writes the types and the values of a vector of unions; a value that is `NONE`, or from a newer schema,
    /// becomes null.
    fn unions(&mut self, of: &Union, name: &str, types: usize, values: usize) -> Result<(), FormatError> {
        let (types, values) = (follow(self.buffer, types), follow(self.buffer, values));
        let buffer = self.buffer;
        let length = u32::read(buffer, types) as usize;
        let first = |vector: usize| vector + size_of::<u32>();
        let tag = |index: usize| number::integer(of.of, buffer, first(types) + index * of.of.size);
        self.name(&format!("{name}_type"));
        self.out.push(b'[');
        for index in 0..length {
            self.within_limit()?;
            self.comma(b'[');
            self.tag(of, tag(index));
        }
        self.out.push(b']');
        self.name(name);
        self.out.push(b'[');
        for index in 0..length {
            self.within_limit()?;
            self.comma(b'[');
            let tag = tag(index);
            match of.variants.iter().find(|variant| variant.number == tag) {
                Some(variant) => self.variant(variant, first(values) + index * size_of::<u32>())?,
                None => self.out.extend_from_slice(b"null"),
            }
        }
        self.out.push(b']');
        Ok(())
    }

    /// Writes the name of a union's type, or its number.
    fn tag(&mut self, of: &Union, tag: i128) {
        match of.variants.iter().find(|variant| variant.number == tag) {
            Some(variant) => put_string(&mut self.out, &variant.name),
            None if tag == 0 => put_string(&mut self.out, NONE),
            None => self.out.extend_from_slice(tag.to_string().as_bytes()),
        }
    }

    /// Writes the value that the offset at `at` leads to.
    fn variant(&mut self, variant: &Variant, at: usize) -> Result<(), FormatError> {
        match variant.kind {
            Type::Struct(_) => self.value(&variant.kind, follow(self.buffer, at)),
            _ => self.value(&variant.kind, at),
        }
    }

    /// Begins a member of an object.
    fn name(&mut self, name: &str) {
        self.comma(b'{');
        put_string(&mut self.out, name);
        self.out.push(b':');
    }

    /// Writes a comma, unless the next item is the first in its brackets.
    fn comma(&mut self, bracket: u8) {
        if self.out.last() != Some(&bracket) {
            self.out.push(b',');
        }
    }

    fn within_limit(&self) -> Result<(), FormatError> {
        match self.out.len() <= self.max_bytes {
            true => Ok(()),
            false => Err(FormatError::TooLarge { limit: self.max_bytes }),
        }
    }

    /// Writes the value at `at`, or the one that the offset there refers to.
    fn value(&mut self, kind: &Type, at: usize) -> Result<(), FormatError> {
        self.within_limit()?;
        match kind {
            Type::String => put_string(&mut self.out, <&str>::read(self.buffer, at)),
            Type::Table(id) => self.table(*id, Table::read(self.buffer, at))?,
            Type::Struct(id) => self.structure(*id, at)?,
            Type::Array(of, length) => self.items(of, *length, at)?,
            Type::Vector(of) => {
                let at = follow(self.buffer, at);
                self.items(of, u32::read(self.buffer, at) as usize, at + size_of::<u32>())?;
            }
            Type::Enum(id) => match number::name(self.schema.enumeration(*id), self.buffer, at) {
                Some(name) => put_string(&mut self.out, &name),
                None => number::write(self.schema.scalar(kind), self.buffer, at, &mut self.out),
            },
            Type::Scalar(scalar) => number::write(*scalar, self.buffer, at, &mut self.out),
            Type::Union(_) => unreachable!("`table` has those"),
        }
        Ok(())
    }

    fn items(&mut self, of: &Type, length: usize, at: usize) -> Result<(), FormatError> {
        let (size, _) = self.schema.layout(of);
        self.out.push(b'[');
        for index in 0..length {
            self.comma(b'[');
            self.value(of, at + index * size)?;
        }
        self.out.push(b']');
        Ok(())
    }

    fn structure(&mut self, id: Place, at: usize) -> Result<(), FormatError> {
        self.out.push(b'{');
        for member in &self.schema.structure(id).fields {
            self.name(&member.name);
            self.value(&member.kind, at + member.at)?;
        }
        self.out.push(b'}');
        Ok(())
    }
}
