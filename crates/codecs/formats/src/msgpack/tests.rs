//! Vectors of the msgpack specification and of msgpack-c's tuples; counts that are larger than the contents.

use super::*;
use proptest::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Person {
    id: i32,
    name: String,
    age: i32,
}

fn tom() -> Person {
    Person { id: 1, name: "tom".into(), age: 20 }
}

#[test]
fn arguments_are_arrays_and_structs_are_arrays_of_their_fields() {
    // docs/wire/rest_rpc.md, section 5
    assert_eq!(encode(&(1, 2)).unwrap(), [0x92, 1, 2]);
    assert_eq!(encode(&("key", "")).unwrap(), b"\x92\xa3key\xa0");
    // "MSGPACK_DEFINE gives an array of the fields in listed order"
    assert_eq!(encode(&(tom(),)).unwrap(), b"\x91\x93\x01\xa3tom\x14");
    assert_eq!(decode::<(Person,)>(b"\x91\x93\x01\xa3tom\x14").unwrap(), (tom(),));
    assert_eq!(decode::<(i64, &str)>(b"\x92\x01\xa2hi").unwrap(), (1, "hi"));
}

#[test]
fn what_is_cut_off_or_has_more_behind_it_is_refused() {
    let whole =
        encode(&(tom(), vec![1u64 << 40, 2], BTreeMap::from([("a", 1.5)]), Some(true), "x".repeat(300)))
            .unwrap();
    assert!(check(&whole).is_ok());
    for end in 0..whole.len() {
        assert!(check(&whole[..end]).is_err(), "{end}");
    }
    assert!(check(&[&whole[..], &[0]].concat()).is_err());
}

#[test]
fn every_kind_of_head_is_walked() {
    for bytes in [
        &[0xc4, 1, 0][..],
        &[0xc5, 0, 1, 0],
        &[0xc6, 0, 0, 0, 1, 0],
        &[0xc7, 1, 9, 0],
        &[0xc8, 0, 1, 9, 0],
        &[0xc9, 0, 0, 0, 1, 9, 0],
        &[0xd4, 9, 0],
        &[0xd8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        &[0xca, 0, 0, 0, 0],
        &[0xcb, 0, 0, 0, 0, 0, 0, 0, 0],
        &[0xd0, 0],
        &[0xd1, 0, 0],
        &[0xd2, 0, 0, 0, 0],
        &[0xd3, 0, 0, 0, 0, 0, 0, 0, 0],
        &[0xd9, 1, 0],
        &[0xda, 0, 1, 0],
        &[0xdb, 0, 0, 0, 1, 0],
        &[0xdc, 0, 1, 0],
        &[0xdd, 0, 0, 0, 1, 0],
        &[0xde, 0, 1, 0, 0],
        &[0xdf, 0, 0, 0, 1, 0, 0],
        &[0x81, 0xa1, b'k', 0xc0],
    ] {
        assert!(check(bytes).is_ok(), "{bytes:02x?}");
        assert!(check(&bytes[..bytes.len() - 1]).is_err(), "{bytes:02x?}");
    }
    assert!(check(&[0xc1]).is_err());
}

#[test]
fn a_count_beyond_the_end_and_a_deep_nest_are_refused_before_anything_is_made_of_them() {
    for promise in
        [&[0xdd, 0xff, 0xff, 0xff, 0xff][..], &[0xdf, 0xff, 0xff, 0xff, 0xff, 0], &[0xdc, 0, 3, 1, 2]]
    {
        assert!(decode::<Vec<u8>>(promise).is_err());
    }
    let nest = |depth: usize| [vec![0x91; depth], vec![0]].concat();
    assert!(check(&nest(MAX_DEPTH)).is_ok());
    assert!(check(&nest(MAX_DEPTH + 1)).is_err());
    assert!(check(&nest(1 << 20)).is_err());
}

#[test]
fn the_head_of_an_array_is_read_in_its_three_forms() {
    assert_eq!(array_head(&[0x92]), Some((2, 1)));
    assert_eq!(array_head(&[0xdc, 1, 0]), Some((256, 3)));
    assert_eq!(array_head(&[0xdd, 0, 1, 0, 0]), Some((65536, 5)));
    for none in [&[][..], &[0xdc, 1], &[0xdd, 0, 1, 0], &[0xc0], &[0x82], &[0xa2]] {
        assert_eq!(array_head(none), None);
    }
}

#[test]
fn strings_of_every_length_are_written_as_rmp_does_and_taken_again() {
    for length in [0, 1, 31, 32, 255, 256, 65_535, 65_536] {
        let text = "x".repeat(length);
        let mut bytes = Vec::new();
        put_str(&mut bytes, text.as_bytes());
        assert_eq!(bytes, encode(&text).unwrap(), "{length}");
        bytes.push(7);
        assert_eq!(take_str(&bytes), Some((text.as_bytes(), &[7][..])));
        assert_eq!(take_str(&bytes[..length]), None);
    }
    assert_eq!(take_str(&[0xc4, 1, 9, 8]), Some((&[9][..], &[8][..])));
    for none in [&[][..], &[0x91, 0], &[0xc0], &[5]] {
        assert_eq!(take_str(none), None);
    }
}

proptest! {
    #[test]
    fn whatever_is_written_passes_the_check(value in prop::collection::vec((any::<i64>(), ".*", any::<Option<f64>>()), 0..40)) {
        let bytes = encode(&value).unwrap();
        prop_assert!(check(&bytes).is_ok());
        let again: Vec<(i64, String, Option<f64>)> = decode(&bytes).unwrap();
        prop_assert_eq!(format!("{value:?}"), format!("{again:?}"));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode::<(Vec<String>, Option<Person>)>(&bytes);
    }
}
