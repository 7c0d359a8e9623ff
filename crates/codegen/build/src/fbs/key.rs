//! The `key` of tables and structs, by which vectors of them are sorted.

use super::Emit;
use crate::{emit::Text, model::names};
use polywire_fbs::Type;

impl Emit<'_> {
    /// Implements `Keyed` for a table, whose key `get` is a function, or a struct, whose key is a field.
    pub(super) fn keyed(&self, text: &mut Text, name: &str, field: &str, kind: &Type, get: &str) {
        let flatbuffers = self.flatbuffers();
        let key = if *kind == Type::String { "&'k str".to_owned() } else { self.read_type(kind) };
        let value = format!("self.{}{get}", names::field(field));
        let number = if matches!(kind, Type::Enum(_)) { ".0" } else { "" };
        text.block(format!("impl {flatbuffers}::Keyed for {name}"), |text| {
            text.line(format!("type Key<'k> = {key};"));
            text.line("#[inline]");
            text.block("fn key(&self) -> Self::Key<'_>", |text| text.line(&value));
            text.line("#[inline]");
            text.block("fn compare_key(&self, key: Self::Key<'_>) -> ::std::cmp::Ordering", |text| {
                text.line(format!("{flatbuffers}::Key::order({value}{number}, key{number})"));
            });
        });
    }
}
