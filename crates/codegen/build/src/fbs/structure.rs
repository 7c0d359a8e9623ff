//! Structs: plain values, which accessors copy out of the buffer.

use super::Emit;
use crate::{emit::Text, model::names};
use polywire_fbs::{Item, Struct, Type};

impl Emit<'_> {
    pub(super) fn structure(&self, text: &mut Text, item: &Item, structure: &Struct) {
        let name = names::type_name(&item.name);
        let flatbuffers = self.flatbuffers();
        let (size, align) = (structure.size, structure.align);
        text.line("");
        text.doc(&item.comment);
        text.line("#[derive(Clone, Copy, Debug, PartialEq)]");
        text.block(format!("pub struct {name}"), |text| {
            for member in &structure.fields {
                text.doc(&member.comment);
                text.line(format!("pub {}: {},", names::field(&member.name), self.plain(&member.kind)));
            }
        });
        text.block(format!("impl<'a> {flatbuffers}::Read<'a> for {name}"), |text| {
            text.line(format!("const SIZE: usize = {size};"));
            text.block("fn read(buffer: &'a [u8], at: usize) -> Self", |text| {
                text.block("Self", |text| {
                    for member in &structure.fields {
                        let (field, at) = (names::field(&member.name), member.at);
                        let read = format!("{flatbuffers}::Read::read(buffer, at.saturating_add({at}))");
                        text.line(format!("{field}: {read},"));
                    }
                });
            });
        });
        text.block(format!("impl {flatbuffers}::Inline for {name}"), |text| {
            text.line(format!("const SIZE: usize = {size};"));
            text.line(format!("const ALIGN: usize = {align};"));
            text.line("#[inline]");
            text.block("fn put(&self, place: &mut [u8])", |text| {
                for member in &structure.fields {
                    let (field, at) = (names::field(&member.name), member.at);
                    let end = at + member.size;
                    text.line(format!("{flatbuffers}::Inline::put(&self.{field}, &mut place[{at}..{end}]);"));
                }
            });
        });
        if let Some(key) = structure.key() {
            self.keyed(text, &name, &key.name, &key.kind, "");
        }
        text.block(format!("impl {flatbuffers}::Verifiable for {name}"), |text| {
            self.run_verifier(text, |text| {
                text.line(format!("verifier.range(at, {size}, {align})"));
            });
        });
    }

    /// The type of a struct's member.
    fn plain(&self, kind: &Type) -> String {
        match kind {
            Type::Scalar(scalar) => scalar.rust.to_owned(),
            Type::Enum(place) | Type::Struct(place) => self.path(*place),
            Type::Array(of, length) => format!("[{}; {length}]", self.plain(of)),
            Type::String | Type::Table(_) | Type::Union(_) | Type::Vector(_) => {
                unreachable!("the resolver allows only what lies inside")
            }
        }
    }
}
