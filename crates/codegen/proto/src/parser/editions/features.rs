//! Features in the options of a file, and their places in its descriptor.

use buffa_descriptor::generated::descriptor::{
    DescriptorProto, EnumDescriptorProto, FeatureSet, FieldDescriptorProto, FileDescriptorProto,
    feature_set::{
        EnumType, FieldPresence, JsonFormat, MessageEncoding, RepeatedFieldEncoding, Utf8Validation,
    },
};
use protox::prost_reflect::prost_types::{self as parsed, UninterpretedOption};
use std::collections::HashMap;

/// Features by location: field numbers and indices, as in source locations. `[4, 0, 2, 1]` is the second
/// field of the first message.
#[derive(Default)]
pub(super) struct Features(HashMap<Vec<i32>, FeatureSet>);

/// The field numbers of descriptors, of which source locations consist.
mod place {
    pub const FILE_MESSAGE: i32 = 4;
    pub const FILE_ENUM: i32 = 5;
    pub const FILE_EXTENSION: i32 = 7;
    pub const FIELD: i32 = 2;
    pub const NESTED: i32 = 3;
    pub const ENUM: i32 = 4;
    pub const EXTENSION: i32 = 6;
    pub const ONEOF: i32 = 8;
}
use place::*;

/// The declaration that a feature is set on.
#[derive(Clone, Copy, PartialEq)]
enum On {
    File,
    Message,
    Field,
    Oneof,
    Enum,
}

fn at(place: &[i32], field: i32, index: usize) -> Vec<i32> {
    [place, &[field, index as i32]].concat()
}

impl Features {
    /// Collects the features of a file.
    ///
    /// # Errors
    /// A feature that does not exist.
    pub fn of(file: &parsed::FileDescriptorProto) -> Result<Features, String> {
        let mut features = Features::default();
        features.add(
            On::File,
            vec![],
            file.options.iter().flat_map(|options| &options.uninterpreted_option),
        )?;
        for (index, message) in file.message_type.iter().enumerate() {
            features.message(at(&[], FILE_MESSAGE, index), message)?;
        }
        for (index, of) in file.enum_type.iter().enumerate() {
            features.enumeration(at(&[], FILE_ENUM, index), of)?;
        }
        for (index, field) in file.extension.iter().enumerate() {
            features.field(at(&[], FILE_EXTENSION, index), field)?;
        }
        Ok(features)
    }

    fn message(&mut self, place: Vec<i32>, message: &parsed::DescriptorProto) -> Result<(), String> {
        self.add(
            On::Message,
            place.clone(),
            message.options.iter().flat_map(|options| &options.uninterpreted_option),
        )?;
        for (index, field) in message.field.iter().enumerate() {
            self.field(at(&place, FIELD, index), field)?;
        }
        for (index, field) in message.extension.iter().enumerate() {
            self.field(at(&place, EXTENSION, index), field)?;
        }
        for (index, oneof) in message.oneof_decl.iter().enumerate() {
            let options = oneof.options.iter().flat_map(|options| &options.uninterpreted_option);
            self.add(On::Oneof, at(&place, ONEOF, index), options)?;
        }
        for (index, of) in message.enum_type.iter().enumerate() {
            self.enumeration(at(&place, ENUM, index), of)?;
        }
        for (index, nested) in message.nested_type.iter().enumerate() {
            self.message(at(&place, NESTED, index), nested)?;
        }
        Ok(())
    }

    fn enumeration(&mut self, place: Vec<i32>, of: &parsed::EnumDescriptorProto) -> Result<(), String> {
        self.add(On::Enum, place, of.options.iter().flat_map(|options| &options.uninterpreted_option))
    }

    fn field(&mut self, place: Vec<i32>, field: &parsed::FieldDescriptorProto) -> Result<(), String> {
        self.add(On::Field, place, field.options.iter().flat_map(|options| &options.uninterpreted_option))
    }

    fn add<'o>(
        &mut self,
        on: On,
        place: Vec<i32>,
        options: impl Iterator<Item = &'o UninterpretedOption>,
    ) -> Result<(), String> {
        for option in
            options.filter(|option| option.name.first().is_some_and(|part| part.name_part == "features"))
        {
            let set = self.0.entry(place.clone()).or_default();
            match &option.name[1..] {
                [] => {
                    let text = option.aggregate_value.as_deref().unwrap_or_default();
                    // A part in brackets belongs to a single language.
                    let text = text.split('[').next().unwrap_or_default();
                    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    let words: Vec<&str> =
                        text.split(|c| !in_word(c)).filter(|word| !word.is_empty()).collect();
                    for pair in words.chunks_exact(2) {
                        set_feature(on, set, pair[0], pair[1])?;
                    }
                }
                [feature] if !feature.is_extension => {
                    let value = option.identifier_value.as_deref().unwrap_or_default();
                    set_feature(on, set, &feature.name_part, value)?;
                }
                _ => {} // a feature of the runtime of another language
            }
        }
        Ok(())
    }

    /// Adds the features to the descriptor.
    ///
    /// # Errors
    /// If a feature has a value that does not exist.
    pub fn apply(&self, file: &mut FileDescriptorProto) -> Result<(), String> {
        if let Some(set) = self.0.get(&vec![]) {
            file.options.get_or_insert_default().features = set.clone().into();
        }
        file.message_type
            .iter_mut()
            .enumerate()
            .for_each(|(i, m)| self.apply_message(at(&[], FILE_MESSAGE, i), m));
        file.enum_type.iter_mut().enumerate().for_each(|(i, e)| self.apply_enum(at(&[], FILE_ENUM, i), e));
        file.extension
            .iter_mut()
            .enumerate()
            .for_each(|(i, f)| self.apply_field(at(&[], FILE_EXTENSION, i), f));
        let name = file.name.as_deref().unwrap_or_default();
        match first_wrong(file) {
            Some(wrong) => Err(format!("{name}: {wrong}")),
            None => Ok(()),
        }
    }

    fn apply_message(&self, place: Vec<i32>, message: &mut DescriptorProto) {
        if let Some(set) = self.0.get(&place) {
            message.options.get_or_insert_default().features = set.clone().into();
        }
        message.field.iter_mut().enumerate().for_each(|(i, f)| self.apply_field(at(&place, FIELD, i), f));
        message
            .extension
            .iter_mut()
            .enumerate()
            .for_each(|(i, f)| self.apply_field(at(&place, EXTENSION, i), f));
        for (index, oneof) in message.oneof_decl.iter_mut().enumerate() {
            if let Some(set) = self.0.get(&at(&place, ONEOF, index)) {
                oneof.options.get_or_insert_default().features = set.clone().into();
            }
        }
        message.enum_type.iter_mut().enumerate().for_each(|(i, e)| self.apply_enum(at(&place, ENUM, i), e));
        message
            .nested_type
            .iter_mut()
            .enumerate()
            .for_each(|(i, m)| self.apply_message(at(&place, NESTED, i), m));
    }

    fn apply_enum(&self, place: Vec<i32>, of: &mut EnumDescriptorProto) {
        if let Some(set) = self.0.get(&place) {
            of.options.get_or_insert_default().features = set.clone().into();
        }
    }

    fn apply_field(&self, place: Vec<i32>, field: &mut FieldDescriptorProto) {
        if let Some(set) = self.0.get(&place) {
            field.options.get_or_insert_default().features = set.clone().into();
        }
    }
}

/// Refuses an open enum that does not begin with 0. "The first value of an open enum must be zero". Closed
/// ones need not, as in proto2.
fn first_wrong(file: &FileDescriptorProto) -> Option<String> {
    let closed = |features: Option<&FeatureSet>, above: bool| {
        features.and_then(|set| set.enum_type).map_or(above, |enum_type| enum_type == EnumType::CLOSED)
    };
    let of_file = closed(file.options.as_option().and_then(|options| options.features.as_option()), false);
    let wrong = |of: &EnumDescriptorProto| {
        let is_closed =
            closed(of.options.as_option().and_then(|options| options.features.as_option()), of_file);
        let first = of.value.first().and_then(|value| value.number).unwrap_or_default();
        (!is_closed && first != 0).then(|| {
            let name = of.name.as_deref().unwrap_or_default();
            format!("the first value of the open enum `{name}` is not 0")
        })
    };
    let mut messages: Vec<&DescriptorProto> = file.message_type.iter().collect();
    let mut found = file.enum_type.iter().find_map(&wrong);
    while let Some(message) = messages.pop() {
        found = found.or_else(|| message.enum_type.iter().find_map(&wrong));
        messages.extend(&message.nested_type);
    }
    found
}

fn set_feature(on: On, set: &mut FeatureSet, feature: &str, value: &str) -> Result<(), String> {
    use On::{Enum, Field, File, Message};
    let (places, known): (&[On], bool) = match feature {
        "field_presence" => (&[File, Field], chosen(&mut set.field_presence, value)),
        "enum_type" => (&[File, Enum], chosen(&mut set.enum_type, value)),
        "repeated_field_encoding" => (&[File, Field], chosen(&mut set.repeated_field_encoding, value)),
        "utf8_validation" => (&[File, Field], chosen(&mut set.utf8_validation, value)),
        "message_encoding" => (&[File, Field], chosen(&mut set.message_encoding, value)),
        "json_format" => (&[File, Message, Enum], chosen(&mut set.json_format, value)),
        // They concern the text of the file and do not affect generated code.
        "enforce_naming_style" | "default_symbol_visibility" => (&[], true),
        _ => (&[], false),
    };
    match known {
        false => Err(format!("`features.{feature} = {value}` is not a known feature")),
        true if places.is_empty() || places.contains(&on) => Ok(()),
        true => Err(format!("`features.{feature} = {value}` is set where this feature does not apply")),
    }
}

fn chosen<E: Value>(to: &mut Option<E>, value: &str) -> bool {
    *to = E::named(value);
    to.is_some()
}

trait Value: Sized {
    fn named(name: &str) -> Option<Self>;
}

macro_rules! values {
    ($($type:ident: $($value:ident)*;)*) => {$(
        impl Value for $type {
            fn named(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($value) => Some($type::$value),)*
                    _ => None,
                }
            }
        }
    )*};
}

values! {
    FieldPresence: EXPLICIT IMPLICIT LEGACY_REQUIRED;
    EnumType: OPEN CLOSED;
    RepeatedFieldEncoding: PACKED EXPANDED;
    Utf8Validation: VERIFY NONE;
    MessageEncoding: LENGTH_PREFIXED DELIMITED;
    JsonFormat: ALLOW LEGACY_BEST_EFFORT;
}
