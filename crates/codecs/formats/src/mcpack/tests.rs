//! mcpack and compack as in docs/wire/mcpack.md.

use super::{Fields, Variant, Writer, document, field, from_wire, to_wire};
use crate::{
    FormatError, json,
    schema::{MessageSchema, Pool},
    testdata::{self, hex},
};
use proptest::prelude::*;
use std::sync::LazyLock;

/// "Message used" of the sheet's worked examples, and its options.
const SHEET: &str = r#"
syntax = "proto2";
package t;
import "google/protobuf/descriptor.proto";
enum IdlType { AUTO = 0; INT8 = 1; INT64 = 4; UINT32 = 7; DOUBLE = 11; BINARY = 12; STRING = 13; }
extend google.protobuf.FileOptions { optional bool idl_support = 91000; }
extend google.protobuf.FieldOptions {
  optional IdlType idl_type = 91001;
  optional int32 idl_on = 91002;
  optional string idl_name = 91003;
}
option (idl_support) = true;
message Item { optional string k = 1; optional int32 v = 2; repeated int64 tags = 3; }
message Main {
  optional string message = 1;
  optional int32 code = 2;
  optional uint64 big = 3 [(idl_type) = UINT32];
  optional bool flag = 4;
  optional double d = 5;
  optional bytes bin = 6;
  repeated int32 nums = 7;
  repeated string strs = 8;
  repeated Item items = 9;
  optional Item one = 10 [(idl_name) = "uno"];
  repeated int32 on = 11 [(idl_on) = 1];
}
message Numbers {
  optional int32 i32 = 1; optional int64 i64 = 2; optional uint32 u32 = 3; optional uint64 u64 = 4;
  optional sint32 s32 = 5; optional sint64 s64 = 6; optional fixed32 f32 = 7; optional sfixed64 sf64 = 8;
  optional bool b = 9; optional float f = 10; optional double d = 11; optional string s = 12; optional bytes y = 13;
  repeated int32 ri32 = 21; repeated sint64 rs64 = 22 [packed = true]; repeated double rd = 23;
  repeated float rf = 24; repeated uint32 ru32 = 25 [packed = true]; repeated bool rb = 26;
}
message Options {
  optional int64 narrow = 1 [(idl_type) = INT8];
  optional bytes text = 2 [(idl_type) = STRING];
  optional int32 on = 3 [(idl_on) = 1];
  repeated float wide = 4 [(idl_type) = DOUBLE];
}
message Misfit { optional string s = 1 [(idl_type) = INT8]; }
message Deep { optional Deep d = 1; repeated Deep r = 2; map<string, Deep> m = 3; required string must = 4; }
message Free { optional Free d = 1; repeated Free r = 2; map<string, Free> m = 3; repeated int32 n = 4; }
message Maps { map<string, int32> numbers = 1; map<string, bytes> blobs = 2; map<int32, int32> plain = 3; }
message Groups { repeated group G = 1 { optional int32 a = 1; } optional int32 z = 2; }
"#;

static POOL: LazyLock<Pool> = LazyLock::new(|| testdata::pool(SHEET));

fn schema(message: &str) -> MessageSchema<'static> {
    POOL.message(&format!("t.{message}")).unwrap()
}

fn wire(message: &str, text: &str) -> Vec<u8> {
    json::to_wire(schema(message), text.as_bytes(), json::Style::Canonical).unwrap().wire
}

/// The message as canonical JSON.
fn read(message: &str, body: &[u8]) -> Result<String, FormatError> {
    let wire = to_wire(schema(message), body, 1 << 20)?;
    let text = json::from_wire(schema(message), &wire, json::Style::Canonical).unwrap();
    Ok(String::from_utf8(text).unwrap())
}

fn written(message: &str, text: &str, variant: Variant) -> Vec<u8> {
    from_wire(schema(message), &wire(message, text), variant).unwrap()
}

/// An object's body of fields given in hex, with a wrong count, since "the count is informative".
fn body(fields: &str) -> Vec<u8> {
    [&[9, 9, 9, 9][..], &hex(fields)].concat()
}

const MAIN: &str = r#"{"message":"hello","code":-5,"big":"7","flag":true,"d":1.5,"bin":"AQI=","nums":[1,-2],"strs":["a","bc"],"items":[{"k":"x","v":3,"tags":["9","10"]},{"k":"y"}],"one":{"k":"o"}}"#;

/// "Example 1: the message of the mapping section as an mcpack v2 object"
fn example_1() -> Vec<u8> {
    hex("10 00 fb 00 00 00 0b 00 00 00 d0 08 06 6d 65 73
         73 61 67 65 00 68 65 6c 6c 6f 00 14 05 63 6f 64
         65 00 fb ff ff ff 24 04 62 69 67 00 07 00 00 00
         31 05 66 6c 61 67 00 01 48 02 64 00 00 00 00 00
         00 00 f8 3f e0 04 02 62 69 6e 00 01 02 20 05 10
         00 00 00 6e 75 6d 73 00 02 00 00 00 14 00 01 00
         00 00 14 00 fe ff ff ff 20 05 0f 00 00 00 73 74
         72 73 00 02 00 00 00 d0 00 02 61 00 d0 00 03 62
         63 00 20 06 51 00 00 00 69 74 65 6d 73 00 02 00
         00 00 10 00 36 00 00 00 03 00 00 00 d0 02 02 6b
         00 78 00 14 02 76 00 03 00 00 00 20 05 18 00 00
         00 74 61 67 73 00 02 00 00 00 18 00 09 00 00 00
         00 00 00 00 18 00 0a 00 00 00 00 00 00 00 10 00
         0b 00 00 00 01 00 00 00 d0 02 02 6b 00 79 00 10
         04 0b 00 00 00 75 6e 6f 00 01 00 00 00 d0 02 02
         6b 00 6f 00 20 03 04 00 00 00 6f 6e 00 00 00 00
         00")
}

/// "Example 2a: field nums in compack"
const NUMS: &str = "30 05 09 00 00 00 6e 75 6d 73 00 14 01 00 00 00 fe ff ff ff";

/// "Example 2b: field items in compack"
const ITEMS: &str = "40 06 58 00 00 00 69 74 65 6d 73 00 03 00 00 00
    20 02 0e 00 00 00 6b 00 02 00 00 00 d0 00 02 78
    00 d0 00 02 79 00 20 02 0d 00 00 00 76 00 02 00
    00 00 14 00 03 00 00 00 61 00 00 20 05 1e 00 00
    00 74 61 67 73 00 02 00 00 00 30 00 11 00 00 00
    18 09 00 00 00 00 00 00 00 0a 00 00 00 00 00 00
    00 61 00 00";

/// The compack form of example 1: "differs only in these two members".
fn compack() -> Vec<u8> {
    let mcpack = example_1();
    let (nums, strs, items, one) = (77, 104, 130, 223);
    [&mcpack[6..nums], &hex(NUMS), &mcpack[strs..items], &hex(ITEMS), &mcpack[one..]].concat()
}

#[test]
fn a_varint_of_sint32_is_cut_to_32_bits_before_its_sign_is_read() {
    for variant in [Variant::Mcpack, Variant::Compack] {
        let long = from_wire(schema("Numbers"), &hex("28 82 80 80 80 10"), variant).unwrap();
        assert_eq!(long, written("Numbers", r#"{"s32":1}"#, variant));
    }
}

#[test]
fn example_1_is_the_message_in_both_directions() {
    let example = example_1();
    let body = document(&example).unwrap();
    assert_eq!(read("Main", body).unwrap(), MAIN);
    assert_eq!(written("Main", MAIN, Variant::Mcpack), body);
}

#[test]
fn examples_2_are_the_message_in_compack_in_both_directions() {
    assert_eq!(read("Main", &compack()).unwrap(), MAIN);
    assert_eq!(written("Main", MAIN, Variant::Compack), compack());
}

#[test]
fn example_3_has_a_deleted_field() {
    let example = hex("10 00 11 00 00 00 02 00 00 00 04 02 78 00 09 00 00 00 11 02 61 00 01");
    let mut fields = Fields::of(document(&example).unwrap()).unwrap();
    let live = field::Field { code: field::INT8, name: b"a", value: &[1] };
    assert_eq!((fields.next().unwrap(), fields.next().unwrap()), (Some(live), None));
}

#[test]
fn a_document_is_one_unnamed_object_and_nothing_else() {
    let example = example_1();
    for cut in 0..example.len() {
        assert!(document(&example[..cut]).is_err(), "cut at {cut}");
    }
    assert!(document(&[&example[..], b"\0"].concat()).is_err());
    for other in
        ["10 00 00000000", "10 02 04000000 6100 00000000", "20 00 04000000 00000000", "14 00 00000000"]
    {
        assert!(document(&hex(other)).is_err(), "{other}");
    }
}

#[test]
fn every_truncation_of_a_body_is_refused_or_misses_members() {
    for whole in [example_1()[6..].to_vec(), compack()] {
        for cut in 0..whole.len() {
            match read("Main", &whole[..cut]) {
                // The last member is an empty array of 13 bytes.
                Ok(text) => assert!(text.len() < MAIN.len() || cut == whole.len() - 13, "cut at {cut}"),
                Err(FormatError::Mcpack(_)) => {}
                Err(other) => panic!("cut at {cut}: {other}"),
            }
        }
    }
}

#[test]
fn a_head_may_be_longer_than_it_need_be() {
    assert_eq!(
        read("Main", &body("50 08 06000000 6d65737361676500 68656c6c6f00")).unwrap(),
        r#"{"message":"hello"}"#
    );
}

#[test]
fn strings_are_long_from_255_bytes() {
    for (length, head) in [(254, vec![0xd0, 2, 255]), (255, vec![0x50, 2, 0, 1, 0, 0])] {
        let text = "x".repeat(length);
        let body = written("Item", &format!(r#"{{"k":"{text}"}}"#), Variant::Mcpack);
        assert_eq!(body[4..4 + head.len()], head);
        assert_eq!(read("Item", &body).unwrap(), format!(r#"{{"k":"{text}"}}"#));
    }
}

#[test]
fn integers_of_all_types_are_read_and_range_checked() {
    for (fields, json) in [
        ("11 04 69333200 ff", r#"{"i32":-1}"#),
        ("12 04 69333200 00 80", r#"{"i32":-32768}"#),
        ("18 04 69333200 ffffffffffffffff", r#"{"i32":-1}"#),
        ("21 04 69333200 ff", r#"{"i32":255}"#),
        ("31 04 69333200 07", r#"{"i32":1}"#),
        ("14 04 73333200 ffffffff", r#"{"s32":-1}"#),
        ("28 04 73363400 ffffffffffffff7f", r#"{"s64":"9223372036854775807"}"#),
        ("14 04 66333200 07000000", r#"{"f32":7}"#),
        ("11 05 7366363400 fe", r#"{"sf64":"-2"}"#),
        ("22 02 6200 00 00", r#"{"b":false}"#),
        ("22 02 6200 00 01", r#"{"b":true}"#),
        ("44 02 6400 0000c03f", r#"{"d":1.5}"#),
        ("48 02 6600 000000000000f83f", r#"{"f":1.5}"#),
        ("e0 02 02 7300 6869", r#"{"s":"hi"}"#),
        ("d0 02 03 7900 686900", r#"{"y":"aGk="}"#),
        ("d0 02 03 7300 686958", r#"{"s":"hi"}"#), // "last byte dropped, need not be NUL"
    ] {
        assert_eq!(read("Numbers", &body(fields)).unwrap(), json, "{fields}");
    }
    for refused in [
        "18 04 69333200 0000008000000000", // 2^31 into int32
        "18 04 69333200 ffffff7fffffffff",
        "28 04 69363400 ffffffffffffffff",
        "11 04 75333200 ff", // negative into unsigned
        "11 04 75363400 ff",
        "44 04 69333200 0000803f", // a float into an integer
        "61 04 69333200 00",       // null
        "58 04 69333200 0000000000000000",
        "14 02 6400 01000000", // an integer into a double
        "31 02 6600 01",
        "d0 02 00 7300", // no NUL
        "14 02 7300 01000000",
        "10 02 04000000 7300 00000000",
        "13 04 69333200 000000", // no such type
        "94 04 69333200 01000000",
    ] {
        assert!(matches!(read("Numbers", &body(refused)), Err(FormatError::Mcpack(_))), "{refused}");
    }
}

#[test]
fn isoarrays_are_cast_without_a_check() {
    for (fields, json) in [
        ("30 05 03000000 7269333200 11 ff 01", r#"{"ri32":[-1,1]}"#),
        ("30 05 09000000 7269333200 18 0200000001000000", r#"{"ri32":[2]}"#),
        ("30 05 05000000 7269333200 44 0000803f", r#"{"ri32":[0]}"#),
        ("30 03 05000000 726400 14 01000000", r#"{"rd":[0.0]}"#),
        ("30 03 05000000 726400 44 0000803f", r#"{"rd":[1.0]}"#),
        ("30 05 05000000 7273363400 14 ffffffff", r#"{"rs64":["-1"]}"#),
        ("30 05 02000000 7275333200 11 ff", r#"{"ru32":[4294967295]}"#),
        ("30 03 03000000 726200 11 05 00", r#"{"rb":[true,false]}"#),
    ] {
        assert_eq!(read("Numbers", &body(fields)).unwrap(), json, "{fields}");
    }
    for refused in [
        "30 05 04000000 7269333200 14 000000", // not a whole item
        "30 05 01000000 7269333200 61 ",       // null is no number
        "30 05 01000000 7269333200 10",
        "30 05 01000000 7269333200 00",
        "30 05 00000000 7269333200",
        "30 05 02000000 7269333200 1f 00",
        "30 02 02000000 7300 11 00", // not repeated
    ] {
        assert!(matches!(read("Numbers", &body(refused)), Err(FormatError::Mcpack(_))), "{refused}");
    }
}

#[test]
fn arrays_of_numbers_are_checked_one_by_one() {
    let array =
        |items: &str| body(&format!("20 05 {:02x}000000 7269333200 00000000 {items}", 4 + hex(items).len()));
    assert_eq!(read("Numbers", &array("11 00 ff 28 00 0100000000000000")).unwrap(), r#"{"ri32":[-1,1]}"#);
    assert_eq!(read("Numbers", &array("11 02 6e00 ff")).unwrap(), r#"{"ri32":[-1]}"#); // "skips a name if present"
    assert!(read("Numbers", &array("61 00 00")).is_err());
    assert!(read("Numbers", &array("18 00 ffffffff01000000")).is_err());
}

#[test]
fn the_last_of_several_members_counts_and_repeated_ones_append() {
    let twice = "14 05 636f646500 01000000 14 05 636f646500 02000000";
    assert_eq!(read("Main", &body(twice)).unwrap(), r#"{"code":2}"#);
    assert_eq!(read("Main", &body(&format!("{NUMS} {NUMS}"))).unwrap(), r#"{"nums":[1,-2,1,-2]}"#);
}

#[test]
fn unknown_members_and_deleted_ones_are_skipped_whatever_they_are() {
    let unknown = "10 02 04000000 7a00 00000000  30 00 00000000  84 02 7a00 00000000 80 02 01 7a00 ff 1f 00 000000000000000000000000000000";
    let fields = format!("{unknown} 14 05 636f646500 02000000");
    assert_eq!(read("Main", &body(&fields)).unwrap(), r#"{"code":2}"#);
}

#[test]
fn rows_are_put_together_from_columns() {
    // Columns of different lengths, an unknown one, and one that occurs twice.
    let k = "20 02 10000000 6b00 00000000 d000026100 61 00 00 d0 00 00";
    assert!(read("Main", &body(&format!("40 06 18000000 6974656d7300 00000000 {k}"))).is_err());
    let k = "20 02 11000000 6b00 00000000 d000026100 610000 d000026300";
    let v = "20 02 0a000000 7600 00000000 140007000000";
    let z = "14 02 7a00 00000000";
    let fields =
        format!("40 06 {:02x}000000 6974656d7300 00000000 {k} {v} {z}", 4 + hex(&format!("{k}{v}{z}")).len());
    assert_eq!(read("Main", &body(&fields)).unwrap(), r#"{"items":[{"k":"a","v":7},{},{"k":"c"}]}"#);
    // "isoarray as column = error"
    assert!(read("Main", &body("40 06 0d000000 6974656d7300 00000000 30 02 01000000 7600 14")).is_err());
}

#[test]
fn empty_fields_are_left_out_unless_their_options_or_compack_say_otherwise() {
    assert_eq!(written("Item", "{}", Variant::Mcpack), [0; 4]);
    assert_eq!(written("Item", "{}", Variant::Compack), [0; 4]);
    let main = written("Main", "{}", Variant::Compack);
    let expected = "02000000 40 06 04000000 6974656d7300 00000000 20 03 04000000 6f6e00 00000000";
    assert_eq!(main, hex(expected));
    assert_eq!(read("Main", &main).unwrap(), "{}");
}

#[test]
fn options_choose_types_and_empty_arrays() {
    let text = r#"{"narrow":"257","text":"aGk=","wide":[1.5]}"#;
    let expected =
        "04000000 11 07 6e6172726f7700 01 d0 05 03 7465787400 686900 20 03 04000000 6f6e00 00000000
                    20 05 0e000000 7769646500 01000000 48 00 000000000000f83f";
    let body = written("Options", text, Variant::Mcpack);
    assert_eq!(body, hex(expected));
    assert_eq!(read("Options", &body).unwrap(), r#"{"narrow":"1","text":"aGk=","wide":[1.5]}"#);
    assert!(from_wire(schema("Misfit"), &wire("Misfit", r#"{"s":"x"}"#), Variant::Mcpack).is_err());
}

#[test]
fn maps_by_text_are_objects() {
    let text = r#"{"numbers":{"a":1},"blobs":{"b":"aGk="},"plain":{"5":6}}"#;
    let expected = "03000000 10 08 0c000000 6e756d6265727300 01000000 14 02 6100 01000000
                    10 06 0c000000 626c6f627300 01000000 d0 02 03 6200 686900
                    20 06 24000000 706c61696e00 01000000 10 00 1a000000 02000000
                    14 04 6b657900 05000000 14 06 76616c756500 06000000";
    let body = written("Maps", text, Variant::Mcpack);
    assert_eq!(body, hex(expected));
    assert_eq!(read("Maps", &body).unwrap(), text);
    assert_eq!(read("Maps", &written("Maps", text, Variant::Compack)).unwrap(), text);
    // "object (also when empty)"
    let empty = written("Maps", "{}", Variant::Mcpack);
    assert_eq!(&empty[..20], hex("02000000 10 08 04000000 6e756d6265727300 0000").as_slice());
}

#[test]
fn groups_are_objects() {
    let wire = hex("0b 08 01 0c 0b 0c 10 07");
    for variant in [Variant::Mcpack, Variant::Compack] {
        let body = from_wire(schema("Groups"), &wire, variant).unwrap();
        assert_eq!(to_wire(schema("Groups"), &body, 100).unwrap(), wire, "{variant:?}");
    }
}

#[test]
fn required_fields_are_missed_at_every_depth() {
    let missing = |body: Vec<u8>| from_wire(schema("Deep"), &body, Variant::Mcpack).unwrap_err();
    assert_eq!(missing(vec![]), FormatError::MissingRequired("t.Deep.must".into()));
    assert_eq!(missing(hex("0a 00 22 00")), FormatError::MissingRequired("t.Deep.must".into()));
}

#[test]
fn nesting_ends_at_one_hundred() {
    let nested = |levels: usize, name: &str, code: u8| {
        let mut body = vec![0; 4];
        for _ in 0..levels {
            let mut outer = vec![0, 0, 0, 0, code, 2];
            outer.extend((body.len() as u32).to_le_bytes());
            outer.extend([name.as_bytes(), b"\0", &body].concat());
            body = outer;
        }
        body
    };
    for (name, code) in [("d", field::OBJECT), ("m", field::OBJECT)] {
        let most = if name == "m" { 50 } else { 100 };
        assert!(to_wire(schema("Free"), &nested(most, name, code), 1 << 20).is_ok(), "{name}");
        assert!(to_wire(schema("Free"), &nested(20_000, name, code), 1 << 24).is_err(), "{name}");
    }
    assert!(to_wire(schema("Free"), &nested(101, "d", field::OBJECT), 1 << 20).is_err());
    let deep = |levels: usize| {
        let mut wire = Vec::new();
        for _ in 0..levels {
            let mut outer = vec![0x0a];
            crate::protobuf::wire::put_varint(&mut outer, wire.len() as u64);
            outer.extend(wire);
            wire = outer;
        }
        from_wire(schema("Free"), &wire, Variant::Compack)
    };
    assert!(deep(100).is_ok() && deep(101).is_err() && deep(5000).is_err());
}

#[test]
fn numbers_that_grow_are_bounded() {
    // int8 -1 takes one byte here and eleven in protobuf.
    let mut body = vec![0; 4];
    body.extend([0x30, 5]);
    body.extend(1001u32.to_le_bytes());
    body.extend(b"ri32\0\x11");
    body.extend([0xff; 1000]);
    assert_eq!(to_wire(schema("Numbers"), &body, 1 << 20).unwrap().len(), 12_000);
    assert_eq!(to_wire(schema("Numbers"), &body, 12_000).unwrap().len(), 12_000);
    assert_eq!(to_wire(schema("Numbers"), &body, 11_999), Err(FormatError::TooLarge { limit: 11_999 }));
}

#[test]
fn a_writer_refuses_names_that_are_too_long() {
    let mut writer = Writer::new();
    writer.int32(&[b'n'; 254], 1);
    assert!(writer.finish().is_ok());
    let mut writer = Writer::new();
    writer.int32(&[b'n'; 255], 1);
    assert!(writer.finish().is_err());
    let text = format!(r#"{{"numbers":{{"{}":1}}}}"#, "k".repeat(255));
    assert!(from_wire(schema("Maps"), &wire("Maps", &text), Variant::Mcpack).is_err());
}

#[test]
fn what_is_written_stops_at_its_bound() {
    let rows = 5000;
    let text = format!(r#"{{"items":[{}]}}"#, vec!["{}"; rows].join(","));
    let wire = wire("Main", &text);
    for variant in [Variant::Mcpack, Variant::Compack] {
        let whole = from_wire(schema("Main"), &wire, variant).unwrap().len();
        assert!(super::write::within(schema("Main"), &wire, variant, whole).is_ok());
        let most = whole / 2;
        let stopped = super::write::within(schema("Main"), &wire, variant, most);
        assert_eq!(stopped, Err(FormatError::TooLarge { limit: most }));
    }
}

static KINDS: LazyLock<Pool> = LazyLock::new(|| testdata::pool(testdata::KINDS2));

/// Any wire bytes that protobuf's canonical JSON would accept, from random fields of `t.All`.
fn fields() -> impl Strategy<Value = Vec<u8>> {
    let numbers = (1..=66u32, any::<u64>()).prop_map(|(number, value)| {
        let mut wire = Vec::new();
        crate::protobuf::wire::put_varint(&mut wire, u64::from(number) << 3);
        crate::protobuf::wire::put_varint(&mut wire, value >> (value % 64));
        wire
    });
    let texts = (1..=66u32, prop::collection::vec(any::<u8>(), 0..40)).prop_map(|(number, text)| {
        let mut wire = Vec::new();
        crate::protobuf::wire::put_varint(&mut wire, u64::from(number) << 3 | 2);
        wire.push(text.len() as u8);
        wire.extend(text);
        wire
    });
    prop::collection::vec(prop_oneof![numbers, texts], 0..20).prop_map(|fields| fields.concat())
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_by_either_variant(wire in fields()) {
        let schema = KINDS.message("t.All").unwrap();
        if let (Ok(one), Ok(two)) =
            (from_wire(schema, &wire, Variant::Mcpack), from_wire(schema, &wire, Variant::Compack))
        {
            let most = 1 << 20;
            let (first, second) = (to_wire(schema, &one, most).unwrap(), to_wire(schema, &two, most).unwrap());
            let text = |wire: &[u8]| json::from_wire(schema, wire, json::Style::Canonical).unwrap();
            prop_assert_eq!(text(&first), text(&second));
            // The normal form is stable.
            prop_assert_eq!(&from_wire(schema, &first, Variant::Mcpack).unwrap(), &one);
            prop_assert_eq!(&from_wire(schema, &second, Variant::Compack).unwrap(), &two);
        }
    }

    #[test]
    fn no_bytes_panic_or_grow_beyond_the_limit(
        at in any::<prop::sample::Index>(),
        noise in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let bodies = [example_1()[6..].to_vec(), compack()];
        let mut body = at.get(&bodies).clone();
        for (index, byte) in noise {
            let index = index.index(body.len());
            body[index] = byte;
        }
        body.truncate(cut.index(body.len() + 1));
        if let Ok(wire) = to_wire(schema("Main"), &body, 300) {
            prop_assert!(wire.len() <= 300);
            // Numbers that can be read can be written again.
            from_wire(schema("Main"), &wire, Variant::Compack).unwrap();
        }
    }
}

#[test]
fn a_float_that_stays_a_float_keeps_its_bits() {
    let signals = 0xffb3_0001_u32;
    let kind = crate::schema::Kind::Float;
    let read =
        super::scalar::Number::of(super::field::FLOAT, &signals.to_le_bytes()).and_then(|n| n.checked(kind));
    assert_eq!(read, Some(u64::from(signals)));
    let written = super::write::number(super::field::FLOAT, kind, signals.into());
    assert_eq!(written[..4], signals.to_le_bytes());
}
