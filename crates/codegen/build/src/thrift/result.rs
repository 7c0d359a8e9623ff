//! Generates the results and exceptions of methods.

use super::{Emit, methods::TypeNames};
use crate::{
    emit::Text,
    model::{self, names},
};
use polywire_thrift_idl::{Field, Method};

/// The name of a variant for an exception; the other variants are the generator's own.
fn variant(field: &Field) -> String {
    let name = names::type_name(&field.name);
    if ["Success", "Nothing", "Status"].contains(&name.as_str()) { name + "_" } else { name }
}

impl Emit<'_> {
    /// Writes the enums for the results of a method with `throws`, as they are encoded and as its caller sees
    /// them.
    pub fn thrown(&self, text: &mut Text, names: &TypeNames, method: &Method) {
        self.result(text, names, method);
        self.failures(text, names, method);
    }

    /// Writes the struct on the wire: one of its fields, or none.
    fn result(&self, text: &mut Text, names: &TypeNames, method: &Method) {
        let thrift = self.thrift();
        let success = method.returns.as_ref().map(|kind| ("Success".to_owned(), 0, kind));
        let thrown = method.throws.iter().map(|field| (variant(field), field.id, &field.kind));
        let variants: Vec<_> = success.into_iter().chain(thrown).collect();
        text.line("");
        text.doc(&format!("What `{}` answers with.", method.name));
        text.line("#[derive(Clone, Debug, PartialEq)]");
        text.block(format!("pub enum {}", names.result), |text| {
            for (name, _, kind) in &variants {
                text.line(format!("{name}({}),", self.kind(kind, false, true)));
            }
            text.doc("None of these: what a `void` method returns.");
            text.line("Nothing,");
        });
        text.block(format!("impl {thrift}::Value for {}", names.result), |text| {
            text.line(format!("const TYPE: {thrift}::Type = {thrift}::Type::Struct;"));
            text.block(self.read_signature(), |text| {
                text.line("let mut found = Self::Nothing;");
                self.each_field(text, |text| {
                    for (name, id, kind) in &variants {
                        let wire = self.wire(kind);
                        text.line(format!(
                            "({id}, {wire}) => found = Self::{name}({thrift}::Value::read(from)?),"
                        ));
                    }
                });
                text.line("::std::result::Result::Ok(found)");
            });
            text.block(self.write_signature(), |text| {
                text.line("let outer = to.begin_struct();");
                text.block("match self", |text| {
                    for (name, id, kind) in &variants {
                        text.block(format!("Self::{name}(value) =>"), |text| {
                            text.line(format!("to.field({id}, {});", self.wire(kind)));
                            text.line(format!("{thrift}::Value::write(value, to);"));
                        });
                    }
                    text.line("Self::Nothing => {}");
                });
                text.line("to.end_struct(outer);");
            });
        });
    }

    /// Writes the failure type of a method.
    fn failures(&self, text: &mut Text, names: &TypeNames, method: &Method) {
        let (runtime, error) = (&self.config.runtime, &names.error);
        text.line("");
        text.doc(&format!("Why `{}` failed: by what it declares, or by anything else.", method.name));
        text.line("#[derive(Clone, Debug)]");
        text.block(format!("pub enum {error}"), |text| {
            for field in &method.throws {
                text.doc(&model::tidy(&field.comment));
                text.line(format!("{}({}),", variant(field), self.kind(&field.kind, false, true)));
            }
            text.doc("No answer, or one that the service does not declare.");
            text.line(format!("Status({runtime}::Status),"));
        });
        // One conversion for each type, even if a method throws it under two names.
        let mut seen = Vec::new();
        let mut from = vec![("Status".to_owned(), format!("{runtime}::Status"))];
        for field in &method.throws {
            let kind = self.schema.follow(&field.kind);
            if !seen.contains(&kind) {
                seen.push(kind);
                from.push((variant(field), self.kind(kind, false, true)));
            }
        }
        for (name, kind) in from {
            text.block(format!("impl ::std::convert::From<{kind}> for {error}"), |text| {
                text.block(format!("fn from(of: {kind}) -> Self"), |text| {
                    text.line(format!("Self::{name}(of)"));
                });
            });
        }
        let variants: Vec<_> = method.throws.iter().map(variant).chain(["Status".to_owned()]).collect();
        let arms = |text: &mut Text, what: &str| {
            text.block("match self", |text| {
                for name in &variants {
                    text.line(format!("Self::{name}(of) => {what},"));
                }
            });
        };
        text.block(format!("impl ::std::fmt::Display for {error}"), |text| {
            text.block("fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result", |text| {
                arms(text, "::std::fmt::Display::fmt(of, f)");
            });
        });
        text.block(format!("impl ::std::error::Error for {error}"), |text| {
            text.block(
                "fn source(&self) -> ::std::option::Option<&(dyn ::std::error::Error + 'static)>",
                |text| arms(text, "::std::error::Error::source(of)"),
            );
        });
    }

    /// Writes the body of `into_result(outcome)`.
    pub fn result_of_outcome(&self, text: &mut Text, names: &TypeNames, method: &Method) {
        let thrift = self.thrift();
        let (ok, err) = ("::std::result::Result::Ok", "::std::result::Result::Err");
        if method.throws.is_empty() {
            return match method.returns {
                Some(_) => text.line(format!(
                    "outcome.map(|value| {thrift}::Returned(::std::option::Option::Some(value)))"
                )),
                None => text.line(format!("outcome.map(|()| {thrift}::Nothing)")),
            };
        }
        let (result, error) = (&names.result, &names.error);
        text.block("match outcome", |text| {
            match method.returns {
                Some(_) => text.line(format!("{ok}(value) => {ok}({result}::Success(value)),")),
                None => text.line(format!("{ok}(()) => {ok}({result}::Nothing),")),
            }
            for name in method.throws.iter().map(variant) {
                text.line(format!("{err}({error}::{name}(of)) => {ok}({result}::{name}(of)),"));
            }
            text.line(format!("{err}({error}::Status(status)) => {err}(status),"));
        });
    }

    /// Writes the body of `from_result(result)`.
    pub fn outcome_of_result(&self, text: &mut Text, names: &TypeNames, method: &Method) {
        let thrift = self.thrift();
        let (ok, err) = ("::std::result::Result::Ok", "::std::result::Result::Err");
        if method.throws.is_empty() {
            return match method.returns {
                Some(_) => text.line(format!("result.take({:?})", method.name)),
                None => text.lines(["let _ = result;".to_owned(), format!("{ok}(())")]),
            };
        }
        let (result, error) = (&names.result, &names.error);
        text.block("match result", |text| {
            match method.returns {
                Some(_) => {
                    text.line(format!("{result}::Success(value) => {ok}(value),"));
                    text.line(format!(
                        "{result}::Nothing => {err}({error}::Status({thrift}::missing_result({:?}))),",
                        method.name
                    ));
                }
                None => text.line(format!("{result}::Nothing => {ok}(()),")),
            }
            for name in method.throws.iter().map(variant) {
                text.line(format!("{result}::{name}(of) => {err}({error}::{name}(of)),"));
            }
        });
    }
}
