//! Messages and enums, by buffa's generator, with the paths that lead through our runtime.

use crate::{Config, Error, parse::Parsed};
use buffa_codegen::{BytesRepr, CodeGenConfig, context::CodeGenContext};
use std::collections::HashMap;

/// Source of the messages per package, and the paths of their types.
pub(super) struct Messages {
    by_package: HashMap<String, String>,
    types: HashMap<(String, String), String>,
}

impl Messages {
    pub fn generate(config: &Config, parsed: &Parsed) -> Result<Self, Error> {
        let options = options(config);
        let failed = |e: buffa_codegen::CodeGenError| Error::Messages(e.to_string());
        let (files, warnings) =
            buffa_codegen::generate_with_diagnostics(&parsed.files, &parsed.wanted, &options)
                .map_err(failed)?;
        for warning in warnings {
            println!("cargo:warning={warning}");
        }
        let by_package =
            files.into_iter().map(|f| (f.package, through_runtime(&f.content, &config.runtime))).collect();
        Ok(Messages { by_package, types: types(parsed, &options, &config.runtime) })
    }

    /// Messages and enums of a package.
    pub fn source(&self, package: &str) -> &str {
        self.by_package.get(package).map_or("", String::as_str)
    }

    /// Path of a message's type as seen from a package's module.
    pub fn type_path(&self, message: &str, from: &str) -> Option<&str> {
        self.types.get(&(from.to_owned(), message.to_owned())).map(String::as_str)
    }
}

fn options(config: &Config) -> CodeGenConfig {
    let mut options = CodeGenConfig::default();
    options.generate_views = false;
    options.preserve_unknown_fields = config.unknown_fields;
    options.file_per_package = true;
    options.emit_register_fn = false;
    options.type_attributes = config.type_attributes.iter().map(rooted).collect();
    options.field_attributes = config.field_attributes.iter().map(rooted).collect();
    options.extern_paths = config.extern_paths.iter().map(rooted).collect();
    options.bytes_fields = config.bytes.iter().map(|path| (root(path), BytesRepr::Bytes)).collect();
    options
}

fn rooted((path, value): &(String, String)) -> (String, String) {
    (root(path), value.clone())
}

fn root(path: &str) -> String {
    if path.starts_with('.') { path.to_owned() } else { format!(".{path}") }
}

/// Paths of all messages, as seen from each package.
fn types(parsed: &Parsed, options: &CodeGenConfig, runtime: &str) -> HashMap<(String, String), String> {
    let context = CodeGenContext::for_generate(&parsed.files, &parsed.wanted, options);
    let mut names = Vec::new();
    for file in &parsed.files {
        let package = file.package.as_deref().unwrap_or_default();
        file.message_type.iter().for_each(|m| collect(package, m, &mut names));
    }
    let mut types = HashMap::new();
    let wanted = parsed.files.iter().filter(|f| f.name.as_ref().is_some_and(|n| parsed.wanted.contains(n)));
    for package in wanted.map(|f| f.package.clone().unwrap_or_default()) {
        for name in &names {
            if let Some(path) = context.rust_type_relative(&format!(".{name}"), &package, 0) {
                types.insert((package.clone(), name.clone()), through_runtime(&path, runtime));
            }
        }
    }
    types
}

fn collect(
    scope: &str,
    message: &buffa_descriptor::generated::descriptor::DescriptorProto,
    names: &mut Vec<String>,
) {
    let name = match (scope, message.name.as_deref().unwrap_or_default()) {
        ("", name) => name.to_owned(),
        (scope, name) => format!("{scope}.{name}"),
    };
    message.nested_type.iter().for_each(|m| collect(&name, m, names));
    names.push(name);
}

/// buffa's generator writes `::buffa::…`, but users depend on `polywire` alone. Comments are left as they are.
fn through_runtime(source: &str, runtime: &str) -> String {
    let mut out = String::with_capacity(source.len());
    for line in source.split_inclusive('\n') {
        if line.trim_start().starts_with("//") {
            if !line.starts_with("// @generated") {
                out.push_str(line);
            }
            continue;
        }
        let line = line
            .replace("::buffa::alloc::", "::std::")
            .replace("::core::", "::std::")
            .replace("::buffa::", &format!("{runtime}::generated::buffa::"))
            .replace("::buffa_types::", &format!("{runtime}::generated::buffa_types::"))
            .replace("::buffa_descriptor::", &format!("{runtime}::generated::buffa_descriptor::"));
        out.push_str(&line);
    }
    out
}
