//! Messages, enums and their fields as JSON Schema, in the mapping of JSON that the server writes.
//!
//! | type | protobuf's mapping | brpc's mapping |
//! | --- | --- | --- |
//! | 64-bit integers | texts of digits | numbers |
//! | names of members | lowerCamelCase, or `json_name` | those of the `.proto` file |
//! | maps | objects | objects, if keys are texts; else arrays of entries |
//! | well-known types | their texts and values | messages like any other |
//! | bytes, enums | base64, names | the same, unless an option says otherwise |
//!
//! Messages and enums are components and refer to each other by name, so types within themselves need no
//! recursion here. A member that is not declared is allowed everywhere: servers ignore it.
//!
//! Source: protobuf.dev, programming-guides/json; docs/wire/http.md, section 2; JSON Schema 2020-12.

use super::{
    dialect::Dialect,
    notes::{Behavior, Notes},
    object::{Object, list, texts},
};
use polywire_formats::schema::{Cardinality, Field, Kind, MessageSchema};
use std::collections::{BTreeMap, BTreeSet};

/// How oneofs are described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Oneofs {
    /// By a sentence: what makes code of schemas handles it best.
    Said,
    /// By a constraint, exactly.
    Checked,
}

/// What an object is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Only requests have the type.
    Request,
    /// Replies as well, whose members with the value zero are not written.
    Both,
}

/// The components of a document: those that something refers to.
pub(super) struct Schemas<'s> {
    notes: &'s Notes,
    oneofs: Oneofs,
    made: BTreeMap<String, String>,
    named: BTreeSet<String>,
    /// Messages that were referred to and are not described yet.
    wanted: Vec<(String, Dialect, MessageSchema<'s>)>,
}

impl<'s> Schemas<'s> {
    pub fn new(notes: &'s Notes, oneofs: Oneofs) -> Self {
        Schemas { notes, oneofs, made: BTreeMap::new(), named: BTreeSet::new(), wanted: Vec::new() }
    }

    /// All components, ordered by their names.
    pub fn done(mut self) -> Object {
        while let Some((name, dialect, message)) = self.wanted.pop() {
            let made = match message.full_name() {
                ANY if dialect.is_canonical() => any(),
                _ => self.members(dialect, message, &[], Side::Both),
            };
            self.made.insert(name, made.done());
        }
        self.made.iter().fold(Object::new(), |all, (name, schema)| all.json(name, schema))
    }

    /// A message that is the whole body of a request. Components are for requests and replies alike, and
    /// replies lack members whose values are zero: what a request has to have is said here, beside them. Of
    /// messages further within, their members say it in words.
    pub fn request(&mut self, dialect: Dialect, message: MessageSchema<'s>) -> Object {
        let schema = self.body(dialect, message);
        match array_of(dialect, message) {
            Some(_) => schema,
            None => self.required(dialect, message, schema),
        }
    }

    /// A field that is the whole body of a request, see [`Schemas::request`].
    pub fn request_field(&mut self, dialect: Dialect, message: MessageSchema<'s>, field: &Field) -> Object {
        let schema = self.noted(dialect, message, field);
        match message.child(field).filter(|_| field.cardinality != Cardinality::Repeated) {
            Some(child) => self.required(dialect, child, schema),
            None => schema,
        }
    }

    /// The schema of a message, with the members that its notes require.
    fn required(&self, dialect: Dialect, message: MessageSchema<'_>, schema: Object) -> Object {
        let required = message.fields().iter().filter(|field| self.is_required(message, field));
        let names: Vec<_> = required.map(|field| format!("\"{}\"", field.json_name(dialect.style))).collect();
        match names.is_empty() {
            true => schema,
            false => Object::new().json("allOf", &list([schema.done()])).json("required", &list(names)),
        }
    }

    /// A message that is a whole body: brpc's mapping may write it as its only field.
    pub fn body(&mut self, dialect: Dialect, message: MessageSchema<'s>) -> Object {
        match array_of(dialect, message) {
            Some(field) => self.value(dialect, message, field),
            None => self.message(dialect, message),
        }
    }

    pub fn message(&mut self, dialect: Dialect, message: MessageSchema<'s>) -> Object {
        if dialect.is_canonical()
            && let Some(special) = self.special(dialect, message)
        {
            return special;
        }
        let name = format!("{}{}", message.full_name(), dialect.ending);
        if self.named.insert(name.clone()) {
            self.wanted.push((name.clone(), dialect, message));
        }
        reference(&name)
    }

    /// The object of a message but for these of its fields, given by their places.
    pub fn members(
        &mut self,
        dialect: Dialect,
        message: MessageSchema<'s>,
        left_out: &[usize],
        side: Side,
    ) -> Object {
        let (mut properties, mut required) = (Object::new(), Vec::new());
        // The members of each oneof.
        let mut oneofs: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
        for (index, field) in message.fields().iter().enumerate() {
            if left_out.contains(&index) {
                continue;
            }
            let name = field.json_name(dialect.style);
            let is_required = self.is_required(message, field);
            let word = if is_required && side == Side::Both { "Required in requests." } else { "" };
            let schema = self.noted_with(dialect, message, field, word);
            properties = properties.member(&format!("\"{name}\""), &schema.done());
            if field.cardinality == Cardinality::Required || is_required && side == Side::Request {
                required.push(format!("\"{name}\""));
            }
            if let Some(oneof) = field.oneof {
                oneofs.entry(oneof).or_default().push(name);
            }
        }
        oneofs.retain(|_, members| members.len() > 1);
        let note = self.notes.at(message.full_name());
        let mut about = vec![note.comment.clone()];
        if self.oneofs == Oneofs::Said {
            about.extend(oneofs.values().map(|members| format!("At most one of {}.", members.join(", "))));
        }
        about.retain(|text| !text.is_empty());
        let mut schema = Object::new().text("type", "object").said("description", &about.join("\n\n"));
        if note.deprecated {
            schema = schema.truth("deprecated");
        }
        if !properties.is_empty() {
            schema = schema.object("properties", properties);
        }
        if !required.is_empty() {
            schema = schema.json("required", &list(required));
        }
        match self.oneofs {
            Oneofs::Checked => checked(schema, oneofs.values()),
            Oneofs::Said => schema,
        }
    }

    /// Whether the field's behavior says so.
    pub fn is_required(&self, message: MessageSchema<'_>, field: &Field) -> bool {
        self.notes.at(&full_name(message, field)).has(Behavior::Required)
    }

    pub fn is_deprecated(&self, message: MessageSchema<'_>, field: &Field) -> bool {
        self.notes.at(&full_name(message, field)).deprecated
    }

    /// The value of a field with what is said of it.
    pub fn noted(&mut self, dialect: Dialect, message: MessageSchema<'s>, field: &Field) -> Object {
        self.noted_with(dialect, message, field, "")
    }

    /// As [`Schemas::noted`], with a further sentence.
    fn noted_with(
        &mut self,
        dialect: Dialect,
        message: MessageSchema<'s>,
        field: &Field,
        sentence: &str,
    ) -> Object {
        let mut schema = self.value(dialect, message, field);
        let note = self.notes.at(&full_name(message, field));
        let about = self.about(message, field);
        let all: Vec<_> = [&*about, sentence].into_iter().filter(|text| !text.is_empty()).collect();
        schema = schema.said("description", &all.join(" "));
        if note.deprecated {
            schema = schema.truth("deprecated");
        }
        if note.has(Behavior::OutputOnly) {
            schema = schema.truth("readOnly");
        }
        if note.has(Behavior::InputOnly) {
            schema = schema.truth("writeOnly");
        }
        schema
    }

    /// The comment of a field, and what else is to be known of it.
    pub fn about(&self, message: MessageSchema<'_>, field: &Field) -> String {
        let note = self.notes.at(&full_name(message, field));
        let words = [
            (Behavior::Immutable, "Immutable: it is set once."),
            (Behavior::UnorderedList, "Its order has no meaning."),
            (Behavior::NonEmptyDefault, "If it is not set, the server sets it."),
            (Behavior::Identifier, "It identifies the resource."),
        ];
        let words = words.into_iter().filter(|(behavior, _)| note.has(*behavior)).map(|(_, words)| words);
        let words = words.chain(is_float(message, field).then_some(NOT_FINITE));
        let all: Vec<_> = [&*note.comment].into_iter().chain(words).filter(|text| !text.is_empty()).collect();
        all.join(" ")
    }

    /// The value of a field: a list, a map or a single one.
    pub fn value(&mut self, dialect: Dialect, message: MessageSchema<'s>, field: &Field) -> Object {
        if field.cardinality != Cardinality::Repeated {
            return self.one(dialect, message, field);
        }
        match message.child(field).map(|entry| (entry, entry.fields())) {
            Some((entry, [key, value])) if field.is_json_object(dialect.style) => {
                let value = self.value(dialect, entry, value);
                let schema = Object::new().text("type", "object").object("additionalProperties", value);
                match keys(key.kind) {
                    Some(pattern) => schema.object("propertyNames", Object::new().text("pattern", pattern)),
                    None => schema,
                }
            }
            _ => {
                let items = self.one(dialect, message, field);
                Object::new().text("type", "array").object("items", items)
            }
        }
    }

    /// A single value of a field.
    pub fn one(&mut self, dialect: Dialect, message: MessageSchema<'s>, field: &Field) -> Object {
        let of = |kind: &str| Object::new().text("type", kind);
        let wide = |format: &str| match dialect.is_canonical() {
            true => of("string").text("format", format),
            false => of("integer").text("format", format),
        };
        match field.kind {
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => of("integer").text("format", "int32"),
            Kind::Uint32 | Kind::Fixed32 => of("integer").json("minimum", "0").json("maximum", "4294967295"),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => wide("int64"),
            Kind::Uint64 | Kind::Fixed64 if dialect.is_canonical() => wide("uint64"),
            Kind::Uint64 | Kind::Fixed64 => wide("uint64").json("minimum", "0"),
            Kind::Float => of("number").text("format", "float"),
            Kind::Double => of("number").text("format", "double"),
            Kind::Bool => of("boolean"),
            Kind::String => of("string"),
            Kind::Bytes if dialect.options().is_some_and(|options| !options.bytes_to_base64) => of("string"),
            Kind::Bytes => of("string").text("format", "byte").text("contentEncoding", "base64"),
            Kind::Enum(_) => self.enumeration(dialect, message, field),
            Kind::Message(_) | Kind::Group(_) => match message.child(field) {
                Some(child) => self.message(dialect, child),
                None => Object::new(),
            },
        }
    }

    fn enumeration(&mut self, dialect: Dialect, message: MessageSchema<'s>, field: &Field) -> Object {
        let (full_name, values) = (message.type_name(field), message.enum_values(field));
        if dialect.is_canonical() && full_name == "google.protobuf.NullValue" {
            return Object::new().text("type", "null");
        }
        let by_number = dialect.options().is_some_and(|options| options.enum_as_number);
        let name = if by_number { format!("{full_name}-number") } else { full_name.clone() };
        if self.named.insert(name.clone()) {
            let note = self.notes.at(&full_name);
            let schema = match by_number {
                false => {
                    let names = texts(values.iter().map(|(_, name)| &**name));
                    Object::new().text("type", "string").json("enum", &names)
                }
                true => {
                    let numbers = list(values.iter().map(|(number, _)| number.to_string()));
                    Object::new().text("type", "integer").json("enum", &numbers)
                }
            };
            let unknown = if by_number { "Other numbers may appear." } else { "Others appear as numbers." };
            let about = [&*note.comment, unknown].join(if note.comment.is_empty() { "" } else { "\n\n" });
            let schema = schema.text("description", &about);
            let schema = if note.deprecated { schema.truth("deprecated") } else { schema };
            self.made.insert(name.clone(), schema.done());
        }
        reference(&name)
    }

    /// A well-known type in protobuf's mapping; `None`: it is a component.
    fn special(&mut self, dialect: Dialect, message: MessageSchema<'s>) -> Option<Object> {
        let of = |kind: &str| Object::new().text("type", kind);
        if !message.is_special() {
            return None;
        }
        Some(match message.full_name().strip_prefix("google.protobuf.")? {
            "Timestamp" => of("string").text("format", "date-time"),
            "Duration" => of("string").text("pattern", r"^-?[0-9]+(\.[0-9]{1,9})?s$"),
            "FieldMask" => of("string"),
            "Struct" => of("object").truth("additionalProperties"),
            "ListValue" => of("array").object("items", Object::new()),
            "Value" => Object::new(),
            "Any" => return None,
            // A wrapper has one field.
            _ => {
                let value = message.fields().first()?;
                self.one(dialect, message, value)
            }
        })
    }
}

/// What is said of numbers with a fraction.
const NOT_FINITE: &str = "NaN, Infinity and -Infinity are texts.";

/// Whether values of a field, or those of its map or its wrapper, are numbers with a fraction.
fn is_float(message: MessageSchema<'_>, field: &Field) -> bool {
    let name = message.type_name(field);
    let value = name.strip_prefix("map<").and_then(|map| map.split_once(", "));
    let name = value.map_or(&*name, |(_, value)| value.trim_end_matches('>'));
    matches!(name, "float" | "double" | "google.protobuf.FloatValue" | "google.protobuf.DoubleValue")
}

/// The only field of a message that brpc's mapping writes in place of the message.
fn array_of<'s>(dialect: Dialect, message: MessageSchema<'s>) -> Option<&'s Field> {
    let is_array = dialect.options().is_some_and(|options| options.single_repeated_to_array);
    match message.fields() {
        [field] if is_array && field.cardinality == Cardinality::Repeated => Some(field),
        _ => None,
    }
}

const ANY: &str = "google.protobuf.Any";

fn any() -> Object {
    let properties = Object::new().object("@type", Object::new().text("type", "string"));
    let schema = Object::new().text("type", "object");
    let about = "A message of the type that its member `@type` names, with its members beside it; a type with a form of its \
                 own is the member `value`.";
    schema.text("description", about).object("properties", properties).truth("additionalProperties")
}

pub(super) fn reference(name: &str) -> Object {
    Object::new().text("$ref", &format!("#/components/schemas/{name}"))
}

fn full_name(message: MessageSchema<'_>, field: &Field) -> String {
    match &field.extension {
        Some(full_name) => full_name.to_string(),
        None => format!("{}.{}", message.full_name(), field.name),
    }
}

/// What the names of a map's members are like, if its keys are no texts.
fn keys(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::String => None,
        Kind::Bool => Some("^(true|false)$"),
        Kind::Uint32 | Kind::Uint64 | Kind::Fixed32 | Kind::Fixed64 => Some("^[0-9]+$"),
        _ => Some("^-?[0-9]+$"),
    }
}

/// Adds that of each oneof at most one member is there.
fn checked<'o>(schema: Object, oneofs: impl Iterator<Item = &'o Vec<&'o str>>) -> Object {
    let requires = |name: &&str| format!("{{\"required\":[\"{name}\"]}}");
    let mut each: Vec<String> = oneofs
        .map(|members| {
            let members: Vec<String> = members.iter().map(requires).collect();
            let none = format!("{{\"not\":{{\"anyOf\":[{}]}}}}", members.join(","));
            list([none].into_iter().chain(members))
        })
        .collect();
    match each.len() {
        0 => schema,
        1 => schema.json("oneOf", &each.remove(0)),
        _ => schema.json("allOf", &list(each.iter().map(|oneof| format!("{{\"oneOf\":{oneof}}}")))),
    }
}
