//! The rows of docs/wire/http.md, section 2, one by one; hostile text; canonical JSON against another implementation.

use super::*;
use crate::{
    schema::Pool,
    testdata::{self, KINDS2, KINDS3},
};
use buffa_descriptor::{DescriptorPool, DynamicMessage};
use proptest::prelude::*;
use std::sync::{Arc, LazyLock};

static TWO: LazyLock<Pool> = LazyLock::new(|| testdata::pool(KINDS2));
static THREE: LazyLock<Pool> = LazyLock::new(|| testdata::pool(KINDS3));

fn brpc() -> Style {
    Style::Brpc(Options::default())
}

fn two(name: &str) -> MessageSchema<'static> {
    TWO.message(name).unwrap()
}

fn third() -> MessageSchema<'static> {
    THREE.message("t.Third").unwrap()
}

/// There and back.
fn echo(schema: MessageSchema<'_>, text: &str, style: Style) -> Result<String, FormatError> {
    let read = to_wire(schema, text.as_bytes(), style)?;
    Ok(String::from_utf8(from_wire(schema, &read.wire, style)?).unwrap())
}

/// As brpc itself reads.
fn lenient() -> Style {
    Style::Brpc(Options { lenient: true, ..Options::default() })
}

/// What comes back of a text in brpc's style, and the notes.
fn noted(schema: MessageSchema<'_>, text: &str) -> (String, Vec<String>) {
    let read = to_wire(schema, text.as_bytes(), lenient()).unwrap_or_else(|e| panic!("{text}: {e}"));
    (String::from_utf8(from_wire(schema, &read.wire, brpc()).unwrap()).unwrap(), read.notes)
}

fn refused(schema: MessageSchema<'_>, text: &str, style: Style) -> String {
    match to_wire(schema, text.as_bytes(), style) {
        Ok(read) => panic!("{text} was read as {:02x?}", read.wire),
        Err(e) => e.to_string(),
    }
}

/// These texts come back as they are.
fn same(schema: MessageSchema<'_>, style: Style, texts: &[&str]) {
    for text in texts {
        assert_eq!(echo(schema, text, style).as_deref(), Ok(*text));
    }
}

#[test]
fn the_worked_frame_of_the_sheet_is_read_and_written() {
    let pool = testdata::pool(
        "syntax = \"proto2\"; package e; message EchoRequest { required string message = 1; }",
    );
    let schema = pool.message("e.EchoRequest").unwrap();
    let read = to_wire(schema, br#"{"message":"hi!"}"#, brpc()).unwrap();
    assert_eq!(read.wire, b"\x0a\x03hi!");
    assert_eq!(from_wire(schema, b"\x0a\x03hi!", brpc()).unwrap(), br#"{"message":"hi!"}"#);
}

#[test]
fn a_value_that_does_not_fit_is_an_error_with_its_path() {
    let all = two("t.All");
    for (text, wrong) in [
        (r#"{"f_uint64":"abc"}"#, "f_uint64: not an integer of its range"),
        (r#"{"f_uint64":-3}"#, "f_uint64: not an integer of its range"),
        (r#"{"f_uint64":1.5}"#, "f_uint64: not an integer of its range"),
        (r#"{"f_uint64":18446744073709551616}"#, "f_uint64: not an integer of its range"),
        (r#"{"f_string":7}"#, "f_string: not a string"),
        (r#"{"f_bool":"yes"}"#, "f_bool: not true or false"),
        (r#"{"f_bytes":"?"}"#, "f_bytes: not base64"),
        (r#"{"f_enum":"MAUVE"}"#, "f_enum: not a value of its enum"),
        (r#"{"r_message":[{},{"f_int32":""}]}"#, "r_message[1].f_int32: not an integer"),
        (
            r#"{"r_message":[{"r_message":[{"f_bool":0}]}]}"#,
            "r_message[0].r_message[0].f_bool: not true or false",
        ),
    ] {
        let said = refused(all, text, brpc());
        assert!(said.ends_with(&format!(": {wrong}")), "{text}: {said}");
        if !text.contains('?') && !text.contains("r_message") {
            assert_eq!(noted(all, text).0, "{}", "{text}");
        }
    }
}

#[test]
fn unknown_members_are_errors_to_the_strict_alone() {
    let all = two("t.All");
    for (text, wrong) in [
        (r#"{"fInt":1}"#, "fInt: no field of that name"),
        (r#"{"rMessage":[{},{"x":[]}]}"#, "rMessage[1].x: no field of that name"),
    ] {
        for style in [brpc(), lenient(), Style::Canonical] {
            to_wire(all, text.as_bytes(), style).expect(text);
        }
        let said = refused(all, text, Style::Strict);
        assert!(said.ends_with(&wrong.replace("rMessage", "r_message")), "{text}: {said}");
    }
}

#[test]
fn the_last_entry_of_a_repeated_map_key_is_written() {
    let all = two("t.All");
    let wire = to_wire(all, br#"{"m_string":{"k":1,"j":2}}"#, brpc()).unwrap().wire;
    let more = to_wire(all, br#"{"m_string":{"k":3}}"#, brpc()).unwrap().wire;
    let twice = [wire, more].concat();
    for style in [brpc(), Style::Canonical] {
        let text = String::from_utf8(from_wire(all, &twice, style).unwrap()).unwrap();
        let entries = text.split_once(":{").unwrap().1;
        assert_eq!(entries.replace('"', ""), "j:2,k:3}}", "{text}");
    }
}

#[test]
fn repeated_messages_that_look_like_a_map_keep_all_elements() {
    let pool = testdata::pool(
        r#"syntax = "proto2"; package p; message E { optional string key = 1; optional int32 value = 2; }
        message M { repeated E e = 1; map<int32, int32> m = 2; }"#,
    );
    let schema = pool.message("p.M").unwrap();
    let text = r#"{"e":{"k":1,"k":2}}"#;
    assert_eq!(echo(schema, text, brpc()).unwrap(), text);
    // Keys 1 and 2^32 + 1 are one int32.
    let wire = testdata::hex("12 04 08 01 10 05  12 08 08 81 80 80 80 10 10 06");
    let written = from_wire(schema, &wire, Style::Canonical).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), r#"{"m":{"1":6}}"#);
}

#[test]
fn a_varint_of_sint32_is_cut_to_32_bits_before_its_sign_is_read() {
    let all = two("t.All");
    let tag = to_wire(all, br#"{"f_sint32":0}"#, brpc()).unwrap().wire;
    let wire = [&tag[..tag.len() - 1], &[0x82, 0x80, 0x80, 0x80, 0x10]].concat();
    assert_eq!(from_wire(all, &wire, brpc()).unwrap(), br#"{"f_sint32":1}"#);
}

#[test]
fn names_are_those_of_the_proto_file_and_others_are_ignored() {
    let all = two("t.All");
    same(all, brpc(), &[r#"{"f_int32":1}"#, r#"{"a-b":"x"}"#]);
    for text in
        [r#"{"fInt32":1}"#, r#"{"a_Z045_b":"x"}"#, r#"{"x":[1,{"y":null,"z":[[]]},"}"],"f_int32":null}"#]
    {
        assert_eq!(noted(all, text), ("{}".into(), vec![]), "{text}");
    }
    // Escapes in names mean what they mean.
    assert_eq!(echo(all, r#"{"f_int\u00332":1}"#, brpc()).unwrap(), r#"{"f_int32":1}"#);
}

#[test]
fn integers_of_32_bits_are_numbers_of_their_range() {
    let all = two("t.All");
    same(
        all,
        brpc(),
        &[
            r#"{"f_int32":-2147483648}"#,
            r#"{"f_int32":2147483647}"#,
            r#"{"f_uint32":4294967295}"#,
            r#"{"f_sint32":-2147483648}"#,
            r#"{"f_fixed32":4294967295}"#,
            r#"{"f_sfixed32":-1}"#,
        ],
    );
    for text in [
        r#"{"f_int32":2147483648}"#,
        r#"{"f_int32":"1"}"#,
        r#"{"f_int32":1.0}"#,
        r#"{"f_int32":1e2}"#,
        r#"{"f_int32":true}"#,
        r#"{"f_uint32":-1}"#,
        r#"{"f_uint32":4294967296}"#,
        r#"{"f_fixed32":"7"}"#,
        r#"{"f_int32":{"a":[1]}}"#,
    ] {
        let (out, notes) = noted(all, text);
        assert_eq!((out.as_str(), notes.len()), ("{}", 1), "{text}");
    }
}

#[test]
fn integers_of_64_bits_are_numbers_out_and_numbers_or_strings_in() {
    let all = two("t.All");
    same(
        all,
        brpc(),
        &[
            r#"{"f_int64":-9223372036854775808}"#,
            r#"{"f_uint64":18446744073709551615}"#,
            r#"{"f_sint64":-9223372036854775808}"#,
            r#"{"f_fixed64":18446744073709551615,"f_sfixed64":-1}"#,
        ],
    );
    let (out, _) = noted(all, r#"{"f_int64":"-9223372036854775808","f_uint64":"18446744073709551615"}"#);
    assert_eq!(out, r#"{"f_int64":-9223372036854775808,"f_uint64":18446744073709551615}"#);
    for text in [
        r#"{"f_int64":"1 "}"#,
        r#"{"f_int64":"0x1"}"#,
        r#"{"f_int64":""}"#,
        r#"{"f_uint64":18446744073709551616}"#,
    ] {
        assert_eq!(noted(all, text).1.len(), 1, "{text}");
    }
}

#[test]
fn floats_are_numbers_or_the_names_of_what_is_none() {
    let all = two("t.All");
    same(
        all,
        brpc(),
        &[
            r#"{"f_double":1.5,"f_float":-0.25}"#,
            r#"{"f_double":1e+300}"#,
            r#"{"f_double":-0.0}"#,
            r#"{"f_float":0.1}"#,
            r#"{"f_double":"NaN","f_float":"Infinity"}"#,
            r#"{"f_double":"-Infinity"}"#,
        ],
    );
    assert_eq!(
        noted(all, r#"{"f_double":"nAn","f_float":"-INFINITY"}"#).0,
        r#"{"f_double":"NaN","f_float":"-Infinity"}"#
    );
    assert_eq!(noted(all, r#"{"f_double":7,"f_float":1e2}"#).0, r#"{"f_double":7.0,"f_float":100.0}"#);
    assert_eq!(noted(all, r#"{"f_float":1e300}"#).0, r#"{"f_float":"Infinity"}"#);
    assert_eq!(noted(all, r#"{"f_double":"1.5"}"#).1.len(), 1);
    refused(all, r#"{"f_double":1e999}"#, brpc());
}

#[test]
fn booleans_and_strings_are_nothing_else() {
    let all = two("t.All");
    same(
        all,
        brpc(),
        &[r#"{"f_bool":true}"#, r#"{"f_bool":false,"f_string":""}"#, r#"{"f_string":"é😀 \"\\\n\u0001"}"#],
    );
    for text in [r#"{"f_bool":1}"#, r#"{"f_bool":"true"}"#, r#"{"f_string":1}"#, r#"{"f_string":["a"]}"#] {
        assert_eq!(noted(all, text).1.len(), 1, "{text}");
    }
    assert_eq!(
        noted(all, r#"{"f_string":"\u00e9\ud83d\ude00\/\b\f\r\t"}"#).0,
        "{\"f_string\":\"é😀/\\b\\f\\r\\t\"}"
    );
}

#[test]
fn bytes_are_base64_or_plain_text_by_option() {
    let all = two("t.All");
    same(all, brpc(), &[r#"{"f_bytes":"AP8Q"}"#, r#"{"f_bytes":""}"#]);
    assert_eq!(to_wire(all, br#"{"f_bytes":"AP8Q"}"#, brpc()).unwrap().wire, b"\x62\x03\x00\xff\x10");
    assert_eq!(noted(all, r#"{"f_bytes":"AP8"}"#).0, r#"{"f_bytes":"AP8="}"#);
    refused(all, r#"{"f_bytes":"not base64!"}"#, brpc());
    let plain = Style::Brpc(Options { bytes_to_base64: false, ..Options::default() });
    same(all, plain, &[r#"{"f_bytes":"not base64! é"}"#]);
    assert_eq!(from_wire(all, b"\x62\x01\xff", plain).unwrap(), "{\"f_bytes\":\"\u{fffd}\"}".as_bytes());
}

#[test]
fn enums_are_names_out_and_names_or_known_numbers_in() {
    let all = two("t.All");
    same(all, brpc(), &[r#"{"f_enum":"BLUE"}"#, r#"{"r_enum":["RED","GREEN"]}"#]);
    assert_eq!(noted(all, r#"{"f_enum":-3}"#).0, r#"{"f_enum":"BLUE"}"#);
    for text in [r#"{"f_enum":"PINK"}"#, r#"{"f_enum":2}"#, r#"{"f_enum":1.0}"#] {
        assert_eq!(noted(all, text).1.len(), 1, "{text}");
    }
    refused(all, r#"{"r_enum":["PINK"]}"#, brpc());
    refused(all, r#"{"r_enum":[2]}"#, brpc());
    let numbers = Style::Brpc(Options { enum_as_number: true, ..Options::default() });
    same(all, numbers, &[r#"{"f_enum":-3}"#]);
}

#[test]
fn messages_are_objects_and_nothing_else() {
    let all = two("t.All");
    same(
        all,
        brpc(),
        &[r#"{"f_message":{"f_message":{}}}"#, r#"{"group":{"inside":1}}"#, r#"{"c_message":{}}"#],
    );
    for text in
        [r#"{"f_message":1}"#, r#"{"f_message":[]}"#, r#"{"f_message":"{}"}"#, "[]", "1", "\"x\"", "null"]
    {
        refused(all, text, brpc());
    }
}

#[test]
fn repeated_fields_are_arrays_of_values_that_fit() {
    let all = two("t.All");
    same(
        all,
        brpc(),
        &[
            r#"{"r_int32":[1,-1,0],"r_string":["a",""],"r_message":[{},{"f_int32":1}],"r_packed":[-1,1],"r_fixed":[1]}"#,
        ],
    );
    assert_eq!(noted(all, r#"{"r_int32":[],"r_packed":[],"r_message":[]}"#).0, "{}");
    for text in [
        r#"{"r_int32":1}"#,
        r#"{"r_int32":{}}"#,
        r#"{"r_int32":["1"]}"#,
        r#"{"r_int32":[null]}"#,
        r#"{"r_message":[1]}"#,
        r#"{"r_string":[1]}"#,
        r#"{"r_packed":[1.5]}"#,
    ] {
        refused(all, text, brpc());
    }
    let arrays = Style::Brpc(Options { empty_arrays: true, ..Options::default() });
    assert_eq!(echo(two("t.List"), "{}", arrays).unwrap(), r#"{"items":[]}"#);
}

#[test]
fn maps_of_strings_are_objects_behind_the_other_fields() {
    let all = two("t.All");
    same(
        all,
        brpc(),
        &[r#"{"f_int32":1,"a-b":"x","m_string":{"a":1,"b":-1}}"#, r#"{"m_enum":{"x":"GREEN"}}"#],
    );
    assert_eq!(noted(all, r#"{"m_string":{},"f_int32":1}"#).0, r#"{"f_int32":1}"#);
    assert_eq!(
        noted(all, r#"{"m_string":[{"key":"a","value":1},{"value":2}]}"#).0,
        r#"{"m_string":{"a":1,"":2}}"#
    );
    assert_eq!(noted(all, r#"{"m_string":{"a":null}}"#).0, r#"{"m_string":{"a":0}}"#);
    refused(all, r#"{"m_string":1}"#, brpc());
    // Anything of the shape is a map, wherever it is declared.
    same(two("t.Pairs"), brpc(), &[r#"{"after":1,"pairs":{"a":1}}"#]);
}

#[test]
fn maps_with_other_keys_are_arrays_of_entries() {
    let all = two("t.All");
    same(
        all,
        brpc(),
        &[
            r#"{"m_int32":[{"key":1,"value":"a"},{"key":-1,"value":"b"}]}"#,
            r#"{"m_bool":[{"key":true,"value":{"f_int32":1}}]}"#,
        ],
    );
    refused(all, r#"{"m_int32":{"1":"a"}}"#, brpc());
}

#[test]
fn unset_fields_are_left_out_unless_defaults_are_wanted() {
    let nested = testdata::pool(
        r#"syntax = "proto3"; package d;
        message D { int32 n = 1; string s = 2; bool b = 3; double d = 4; D child = 5; repeated int32 r = 6; bytes y = 7;
                    oneof o { int32 one = 8; } optional int64 maybe = 9; }"#,
    );
    let schema = nested.message("d.D").unwrap();
    // Explicit zeros of implicit fields read as absent.
    assert_eq!(from_wire(schema, b"\x08\x00\x12\x00\x18\x00", brpc()).unwrap(), b"{}");
    let defaults = Style::Brpc(Options { print_defaults: true, ..Options::default() });
    assert_eq!(echo(schema, "{}", defaults).unwrap(), r#"{"n":0,"s":"","b":false,"d":0.0,"y":"","maybe":0}"#);
    let declared = testdata::pool(
        r#"syntax = "proto2"; package d; enum E { A = 3; B = 1; }
        message D { optional int32 n = 1 [default = -7]; optional string s = 2 [default = "a\tb"]; optional E e = 3 [default = B];
                    optional E f = 4; optional float x = 5 [default = -inf]; optional bool b = 6 [default = true];
                    optional sint64 z = 7 [default = -1]; optional bytes y = 8 [default = "\001"]; }"#,
    );
    assert_eq!(
        echo(declared.message("d.D").unwrap(), "{}", defaults).unwrap(),
        r#"{"n":-7,"s":"a\tb","e":"B","f":"A","x":"-Infinity","b":true,"z":-1,"y":"AQ=="}"#
    );
}

#[test]
fn null_is_absent_and_a_missing_required_field_is_an_error() {
    let needs = two("t.Needs");
    assert_eq!(
        noted(two("t.All"), r#"{"f_int32":null,"f_message":null,"r_int32":null,"m_string":null}"#).0,
        "{}"
    );
    same(needs, brpc(), &[r#"{"id":1,"below":{"id":2,"text":""},"text":"x"}"#]);
    for (text, field) in [
        ("{}", "t.Needs.id"),
        ("", "t.Needs.id"),
        (r#"{"id":1}"#, "t.Needs.text"),
        (r#"{"id":null,"text":""}"#, "t.Needs.id"),
        (r#"{"id":1,"text":"","below":{"id":1}}"#, "t.Needs.text"),
        (r#"{"id":1,"text":"","more":[{"text":""}]}"#, "t.Needs.id"),
    ] {
        let expected = Err(FormatError::MissingRequired(field.into()));
        assert_eq!(to_wire(needs, text.as_bytes(), brpc()).map(|r| r.wire), expected, "{text}");
    }
    refused(needs, r#"{"id":"1","text":""}"#, brpc()); // wrong type of a required field
    assert_eq!(
        from_wire(needs, b"\x08\x01", brpc()),
        Err(FormatError::MissingRequired("t.Needs.text".into()))
    );
    // Empty text is a message without fields.
    assert_eq!(to_wire(two("t.All"), b" \n", brpc()).unwrap().wire, b"");
}

#[test]
fn a_single_repeated_field_is_a_bare_array_by_option_and_at_the_top_alone() {
    let bare = Style::Brpc(Options { single_repeated_to_array: true, ..Options::default() });
    same(two("t.List"), bare, &["[1,2]", "[]"]);
    assert_eq!(echo(two("t.List"), r#"{"items":[1]}"#, bare).unwrap(), "[1]");
    refused(two("t.List"), "[1]", brpc());
    refused(two("t.All"), "[1]", bare);
    refused(two("t.List"), "[1]]", bare);
}

#[test]
fn of_a_member_that_is_there_twice_the_first_counts() {
    let all = two("t.All");
    assert_eq!(
        noted(all, r#"{"f_int32":1,"f_int32":2,"r_int32":[1],"r_int32":[2]}"#).0,
        r#"{"f_int32":1,"r_int32":[1]}"#
    );
    refused(all, r#"{"f_int32":1,"f_int32":}"#, brpc());
}

#[test]
fn order_out_is_extensions_then_declared_fields_then_maps() {
    let text = r#"{"m_string":{"a":1},"f_string":"s","extra":5,"f_double":1.5}"#;
    assert_eq!(
        noted(two("t.All"), text).0,
        r#"{"extra":5,"f_double":1.5,"f_string":"s","m_string":{"a":1}}"#
    );
}

#[test]
fn extensions_have_short_names_in_brpc_style_and_full_ones_in_canonical_json() {
    same(two("t.All"), brpc(), &[r#"{"extra":5}"#]);
    same(two("t.All"), Style::Canonical, &[r#"{"[t.extra]":5}"#]);
}

#[test]
fn pretty_text_has_lines_and_four_spaces() {
    let pretty = Style::Brpc(Options { pretty: true, ..Options::default() });
    let text =
        echo(two("t.All"), r#"{"f_int32":1,"r_int32":[1,2],"f_message":{},"m_string":{"a":1}}"#, pretty)
            .unwrap();
    assert_eq!(
        text,
        "{\n    \"f_int32\": 1,\n    \"f_message\": {},\n    \"r_int32\": [\n        1,\n        2\n    ],\n    \
         \"m_string\": {\n        \"a\": 1\n    }\n}"
    );
}

#[test]
fn text_that_is_no_json_is_refused_with_the_place() {
    let all = two("t.All");
    for (text, at) in [
        ("{", 1),
        ("{}x", 2),
        ("{} {}", 3),
        (r#"{"f_int32":1,}"#, 13),
        (r#"{"f_int32" 1}"#, 11),
        (r#"{f_int32:1}"#, 1),
        (r#"{"f_int32":01}"#, 12),
        (r#"{"f_int32":+1}"#, 11),
        (r#"{"f_int32":-}"#, 11),
        (r#"{"f_double":1.}"#, 12),
        (r#"{"f_double":.5}"#, 12),
        (r#"{"f_double":1e}"#, 12),
        (r#"{"f_double":NaN}"#, 12),
        (r#"{"f_bool":tru}"#, 10),
        (r#"{"f_int32":nul}"#, 11),
        (r#"{'f_int32':1}"#, 1),
        ("{\"f_string\":\"a\nb\"}", 14),
        (r#"{"f_string":"\x"}"#, 13),
        (r#"{"f_string":"\u12g4"}"#, 13),
        (r#"{"f_string":"a"#, 14),
        (r#"{"f_string":"a\"#, 14),
        (r#"{"x":[1,]}"#, 8),
        (r#"{"x":[1}"#, 7),
        (r#"{"x":{"a":1]}"#, 11),
        (r#"{"x":{1:2}}"#, 6),
        (r#"{"x":}"#, 5),
        ("/* */{}", 0),
    ] {
        match to_wire(all, text.as_bytes(), brpc()) {
            Err(FormatError::Json { at: found, .. }) => assert_eq!(found, at, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn half_surrogates_and_bytes_that_are_no_text_are_refused() {
    let all = two("t.All");
    for text in [
        r#"{"f_string":"\ud83d"}"#,
        r#"{"f_string":"\ude00"}"#,
        r#"{"f_string":"\ud83dx"}"#,
        r#"{"f_string":"\ud83d\u0041"}"#,
    ] {
        refused(all, text, brpc());
    }
    assert!(to_wire(all, b"{\"f_string\":\"\xff\"}", brpc()).is_err());
    assert!(to_wire(all, b"{\"f_string\":\"\xc0\x80\"}", brpc()).is_err());
}

#[test]
fn nesting_ends_at_one_hundred_both_ways_and_in_what_is_passed_over() {
    let all = two("t.All");
    let nested = |levels: usize| {
        let (open, close) = (r#"{"f_message":"#.repeat(levels - 1), "}".repeat(levels - 1));
        format!("{open}{{}}{close}")
    };
    same(all, brpc(), &[&nested(100)]);
    refused(all, &nested(101), brpc());
    let wire = |levels: usize| {
        let mut wire = Vec::new();
        for _ in 1..levels {
            let mut outer = vec![0xc2, 0x0c]; // field 200, bytes
            crate::protobuf::wire::put_varint(&mut outer, wire.len() as u64);
            outer.extend(wire);
            wire = outer;
        }
        wire
    };
    assert_eq!(to_wire(all, nested(100).as_bytes(), brpc()).unwrap().wire, wire(100));
    assert!(from_wire(all, &wire(101), brpc()).is_err());
    for bracket in [("[", "]"), ("{\"a\":", "}")] {
        let unknown = |levels| format!("{{\"x\":{}1{}}}", bracket.0.repeat(levels), bracket.1.repeat(levels));
        assert_eq!(noted(all, &unknown(99)).0, "{}");
        refused(all, &unknown(100), brpc());
        refused(all, &format!("{{\"x\":{}", bracket.0.repeat(1 << 20)), brpc());
    }
}

#[test]
fn long_messages_get_their_lengths_right_however_they_were_guessed() {
    let all = two("t.All");
    for len in [1, 127, 128, 200, 16_383, 16_384, 20_000, 70_000] {
        let text = "x".repeat(len);
        let inner = format!(r#"{{"f_string":"{text}"}}"#);
        same(
            all,
            brpc(),
            &[&format!(r#"{{"f_message":{{"f_message":{inner},"r_message":[{{}},{inner}]}}}}"#)],
        );
        let escaped = "\\n".repeat(len);
        same(all, brpc(), &[&format!(r#"{{"f_string":"{escaped}"}}"#)]);
        let numbers = vec!["-1"; len].join(",");
        same(all, brpc(), &[&format!(r#"{{"r_packed":[{numbers}]}}"#)]);
    }
}

#[test]
fn fields_come_in_any_order_and_in_pieces() {
    let all = two("t.All");
    let write = |wire: &[u8]| String::from_utf8(from_wire(all, wire, brpc()).unwrap()).unwrap();
    // r_int32 unpacked 1, f_int32 5, r_int32 packed 2 3, f_int32 6
    let wire = b"\xa8\x01\x01\x28\x05\xaa\x01\x02\x02\x03\x28\x06";
    assert_eq!(write(wire), r#"{"f_int32":6,"r_int32":[1,2,3]}"#);
    // f_message in two pieces merges.
    assert_eq!(
        write(b"\xc2\x0c\x02\x28\x01\xc2\x0c\x04\x28\x02\x40\x01"),
        r#"{"f_message":{"f_int32":2,"f_bool":true}}"#
    );
    // Of a oneof the last one counts.
    assert_eq!(write(b"\x90\x03\x01\x9a\x03\x01x"), r#"{"c_string":"x"}"#);
    assert_eq!(write(b"\x9a\x03\x01x\x90\x03\x01"), r#"{"c_int32":1}"#);
    // Unknown fields, wrong wire types and unknown values of closed enums are passed over.
    assert_eq!(
        write(b"\xf8\x7f\x01\x2d\x01\x00\x00\x00\x70\x07\xc2\x01\x02\x01\x07"),
        r#"{"r_enum":["GREEN"]}"#
    );
    assert!(from_wire(all, b"\x28", brpc()).is_err());
}

#[test]
fn canonical_names_numbers_and_defaults_follow_the_mapping() {
    let third = third();
    same(
        third,
        Style::Canonical,
        &[
            "{}",
            r#"{"number":-1,"displayName":"x","maybe":0,"mood":"MOOD_GOOD","raw":"+/8=","ratio":1.5}"#,
            r#"{"wide":"-9223372036854775808","wider":"18446744073709551615","flag":true}"#,
            r#"{"packed":[1,2],"child":{},"names":{"-5":"x"},"children":{"a":{"number":1}},"moods":{"true":"MOOD_GOOD"}}"#,
            r#"{"small":0.1,"strange":"x"}"#,
        ],
    );
    for (text, out) in [
        (r#"{"display_name":"x"}"#, r#"{"displayName":"x"}"#),
        (r#"{"number":"7"}"#, r#"{"number":7}"#),
        (r#"{"number":7.0,"wide":1e3}"#, r#"{"number":7,"wide":"1000"}"#),
        (r#"{"raw":"-_8"}"#, r#"{"raw":"+/8="}"#),
        (r#"{"ratio":"1.5","small":"NaN"}"#, r#"{"ratio":1.5,"small":"NaN"}"#),
        (r#"{"mood":7}"#, r#"{"mood":7}"#),
        (
            r#"{"mood":"MOOD_NEW","moodList":["MOOD_NEW","MOOD_GOOD"],"moods":{"false":"MOOD_NEW"}}"#,
            r#"{"moodList":["MOOD_GOOD"]}"#,
        ),
        (r#"{"number":0,"flag":false,"child":null,"unknown":[{}]}"#, "{}"),
    ] {
        assert_eq!(echo(third, text, Style::Canonical).as_deref(), Ok(out), "{text}");
    }
    for text in [
        r#"{"number":1.5}"#,
        r#"{"number":"1 "}"#,
        r#"{"number":true}"#,
        r#"{"flag":"true"}"#,
        r#"{"ratio":"nan"}"#,
        r#"{"small":1e39}"#,
        r#"{"number":1,"number":2}"#,
        r#"{"display_name":"a","displayName":"b"}"#,
        r#"{"packed":[null]}"#,
        r#"{"names":{"x":"y"}}"#,
        r#"{"names":{"1":null}}"#,
        r#"{"moods":{"yes":1}}"#,
        r#"{"one":1,"other":"x"}"#,
        r#"{"names":[]}"#,
    ] {
        refused(third, text, Style::Canonical);
    }
}

#[test]
fn canonical_well_known_types_have_their_own_forms() {
    same(
        third(),
        Style::Canonical,
        &[
            r#"{"when":"1972-01-01T10:00:20.021Z","took":"1.212s","mask":"user.displayName,photo"}"#,
            r#"{"structure":{"a":null,"b":[1.5,true,"x",{}]},"value":null,"list":[]}"#,
            r#"{"value":[[],{}],"values":[null,"x"],"times":["1970-01-01T00:00:00Z"]}"#,
            r#"{"any":{"@type":"type.googleapis.com/t.Third","number":1,"child":{"flag":true}},"empty":{}}"#,
            r#"{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}}"#,
            r#"{"any":{}}"#,
            r#"{"boxed":"0","boxedText":"","boxedBytes":"AA==","boxedDouble":1.5,"boxedBool":false}"#,
            r#"{"nothing":null}"#,
        ],
    );
    let moved = r#"{"any":{"number":1,"@type":"type.googleapis.com/t.Third"}}"#;
    let first = r#"{"any":{"@type":"type.googleapis.com/t.Third","number":1}}"#;
    assert_eq!(echo(third(), moved, Style::Canonical).as_deref(), Ok(first));
    for text in [
        r#"{"when":"yesterday"}"#,
        r#"{"when":1}"#,
        r#"{"took":"1"}"#,
        r#"{"mask":"a_b"}"#,
        r#"{"structure":[]}"#,
        r#"{"list":{}}"#,
        r#"{"any":{"number":1}}"#,
        r#"{"any":{"@type":"t.Third"}}"#,
        r#"{"any":{"@type":"x/t.Unknown"}}"#,
        r#"{"any":{"@type":"x/google.protobuf.Duration"}}"#,
        r#"{"boxed":{}}"#,
        r#"{"boxed":"x"}"#,
    ] {
        refused(third(), text, Style::Canonical);
    }
}

#[test]
fn well_known_types_are_plain_messages_in_brpc_style() {
    same(
        third(),
        brpc(),
        &[r#"{"when":{"seconds":1,"nanos":2},"any":{"type_url":"x"},"boxed":{"value":5}}"#],
    );
}

/// Canonical JSON by buffa's dynamic messages, which share nothing with this module.
fn oracle(wire: &[u8]) -> Option<String> {
    static POOL: LazyLock<Arc<DescriptorPool>> =
        LazyLock::new(|| Arc::new(DescriptorPool::decode(&testdata::descriptor_set(KINDS3)).unwrap()));
    let index = POOL.message_index("t.Third").unwrap();
    let message = DynamicMessage::decode(POOL.clone(), index, wire).ok()?;
    message.to_json().ok()
}

prop_compose! {
    /// Fields of `t.Third` with likely wire types and any content.
    fn third_wire()(fields in proptest::collection::vec((prop_oneof![1u32..18, 20u32..33, 34u32..36, 40u32..42], 0u8..4, any::<u64>(), any::<Vec<u8>>()), 0..8)) -> Vec<u8> {
        let mut wire = Vec::new();
        for (number, kind, bits, mut bytes) in fields {
            let tag = |wire: &mut Vec<u8>, kind: u64| crate::protobuf::wire::put_varint(wire, u64::from(number) << 3 | kind);
            match kind {
                0 => { tag(&mut wire, 0); crate::protobuf::wire::put_varint(&mut wire, bits >> (bits & 63)); }
                1 => { tag(&mut wire, 1); wire.extend(bits.to_le_bytes()); }
                2 => { tag(&mut wire, 5); wire.extend((bits as u32).to_le_bytes()); }
                _ => {
                    if number == 2 || number == 17 || number == 41 { bytes.iter_mut().for_each(|b| *b &= 0x7f); }
                    tag(&mut wire, 2);
                    crate::protobuf::wire::put_varint(&mut wire, bytes.len() as u64);
                    wire.extend(bytes);
                }
            }
        }
        wire
    }
}

prop_compose! {
    /// A JSON text of scalars and lists of `t.Third`, canonical form.
    fn third_text()(
        number in any::<i32>(), text in any::<String>(), wide in any::<i64>(), ratio in any::<f64>(), raw in any::<Vec<u8>>(),
        packed in proptest::collection::vec(any::<i32>(), 0..5), seconds in -62_135_596_800i64..253_402_300_799, nanos in 0i32..1_000_000_000,
        keys in proptest::collection::btree_map(any::<String>(), any::<i32>(), 0..4), small in any::<f32>(),
    ) -> Vec<u8> {
        use crate::protobuf::wire::put_varint;
        let mut wire = Vec::new();
        let mut varint = |number: u64, value: u64| if value != 0 { put_varint(&mut wire, number << 3); put_varint(&mut wire, value); };
        varint(1, number as i64 as u64);
        varint(7, wide as u64);
        let mut bytes = |number: u64, value: &[u8]| if !value.is_empty() {
            put_varint(&mut wire, number << 3 | 2);
            put_varint(&mut wire, value.len() as u64);
            wire.extend_from_slice(value);
        };
        bytes(2, text.as_bytes());
        bytes(5, &raw);
        let mut run = Vec::new();
        packed.iter().for_each(|v| put_varint(&mut run, *v as i64 as u64));
        bytes(10, &run);
        let mut time = vec![8];
        put_varint(&mut time, seconds as u64);
        time.push(16);
        put_varint(&mut time, nanos as u64);
        bytes(20, &time);
        for (key, value) in keys {
            let mut entry = vec![10];
            put_varint(&mut entry, key.len() as u64);
            entry.extend_from_slice(key.as_bytes());
            entry.extend_from_slice(&[18, 0]);
            if value != 0 {
                let mut child = vec![8];
                put_varint(&mut child, value as i64 as u64);
                let at = entry.len() - 1;
                entry[at] = child.len() as u8;
                entry.extend(child);
            }
            bytes(13, &entry);
        }
        wire.push(49);
        wire.extend(ratio.to_le_bytes());
        wire.extend([0x85, 0x01]);
        wire.extend(small.to_le_bytes());
        wire
    }
}

proptest! {
    #[test]
    fn canonical_text_says_what_another_implementation_says(wire in third_text()) {
        let ours = from_wire(third(), &wire, Style::Canonical).unwrap();
        let mut theirs: serde_json::Value = serde_json::from_str(&oracle(&wire).unwrap()).unwrap();
        let mut parsed: serde_json::Value = serde_json::from_slice(&ours).unwrap();
        // They write floats with the digits of doubles.
        for value in [&mut theirs, &mut parsed] {
            if let Some(small) = value.get("small").and_then(serde_json::Value::as_f64) {
                value["small"] = (small as f32).into();
            }
        }
        prop_assert_eq!(parsed, theirs);
        // And back: the same message again.
        let back = to_wire(third(), &ours, Style::Canonical).unwrap().wire;
        prop_assert_eq!(from_wire(third(), &back, Style::Canonical).unwrap(), ours);
    }

    #[test]
    fn any_wire_bytes_give_an_error_or_json(wire in third_wire()) {
        for style in [brpc(), lenient(), Style::Canonical] {
            if let Ok(text) = from_wire(third(), &wire, style) {
                serde_json::from_slice::<serde_json::Value>(&text).unwrap();
                let back = match to_wire(third(), &text, style) {
                    Ok(back) => back,
                    // brpc writes unknown numbers of open enums, and does not read them.
                    Err(e) => {
                        let lenient = style == lenient();
                        prop_assert!(lenient && e.to_string().contains("not a value of its enum"), "{}", e);
                        continue;
                    }
                };
                if back.notes.is_empty() {
                    prop_assert_eq!(from_wire(third(), &back.wire, style).unwrap(), text);
                }
            }
        }
    }

    #[test]
    fn garbage_never_panics(bytes: Vec<u8>, text: String) {
        for style in [brpc(), lenient(), Style::Canonical, Style::Strict] {
            let _ = to_wire(third(), &bytes, style);
            let _ = to_wire(two("t.All"), text.as_bytes(), style);
            let _ = from_wire(third(), &bytes, style);
            let _ = from_wire(two("t.All"), &bytes, style);
        }
    }

    #[test]
    fn every_truncation_and_every_changed_byte_is_survived(at in 0usize..400, byte: u8) {
        let text = br#"{"f_double":1.5,"f_int64":"-12","f_string":"a\u00e9b","f_bytes":"AP8Q","r_message":[{"f_bool":true},{}],"m_string":{"k":1},"m_bool":[{"key":true,"value":{"f_enum":"GREEN"}}],"unknown":{"a":[1,2,{"b":null}]},"c_string":"x"}"#;
        let all = two("t.All");
        let whole = to_wire(all, text, brpc()).unwrap().wire;
        let cut = at % text.len();
        prop_assert!(cut == 0 || to_wire(all, &text[..cut], brpc()).is_err());
        let mut changed = text.to_vec();
        changed[cut] = byte;
        if let Ok(read) = to_wire(all, &changed, brpc()) {
            from_wire(all, &read.wire, brpc()).unwrap();
        }
        let cut = at % whole.len();
        let _ = from_wire(all, &whole[..cut], brpc());
    }
}
