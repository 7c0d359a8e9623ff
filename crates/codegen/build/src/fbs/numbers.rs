//! Enums, and the types of unions: numbers with names. A peer with a newer schema may send further numbers.

use super::Emit;
use crate::{
    emit::{Text, numbers},
    model::names,
};
use polywire_fbs::{Enum, Item, Union};

impl Emit<'_> {
    pub(super) fn enumeration(&self, text: &mut Text, item: &Item, of: &Enum) {
        let variants: Vec<_> = of
            .variants
            .iter()
            .map(|(name, value, comment)| (name.as_str(), *value, comment.as_str()))
            .collect();
        self.numbers(text, item, of.of.rust, &variants);
    }

    pub(super) fn union_type(&self, text: &mut Text, item: &Item, union: &Union) {
        let none = ("NONE", 0, "Nothing.");
        let variants = union.variants.iter().map(|variant| (variant.name.as_str(), variant.number, ""));
        let variants: Vec<_> = std::iter::once(none).chain(variants).collect();
        self.numbers(text, item, union.of.rust, &variants);
    }

    fn numbers(&self, text: &mut Text, item: &Item, rust: &str, variants: &[(&str, i128, &str)]) {
        let name = names::type_name(&item.name);
        let flatbuffers = self.flatbuffers();
        numbers::emit(text, &name, &item.comment, rust, variants);
        text.block(format!("impl<'a> {flatbuffers}::Read<'a> for {name}"), |text| {
            text.line(format!("const SIZE: usize = ::std::mem::size_of::<{rust}>();"));
            text.line("#[inline]");
            text.block("fn read(buffer: &'a [u8], at: usize) -> Self", |text| {
                text.line(format!("Self({flatbuffers}::Read::read(buffer, at))"));
            });
        });
        text.block(format!("impl {flatbuffers}::Inline for {name}"), |text| {
            text.line(format!("const SIZE: usize = ::std::mem::size_of::<{rust}>();"));
            text.line(
                "const ALIGN: usize = <Self as {flatbuffers}::Inline>::SIZE;"
                    .replace("{flatbuffers}", &flatbuffers),
            );
            text.line("#[inline]");
            text.block("fn put(&self, place: &mut [u8])", |text| {
                text.line(format!("{flatbuffers}::Inline::put(&self.0, place)"));
            });
        });
    }
}
