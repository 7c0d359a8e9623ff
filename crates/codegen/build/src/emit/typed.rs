//! The files as the generators of messages see them: fields named by `Config::strings_as_bytes` are `bytes`
//! there.
//!
//! Descriptors that programs see keep `string`, which JSON, text format, mcpack and reflection depend on.

use crate::{
    Config,
    model::{below, is_entry, join},
    parsed::{Parsed, is_proto2},
};
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, FieldDescriptorProto, field_descriptor_proto::Type,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// The input from which messages are generated.
pub(super) struct Typed<'p> {
    /// The files as they are declared.
    pub declared: &'p Parsed,
    /// The files as they are generated.
    pub parsed: Cow<'p, Parsed>,
    /// The full names of the fields in which the two differ, with their files; fields of maps are listed by
    /// the entry.
    pub changed: BTreeMap<String, String>,
}

impl<'p> Typed<'p> {
    pub fn of(config: &Config, declared: &'p Parsed) -> Typed<'p> {
        let mut typed = Typed { declared, parsed: Cow::Borrowed(declared), changed: BTreeMap::new() };
        if config.strings_as_bytes.is_empty() {
            return typed;
        }
        let mut change = Change { config, file: String::new(), changed: BTreeMap::new() };
        let mut parsed = declared.clone();
        let Parsed { files, wanted, .. } = &mut parsed;
        let is_wanted = |name: &Option<String>| name.as_ref().is_some_and(|name| wanted.contains(name));
        // Strings of proto3 are UTF-8 by its specification, and brpc refuses others.
        for file in files.iter_mut().filter(|file| is_wanted(&file.name) && is_proto2(file.syntax.as_deref()))
        {
            let package = file.package.clone().unwrap_or_default();
            change.file = file.name.clone().unwrap_or_default();
            file.message_type.iter_mut().for_each(|message| change.message(&package, message));
        }
        (typed.parsed, typed.changed) = (Cow::Owned(parsed), change.changed);
        typed
    }

    /// The fields of these files that differ.
    pub fn changed_in(&self, files: &BTreeSet<&str>) -> Vec<&str> {
        let of_files = self.changed.iter().filter(|(_, file)| files.contains(file.as_str()));
        of_files.map(|(field, _)| field.as_str()).collect()
    }
}

struct Change<'c> {
    config: &'c Config,
    /// The file that is being visited.
    file: String,
    changed: BTreeMap<String, String>,
}

impl Change<'_> {
    fn message(&mut self, scope: &str, message: &mut DescriptorProto) {
        let full = join(scope, message.name.as_deref().unwrap_or_default());
        for at in 0..message.field.len() {
            let path = join(&full, message.field[at].name.as_deref().unwrap_or_default());
            if !self.config.strings_as_bytes.iter().any(|option| below(&path, option)) {
                continue;
            }
            if change(&mut message.field[at]) {
                self.changed.insert(path, self.file.clone());
            }
            // A map is named by its field; what it holds is declared in a message beside it.
            if let Some(entry) = entry_of(&full, &message.field[at], &mut message.nested_type) {
                let scope = join(&full, entry.name.as_deref().unwrap_or_default());
                for field in &mut entry.field {
                    if !self.is_key_of_prost(field) && change(field) {
                        let path = join(&scope, field.name.as_deref().unwrap_or_default());
                        self.changed.insert(path, self.file.clone());
                    }
                }
            }
        }
        let nested = message.nested_type.iter_mut().filter(|nested| !is_entry(nested));
        nested.for_each(|nested| self.message(&full, nested));
    }

    /// prost has no maps whose keys are bytes.
    #[cfg(feature = "prost")]
    fn is_key_of_prost(&self, field: &FieldDescriptorProto) -> bool {
        self.config.prost && field.number == Some(1)
    }

    #[cfg(not(feature = "prost"))]
    fn is_key_of_prost(&self, _: &FieldDescriptorProto) -> bool {
        false
    }
}

/// Changes a string to bytes; returns whether it was one.
fn change(field: &mut FieldDescriptorProto) -> bool {
    if field.r#type != Some(Type::TYPE_STRING) {
        return false;
    }
    field.r#type = Some(Type::TYPE_BYTES);
    // Defaults of bytes are escaped in descriptors, those of strings are not.
    field.default_value = field.default_value.take().map(|text| text.bytes().map(octal).collect());
    true
}

fn octal(byte: u8) -> String {
    format!("\\{byte:03o}")
}

/// The message that a map's field consists of.
fn entry_of<'m>(
    scope: &str,
    field: &FieldDescriptorProto,
    nested: &'m mut [DescriptorProto],
) -> Option<&'m mut DescriptorProto> {
    let name = field.type_name.as_deref()?.strip_prefix('.')?.strip_prefix(scope)?.trim_start_matches('.');
    nested.iter_mut().find(|nested| is_entry(nested) && nested.name.as_deref() == Some(name))
}
