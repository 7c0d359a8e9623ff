//! Messages and enums, by prost's generator.
//!
//! prost gives the paths of its types only to service generators that it runs itself, so its rules are
//! repeated here: modules in snake case, types in camel case, nested types in a module of their parent's
//! name, other packages through `super::`, Google's types from `prost-types`, the empty message as `()`.

use super::{
    buffers::Buffers,
    mcpack::Packed,
    messages::{self, Messages},
    paths::root,
};
use crate::{Config, Error, model::module_name, parsed::Parsed};
use buffa::Message as _;
use heck::{ToSnakeCase, ToUpperCamelCase};
use prost_build::Module;
use protox::{prost::Message as _, prost_reflect::prost_types::FileDescriptorProto};
use std::collections::{HashMap, HashSet};

pub(super) fn generate(config: &Config, parsed: &Parsed) -> Result<Messages, Error> {
    let mut options = options(config);
    let mut requests = Vec::new();
    for file in parsed.wanted_files() {
        let package = file.package.clone().unwrap_or_default();
        let mut file = FileDescriptorProto::decode(&file.encode_to_vec()[..])
            .map_err(|e| Error::Messages(e.to_string()))?;
        file.service.clear(); // our generator writes the services
        requests.push((Module::from_protobuf_package_name(&package), file, package));
    }
    let packages: HashMap<Module, String> =
        requests.iter().map(|(module, _, package)| (module.clone(), package.clone())).collect();
    let requests = requests.into_iter().map(|(module, file, _)| (module, file)).collect();
    let generated = options.generate(requests).map_err(|e| Error::Messages(e.to_string()))?;
    let sources = generated.into_iter().filter_map(|(module, source)| {
        // The first line says that prost-build made the file; our own header has more information.
        let source = source.lines().filter(|l| !l.starts_with("// This file is @generated"));
        Some((packages.get(&module)?.clone(), source.map(|l| format!("{l}\n")).collect()))
    });
    Ok(Messages {
        sources: sources.collect(),
        types: types(config, parsed),
        implement: "prost_message",
        packed: Packed::default(),
        buffers: Buffers::default(),
        views: HashSet::default(),
    })
}

fn options(config: &Config) -> prost_build::Config {
    let mut options = prost_build::Config::new();
    options.prost_path(format!("{}::generated::prost", config.runtime));
    options.prost_types_path(format!("{}::generated::prost_types", config.runtime));
    for (path, attribute) in &config.type_attributes {
        options.type_attribute(root(path), attribute);
    }
    for (path, attribute) in &config.field_attributes {
        options.field_attribute(root(path), attribute);
    }
    for (path, rust_path) in &config.extern_paths {
        options.extern_path(root(path), rust_path);
    }
    options.bytes(config.bytes.iter().map(|path| root(path)));
    options
}

fn types(config: &Config, parsed: &Parsed) -> HashMap<(String, String), String> {
    let mut packages: Vec<&str> =
        parsed.files.iter().map(|f| f.package.as_deref().unwrap_or_default()).collect();
    packages.sort_unstable_by_key(|p| std::cmp::Reverse(p.len()));
    packages.dedup();
    let mut types = HashMap::new();
    for name in messages::names(parsed) {
        let inside = |package: &&&str| below(&name, package).is_some();
        let Some(home) = packages.iter().find(inside) else { continue };
        for from in &packages {
            if let Some(path) = type_path(config, &name, home, from) {
                types.insert(((*from).to_owned(), name.clone()), path);
            }
        }
    }
    types
}

/// The part of a full name below its package.
fn below<'n>(name: &'n str, package: &str) -> Option<&'n str> {
    if package.is_empty() { Some(name) } else { name.strip_prefix(package)?.strip_prefix('.') }
}

fn type_path(config: &Config, name: &str, home: &str, from: &str) -> Option<String> {
    if home == "google.protobuf" {
        return match below(name, home)? {
            "Empty" => Some("()".to_owned()),
            name => Some(format!("{}::generated::prost_types::{}", config.runtime, nested(name))),
        };
    }
    for (path, rust_path) in &config.extern_paths {
        let path = path.trim_start_matches('.');
        if path == name {
            return Some(rust_path.clone());
        }
        if let Some(rest) = below(name, path) {
            return Some(format!("{rust_path}::{}", nested(rest)));
        }
    }
    let segments = |package: &'_ str| -> Vec<String> {
        package.split('.').filter(|s| !s.is_empty()).map(module_name).collect()
    };
    let (home_segments, from_segments) = (segments(home), segments(from));
    let shared = home_segments.iter().zip(&from_segments).take_while(|(a, b)| a == b).count();
    let mut path = "super::".repeat(from_segments.len() - shared);
    for segment in &home_segments[shared..] {
        path.push_str(segment);
        path.push_str("::");
    }
    path.push_str(&nested(below(name, home)?));
    Some(path)
}

/// Converts `Outer.Inner` to `outer::Inner`.
fn nested(name: &str) -> String {
    let mut segments: Vec<String> = name.split('.').map(|s| identifier(&s.to_snake_case())).collect();
    let last = name.rsplit('.').next().unwrap_or(name);
    segments.pop();
    segments.push(identifier(&last.to_upper_camel_case()));
    segments.join("::")
}

fn identifier(name: &str) -> String {
    if name == "extern" { "extern_".to_owned() } else { buffa_codegen::idents::escape_mod_ident(name) }
}
