//! Messages, repeated fields and maps.

use super::*;

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
    // Any message of that shape is treated as a map, wherever it is declared.
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
fn a_single_repeated_field_is_a_bare_array_by_option_and_at_the_top_alone() {
    let bare = Style::Brpc(Options { single_repeated_to_array: true, ..Options::default() });
    same(two("t.List"), bare, &["[1,2]", "[]"]);
    assert_eq!(echo(two("t.List"), r#"{"items":[1]}"#, bare).unwrap(), "[1]");
    refused(two("t.List"), "[1]", brpc());
    refused(two("t.All"), "[1]", bare);
    refused(two("t.List"), "[1]]", bare);
}

#[test]
fn errors_have_the_path_of_their_field() {
    let pool = testdata::pool(
        r#"syntax = "proto3"; package p; import "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto";
        message M { map<string, int32> counts = 1; map<int32, M> inner = 2; google.protobuf.Timestamp at = 3;
                    repeated M many = 4; M one = 5; google.protobuf.Duration span = 6; map<string, N> names = 7; }
        message N { repeated int32 n = 1; }"#,
    );
    let schema = pool.message("p.M").unwrap();
    let strict = Json::STRICT.0;
    for (style, text, path) in [
        (strict, r#"{"counts":{"a":1,"b":"x"}}"#, r#"counts["b"]"#),
        (strict, r#"{"inner":{"7":{"counts":{"a\"b":[]}}}}"#, r#"inner["7"].counts["a\"b"]"#),
        (strict, r#"{"inner":{"x":{}}}"#, "inner"),
        (strict, r#"{"names":{"k":{"n":[1,"x"]}}}"#, r#"names["k"].n[1]"#),
        (strict, r#"{"counts":[]}"#, "counts"),
        (strict, r#"{"many":{}}"#, "many"),
        (strict, r#"{"many":[{},7]}"#, "many[1]"),
        (strict, r#"{"one":{"one":7}}"#, "one.one"),
        (brpc(), r#"{"at":"2020-01-02T03:04:05Z"}"#, "at"),
        (brpc(), r#"{"one":{"at":[]}}"#, "one.at"),
        (brpc(), r#"{"inner":[{"key":7,"value":{"one":0}}]}"#, "inner[0].value.one"),
        (Style::Canonical, r#"{"at":"yesterday"}"#, "at"),
        (Style::Canonical, r#"{"many":[{"span":"1"}]}"#, "many[0].span"),
        (Style::Canonical, r#"{"span":{}}"#, "span"),
    ] {
        let FormatError::Json { what, .. } = to_wire(schema, text.as_bytes(), style).unwrap_err() else {
            panic!("{text}")
        };
        assert!(what.starts_with(&format!("{path}: ")), "{text}: {what}");
    }
    let FormatError::Json { what, .. } = to_wire(schema, br#"{"one":{"counts"}}"#, strict).unwrap_err()
    else {
        panic!()
    };
    assert!(what.starts_with("expected"), "what is no JSON has no path: {what}");
}
