//! Converts mcpack to protobuf in one pass: members are written to the wire as they are read.
//!
//! A member's field is most often the one after the previous member's; otherwise the name is looked up.

use super::{
    columns::Columns,
    deeper,
    field::{ARRAY, Field, Fields, ISOARRAY, OBJECT, OBJECT_ISOARRAY},
    scalar::{Number, isoarray},
    write::is_number,
};
use crate::{
    FormatError,
    protobuf::wire::{Open, put_bits, put_varint},
    schema::{self, Cardinality, Kind, MessageSchema},
};

/// `checks_text`: whether text that must be UTF-8 and is not is an error here, for a reader who would refuse
/// the message.
pub(super) fn message(
    schema: MessageSchema<'_>,
    body: &[u8],
    max_bytes: usize,
    checks_text: bool,
) -> Result<Vec<u8>, FormatError> {
    let mut reader = Reader { out: Vec::with_capacity(body.len().min(64 << 10)), max_bytes, checks_text };
    reader.members(schema, Fields::of(body)?, 0)?;
    reader.room(0)?;
    Ok(reader.out)
}

struct Reader {
    out: Vec<u8>,
    /// Limit of the result, since numbers may take more bytes in protobuf than here.
    max_bytes: usize,
    /// Whether text that must be UTF-8 is checked here.
    checks_text: bool,
}

impl Reader {
    fn members(
        &mut self,
        schema: MessageSchema<'_>,
        mut fields: Fields<'_>,
        depth: u32,
    ) -> Result<(), FormatError> {
        let mut expected = 0;
        while let Some(member) = fields.next()? {
            let Some(index) = find(schema, member.name, expected) else { continue };
            expected = index + 1;
            self.member(schema, schema.field(index), member, depth)?;
        }
        Ok(())
    }

    #[inline]
    fn member(
        &mut self,
        schema: MessageSchema<'_>,
        field: &schema::Field,
        member: Field<'_>,
        depth: u32,
    ) -> Result<(), FormatError> {
        self.room(0)?;
        if field.cardinality == Cardinality::Repeated {
            return self.repeated(schema, field, member, depth);
        }
        if member.stands_for_none()? {
            return Ok(());
        }
        self.one(schema, field, member, depth)
    }

    /// Reads one value of a field, with its tag.
    #[inline]
    fn one(
        &mut self,
        schema: MessageSchema<'_>,
        field: &schema::Field,
        value: Field<'_>,
        depth: u32,
    ) -> Result<(), FormatError> {
        match field.kind {
            Kind::Message(_) | Kind::Group(_) => {
                if value.code != OBJECT {
                    return Err(misfit(field, "not an object"));
                }
                let fields = Fields::of(value.value)?;
                let depth = deeper(depth)?;
                let child = schema.child(field).expect("the kind says so");
                self.nested(field, value.value.len(), |reader| reader.members(child, fields, depth))
            }
            Kind::String | Kind::Bytes => {
                let bytes = value.bytes().ok_or_else(|| misfit(field, "neither string nor binary"))?;
                self.text(field, bytes)
            }
            kind => {
                let bits = Number::of(value.code, value.value).and_then(|number| number.checked(kind));
                let bits = bits.ok_or_else(|| misfit(field, "not a number of its range"))?;
                self.put_tag(field);
                put_bits(&mut self.out, kind, bits);
                Ok(())
            }
        }
    }

    fn text(&mut self, field: &schema::Field, bytes: &[u8]) -> Result<(), FormatError> {
        if self.checks_text && field.utf8 && field.kind == Kind::String && std::str::from_utf8(bytes).is_err()
        {
            return Err(misfit(field, "not UTF-8"));
        }
        self.out.extend_from_slice(&field.tag);
        put_varint(&mut self.out, bytes.len() as u64);
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes the tag of one number: for packed fields, `Field::tag` is that of a packed run.
    #[inline]
    fn put_tag(&mut self, field: &schema::Field) {
        if field.packed {
            put_varint(&mut self.out, u64::from(field.number) << 3 | field.kind.wire_type());
        } else {
            self.out.extend_from_slice(&field.tag);
        }
    }

    /// Adds a message whose contents `fill` writes, made from this many bytes.
    fn nested(
        &mut self,
        field: &schema::Field,
        most: usize,
        fill: impl FnOnce(&mut Self) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        self.out.extend_from_slice(&field.tag);
        if let Kind::Group(_) = field.kind {
            fill(self)?;
            put_varint(&mut self.out, u64::from(field.number) << 3 | 4);
            return Ok(());
        }
        let open = Open::begin(&mut self.out, most);
        fill(self)?;
        open.end(&mut self.out);
        Ok(())
    }

    fn repeated(
        &mut self,
        schema: MessageSchema<'_>,
        field: &schema::Field,
        member: Field<'_>,
        depth: u32,
    ) -> Result<(), FormatError> {
        let message = matches!(field.kind, Kind::Message(_) | Kind::Group(_));
        match member.code {
            OBJECT if field.idl.map => self.entries(schema, field, member, depth),
            ISOARRAY if is_number(field.kind) => self.numbers(field, member),
            OBJECT_ISOARRAY if message => self.columns(schema, field, member, depth),
            ARRAY => {
                let mut items = Fields::of(member.value)?;
                while let Some(item) = items.next()? {
                    self.room(0)?;
                    self.one(schema, field, item, depth)?;
                }
                Ok(())
            }
            _ => Err(misfit(field, "not an array")),
        }
    }

    /// Reads packed numbers, without heads.
    fn numbers(&mut self, field: &schema::Field, array: Field<'_>) -> Result<(), FormatError> {
        let (code, size, items) = isoarray(array).ok_or_else(|| misfit(field, "a broken isoarray"))?;
        if items.is_empty() {
            return Ok(());
        }
        self.room(items.len())?;
        let run = field.packed.then(|| {
            self.out.extend_from_slice(&field.tag);
            Open::begin(&mut self.out, items.len())
        });
        for item in items.chunks_exact(size) {
            let number = Number::of(code, item).expect("`isoarray` has tried a number of this type");
            if !field.packed {
                self.out.extend_from_slice(&field.tag);
            }
            put_bits(&mut self.out, field.kind, number.cast(field.kind));
            self.room(0)?;
        }
        if let Some(run) = run {
            run.end(&mut self.out);
        }
        Ok(())
    }

    /// Reads an object whose members are the entries of a map.
    fn entries(
        &mut self,
        schema: MessageSchema<'_>,
        field: &schema::Field,
        object: Field<'_>,
        depth: u32,
    ) -> Result<(), FormatError> {
        let depth = deeper(depth)?;
        let entry = schema.child(field).expect("maps have entries");
        let (key, value) = (entry.field(0), entry.field(1));
        let mut members = Fields::of(object.value)?;
        while let Some(member) = members.next()? {
            self.room(0)?;
            self.nested(field, member.name.len() + member.value.len(), |reader| {
                reader.text(key, member.name)?;
                reader.one(entry, value, member, depth)
            })?;
        }
        Ok(())
    }

    /// Reads messages that are stored by columns.
    fn columns(
        &mut self,
        schema: MessageSchema<'_>,
        field: &schema::Field,
        object: Field<'_>,
        depth: u32,
    ) -> Result<(), FormatError> {
        let depth = deeper(depth)?;
        let child = schema.child(field).expect("the kind says so");
        let mut columns = Columns::of(object, |name| child.def().members.get(name))?;
        while columns.has_row() {
            self.room(0)?;
            self.nested(field, object.value.len(), |reader| {
                columns.row(|at, item| reader.member(child, child.field(at), item, depth))
            })?;
        }
        Ok(())
    }

    #[inline]
    fn room(&self, more: usize) -> Result<(), FormatError> {
        match self.out.len().checked_add(more) {
            Some(bytes) if bytes <= self.max_bytes => Ok(()),
            _ => Err(FormatError::TooLarge { limit: self.max_bytes }),
        }
    }
}

#[inline]
fn find(schema: MessageSchema<'_>, name: &[u8], expected: usize) -> Option<usize> {
    match schema.declared().get(expected) {
        Some(field) if field.member().as_bytes() == name => Some(expected),
        _ => schema.def().members.get(name),
    }
}

#[cold]
fn misfit(field: &schema::Field, what: &str) -> FormatError {
    FormatError::mcpack(format!("{}: {what}", field.member()))
}
