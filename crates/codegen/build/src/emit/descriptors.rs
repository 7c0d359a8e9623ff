//! The descriptor set of a package: its files and their imports, without comments.

use crate::{model::Package, parsed::Parsed};
use buffa::{Message, MessageField};
use buffa_descriptor::generated::descriptor::{FileDescriptorProto, FileDescriptorSet};
use std::collections::BTreeSet;

/// The set of these files.
pub(super) fn of(parsed: &Parsed, needed: &BTreeSet<&str>) -> Vec<u8> {
    let files = parsed.files.iter().filter(|f| needed.contains(name(f)));
    let bare = files.map(|f| FileDescriptorProto { source_code_info: MessageField::none(), ..f.clone() });
    FileDescriptorSet { file: bare.collect(), ..Default::default() }.encode_to_vec()
}

/// Names of the files of a package and of their imports.
pub(super) fn files<'p>(parsed: &'p Parsed, package: &'p Package) -> BTreeSet<&'p str> {
    let mut needed: BTreeSet<&str> = package.files.iter().map(String::as_str).collect();
    // Files are sorted, imported ones first: one pass from the end finds all.
    for file in parsed.files.iter().rev().filter(|f| f.name.is_some()) {
        if needed.contains(name(file)) {
            needed.extend(file.dependency.iter().map(String::as_str));
        }
    }
    needed
}

fn name(file: &FileDescriptorProto) -> &str {
    file.name.as_deref().unwrap_or_default()
}
