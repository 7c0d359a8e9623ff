//! Files of editions 2023 and 2024: the generated code and its descriptors behave as their features say.

use polywire::{Compression, Content, EnumValue, IoBuf, Message};
use polywire_formats::{
    decode_request,
    json::{self, Style},
};

use polywire_samples::editions::edition::{self, Closed, Every, Open, every};

/// A complete message followed by these bytes.
fn read(bytes: &[u8]) -> Every {
    Every::from_wire(&[b"\x1a\x01n", bytes].concat()).unwrap()
}

/// The bytes written after the required field.
#[track_caller]
fn written(set: impl FnOnce(&mut Every)) -> Vec<u8> {
    let mut every = Every { needed: "n".into(), ..Default::default() };
    set(&mut every);
    let wire = every.to_wire().unwrap();
    assert_eq!(Every::from_wire(&wire).unwrap(), every);
    let at = wire.windows(3).position(|bytes| bytes == b"\x1a\x01n").expect("always written");
    [&wire[..at], &wire[at + 3..]].concat()
}

#[test]
fn presence_is_what_the_features_say() {
    assert_eq!(written(|every| every.explicit = Some(0)), b"\x08\0");
    assert_eq!(written(|every| every.implicit = 0), b"");
    assert_eq!(written(|every| every.inner.get_or_insert_default().value = 0), b"\x52\0");
    let nothing = decode_request::<Every>(Content::PROTOBUF, Compression::NONE, IoBuf::new(), 1 << 10);
    assert!(nothing.unwrap_err().message().contains("needed"));
    assert_eq!(read(b"").seven, None);
    let later = edition::next::Later { name: Some(String::new()), ..Default::default() };
    assert_eq!(later.to_wire().unwrap(), b"\x12\0", "of edition 2024");
}

#[test]
fn numbers_are_packed_or_not() {
    assert_eq!(written(|every| every.packed = vec![1, 2]), b"\x2a\x02\x01\x02");
    assert_eq!(written(|every| every.expanded = vec![1, 2]), b"\x30\x01\x30\x02");
    assert_eq!(
        (read(b"\x28\x01\x28\x02").packed, read(b"\x32\x02\x01\x02").expanded),
        (vec![1, 2], vec![1, 2])
    );
}

#[test]
fn enums_are_open_or_closed() {
    assert_eq!(read(b"\x38\x07").open, Some(EnumValue::from(7)));
    assert_eq!(read(b"\x38\x01").open, Some(Open::OPEN_ONE.into()));
    assert_eq!(read(b"\x40\x07").closed, None);
    assert_eq!(read(b"\x40\x02").closed, Some(Closed::CLOSED_TWO));
    assert_eq!(read(b"\x4a\x02\x02\x07").closed_ones, [Closed::CLOSED_TWO]);
}

#[test]
fn messages_are_length_prefixed_or_delimited() {
    let inner = || every::Inner { value: 5, optional: String::new() };
    assert_eq!(written(|every| every.inner = inner().into()), b"\x52\x02\x08\x05");
    assert_eq!(written(|every| every.delimited = inner().into()), b"\x5b\x08\x05\x5c");
}

#[test]
fn text_is_checked_unless_the_features_say_otherwise() {
    assert!(Every::from_wire(b"\x1a\x01\xff").is_err());
    assert!(Every::from_wire(b"\x7a\x01\xff").is_err());
}

/// Code that uses the descriptors, such as JSON, sees the same features.
#[test]
fn descriptors_are_of_the_edition() {
    let file = edition::POOL.message("edition.Every").unwrap();
    assert_eq!(file.full_name(), "edition.Every");
    let every = Every {
        needed: "n".into(),
        explicit: Some(0),
        delimited: every::Inner { value: 5, ..Default::default() }.into(),
        open: Some(7.into()),
        choice: Some(every::Choice::Text("t".into())),
        ..Default::default()
    };
    let text = json::from_wire(Every::schema(), &every.to_wire().unwrap(), Style::Canonical).unwrap();
    let expected = r#"{"explicit":0,"needed":"n","open":7,"delimited":{"value":5},"text":"t"}"#;
    assert_eq!(String::from_utf8(text).unwrap(), expected);
    let back = json::to_wire(Every::schema(), expected.as_bytes(), Style::Canonical).unwrap().wire;
    assert_eq!(Every::from_wire(&back).unwrap(), every);
}
