//! Google's own messages, which the runtime has.

use super::paths::root;
use crate::{Config, model::below, parsed::Parsed};

/// Messages that programs commonly use, in `wkt`.
const MESSAGES: [&str; 18] = [
    "Any",
    "BoolValue",
    "BytesValue",
    "DoubleValue",
    "Duration",
    "Empty",
    "FieldMask",
    "FloatValue",
    "Int32Value",
    "Int64Value",
    "ListValue",
    "NullValue",
    "StringValue",
    "Struct",
    "Timestamp",
    "UInt32Value",
    "UInt64Value",
    "Value",
];

/// Messages that describe interfaces, in `wkt::api`.
const OF_INTERFACES: [&str; 10] =
    ["Api", "Enum", "EnumValue", "Field", "Method", "Mixin", "Option", "SourceContext", "Syntax", "Type"];

const HTTP_BODY: &str = ".google.api.HttpBody";

/// The paths of types by full name. The user's options come first: an option for all of Google's messages is
/// used unchanged.
///
/// They are listed one by one, because descriptors have the same package and a different place.
pub(super) fn paths(config: &Config, parsed: &Parsed) -> Vec<(String, String)> {
    let mut paths = of_protobuf(config);
    let theirs = |(path, _): &(String, String)| HTTP_BODY.starts_with(&root(path));
    if parsed.has_http_body() && !config.extern_paths.iter().any(theirs) {
        paths.push((HTTP_BODY.to_owned(), format!("{}::HttpBody", config.runtime)));
    }
    paths
}

fn of_protobuf(config: &Config) -> Vec<(String, String)> {
    let theirs = |(path, _): &(String, String)| root(path) == ".google.protobuf" || path == ".";
    if config.well_known_types || config.extern_paths.iter().any(theirs) {
        return Vec::new();
    }
    let runtime = &config.runtime;
    let of = |module: &'static str| {
        move |name: &&str| (format!(".google.protobuf.{name}"), format!("{runtime}::{module}::{name}"))
    };
    let mut paths: Vec<_> = MESSAGES.iter().map(of("wkt")).collect();
    paths.extend(OF_INTERFACES.iter().map(of("wkt::api")));
    // The generator derives the module of a nested type from its message's path, but not the module's
    // spelling.
    for nested in ["Cardinality", "Kind"] {
        let path = format!("{runtime}::wkt::api::field::{nested}");
        paths.push((format!(".google.protobuf.Field.{nested}"), path));
    }
    let named = |path: &str| config.extern_paths.iter().any(|(theirs, _)| root(theirs) == path);
    paths.retain(|(path, _)| !named(path));
    paths
}

/// Whether a message of the runtime has a view there.
pub(super) fn has_view(config: &Config, message: &str) -> bool {
    !config.well_known_types
        && message.strip_prefix("google.protobuf.").is_some_and(|name| MESSAGES.contains(&name))
}

/// Whether a message is the runtime's and has no view there.
pub(super) fn lacks_view(config: &Config, parsed: &Parsed, message: &str) -> bool {
    let is_body = HTTP_BODY.strip_prefix('.') == Some(message) && parsed.has_http_body();
    let is_ours = message.starts_with("google.protobuf.") || is_body;
    let is_theirs = config.extern_paths.iter().any(|(path, _)| below(message, path));
    is_ours && !is_theirs && !config.well_known_types && !has_view(config, message)
}
