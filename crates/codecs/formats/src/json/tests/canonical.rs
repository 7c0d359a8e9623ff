//! Canonical JSON, compared with another implementation, too.

use super::*;
use buffa_descriptor::{DescriptorPool, DynamicMessage};
use proptest::prelude::*;
use std::sync::Arc;

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

/// Canonical JSON by buffa's dynamic messages, which share no code with this module.
fn oracle(wire: &[u8]) -> Option<String> {
    static POOL: LazyLock<Arc<DescriptorPool>> =
        LazyLock::new(|| Arc::new(DescriptorPool::decode(&testdata::descriptor_set(KINDS3)).unwrap()));
    let index = POOL.message_index("t.Third").unwrap();
    let message = DynamicMessage::decode(POOL.clone(), index, wire).ok()?;
    message.to_json().ok()
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
        // That implementation writes floats with the digits of doubles.
        for value in [&mut theirs, &mut parsed] {
            if let Some(small) = value.get("small").and_then(serde_json::Value::as_f64) {
                value["small"] = (small as f32).into();
            }
        }
        prop_assert_eq!(parsed, theirs);
        // And back: the result is the same message.
        let back = to_wire(third(), &ours, Style::Canonical).unwrap().wire;
        prop_assert_eq!(from_wire(third(), &back, Style::Canonical).unwrap(), ours);
    }
}
