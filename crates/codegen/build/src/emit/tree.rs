//! Packages as nested modules.
//!
//! Generated code refers to other packages by `super::` paths, so packages that use each other are included
//! together: all of them by `polywire::include!()`, or those below one prefix.

use super::{File, file_name, text::Text};
use crate::model::module_name;
use std::collections::BTreeMap;

/// Lints that are not useful for generated code.
const ALLOW: &str = "#[allow(clippy::all, dead_code, missing_docs, non_camel_case_types, unused_imports, \
                     unused_qualifications, rustdoc::all)]";

#[derive(Default)]
struct Node<'p> {
    /// The package that ends here.
    package: Option<&'p str>,
    children: BTreeMap<&'p str, Node<'p>>,
}

pub(super) fn files<'p>(packages: impl Iterator<Item = &'p str>) -> Vec<File> {
    let mut root = Node::default();
    for package in packages {
        let mut node = &mut root;
        for segment in package.split('.').filter(|s| !s.is_empty()) {
            node = node.children.entry(segment).or_default();
        }
        node.package = Some(package);
    }
    let mut files = vec![File::source("all.rs".into(), render(&[], &root, "."))];
    prefixes(&mut Vec::new(), &root, &mut files);
    files
}

fn prefixes<'p>(path: &mut Vec<&'p str>, node: &Node<'p>, files: &mut Vec<File>) {
    if !path.is_empty() || node.package.is_some() {
        files.push(File::source(
            format!("include/{}.rs", file_name(&path.join("."))),
            render(path, node, ".."),
        ));
    }
    for (segment, child) in &node.children {
        path.push(segment);
        prefixes(path, child, files);
        path.pop();
    }
}

fn render(path: &[&str], node: &Node<'_>, up: &str) -> String {
    let mut text = Text::default();
    text.line("// Made by polywire-build; changes are lost.");
    wrapped(&mut text, path, node, up);
    text.finish()
}

fn wrapped(text: &mut Text, path: &[&str], node: &Node<'_>, up: &str) {
    match path {
        [] => inside(text, node, up),
        [segment, rest @ ..] => {
            text.line(ALLOW);
            text.block(format!("pub mod {}", module_name(segment)), |text| wrapped(text, rest, node, up));
        }
    }
}

fn inside(text: &mut Text, node: &Node<'_>, up: &str) {
    if let Some(package) = node.package {
        text.line(format!("include!(\"{up}/{}.rs\");", file_name(package)));
    }
    for (segment, child) in &node.children {
        text.line(ALLOW);
        text.block(format!("pub mod {}", module_name(segment)), |text| inside(text, child, up));
    }
}
