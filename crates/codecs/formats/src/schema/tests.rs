use super::*;
use crate::{
    json::{self, Style},
    testdata::{self, KINDS2, KINDS3},
    text,
};
use buffa::Message as _;
use buffa_descriptor::generated::descriptor::{
    Edition, FeatureSet, FileDescriptorSet, feature_set::MessageEncoding,
};
use proptest::prelude::*;
use std::sync::LazyLock;

#[test]
fn methods_are_found_by_both_spellings() {
    let pool = testdata::pool(
        r#"syntax = "proto3"; package a.b; message In {} message Out {}
        service S { rpc Call(In) returns (Out); rpc Flow(stream In) returns (stream Out); }"#,
    );
    for name in ["a.b.S/Call", "a.b.S.Call", "/a.b.S/Call"] {
        let method = pool.method(name).unwrap();
        assert_eq!((method.service, method.method), ("a.b.S", "Call"));
        assert_eq!((method.input.full_name(), method.output.full_name()), ("a.b.In", "a.b.Out"));
        assert!(!method.client_streaming && !method.server_streaming);
    }
    let flow = pool.method("a.b.S/Flow").unwrap();
    assert!(flow.client_streaming && flow.server_streaming);
    for name in ["", "/", "Call", "S/Call", "a.b.S", "a.b.S/call"] {
        assert!(pool.method(name).is_none(), "{name}");
    }
}

#[test]
fn presence_follows_syntax() {
    let of = |source: &'static str| {
        let pool = testdata::pool(source);
        let fields = pool.message("p.M").unwrap().fields().iter().map(|f| f.cardinality);
        fields.collect::<Vec<_>>()
    };
    use Cardinality::*;
    assert_eq!(
        of(
            r#"syntax = "proto2"; package p; message M { optional int32 a = 1; required int32 b = 2; repeated int32 c = 3; }"#
        ),
        [Optional, Required, Repeated]
    );
    assert_eq!(
        of(
            r#"syntax = "proto3"; package p; message M { int32 a = 1; optional int32 b = 2; M c = 3; oneof o { int32 d = 4; } }"#
        ),
        [Implicit, Optional, Optional, Optional]
    );
}

const MAPS: &str = r#"syntax = "proto3"; package p;
    message M { M one = 1; map<int32, M> many = 2; int32 n = 3; Inner inner = 4; message Inner { int32 n = 1; } }"#;

/// The set of `MAPS` as a set of an edition, with delimited messages, set by the file or by each field.
fn delimited(edition: Option<Edition>, by_field: bool) -> Vec<u8> {
    let mut set = FileDescriptorSet::decode_from_slice(&testdata::descriptor_set(MAPS)).unwrap();
    let file = set.file.last_mut().unwrap();
    file.syntax = Some("editions".into());
    file.edition = edition;
    let features = FeatureSet { message_encoding: Some(MessageEncoding::DELIMITED), ..FeatureSet::default() };
    let message = &mut file.message_type[0];
    if by_field {
        let entry = message.nested_type.iter_mut().find(|m| m.name.as_deref() == Some("ManyEntry")).unwrap();
        for field in message.field.iter_mut().chain(&mut entry.field) {
            field.options.get_or_insert_default().features = features.clone().into();
        }
    } else {
        file.options.get_or_insert_default().features = features.into();
    }
    set.encode_to_vec()
}

#[test]
fn messages_in_maps_are_length_prefixed_where_editions_delimit_others() {
    for by_field in [false, true] {
        let pool = Pool::from_descriptor_set(&delimited(Some(Edition::EDITION_2023), by_field)).unwrap();
        let schema = pool.message("p.M").unwrap();
        let json = r#"{"one":{"n":7},"many":{"5":{"n":6}}}"#;
        let wire = testdata::hex("0b 18 07 0c  12 06 08 05 12 02 18 06");
        assert_eq!(json::to_wire(schema, json.as_bytes(), Style::Canonical).unwrap().wire, wire);
        assert_eq!(json::from_wire(schema, &wire, Style::Canonical).unwrap(), json.as_bytes());
    }
}

#[test]
fn delimited_fields_of_other_names_than_their_type_keep_them_in_text() {
    let pool = Pool::from_descriptor_set(&delimited(Some(Edition::EDITION_2024), false)).unwrap();
    let schema = pool.message("p.M").unwrap();
    let text = "one {\n  n: 7\n}\nInner {\n  n: 1\n}\n";
    let wire = text::to_wire(schema, text.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(text::from_wire(schema, &wire).unwrap()).unwrap(), text);
    assert!(text::to_wire(schema, b"M { n: 7 }").is_err());
}

#[test]
fn unknown_editions_are_refused() {
    for edition in [None, Some(Edition::EDITION_PROTO3), Some(Edition::EDITION_99999_TEST_ONLY)] {
        let refused = Pool::from_descriptor_set(&delimited(edition, false)).unwrap_err();
        assert!(refused.to_string().contains("test.proto: its edition is unknown"), "{refused}");
    }
}

#[test]
fn a_set_without_its_imports_is_refused() {
    let set = testdata::descriptor_set(KINDS3);
    // The first file is an import; without it, its types are unknown.
    let first =
        2 + usize::from(set[1] & 0x7f) + if set[1] >= 0x80 { 1 + (usize::from(set[2]) << 7) } else { 0 };
    let refused = Pool::from_descriptor_set(&set[first..]).unwrap_err();
    assert!(refused.to_string().contains("is not in it"), "{refused}");
    assert!(Pool::from_descriptor_set(b"\xff").is_err());
    assert_eq!(Pool::from_descriptor_set(b"").unwrap().methods().count(), 0);
}

/// Reads `wire` as every message of a pool, and writes it again.
fn use_up(pool: &Pool, wire: &[u8]) {
    let text = br#"{"number":1,"structure":{"a":[1,{}]},"value":[null],"names":{"1":"x"},"children":{"a":{}},"any":{"@type":"x/t.Third"},
        "m_string":{"a":1},"m_bool":[{"key":true}],"f_message":{"r_int32":[1]},"boxed":"1","when":"1970-01-01T00:00:00Z","mask":"a"}"#;
    for index in 0..pool.messages.len() {
        let schema = pool.at(index as u32);
        for style in [Style::Brpc(json::Options::default()), Style::Canonical] {
            let _ = json::from_wire(schema, wire, style);
            if let Ok(read) = json::to_wire(schema, text, style) {
                let _ = json::from_wire(schema, &read.wire, style);
                let _ = text::from_wire(schema, &read.wire).map(|t| text::to_wire(schema, &t));
                let _ = crate::protobuf::required::check(schema, &read.wire);
            }
        }
    }
}

proptest! {
    #[test]
    fn descriptors_that_say_anything_never_panic(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..6),
        two: bool,
        wire: Vec<u8>,
    ) {
        static SETS: LazyLock<[Vec<u8>; 2]> =
            LazyLock::new(|| [testdata::descriptor_set(KINDS2), testdata::descriptor_set(KINDS3)]);
        let mut set = SETS[usize::from(two)].clone();
        for (at, byte) in changes {
            let at = at.index(set.len());
            set[at] = byte;
        }
        if let Ok(pool) = Pool::from_descriptor_set(&set) {
            use_up(&pool, &wire);
        }
    }
}
