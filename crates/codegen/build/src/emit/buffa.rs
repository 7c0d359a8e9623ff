//! Messages and enums, by buffa's generator, with paths through our runtime.

use super::{
    buffers::Buffers,
    mcpack::Packed,
    messages::Messages,
    paths::{path, root},
    runtime::through_runtime,
    typed::Typed,
    views, well_known,
};
use crate::{
    Config, Error,
    model::{Model, Renamed},
    parsed::Parsed,
};
use buffa_codegen::{
    BytesRepr, CodeGenConfig, CodeGenError, CodeGenWarning, MapRepr, context::CodeGenContext,
};
use buffa_descriptor::generated::descriptor::FileDescriptorProto;
use std::collections::HashMap;

pub(super) fn generate(config: &Config, typed: &Typed<'_>, model: &Model) -> Result<Messages, Error> {
    let parsed = &*typed.parsed;
    let renamed = Renamed::of(parsed);
    let views = views::wanted(config, parsed, model)?;
    let mut options = options(config, parsed, &renamed);
    options.generate_views = !views.is_empty();
    let files = renamed.files(&parsed.files);
    let (made, warnings) = buffa_codegen::generate_with_diagnostics(&files, &parsed.wanted, &options)
        .map_err(|error| explain(config, parsed, &files, &renamed, &error))?;
    // Owned handles are removed.
    let concerns =
        |warning: &CodeGenWarning| !matches!(warning, CodeGenWarning::OwnedViewAccessorSuppressed { .. });
    for warning in warnings.into_iter().filter(concerns) {
        println!("cargo:warning={warning}");
    }
    let context = CodeGenContext::for_generate(&files, &parsed.wanted, &options);
    let mut sources = HashMap::new();
    for file in made {
        let mut content = file.content;
        if !views.is_empty() {
            let in_package = |name: &String| path(&context, &renamed, name, &file.package);
            let kept: Vec<String> =
                views.iter().filter_map(in_package).map(|path| path.replace("r#", "")).collect();
            let kept = kept.iter().map(String::as_str).collect();
            content = views::keep(&content, kept, views::gate(config).as_ref())?;
        }
        let source = renamed.restore(&file.package, through_runtime(&content, &config.runtime));
        sources.insert(file.package, source);
    }
    Ok(Messages {
        sources,
        types: types(parsed, &context, &renamed, &config.runtime),
        implement: "message",
        packed: Packed::of(config, typed, &context, &renamed),
        buffers: Buffers::of(config, &typed.parsed),
        views,
    })
}

/// Finds an attribute that is not valid Rust, by generating without attributes, and then with each of them
/// alone: the generator only reports that its output could not be parsed.
fn explain(
    config: &Config,
    parsed: &Parsed,
    files: &[FileDescriptorProto],
    renamed: &Renamed,
    error: &CodeGenError,
) -> Error {
    let (types, fields) = (&config.type_attributes, &config.field_attributes);
    let fails = |types: &[(String, String)], fields: &[(String, String)]| {
        let (type_attributes, field_attributes) = (types.to_vec(), fields.to_vec());
        let config = Config { type_attributes, field_attributes, ..config.clone() };
        buffa_codegen::generate(files, &parsed.wanted, &options(&config, parsed, renamed)).is_err()
    };
    if !fails(&[], &[]) {
        let of_types = types.iter().find(|one| fails(std::slice::from_ref(*one), &[]));
        let of_fields = || fields.iter().find(|one| fails(&[], std::slice::from_ref(*one)));
        let found = of_types.map(|one| ("type_attribute", one));
        if let Some((option, (path, text))) =
            found.or_else(|| of_fields().map(|one| ("field_attribute", one)))
        {
            let example = "one is written as `#[derive(Eq)]`";
            return Error::Options(format!(
                "{option}({path:?}, {text:?}): this is not an attribute; {example}"
            ));
        }
    }
    match error {
        CodeGenError::MessageSetNotSupported { message_name } => Error::Options(format!(
            "{message_name} has `message_set_wire_format`: what is in a message set is kept as unknown fields; \
             it needs the option unknown_fields(true)"
        )),
        error => Error::Messages(error.to_string()),
    }
}

fn options(config: &Config, parsed: &Parsed, renamed: &Renamed) -> CodeGenConfig {
    let rooted = |(path, value): &(String, String)| (renamed.path(&root(path)), value.clone());
    let mut options = CodeGenConfig::default();
    options.generate_views = false; // those that are asked for come later
    options.preserve_unknown_fields = config.unknown_fields;
    options.file_per_package = true;
    options.emit_register_fn = false;
    options.allow_message_set = config.unknown_fields; // what is in a message set is unknown to its message
    options.type_attributes = config.type_attributes.iter().map(&rooted).collect();
    options.field_attributes = config.field_attributes.iter().map(&rooted).collect();
    options.extern_paths = config.extern_paths.iter().map(&rooted).collect();
    options.extern_paths.extend(well_known::paths(config, parsed));
    options.map_fields = vec![(".".to_owned(), MapRepr::Custom(format!("{}::Map", config.runtime)))];
    options.bytes_fields =
        config.bytes.iter().map(|path| (renamed.path(&root(path)), BytesRepr::Bytes)).collect();
    options
}

/// Paths of all messages, as seen from each package.
fn types(
    parsed: &Parsed,
    context: &CodeGenContext<'_>,
    renamed: &Renamed,
    runtime: &str,
) -> HashMap<(String, String), String> {
    let names = super::messages::names(parsed);
    let mut types = HashMap::new();
    for package in parsed.wanted_files().map(|f| f.package.clone().unwrap_or_default()) {
        for name in &names {
            if let Some(path) = path(context, renamed, name, &package) {
                types.insert((package.clone(), name.clone()), through_runtime(&path, runtime));
            }
        }
    }
    types
}
