//! Documents as bsonspec.org and PyMongo's `bson` write them, and invalid ones.

use super::*;
use bytes::Bytes;

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let pairs = digits.chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap());
    pairs.collect()
}

fn read(bytes: &[u8]) -> Result<Document, Error> {
    Document::from_bytes(Bytes::copy_from_slice(bytes))
}

/// The two examples of bsonspec.org, "FAQ".
fn hello() -> Vec<u8> {
    b"\x16\0\0\0\x02hello\0\x06\0\0\0world\0\0".to_vec()
}

fn awesome() -> Vec<u8> {
    b"\x31\0\0\0\x04BSON\0\x26\0\0\0\x020\0\x08\0\0\0awesome\0\x011\0\x33\x33\x33\x33\x33\x33\x14\x40\x102\0\xc2\x07\0\0\0\0"
        .to_vec()
}

/// A document with a value of each type.
fn of_all_types() -> Vec<u8> {
    let code_with_scope = {
        let mut inner = hex("02 00 00 00 78 00 05 00 00 00 00");
        let mut bytes = (inner.len() as u32 + 4).to_le_bytes().to_vec();
        bytes.append(&mut inner);
        bytes
    };
    let elements: &[(u8, &[u8])] = &[
        (1, &1.5f64.to_le_bytes()),
        (2, b"\x02\0\0\0x\0"),
        (3, &hex("05 00 00 00 00")),
        (4, &hex("0c 00 00 00 10 30 00 01 00 00 00 00")),
        (5, b"\x03\0\0\0\x80abc"),
        (6, b""),
        (7, b"0123456789ab"),
        (8, b"\x01"),
        (9, &(-1i64).to_le_bytes()),
        (10, b""),
        (11, b"a+\0i\0"),
        (12, b"\x02\0\0\0x\x000123456789ab"),
        (13, b"\x02\0\0\0x\0"),
        (14, b"\x02\0\0\0x\0"),
        (15, &code_with_scope),
        (16, &7i32.to_le_bytes()),
        (17, &9u64.to_le_bytes()),
        (18, &(1i64 << 40).to_le_bytes()),
        (19, &[3; 16]),
        (0x7f, b""),
        (0xff, b""),
    ];
    let mut bytes = vec![0; 4];
    for (kind, value) in elements {
        bytes.push(*kind);
        bytes.extend(format!("k{kind}\0").bytes());
        bytes.extend_from_slice(value);
    }
    bytes.push(0);
    let length = bytes.len() as u32;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    bytes
}

#[test]
fn examples_of_the_specification_are_read_and_written() {
    let document = read(&hello()).unwrap();
    assert_eq!(document.iter().collect::<Vec<_>>(), [("hello", Value::String("world"))]);
    assert_eq!(Document::builder().put("hello", "world").build().as_bytes(), hello());

    let document = read(&awesome()).unwrap();
    let list = document.get("BSON").unwrap().as_view().unwrap();
    let values: Vec<_> = list.iter().map(|(_, value)| value).collect();
    assert_eq!(values, [Value::String("awesome"), Value::Double(5.05), Value::Int32(1986)]);
    assert_eq!(Document::builder().put_array("BSON", &array(values)).build().as_bytes(), awesome());
    assert_eq!(read(&[5, 0, 0, 0, 0]).unwrap(), Document::default());
    assert_eq!(Document::default(), Document::builder().build());
}

#[test]
fn values_of_all_types_are_read_and_written_as_they_were() {
    let bytes = of_all_types();
    let document = read(&bytes).unwrap();
    assert_eq!(document.iter().count(), 21);
    let copied = document.iter().fold(Document::builder(), |copy, (name, value)| copy.put(name, value));
    assert_eq!(copied.build().as_bytes(), bytes);
    assert_eq!(Document::builder().put_all(&document).build().as_bytes(), bytes);
    for (name, value) in &document {
        assert_eq!(name, format!("k{}", bytes_kind(value)));
    }
    let array = document.get("k4").unwrap().as_view().unwrap();
    assert_eq!(document.part(array), array.to_document());
    assert_eq!(document.get("k19"), Some(Value::Decimal128([3; 16])));
    assert_eq!(document.get("k5"), Some(Value::Binary { subtype: 0x80, bytes: b"abc" }));
}

fn bytes_kind(value: Value<'_>) -> u8 {
    Document::builder().put("", value).build().as_bytes()[4]
}

#[test]
fn every_truncation_is_refused_and_every_altered_byte_leaves_a_document_or_an_error() {
    for bytes in [hello(), awesome(), of_all_types()] {
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length]), Err(Error::Length), "{length}");
        }
        assert_eq!(read(&[&bytes[..], &[0]].concat()), Err(Error::Length));
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut altered = bytes.clone();
                altered[at] ^= 1 << bit;
                let Ok(document) = read(&altered) else { continue };
                let copied =
                    document.iter().fold(Document::builder(), |copy, (name, value)| copy.put(name, value));
                assert_eq!(copied.build().as_bytes(), altered, "byte {at}, bit {bit}");
            }
        }
    }
}

#[test]
fn what_is_no_document_is_named() {
    let of = |element: &[u8]| {
        let mut bytes = (element.len() as u32 + 5).to_le_bytes().to_vec();
        bytes.extend_from_slice(element);
        bytes.push(0);
        read(&bytes).map(|_| ())
    };
    assert_eq!(of(b"\x0ax\0"), Ok(()));
    assert_eq!(of(b"\x08x\0\x02"), Err(Error::Value));
    assert_eq!(of(b"\x14x\0"), Err(Error::Type(0x14)));
    assert_eq!(of(b"\x00x\0"), Err(Error::Type(0)));
    assert_eq!(of(b"\x0ax"), Err(Error::Text), "the name has no end");
    assert_eq!(of(b"\x0a\xff\0"), Err(Error::Text));
    assert_eq!(of(b"\x02x\0\x02\0\0\0\xff\0"), Err(Error::Text));
    assert_eq!(of(b"\x02x\0\0\0\0\0"), Err(Error::Length), "no NUL at the end");
    assert_eq!(of(b"\x02x\0\x02\0\0\0ab"), Err(Error::Length));
    assert_eq!(of(b"\x05x\0\xff\xff\xff\xff\0"), Err(Error::Length));
    assert_eq!(of(b"\x03x\0\x04\0\0\0"), Err(Error::Length));
    assert_eq!(of(b"\x03x\0\x09\0\0\0\x0ay\0"), Err(Error::Length), "longer than what is there");
    assert_eq!(read(&(-1i32).to_le_bytes()), Err(Error::Length));
}

#[test]
fn nesting_has_a_bound_and_needs_no_stack() {
    let nested = |depth: usize| {
        let mut document = Document::default();
        for _ in 1..depth {
            document = Document::builder().put("", &document).build();
        }
        document
    };
    assert!(read(nested(MAX_DEPTH).as_bytes()).is_ok());
    assert_eq!(read(nested(MAX_DEPTH + 1).as_bytes()), Err(Error::TooDeep));
    assert_eq!(read(nested(3000).as_bytes()), Err(Error::TooDeep));
}

#[test]
fn what_is_nested_beyond_the_stack_is_shown_as_far_as_the_limit() {
    // Not checked, as the sections of a message are before a service has them.
    const DEPTH: usize = 100_000;
    let mut bytes = Vec::new();
    for level in (0..DEPTH).rev() {
        // A length, an element and the NUL at the end: eight bytes around what is inside.
        bytes.extend((5 + 8 * level as i32).to_le_bytes());
        if level > 0 {
            bytes.extend([3, b'a', 0]);
        }
    }
    bytes.resize(bytes.len() + DEPTH, 0);
    let (view, rest) = View::shallow(&bytes).unwrap();
    assert!(rest.is_empty());
    let shown = format!("{view:?}");
    assert_eq!(shown.matches("\"a\": ").count(), MAX_DEPTH);
    assert!(shown.contains("{..}"));
    assert_eq!(view.check(), Err(Error::TooDeep));
}

#[test]
fn options_are_true_as_commands_have_them() {
    for yes in [Value::Bool(true), Value::Int32(1), Value::Int64(-1), Value::Double(0.5)] {
        assert!(yes.is_true(), "{yes:?}");
    }
    for no in [Value::Bool(false), Value::Int32(0), Value::Double(0.0), Value::Null, Value::String("true")] {
        assert!(!no.is_true(), "{no:?}");
    }
    assert_eq!(Value::Double(3.0).as_i64(), Some(3));
    for none in
        [Value::Double(2.5), Value::Double(f64::NAN), Value::Double(1e300), Value::Double(2f64.powi(63))]
    {
        assert_eq!(none.as_i64(), None);
    }
}

#[test]
fn names_end_at_a_nul() {
    let document = Document::builder().put("a\0b", 1).build();
    assert_eq!(document.get("a"), Some(Value::Int32(1)));
    read(document.as_bytes()).unwrap();
}
