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
fn a_varint_of_sint32_is_cut_to_32_bits_before_its_sign_is_read() {
    let wire = testdata::hex("88 01 82 80 80 80 10");
    assert_eq!(from_wire(all(), &wire).unwrap(), b"f_sint32: 1\n");
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
        ("f_string: \"\\377\"", 1),
        ("\n\nf_message {", 3),
        ("f_message { f_int32: 1 >", 1),
        ("}", 1),
        ("f_int32: 09", 1),
        ("f_int32: 0x", 1),
        ("[t.none]: 1", 1),
        ("extra: 1", 1),
        ("group { }", 1),
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
            // A string that is no text is written with escapes, and not read again.
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
