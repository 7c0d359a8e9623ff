use super::*;
use crate::{
    schema::Pool,
    testdata::{self, KINDS2, KINDS3},
};
use proptest::prelude::*;
use std::sync::LazyLock;

static TWO: LazyLock<Pool> = LazyLock::new(|| testdata::pool(KINDS2));

fn all() -> MessageSchema<'static> {
    TWO.message("t.All").unwrap()
}

fn echo(schema: MessageSchema<'_>, text: &str) -> String {
    let wire = to_wire(schema, text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"));
    String::from_utf8(from_wire(schema, &wire).unwrap()).unwrap()
}

#[test]
fn every_kind_of_field_is_written_one_a_line() {
    let text = r#"f_double: 1.5
f_float: -inf
f_int64: -9223372036854775808
f_uint64: 18446744073709551615
f_int32: -1
f_fixed32: 7
f_bool: true
f_string: "a\"\'\\\n\té\001"
f_bytes: "\000\377\303\251"
f_enum: BLUE
f_sint32: -3
f_message {
  f_double: nan
  f_message {
  }
}
r_int32: 1
r_int32: -2
r_enum: GREEN
r_packed: -1
r_packed: 2
m_string {
  key: "k"
  value: 1
}
Group {
  inside: 4
}
c_string: "x"
[t.extra]: 5
"#;
    assert_eq!(echo(all(), text), text);
}

#[test]
fn groups_go_by_their_field_too_and_floats_are_never_octal() {
    assert_eq!(echo(all(), "group { inside: 4 }"), "Group {\n  inside: 4\n}\n");
    for text in ["f_float: 012", "f_double: -07"] {
        assert!(to_wire(all(), text.as_bytes()).is_err(), "{text}");
    }
    assert_eq!(echo(all(), "f_float: 0.5"), "f_float: 0.5\n");
}

static MODERN: LazyLock<Pool> = LazyLock::new(|| {
    testdata::pool(
        r#"syntax = "proto3"; package m; import "google/protobuf/any.proto";
        message Old { reserved "gone", "lost"; int32 kept = 1; Old below = 2; google.protobuf.Any any = 3; }"#,
    )
});

#[test]
fn a_varint_of_sint32_is_cut_to_32_bits_before_its_sign_is_read() {
    let wire = testdata::hex("88 01 82 80 80 80 10");
    assert_eq!(from_wire(all(), &wire).unwrap(), b"f_sint32: 1\n");
}

#[test]
fn values_of_reserved_names_are_skipped() {
    let old = MODERN.message("m.Old").unwrap();
    for text in [
        "gone: 1 kept: 2",
        "gone: -1.5; kept: 2",
        "gone: 'a' \"b\", kept: 2, lost: true",
        "gone { x: [1, { y <> }] \"\": } kept: 2",
        "gone: < > kept: 2 gone: [] lost: [{}, {a: 1}]",
    ] {
        assert_eq!(echo(old, text), "kept: 2\n", "{text}");
    }
    let deep = |levels: usize| format!("gone {}{}", "{a ".repeat(levels), "}".repeat(levels));
    assert_eq!(echo(old, &deep(98)), "");
    for text in ["gone", "gone 1", "gone: {", "gone: }", "gone: [}]", "gone: ,", "[gone]: 1", &deep(100)] {
        assert!(to_wire(old, text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn the_message_of_an_any_is_read_by_its_type() {
    let old = MODERN.message("m.Old").unwrap();
    let same = echo(old, r#"any { type_url: "type.googleapis.com/m.Old" value: "\010\007" }"#);
    for text in [
        "any { [type.googleapis.com/m.Old] { kept: 7 } }",
        "any: < [a-b.c/d/m.Old]: < kept: 7 >; >",
        "any { [type.googleapis.com/m.Old] { kept: 7 }, }",
    ] {
        assert_eq!(echo(old, &text.replace("a-b.c/d", "type.googleapis.com")), same, "{text}");
    }
    assert!(echo(old, "any { [a-b.c/d/m.Old] {} }").contains("\"a-b.c/d/m.Old\""));
    let nested = |levels: usize| format!("{}{}", "any { [x/m.Old] { ".repeat(levels), "} }".repeat(levels));
    assert!(to_wire(old, nested(49).as_bytes()).is_ok());
    for text in [
        "any { [x/m.None] {} }",
        "any { [m.Old] {} }",
        "any { [x/m.Old]: 1 }",
        "any { [x/m.Old] { none: 1 } }",
        "any { [x/m.Old] {} [x/m.Old] {} }",
        "any { [x/m.Old] {} value: '' }",
        "[x/m.Old] {}",
        &nested(50),
    ] {
        assert!(to_wire(old, text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn an_any_that_is_none_does_not_expand() {
    let pool =
        testdata::pool(r#"syntax = "proto3"; package google.protobuf; message Any { int32 type_url = 1; }"#);
    let any = pool.message("google.protobuf.Any").unwrap();
    assert!(to_wire(any, b"[x/google.protobuf.Any] {}").is_err());
}

#[test]
fn other_spellings_are_read_too() {
    for (text, same) in [
        ("f_int32: 0x10, f_int64: -010; f_bool: t", "f_int64: -8\nf_int32: 16\nf_bool: true\n"),
        ("r_int32: [1, 2] r_int32: 3 r_string: []", "r_int32: 1\nr_int32: 2\nr_int32: 3\n"),
        ("f_message < f_int32: 1 > # comment\n", "f_message {\n  f_int32: 1\n}\n"),
        ("f_message: { }", "f_message {\n}\n"),
        ("f_string: 'a' \"b\"", "f_string: \"ab\"\n"),
        ("f_float: 1.5f f_double: 1e3", "f_double: 1000.0\nf_float: 1.5\n"),
        ("f_double: .5 f_float: - Infinity", "f_double: 0.5\nf_float: -inf\n"),
        ("f_enum: -3", "f_enum: BLUE\n"),
        ("", ""),
    ] {
        assert_eq!(echo(all(), text), same, "{text}");
    }
}

#[test]
fn mistakes_are_refused_with_their_line() {
    for (text, line) in [
        ("nothing: 1", 1),
        ("f_int32: 1\nf_int32: 2", 2),
        ("f_int32: 2147483648", 1),
        ("f_int32: 1.5", 1),
        ("f_uint32: -1", 1),
        ("f_int32 1", 1),
        ("f_int32: \"1\"", 1),
        ("f_bool: 2", 1),
        ("f_enum: PINK", 1),
        ("f_enum: 9", 1),
        ("f_string: a", 1),
        ("f_string: \"a\nb\"", 1),
        ("f_string: \"\\q\"", 1),
        ("\n\nf_message {", 3),
        ("f_message { f_int32: 1 >", 1),
        ("}", 1),
        ("f_int32: 09", 1),
        ("f_int32: 0x", 1),
        ("[t.none]: 1", 1),
        ("extra: 1", 1),
        ("Group: { inside: 1 } group { }", 1),
        ("gone: 1", 1),
        ("r_int32: [1,]", 1),
        ("f_int32: é", 1),
    ] {
        match to_wire(all(), text.as_bytes()) {
            Err(FormatError::Text { line: found, .. }) => assert_eq!(found, line, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
    assert!(to_wire(all(), b"f_string: \"\xff\"").is_err());
}

#[test]
fn required_fields_are_required() {
    let needs = TWO.message("t.Needs").unwrap();
    assert_eq!(to_wire(needs, b"id: 1"), Err(FormatError::MissingRequired("t.Needs.text".into())));
    assert_eq!(from_wire(needs, b"\x08\x01"), Err(FormatError::MissingRequired("t.Needs.text".into())));
}

#[test]
fn strings_of_proto2_may_hold_any_bytes_and_those_of_proto3_may_not() {
    let wire = to_wire(all(), br#"f_string: "\377""#).unwrap();
    assert_eq!(wire, b"\x4a\x01\xff");
    assert_eq!(from_wire(all(), &wire).unwrap(), b"f_string: \"\\377\"\n");
    let three = testdata::pool(KINDS3);
    let refused = to_wire(three.message("t.Third").unwrap(), br#"display_name: "\377""#).unwrap_err();
    assert_eq!(refused.to_string(), "text format at line 1: display_name: not UTF-8");
}

#[test]
fn nesting_ends_at_one_hundred() {
    let nested = |levels: usize| format!("{}{}", "f_message{".repeat(levels), "}".repeat(levels));
    assert!(to_wire(all(), nested(99).as_bytes()).is_ok());
    assert!(to_wire(all(), nested(100).as_bytes()).is_err());
    assert!(to_wire(all(), "f_message{".repeat(1 << 20).as_bytes()).is_err());
}

proptest! {
    #[test]
    fn garbage_never_panics(text: String, bytes: Vec<u8>) {
        let three = testdata::pool(KINDS3);
        let third = three.message("t.Third").unwrap();
        let _ = to_wire(all(), text.as_bytes());
        if let Ok(text) = from_wire(third, &bytes) {
            // A string that is not UTF-8 is written with escapes, and cannot be read back.
            match to_wire(third, &text) {
                Ok(wire) => prop_assert_eq!(from_wire(third, &wire).unwrap(), text),
                Err(e) => prop_assert!(e.to_string().contains("not UTF-8"), "{}", e),
            }
        }
    }

    #[test]
    fn tokens_in_any_order_never_panic(parts in proptest::collection::vec(prop_oneof!["f_int32", ":", "-", "[{}<>\\[\\],;.]", "\"[a\\\\]*\"", "[0-9.xe]{1,5}", "f_message", "r_int32", "f_string", "'", "#", "\n"], 0..12)) {
        let _ = to_wire(all(), parts.concat().as_bytes());
        let _ = to_wire(all(), parts.join(" ").as_bytes());
    }
}
