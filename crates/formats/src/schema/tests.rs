use super::*;
use crate::{
    json::{self, Style},
    testdata::{self, KINDS2, KINDS3},
    text,
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
fn presence_follows_syntax_and_editions() {
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

#[test]
fn a_set_without_its_imports_is_refused() {
    let set = testdata::descriptor_set(KINDS3);
    // The first file is an import; cutting it off leaves its types unknown.
    let first =
        2 + usize::from(set[1] & 0x7f) + if set[1] >= 0x80 { 1 + (usize::from(set[2]) << 7) } else { 0 };
    let refused = Pool::from_descriptor_set(&set[first..]).unwrap_err();
    assert!(refused.to_string().contains("is not in it"), "{refused}");
    assert!(Pool::from_descriptor_set(b"\xff").is_err());
    assert_eq!(Pool::from_descriptor_set(b"").unwrap().methods().count(), 0);
}

/// Reads and writes with every message of a pool.
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
