//! Unions, and vectors of them.

use super::{
    NONE, number,
    read::{Found, OFFSET, Reader, Refers, wrong},
};
use crate::FormatError;
use polywire_fbs::{Field, Union, Value, Variant};

impl<'s> Reader<'s, '_> {
    /// The variant of a union, if it has one.
    pub(super) fn variant(
        &mut self,
        field: &Field,
        union: &'s Union,
        found: Found,
    ) -> Result<Option<&'s Variant>, FormatError> {
        let Some(tag) = found.tag else {
            return found.value.map_or(Ok(None), |at| Err(wrong(at, needs_type(field))));
        };
        self.go_to(tag);
        match (self.variant_of(union)?, found.value) {
            (Some(_), None) => Err(wrong(tag, format!("without {:?}", field.name))),
            (None, Some(_)) => Err(wrong(tag, unknown(NONE, union))),
            (variant, _) => Ok(variant),
        }
    }

    /// The variant whose name or number comes next.
    pub(super) fn variant_of(&mut self, union: &'s Union) -> Result<Option<&'s Variant>, FormatError> {
        self.lexer.peek();
        let at = self.lexer.position();
        let name = self.variant_name()?;
        let known = |variant: &&Variant| variant.name == name || variant.number.to_string() == name;
        match union.variants.iter().find(known) {
            None if name != NONE && name != "0" => Err(wrong(at, unknown(&name, union))),
            variant => Ok(variant),
        }
    }

    /// The types of a vector of unions.
    pub(super) fn variants(&mut self, union: &'s Union) -> Result<Vec<Option<&'s Variant>>, FormatError> {
        let mut all = Vec::new();
        self.items(|reader| {
            all.push(reader.variant_of(union)?);
            Ok(())
        })?;
        Ok(all)
    }

    /// Writes the types of a vector of unions.
    pub(super) fn tags(&mut self, union: &'s Union) -> Result<usize, FormatError> {
        let variants = self.variants(union)?;
        let at = self.begin_items(union.of.size);
        for variant in &variants {
            let bytes = tag_bytes(union, variant.map_or(0, |variant| variant.number));
            self.message.extend_from_slice(&bytes);
        }
        self.end_items(at, variants.len())
    }

    /// Writes the values of a vector of unions; `NONE` is written as null.
    pub(super) fn unions(&mut self, union: &'s Union, tags: usize, depth: u32) -> Result<usize, FormatError> {
        let text = self.lexer.position();
        self.go_to(tags);
        let variants = self.variants(union)?;
        self.go_to(text);
        let mut refers = variants.iter().map(|variant| variant.map(Refers::variant));
        let other = || wrong(text, format!("not as many values as types: {}", variants.len()));
        let mut items = Vec::new();
        self.items(|reader| {
            reader.lexer.peek();
            match refers.next().ok_or_else(other)? {
                Some(refers) => {
                    items.push(Some((refers, reader.lexer.position())));
                    reader.lexer.skip(0)
                }
                None if reader.lexer.literal("null") => {
                    items.push(None);
                    Ok(())
                }
                None => Err(reader.lexer.error("expected `null`, as its type is NONE")),
            }
        })?;
        if refers.next().is_some() {
            return Err(other());
        }
        self.refer_to_all(items, None, OFFSET, depth)
    }

    /// The name of a union's variant, or its number.
    pub(super) fn variant_name(&mut self) -> Result<String, FormatError> {
        match self.lexer.peek() {
            Some(b'"') => self.text(),
            _ => self.lexer.number().map(str::to_owned),
        }
    }
}

/// The number of a variant, as the type of the union's numbers has it.
pub(super) fn tag_bytes(union: &Union, number: i128) -> Vec<u8> {
    let mut bytes = vec![0; union.of.size];
    number::put(union.of, &Value::Integer(number), &mut bytes);
    bytes
}

pub(super) fn needs_type(field: &Field) -> String {
    format!("{0:?} is a union and needs \"{0}_type\"", field.name)
}

fn unknown(name: &str, union: &Union) -> String {
    let names: Vec<_> = union.variants.iter().map(|variant| variant.name.as_str()).collect();
    format!("{name:?} is not one of {}", names.join(", "))
}
