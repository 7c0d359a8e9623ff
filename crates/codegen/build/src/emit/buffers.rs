//! The fields of a message that own bytes which can be sent without a copy: one line per field, for the macro
//! `message!`.
//!
//! Strings and bytes are such fields, and messages that contain some. Members of a oneof, entries of maps and
//! messages from elsewhere are copied when they are sent, as all short fields are.
//!
//! Also, the messages with fields of `Bytes`, which share the bytes that they are read from.

use crate::{
    Config,
    model::{below, in_oneof, is_entry, join},
    parsed::Parsed,
};
use buffa_codegen::idents::make_field_ident;
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, FieldDescriptorProto,
    field_descriptor_proto::{Label, Type},
};
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub(super) struct Buffers {
    /// The lines of a message's fields, by its full name.
    lines: HashMap<String, Vec<String>>,
    /// Messages with fields of `Bytes`, also in nested messages.
    shares: HashSet<String>,
}

impl Buffers {
    pub fn of(config: &Config, parsed: &Parsed) -> Buffers {
        let mut messages = HashMap::new();
        for file in parsed.wanted_files() {
            let package = file.package.as_deref().unwrap_or_default();
            file.message_type.iter().for_each(|message| collect(package, message, &mut messages));
        }
        messages.retain(|name, _| !config.extern_paths.iter().any(|(path, _)| below(name, path)));
        let owns = |_: &str, field: &FieldDescriptorProto| {
            !in_oneof(field) && matches!(field.r#type, Some(Type::TYPE_STRING | Type::TYPE_BYTES))
        };
        let shares = |name: &str, field: &FieldDescriptorProto| {
            let path = join(name, field.name.as_deref().unwrap_or_default());
            field.r#type == Some(Type::TYPE_BYTES) && config.bytes.iter().any(|chosen| below(&path, chosen))
        };
        let holders = holders(&messages, owns, |field| !in_oneof(field));
        let line_of = |name: &str| {
            let message = messages[name];
            let held = |field: &&FieldDescriptorProto| {
                owns(name, field) || (!in_oneof(field) && holds(field, &holders))
            };
            message.field.iter().filter(held).map(line).collect()
        };
        Buffers {
            lines: holders.iter().map(|name| ((*name).to_owned(), line_of(name))).collect(),
            shares: self::holders(&messages, shares, |_| true).into_iter().map(str::to_owned).collect(),
        }
    }

    /// The lines of a message; empty if it owns no such bytes.
    pub fn lines(&self, message: &str) -> &[String] {
        self.lines.get(message).map_or(&[], Vec::as_slice)
    }

    /// Whether fields of a message can share the bytes that it is read from.
    pub fn shares(&self, message: &str) -> bool {
        self.shares.contains(message)
    }
}

/// Collects all messages except the entries of maps, to which no field refers afterwards.
fn collect<'p>(
    scope: &str,
    message: &'p DescriptorProto,
    messages: &mut HashMap<String, &'p DescriptorProto>,
) {
    if is_entry(message) {
        return;
    }
    let name = join(scope, message.name.as_deref().unwrap_or_default());
    message.nested_type.iter().for_each(|nested| collect(&name, nested, messages));
    messages.insert(name, message);
}

/// The messages with such a field, or with a field of such a message.
fn holders<'p>(
    messages: &'p HashMap<String, &'p DescriptorProto>,
    is_such: impl Fn(&str, &FieldDescriptorProto) -> bool,
    is_followed: impl Fn(&FieldDescriptorProto) -> bool,
) -> HashSet<&'p str> {
    let mut holders = HashSet::new();
    loop {
        let has_one = |name: &str, message: &DescriptorProto| {
            let such = |field| is_such(name, field) || (is_followed(field) && holds(field, &holders));
            message.field.iter().any(such)
        };
        let more: Vec<&str> = messages
            .iter()
            .filter(|(name, message)| !holders.contains(name.as_str()) && has_one(name, message))
            .map(|(name, _)| name.as_str())
            .collect();
        if more.is_empty() {
            return holders;
        }
        holders.extend(more);
    }
}

/// Whether the field is a message whose type is in `holders`.
fn holds(field: &FieldDescriptorProto, holders: &HashSet<&str>) -> bool {
    let name = field.type_name.as_deref().unwrap_or_default().trim_start_matches('.');
    field.r#type == Some(Type::TYPE_MESSAGE) && holders.contains(name)
}

fn line(field: &FieldDescriptorProto) -> String {
    let how = if field.label == Some(Label::LABEL_REPEATED) { "each" } else { "one" };
    format!("{how} {};", make_field_ident(field.name.as_deref().unwrap_or_default()))
}
