//! Paths of types: of protobuf, as options name them, and of Rust.

use crate::model::Renamed;
use buffa_codegen::{context::CodeGenContext, idents::escape_mod_ident};

/// A path of protobuf with its leading dot.
pub(super) fn root(path: &str) -> String {
    if path.starts_with('.') { path.to_owned() } else { format!(".{path}") }
}

/// The path of a type, as seen from a package. buffa's context does not escape the modules in it.
pub(super) fn path(
    context: &CodeGenContext<'_>,
    renamed: &Renamed,
    name: &str,
    package: &str,
) -> Option<String> {
    let path = context.rust_type_relative(&format!(".{}", renamed.full(name)), package, 0)?;
    let escaped = path.split("::").map(|segment| match segment {
        "super" | "crate" => segment.to_owned(),
        segment => escape_mod_ident(segment),
    });
    Some(escaped.collect::<Vec<_>>().join("::"))
}
