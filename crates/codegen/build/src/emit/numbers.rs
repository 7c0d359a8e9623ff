//! Open enums: numbers with names. A peer with a newer schema may send further numbers.

use super::Text;
use crate::model::names;

/// Writes the type, its constants (name, value, comment), `name` and `Debug`.
pub(crate) fn emit(text: &mut Text, name: &str, comment: &str, rust: &str, variants: &[(&str, i128, &str)]) {
    text.line("");
    text.doc(comment);
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
                        text.line(format!("Self::{constant} => ::std::option::Option::Some(\"{variant}\"),"));
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
}
