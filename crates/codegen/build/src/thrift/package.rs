//! Namespaces and the names of everything in Rust.

use crate::{
    Error,
    model::{self, Package, join, names, settle_names},
};
use polywire_thrift_idl::{Id, Item, Kind, Schema};
use std::collections::{BTreeMap, HashSet};

/// The namespace of each item, and its name there.
pub(super) struct Packages {
    /// The namespace of each file.
    namespaces: Vec<String>,
    all: Vec<String>,
    /// The Rust name of each item.
    names: Vec<String>,
    services: BTreeMap<Id, ServiceNames>,
}

/// The Rust names of a service's items.
pub(super) struct ServiceNames {
    pub client: String,
    pub module: String,
}

impl Packages {
    pub fn of(schema: &Schema) -> Result<Packages, Error> {
        let namespaces: Vec<String> = schema.files.iter().map(namespace).collect();
        let mut all: Vec<String> = schema.items.iter().map(|item| namespaces[item.file].clone()).collect();
        all.sort();
        all.dedup();
        let names = vec![String::new(); schema.items.len()];
        let mut packages = Packages { namespaces, all, names, services: BTreeMap::new() };
        for namespace in packages.all.clone() {
            packages.settle(schema, &namespace)?;
        }
        Ok(packages)
    }

    /// The namespaces that declare an item.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str)
    }

    pub fn items<'s>(
        &'s self,
        schema: &'s Schema,
        namespace: &'s str,
    ) -> impl Iterator<Item = (Id, &'s Item)> {
        schema.items.iter().enumerate().filter(move |(_, item)| self.namespaces[item.file] == namespace)
    }

    pub fn namespace(&self, item: &Item) -> &str {
        &self.namespaces[item.file]
    }

    pub fn name(&self, id: Id) -> &str {
        &self.names[id]
    }

    pub fn service(&self, id: Id) -> &ServiceNames {
        &self.services[&id]
    }

    /// Chooses the names of a namespace's items.
    fn settle(&mut self, schema: &Schema, namespace: &str) -> Result<(), Error> {
        let mut package = Package::default();
        let below = self.all.iter().filter_map(|name| name.strip_prefix(&join(namespace, "")));
        package.modules.extend(below.filter_map(|name| name.split('.').next()).map(names::module_name));
        let items: Vec<(Id, &Item)> = schema
            .items
            .iter()
            .enumerate()
            .filter(|(_, item)| self.namespaces[item.file] == namespace)
            .collect();
        let mut constants = HashSet::new();
        for (id, item) in &items {
            let full = join(namespace, &item.name);
            match &item.what {
                Kind::Service(_) => package.services.push(model::Service {
                    name: names::service(&item.name),
                    full_name: full,
                    client: String::new(),
                    module: names::module_name(&item.name),
                    comment: String::new(),
                    methods: Vec::new(),
                }),
                Kind::Const(..) => {
                    let mut name = names::upper_constant(&item.name);
                    while !constants.insert(name.clone()) {
                        name.push('_');
                    }
                    self.names[*id] = name;
                }
                _ => {
                    let name = names::type_name(&item.name);
                    if !package.types.insert(name.clone()) {
                        let place = format!(
                            "{}:{}:{}",
                            schema.files[item.file].path.display(),
                            item.place.line,
                            item.place.column
                        );
                        let what = format!(
                            "`{name}` is the name of another type of the namespace `{namespace}` in Rust; \
                             `namespace rs` gives a file its own"
                        );
                        return Err(Error::Names(format!("{place}: {what}")));
                    }
                    self.names[*id] = name;
                }
            }
        }
        // Types of enums are functions, too, as far as constants are concerned.
        for (id, _) in items.iter().filter(|(_, item)| matches!(item.what, Kind::Const(..))) {
            while package.types.contains(&self.names[*id]) {
                self.names[*id].push('_');
            }
        }
        settle_names(&mut package);
        let services = items.iter().filter(|(_, item)| matches!(item.what, Kind::Service(_)));
        for ((id, _), service) in services.zip(package.services) {
            self.names[*id] = service.name;
            self.services.insert(*id, ServiceNames { client: service.client, module: service.module });
        }
        Ok(())
    }
}

/// The namespace of a file: the one for Rust, else the one for all languages, else the name of the file.
fn namespace(file: &polywire_thrift_idl::File) -> String {
    let of = |scope: &str| file.namespaces.iter().rev().find(|(known, _)| known == scope);
    if let Some((_, name)) = of("rs").or_else(|| of("*")) {
        return name.split('.').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
    }
    let stem = file.path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, '_');
    }
    name
}
