//! Structs and exceptions, and items written like them: the arguments of methods.

use super::{Emit, types::Holds};
use crate::{
    emit::Text,
    model::{self, names},
};
use polywire_thrift_idl::{Field, Id, Kind, Struct, StructKind, Type};

impl Emit<'_> {
    pub fn structure(&self, text: &mut Text, id: Id, name: &str, comment: &str, of: &Struct) {
        let has_default = self.facts.defaults.contains(&id);
        let is_derived = has_default && of.fields.iter().all(|field| field.default.is_none());
        text.line("");
        text.doc(comment);
        let derives = self.derives(id);
        text.line(format!("#[derive({derives}{})]", if is_derived { ", Default" } else { "" }));
        text.block(format!("pub struct {name}"), |text| {
            for field in &of.fields {
                text.doc(&model::tidy(&field.comment));
                let kind = self.inner(Some(id), &field.kind, false);
                let kind = match self.holds(Some(id), field) {
                    Holds::Optional => format!("::std::option::Option<{kind}>"),
                    _ => kind,
                };
                text.line(format!("pub {}: {kind},", names::variable(&field.name)));
            }
        });
        if has_default && !is_derived {
            text.block(format!("impl ::std::default::Default for {name}"), |text| {
                text.block("fn default() -> Self", |text| {
                    text.block("Self", |text| {
                        for field in &of.fields {
                            let value = self.initial(id, field);
                            text.line(format!("{}: {value},", names::variable(&field.name)));
                        }
                    });
                });
            });
        }
        self.fields(text, name, &self.schema.items[id].name, Some(id), &of.fields, false);
        if of.kind == StructKind::Exception {
            self.error(text, name);
        }
    }

    /// Implements `Error` for an exception. Its text shows all fields, since none is known to be a message.
    fn error(&self, text: &mut Text, name: &str) {
        text.block(format!("impl ::std::fmt::Display for {name}"), |text| {
            text.block("fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result", |text| {
                text.line("::std::fmt::Debug::fmt(self, f)");
            });
        });
        text.line(format!("impl ::std::error::Error for {name} {{}}"));
    }

    /// Writes the code that reads and writes a struct with these fields. `thrift_name` is its name in errors.
    pub fn fields(
        &self,
        text: &mut Text,
        name: &str,
        thrift_name: &str,
        owner: Option<Id>,
        fields: &[Field],
        below: bool,
    ) {
        let this = Emit { below, ..*self };
        let thrift = self.thrift();
        text.block(format!("impl {thrift}::Value for {name}"), |text| {
            text.line(format!("const TYPE: {thrift}::Type = {thrift}::Type::Struct;"));
            text.block(self.read_signature(), |text| {
                for field in fields {
                    text.line(this.local(owner, field));
                }
                self.each_field(text, |text| {
                    for field in fields {
                        let value = format!("{thrift}::Value::read(from)?");
                        let value = match self.is_direct(owner, field) {
                            true => value,
                            false => format!("::std::option::Option::Some({value})"),
                        };
                        let (id, wire) = (field.id, self.wire(&field.kind));
                        text.line(format!("({id}, {wire}) => {} = {value},", local_name(field)));
                    }
                });
                text.line("::std::result::Result::Ok(Self {");
                text.indented(|text| {
                    for field in fields {
                        let value = this.taken(owner, field, thrift_name);
                        text.line(format!("{}: {value},", names::variable(&field.name)));
                    }
                });
                text.line("})");
            });
            text.block(self.write_signature(), |text| {
                text.line("let outer = to.begin_struct();");
                for field in fields {
                    self.write_field(text, owner, field);
                }
                text.line("to.end_struct(outer);");
            });
        });
    }

    /// Writes the loop over the fields of a message; `arms` writes those for known fields.
    pub fn each_field(&self, text: &mut Text, arms: impl FnOnce(&mut Text)) {
        text.line("let outer = from.begin_struct()?;");
        text.block("while let ::std::option::Option::Some((id, kind)) = from.field()?", |text| {
            text.block("match (id, kind)", |text| {
                arms(text);
                text.line("(_, kind) => from.skip(kind)?,");
            });
        });
        text.line("from.end_struct(outer);");
    }

    fn write_field(&self, text: &mut Text, owner: Option<Id>, field: &Field) {
        let thrift = self.thrift();
        let (id, wire, name) = (field.id, self.wire(&field.kind), names::variable(&field.name));
        let head = format!("to.field({id}, {wire});");
        match self.holds(owner, field) {
            Holds::Optional => {
                text.block(format!("if let ::std::option::Option::Some(value) = &self.{name}"), |text| {
                    text.line(head);
                    text.line(format!("{thrift}::Value::write(value, to);"));
                });
            }
            _ => {
                text.line(head);
                text.line(format!("{thrift}::Value::write(&self.{name}, to);"));
            }
        }
    }

    /// Whether a field is stored as its value while it is read, not as an `Option`: where a default costs
    /// nothing.
    fn is_direct(&self, owner: Option<Id>, field: &Field) -> bool {
        self.holds(owner, field) == Holds::Plain
            && match self.schema.follow(&field.kind) {
                Type::String | Type::Binary | Type::List(_) | Type::Set(_) | Type::Map(..) => {
                    field.default.is_none()
                }
                Type::Struct(_) => false,
                Type::Enum(id) => matches!(self.schema.items[*id].what, Kind::Enum(_)),
                _ => true,
            }
    }

    /// The variable in which a field is kept while it is read.
    fn local(&self, owner: Option<Id>, field: &Field) -> String {
        let (name, kind) = (local_name(field), self.inner(owner, &field.kind, self.below));
        match self.is_direct(owner, field) {
            true => format!("let mut {name}: {kind} = {};", self.default(owner, field)),
            false => {
                format!("let mut {name}: ::std::option::Option<{kind}> = ::std::option::Option::None;")
            }
        }
    }

    /// The value of a field when all of the message is read.
    fn taken(&self, owner: Option<Id>, field: &Field, thrift_name: &str) -> String {
        let local = local_name(field);
        match (self.holds(owner, field), &field.default) {
            (Holds::Required, _) => {
                let thrift = self.thrift();
                format!("{local}.ok_or({thrift}::Error::missing({thrift_name:?}, {:?}))?", field.name)
            }
            (Holds::Optional, None) => local,
            (Holds::Optional, Some(_)) => {
                let value = self.default(owner, field);
                format!("{local}.or_else(|| ::std::option::Option::Some({value}))")
            }
            _ if self.is_direct(owner, field) => local,
            (_, Some(_)) => format!("{local}.unwrap_or_else(|| {})", self.default(owner, field)),
            (_, None) => format!("{local}.unwrap_or_default()"),
        }
    }
}

/// The variable of a field. No name that generated code uses itself begins like this.
fn local_name(field: &Field) -> String {
    let name = names::variable(&field.name);
    format!("of_{}", name.strip_prefix("r#").unwrap_or(&name))
}
