//! What descriptors say of names beside types: comments, `deprecated`, `google.api.field_behavior`.
//!
//! Descriptors of generated code have no comments; those of other origin may.
//!
//! Source: google/api/field_behavior.proto; google.aip.dev/192, "Internal comments".

use polywire_formats::{
    generated::{
        buffa::{ExtensionSet, UnknownFieldData},
        buffa_descriptor::generated::descriptor::{
            DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
            ServiceDescriptorProto,
        },
        file_descriptors,
    },
    schema::Pool,
};
use std::{collections::HashMap, sync::Arc};

/// Number of `google.api.field_behavior` among the options of fields.
const FIELD_BEHAVIOR: u32 = 1052;

/// What is said of one name.
#[derive(Clone, Debug, Default)]
pub(super) struct Note {
    pub comment: String,
    pub deprecated: bool,
    /// Values of `google.api.FieldBehavior`.
    pub behaviors: Vec<u64>,
}

/// What is said of services, methods, messages, fields and enums, by their full names.
#[derive(Default)]
pub(super) struct Notes {
    by_name: HashMap<String, Note>,
    none: Note,
}

impl Note {
    pub fn has(&self, behavior: Behavior) -> bool {
        self.behaviors.contains(&(behavior as u64))
    }

    /// The first paragraph of the comment.
    pub fn summary(&self) -> &str {
        self.comment.split("\n\n").next().unwrap_or_default()
    }

    /// The comment without its first paragraph.
    pub fn rest(&self) -> &str {
        self.comment.split_once("\n\n").map_or("", |(_, rest)| rest.trim())
    }
}

/// `google.api.FieldBehavior`.
#[derive(Clone, Copy)]
pub(super) enum Behavior {
    Required = 2,
    OutputOnly = 3,
    InputOnly = 4,
    Immutable = 5,
    UnorderedList = 6,
    NonEmptyDefault = 7,
    Identifier = 8,
}

impl Notes {
    pub fn of(pools: &[Arc<Pool>]) -> Notes {
        let mut notes = Notes::default();
        for file in pools.iter().flat_map(|pool| file_descriptors(pool.descriptor_set())) {
            Reading { notes: &mut notes, comments: comments(&file) }.file(&file);
        }
        notes
    }

    pub fn at(&self, full_name: &str) -> &Note {
        self.by_name.get(full_name).unwrap_or(&self.none)
    }
}

/// Reads the notes of a file. Places are the paths of its source locations: numbers of the fields of
/// descriptors, each with an index.
struct Reading<'n> {
    notes: &'n mut Notes,
    comments: HashMap<Vec<i32>, String>,
}

impl Reading<'_> {
    fn file(&mut self, file: &FileDescriptorProto) {
        let scope = file.package.as_deref().unwrap_or_default();
        let deprecated = file.options.as_option().is_some_and(|options| options.deprecated == Some(true));
        for (index, message) in (0..).zip(&file.message_type) {
            self.message(scope, &[4, index], message, deprecated);
        }
        for (index, each) in (0..).zip(&file.enum_type) {
            self.enumeration(scope, &[5, index], each, deprecated);
        }
        for (index, service) in (0..).zip(&file.service) {
            self.service(scope, &[6, index], service, deprecated);
        }
        for (index, field) in (0..).zip(&file.extension) {
            self.field(scope, &[7, index], field);
        }
    }

    fn message(&mut self, scope: &str, place: &[i32], message: &DescriptorProto, deprecated: bool) {
        let own = message.options.as_option().is_some_and(|options| options.deprecated == Some(true));
        let full = self.note(scope, place, message.name.as_deref(), own || deprecated, Vec::new());
        for (index, field) in (0..).zip(&message.field) {
            self.field(&full, &below(place, 2, index), field);
        }
        for (index, nested) in (0..).zip(&message.nested_type) {
            self.message(&full, &below(place, 3, index), nested, own || deprecated);
        }
        for (index, nested) in (0..).zip(&message.enum_type) {
            self.enumeration(&full, &below(place, 4, index), nested, own || deprecated);
        }
        for (index, field) in (0..).zip(&message.extension) {
            self.field(&full, &below(place, 6, index), field);
        }
    }

    fn field(&mut self, scope: &str, place: &[i32], field: &FieldDescriptorProto) {
        let options = field.options.as_option();
        let deprecated = options.is_some_and(|options| options.deprecated == Some(true));
        let mut behaviors = Vec::new();
        for option in options.into_iter().flat_map(|options| options.unknown_fields().iter()) {
            match &option.data {
                UnknownFieldData::Varint(behavior) if option.number == FIELD_BEHAVIOR => {
                    behaviors.push(*behavior);
                }
                // The values are small: each is a byte where they are packed.
                UnknownFieldData::LengthDelimited(packed) if option.number == FIELD_BEHAVIOR => {
                    behaviors.extend(packed.iter().map(|byte| u64::from(*byte)));
                }
                _ => {}
            }
        }
        self.note(scope, place, field.name.as_deref(), deprecated, behaviors);
    }

    fn enumeration(&mut self, scope: &str, place: &[i32], each: &EnumDescriptorProto, deprecated: bool) {
        let own = each.options.as_option().is_some_and(|options| options.deprecated == Some(true));
        self.note(scope, place, each.name.as_deref(), own || deprecated, Vec::new());
    }

    fn service(&mut self, scope: &str, place: &[i32], service: &ServiceDescriptorProto, deprecated: bool) {
        let own = service.options.as_option().is_some_and(|options| options.deprecated == Some(true));
        let deprecated = own || deprecated;
        let full = self.note(scope, place, service.name.as_deref(), deprecated, Vec::new());
        for (index, method) in (0..).zip(&service.method) {
            let own = method.options.as_option().is_some_and(|options| options.deprecated == Some(true));
            let place = below(place, 2, index);
            self.note(&full, &place, method.name.as_deref(), own || deprecated, Vec::new());
        }
    }

    /// Keeps what is said of a name, if anything is; returns the full name.
    fn note(
        &mut self,
        scope: &str,
        place: &[i32],
        name: Option<&str>,
        deprecated: bool,
        behaviors: Vec<u64>,
    ) -> String {
        let name = name.unwrap_or_default();
        let full = if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") };
        let comment = self.comments.get(place).cloned().unwrap_or_default();
        if deprecated || !comment.is_empty() || !behaviors.is_empty() {
            self.notes.by_name.entry(full.clone()).or_insert(Note { comment, deprecated, behaviors });
        }
        full
    }
}

fn below(place: &[i32], number: i32, index: i32) -> Vec<i32> {
    [place, &[number, index]].concat()
}

fn comments(file: &FileDescriptorProto) -> HashMap<Vec<i32>, String> {
    let locations = file.source_code_info.as_option().map_or(&[][..], |info| &info.location);
    let commented = locations.iter().filter_map(|location| {
        let text = public(location.leading_comments.as_deref()?);
        (!text.is_empty()).then(|| (location.path.clone(), text))
    });
    commented.collect()
}

/// A comment without its margins and without its internal parts, `(-- like this --)`.
fn public(comment: &str) -> String {
    let (mut text, mut rest) = (String::new(), comment);
    while let Some((before, inside)) = rest.split_once("(--") {
        text.push_str(before);
        rest = inside.split_once("--)").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let lines: Vec<_> = text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_lose_margins_and_internal_parts() {
        assert_eq!(public(" One.\n\n Two\n  three.\n"), "One.\n\nTwo\n three.");
        assert_eq!(public(" Seen. (-- not\n seen --) Seen again.\n"), "Seen.  Seen again.");
        assert_eq!(public(" (-- never closed"), "");
        assert_eq!(public(""), "");
        let note = Note { comment: public(" One.\n\n Two.\n\n Three."), ..Note::default() };
        assert_eq!((note.summary(), note.rest()), ("One.", "Two.\n\nThree."));
    }
}
