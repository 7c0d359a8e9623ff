//! Definitions as protobuf's `DebugString` prints them, which servers of brpc show: read to a descriptor set.
//!
//! ```text
//!  "shop.Item", "message Item {\n  optional .shop.Color color = 1;\n}\n"  ─► Definitions::add
//!                                                                              │ each of them
//!  FileDescriptorSet ◄─ Definitions::into_descriptor_set ◄────────────────────'
//! ```
//!
//! What the text leaves out is guessed: a message is of proto2 if its single fields have labels, otherwise of
//! proto3; a type that no text defines is an enum, whose values are numbers then. Options are skipped but
//! `json_name` and `idempotency_level`, and so are extensions.
//!
//! | file | what it is |
//! | --- | --- |
//! | `lexer.rs` | words, texts and symbols |
//! | `parser.rs` | one definition |
//! | `services.rs` | services and their methods |

mod lexer;
mod parser;
mod services;
#[cfg(test)]
mod tests;

use super::{
    SchemaError,
    bounds::{LONGEST_NAME, MOST_BYTES, MOST_FIELDS, MOST_FILES, MOST_NAMES, MOST_OTHERS, at_most, is_plain},
};
use buffa::Message;
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, FileDescriptorProto, FileDescriptorSet, OneofDescriptorProto,
    field_descriptor_proto::{Label, Type},
};
use parser::Parser;
use std::collections::HashSet;

/// Messages, enums and services, each known by its definition. They have the limits of
/// [`from_foreign_set`](super::Pool::from_foreign_set).
#[derive(Default)]
pub struct Definitions {
    /// One for each.
    files: Vec<FileDescriptorProto>,
    declared: Declared,
    bytes: usize,
}

/// What is declared so far.
#[derive(Default)]
struct Declared {
    /// Full names of messages and enums.
    types: HashSet<String>,
    /// Their bytes, and those of services, values and methods.
    names: usize,
    fields: usize,
    others: usize,
}

impl Definitions {
    /// Reads the definition of this full name. An empty text defines nothing: so `DebugString` prints the
    /// entries of maps, which are part of their message.
    ///
    /// # Errors
    /// The text is no such definition, or all together are beyond a limit; the others are of no use then.
    pub fn add(&mut self, full_name: &str, text: &str) -> Result<(), SchemaError> {
        at_most(full_name.len(), LONGEST_NAME, "bytes in a full name")?;
        if !full_name.split('.').all(is_plain) {
            return Err(SchemaError::new("a full name is not made of identifiers"));
        }
        self.bytes += text.len();
        at_most(self.bytes, MOST_BYTES, "bytes of definitions")?;
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        at_most(self.files.len() + 1, MOST_FILES, "definitions")?;
        let read = Parser::new(text, full_name, &mut self.declared).definition();
        self.files
            .push(read.map_err(|wrong| SchemaError::new(format!("definition of {full_name}: {wrong}")))?);
        Ok(())
    }

    /// Whether a message or an enum of this full name is defined, by itself or within another one.
    pub fn has_type(&self, full_name: &str) -> bool {
        self.declared.types.contains(full_name)
    }

    /// An encoded `FileDescriptorSet`. Whether the definitions fit each other is for a pool to say.
    pub fn into_descriptor_set(mut self) -> Vec<u8> {
        for file in &mut self.files {
            let is_proto3 = file.syntax.as_deref() == Some(PROTO3);
            file.message_type.iter_mut().for_each(|message| finish(message, is_proto3, &self.declared.types));
        }
        FileDescriptorSet { file: self.files, ..FileDescriptorSet::default() }.encode_to_vec()
    }
}

const PROTO3: &str = "proto3";

/// Says of the fields what can be said when all types and the syntax of the file are known. The parser has
/// limited the nesting.
fn finish(message: &mut DescriptorProto, is_proto3: bool, types: &HashSet<String>) {
    for field in &mut message.field {
        if field.r#type.is_none()
            && !field.type_name.as_deref().is_some_and(|name| types.contains(bare(name)))
        {
            (field.r#type, field.type_name) = (Some(Type::TYPE_INT32), None);
        }
        if is_proto3 && field.label == Some(Label::LABEL_OPTIONAL) {
            let name = field.name.as_ref().map(|name| format!("_{name}"));
            (field.proto3_optional, field.oneof_index) = (Some(true), Some(message.oneof_decl.len() as i32));
            message.oneof_decl.push(OneofDescriptorProto { name, ..OneofDescriptorProto::default() });
        }
    }
    message.nested_type.iter_mut().for_each(|nested| finish(nested, is_proto3, types));
}

fn bare(name: &str) -> &str {
    name.strip_prefix('.').unwrap_or(name)
}

impl Declared {
    /// Enters a message, an enum, a service, or a part of the latter two.
    fn other(&mut self, full_name: &str) -> Result<(), SchemaError> {
        self.others += 1;
        at_most(self.others, MOST_OTHERS, "messages, enums, values and methods")?;
        self.name(full_name.len())
    }

    fn type_of(&mut self, full_name: &str) -> Result<(), SchemaError> {
        self.other(full_name)?;
        self.types.insert(full_name.to_owned());
        Ok(())
    }

    fn field(&mut self, scope: &str, name: &str) -> Result<(), SchemaError> {
        self.fields += 1;
        at_most(self.fields, MOST_FIELDS, "fields")?;
        self.name(scope.len() + 1 + name.len())
    }

    fn name(&mut self, bytes: usize) -> Result<(), SchemaError> {
        at_most(bytes, LONGEST_NAME, "bytes in a full name")?;
        self.names += bytes;
        at_most(self.names, MOST_NAMES, "bytes in all names")
    }
}
