//! Names that differ in a `.thrift` file and are the same in Rust.

use super::service::function;
use crate::{Error, model::names};
use polywire_thrift_idl::{Field, Item, Kind, Place, Schema, StructKind};
use std::collections::{HashMap, HashSet};

/// Adds a number to fields that have the name of another in Rust: their names are not on the wire.
pub(super) fn settle(schema: &mut Schema) {
    for item in &mut schema.items {
        match &mut item.what {
            Kind::Struct(of) if of.kind == StructKind::Union => differ(&mut of.fields, names::type_name),
            Kind::Struct(of) => differ(&mut of.fields, names::variable),
            Kind::Service(service) => {
                for method in &mut service.methods {
                    differ(&mut method.arguments, names::variable);
                    differ(&mut method.throws, names::type_name);
                }
            }
            _ => {}
        }
    }
}

fn differ(fields: &mut [Field], in_rust: fn(&str) -> String) {
    let mut known = HashSet::new();
    for field in fields {
        // An underscore alone would be gone from the name of a variant.
        while !known.insert(in_rust(&field.name)) {
            field.name = format!("{}_2", field.name.trim_end_matches('_'));
        }
    }
}

/// Refuses methods that have the name of another in Rust: the trait would have two functions of one name.
pub(super) fn check(schema: &Schema) -> Result<(), Error> {
    match schema.items.iter().find_map(|item| methods(schema, item).map(|wrong| (item, wrong))) {
        Some((item, (place, what))) => Err(error(schema, item, place, what)),
        None => Ok(()),
    }
}

fn error(schema: &Schema, item: &Item, place: Place, what: String) -> Error {
    let file = schema.files[item.file].path.display();
    Error::Names(format!("{file}:{}:{}: {what}", place.line, place.column))
}

fn says(name: &str, first: &str) -> String {
    format!("`{name}` is the name of another in Rust, `{first}`: rename one of them")
}

/// Checks the functions of a client: those of its service and of all services that it extends.
fn methods(schema: &Schema, item: &Item) -> Option<(Place, String)> {
    let Kind::Service(service) = &item.what else { return None };
    let mut known: HashMap<String, &str> = HashMap::new();
    let mut above = service.extends;
    while let Some(id) = above {
        let service = schema.service(id);
        known.extend(service.methods.iter().map(|method| (function(method), method.name.as_str())));
        above = service.extends;
    }
    service.methods.iter().find_map(|method| {
        let first = known.insert(function(method), &method.name)?;
        Some((method.place, says(&method.name, first)))
    })
}
