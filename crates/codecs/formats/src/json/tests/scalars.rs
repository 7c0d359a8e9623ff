//! Numbers, booleans, strings, bytes and enums.

use super::*;

#[test]
fn a_varint_of_sint32_is_cut_to_32_bits_before_its_sign_is_read() {
    let all = two("t.All");
    let tag = to_wire(all, br#"{"f_sint32":0}"#, brpc()).unwrap().wire;
    let wire = [&tag[..tag.len() - 1], &[0x82, 0x80, 0x80, 0x80, 0x10]].concat();
    assert_eq!(from_wire(all, &wire, brpc()).unwrap(), br#"{"f_sint32":1}"#);
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
