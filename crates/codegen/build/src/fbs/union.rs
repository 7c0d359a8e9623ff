//! Unions, and vectors of unions: two fields, the first of which holds the variant of the second.

use super::{Emit, table::OPTION};
use crate::{emit::Text, model::names};
use polywire_fbs::{Field, Type, Value};

impl Emit<'_> {
    /// Writes the function for the type of a union, or the types of a vector, and those for every variant.
    pub(super) fn union_accessors(&self, text: &mut Text, field: &Field, place: usize) {
        let (name, of) = (names::field(&format!("{}_type", field.name)), self.path(place));
        let slot = field.slot;
        let vector = format!("{}::Vector", self.flatbuffers());
        let many = matches!(field.kind, Type::Vector(_));
        let get = format!("self.0.field({})", slot - 2);
        let (returns, get) = match (&field.kind, &field.default) {
            (Type::Vector(_), Value::Empty) => {
                (format!("{vector}<'a, {of}>"), format!("{get}.unwrap_or_default()"))
            }
            (Type::Vector(_), _) if field.required => {
                (format!("{vector}<'a, {of}>"), format!("self.0.required({})", slot - 2))
            }
            (Type::Vector(_), _) => (format!("{OPTION}<{vector}<'a, {of}>>"), get),
            _ => (of.clone(), format!("{get}.unwrap_or_default()")),
        };
        text.block(format!("pub fn {name}(&self) -> {returns}"), |text| text.line(get));
        for variant in &self.schema.union(place).variants {
            let function = names::field(&format!("{}_as_{}", field.name, variant.name));
            let (constant, kind) = (names::constant(&variant.name), self.variant_type(&variant.kind));
            let which = if many { "The value at `index`" } else { &format!("`{}`", field.name) };
            text.doc(&format!("{which}, if it is a `{}`.", variant.name));
            text.line("#[inline]");
            let index = if many { ", index: usize" } else { "" };
            let returns = format!("{OPTION}<{}>", self.read_type(&variant.kind));
            text.block(format!("pub fn {function}(&self{index}) -> {returns}"), |text| {
                let (found, get) = match many {
                    false => (format!("self.{name}()"), format!("self.0.field::<{kind}>({slot})")),
                    true => (
                        format!("self.0.field::<{vector}<'a, {of}>>({})?.get(index)?", slot - 2),
                        format!("self.0.field::<{vector}<'a, {kind}>>({slot})?.get(index)"),
                    ),
                };
                text.line(format!("if {found} != {of}::{constant} {{ return {OPTION}::None; }}"));
                let apart =
                    if matches!(variant.kind, Type::Struct(_)) { ".map(|apart| apart.0)" } else { "" };
                text.line(format!("{get}{apart}"));
            });
        }
    }

    /// The type as which a variant is read from its offset.
    fn variant_type(&self, kind: &Type) -> String {
        match kind {
            Type::Struct(place) => format!("{}::Apart<{}>", self.flatbuffers(), self.path(*place)),
            kind => self.read_type(kind),
        }
    }

    /// The type of the argument for the type of a union, or for the types of a vector.
    pub(super) fn tag_arg(&self, field: &Field, place: usize) -> String {
        let (flatbuffers, of) = (self.flatbuffers(), self.path(place));
        match field.kind {
            Type::Union(_) => of,
            _ => format!("{OPTION}<{flatbuffers}::Offset<{flatbuffers}::Items<{of}>>>"),
        }
    }

    /// The size in the table of the field that holds a union's variant; for a vector, the size of an offset.
    pub(super) fn tag_size(&self, field: &Field) -> Option<usize> {
        match field.kind {
            Type::Union(place) => Some(self.schema.union(place).of.size),
            _ => field.kind.union().map(|_| size_of::<u32>()),
        }
    }

    pub(super) fn push_tag(&self, text: &mut Text, field: &Field) {
        let (tag, slot) = (names::field(&format!("{}_type", field.name)), field.slot - 2);
        text.line(match field.kind {
            Type::Union(place) => {
                let rust = self.schema.union(place).of.rust;
                format!("table.push_slot({slot}, args.{tag}.0, 0{rust});")
            }
            _ => format!(
                "if let {OPTION}::Some(value) = args.{tag} {{ table.push_slot_always({slot}, value); }}"
            ),
        });
    }

    /// The step that verifies a union, or a vector of them.
    pub(super) fn visit_union(&self, field: &Field, place: usize) -> String {
        let (name, slot, required) = (&field.name, field.slot, field.required);
        let (flatbuffers, union) = (self.flatbuffers(), self.schema.union(place));
        let variants = union.variants.iter().map(|variant| {
            let verified = match &variant.kind {
                Type::Struct(place) => format!("{flatbuffers}::Apart<{}>", self.path(*place)),
                kind => self.verified(kind),
            };
            let (name, number) = (&variant.name, variant.number);
            format!("{number} => verifier.verify_union_variant::<{verified}>({name:?}, at), ")
        });
        let variants: String = variants.collect();
        let visit = if matches!(field.kind, Type::Union(_)) { "visit_union" } else { "visit_unions" };
        let rust = union.of.rust;
        format!(
            ".{visit}::<{rust}>({name:?}, {slot}, {required}, |kind, verifier, at| match kind {{ {variants}_ => ::std::result::Result::Ok(()) }})?"
        )
    }
}
