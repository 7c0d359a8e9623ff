//! Generates Rust for `.fbs` files: tables that are read in place, structs, enums, unions, services.
//! `polywire-fbs` parses the files.
//!
//! | file | what it writes |
//! | --- | --- |
//! | `table.rs` | the view of a table, its `Buf`, its `Args` and `create`, its verification |
//! | `union.rs` | what a union adds to these |
//! | `key.rs` | the order of tables and structs with a `key` |
//! | `object.rs` | the object API, if it is wanted |
//! | `structure.rs` | structs as plain values |
//! | `numbers.rs` | enums and the types of unions |
//!
//! Generated code is safe: it reads, verifies and builds through `polywire::flatbuffers`. The number of
//! fields of a table and their maximum size are known here, so the builder need not check field by field.
//! Services are written by the same generator as for protobuf.

mod key;
mod numbers;
mod object;
mod structure;
mod table;
mod union;

use crate::{
    Config, Error,
    emit::{File, Prelude, Text, service},
    model::{self, Package, names},
};
use polywire_fbs::{Item, Kind, Method, Schema, Table, Type, joined};
use std::collections::{BTreeMap, HashSet};

/// The files that a build writes for these schemas, and the names of their namespaces.
pub(crate) fn files(config: &Config, schema: &Schema) -> Result<(Vec<File>, Vec<String>), Error> {
    let mut namespaces: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for item in &schema.items {
        namespaces.entry(&item.namespace).or_default().push(item);
    }
    let all: Vec<String> = namespaces.keys().map(|name| (*name).to_owned()).collect();
    let mut files = Vec::new();
    for (namespace, items) in namespaces {
        let emit = Emit { config, schema, namespace };
        files.push(File::source(
            format!("{}.rs", crate::emit::file_name(namespace)),
            emit.source(&items, &all)?,
        ));
    }
    Ok((files, all))
}

/// The context of all parts of the generator.
#[derive(Clone, Copy)]
struct Emit<'e> {
    config: &'e Config,
    schema: &'e Schema,
    /// The namespace being written.
    namespace: &'e str,
}

impl Emit<'_> {
    fn source(&self, items: &[&Item], namespaces: &[String]) -> Result<String, Error> {
        let mut files: Vec<&str> = items.iter().map(|item| item.file.as_str()).collect();
        files.dedup();
        let mut text = Text::default();
        text.line(format!("// Made by polywire-build from {}; changes are lost.", files.join(", ")));
        let package = self.package(items, namespaces)?;
        if !package.services.is_empty() {
            text.line("");
            text.doc("FlatBuffers have no descriptors.");
            text.line("const DESCRIPTOR_SET: &[u8] = &[];");
        }
        for item in items {
            match &item.what {
                Kind::Table(table) => self.table(&mut text, item, table),
                Kind::Struct(structure) => self.structure(&mut text, item, structure),
                Kind::Enum(of) => self.enumeration(&mut text, item, of),
                Kind::Union(union) => {
                    self.union_type(&mut text, item, union);
                    if self.config.object_api {
                        self.union_object(&mut text, item, union);
                    }
                }
                Kind::Service(_) => {}
            }
        }
        let prelude = Prelude { taken: &package.types };
        for each in &package.services {
            text.line("");
            // Types of methods are already paths.
            let types = |path: &str| -> Result<String, Error> { Ok(path.to_owned()) };
            service::emit(&mut text, self.config, each, &prelude, &types)?;
        }
        Ok(text.finish())
    }

    /// The input of the service generator. Names that cannot be used are refused.
    fn package(&self, items: &[&Item], namespaces: &[String]) -> Result<Package, Error> {
        let mut package = Package::default();
        let below = namespaces.iter().filter_map(|n| n.strip_prefix(&joined(self.namespace, "")));
        package.modules.extend(below.filter_map(|n| n.split('.').next()).map(model::module_name));
        for item in items {
            let name = names::type_name(&item.name);
            let own = match &item.what {
                Kind::Table(_) => vec![name.clone(), format!("{name}Buf"), format!("{name}Args")],
                Kind::Service(_) => Vec::new(), // settled below
                _ => vec![name],
            };
            let owned = self.config.object_api && matches!(item.what, Kind::Table(_) | Kind::Union(_));
            let object = owned.then(|| format!("{}T", names::type_name(&item.name)));
            for name in own.into_iter().chain(object) {
                if !package.types.insert(name.clone()) {
                    let full = item.full_name();
                    return Err(Error::Names(format!("{full}: `{name}` is the name of another type")));
                }
            }
            if let Kind::Table(table) = &item.what {
                self.check_functions(item, table)?;
            }
            if let Kind::Service(methods) = &item.what {
                package.services.push(self.service(item, methods));
            }
        }
        model::settle_names(&mut package);
        Ok(package)
    }

    /// Field names that differ in the schema may be the same in Rust: `fooBar` and `foo_bar`.
    fn check_functions(&self, item: &Item, table: &Table) -> Result<(), Error> {
        let mut taken = HashSet::new();
        for field in table.fields.iter().filter(|field| !field.deprecated) {
            let mut own = vec![field.name.clone()];
            if let Some(place) = field.kind.union() {
                let variants = self.schema.union(place).variants.iter();
                own.push(format!("{}_type", field.name));
                own.extend(variants.map(|variant| format!("{}_as_{}", field.name, variant.name)));
            }
            if field.nested.is_some() {
                own.push(format!("{}_nested", field.name));
            }
            let function = own.iter().map(|name| names::field(name)).find(|name| !taken.insert(name.clone()));
            if let Some(function) = function {
                let (table, field) = (item.full_name(), &field.name);
                let what =
                    format!("{table}: two fields are called `{function}` in Rust; {field} is the second");
                return Err(Error::Names(what));
            }
        }
        Ok(())
    }

    fn service(&self, item: &Item, methods: &[Method]) -> model::Service {
        let of = |method: &Method| model::Method {
            name: method.name.clone(),
            function: names::function(&method.name),
            marker: names::type_name(&method.name),
            kind: model::Kind::streaming(method.client_streaming, method.server_streaming),
            comment: method.comment.clone(),
            input: format!("{}Buf", self.path(method.request)),
            output: format!("{}Buf", self.path(method.response)),
            number: Some(method.number),
            idempotent: false,
            no_side_effects: false,
            rules: Vec::new(),
            views: false,
        };
        model::Service {
            name: names::type_name(&item.name),
            full_name: item.full_name(),
            client: String::new(),
            module: model::module_name(&item.name),
            comment: item.comment.clone(),
            methods: methods.iter().map(of).collect(),
        }
    }

    /// The path `polywire::flatbuffers`.
    fn flatbuffers(&self) -> String {
        format!("{}::flatbuffers", self.config.runtime)
    }

    /// The type of an item, as seen from the namespace being written.
    fn path(&self, place: usize) -> String {
        let item = &self.schema.items[place];
        let name = names::type_name(&item.name);
        if item.namespace == self.namespace {
            return name;
        }
        let up = self.namespace.split('.').filter(|part| !part.is_empty()).map(|_| "super::");
        let down = item.namespace.split('.').filter(|part| !part.is_empty());
        let down = down.map(|part| format!("{}::", model::module_name(part)));
        up.map(str::to_owned).chain(down).chain([name]).collect()
    }

    /// The type of scalars and enums as numbers.
    fn number(&self, kind: &Type) -> &'static str {
        self.schema.scalar(kind).rust
    }
}
