//! Converts JSON to a message, written from its beginning to its end.
//!
//! ```text
//!   +---------+------------+--------+---------+-------+---------------------------------------
//!   | root    | identifier | vtable | padding | table | what it refers to, each in the same way
//!   +---------+------------+--------+---------+-------+---------------------------------------
//! ```
//!
//! A table is read twice: once to find its members, since their positions must be known before the values
//! they refer to can be written, and once for their values.

use super::{
    super::limits::{MAX_BYTES, MAX_DEPTH},
    sort,
    union::{needs_type, tag_bytes},
};
use crate::{FormatError, json::lexer::Lexer};
use polywire_fbs::{Field, Hash, Place, Schema, Type, Union, Value, Variant};
use std::cmp::Reverse;

pub(super) fn message(schema: &Schema, table: Place, text: &[u8]) -> Result<Vec<u8>, FormatError> {
    let identifier = schema.table(table).identifier.as_deref().unwrap_or_default();
    let mut reader = Reader { schema, lexer: Lexer::new(text)?, message: vec![0; OFFSET] };
    reader.message.extend_from_slice(identifier.as_bytes());
    let at = reader.table(table, 0)?;
    reader.lexer.end()?;
    reader.refer(0, at)?;
    Ok(reader.message)
}

pub(super) const OFFSET: usize = size_of::<u32>();
/// Position of the first field in a vtable, after two sizes.
const FIRST: usize = 4;
const ENTRY: usize = size_of::<u16>();

pub(super) struct Reader<'s, 't> {
    pub schema: &'s Schema,
    pub lexer: Lexer<'t>,
    pub message: Vec<u8>,
}

/// Positions in the text of the values of a field.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    pub value: Option<usize>,
    /// For a union: the name of its variant; for a vector of unions: the names of all.
    pub tag: Option<usize>,
}

/// One part of a table.
struct Part<'s> {
    slot: u16,
    align: usize,
    bytes: Vec<u8>,
    /// If the bytes are an offset: its target, and the target's position in the text.
    refers: Option<(Refers<'s>, usize)>,
    /// The part's position in the message, once it has one.
    at: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Refers<'s> {
    Text,
    Table(Place),
    /// A struct in a union.
    Struct(Place),
    /// The types of a vector of unions.
    Tags(&'s Union),
    /// The values of a vector of unions, whose types are at this position of the text.
    Unions(&'s Union, usize),
    /// A vector whose first value is at a multiple of the number, and of the alignment of its type. Texts may
    /// stand for their hashes.
    Vector(&'s Type, usize, Option<Hash>),
    /// Bytes that are themselves a message.
    Nested(Place),
}

impl<'s> Refers<'s> {
    /// The kind of a value that an offset refers to; `None` if the value is stored in place.
    fn of(kind: &'s Type) -> Option<Self> {
        match kind {
            Type::String => Some(Refers::Text),
            Type::Table(table) => Some(Refers::Table(*table)),
            Type::Vector(of) => Some(Refers::Vector(of, 1, None)),
            _ => None,
        }
    }

    /// The value of a union.
    pub fn variant(variant: &'s Variant) -> Self {
        match variant.kind {
            Type::Table(table) => Refers::Table(table),
            Type::Struct(structure) => Refers::Struct(structure),
            _ => Refers::Text,
        }
    }
}

impl<'s> Reader<'s, '_> {
    /// Converts the object at the current position to a table. Returns its position.
    fn table(&mut self, id: Place, depth: u32) -> Result<usize, FormatError> {
        if depth >= MAX_DEPTH {
            return Err(self.lexer.error(format!("tables nested more than {MAX_DEPTH} deep")));
        }
        let found = self.members(id)?;
        let end = self.lexer.position();
        let mut parts = Vec::new();
        for (field, found) in self.schema.table(id).fields.iter().zip(found) {
            if field.required && !field.deprecated && found.value.is_none() {
                let name = format!("{}.{}", self.schema.items[id].full_name(), field.name);
                return Err(FormatError::MissingRequired(name.into()));
            }
            self.parts(field, found, &mut parts)?;
        }
        let at = self.lay_out(&mut parts)?;
        for part in parts {
            let Some((refers, text)) = part.refers else { continue };
            self.go_to(text);
            let child = self.referred(refers, depth + 1)?;
            self.refer(part.at, child)?;
        }
        self.go_to(end);
        Ok(at)
    }

    pub(super) fn go_to(&mut self, at: usize) {
        self.lexer = self.lexer.again(at);
    }

    /// Finds the members of an object, for each field in order, and leaves the lexer after the object.
    fn members(&mut self, id: Place) -> Result<Vec<Found>, FormatError> {
        let fields = &self.schema.table(id).fields;
        let mut found = vec![Found::default(); fields.len()];
        self.lexer.expect(b'{', "an object")?;
        if self.lexer.take(b'}') {
            return Ok(found);
        }
        loop {
            let (at, name) = self.name()?;
            let is_tag = |field: &Field| {
                field.kind.union().is_some() && name.strip_suffix("_type") == Some(&field.name)
            };
            let known = |field: &&Field| !field.deprecated && (field.name == name || is_tag(field));
            let Some(index) = fields.iter().position(|field| known(&field)) else {
                return Err(wrong(
                    at,
                    format!("{} has no field {name:?}", self.schema.items[id].full_name()),
                ));
            };
            let place = match fields[index].name == name {
                true => &mut found[index].value,
                false => &mut found[index].tag,
            };
            if !self.lexer.literal("null") {
                if place.is_some() {
                    return Err(wrong(at, format!("{name:?} is there twice")));
                }
                self.lexer.peek();
                *place = Some(self.lexer.position());
                self.lexer.skip(0)?;
            }
            if !self.lexer.another(b'}')? {
                return Ok(found);
            }
        }
    }

    /// The name of a member, and its position.
    pub(super) fn name(&mut self) -> Result<(usize, String), FormatError> {
        self.lexer.peek();
        let at = self.lexer.position();
        let name = self.lexer.name()?.text(&mut Vec::new()).map(str::to_owned);
        Ok((at, name.map_err(|what| wrong(at, what))?))
    }

    /// Adds the parts that a field adds to its table: none, one, or two for a union.
    fn parts(
        &mut self,
        field: &'s Field,
        found: Found,
        parts: &mut Vec<Part<'s>>,
    ) -> Result<(), FormatError> {
        let slot = field.slot;
        let refers = match (&field.kind, field.kind.union()) {
            (Type::Union(_), Some(union)) => {
                let union = self.schema.union(union);
                let Some(variant) = self.variant(field, union, found)? else { return Ok(()) };
                let (align, bytes) = (union.of.size, tag_bytes(union, variant.number));
                parts.push(Part { slot: slot - 2, align, bytes, refers: None, at: 0 });
                Some(Refers::variant(variant))
            }
            (_, Some(union)) => {
                let union = self.schema.union(union);
                let tags = match (found.tag, found.value) {
                    (Some(tags), Some(_)) => tags,
                    (None, None) => return Ok(()),
                    (Some(tags), None) => return Err(wrong(tags, format!("without {:?}", field.name))),
                    (None, Some(at)) => return Err(wrong(at, needs_type(field))),
                };
                let refers = Some((Refers::Tags(union), tags));
                parts.push(Part { slot: slot - 2, align: OFFSET, bytes: vec![0; OFFSET], refers, at: 0 });
                Some(Refers::Unions(union, tags))
            }
            (Type::Vector(of), None) => Some(Refers::Vector(of, field.align.unwrap_or(1), field.hash)),
            (kind, None) => Refers::of(kind),
        };
        let Some(text) = found.value else { return Ok(()) };
        self.go_to(text);
        let refers = match (self.lexer.peek(), field.nested) {
            (Some(b'{'), Some(table)) => Some(Refers::Nested(table)),
            _ => refers,
        };
        let (size, align) = self.schema.layout(&field.kind);
        let mut part = Part { slot, align, bytes: vec![0; size], refers: None, at: 0 };
        match refers {
            Some(refers) => part.refers = Some((refers, text)),
            None => {
                self.go_to(text);
                self.hashed(&field.kind, field.hash, &mut part.bytes)?;
                if self.is_default(field, &part.bytes) {
                    return Ok(());
                }
            }
        }
        parts.push(part);
        Ok(())
    }

    fn is_default(&self, field: &Field, bytes: &[u8]) -> bool {
        match (&field.kind, &field.default) {
            (Type::Scalar(_) | Type::Enum(_), Value::Null) => false,
            (Type::Scalar(_) | Type::Enum(_), default) => {
                let mut usual = vec![0; bytes.len()];
                super::number::put(self.schema.scalar(&field.kind), default, &mut usual);
                usual == bytes
            }
            _ => false,
        }
    }

    pub fn text(&mut self) -> Result<String, FormatError> {
        let quoted = self.lexer.string()?;
        let text = quoted.text(&mut Vec::new()).map(str::to_owned);
        text.map_err(|what| self.lexer.error(what))
    }

    /// Writes vtable and table, the largest parts first. Returns the table's position.
    fn lay_out(&mut self, parts: &mut [Part<'_>]) -> Result<usize, FormatError> {
        parts.sort_by_key(|part| Reverse(part.align));
        let align = parts.iter().map(|part| part.align).fold(OFFSET, usize::max);
        let vtable_bytes = parts.iter().map(|part| usize::from(part.slot) + ENTRY).fold(FIRST, usize::max);
        self.pad(0, ENTRY);
        let vtable = self.message.len();
        self.message.resize(vtable + vtable_bytes, 0);
        self.pad(0, align);
        let at = self.message.len();
        self.message.extend_from_slice(&((at - vtable) as u32).to_le_bytes());
        for part in parts {
            self.pad(0, part.align);
            part.at = self.message.len();
            self.message.extend_from_slice(&part.bytes);
            self.entry(vtable + usize::from(part.slot), part.at - at)?;
        }
        self.entry(vtable, vtable_bytes)?;
        self.entry(vtable + ENTRY, self.message.len() - at)?;
        Ok(at)
    }

    /// Writes a size or a position into a vtable.
    fn entry(&mut self, at: usize, value: usize) -> Result<(), FormatError> {
        const LIMIT: usize = u16::MAX as usize;
        let value = u16::try_from(value).map_err(|_| FormatError::TooLarge { limit: LIMIT })?;
        self.message[at..at + ENTRY].copy_from_slice(&value.to_le_bytes());
        Ok(())
    }

    /// Adds zeros until the position `more` bytes later is aligned.
    fn pad(&mut self, more: usize, align: usize) {
        let end = (self.message.len() + more).next_multiple_of(align);
        self.message.resize(end - more, 0);
    }

    /// Writes the offset at `at` that leads to `to`, a later position.
    fn refer(&mut self, at: usize, to: usize) -> Result<(), FormatError> {
        if self.message.len() > MAX_BYTES {
            return Err(FormatError::TooLarge { limit: MAX_BYTES });
        }
        self.message[at..at + OFFSET].copy_from_slice(&((to - at) as u32).to_le_bytes());
        Ok(())
    }

    /// Writes the value that an offset refers to. Returns its position.
    fn referred(&mut self, refers: Refers<'s>, depth: u32) -> Result<usize, FormatError> {
        match refers {
            Refers::Table(table) => self.table(table, depth),
            Refers::Text => self.string(),
            Refers::Struct(id) => self.apart(id),
            Refers::Tags(union) => self.tags(union),
            Refers::Unions(union, tags) => self.unions(union, tags, depth),
            Refers::Nested(table) => self.nested(table, depth),
            Refers::Vector(of, align, hash) => match Refers::of(of) {
                Some(refers) => self.offsets(of, refers, align, depth),
                None => self.values(of, align, hash),
            },
        }
    }

    fn string(&mut self) -> Result<usize, FormatError> {
        let quoted = self.lexer.string()?;
        let at = self.begin_items(1);
        quoted.append_to(&mut self.message).map_err(|what| self.lexer.error(what))?;
        let length = self.message.len() - at - OFFSET;
        self.message.push(0);
        self.end_items(at, length)
    }

    /// A message inside a vector of bytes, which begins where the message's values are aligned.
    fn nested(&mut self, table: Place, depth: u32) -> Result<usize, FormatError> {
        let lexer = self.lexer.again(self.lexer.position());
        let mut inner = Reader { schema: self.schema, lexer, message: vec![0; OFFSET] };
        let root = inner.table(table, depth)?;
        inner.refer(0, root)?;
        let at = self.begin_items(self.schema.largest_align());
        self.message.extend_from_slice(&inner.message);
        self.end_items(at, inner.message.len())
    }

    /// Begins an item with its length in front. Returns the position of the length.
    pub(super) fn begin_items(&mut self, align: usize) -> usize {
        self.pad(OFFSET, align.max(OFFSET));
        let at = self.message.len();
        self.message.resize(at + OFFSET, 0);
        at
    }

    pub(super) fn end_items(&mut self, at: usize, length: usize) -> Result<usize, FormatError> {
        let length = u32::try_from(length).map_err(|_| FormatError::TooLarge { limit: MAX_BYTES })?;
        self.message[at..at + OFFSET].copy_from_slice(&length.to_le_bytes());
        Ok(at)
    }

    /// A vector of values.
    fn values(&mut self, of: &Type, align: usize, hash: Option<Hash>) -> Result<usize, FormatError> {
        let (size, own) = self.schema.layout(of);
        let at = self.begin_items(align.max(own));
        let mut value = vec![0; size];
        let mut length = 0;
        self.items(|reader| {
            value.fill(0);
            reader.hashed(of, hash, &mut value)?;
            reader.message.extend_from_slice(&value);
            length += 1;
            Ok(())
        })?;
        sort::structs(self.schema, of, &mut self.message[at + OFFSET..]);
        self.end_items(at, length)
    }

    /// A vector of offsets, and the values they refer to.
    fn offsets(
        &mut self,
        of: &'s Type,
        refers: Refers<'s>,
        align: usize,
        depth: u32,
    ) -> Result<usize, FormatError> {
        let mut items = Vec::new();
        self.items(|reader| {
            reader.lexer.peek();
            items.push(Some((refers, reader.lexer.position())));
            reader.lexer.skip(0)
        })?;
        self.refer_to_all(items, Some(of), align, depth)
    }

    /// Writes a vector of offsets and their targets, each with its position in the text. Tables with a key
    /// are sorted.
    pub(super) fn refer_to_all(
        &mut self,
        items: Vec<Option<(Refers<'s>, usize)>>,
        of: Option<&Type>,
        align: usize,
        depth: u32,
    ) -> Result<usize, FormatError> {
        let end = self.lexer.position();
        let at = self.begin_items(align);
        self.message.resize(at + OFFSET + items.len() * OFFSET, 0);
        self.end_items(at, items.len())?;
        let mut positions = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let place = at + OFFSET + index * OFFSET;
            positions.push(match item {
                Some((refers, text)) => {
                    self.go_to(text);
                    self.referred(refers, depth)?
                }
                None => place,
            });
        }
        if let Some(of) = of {
            sort::tables(self.schema, of, &self.message, &mut positions);
        }
        for (index, position) in positions.into_iter().enumerate() {
            self.refer(at + OFFSET + index * OFFSET, position)?;
        }
        self.go_to(end);
        Ok(at)
    }

    /// A struct that is stored apart from the reference to it.
    fn apart(&mut self, id: Place) -> Result<usize, FormatError> {
        let structure = self.schema.structure(id);
        let mut value = vec![0; structure.size];
        self.structure(id, &mut value)?;
        self.pad(0, structure.align);
        let at = self.message.len();
        self.message.extend_from_slice(&value);
        Ok(at)
    }

    /// Reads the items of an array, one by one.
    pub(super) fn items(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        self.lexer.expect(b'[', "an array")?;
        if self.lexer.take(b']') {
            return Ok(());
        }
        loop {
            one(self)?;
            if !self.lexer.another(b']')? {
                return Ok(());
            }
        }
    }
}

pub(super) fn wrong(at: usize, what: impl Into<Box<str>>) -> FormatError {
    FormatError::Json { at, what: what.into() }
}
