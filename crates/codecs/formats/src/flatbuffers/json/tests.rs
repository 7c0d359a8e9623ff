//! `testdata/farm.bin` was made from `farm.json` by flatc 2.0.8, `crate.bin` from `crate.json` by flatc
//! 25.12.19.

use super::*;
use polywire_fbs::Kind;
use proptest::prelude::*;

const TEXT: &str = include_str!("testdata/farm.json");
const MESSAGE: &[u8] = include_bytes!("testdata/farm.bin");
const LONGEST: usize = 1 << 20;

fn schema() -> Schema {
    Schema::parse("farm.fbs", include_str!("testdata/farm.fbs")).unwrap()
}

fn table(schema: &Schema, name: &str) -> Place {
    schema.items.iter().position(|item| item.name == name && matches!(item.what, Kind::Table(_))).unwrap()
}

fn read(name: &str, text: &str) -> Result<Vec<u8>, FormatError> {
    let schema = schema();
    from_json(&schema, table(&schema, name), text.as_bytes())
}

fn written(name: &str, message: &[u8]) -> Result<String, FormatError> {
    let schema = schema();
    let text = to_json(&schema, table(&schema, name), message, LONGEST)?;
    Ok(String::from_utf8(text).unwrap())
}

/// The text after a round trip through a message.
fn through(name: &str, text: &str) -> String {
    written(name, &read(name, text).unwrap()).unwrap()
}

#[test]
fn a_message_of_flatc_says_what_flatc_was_told() {
    assert_eq!(written("Farm", MESSAGE).unwrap(), TEXT.trim_end());
}

#[test]
fn every_kind_of_field_goes_there_and_back() {
    assert_eq!(through("Farm", TEXT), TEXT.trim_end());
    assert_eq!(&read("Farm", TEXT).unwrap()[4..8], b"FARM");
    assert_eq!(through("Farm", "{}"), "{}");
    for vector in ["bytes", "points", "names", "cows"] {
        let empty = format!("{{\"{vector}\":[]}}");
        assert_eq!(through("Farm", &empty), empty);
    }
}

/// The output satisfies the rules of FlatBuffers' own verifiers, those of the static verifier here; other
/// tests compare that one with theirs.
#[test]
fn a_cow_is_the_table_that_a_builder_makes() {
    use crate::flatbuffers::{Indirect, Verifier};
    struct Cow;
    impl crate::flatbuffers::Verifiable for Cow {
        fn run_verifier(verifier: &mut Verifier<'_>, at: usize) -> crate::flatbuffers::Verified {
            let table = verifier.visit_table(at)?;
            table
                .visit_field::<Indirect<&str>>("name", 4, true)?
                .visit_field::<i32>("milk", 6, false)?
                .finish();
            Ok(())
        }
    }
    impl crate::flatbuffers::Root for Cow {
        type View<'a> = (Option<&'a str>, Option<i32>);
        fn view(table: crate::flatbuffers::Table<'_>) -> Self::View<'_> {
            (table.field(4), table.field(6))
        }
    }
    let message = read("Cow", r#"{"milk":-1,"name":"Elsa"}"#).unwrap();
    let message = crate::flatbuffers::Flat::<Cow>::from_bytes(message).unwrap();
    assert_eq!(message.get(), (Some("Elsa"), Some(-1)));
}

#[test]
fn what_has_its_default_or_is_null_is_not_written() {
    for text in [
        r#"{"open":true,"year":1900,"ratio":1.5,"colour":"Blue","tiny":0,"exact":0}"#,
        r#"{"name":null,"field":null,"best_type":"NONE","cows":null,"maybe":null}"#,
        r#"{"best_type":0}"#,
    ] {
        assert_eq!(through("Farm", text), "{}", "{text}");
    }
}

#[test]
fn values_have_several_spellings() {
    for (text, plain) in [
        (r#"{"colour":-1,"perhaps":"Colour.Green"}"#, r#"{"perhaps":"Green","colour":"Red"}"#),
        (r#"{"colour":5}"#, r#"{"colour":5}"#),
        (r#"{"food":"Hay"}"#, r#"{"food":"Hay"}"#),
        (r#"{"food":3}"#, r#"{"food":"Grass Hay"}"#),
        (r#"{"food":5}"#, r#"{"food":5}"#),
        (r#"{"debt":"-7","wide":"0x10"}"#, r#"{"debt":-7,"wide":16}"#),
        (r#"{"ratio":3.4028235e+38}"#, r#"{"ratio":3.4028235e+38}"#),
        (r#"{"ratio":7.038531e-26}"#, r#"{"ratio":7.038531e-26}"#),
        (r#"{"ratio":"-inf","exact":"nan"}"#, r#"{"ratio":"-inf","exact":"nan"}"#),
        (r#"{"best":{"power":1},"best_type":2}"#, r#"{"best_type":"machine","best":{"power":1.0}}"#),
    ] {
        assert_eq!(through("Farm", text), plain, "{text}");
    }
}

#[test]
fn what_is_required_and_deprecated_is_not_asked_for() {
    let schema = Schema::parse("t.fbs", "table T { old:string (required, deprecated); n:int; }").unwrap();
    let message = from_json(&schema, table(&schema, "T"), br#"{"n":1}"#).unwrap();
    assert_eq!(to_json(&schema, table(&schema, "T"), &message, LONGEST).unwrap(), br#"{"n":1}"#);
}

const CRATE: &str = include_str!("testdata/crate.json");
const CRATE_MESSAGE: &[u8] = include_bytes!("testdata/crate.bin");

fn crates() -> (Schema, Place) {
    let schema = Schema::parse("crate.fbs", include_str!("testdata/crate.fbs")).unwrap();
    let place = table(&schema, "Crate");
    (schema, place)
}

#[test]
fn nested_messages_are_objects_as_those_of_flatc() {
    let (schema, place) = crates();
    let said =
        |message: &[u8]| to_json(&schema, place, message, LONGEST).map(|t| String::from_utf8(t).unwrap());
    assert_eq!(said(CRATE_MESSAGE).unwrap(), CRATE.trim_end());
    let ours = from_json(&schema, place, CRATE.as_bytes()).unwrap();
    assert_eq!(said(&ours).unwrap(), CRATE.trim_end());
    // The same as bytes: the nested message is independent, and its values are aligned.
    let leaf = from_json(&schema, table(&schema, "Leaf"), br#"{"wide":18446744073709551615,"text":"green"}"#);
    let leaf = leaf.unwrap();
    let at = ours.windows(leaf.len()).position(|window| window == leaf).expect("it lies in there");
    assert_eq!(at % 8, 0);
    let spelled = format!("{{\"leaf\":{leaf:?},\"name\":\"b\",\"rank\":7}}");
    assert_eq!(said(&from_json(&schema, place, spelled.as_bytes()).unwrap()).unwrap(), CRATE.trim_end());
    // Bytes that are not a message: C++ refuses it, too.
    let noise = from_json(&schema, place, br#"{"leaf":[1,2,3],"name":"b"}"#).unwrap();
    let error = said(&noise).unwrap_err().to_string();
    assert!(error.contains("beyond the end of the buffer") && error.contains("`leaf`"), "{error}");
}

/// Nested messages count as a part of the outer message.
#[test]
fn messages_are_nested_64_deep_and_no_deeper() {
    let (schema, place) = crates();
    let chain = |depth: usize| {
        let (begin, end) = (r#"{"name":"b","again":"#, "}");
        format!(r#"{}{{"name":"b"}}{}"#, begin.repeat(depth - 1), end.repeat(depth - 1))
    };
    let message = from_json(&schema, place, chain(64).as_bytes()).unwrap();
    let said = String::from_utf8(to_json(&schema, place, &message, LONGEST).unwrap()).unwrap();
    assert_eq!(said, chain(64));
    assert!(from_json(&schema, place, chain(65).as_bytes()).unwrap_err().to_string().contains("64 deep"));
    let deeper = format!(r#"{{"name":"b","again":{message:?}}}"#);
    let deeper = from_json(&schema, place, deeper.as_bytes()).unwrap();
    let error = to_json(&schema, place, &deeper, LONGEST).unwrap_err().to_string();
    assert!(error.contains("depth limit"), "{error}");
}

#[test]
fn a_key_that_is_a_text_is_required() {
    let (schema, place) = crates();
    let error = from_json(&schema, place, br#"{"rank":7}"#).unwrap_err();
    assert_eq!(error, FormatError::MissingRequired("farm.Crate.name".into()));
    let optional = Schema::parse("t.fbs", "table T { leaf:[ubyte]; name:string; }").unwrap();
    let without = from_json(&optional, table(&optional, "T"), b"{}").unwrap();
    let error = to_json(&schema, place, &without, LONGEST).unwrap_err().to_string();
    assert!(error.contains("Missing required field `name`"), "{error}");
}

/// The hashes that flatc 25.12.19 puts in place of the text.
#[test]
fn a_text_stands_for_its_hash() {
    let text = "table T { a:int (hash: \"fnv1_32\"); b:uint (hash: \"fnv1a_32\"); c:long (hash: \"fnv1_64\"); \
        d:ulong (hash: \"fnv1a_64\"); e:[ulong] (hash: \"fnv1a_64\"); f:ushort (hash: \"fnv1_16\"); }";
    let schema = Schema::parse("t.fbs", text).unwrap();
    let place = table(&schema, "T");
    let said = "This string is being hashed!";
    let text =
        format!(r#"{{"a":"{said}","b":"{said}","c":"{said}","d":"{said}","e":["{said}",7,""],"f":"12"}}"#);
    let message = from_json(&schema, place, text.as_bytes()).unwrap();
    let hashes = r#"{"a":-579221183,"b":2390860913,"c":7930699090847568257,"d":4898026182817603057,"e":[4898026182817603057,7,14695981039346656837],"f":12}"#;
    assert_eq!(String::from_utf8(to_json(&schema, place, &message, LONGEST).unwrap()).unwrap(), hashes);
    // Sixteen bits are not hashed, by flatc either.
    let error = from_json(&schema, place, br#"{"f":"text"}"#).unwrap_err();
    assert_eq!(
        error,
        FormatError::Json { at: 5, what: r#""text" is not a valid value of this field"#.into() }
    );
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (text, place, what) in [
        (r#"{"nme":1}"#, 1, r#"farm.Farm has no field "nme""#),
        (r#"{"old":1}"#, 1, r#"farm.Farm has no field "old""#),
        (r#"{"debt":1,"debt":2}"#, 10, r#""debt" is there twice"#),
        (r#"{"debt":2147483648}"#, 8, r#""2147483648" is not a valid value of this field"#),
        (r#"{"tiny":-1}"#, 8, r#""-1" is not a valid value of this field"#),
        (r#"{"debt":1.5}"#, 8, r#""1.5" is not a valid value of this field"#),
        (r#"{"ratio":1e39}"#, 9, r#""1e39" is not a valid value of this field"#),
        (r#"{"open":1}"#, 8, "expected `true` or `false`"),
        (r#"{"colour":"Red Blue"}"#, 10, r#""Red Blue" is not a valid value of this field"#),
        (r#"{"colour":"Pink"}"#, 10, r#""Pink" is not a valid value of this field"#),
        (r#"{"name":7}"#, 8, "expected a string, found '7'"),
        (r#"{"cows":{}}"#, 8, "expected an array, found '{'"),
        (r#"{"cows":[null]}"#, 9, "expected an object, found 'n'"),
        (r#"{"next":[]}"#, 8, "expected an object, found '['"),
        (r#"{"best":{}}"#, 8, r#""best" is a union and needs "best_type""#),
        (r#"{"best_type":"Cow"}"#, 13, r#"without "best""#),
        (r#"{"best_type":"Pig","best":{}}"#, 13, r#""Pig" is not one of Cow, machine, Farm"#),
        (r#"{"points":[{"x":1,"x":2}]}"#, 18, r#"farm.Point has no member "x", or it is there twice"#),
        (r#"{} {}"#, 3, "expected the end, found '{'"),
    ] {
        let error = FormatError::Json { at: place, what: what.into() };
        assert_eq!(read("Farm", text).unwrap_err(), error, "{text}");
    }
    let corners = r#"{"field":{"number":1,"colour":0,"sold":true,"corners":[{"x":1,"y":1,"z":1}]}}"#;
    assert!(read("Farm", corners).unwrap_err().to_string().contains("not an array of 2"));
    for (table, text, name) in [
        ("Farm", r#"{"points":[{"x":1,"y":2}]}"#, "farm.Point.z"),
        ("Farm", r#"{"cows":[{"milk":1}]}"#, "farm.Cow.name"),
        ("Cow", r#"{"name":null}"#, "farm.Cow.name"),
    ] {
        assert_eq!(read(table, text).unwrap_err(), FormatError::MissingRequired(name.into()), "{text}");
    }
}

#[test]
fn every_truncation_of_a_text_is_a_mistake() {
    let text = TEXT.trim_end().as_bytes();
    let schema = schema();
    for length in 0..text.len() {
        assert!(from_json(&schema, table(&schema, "Farm"), &text[..length]).is_err(), "{length}");
    }
}

#[test]
fn tables_nest_64_deep_and_no_deeper() {
    let chain = |length: usize| format!("{}{{}}{}", "{\"next\":".repeat(length - 1), "}".repeat(length - 1));
    assert_eq!(through("Farm", &chain(64)), chain(64));
    assert!(read("Farm", &chain(65)).unwrap_err().to_string().contains("64 deep"));
    assert!(read("Farm", &chain(100_000)).is_err());
}

#[test]
fn text_ends_at_the_limit() {
    let schema = schema();
    let text = to_json(&schema, table(&schema, "Farm"), MESSAGE, 100);
    assert_eq!(text.unwrap_err(), FormatError::TooLarge { limit: 100 });
}

#[test]
fn a_vector_of_unions_ends_at_the_limit() {
    let schema = Schema::parse("u.fbs", "table A {} union U { A } table T { all:[U]; }").unwrap();
    let place = table(&schema, "T");
    for (name, value) in [("NONE", "null"), ("A", "{}")] {
        let many = |item: &str| vec![item; 1000].join(",");
        let text = format!("{{\"all_type\":[{}],\"all\":[{}]}}", many(&format!("{name:?}")), many(value));
        let message = from_json(&schema, place, text.as_bytes()).unwrap();
        assert_eq!(to_json(&schema, place, &message, text.len()).unwrap(), text.as_bytes());
        for limit in [100, text.len() * 9 / 10] {
            let error = to_json(&schema, place, &message, limit).map(|text| text.len()).unwrap_err();
            assert_eq!(error, FormatError::TooLarge { limit }, "{name}");
        }
    }
}

#[test]
fn what_is_not_there_is_told_by_its_name() {
    let tractor = read("Tractor", "{}").unwrap();
    let error = written("Cow", &tractor).unwrap_err().to_string();
    assert_eq!(error, "not a valid FlatBuffer: Missing required field `name`, at 8");
}

proptest! {
    #[test]
    fn no_message_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        noise in prop::collection::vec(any::<u8>(), 0..100),
        whole in any::<bool>(),
    ) {
        let mut bytes = if whole { MESSAGE.to_vec() } else { noise };
        for (at, byte) in changes {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        if let Ok(text) = written("Farm", &bytes) {
            // A message that was read once is written and read back unchanged.
            if let Ok(message) = read("Farm", &text) {
                let again = written("Farm", &message).unwrap();
                prop_assert_eq!(through("Farm", &again), again);
            }
        }
    }
}
