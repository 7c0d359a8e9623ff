//! Checks the paths of options: one that matches nothing is an error, since a typing mistake would otherwise
//! go unnoticed.

use super::{is_entry, join};
use crate::{
    Config, Error,
    parsed::{Parsed, is_proto2},
};
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto, ServiceDescriptorProto,
    field_descriptor_proto::{Label, Type},
};
use std::collections::HashMap;

/// Refuses options that have no effect.
pub(crate) fn check(config: &Config, parsed: Option<&Parsed>) -> Result<(), Error> {
    // Only prost's generator adds attributes to values of enums.
    #[cfg(feature = "prost")]
    let mut found = Found { values: config.prost, ..Found::default() };
    #[cfg(not(feature = "prost"))]
    let mut found = Found::default();
    for file in parsed.into_iter().flat_map(Parsed::wanted_files) {
        let package = file.package.as_deref().unwrap_or_default();
        found.proto2 = is_proto2(file.syntax.as_deref());
        found.types.extend(file.enum_type.iter().flat_map(|e| &e.name).map(|name| join(package, name)));
        file.message_type.iter().for_each(|message| found.add(package, message));
        found.viewed.extend(methods(package, file));
    }
    let packages = parsed.into_iter().flat_map(|parsed| &parsed.files);
    let all: Vec<String> = packages
        .flat_map(|file| {
            let package = file.package.clone().unwrap_or_default();
            let names = file.message_type.iter().flat_map(|m| &m.name);
            let names = names.chain(file.enum_type.iter().flat_map(|e| &e.name));
            names.map(move |name| join(&package, name)).collect::<Vec<_>>()
        })
        .collect();
    let first =
        |options: &[(String, String)]| options.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    let as_bytes = |name: &&String| config.strings_as_bytes.iter().any(|path| below(name, path));
    let bytes: Vec<String> =
        found.bytes.iter().chain(found.strings.iter().filter(as_bytes)).cloned().collect();
    let nested = |path: &str, names: &[String]| names.iter().any(|name| below(name, path));
    for (option, paths, names, what) in [
        ("type_attribute", first(&config.type_attributes), &found.types, "message, enum or oneof"),
        ("field_attribute", first(&config.field_attributes), &found.fields, "field"),
        ("bytes", config.bytes.clone(), &bytes, "field of type `bytes`"),
        (
            "strings_as_bytes",
            config.strings_as_bytes.clone(),
            &found.strings,
            "field of type `string` in proto2",
        ),
        ("views", config.views.clone(), &found.viewed, "method or message"),
    ] {
        if let Some(path) = paths.iter().find(|path| !nested(path, names)) {
            return Err(Error::Options(format!(
                "{option}({path:?}): no {what} has this name or is below it"
            )));
        }
    }
    #[cfg(feature = "prost")]
    if let Some(path) = config.views.first().filter(|_| config.prost) {
        return Err(Error::Options(format!("views({path:?}): messages of prost have no views")));
    }
    // The path may belong to a type nested in a message, or to a package of which only some files are read.
    let elsewhere = |path: &str| all.iter().any(|name| below(name, path) || below(path, name));
    match config.extern_paths.iter().find(|(path, _)| !elsewhere(path.trim_start_matches('.'))) {
        Some((path, _)) => {
            let what = "no file that is read declares something of this name or below it";
            Err(Error::Options(format!("extern_path({path:?}, ..): {what}")))
        }
        None => Ok(()),
    }
}

/// Full names to which options may refer.
#[derive(Default)]
struct Found {
    types: Vec<String>,
    fields: Vec<String>,
    bytes: Vec<String>,
    /// Methods and messages.
    viewed: Vec<String>,
    /// Strings that may hold any bytes.
    strings: Vec<String>,
    /// Whether the file being added is of proto2.
    proto2: bool,
    /// Whether values of enums count as fields, too.
    values: bool,
}

impl Found {
    fn add(&mut self, scope: &str, message: &DescriptorProto) {
        let full = join(scope, message.name.as_deref().unwrap_or_default());
        let entries: HashMap<String, &DescriptorProto> = message
            .nested_type
            .iter()
            .filter(|m| is_entry(m))
            .map(|m| (format!(".{full}.{}", m.name.as_deref().unwrap_or_default()), m))
            .collect();
        for field in &message.field {
            let name = join(&full, field.name.as_deref().unwrap_or_default());
            let entry = field.type_name.as_ref().and_then(|name| entries.get(name));
            let entry = entry.filter(|_| field.label == Some(Label::LABEL_REPEATED));
            let is_of = |kind: Type| {
                let is = |field: &FieldDescriptorProto| field.r#type == Some(kind);
                is(field) || entry.is_some_and(|entry| entry.field.iter().any(is))
            };
            if is_of(Type::TYPE_BYTES) {
                self.bytes.push(name.clone());
            }
            if self.proto2 && is_of(Type::TYPE_STRING) {
                self.strings.push(name.clone());
            }
            let oneof = field.oneof_index.and_then(|index| message.oneof_decl.get(index as usize));
            if let Some(oneof) = oneof.and_then(|oneof| oneof.name.as_ref()) {
                let field = field.name.as_deref().unwrap_or_default();
                self.fields.push(join(&join(&full, oneof), field));
            }
            self.fields.push(name);
        }
        self.types.extend(message.oneof_decl.iter().flat_map(|o| &o.name).map(|name| join(&full, name)));
        self.types.extend(message.enum_type.iter().flat_map(|e| &e.name).map(|name| join(&full, name)));
        for values in message.enum_type.iter().filter(|_| self.values) {
            let scope = join(&full, values.name.as_deref().unwrap_or_default());
            self.fields.extend(values.value.iter().flat_map(|v| &v.name).map(|name| join(&scope, name)));
        }
        message.nested_type.iter().filter(|m| !is_entry(m)).for_each(|m| self.add(&full, m));
        self.viewed.push(full.clone());
        self.types.push(full);
    }
}

/// The full names of a file's methods.
fn methods(package: &str, file: &FileDescriptorProto) -> Vec<String> {
    let of = |service: &ServiceDescriptorProto| {
        let service_name = join(package, service.name.as_deref().unwrap_or_default());
        let names = service.method.iter().flat_map(|method| &method.name);
        names.map(|name| join(&service_name, name)).collect::<Vec<_>>()
    };
    file.service.iter().flat_map(of).collect()
}

/// Whether `Config::views` names a method or a message, given by its full name.
pub(crate) fn has_views(config: &Config, name: &str) -> bool {
    config.views.iter().any(|path| below(name, path))
}

/// Whether a name is `path` or below it; `.` matches all.
pub(crate) fn below(name: &str, path: &str) -> bool {
    let path = path.trim_start_matches('.');
    path.is_empty() || name.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
