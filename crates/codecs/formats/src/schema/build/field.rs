//! Converts field descriptors: names, types, presence, defaults.

use super::{Collected, TypeIndex};
use crate::{
    protobuf::wire::{put_varint, zigzag},
    schema::{Cardinality, Field, Idl, Kind, SchemaError, field::Default as FieldDefault, names::brpc_name},
};
use buffa::editions::ResolvedFeatures;
use buffa_descriptor::{
    features::{self, FieldPresence, MessageEncoding, RepeatedFieldEncoding, Utf8Validation},
    generated::descriptor::{
        FieldDescriptorProto,
        field_descriptor_proto::{Label, Type},
    },
};

/// `json_name`, which compilers always set, or otherwise the name that they would set.
pub(super) fn canonical_name(field: &FieldDescriptorProto) -> String {
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

/// A field of the message with this full name, which may be the entry of a map.
pub(super) fn field(
    message: &str,
    field: &FieldDescriptorProto,
    scope: &ResolvedFeatures,
    map_entry: bool,
    all: &Collected<'_>,
) -> Result<Field, SchemaError> {
    let name = field.name.clone().unwrap_or_default();
    let wrong = |what: &str| SchemaError::new(format!("{message}.{name}: {what}"));
    let number = match field.number.map(u32::try_from) {
        Some(Ok(number @ 1..=0x1fff_ffff)) => number,
        _ => return Err(wrong("number out of range")),
    };
    let mut features = features::resolve_child(scope, features::field_features(field));
    if map_entry {
        // Messages in maps are length-prefixed, whatever features the file or the field sets.
        features.message_encoding = MessageEncoding::LengthPrefixed;
    }
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
        idl: Idl::of(field),
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
        utf8: features.utf8_validation == Utf8Validation::Verify,
        as_bytes: false,
        map: [false; 2],
        required_bit: None,
    })
}

/// The JSON key `"name":`, escaped.
pub(super) fn json_key(name: &str) -> String {
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
        // A compiler may leave it open whether a name is a message or an enum.
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
            // Maps are always length-delimited, whatever the edition's features.
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
    /// The wire type of one value, as in a tag.
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

/// The declared default, or that of the type; `None` if the text does not fit the type.
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
            let number = match text {
                Some(name) => *all.numbers[index as usize].get(name)?,
                None => all.enums[index as usize].1.value.first().and_then(|v| v.number).unwrap_or(0),
            };
            bits(Some(i64::from(number) as u64))
        }
        Kind::Message(_) | Kind::Group(_) => bits(Some(0)),
        _ => match text {
            None => bits(Some(0)),
            Some(text) => bits(scalar_default(kind, text)),
        },
    }
}

fn scalar_default(kind: Kind, text: &str) -> Option<u64> {
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
