//! Unions.

use super::Emit;
use crate::{
    emit::Text,
    model::{self, names},
};
use polywire_thrift_idl::{Id, Struct};

impl Emit<'_> {
    pub fn union(&self, text: &mut Text, id: Id, name: &str, comment: &str, of: &Struct) {
        let thrift = self.thrift();
        text.line("");
        text.doc(comment);
        text.line(format!("#[derive({})]", self.derives(id)));
        text.block(format!("pub enum {name}"), |text| {
            for field in &of.fields {
                text.doc(&model::tidy(&field.comment));
                let kind = self.inner(Some(id), &field.kind, false);
                text.line(format!("{}({kind}),", names::type_name(&field.name)));
            }
        });
        let thrift_name = &self.schema.items[id].name;
        text.block(format!("impl {thrift}::Value for {name}"), |text| {
            text.line(format!("const TYPE: {thrift}::Type = {thrift}::Type::Struct;"));
            text.block(self.read_signature(), |text| {
                text.line(format!("let wrong = {thrift}::Error::union({thrift_name:?});"));
                let found = if of.fields.is_empty() { "found" } else { "mut found" };
                text.line(format!("let {found}: ::std::option::Option<Self> = ::std::option::Option::None;"));
                self.each_field(text, |text| {
                    for field in &of.fields {
                        let (id, wire) = (field.id, self.wire(&field.kind));
                        let variant = names::type_name(&field.name);
                        text.block(format!("({id}, {wire}) =>"), |text| {
                            text.line(format!("let value = Self::{variant}({thrift}::Value::read(from)?);"));
                            text.block("if found.replace(value).is_some()", |text| {
                                text.line("return ::std::result::Result::Err(wrong);");
                            });
                        });
                    }
                });
                text.line("found.ok_or(wrong)");
            });
            text.block(self.write_signature(), |text| {
                if of.fields.is_empty() {
                    text.line("let _ = to;");
                    text.line("match *self {}");
                    return;
                }
                text.line("let outer = to.begin_struct();");
                text.block("match self", |text| {
                    for field in &of.fields {
                        let (id, wire) = (field.id, self.wire(&field.kind));
                        text.block(format!("Self::{}(value) =>", names::type_name(&field.name)), |text| {
                            text.line(format!("to.field({id}, {wire});"));
                            text.line(format!("{thrift}::Value::write(value, to);"));
                        });
                    }
                });
                text.line("to.end_struct(outer);");
            });
        });
    }
}
