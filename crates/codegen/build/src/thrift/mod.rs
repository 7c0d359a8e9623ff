//! Generates Rust for `.thrift` files: structs, unions, exceptions, enums, typedefs, constants, services.
//! `polywire-thrift-idl` parses the files.
//!
//! | file | what it writes |
//! | --- | --- |
//! | `facts.rs` | nothing: finds which structs contain themselves, are keys, have defaults |
//! | `package.rs`, `check.rs` | names in Rust, of all namespaces; which are refused |
//! | `types.rs` | paths and types |
//! | `structure.rs`, `union.rs` | structs and exceptions; unions |
//! | `value.rs` | constants and defaults |
//! | `service.rs` | the trait of a service and its client |
//! | `methods.rs`, `result.rs` | a service's methods as types; what they return or throw |
//!
//! Generated code reads and writes through the traits of `polywire::thrift`, for all of Thrift's protocols.

mod check;
mod facts;
mod methods;
mod package;
mod result;
mod service;
mod structure;
mod types;
mod union;
mod value;

use crate::{
    Config, Error,
    emit::{File, Text, numbers},
    model,
};
use facts::Facts;
use package::Packages;
use polywire_thrift_idl::{Id, Item, Kind, Schema, StructKind};

/// The files that a build writes for these schemas, and the names of their namespaces.
pub(crate) fn files(config: &Config, schema: &mut Schema) -> Result<(Vec<File>, Vec<String>), Error> {
    check::settle(schema);
    check::check(schema)?;
    let schema = &*schema;
    let packages = Packages::of(schema)?;
    let facts = Facts::of(schema);
    let mut files = Vec::new();
    for namespace in packages.names() {
        let emit = Emit { config, schema, facts: &facts, packages: &packages, namespace, below: false };
        files.push(File::source(format!("{}.rs", crate::emit::file_name(namespace)), emit.source()));
    }
    Ok((files, packages.names().map(str::to_owned).collect()))
}

/// The context of all parts of the generator.
#[derive(Clone, Copy)]
struct Emit<'e> {
    config: &'e Config,
    schema: &'e Schema,
    facts: &'e Facts,
    packages: &'e Packages,
    /// The namespace being written.
    namespace: &'e str,
    /// Whether the expressions are in a module inside of the namespace.
    below: bool,
}

impl<'e> Emit<'e> {
    fn source(&self) -> String {
        let items: Vec<(Id, &Item)> = self.packages.items(self.schema, self.namespace).collect();
        let mut files: Vec<_> = items
            .iter()
            .filter_map(|(_, item)| self.schema.files[item.file].path.file_name())
            .map(|name| name.to_string_lossy())
            .collect();
        files.dedup();
        let mut text = Text::default();
        text.line(format!("// Made by polywire-build from {}; changes are lost.", files.join(", ")));
        for (id, item) in items {
            let name = self.packages.name(id);
            let comment = model::tidy(&item.comment);
            match &item.what {
                Kind::Typedef(of) => {
                    text.line("");
                    text.doc(&comment);
                    text.line(format!("pub type {name} = {};", self.kind(of, false, false)));
                }
                Kind::Const(kind, value) => self.constant(&mut text, name, &comment, kind, value),
                Kind::Enum(variants) => {
                    let comments: Vec<_> = variants.iter().map(|v| model::tidy(&v.comment)).collect();
                    let variants: Vec<_> = variants
                        .iter()
                        .zip(&comments)
                        .map(|(v, comment)| (v.name.as_str(), i128::from(v.number), comment.as_str()))
                        .collect();
                    numbers::emit(&mut text, name, &comment, "i32", &variants);
                    self.enum_value(&mut text, name);
                }
                Kind::Struct(of) if of.kind == StructKind::Union => {
                    self.union(&mut text, id, name, &comment, of);
                }
                Kind::Struct(of) => self.structure(&mut text, id, name, &comment, of),
                Kind::Service(service) => self.service(&mut text, id, &comment, service),
            }
        }
        text.finish()
    }

    /// Writes how an enum is encoded: as its number.
    fn enum_value(&self, text: &mut Text, name: &str) {
        let thrift = self.thrift();
        text.block(format!("impl {thrift}::Value for {name}"), |text| {
            text.line(format!("const TYPE: {thrift}::Type = {thrift}::Type::I32;"));
            text.line("#[inline]");
            text.block(self.read_signature(), |text| {
                text.line("::std::result::Result::Ok(Self(from.i32()?))");
            });
            text.line("#[inline]");
            text.block(self.write_signature(), |text| text.line("to.i32(self.0)"));
        });
    }

    /// The path `polywire::thrift`.
    fn thrift(&self) -> String {
        format!("{}::thrift", self.config.runtime)
    }

    fn read_signature(&self) -> String {
        let thrift = self.thrift();
        format!("fn read<R: {thrift}::Reader>(from: &mut R) -> ::std::result::Result<Self, {thrift}::Error>")
    }

    fn write_signature(&self) -> String {
        format!("fn write<W: {}::Writer>(&self, to: &mut W)", self.thrift())
    }
}
