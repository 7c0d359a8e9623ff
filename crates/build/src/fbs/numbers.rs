//! Enums, and the types of unions: numbers with names. A peer with a newer schema may send further numbers.

use super::Emit;
use crate::{emit::Text, model::names};
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
        let variants =
            union.variants.iter().map(|(name, number, _)| (name.as_str(), i128::from(*number), ""));
        let variants: Vec<_> = std::iter::once(none).chain(variants).collect();
        self.numbers(text, item, "u8", &variants);
    }

    fn numbers(&self, text: &mut Text, item: &Item, rust: &str, variants: &[(&str, i128, &str)]) {
        let name = names::type_name(&item.name);
        let flatbuffers = self.flatbuffers();
        text.line("");
        text.doc(&item.comment);
        text.line("#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]");
        text.line(format!("pub struct {name}(pub {rust});"));
        text.line("#[allow(non_upper_case_globals)]");
        text.block(format!("impl {name}"), |text| {
            for (variant, value, comment) in variants {
                text.doc(comment);
                text.line(format!("pub const {}: Self = Self({value});", names::constant(variant)));
            }
            text.line("");
            text.doc("The name of this value, if it has one.");
            text.block("pub fn name(self) -> ::std::option::Option<&'static str>", |text| {
                text.block("match self", |text| {
                    let mut known = Vec::new();
                    for (variant, value, _) in variants {
                        if !known.contains(value) {
                            let constant = names::constant(variant);
                            text.line(format!(
                                "Self::{constant} => ::std::option::Option::Some(\"{variant}\"),"
                            ));
                            known.push(*value);
                        }
                    }
                    text.line("_ => ::std::option::Option::None,");
                });
            });
        });
        text.block(format!("impl ::std::fmt::Debug for {name}"), |text| {
            text.block("fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result", |text| {
                text.block("match self.name()", |text| {
                    text.line("::std::option::Option::Some(name) => f.write_str(name),");
                    text.line("::std::option::Option::None => ::std::fmt::Debug::fmt(&self.0, f),");
                });
            });
        });
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
