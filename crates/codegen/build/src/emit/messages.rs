//! The output of a message generator.

use super::{buffers::Buffers, mcpack::Packed};
use crate::parsed::Parsed;
use buffa_descriptor::generated::descriptor::DescriptorProto;
use std::collections::{HashMap, HashSet};

/// Source of the messages per package, and the paths of their types.
pub(super) struct Messages {
    /// Messages and enums by package.
    pub sources: HashMap<String, String>,
    /// Paths, by the package they are seen from and the full name of the message.
    pub types: HashMap<(String, String), String>,
    /// The macro of `generated` that implements `Message` for a type.
    pub implement: &'static str,
    pub packed: Packed,
    pub buffers: Buffers,
    /// Messages with a view.
    pub views: HashSet<String>,
}

impl Messages {
    /// Messages and enums of a package.
    pub fn source(&self, package: &str) -> &str {
        self.sources.get(package).map_or("", String::as_str)
    }

    /// Path of a message's type as seen from a package's module.
    pub fn type_path(&self, message: &str, from: &str) -> Option<&str> {
        self.types.get(&(from.to_owned(), message.to_owned())).map(String::as_str)
    }
}

/// The full names of all messages, imported ones too.
pub(super) fn names(parsed: &Parsed) -> Vec<String> {
    let mut names = Vec::new();
    for file in &parsed.files {
        let package = file.package.as_deref().unwrap_or_default();
        file.message_type.iter().for_each(|m| collect(package, m, &mut names));
    }
    names
}

fn collect(scope: &str, message: &DescriptorProto, names: &mut Vec<String>) {
    let name = match (scope, message.name.as_deref().unwrap_or_default()) {
        ("", name) => name.to_owned(),
        (scope, name) => format!("{scope}.{name}"),
    };
    message.nested_type.iter().for_each(|m| collect(&name, m, names));
    names.push(name);
}
