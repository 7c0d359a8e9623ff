//! Types in readable form: in the syntax of `.proto` files, and the names for a form of a message.
//!
//! Not here: options and comments, which descriptors of a running program do not have.

use crate::json::Style;

use super::{Cardinality, Field, Kind, MessageSchema, Pool, field::WellKnown};
use std::{collections::BTreeMap, fmt::Write};

impl Pool {
    /// All messages, in the order of their names, without map entries.
    pub fn messages(&self) -> impl Iterator<Item = MessageSchema<'_>> {
        let ordered: BTreeMap<&str, usize> =
            self.messages.iter().enumerate().map(|(at, message)| (&*message.name, at)).collect();
        let messages = ordered.into_values().map(|at| self.at(at as u32));
        messages.filter(|message| !message.def.map_entry)
    }

    /// The full names of all enums.
    pub fn enums(&self) -> impl Iterator<Item = &str> {
        self.enums.iter().map(|one| &*one.name)
    }

    /// The definition of the enum with this full name, in the syntax of `.proto` files.
    pub fn enum_definition(&self, full_name: &str) -> Option<String> {
        let found = self.enums.iter().find(|one| *one.name == *full_name)?;
        let mut text = format!("enum {} {{\n", found.name);
        for (number, name) in &found.by_number {
            let _ = writeln!(text, "  {name} = {number};"); // writing to a string does not fail
        }
        Some(text + "}\n")
    }
}

impl Field {
    /// The name of the field's member in JSON, as it stands between quotes: with escapes, if it needs any.
    pub fn json_name(&self, style: Style) -> &str {
        let key = &*self.keys[style.index()];
        key.strip_prefix('"').and_then(|key| key.strip_suffix("\":")).unwrap_or(key)
    }

    /// Whether JSON writes the field as an object of its entries: a map, and in brpc's style a repeated
    /// message with the shape of an entry; there maps are only so if their keys are strings.
    pub fn is_json_object(&self, style: Style) -> bool {
        self.map[style.index()]
    }
}

impl<'p> MessageSchema<'p> {
    /// The fields that are declared inside the message, without extensions.
    pub fn declared_fields(self) -> &'p [Field] {
        self.declared()
    }

    /// Names of the values of an enum field, in the order of their numbers; empty for other fields.
    pub fn enum_names(self, field: &Field) -> Vec<&'p str> {
        let Kind::Enum(index) = field.kind else { return Vec::new() };
        self.pool().enums[index as usize].by_number.iter().map(|(_, name)| &**name).collect()
    }

    /// The values of an enum field by number, with the first name of each; empty for other fields.
    pub fn enum_values(self, field: &Field) -> &'p [(i32, Box<str>)] {
        let Kind::Enum(index) = field.kind else { return &[] };
        &self.pool().enums[index as usize].by_number
    }

    /// Key and value of a field that is a map.
    pub fn map_entry(self, field: &Field) -> Option<(&'p Field, &'p Field)> {
        let entry = self.child(field).filter(|entry| entry.def().map_entry)?;
        Some((entry.field_by_number(1)?.1, entry.field_by_number(2)?.1))
    }

    /// Whether the message has a special JSON form, such as a text for a time.
    pub fn is_special(self) -> bool {
        self.def().well_known != WellKnown::No
    }

    /// The type of a field as `.proto` files have it: `string`, `shop.Item`, `map<string, int32>`.
    pub fn type_name(self, field: &Field) -> String {
        if let (Some((key, value)), Some(entry)) = (self.map_entry(field), self.child(field)) {
            return format!("map<{}, {}>", entry.type_name(key), entry.type_name(value));
        }
        let name = match field.kind {
            Kind::Double => "double",
            Kind::Float => "float",
            Kind::Int64 => "int64",
            Kind::Uint64 => "uint64",
            Kind::Int32 => "int32",
            Kind::Fixed64 => "fixed64",
            Kind::Fixed32 => "fixed32",
            Kind::Bool => "bool",
            Kind::String => "string",
            Kind::Bytes => "bytes",
            Kind::Uint32 => "uint32",
            Kind::Sfixed32 => "sfixed32",
            Kind::Sfixed64 => "sfixed64",
            Kind::Sint32 => "sint32",
            Kind::Sint64 => "sint64",
            Kind::Enum(index) => &self.pool().enums[index as usize].name,
            Kind::Message(index) | Kind::Group(index) => &self.pool().messages[index as usize].name,
        };
        name.to_owned()
    }

    /// The definition in the syntax of `.proto` files, with full names of types and without options.
    pub fn definition(self) -> String {
        let mut text = format!("message {} {{\n", self.full_name());
        let mut open = None;
        for field in self.declared() {
            if open != field.oneof {
                text.push_str(if open.is_some() { "  }\n" } else { "" });
                text.push_str(if field.oneof.is_some() { "  oneof {\n" } else { "" });
                open = field.oneof;
            }
            let word = match field.cardinality {
                _ if field.oneof.is_some() || self.map_entry(field).is_some() => "",
                Cardinality::Implicit => "",
                // That a message may be absent goes without saying.
                Cardinality::Optional if self.child(field).is_some() => "",
                Cardinality::Optional => "optional ",
                Cardinality::Required => "required ",
                Cardinality::Repeated => "repeated ",
            };
            let indent = if field.oneof.is_some() { "    " } else { "  " };
            let (type_name, name, number) = (self.type_name(field), &field.name, field.number);
            // writing to a string does not fail
            let _ = writeln!(text, "{indent}{word}{type_name} {name} = {number};");
        }
        text.push_str(if open.is_some() { "  }\n" } else { "" });
        text + "}\n"
    }
}
