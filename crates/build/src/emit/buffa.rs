//! Messages and enums, by buffa's generator, with the paths that lead through our runtime.

use super::{mcpack::Packed, messages::Messages};
use crate::{Config, Error, parse::Parsed};
use buffa_codegen::{BytesRepr, CodeGenConfig, context::CodeGenContext};
use std::collections::HashMap;

pub(super) fn generate(config: &Config, parsed: &Parsed) -> Result<Messages, Error> {
    let options = options(config);
    let failed = |e: buffa_codegen::CodeGenError| Error::Messages(e.to_string());
    let (files, warnings) =
        buffa_codegen::generate_with_diagnostics(&parsed.files, &parsed.wanted, &options).map_err(failed)?;
    for warning in warnings {
        println!("cargo:warning={warning}");
    }
    let sources = files.into_iter().map(|f| (f.package, through_runtime(&f.content, &config.runtime)));
    let context = CodeGenContext::for_generate(&parsed.files, &parsed.wanted, &options);
    Ok(Messages {
        sources: sources.collect(),
        types: types(parsed, &context, &config.runtime),
        implement: "message",
        packed: Packed::of(config, parsed, &context),
    })
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
fn types(parsed: &Parsed, context: &CodeGenContext<'_>, runtime: &str) -> HashMap<(String, String), String> {
    let names = super::messages::names(parsed);
    let mut types = HashMap::new();
    for package in parsed.wanted_files().map(|f| f.package.clone().unwrap_or_default()) {
        for name in &names {
            if let Some(path) = context.rust_type_relative(&format!(".{name}"), &package, 0) {
                types.insert((package.clone(), name.clone()), through_runtime(&path, runtime));
            }
        }
    }
    types
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
