//! Syntax: what is valid JSON, its nesting and its length.

use super::*;

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
