//! Descriptors to schemas.
//!
//! Runs once per pool; nothing here is hot. A descriptor set may come from a peer (reflection), so nothing panics and
//! memory stays proportional to the set.

use super::{
    Cardinality, EnumDef, Field, Kind, MessageDef, Method, Pool, SchemaError, WellKnown,
    field::{BRPC, Default as FieldDefault},
    names::{Names, Numbers, brpc_name},
};
use crate::protobuf::wire::put_varint;
use buffa::{DecodeOptions, editions::ResolvedFeatures};
use buffa_descriptor::{
    features::{self, EnumType, FieldPresence, MessageEncoding, RepeatedFieldEncoding},
    generated::descriptor::{
        DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet,
        field_descriptor_proto::{Label, Type},
    },
};
use std::collections::HashMap;

/// Elements a set may decode into, in bytes. A schema of thousands of files needs more than the library's default.
const MAX_DECODED_BYTES: usize = 1 << 30;

pub(super) fn pool(bytes: &[u8]) -> Result<Pool, SchemaError> {
    let set: FileDescriptorSet = DecodeOptions::new()
        .with_element_memory_limit(MAX_DECODED_BYTES.min(bytes.len().saturating_mul(512)))
        .decode_from_slice(bytes)
        .map_err(|e| SchemaError::new(e.to_string()))?;
    let names = Collected::new(&set);
    let mut messages: Vec<MessageDef> =
        names.messages.iter().map(|m| message(m, &names)).collect::<Result<_, _>>()?;
    for index in 0..messages.len() {
        mark_map_shapes(&mut messages, index);
        order_output(&mut messages[index]);
    }
    spread(&mut messages, |m| &mut m.has_required);
    for index in 0..messages.len() {
        let below = children(&messages[index]).any(|child| messages[child].has_required);
        messages[index].required_below = below;
    }
    spread(&mut messages, |m| &mut m.can_lack_required);
    Ok(Pool {
        enums: names.enums.iter().map(|(name, e, f)| enumeration(name, e, f)).collect::<Result<_, _>>()?,
        methods: methods(&set, &names)?,
        message_names: names
            .types
            .iter()
            .filter_map(|(name, t)| match t {
                TypeIndex::Message(index) => Some((name.as_str().into(), *index)),
                TypeIndex::Enum(_) => None,
            })
            .collect(),
        messages,
        descriptor_set: bytes.into(),
    })
}

/// All types of a set under their full names, with the features that hold for them.
struct Collected<'d> {
    messages: Vec<Declared<'d>>,
    enums: Vec<(String, &'d EnumDescriptorProto, ResolvedFeatures)>,
    types: HashMap<String, TypeIndex>,
    /// By full name of the extended message.
    extensions: HashMap<String, Vec<Extension<'d>>>,
}

/// A field from outside its message: scope it was declared in, and the features there.
type Extension<'d> = (String, &'d FieldDescriptorProto, ResolvedFeatures);

struct Declared<'d> {
    name: String,
    message: &'d DescriptorProto,
    features: ResolvedFeatures,
}

#[derive(Clone, Copy)]
enum TypeIndex {
    Message(u32),
    Enum(u32),
}

impl<'d> Collected<'d> {
    fn new(set: &'d FileDescriptorSet) -> Self {
        let mut all = Collected {
            messages: Vec::new(),
            enums: Vec::new(),
            types: HashMap::new(),
            extensions: HashMap::new(),
        };
        for file in &set.file {
            let features = features::for_file(file);
            let package = file.package.as_deref().unwrap_or_default();
            file.message_type.iter().for_each(|m| all.message(package, m, &features));
            file.enum_type.iter().for_each(|e| all.enumeration(package, e, &features));
            all.extend(package, &file.extension, &features);
        }
        all
    }

    /// Recursion is bounded by the decoder, which read the nesting.
    fn message(&mut self, scope: &str, message: &'d DescriptorProto, parent: &ResolvedFeatures) {
        let name = join(scope, message.name.as_deref());
        let features = features::resolve_child(parent, features::message_features(message));
        self.types.entry(name.clone()).or_insert(TypeIndex::Message(self.messages.len() as u32));
        self.messages.push(Declared { name: name.clone(), message, features });
        message.nested_type.iter().for_each(|m| self.message(&name, m, &features));
        message.enum_type.iter().for_each(|e| self.enumeration(&name, e, &features));
        self.extend(&name, &message.extension, &features);
    }

    fn enumeration(&mut self, scope: &str, e: &'d EnumDescriptorProto, parent: &ResolvedFeatures) {
        let name = join(scope, e.name.as_deref());
        let features = features::resolve_child(parent, features::enum_features(e));
        self.types.entry(name.clone()).or_insert(TypeIndex::Enum(self.enums.len() as u32));
        self.enums.push((name, e, features));
    }

    fn extend(&mut self, scope: &str, fields: &'d [FieldDescriptorProto], features: &ResolvedFeatures) {
        for field in fields {
            let extendee = bare(field.extendee.as_deref()).to_owned();
            self.extensions.entry(extendee).or_default().push((scope.to_owned(), field, *features));
        }
    }

    fn find(&self, name: Option<&str>) -> Result<TypeIndex, SchemaError> {
        let name = bare(name);
        self.types.get(name).copied().ok_or_else(|| SchemaError::new(format!("type {name} is not in it")))
    }

    fn find_message(&self, name: Option<&str>) -> Result<u32, SchemaError> {
        match self.find(name)? {
            TypeIndex::Message(index) => Ok(index),
            TypeIndex::Enum(_) => Err(SchemaError::new(format!("{} is no message", bare(name)))),
        }
    }
}

fn join(scope: &str, name: Option<&str>) -> String {
    let name = name.unwrap_or_default();
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

fn bare(name: Option<&str>) -> &str {
    let name = name.unwrap_or_default();
    name.strip_prefix('.').unwrap_or(name)
}

fn message(declared: &Declared<'_>, all: &Collected<'_>) -> Result<MessageDef, SchemaError> {
    let Declared { name, message, features } = declared;
    let extensions = || all.extensions.get(name).into_iter().flatten();
    let mut fields =
        message.field.iter().map(|f| field(name, f, features, all)).collect::<Result<Vec<_>, _>>()?;
    for (scope, f, features) in extensions() {
        let mut extension = field(name, f, features, all)?;
        extension.extension = Some(join(scope, f.name.as_deref()).into());
        fields.push(extension);
    }
    if fields.len() >= usize::from(u16::MAX) {
        return Err(SchemaError::new(format!("{name} has {} fields", fields.len())));
    }
    let mut required = Vec::new();
    for (index, field) in (0..).zip(&mut fields) {
        if field.cardinality == Cardinality::Required {
            field.required_bit = Some(required.len() as u16);
            required.push(index);
        }
    }
    let json_names = message.field.iter().chain(extensions().map(|(_, f, _)| *f));
    let canonical = json_names.zip(0..).map(|(f, index)| (canonical_name(f), index));
    let written = || fields.iter().zip(0..).map(|(f, index)| (f.name.to_string(), index));
    let has_required = !required.is_empty();
    Ok(MessageDef {
        numbers: Numbers::new(fields.iter().map(|f| f.number)),
        names: [
            Names::new(fields.iter().zip(0..).map(|(f, index)| (brpc_name(&f.name), index))),
            Names::new(canonical.chain(written())),
        ],
        has_required,
        required_below: false,
        can_lack_required: required
            .iter()
            .any(|i: &u16| matches!(fields[usize::from(*i)].kind, Kind::Message(_) | Kind::Group(_))),
        oneofs: message.oneof_decl.len(),
        extensions: fields.len() - message.field.len(),
        required: required.into(),
        map_entry: message.options.as_option().is_some_and(|o| o.map_entry == Some(true)),
        well_known: WellKnown::of(name),
        name: name.as_str().into(),
        output: Default::default(),
        fields: fields.into(),
    })
}

/// `json_name`, which compilers always fill in, or what they would fill in.
fn canonical_name(field: &FieldDescriptorProto) -> String {
    if field.extendee.is_some() {
        return field.name.clone().unwrap_or_default();
    }
    if let Some(name) = &field.json_name {
        return name.clone();
    }
    let mut camel = String::new();
    let mut upper = false;
    for c in field.name.as_deref().unwrap_or_default().chars() {
        match c {
            '_' => upper = true,
            c if upper => {
                camel.push(c.to_ascii_uppercase());
                upper = false;
            }
            c => camel.push(c),
        }
    }
    camel
}

fn field(
    message: &str,
    field: &FieldDescriptorProto,
    scope: &ResolvedFeatures,
    all: &Collected<'_>,
) -> Result<Field, SchemaError> {
    let name = field.name.clone().unwrap_or_default();
    let wrong = |what: &str| SchemaError::new(format!("{message}.{name}: {what}"));
    let number = match field.number.map(u32::try_from) {
        Some(Ok(number @ 1..=0x1fff_ffff)) => number,
        _ => return Err(wrong("number out of range")),
    };
    let features = features::resolve_child(scope, features::field_features(field));
    let kind = kind(field, &features, all)?.ok_or_else(|| wrong("unknown type"))?;
    let cardinality = cardinality(field, &features, kind);
    let packable = !matches!(kind, Kind::String | Kind::Bytes | Kind::Message(_) | Kind::Group(_));
    let packed = cardinality == Cardinality::Repeated && packable && {
        let by_option = field.options.as_option().and_then(|o| o.packed);
        by_option.unwrap_or(features.repeated_field_encoding == RepeatedFieldEncoding::Packed)
    };
    let mut tag = Vec::new();
    put_varint(&mut tag, u64::from(number) << 3 | if packed { 2 } else { kind.wire_type() });
    let json = [brpc_name(&name), canonical_name(field)];
    Ok(Field {
        keys: json.map(|name| json_key(&name).into()),
        oneof: field
            .oneof_index
            .filter(|_| field.proto3_optional != Some(true))
            .and_then(|i| u16::try_from(i).ok()),
        default: default(field, kind, all).ok_or_else(|| wrong("bad default value"))?,
        name: name.into(),
        extension: None,
        number,
        kind,
        cardinality,
        tag: tag.into(),
        packed,
        map: [false; 2],
        required_bit: None,
    })
}

fn json_key(name: &str) -> String {
    let mut key = Vec::new();
    crate::json::put_string(&mut key, name);
    key.push(b':');
    String::from_utf8(key).unwrap_or_default()
}

fn kind(
    field: &FieldDescriptorProto,
    features: &ResolvedFeatures,
    all: &Collected<'_>,
) -> Result<Option<Kind>, SchemaError> {
    let type_name = field.type_name.as_deref();
    let Some(declared) = field.r#type else {
        // A compiler may leave it to the reader whether a name is a message or an enum.
        return match (type_name, type_name.map(|n| all.find(Some(n)))) {
            (None, _) | (_, None) => Ok(None),
            (_, Some(found)) => Ok(Some(match found? {
                TypeIndex::Message(index) => Kind::Message(index),
                TypeIndex::Enum(index) => Kind::Enum(index),
            })),
        };
    };
    Ok(Some(match declared {
        Type::TYPE_DOUBLE => Kind::Double,
        Type::TYPE_FLOAT => Kind::Float,
        Type::TYPE_INT64 => Kind::Int64,
        Type::TYPE_UINT64 => Kind::Uint64,
        Type::TYPE_INT32 => Kind::Int32,
        Type::TYPE_FIXED64 => Kind::Fixed64,
        Type::TYPE_FIXED32 => Kind::Fixed32,
        Type::TYPE_BOOL => Kind::Bool,
        Type::TYPE_STRING => Kind::String,
        Type::TYPE_BYTES => Kind::Bytes,
        Type::TYPE_UINT32 => Kind::Uint32,
        Type::TYPE_SFIXED32 => Kind::Sfixed32,
        Type::TYPE_SFIXED64 => Kind::Sfixed64,
        Type::TYPE_SINT32 => Kind::Sint32,
        Type::TYPE_SINT64 => Kind::Sint64,
        Type::TYPE_GROUP => Kind::Group(all.find_message(type_name)?),
        Type::TYPE_MESSAGE => {
            let index = all.find_message(type_name)?;
            let entry = &all.messages[index as usize].message.options;
            let is_map = entry.as_option().is_some_and(|o| o.map_entry == Some(true));
            // Maps are always length-delimited, whatever the edition's features say.
            if features.message_encoding == MessageEncoding::Delimited && !is_map {
                Kind::Group(index)
            } else {
                Kind::Message(index)
            }
        }
        Type::TYPE_ENUM => match all.find(type_name)? {
            TypeIndex::Enum(index) => Kind::Enum(index),
            TypeIndex::Message(_) => return Ok(None),
        },
    }))
}

fn cardinality(field: &FieldDescriptorProto, features: &ResolvedFeatures, kind: Kind) -> Cardinality {
    let in_oneof = field.oneof_index.is_some();
    match field.label {
        Some(Label::LABEL_REPEATED) => Cardinality::Repeated,
        Some(Label::LABEL_REQUIRED) => Cardinality::Required,
        _ if matches!(features.field_presence, FieldPresence::LegacyRequired) && !in_oneof => {
            Cardinality::Required
        }
        _ if matches!(kind, Kind::Message(_) | Kind::Group(_)) || in_oneof => Cardinality::Optional,
        _ if field.extendee.is_some() => Cardinality::Optional,
        _ if matches!(features.field_presence, FieldPresence::Implicit) => Cardinality::Implicit,
        _ => Cardinality::Optional,
    }
}

impl Kind {
    /// The wire type of one value, as it stands in a tag.
    pub(crate) fn wire_type(self) -> u64 {
        match self {
            Kind::Double | Kind::Fixed64 | Kind::Sfixed64 => 1,
            Kind::Float | Kind::Fixed32 | Kind::Sfixed32 => 5,
            Kind::String | Kind::Bytes | Kind::Message(_) => 2,
            Kind::Group(_) => 3,
            _ => 0,
        }
    }
}

/// The declared default, or the one of the type; `None` if the text does not fit the type.
fn default(field: &FieldDescriptorProto, kind: Kind, all: &Collected<'_>) -> Option<FieldDefault> {
    let text = field.default_value.as_deref();
    let bits = |value: Option<u64>| value.map(FieldDefault::Bits);
    match kind {
        Kind::String => Some(FieldDefault::Bytes(text.unwrap_or_default().as_bytes().into())),
        Kind::Bytes => {
            let bytes = crate::text::escape::unescape(text.unwrap_or_default().as_bytes())?;
            Some(FieldDefault::Bytes(bytes.into()))
        }
        Kind::Enum(index) => {
            let values = &all.enums[index as usize].1.value;
            let value = match text {
                Some(name) => values.iter().find(|v| v.name.as_deref() == Some(name))?,
                None => return bits(Some(values.first().and_then(|v| v.number).unwrap_or(0) as i64 as u64)),
            };
            bits(Some(i64::from(value.number.unwrap_or(0)) as u64))
        }
        Kind::Message(_) | Kind::Group(_) => bits(Some(0)),
        _ => match text {
            None => bits(Some(0)),
            Some(text) => bits(scalar_default(kind, text)),
        },
    }
}

fn scalar_default(kind: Kind, text: &str) -> Option<u64> {
    use crate::protobuf::wire::zigzag;
    Some(match kind {
        Kind::Double => float_default(text)?.to_bits(),
        Kind::Float => u64::from((float_default(text)? as f32).to_bits()),
        Kind::Int64 | Kind::Sfixed64 => text.parse::<i64>().ok()? as u64,
        Kind::Int32 | Kind::Sfixed32 => i64::from(text.parse::<i32>().ok()?) as u64,
        Kind::Uint64 | Kind::Fixed64 => text.parse().ok()?,
        Kind::Uint32 | Kind::Fixed32 => u64::from(text.parse::<u32>().ok()?),
        Kind::Sint64 => zigzag(text.parse().ok()?),
        Kind::Sint32 => zigzag(i64::from(text.parse::<i32>().ok()?)),
        Kind::Bool => u64::from(text.parse::<bool>().ok()?),
        Kind::String | Kind::Bytes | Kind::Enum(_) | Kind::Message(_) | Kind::Group(_) => return None,
    })
}

fn float_default(text: &str) -> Option<f64> {
    match text {
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        "nan" => Some(f64::NAN),
        _ => text.parse().ok(),
    }
}

/// brpc prints `map<string, V>`, and repeated messages with exactly `key` (string) and `value`, as objects; canonical
/// JSON prints maps as objects whatever their keys are.
fn mark_map_shapes(messages: &mut [MessageDef], index: usize) {
    for at in 0..messages[index].fields.len() {
        let field = &messages[index].fields[at];
        let (Kind::Message(child), Cardinality::Repeated) = (field.kind, field.cardinality) else { continue };
        let child = &messages[child as usize];
        let brpc = matches!(&*child.fields, [a, b]
            if &*a.name == "key" && a.kind == Kind::String && a.cardinality != Cardinality::Repeated
            && &*b.name == "value");
        let map = [brpc, child.map_entry];
        messages[index].fields[at].map = map;
    }
}

/// docs/wire/http.md, section 2: "Order out: declaration order, maps last, extensions first."
fn order_output(message: &mut MessageDef) {
    let declared = message.fields.len() - message.extensions;
    let mut brpc: Vec<u16> = (declared..message.fields.len()).chain(0..declared).map(|i| i as u16).collect();
    brpc.sort_by_key(|i| message.fields[usize::from(*i)].map[BRPC]);
    let canonical = (0..message.fields.len()).map(|i| i as u16).collect();
    message.output = [brpc.into(), canonical];
}

/// Sets a flag on every message that reaches one that has it: a fixed point, since messages may refer in circles.
fn spread(messages: &mut [MessageDef], flag: fn(&mut MessageDef) -> &mut bool) {
    let mut users = vec![Vec::new(); messages.len()];
    for (user, message) in messages.iter().enumerate() {
        children(message).for_each(|used| users[used].push(user));
    }
    let mut work: Vec<usize> = (0..messages.len()).filter(|i| *flag(&mut messages[*i])).collect();
    while let Some(index) = work.pop() {
        for user in std::mem::take(&mut users[index]) {
            if !std::mem::replace(flag(&mut messages[user]), true) {
                work.push(user);
            }
        }
    }
}

/// The messages that a message has fields of.
fn children(message: &MessageDef) -> impl Iterator<Item = usize> {
    message.fields.iter().filter_map(|field| match field.kind {
        Kind::Message(child) | Kind::Group(child) => Some(child as usize),
        _ => None,
    })
}

fn enumeration(
    name: &str,
    e: &EnumDescriptorProto,
    features: &ResolvedFeatures,
) -> Result<EnumDef, SchemaError> {
    let values = || e.value.iter().map(|v| (v.number.unwrap_or(0), v.name.clone().unwrap_or_default()));
    let mut by_number: Vec<(i32, Box<str>)> = values().map(|(n, name)| (n, name.into())).collect();
    by_number.sort_by_key(|(n, _)| *n);
    by_number.dedup_by_key(|(n, _)| *n);
    let mut by_name: Vec<(Box<str>, i32)> = values().map(|(n, name)| (name.into(), n)).collect();
    by_name.sort();
    Ok(EnumDef {
        name: name.into(),
        by_number: by_number.into(),
        by_name: by_name.into(),
        closed: matches!(features.enum_type, EnumType::Closed),
    })
}

fn methods(set: &FileDescriptorSet, names: &Collected<'_>) -> Result<Vec<Method>, SchemaError> {
    let mut methods = Vec::new();
    for file in &set.file {
        for service in &file.service {
            let service_name = join(file.package.as_deref().unwrap_or_default(), service.name.as_deref());
            for method in &service.method {
                methods.push(Method {
                    service: service_name.as_str().into(),
                    name: method.name.clone().unwrap_or_default().into(),
                    input: names.find_message(method.input_type.as_deref())?,
                    output: names.find_message(method.output_type.as_deref())?,
                    client_streaming: method.client_streaming == Some(true),
                    server_streaming: method.server_streaming == Some(true),
                });
            }
        }
    }
    Ok(methods)
}
