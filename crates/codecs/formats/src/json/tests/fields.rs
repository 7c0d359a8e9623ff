//! Which fields are read and written, under which names, and in which order.

use super::*;

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
fn unknown_names_of_enum_values_are_errors_to_the_strict_and_ignored_by_the_canonical() {
    let all = two("t.All");
    for text in [r#"{"fEnum":"MAUVE"}"#, r#"{"rEnum":["MAUVE"]}"#, r#"{"mEnum":{"a":"MAUVE"}}"#] {
        to_wire(all, text.as_bytes(), Style::Canonical).expect(text);
        let said = refused(all, text, Style::Strict);
        assert!(said.ends_with("not a value of its enum"), "{text}: {said}");
    }
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
    // Escapes in names are resolved.
    assert_eq!(echo(all, r#"{"f_int\u00332":1}"#, brpc()).unwrap(), r#"{"f_int32":1}"#);
}

#[test]
fn unset_fields_are_left_out_unless_defaults_are_wanted() {
    let nested = testdata::pool(
        r#"syntax = "proto3"; package d;
        message D { int32 n = 1; string s = 2; bool b = 3; double d = 4; D child = 5; repeated int32 r = 6; bytes y = 7;
                    oneof o { int32 one = 8; } optional int64 maybe = 9; }"#,
    );
    let schema = nested.message("d.D").unwrap();
    // Explicit zeros of implicit fields are treated as absent.
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
    // An empty text is a message without fields.
    assert_eq!(to_wire(two("t.All"), b" \n", brpc()).unwrap().wire, b"");
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
fn fields_come_in_any_order_and_in_pieces() {
    let all = two("t.All");
    let write = |wire: &[u8]| String::from_utf8(from_wire(all, wire, brpc()).unwrap()).unwrap();
    // r_int32 unpacked 1, f_int32 5, r_int32 packed 2 3, f_int32 6
    let wire = b"\xa8\x01\x01\x28\x05\xaa\x01\x02\x02\x03\x28\x06";
    assert_eq!(write(wire), r#"{"f_int32":6,"r_int32":[1,2,3]}"#);
    // f_message in two pieces is merged.
    assert_eq!(
        write(b"\xc2\x0c\x02\x28\x01\xc2\x0c\x04\x28\x02\x40\x01"),
        r#"{"f_message":{"f_int32":2,"f_bool":true}}"#
    );
    // Of a oneof, the last member counts.
    assert_eq!(write(b"\x90\x03\x01\x9a\x03\x01x"), r#"{"c_string":"x"}"#);
    assert_eq!(write(b"\x9a\x03\x01x\x90\x03\x01"), r#"{"c_int32":1}"#);
    // Unknown fields, wrong wire types and unknown values of closed enums are skipped.
    assert_eq!(
        write(b"\xf8\x7f\x01\x2d\x01\x00\x00\x00\x70\x07\xc2\x01\x02\x01\x07"),
        r#"{"r_enum":["GREEN"]}"#
    );
    assert!(from_wire(all, b"\x28", brpc()).is_err());
}
