//! Converts descriptors to schemas: pools and messages here, fields in `field.rs`.
//!
//! Runs once per pool; nothing here is hot. A descriptor set may come from a peer (reflection), so nothing
//! panics and memory is proportional to the set.

mod field;

use super::{
    BRPC, CANONICAL, Cardinality, EnumDef, Idempotency, Kind, MessageDef, Method, Pool, SchemaError,
    WellKnown,
    names::{Names, Numbers, brpc_name},
};
use buffa::{DecodeOptions, ExtensionSet, UnknownFieldData, editions::ResolvedFeatures};
use buffa_descriptor::{
    features::{self, EnumType},
    generated::descriptor::{
        DescriptorProto, Edition, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
        FileDescriptorSet, MethodDescriptorProto, method_options::IdempotencyLevel,
    },
};
use field::{canonical_name, field, json_key};
use polywire_base::Sort;
use std::collections::HashMap;

/// Limit in bytes of the elements that a set may decode into. A schema of thousands of files needs more than
/// the library's default.
pub(super) const MAX_DECODED_BYTES: usize = 1 << 30;

/// The number of `google.api.http` among the options of methods. Source: `google/api/annotations.proto`
const HTTP: u32 = 72_295_728;

pub(super) fn pool(bytes: &[u8], most: usize) -> Result<Pool, SchemaError> {
    let set: FileDescriptorSet = DecodeOptions::new()
        .with_element_memory_limit(most.min(bytes.len().saturating_mul(512)))
        .decode_from_slice(bytes)
        .map_err(|e| SchemaError::new(e.to_string()))?;
    set.file.iter().try_for_each(known_edition)?;
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
    let methods = methods(&set, &names)?;
    let mut method_names: HashMap<Box<str>, HashMap<Box<str>, u32>> = HashMap::new();
    for (place, method) in (0..).zip(&methods) {
        let service = method_names.entry(method.service.clone()).or_default();
        service.entry(method.name.clone()).or_insert(place);
    }
    Ok(Pool {
        enums: names.enums.iter().map(|(name, e, f)| enumeration(name, e, f)).collect::<Result<_, _>>()?,
        methods,
        method_names,
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

/// Features of editions that do not exist yet may change how fields are encoded.
fn known_edition(file: &FileDescriptorProto) -> Result<(), SchemaError> {
    let known = matches!(file.edition, Some(Edition::EDITION_2023 | Edition::EDITION_2024));
    if file.syntax.as_deref() != Some("editions") || known {
        return Ok(());
    }
    let name = file.name.as_deref().unwrap_or_default();
    Err(SchemaError::new(format!("{name}: its edition is unknown; 2023 and 2024 are supported")))
}

/// All types of a set by full name, with the features that apply to them.
struct Collected<'d> {
    messages: Vec<Declared<'d>>,
    enums: Vec<(String, &'d EnumDescriptorProto, ResolvedFeatures)>,
    /// The numbers of their values by name: as many fields as there are values may have one as their default.
    numbers: Vec<HashMap<&'d str, i32>>,
    types: HashMap<String, TypeIndex>,
    /// The extensions by the full name of the extended message.
    extensions: HashMap<String, Vec<Extension<'d>>>,
}

/// An extension field: the scope in which it was declared, the field, and the features there.
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
            numbers: Vec::new(),
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

    /// The decoder has limited the nesting, and thus the recursion.
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
        let mut numbers = HashMap::with_capacity(e.value.len());
        for value in &e.value {
            numbers.entry(value.name.as_deref().unwrap_or_default()).or_insert(value.number.unwrap_or(0));
        }
        self.numbers.push(numbers);
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
            TypeIndex::Enum(_) => Err(SchemaError::new(format!("{} is not a message", bare(name)))),
        }
    }
}

fn join(scope: &str, name: Option<&str>) -> String {
    let name = name.unwrap_or_default();
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

/// The name of an extension in canonical JSON.
fn bracketed(full_name: &str) -> String {
    format!("[{full_name}]")
}

fn bare(name: Option<&str>) -> &str {
    let name = name.unwrap_or_default();
    name.strip_prefix('.').unwrap_or(name)
}

fn message(declared: &Declared<'_>, all: &Collected<'_>) -> Result<MessageDef, SchemaError> {
    let Declared { name, message, features } = declared;
    let is_declared = |oneof: i32| usize::try_from(oneof).is_ok_and(|oneof| oneof < message.oneof_decl.len());
    if let Some(f) = message.field.iter().find(|f| f.oneof_index.is_some_and(|oneof| !is_declared(oneof))) {
        let field = f.name.as_deref().unwrap_or_default();
        return Err(SchemaError::new(format!("{name}.{field}: of a oneof that is not declared")));
    }
    let map_entry = message.options.as_option().is_some_and(|o| o.map_entry == Some(true));
    let extensions = || all.extensions.get(name).into_iter().flatten();
    let mut fields = message
        .field
        .iter()
        .map(|f| field(name, f, features, map_entry, all))
        .collect::<Result<Vec<_>, _>>()?;
    for (scope, f, features) in extensions() {
        let mut extension = field(name, f, features, false, all)?;
        extension.oneof = None; // it has none, and those of its scope are not those of the message
        let full = join(scope, f.name.as_deref());
        extension.keys[CANONICAL] = json_key(&bracketed(&full)).into();
        extension.extension = Some(full.into());
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
    let own = message.field.iter().map(canonical_name);
    let extended = extensions().map(|(scope, f, _)| bracketed(&join(scope, f.name.as_deref())));
    let canonical = own.chain(extended).zip(0..);
    let written = || fields.iter().zip(0..).map(|(f, index)| (f.name.to_string(), index));
    let has_required = !required.is_empty();
    Ok(MessageDef {
        numbers: Numbers::new(fields.iter().map(|f| f.number)),
        names: [
            Names::new(fields.iter().zip(0..).map(|(f, index)| (brpc_name(&f.name), index))),
            Names::new(canonical.chain(written())),
        ],
        members: Names::new(fields.iter().zip(0..).filter_map(|(f, index)| {
            let own = f.extension.is_none();
            own.then(|| (f.member().to_owned(), index))
        })),
        has_required,
        required_below: false,
        can_lack_required: required
            .iter()
            .any(|i: &u16| matches!(fields[usize::from(*i)].kind, Kind::Message(_) | Kind::Group(_))),
        oneofs: message.oneof_decl.len(),
        extensions: fields.len() - message.field.len(),
        required: required.into(),
        map_entry,
        reserved: message.reserved_name.iter().map(|name| name.as_str().into()).collect(),
        well_known: WellKnown::of(name),
        name: name.as_str().into(),
        output: Default::default(),
        fields: fields.into(),
    })
}

/// brpc prints `map<string, V>`, and repeated messages with exactly `key` (string) and `value`, as objects;
/// canonical JSON prints maps as objects whatever their keys are. Entries that are not pairs (descriptors of
/// a peer may contain anything) are treated as plain messages.
fn mark_map_shapes(messages: &mut [MessageDef], index: usize) {
    for at in 0..messages[index].fields.len() {
        let field = &messages[index].fields[at];
        let (Kind::Message(child), Cardinality::Repeated) = (field.kind, field.cardinality) else { continue };
        let child = &messages[child as usize];
        let [key, value] = &*child.fields else { continue };
        if key.cardinality == Cardinality::Repeated {
            continue;
        }
        let brpc = &*key.name == "key" && key.kind == Kind::String && &*value.name == "value";
        // Values of other kinds have quotes of their own, or none at all, and are no names of members.
        let is_name = !matches!(
            key.kind,
            Kind::Double | Kind::Float | Kind::Bytes | Kind::Enum(_) | Kind::Message(_) | Kind::Group(_)
        );
        let canonical = child.map_entry && is_name && key.number == 1 && value.number == 2;
        let pair = value.cardinality != Cardinality::Repeated && (key.number, value.number) == (1, 2);
        let field = &mut messages[index].fields[at];
        field.map = [brpc, canonical];
        field.idl.map = brpc && pair;
    }
}

/// docs/wire/http.md, section 2: "Order out: declaration order, maps last, extensions first."
fn order_output(message: &mut MessageDef) {
    let declared = message.fields.len() - message.extensions;
    let mut brpc: Vec<u16> = (declared..message.fields.len()).chain(0..declared).map(|i| i as u16).collect();
    brpc.order_by_key(|i| message.fields[usize::from(*i)].map[BRPC]);
    let canonical = (0..message.fields.len()).map(|i| i as u16).collect();
    message.output = [brpc.into(), canonical];
}

/// Sets a flag on every message that refers, directly or indirectly, to one that has it. Computed as a fixed
/// point, since references may be circular.
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

/// The types of a message's message fields.
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
    by_number.order_by_key(|(n, _)| *n);
    by_number.dedup_by_key(|(n, _)| *n);
    let mut by_name: Vec<(Box<str>, i32)> = values().map(|(n, name)| (name.into(), n)).collect();
    by_name.order();
    Ok(EnumDef {
        name: name.into(),
        by_number: by_number.into(),
        by_name: by_name.into(),
        closed: matches!(features.enum_type, EnumType::Closed),
    })
}

/// `option (google.api.http)`. Set field by field it comes in pieces, which merge.
fn http_option(method: &MethodDescriptorProto) -> Box<[u8]> {
    let options = method.options.as_option().map(|options| options.unknown_fields().iter());
    let pieces = options.into_iter().flatten().filter_map(|field| match &field.data {
        UnknownFieldData::LengthDelimited(bytes) if field.number == HTTP => Some(bytes.as_slice()),
        _ => None,
    });
    pieces.collect::<Vec<_>>().concat().into()
}

fn idempotency(method: &MethodDescriptorProto) -> Idempotency {
    match method.options.as_option().and_then(|options| options.idempotency_level) {
        Some(IdempotencyLevel::NO_SIDE_EFFECTS) => Idempotency::NoSideEffects,
        Some(IdempotencyLevel::IDEMPOTENT) => Idempotency::Idempotent,
        Some(IdempotencyLevel::IDEMPOTENCY_UNKNOWN) | None => Idempotency::Unknown,
    }
}

fn methods(set: &FileDescriptorSet, names: &Collected<'_>) -> Result<Vec<Method>, SchemaError> {
    let mut methods = Vec::new();
    for file in &set.file {
        for service in &file.service {
            let service_name = join(file.package.as_deref().unwrap_or_default(), service.name.as_deref());
            for (index, method) in (0..).zip(&service.method) {
                methods.push(Method {
                    service: service_name.as_str().into(),
                    name: method.name.clone().unwrap_or_default().into(),
                    index,
                    input: names.find_message(method.input_type.as_deref())?,
                    output: names.find_message(method.output_type.as_deref())?,
                    client_streaming: method.client_streaming == Some(true),
                    server_streaming: method.server_streaming == Some(true),
                    idempotency: idempotency(method),
                    http: http_option(method),
                });
            }
        }
    }
    Ok(methods)
}
