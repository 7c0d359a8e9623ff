//! Literals and bytes as struct_pack itself makes them (yalantinglibs as bundled with rest_rpc v0.21, g++ 12,
//! x86-64), and the vectors of docs/wire/rest_rpc.md.

use super::*;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    num::NonZeroU16,
};

#[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
struct Person {
    id: i32,
    name: String,
    age: i32,
}
#[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
struct Plain(i8, i32);
#[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
struct Holes {
    a: char,
    b: i64,
    c: i16,
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Mixed {
    plain: Plain,
    name: String,
    list: Vec<Holes>,
}
#[derive(Serialize, Deserialize, PartialEq, Clone, Debug)]
struct Nested {
    plain: Plain,
    x: i16,
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct NestedList {
    v: Vec<Nested>,
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Floats {
    f: f32,
    d: f64,
    b: bool,
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Arrays {
    a: [i16; 3],
    b: u8,
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Containers {
    a: Option<i32>,
    m: BTreeMap<String, i32>,
    s: Set<BTreeSet<i32>>,
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Lists {
    a: Vec<String>,
    b: Vec<Vec<i32>>,
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct WithTuple {
    t: (i8, i32),
    x: i32,
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Single {
    a: i32,
}
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct PlainEverywhere {
    o: Option<Plain>,
    m: BTreeMap<i32, Plain>,
    a: [Plain; 2],
}

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Checks both directions, the long form, and every truncation of both.
fn is<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, literal: &str, bytes: &str) {
    let kind = Type::of::<T>().unwrap();
    assert_eq!(kind.literal(), hex(literal), "{value:?}");
    let bytes = hex(bytes);
    assert_eq!(encode(&kind, &value).unwrap(), bytes, "{value:?}");
    assert_eq!(decode::<T>(&kind, &bytes).unwrap(), value);
    let long = [&[bytes[0] | 1], &bytes[1..4], &[4], kind.literal(), &[0], &bytes[4..]].concat();
    assert_eq!(decode::<T>(&kind, &long).unwrap(), value);
    for whole in [&bytes, &long] {
        for end in 0..whole.len() {
            assert!(decode::<T>(&kind, &whole[..end]).is_err(), "{value:?} up to {end}");
        }
        assert!(decode::<T>(&kind, &[whole, &[0][..]].concat()).is_err(), "{value:?} and more");
    }
}

fn tom() -> Person {
    Person { id: 1, name: "tom".into(), age: 20 }
}

#[test]
fn vectors_of_the_sheet() {
    let hash = |kind: Type| kind.hash().to_le_bytes();
    assert_eq!(hash(Type::of::<(i32, i32)>().unwrap()), [0x8c, 0x90, 0x45, 0x40]);
    assert_eq!(hash(Type::of::<(i32,)>().unwrap()), [0x98, 0xdd, 0x1a, 0x39]);
    assert_eq!(hash(Type::of::<Person>().unwrap()), [0xca, 0x6b, 0x67, 0x58]);
    assert_eq!(hash(Type::of::<(Person,)>().unwrap()), [0xc6, 0x69, 0x53, 0x7a]);
    assert_eq!(hash(Type::of::<BTreeMap<String, i32>>().unwrap()), [0x66, 0xe6, 0x4e, 0x4d]);
    assert_eq!(hash(Type::of::<Vec<i32>>().unwrap()), [0x10, 0x8d, 0x7c, 0x27]);
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Two {
        a: i32,
        b: i32,
    }
    assert_eq!(hash(Type::of::<Two>().unwrap()), [0x3e, 0x4d, 0x67, 0x78]);
    is((1, 2), "fd0101ff", "8c904540 01000000 02000000");
}

#[test]
fn names_hash_as_the_sheet_says() {
    for (name, hash) in [
        ("add", 0x34ec_78fc),
        ("echo", 0xcbb1_1ed8),
        ("dummy::add", 0xb5c9_99c1),
        ("get_person", 0x55b9_6248),
        ("topic1", 0x4dad_d7ee),
    ] {
        assert_eq!(name_hash(name.as_bytes()), hash, "{name}");
    }
}

#[test]
fn plain_values() {
    is(5i32, "01", "0840a555 05000000");
    is("hi".to_owned(), "800c", "76facf9d 02 6869");
    is(None::<i32>, "8501", "4427ffa1 00");
    is(vec![1i32, 2], "8401", "108d7c27 02 01000000 02000000");
}

#[test]
fn tuples() {
    is(("a".to_owned(), 1), "fd800c01ff", "4a901b08 01 61 01000000");
    is((tom(),), "fdfd01800c01ffff", "c669537a 01000000 03 746f6d 14000000");
    is((vec![1, 2],), "fd8401ff", "e810426e 02 01000000 02000000");
    is(
        (1u8, 2u16, 3u32, 4u64, 5i8, 6i16, 7i64),
        "fd06080204050703ff",
        "4a4205df 01 0200 03000000 0400000000000000 05 0600 0700000000000000",
    );
    is(('c', true, 1f32, 2f64), "fd0c0b1112ff", "fc8b49ea 63 01 0000803f 0000000000000040");
    is(((1, 2), Some("s".to_owned())), "fdfd0101ff85800cff", "743e0c21 01000000 02000000 01 01 73");
}

#[test]
fn containers() {
    is(vec![1u8, 2], "8406", "3cb5abe5 02 01 02");
    is([1, 2, 3], "810184", "b6376ca2 01000000 02000000 03000000");
    is(BTreeMap::from([("k".to_owned(), 1)]), "82800c01", "66e64e4d 01 01 6b 01000000");
    is(
        Lists { a: vec!["a".into(), "bc".into()], b: vec![vec![1], vec![], vec![2, 3]] },
        "fd84800c848401ff",
        "509681a7 02 01 61 02 6263 03 01 01000000 00 02 02000000 03000000",
    );
    is(
        Containers { a: Some(7), m: BTreeMap::from([("a".into(), 1)]), s: Set(BTreeSet::from([5])) },
        "fd850182800c018301ff",
        "aaba29d3 01 07000000 01 01 61 01000000 01 05000000",
    );
    is(
        Containers { a: None, m: BTreeMap::new(), s: Set(BTreeSet::new()) },
        "fd850182800c018301ff",
        "aaba29d3 00 00 00",
    );
}

#[test]
fn structs_with_more_than_plain_data_have_no_holes() {
    is(tom(), "fd01800c01ff", "ca6b6758 01000000 03 746f6d 14000000");
    is(WithTuple { t: (1, 2), x: 3 }, "fdfd0501ff01ff", "30c7e208 01 02000000 03000000");
}

#[test]
fn sizes_beyond_126_have_digits() {
    let literal =
        |size: usize| Type::from(Shape::Array(Box::new(Shape::Scalar(Scalar::U8)), size)).literal().to_vec();
    assert_eq!(literal(127), hex("81060182"));
    assert_eq!(literal(200), hex("81064a82"));
    assert_eq!(literal(300), hex("81062f83"));
}

/// C leaves padding uninitialised; ours is zero, and a peer's is not checked. So bytes are compared where the
/// reference had zeros in the padding, and otherwise only read.
#[test]
fn plain_structs_lie_as_in_memory() {
    is(
        Holes { a: 'a', b: 2, c: 3 },
        "fd0c03078989ff",
        "6812ce6a 6100000000000000 0200000000000000 0300000000000000",
    );
    is(
        Floats { f: 1.5, d: -2.5, b: true },
        "fd11120b8989ff",
        "ba9ea002 0000c03f00000000 00000000000004c0 0100000000000000",
    );
    is(Arrays { a: [1, 2, 3], b: 4 }, "fd810784068383ff", "84b645cb 0100 0200 0300 0400");
    is(Single { a: 9 }, "fd018585ff", "c6c7a0ce 09000000");
    is(vec![Plain(1, 2), Plain(3, 4)], "84fd05018585ff", "80297e44 02 01000000 02000000 03000000 04000000");
    is(
        NestedList { v: vec![Nested { plain: Plain(1, 2), x: 3 }] },
        "fd84fdfd05018585ff078585ffff",
        "00e6c539 01 01000000 02000000 03000000",
    );
    is(
        PlainEverywhere {
            o: Some(Plain(1, 2)),
            m: BTreeMap::from([(3, Plain(4, 5))]),
            a: [Plain(6, 7), Plain(8, 9)],
        },
        "fd85fd05018585ff8201fd05018585ff81fd05018585ff83ff",
        "b07fb2ec 01 01000000 02000000 01 03000000 04000000 05000000 06000000 07000000 08000000 09000000",
    );
    let read = |kind: Type, bytes: &str| decode::<Plain>(&kind, &hex(bytes)).unwrap();
    assert_eq!(read(Type::of::<Plain>().unwrap(), "4ed01be7 015a195b 02000000"), Plain(1, 2));
    let nested = Type::of::<Nested>().unwrap();
    assert_eq!(nested.literal(), hex("fdfd05018585ff078585ff"));
    let value: Nested = decode(&nested, &hex("3ae856ec 017f0000 02000000 03000000")).unwrap();
    assert_eq!(value, Nested { plain: Plain(1, 2), x: 3 });
    let mixed = Type::of::<Mixed>().unwrap();
    assert_eq!(mixed.literal(), hex("fdfd05018585ff800c84fd0c03078989ffff"));
    let bytes = "16528b48 01000000 02000000 01 78 01 6200000000000000 0500000000000000 0600000000000000";
    let list = vec![Holes { a: 'b', b: 5, c: 6 }];
    is(Mixed { plain: Plain(1, 2), name: "x".into(), list }, "fdfd05018585ff800c84fd0c03078989ffff", bytes);
}

#[test]
fn long_containers_have_wider_lengths() {
    let kind = Type::of::<(String, i32)>().unwrap();
    for (length, head) in [
        (255, "4a901b08 ff"),
        (256, "4b901b08 08 0001"),
        (300, "4b901b08 08 2c01"),
        (70_000, "4b901b08 10 70110100"),
    ] {
        let value = ("z".repeat(length), 1);
        let bytes = encode(&kind, &value).unwrap();
        assert!(bytes.starts_with(&hex(head)), "{length}");
        assert_eq!(bytes.len(), hex(head).len() + length + 4);
        assert_eq!(decode::<(String, i32)>(&kind, &bytes).unwrap(), value);
    }
    let bytes = encode(&Type::of::<Vec<u8>>().unwrap(), &vec![7u8; 300]).unwrap();
    assert!(bytes.starts_with(&hex("3db5abe5 08 2c01 07 07")));
    let lists = vec![vec!["y".repeat(400)], vec![]];
    let kind = Type::of::<Vec<Vec<String>>>().unwrap();
    assert_eq!(decode::<Vec<Vec<String>>>(&kind, &encode(&kind, &lists).unwrap()).unwrap(), lists);
}

#[test]
fn bytes_are_a_vector_of_char() {
    struct Bytes(Vec<u8>);
    impl<'de> Deserialize<'de> for Bytes {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl serde::de::Visitor<'_> for Visitor {
                type Value = Bytes;
                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("bytes")
                }
                fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                    Ok(Bytes(bytes.to_vec()))
                }
            }
            deserializer.deserialize_bytes(Visitor)
        }
    }
    impl Serialize for Bytes {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&self.0)
        }
    }
    let kind = Type::of::<Bytes>().unwrap();
    assert_eq!(kind.literal(), hex("840c"));
    assert_eq!(encode(&kind, &Bytes(vec![b'a'])).unwrap(), hex("f0bb2034 01 61"));
    assert_eq!(decode::<Bytes>(&kind, &hex("f0bb2034 01 61")).unwrap().0, b"a");
}

#[test]
fn types_it_does_not_have_are_named() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    enum Colour {
        Red,
    }
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Endless {
        left: Option<Box<Endless>>,
        right: Option<Box<Endless>>,
    }
    let why = |result: Result<Type, FormatError>| result.unwrap_err().to_string();
    assert!(why(Type::of::<(i32, Colour)>()).contains("enum Colour"));
    assert!(why(Type::of::<Endless>()).contains("without an end"));
    assert!(why(Type::of::<()>()).contains("nothing"));
    assert!(Type::of::<i128>().is_err());
    assert!(Type::of::<NonZeroU16>().is_ok(), "a type that does not take every number");
}

#[test]
fn a_shape_can_be_found_of_types_that_borrow() {
    let kind = Type::of::<(&str, i32)>().unwrap();
    assert_eq!(encode(&kind, &("a", 1)).unwrap(), hex("4a901b08 01 61 01000000"));
    assert_eq!(decode::<(&str, i32)>(&kind, &hex("4a901b08 01 61 01000000")).unwrap(), ("a", 1));
}

#[test]
fn another_type_a_strange_meta_byte_and_promises_are_refused() {
    let kind = Type::of::<(String, i32)>().unwrap();
    let bad = |bytes: &str| decode::<(String, i32)>(&kind, &hex(bytes)).unwrap_err().to_string();
    assert!(bad("8c904540 01 61 01000000").contains("another type"));
    assert!(bad("4b901b08 01 01 61 01000000").contains("meta byte"));
    assert!(bad("4b901b08 20 01 61 01000000").contains("meta byte"));
    assert!(bad("4b901b08 04 fd800c02ff 00 01 61 01000000").contains("literal"));
    assert!(bad("4b901b08 18 ffffffffffffffff 61 01000000").contains("beyond the end"));
    assert!(bad("4a901b08 06 61 01000000").contains("beyond the end"));
    assert!(bad("4a901b08 01 ff 01000000").contains("byte array"), "not UTF-8");
    let lists = Type::of::<Vec<Vec<i64>>>().unwrap();
    let many = [&lists.hash().to_le_bytes()[..], &[200], &[0; 100]].concat();
    assert!(decode::<Vec<Vec<i64>>>(&lists, &many).is_err());
}

#[test]
fn a_value_of_another_type_is_not_written() {
    let kind = Type::of::<(i32, i32)>().unwrap();
    assert!(encode(&kind, &(1, 2u32)).is_err());
    assert!(encode(&kind, &(1, 2, 3)).is_err());
    assert!(encode(&kind, &(1,)).is_err());
    assert!(encode(&kind, "text").is_err());
    assert!(encode(&Type::of::<(char,)>().unwrap(), &('€',)).is_err());
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        numbers in any::<(i8, u16, i64, f32)>(),
        text in ".*",
        list in prop::collection::vec((any::<i16>(), any::<Option<u32>>()), 0..400),
        map in prop::collection::btree_map(any::<u8>(), prop::collection::vec(".{0,300}", 0..4), 0..5),
    ) {
        type All = ((i8, u16, i64, f32), String, Vec<(i16, Option<u32>)>, BTreeMap<u8, Vec<String>>);
        let kind = Type::of::<All>().unwrap();
        let value: All = (numbers, text, list, map);
        let again: All = decode(&kind, &encode(&kind, &value).unwrap()).unwrap();
        prop_assert_eq!(format!("{value:?}"), format!("{again:?}"));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..120), meta in any::<bool>()) {
        type All = (Mixed, Containers, PlainEverywhere, Lists);
        let kind = Type::of::<All>().unwrap();
        let hash = kind.hash() | u32::from(meta);
        let _ = decode::<All>(&kind, &[&hash.to_le_bytes()[..], &bytes].concat());
    }
}
