//! The fields that generated code writes and reads as mcpack: one line per field, for the macro `packed!` of
//! the runtime.
//!
//! A message, and every message that contains it, is converted by its descriptor all the same, if it has
//! - a oneof, or a message from elsewhere (Google's own, `extern_path`): mcpack has no names for the one, and
//!   there is no generated code for the other;
//! - a repeated message of `key` and `value` that is not a map, which mcpack writes as one;
//! - a required field after the first 64; or if its file is of an edition.
//!
//! Source: docs/wire/mcpack.md, "Protobuf mapping"

use super::{Text, paths::path, typed::Typed};
use crate::{
    Config,
    model::{Renamed, in_oneof, is_entry, join},
};
use buffa::{ExtensionSet, UnknownFieldData};
use buffa_codegen::{context::CodeGenContext, idents::make_field_ident};
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, FieldDescriptorProto,
    field_descriptor_proto::{Label, Type},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The messages and enums with generated code.
#[derive(Default)]
pub(super) struct Packed {
    /// By full name, the arguments of `packed!` after the type: those before the fields, and one line for
    /// each field.
    messages: HashMap<String, (String, Vec<String>)>,
    /// Paths by package of enums that cannot hold unknown numbers.
    enums: HashMap<String, Vec<String>>,
}

impl Packed {
    pub fn of(config: &Config, typed: &Typed<'_>, context: &CodeGenContext<'_>, renamed: &Renamed) -> Packed {
        if !config.mcpack || config.unknown_fields {
            return Packed::default();
        }
        let (mut types, mut packed) = (Types::of(renamed), Packed::default());
        for file in typed.declared.wanted_files().filter(|f| f.syntax.as_deref() != Some("editions")) {
            let package = file.package.as_deref().unwrap_or_default();
            file.enum_type.iter().for_each(|e| types.add_enum(package, package, e.name.as_deref()));
            file.message_type.iter().for_each(|m| types.add(package, package, m));
        }
        for (name, package) in types.enums.iter().filter(|(name, _)| types.is_closed(context, name)) {
            let path = path(context, renamed, name, package);
            packed.enums.entry((*package).to_owned()).or_default().extend(path);
        }
        packed.enums.values_mut().for_each(|paths| paths.sort());
        let names = types.packed(context);
        let arguments = |name: &str| types.arguments(name, &typed.changed);
        packed.messages = names.into_iter().map(|name| (name.to_owned(), arguments(name))).collect();
        packed
    }

    pub fn enums(&self, text: &mut Text, runtime: &str, package: &str) {
        for path in self.enums.get(package).into_iter().flatten() {
            text.line(format!("{runtime}::generated::packed_enum!({path});"));
        }
    }

    pub fn contains(&self, message: &str) -> bool {
        self.messages.contains_key(message)
    }

    pub fn message(&self, text: &mut Text, runtime: &str, path: &str, name: &str) {
        let (front, fields) = &self.messages[name];
        text.line(format!("{runtime}::generated::packed!({path}, {front}, {{"));
        text.indented(|text| text.lines(fields));
        text.line("});");
    }
}

/// Messages and enums for which code is generated, by full name.
struct Types<'p> {
    renamed: &'p Renamed,
    messages: HashMap<String, &'p DescriptorProto>,
    /// The package of each enum.
    enums: HashMap<String, &'p str>,
}

impl<'p> Types<'p> {
    fn of(renamed: &'p Renamed) -> Self {
        Types { renamed, messages: HashMap::new(), enums: HashMap::new() }
    }

    fn is_closed(&self, context: &CodeGenContext<'_>, name: &str) -> bool {
        // An unknown one belongs to Google or to another crate.
        context.is_enum_closed(&format!(".{}", self.renamed.full(name))).unwrap_or(true)
    }

    fn add(&mut self, package: &'p str, scope: &str, message: &'p DescriptorProto) {
        let name = join(scope, message.name.as_deref().unwrap_or_default());
        message.enum_type.iter().for_each(|e| self.add_enum(package, &name, e.name.as_deref()));
        message.nested_type.iter().for_each(|m| self.add(package, &name, m));
        self.messages.insert(name, message);
    }

    fn add_enum(&mut self, package: &'p str, scope: &str, name: Option<&str>) {
        self.enums.insert(join(scope, name.unwrap_or_default()), package);
    }

    /// The messages in which every field can be packed: starts with all and removes those that have another
    /// field, until nothing changes.
    fn packed(&self, context: &CodeGenContext<'_>) -> HashSet<&str> {
        let mut names: HashSet<&str> = self.messages.keys().map(String::as_str).collect();
        loop {
            let kept: HashSet<&str> = names
                .iter()
                .copied()
                .filter(|name| {
                    let fields = self.messages[*name].field.iter().enumerate();
                    fields.into_iter().all(|(at, field)| self.can_pack(at, field, &names, context))
                })
                .collect();
            if kept.len() == names.len() {
                return kept;
            }
            names = kept;
        }
    }

    fn arguments(&self, name: &str, changed: &BTreeMap<String, String>) -> (String, Vec<String>) {
        let field = |declared: &'p FieldDescriptorProto| {
            let mut field = Field::of(declared);
            let of = declared.type_name.as_deref().unwrap_or_default().trim_start_matches('.');
            let is_map = self.messages.get(of).is_some_and(|message| is_entry(message));
            let as_bytes = changed.contains_key(&join(name, field.name))
                || is_map && changed.contains_key(&join(of, "value"));
            // Generated code would write bytes as binary. The options of a map have no meaning.
            field.idl_type = match (as_bytes, field.idl_type) {
                (true, 0) => STRING,
                (true, _) if is_map => STRING,
                (false, _) if is_map => 0,
                (_, said) => said,
            };
            field
        };
        arguments(&self.messages[name].field.iter().map(field).collect::<Vec<_>>())
    }

    fn can_pack(
        &self,
        at: usize,
        field: &FieldDescriptorProto,
        names: &HashSet<&str>,
        context: &CodeGenContext<'_>,
    ) -> bool {
        let late = field.label == Some(Label::LABEL_REQUIRED) && at >= REQUIRED_BITS;
        let name = field.type_name.as_deref().unwrap_or_default().trim_start_matches('.');
        let fits = match field.r#type {
            Some(Type::TYPE_ENUM) => self.enums.contains_key(name) || !self.is_closed(context, name),
            Some(Type::TYPE_MESSAGE | Type::TYPE_GROUP) => {
                let repeated = field.label == Some(Label::LABEL_REPEATED);
                names.contains(name) && !(repeated && is_pair(self.messages[name]))
            }
            _ => true,
        };
        fits && !in_oneof(field) && !late
    }
}

/// Number of bits of `Members::REQUIRED`.
const REQUIRED_BITS: usize = 64;

/// Whether a message has the shape of a map's entry without being one: `key` (string) and `value`.
fn is_pair(message: &DescriptorProto) -> bool {
    let names = message.field.iter().map(|f| f.name.as_deref().unwrap_or_default());
    !is_entry(message) && names.eq(["key", "value"]) && message.field[0].r#type == Some(Type::TYPE_STRING)
}

/// Arguments of `packed!` for these fields.
fn arguments(fields: &[Field<'_>]) -> (String, Vec<String>) {
    let required =
        fields.iter().enumerate().filter(|(_, f)| f.required).fold(0u64, |bits, (at, _)| bits | 1 << at);
    let mut by_name: Vec<usize> = (0..fields.len()).collect();
    by_name.sort_by_key(|at| (fields[*at].member.len(), fields[*at].member.as_bytes()));
    by_name.dedup_by_key(|at| &fields[*at].member);
    let lines = fields.iter().enumerate().map(|(at, field)| field.line(at)).collect();
    (format!("required {required:#b}, by_name {by_name:?}"), lines)
}

/// A field with its options of `idl_options.proto`. The descriptor path reads these options too, but build
/// scripts do not depend on it.
struct Field<'p> {
    name: &'p str,
    member: String,
    idl_type: u8,
    on: bool,
    required: bool,
}

impl<'p> Field<'p> {
    fn of(field: &'p FieldDescriptorProto) -> Self {
        let name = field.name.as_deref().unwrap_or_default();
        let required = field.label == Some(Label::LABEL_REQUIRED);
        let mut made = Field { name, member: name.to_owned(), idl_type: 0, on: false, required };
        let Some(options) = field.options.as_option() else { return made };
        for option in options.unknown_fields().iter() {
            match (option.number, &option.data) {
                (IDL_TYPE, UnknownFieldData::Varint(kind)) => {
                    made.idl_type = u8::try_from(*kind).unwrap_or_default();
                }
                (IDL_ON, UnknownFieldData::Varint(on)) => made.on = *on as i32 != 0,
                (IDL_NAME, UnknownFieldData::LengthDelimited(text)) => {
                    let text = std::str::from_utf8(text).ok().filter(|text| !text.is_empty());
                    made.member = text.unwrap_or(name).to_owned();
                }
                _ => {}
            }
        }
        made
    }

    fn line(&self, at: usize) -> String {
        let Field { name, member, idl_type, on, required } = self;
        format!("{at}: {member:?} {} [{idl_type} {on} {required}];", make_field_ident(name))
    }
}

/// The value of `idl_type` for strings.
const STRING: u8 = 13;

const IDL_TYPE: u32 = 91001;
const IDL_ON: u32 = 91002;
const IDL_NAME: u32 = 91003;
