//! Structs as Apache's library for Python (0.25.0) writes them, and structs of an attacker.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// What the golden bytes contain: a field of each type.
#[derive(Clone, PartialEq, Debug, Default)]
struct All {
    yes: bool,
    no: bool,
    byte: i8,
    short: i16,
    int: i32,
    long: i64,
    double: f64,
    text: String,
    far: i32,
    ints: Vec<i32>,
    bools: Vec<bool>,
    bytes: Vec<i8>,
    set: BTreeSet<String>,
    map: BTreeMap<String, i64>,
    none: BTreeMap<String, i64>,
    inner: Inner,
    uuid: Uuid,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Inner {
    yes: bool,
}

/// Implements [`Value`] as generated code does, with the fields in the order in which they are written.
macro_rules! fields {
    ($name:ident { $($id:literal $field:ident: $kind:ty,)* }) => {
        impl Value for $name {
            const TYPE: Type = Type::Struct;
            fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
                #[allow(unused_mut, reason = "a struct without fields is read without a change")]
                let mut read = Self::default();
                let outer = from.begin_struct()?;
                while let Some((id, kind)) = from.field()? {
                    match (id, kind) {
                        $(($id, <$kind as Value>::TYPE) => read.$field = Value::read(from)?,)*
                        (_, kind) => from.skip(kind)?,
                    }
                }
                from.end_struct(outer);
                Ok(read)
            }
            fn write<W: Writer>(&self, to: &mut W) {
                let outer = to.begin_struct();
                $(
                    to.field($id, <$kind as Value>::TYPE);
                    self.$field.write(to);
                )*
                to.end_struct(outer);
            }
        }
    };
}

fields! { All {
    1 yes: bool, 2 no: bool, 3 byte: i8, 4 short: i16, 5 int: i32, 6 long: i64, 7 double: f64, 8 text: String,
    300 far: i32, 10 ints: Vec<i32>, 11 bools: Vec<bool>, 12 bytes: Vec<i8>, 13 set: BTreeSet<String>,
    14 map: BTreeMap<String, i64>, 15 none: BTreeMap<String, i64>, 16 inner: Inner, 17 uuid: Uuid,
}}
fields! { Inner { 1 yes: bool, } }

/// A struct that knows none of the fields.
#[derive(PartialEq, Debug, Default)]
struct Empty;
fields! { Empty {} }

/// A struct that contains itself.
#[derive(PartialEq, Debug, Default)]
struct Nested(Vec<Nested>);
impl Value for Nested {
    const TYPE: Type = Type::Struct;
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let mut inner = Vec::new();
        let outer = from.begin_struct()?;
        while let Some((_, kind)) = from.field()? {
            match kind {
                Type::Struct => inner.push(Value::read(from)?),
                kind => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        Ok(Nested(inner))
    }
    fn write<W: Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        for inner in &self.0 {
            to.field(1, Type::Struct);
            inner.write(to);
        }
        to.end_struct(outer);
    }
}

fn all() -> All {
    All {
        yes: true,
        no: false,
        byte: -5,
        short: -300,
        int: 70000,
        long: -5_000_000_000,
        double: 1.5,
        text: "text".into(),
        far: 1,
        ints: vec![1, -1, i32::MAX],
        bools: vec![true, false],
        bytes: (0..16).collect(),
        set: ["x".to_owned()].into(),
        map: [("k".to_owned(), -2)].into(),
        none: BTreeMap::new(),
        inner: Inner { yes: true },
        uuid: "00112233-4455-6677-8899-aabbccddeeff".parse().unwrap(),
    }
}

/// thrift 0.25.0 from PyPI: TBinaryProtocol, TCompactProtocol.
const BINARY: &str = "
    02 00 01 01 02 00 02 00 03 00 03 fb 06 00 04 fe d4 08 00 05 00 01 11 70 0a 00 06 ff ff ff fe d5 fa 0e 00 04 00
    07 3f f8 00 00 00 00 00 00 0b 00 08 00 00 00 04 74 65 78 74 08 01 2c 00 00 00 01 0f 00 0a 08 00 00 00 03 00 00
    00 01 ff ff ff ff 7f ff ff ff 0f 00 0b 02 00 00 00 02 01 00 0f 00 0c 03 00 00 00 10 00 01 02 03 04 05 06 07 08
    09 0a 0b 0c 0d 0e 0f 0e 00 0d 0b 00 00 00 01 00 00 00 01 78 0d 00 0e 0b 0a 00 00 00 01 00 00 00 01 6b ff ff ff
    ff ff ff ff fe 0d 00 0f 0b 0a 00 00 00 00 0c 00 10 02 00 01 01 00 10 00 11 00 11 22 33 44 55 66 77 88 99 aa bb
    cc dd ee ff 00";
const COMPACT: &str = "
    11 12 13 fb 14 d7 04 15 e0 c5 08 16 ff c7 af a0 25 17 00 00 00 00 00 00 f8 3f 18 04 74 65 78 74 05 d8 04 02 09
    14 35 02 01 fe ff ff ff 0f 19 21 01 02 19 f3 10 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 1a 18 01 78 1b
    01 86 01 6b 03 1b 00 1c 11 00 1d 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff 00";

const ENCODINGS: [(Encoding, &str); 2] = [(Encoding::Binary, BINARY), (Encoding::Compact, COMPACT)];

fn hex(text: &str) -> Vec<u8> {
    text.split_ascii_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

fn read<T: Value>(encoding: Encoding, bytes: &[u8]) -> Result<T, String> {
    decode(encoding, IoBuf::copy_from_slice(bytes)).map_err(|error| error.to_string())
}

#[test]
fn a_struct_of_all_types_is_read_and_written_as_apache_does() {
    for (encoding, golden) in ENCODINGS {
        let golden = hex(golden);
        assert_eq!(read::<All>(encoding, &golden), Ok(all()), "{encoding:?}");
        assert_eq!(encode(encoding, &all()).unwrap(), golden[..], "{encoding:?}");
        assert_eq!(read::<Empty>(encoding, &golden), Ok(Empty), "{encoding:?}: all fields are skipped");
    }
}

#[test]
fn a_scan_finds_the_end_at_every_split() {
    for (encoding, golden) in ENCODINGS {
        let golden = hex(golden);
        let followed = [&golden[..], b"\x01\x02\x03"].concat();
        for split in 0..golden.len() {
            let mut scan = Scan::of_struct(encoding);
            assert_eq!(scan.advance(&golden[..split]), Ok(None), "{encoding:?} {split}");
            assert!(split + scan.missing(split) <= golden.len(), "{encoding:?} {split}: waits for too much");
            assert_eq!(scan.advance(&followed), Ok(Some(golden.len())), "{encoding:?} {split}");
        }
        // byte by byte, and what was passed is dropped
        let (mut scan, mut front, mut dropped) = (Scan::of_struct(encoding), Vec::new(), 0);
        for (at, byte) in golden.iter().enumerate() {
            front.push(*byte);
            let found = scan.advance(&front).unwrap();
            assert_eq!(found.map(|end| dropped + end), (at + 1 == golden.len()).then_some(golden.len()));
            let gone = scan.forget(front.len());
            front.drain(..gone);
            dropped += gone;
        }
    }
}

#[test]
fn every_truncation_and_every_further_byte_is_an_error() {
    for (encoding, golden) in ENCODINGS {
        let golden = hex(golden);
        for length in 0..golden.len() {
            assert!(read::<All>(encoding, &golden[..length]).is_err(), "{encoding:?} {length}");
            assert!(read::<Empty>(encoding, &golden[..length]).is_err(), "{encoding:?} {length}");
        }
        let error = read::<All>(encoding, &[&golden[..], &[0]].concat()).unwrap_err();
        assert_eq!(error, "thrift: bytes follow the struct", "{encoding:?}");
    }
}

/// The reader and the scan agree about where a struct ends, whatever it contains.
#[test]
fn altered_bytes_do_no_harm() {
    for (encoding, golden) in ENCODINGS {
        let golden = hex(golden);
        for at in 0..golden.len() {
            for value in 0..=255 {
                let mut altered = golden.clone();
                altered[at] = value;
                let read = read::<Empty>(encoding, &altered).is_ok();
                let scanned = Scan::of_struct(encoding).advance(&altered);
                let ends = scanned == Ok(Some(altered.len()));
                // In the compact protocol an id may be too large, which matters only to those who read it.
                let agree = read == ends || encoding == Encoding::Compact && ends;
                assert!(agree, "{encoding:?}: {at} is {value}");
                let _ = decode::<All>(encoding, altered.into());
            }
        }
    }
}

/// A few bytes that announce two thousand million elements.
#[test]
fn counts_beyond_the_message_are_refused_before_memory_is_reserved() {
    for (encoding, list, map) in [
        (Encoding::Binary, "0f 00 0a 08 7f ff ff ff", "0d 00 0e 0b 0a 7f ff ff ff"),
        (Encoding::Compact, "09 14 f5 ff ff ff ff 07", "0b 1c ff ff ff ff 07 86"),
    ] {
        for bytes in [list, map] {
            let error = read::<All>(encoding, &hex(bytes)).unwrap_err();
            assert_eq!(error, "thrift: it ends inside a value", "{encoding:?} {bytes}");
        }
    }
    for (encoding, bytes) in
        [(Encoding::Binary, "0f 00 0a 08 ff ff ff ff"), (Encoding::Compact, "09 14 f5 ff ff ff ff 0f")]
    {
        assert_eq!(read::<All>(encoding, &hex(bytes)).unwrap_err(), "thrift: a negative length", "{bytes}");
    }
}

#[test]
fn nesting_has_a_bound_for_what_is_read_and_for_what_is_skipped() {
    for (encoding, head) in [(Encoding::Binary, &[12, 0, 1][..]), (Encoding::Compact, &[0x1c])] {
        let nested = |depth: usize| [head.repeat(depth - 1), vec![0; depth]].concat();
        assert!(read::<Nested>(encoding, &nested(MAX_DEPTH)).is_ok());
        assert!(read::<Empty>(encoding, &nested(MAX_DEPTH)).is_ok());
        let too_deep = "thrift: nested more than 64 deep";
        assert_eq!(read::<Nested>(encoding, &nested(MAX_DEPTH + 1)).unwrap_err(), too_deep);
        assert_eq!(read::<Empty>(encoding, &nested(MAX_DEPTH + 1)).unwrap_err(), too_deep);
        assert_eq!(read::<Empty>(encoding, &nested(1_000_000)).unwrap_err(), too_deep);
        assert_eq!(Scan::of_struct(encoding).advance(&nested(1_000_000)), Err(Error::Depth));
    }
}

#[test]
fn elements_of_another_type_are_refused() {
    let error = read::<All>(Encoding::Binary, &hex("0f 00 0a 0a 00 00 00 01 00 00 00 00 00 00 00 00 00"));
    assert_eq!(error.unwrap_err(), "thrift: elements of type I64 where the definition says I32");
    // of no elements nothing is said
    assert_eq!(read::<All>(Encoding::Binary, &hex("0f 00 0a 00 00 00 00 00 00")), Ok(All::default()));
}

#[test]
fn a_field_of_another_type_is_skipped() {
    let text_where_a_number_is = "0b 00 05 00 00 00 01 78 00";
    assert_eq!(read::<All>(Encoding::Binary, &hex(text_where_a_number_is)), Ok(All::default()));
    assert_eq!(read::<All>(Encoding::Compact, &hex("58 01 78 00")), Ok(All::default()));
}

#[test]
fn text_has_to_be_utf_8() {
    let error = read::<All>(Encoding::Compact, &hex("88 01 ff 00")).unwrap_err();
    assert_eq!(error, "thrift: a string is not UTF-8: declare it as binary");
}

/// Long binary fields share the memory of the message, and are written by reference.
#[test]
fn long_binary_is_not_copied() {
    struct Blob(Bytes);
    impl Value for Blob {
        const TYPE: Type = Type::Struct;
        fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
            let outer = from.begin_struct()?;
            let mut blob = Bytes::new();
            while from.field()?.is_some() {
                blob = from.binary()?;
            }
            from.end_struct(outer);
            Ok(Blob(blob))
        }
        fn write<W: Writer>(&self, to: &mut W) {
            let outer = to.begin_struct();
            to.field(1, Type::Binary);
            self.0.write(to);
            to.end_struct(outer);
        }
    }
    for (encoding, _) in ENCODINGS {
        let blob = Blob(vec![7; SHARED_FROM].into());
        let body = encode(encoding, &blob).unwrap();
        assert!(body.segments().any(|segment| segment.as_ptr() == blob.0.as_ptr()), "{encoding:?}");
        let bytes = body.into_bytes();
        let range = bytes.as_ptr_range();
        let read: Blob = decode(encoding, bytes.clone().into()).unwrap();
        assert!(range.contains(&read.0.as_ptr()), "{encoding:?}");
        assert_eq!(read.0, blob.0);
    }
}

#[test]
fn uuids_are_read_and_shown_in_their_groups() {
    let text = "00112233-4455-6677-8899-aabbccddeeff";
    let uuid: Uuid = text.parse().unwrap();
    assert_eq!(uuid.to_string(), text);
    assert_eq!(text.replace('-', "").parse(), Ok(uuid));
    for wrong in
        ["", "0011", "00112233-4455-6677-8899-aabbccddeefg", "0011223344-55-6677-8899-aabbccddeeff", "é"]
    {
        assert!(wrong.parse::<Uuid>().is_err(), "{wrong}");
    }
}

fn other(encoding: Encoding) -> Encoding {
    match encoding {
        Encoding::Binary => Encoding::Compact,
        Encoding::Compact => Encoding::Binary,
    }
}

#[test]
fn a_struct_of_all_types_is_recoded_as_apache_writes_it() {
    let [binary, compact] = [BINARY, COMPACT].map(hex);
    assert_eq!(recode(Encoding::Binary, binary.clone().into(), 1000).unwrap(), compact[..]);
    // Nothing says the types of entries that an empty map does not have.
    let mut typeless = binary;
    let empty = typeless.windows(5).position(|bytes| bytes == [0x0d, 0, 0x0f, 0x0b, 0x0a]).unwrap();
    typeless[empty + 3..empty + 5].copy_from_slice(&[Type::I8 as u8; 2]);
    assert_eq!(recode(Encoding::Compact, compact.into(), 1000).unwrap(), typeless[..]);
}

#[test]
fn what_is_no_struct_is_not_recoded_and_limits_hold() {
    for (encoding, golden) in ENCODINGS {
        let golden = hex(golden);
        for length in 0..golden.len() {
            let error = recode(encoding, golden[..length].to_vec().into(), 1000).unwrap_err();
            assert!(matches!(error, FormatError::Thrift(_)), "{encoding:?} {length}: {error}");
        }
        let error = recode(encoding, [&golden[..], &[0]].concat().into(), 1000).unwrap_err();
        assert_eq!(error.to_string(), "thrift: bytes follow the struct", "{encoding:?}");
        for longest in 0..encode(Encoding::Binary, &all()).unwrap().len() - 1 {
            let error = recode(encoding, golden.clone().into(), longest).unwrap_err();
            assert!(
                matches!(error, FormatError::TooLarge { limit } if limit == longest),
                "{longest}: {error}"
            );
        }
        for at in 0..golden.len() {
            for value in 0..=255 {
                let mut altered = golden.clone();
                altered[at] = value;
                let Ok(recoded) = recode(encoding, altered.into(), 1 << 20) else { continue };
                let back = recode(other(encoding), recoded.clone(), 1 << 20).unwrap();
                assert_eq!(
                    recode(encoding, back, 1 << 20).unwrap(),
                    recoded,
                    "{encoding:?}: {at} is {value}"
                );
            }
        }
    }
    // A million lists in each other: eight times what came, or a stack that runs over.
    for (encoding, field, list) in
        [(Encoding::Binary, &[15, 0, 1][..], &[15, 0, 0, 0, 1][..]), (Encoding::Compact, &[0x19], &[0x19])]
    {
        let bytes = [field, &list.repeat(1_000_000)].concat();
        let error = recode(encoding, bytes.into(), usize::MAX).unwrap_err();
        assert_eq!(error.to_string(), "thrift: nested more than 64 deep", "{encoding:?}");
    }
    let longs = [&[0x19, 0xf6, 0xc0, 0x84, 0x3d][..], &vec![0; 1_000_001]].concat();
    let error = recode(Encoding::Compact, longs.into(), 4 << 20).unwrap_err();
    assert!(matches!(error, FormatError::TooLarge { .. }), "{error}");
}
