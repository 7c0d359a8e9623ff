//! Schemas of somebody else, such as those of reflection, which say what no compiler would let them say.

use super::*;
use crate::json::{from_wire_exactly, to_wire};
use buffa::Message;
use buffa_descriptor::generated::descriptor::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorProto, FileDescriptorSet,
    field_descriptor_proto::{Label, Type},
};
use proptest::prelude::*;

fn field(name: &str, number: i32, label: Label, kind: Type) -> FieldDescriptorProto {
    FieldDescriptorProto {
        name: Some(name.to_owned()),
        number: Some(number),
        label: Some(label),
        r#type: Some(kind),
        ..FieldDescriptorProto::default()
    }
}

fn message(name: &str, field: Vec<FieldDescriptorProto>) -> DescriptorProto {
    DescriptorProto { name: Some(name.to_owned()), field, ..DescriptorProto::default() }
}

fn foreign(package: &str, message_type: Vec<DescriptorProto>) -> Result<Pool, String> {
    let file = FileDescriptorProto {
        package: Some(package.to_owned()),
        syntax: Some("proto3".to_owned()),
        message_type,
        ..FileDescriptorProto::default()
    };
    let set = FileDescriptorSet { file: vec![file], ..FileDescriptorSet::default() };
    Pool::from_foreign_set(&set.encode_to_vec()).map_err(|wrong| wrong.to_string())
}

#[test]
fn a_wrapper_around_itself_is_an_error() {
    let value = FieldDescriptorProto {
        type_name: Some(".google.protobuf.Int32Value".to_owned()),
        ..field("value", 1, Label::LABEL_OPTIONAL, Type::TYPE_MESSAGE)
    };
    let pool = foreign("google.protobuf", vec![message("Int32Value", vec![value])]).unwrap();
    let schema = pool.message("google.protobuf.Int32Value").unwrap();
    let nested = (0..60).fold(Vec::new(), |inner: Vec<u8>, _| [&[0x0a, inner.len() as u8], &*inner].concat());
    for wire in [&b""[..], b"\x0a\x00", &nested] {
        let said = from_wire_exactly(schema, wire, Style::Canonical, 1000);
        assert!(said.is_err_and(|error| error.to_string().contains("a wrapper without a value")));
    }
}

#[test]
fn a_oneof_that_is_not_declared_is_refused() {
    for oneof in [0, 64, 7000, 65_535, -1, i32::MAX] {
        let member = FieldDescriptorProto {
            oneof_index: Some(oneof),
            ..field("a", 1, Label::LABEL_OPTIONAL, Type::TYPE_INT32)
        };
        let wrong = foreign("t", vec![message("M", vec![member])]).unwrap_err();
        assert!(wrong.contains("t.M.a: of a oneof that is not declared"), "{wrong}");
    }
}

/// Two bytes of the message are a look at each of 60 000 fields.
#[test]
fn work_for_a_message_has_an_end() {
    let again = FieldDescriptorProto {
        type_name: Some(".t.M".to_owned()),
        ..field("again", 1, Label::LABEL_REPEATED, Type::TYPE_MESSAGE)
    };
    let others = (2..60_000).map(|n| field(&format!("f{n}"), n, Label::LABEL_OPTIONAL, Type::TYPE_INT32));
    let pool = foreign("t", vec![message("M", std::iter::once(again).chain(others).collect())]).unwrap();
    let schema = pool.message("t.M").unwrap();
    assert!(from_wire_exactly(schema, &[0x0a, 0].repeat(100), Style::Canonical, 1 << 20).is_ok());
    let many = [0x0a, 0].repeat(1200);
    let said = from_wire_exactly(schema, &many, Style::Canonical, 1 << 30);
    assert!(said.is_err_and(|error| error.to_string().contains("types with many fields")));
    #[cfg(feature = "mcpack")]
    {
        let said = crate::mcpack::from_wire_exactly(schema, &many, crate::mcpack::Variant::Mcpack, 1 << 30);
        assert!(said.is_err_and(|error| error.to_string().contains("types with many fields")));
    }
}

#[test]
fn text_in_values_of_any_kind_is_not_replaced() {
    let pool = testdata::pool(
        r#"syntax = "proto3"; package t; import "google/protobuf/struct.proto"; import "google/protobuf/any.proto";
        message M { google.protobuf.Value v = 1; google.protobuf.Any a = 2; google.protobuf.ListValue l = 3; }"#,
    );
    let schema = pool.message("t.M").unwrap();
    for wire in
        [&b"\x0a\x04\x1a\x02\xc3\x28"[..], b"\x12\x07\x0a\x05\xff/t.M", b"\x1a\x06\x0a\x04\x1a\x02\xc3\x28"]
    {
        let said = from_wire_exactly(schema, wire, Style::Canonical, 1000);
        assert!(said.is_err_and(|error| error.to_string().contains("is not UTF-8")), "{wire:?}");
    }
}

const NAMES: [&str; 12] = [
    "Any",
    "Timestamp",
    "Duration",
    "FieldMask",
    "Struct",
    "Value",
    "ListValue",
    "Int32Value",
    "StringValue",
    "A",
    "B",
    "C",
];

fn any_field() -> impl Strategy<Value = FieldDescriptorProto> {
    let kinds = prop::sample::select(vec![
        Type::TYPE_INT32,
        Type::TYPE_STRING,
        Type::TYPE_BYTES,
        Type::TYPE_MESSAGE,
        Type::TYPE_MESSAGE,
        Type::TYPE_MESSAGE,
        Type::TYPE_GROUP,
        Type::TYPE_DOUBLE,
        Type::TYPE_BOOL,
        Type::TYPE_SINT64,
        Type::TYPE_ENUM,
    ]);
    let labels =
        prop::sample::select(vec![Label::LABEL_OPTIONAL, Label::LABEL_REQUIRED, Label::LABEL_REPEATED]);
    let names = prop::sample::select(vec!["key", "value", "a", "b", "fields", "values"]);
    (
        kinds,
        labels,
        names,
        1..7_i32,
        prop::sample::select(NAMES.to_vec()),
        prop::option::of(0..3_i32),
        any::<bool>(),
    )
        .prop_map(|(kind, label, name, number, child, oneof, optional)| FieldDescriptorProto {
            type_name: match kind {
                Type::TYPE_MESSAGE | Type::TYPE_GROUP => Some(format!(".google.protobuf.{child}")),
                Type::TYPE_ENUM => Some(".google.protobuf.A.E".to_owned()),
                _ => None,
            },
            oneof_index: oneof,
            proto3_optional: Some(optional),
            ..field(name, number, label, kind)
        })
}

fn any_set() -> impl Strategy<Value = Vec<u8>> {
    let one = (prop::collection::vec(any_field(), 0..5), any::<bool>());
    (prop::collection::vec(one, NAMES.len()), prop::sample::select(vec!["proto2", "proto3"])).prop_map(
        |(all, syntax)| {
            let mut messages: Vec<_> = NAMES
                .iter()
                .zip(all)
                .map(|(name, (fields, map))| {
                    let mut m = message(name, fields);
                    m.oneof_decl = vec![Default::default(); 3];
                    if map {
                        let options = buffa_descriptor::generated::descriptor::MessageOptions {
                            map_entry: Some(true),
                            ..Default::default()
                        };
                        m.options = buffa::MessageField::some(options);
                    }
                    m
                })
                .collect();
            let value = |k: i32| EnumValueDescriptorProto {
                name: Some(format!("V{k}")),
                number: Some(k),
                ..Default::default()
            };
            messages[9].enum_type = vec![EnumDescriptorProto {
                name: Some("E".into()),
                value: vec![value(0), value(3)],
                ..Default::default()
            }];
            let file = FileDescriptorProto {
                package: Some("google.protobuf".into()),
                syntax: Some(syntax.into()),
                message_type: messages,
                ..Default::default()
            };
            FileDescriptorSet { file: vec![file], ..Default::default() }.encode_to_vec()
        },
    )
}

/// Bytes that are often fields.
fn any_wire() -> impl Strategy<Value = Vec<u8>> {
    let leaf = prop::collection::vec((1..7_u8, 0..6_u8, any::<u8>()), 0..4).prop_map(|fields| {
        let mut wire = Vec::new();
        for (number, kind, value) in fields {
            match kind {
                0 => wire.extend([number << 3, value & 0x7f]),
                1 => wire.extend([number << 3 | 1, value, 0, 0, 0, 0, 0, 0xf0, 0x7f]),
                5 => wire.extend([number << 3 | 5, value, 0, 0, 0]),
                3 | 4 => wire.extend([number << 3 | 3, number << 3 | 4]),
                _ => wire.extend([number << 3 | 2, 2, 0x61, value]),
            }
        }
        wire
    });
    leaf.prop_recursive(6, 64, 4, |inner| {
        prop::collection::vec((1..7_u8, inner, any::<bool>()), 1..4).prop_map(|parts| {
            let mut wire = Vec::new();
            for (number, inner, group) in parts {
                if group {
                    wire.push(number << 3 | 3);
                    wire.extend(inner);
                    wire.push(number << 3 | 4);
                } else if inner.len() < 128 {
                    wire.extend([number << 3 | 2, inner.len() as u8]);
                    wire.extend(inner);
                }
            }
            wire
        })
    })
}

fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "1",
        "-1",
        "\"a\"",
        "\"YQ==\"",
        "true",
        "null",
        "{}",
        "[]",
        "1.5",
        "\"V3\"",
        "\"NaN\"",
        "\"1s\"",
        "\"1972-01-01T10:00:20.021Z\"",
        "{\"@type\":\"x/google.protobuf.Any\"}",
        "{\"@type\":\"x/google.protobuf.B\"}",
        "{\"@type\":\"x/google.protobuf.Value\",\"value\":1}",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(6, 64, 4, |inner| {
        let names =
            prop::sample::select(vec!["key", "value", "a", "b", "fields", "values", "@type", "1", "true"]);
        prop_oneof![
            prop::collection::vec((names, inner.clone()), 0..4).prop_map(|members| {
                let members: Vec<_> =
                    members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(","))),
        ]
    })
}

proptest! {
    /// Neither a panic nor anything that is not JSON, whatever the schema says.
    #[test]
    fn whatever_a_schema_says_json_comes_out_or_an_error(set in any_set(), wires in prop::collection::vec(any_wire(), 4), texts in prop::collection::vec(any_json(), 4)) {
        if let Ok(pool) = Pool::from_foreign_set(&set) {
            for name in NAMES {
                let schema = pool.message(&format!("google.protobuf.{name}")).unwrap();
                for style in [Style::Canonical, brpc()] {
                    for wire in &wires {
                        if let Ok(json) = from_wire_exactly(schema, wire, style, 1 << 16) {
                            let read = serde_json::from_slice::<serde_json::Value>(&json);
                            prop_assert!(read.is_ok(), "{}", String::from_utf8_lossy(&json));
                            let _ = to_wire(schema, &json, style);
                        }
                    }
                    for text in &texts {
                        if let Ok(read) = to_wire(schema, text.as_bytes(), style) {
                            let _ = from_wire_exactly(schema, &read.wire, style, 1 << 16);
                        }
                    }
                }
            }
        }
    }
}
