//! Values that are stored in place: numbers, structs, arrays, and hashes of texts.

use super::{
    number,
    read::{Reader, wrong},
};
use crate::FormatError;
use polywire_fbs::{Hash, Place, Type, Value};

impl Reader<'_, '_> {
    /// Like `inline`, or the hash of a text in place of a number.
    pub(super) fn hashed(
        &mut self,
        kind: &Type,
        hash: Option<Hash>,
        place: &mut [u8],
    ) -> Result<(), FormatError> {
        match hash {
            Some(hash) if place.len() > size_of::<u16>() && self.lexer.peek() == Some(b'"') => {
                let text = self.text()?;
                // As in C, the text ends at a zero.
                let text = text.split('\0').next().unwrap_or_default();
                let bytes = hash.of(text, place.len()).to_le_bytes();
                place.copy_from_slice(&bytes[..place.len()]);
                Ok(())
            }
            _ => self.inline(kind, place),
        }
    }

    /// Writes a value that is stored in place, into its space, which is zero.
    pub(super) fn inline(&mut self, kind: &Type, place: &mut [u8]) -> Result<(), FormatError> {
        match kind {
            Type::Struct(id) => self.structure(*id, place),
            Type::Array(of, length) => self.array(of, *length, place),
            kind => self.number(kind, place),
        }
    }

    /// Reads a number, or the name of one, into its space.
    pub(super) fn number(&mut self, kind: &Type, place: &mut [u8]) -> Result<(), FormatError> {
        let scalar = self.schema.scalar(kind);
        let first = self.lexer.peek();
        let at = self.lexer.position();
        if scalar.rust == "bool" {
            let value = self.lexer.literal("true");
            if !value && !self.lexer.literal("false") {
                return Err(wrong(at, "expected `true` or `false`"));
            }
            number::put(scalar, &Value::Bool(value), place);
            return Ok(());
        }
        let text = match first {
            Some(b'"') => self.text()?,
            _ => self.lexer.number()?.to_owned(),
        };
        let value = match kind {
            Type::Enum(id) => number::named(self.schema.enumeration(*id), &text),
            _ => None,
        };
        let value = value.or_else(|| scalar.parse(&text));
        let value = value.ok_or_else(|| wrong(at, format!("{text:?} is not a valid value of this field")))?;
        number::put(scalar, &value, place);
        Ok(())
    }

    pub(super) fn array(&mut self, of: &Type, length: usize, place: &mut [u8]) -> Result<(), FormatError> {
        self.lexer.peek();
        let (at, size) = (self.lexer.position(), self.schema.layout(of).0);
        let mut places = place.chunks_exact_mut(size);
        let other = || wrong(at, format!("not an array of {length}"));
        self.items(|reader| reader.inline(of, places.next().ok_or_else(other)?))?;
        if places.next().is_some() { Err(other()) } else { Ok(()) }
    }

    pub(super) fn structure(&mut self, id: Place, place: &mut [u8]) -> Result<(), FormatError> {
        let members = &self.schema.structure(id).fields;
        let mut missing: Vec<_> = members.iter().collect();
        self.lexer.expect(b'{', "an object")?;
        while !missing.is_empty() {
            let (at, name) = self.name()?;
            let Some(index) = missing.iter().position(|member| member.name == name) else {
                let what = format!(
                    "{} has no member {name:?}, or it is there twice",
                    self.schema.items[id].full_name()
                );
                return Err(wrong(at, what));
            };
            let member = missing.remove(index);
            self.inline(&member.kind, &mut place[member.at..member.at + member.size])?;
            if !self.lexer.another(b'}')? {
                let Some(member) = missing.first() else { return Ok(()) };
                let name = format!("{}.{}", self.schema.items[id].full_name(), member.name);
                return Err(FormatError::MissingRequired(name.into()));
            }
        }
        Err(self.lexer.error("a struct with more members than it has"))
    }
}
