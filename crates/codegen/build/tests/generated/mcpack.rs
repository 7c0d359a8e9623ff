//! Compares generated code for mcpack with the descriptor path: same bytes, same messages, same errors; and
//! with the sheet.

use polywire::{Compression, Content, IoBuf, Message, Payload, generated::buffa::bytes::Bytes};
use polywire_formats::{
    FormatError,
    mcpack::{DOCUMENT_HEAD_BYTES, Variant, from_wire, to_wire},
};
use polywire_samples::mcpack::mcpack::{self, All, Chosen, Item, Main, Must, Needs, Pairs};
use proptest::{prelude::*, sample::select};
use std::{fmt::Debug, fs, path::Path};

const MOST: usize = 1 << 20;
const VARIANTS: [(Variant, Content); 2] =
    [(Variant::Mcpack, Content::MCPACK), (Variant::Compack, Content::COMPACK)];

fn decode<M: Message>(content: Content, body: impl Into<IoBuf>) -> Result<M, FormatError> {
    <M as Payload>::decode(content, Compression::NONE, body.into(), MOST.into(), Default::default())
}

fn encode<M: Message>(message: &M, content: Content) -> Result<Vec<u8>, FormatError> {
    let mut body = Payload::encode(message, content, Compression::NONE, Default::default())?;
    Ok(body.contiguous().to_vec())
}

fn read_by_descriptor<M: Message>(body: &[u8]) -> Result<M, FormatError> {
    decode(Content::PROTOBUF, to_wire(M::schema(), body, MOST)?)
}

fn written_by_descriptor<M: Message>(message: &M, variant: Variant) -> Result<Vec<u8>, FormatError> {
    from_wire(M::schema(), &message.to_wire()?, variant)
}

/// Whether both are equal, except for NaNs and the order of maps.
fn alike<T: PartialEq + Debug>(one: &T, other: &T) -> bool {
    let letters = |value: &T| {
        let mut letters = format!("{value:?}").into_bytes();
        letters.sort_unstable();
        letters
    };
    one == other || letters(one) == letters(other)
}

/// Checks that the descriptor path reads the same message, or refuses it, too. Returns whether generated code
/// read it.
fn same_read<M: Message + PartialEq + Debug>(body: &[u8]) -> bool {
    let (expected, straight) = (read_by_descriptor::<M>(body), M::from_mcpack(body, MOST));
    let read = straight.is_some();
    if let Some(message) = straight {
        let expected = expected.as_ref().unwrap_or_else(|e| panic!("{e}, but {message:?} was read"));
        assert!(alike(&message, expected), "{message:?} in place of {expected:?}");
    }
    assert!(alike(&decode::<M>(Content::MCPACK, body.to_vec()), &expected));
    read
}

/// Checks that the descriptor path writes the same bytes, and that generated code reads them and writes them
/// again.
fn same_written<M: Message + PartialEq + Debug>(message: &M) {
    for (variant, content) in VARIANTS {
        let expected = written_by_descriptor(message, variant);
        assert_eq!(message.to_mcpack(variant).as_ref(), expected.as_ref().ok(), "{message:?}");
        assert_eq!(encode(message, content), expected);
        if let Ok(body) = expected {
            assert!(same_read::<M>(&body), "{message:?} was not read");
        }
    }
}

/// Bytes of the sheet, from the block after this heading.
fn sheet(heading: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/wire/mcpack.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, behind) = text.split_once(&format!("**{heading}")).expect("the sheet has this example");
    polywire_machine_testing::hex(behind.split("```").nth(1).unwrap())
}

/// "Message used" of the sheet.
fn example() -> Main {
    let item = |k: &str| Item { k: Some(k.into()), ..Default::default() };
    Main {
        message: Some("hello".into()),
        code: Some(-5),
        big: Some(7),
        flag: Some(true),
        d: Some(1.5),
        bin: Some(vec![1, 2]),
        nums: vec![1, -2],
        strs: vec!["a".into(), "bc".into()],
        items: vec![Item { v: Some(3), tags: vec![9, 10], ..item("x") }, item("y")],
        one: item("o").into(),
        on: vec![],
    }
}

fn example_bodies() -> [Vec<u8>; 2] {
    let body = sheet("Example 1:").split_off(DOCUMENT_HEAD_BYTES);
    // "compack differs only in these two members". Offsets of the sheet, without the document's head.
    let [nums, strs, items, one] = [77, 104, 130, 223].map(|at: usize| at - DOCUMENT_HEAD_BYTES);
    let (packed, columns) = (sheet("Example 2a:"), sheet("Example 2b:"));
    let compack = [&body[..nums], &packed, &body[strs..items], &columns, &body[one..]].concat();
    [body, compack]
}

#[test]
fn the_examples_of_the_sheet_are_the_message_in_both_directions() {
    for ((variant, _), body) in VARIANTS.into_iter().zip(example_bodies()) {
        assert_eq!(example().to_mcpack(variant).unwrap(), body);
        assert_eq!(Main::from_mcpack(&body, MOST).unwrap(), example());
    }
    same_written(&example());
}

#[test]
fn every_truncation_and_every_changed_byte_is_read_alike() {
    for body in example_bodies() {
        for cut in 0..body.len() {
            same_read::<Main>(&body[..cut]);
            for change in [0x01, 0x10, 0x30, 0x80, 0xff] {
                let mut body = body.clone();
                body[cut] ^= change;
                same_read::<Main>(&body);
            }
        }
    }
}

#[test]
fn a_body_in_two_pieces_is_the_same_message() {
    let [body, _] = example_bodies();
    for split in 0..=body.len() {
        let mut pieces = IoBuf::from(body[..split].to_vec());
        pieces.push(Bytes::copy_from_slice(&body[split..]));
        assert_eq!(decode::<Main>(Content::MCPACK, pieces).unwrap(), example(), "split at {split}");
    }
}

#[test]
fn what_may_outgrow_the_limit_goes_by_descriptor() {
    let [body, _] = example_bodies();
    assert_eq!(Main::from_mcpack(&body, 16 * body.len()).unwrap(), example());
    assert!(Main::from_mcpack(&body, 16 * body.len() - 1).is_none());
}

#[test]
fn required_fields_are_missed_as_by_descriptor() {
    let needs = Needs { id: 1, text: "x".into(), ..Default::default() };
    same_written(&needs);
    let whole = written_by_descriptor(&needs, Variant::Mcpack).unwrap();
    assert!(!same_read::<Needs>(&[0; 4]) && !same_read::<Must>(&[0; 4]));
    for (name, missing) in [(&b"id\0"[..], "mcpack.Needs.id"), (b"text\0", "mcpack.Needs.text")] {
        let mut body = whole.clone();
        let at = body.windows(name.len()).position(|bytes| bytes == name).unwrap();
        body[at] = b'_';
        assert!(!same_read::<Needs>(&body));
        let refused = decode::<Needs>(Content::MCPACK, body).unwrap_err();
        assert_eq!(refused, FormatError::MissingRequired(missing.into()));
    }
    // A missing message is noticed when it is written.
    same_written(&Must::default());
    let refused = encode(&Must::default(), Content::MCPACK).unwrap_err();
    assert_eq!(refused, FormatError::MissingRequired("mcpack.Must.needs".into()));
    same_written(&Must { needs: needs.into() });
}

#[test]
fn pieces_of_a_message_are_read_together() {
    let member = |fields: &[u8]| {
        let mut object = vec![0x10, 6];
        object.extend((4 + fields.len() as u32).to_le_bytes());
        [&object[..], b"needs\0\0\0\0\0", fields].concat()
    };
    let (id, text) = (member(b"\x11\x03id\0\x07"), member(b"\xd0\x05\x02text\0x\0"));
    let body = [&[0; 4], &id[..], &text].concat();
    // The message is complete only when its pieces are merged, which is left to the descriptor path.
    assert!(!same_read::<Must>(&body));
    assert_eq!(decode::<Must>(Content::MCPACK, body).unwrap().needs.id, 7);
    let both = [
        &[0; 4],
        &member(b"\x11\x03id\0\x07\xd0\x05\x02text\0x\0")[..],
        &member(b"\x11\x03id\0\x08\xd0\x05\x02text\0y\0"),
    ]
    .concat();
    assert!(same_read::<Must>(&both));
}

#[test]
fn nesting_is_bounded_alike() {
    let required = b"\x11\x03id\0\x07\xd0\x05\x02text\0x\0";
    for levels in [0usize, 1, 49, 50, 51, 99, 100, 101, 300] {
        let mut body = [&[0; 4], &required[..]].concat();
        for _ in 0..levels {
            let mut outer = [&[0; 4], &required[..], &[0x10, 6]].concat();
            outer.extend((body.len() as u32).to_le_bytes());
            body = [&outer[..], b"below\0", &body].concat();
        }
        assert_eq!(same_read::<Needs>(&body), levels <= 50, "{levels} levels");
        assert_eq!(read_by_descriptor::<Needs>(&body).is_ok(), levels <= 100, "{levels} levels");
    }
}

#[test]
fn memory_of_what_repeats_is_bounded_alike() {
    // An empty row takes ten bytes here and hundreds in memory.
    let rows = (32 << 20) / size_of::<All>();
    for (rows, fits) in [(rows, true), (rows + 1, false)] {
        let mut body = vec![0, 0, 0, 0, 0x20, 3];
        body.extend((4 + 10 * rows as u32).to_le_bytes());
        body.extend(b"ra\0\0\0\0\0");
        (0..rows).for_each(|_| body.extend(b"\x10\0\x04\0\0\0\0\0\0\0"));
        let most = 1 << 30;
        assert_eq!(All::from_mcpack(&body, most).is_some(), fits);
        let wire = to_wire(All::schema(), &body, most).unwrap();
        assert_eq!(All::from_wire(&wire).is_ok(), fits);
    }
}

#[test]
fn an_array_of_no_numbers_is_none_of_texts() {
    // An isoarray without items in place of numbers, texts, messages.
    for name in ["ri32", "rs", "ra", "ms", "s", "type"] {
        let mut body = vec![0, 0, 0, 0, 0x30, name.len() as u8 + 1, 1, 0, 0, 0];
        body.extend([name.as_bytes(), b"\0\x14"].concat());
        assert_eq!(same_read::<All>(&body), name == "ri32", "{name}");
    }
}

#[test]
fn what_has_no_generated_code_goes_by_descriptor() {
    assert!(Pairs::default().to_mcpack(Variant::Mcpack).is_none());
    assert!(Pairs::from_mcpack(&[0; 4], MOST).is_none() && Chosen::from_mcpack(&[0; 4], MOST).is_none());
    let pairs = Pairs { pairs: vec![mcpack::Pair { key: Some("k".into()), value: None }] };
    let body = encode(&pairs, Content::COMPACK).unwrap();
    assert_eq!(decode::<Pairs>(Content::COMPACK, body).unwrap().pairs[0].key, pairs.pairs[0].key);
}

fn tagged(number: u32, wire: u32, value: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let mut bytes = varint(u64::from(number << 3 | wire));
    bytes.extend(value);
    bytes
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn delimited(number: u32, value: &[u8]) -> Vec<u8> {
    tagged(number, 2, [varint(value.len() as u64), value.to_vec()].concat())
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        (any::<u64>(), 0..64u32).prop_map(|(value, shift)| value >> shift),
        select(&[0, 1, u64::MAX, -3i64 as u64][..])
    ]
}

fn text() -> impl Strategy<Value = String> {
    let letters = |length| prop::collection::vec(select(&['a', 'b', 'ü'][..]), length);
    prop_oneof![9 => letters(0..5), 1 => letters(250..260)].prop_map(String::from_iter)
}

/// Numbers and texts of these fields, by type on the wire.
fn scalars(
    varints: &'static [u32],
    fixed32: &'static [u32],
    fixed64: &'static [u32],
    texts: &'static [u32],
) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        (select(varints), number()).prop_map(|(field, value)| tagged(field, 0, varint(value))),
        (select(fixed32), any::<u32>()).prop_map(|(field, value)| tagged(field, 5, value.to_le_bytes())),
        (select(fixed64), any::<u64>()).prop_map(|(field, value)| tagged(field, 1, value.to_le_bytes())),
        (select(texts), text()).prop_map(|(field, text)| delimited(field, text.as_bytes())),
    ]
}

fn several(fields: BoxedStrategy<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> + Clone {
    prop::collection::vec(fields, 0..6).prop_map(|fields| fields.concat())
}

/// `All`, in protobuf.
fn all() -> impl Strategy<Value = Vec<u8>> {
    const VARINTS: &[u32] = &[1, 2, 3, 4, 5, 6, 9, 14, 21, 22, 23, 24, 25, 30, 51, 53, 56];
    let implicit = scalars(&[1, 2, 7, 8, 9], &[3], &[4], &[5, 6]);
    let implicit = several(implicit.boxed());
    let flat = prop_oneof![
        8 => scalars(VARINTS, &[7, 10, 26, 54], &[8, 11, 27, 55], &[12, 13, 28, 29, 52, 63]),
        1 => (select(&[41, 46][..]), text(), number()).prop_map(|(map, key, value)| {
            delimited(map, &[delimited(1, key.as_bytes()), tagged(2, 0, varint(value))].concat())
        }),
        1 => (text(), text()).prop_map(|(key, value)| {
            delimited(42, &[delimited(1, key.as_bytes()), delimited(2, value.as_bytes())].concat())
        }),
        1 => (number(), text()).prop_map(|(key, value)| {
            delimited(43, &[tagged(1, 0, varint(key)), delimited(2, value.as_bytes())].concat())
        }),
        1 => (number(), number()).prop_map(|(key, value)| {
            delimited(58, &[tagged(1, 0, varint(key)), tagged(2, 0, varint(value))].concat())
        }),
        1 => number().prop_map(|value| [tagged(16, 3, tagged(1, 0, varint(value))), tagged(16, 4, [])].concat()),
        1 => implicit.clone().prop_map(|fields| delimited(61, &fields)),
        1 => implicit.prop_map(|fields| delimited(61, &delimited(10, &fields))),
        1 => number().prop_map(|id| delimited(62, &tagged(1, 0, varint(id)))),
    ];
    several(
        flat.prop_recursive(4, 24, 6, |field| {
            let inner = several(field);
            prop_oneof![
                (select(&[15, 31, 57][..]), inner.clone()).prop_map(|(field, all)| delimited(field, &all)),
                inner
                    .clone()
                    .prop_map(|all| delimited(44, &[tagged(1, 0, [1]), delimited(2, &all)].concat())),
                (text(), inner).prop_map(|(key, all)| {
                    delimited(45, &[delimited(1, key.as_bytes()), delimited(2, &all)].concat())
                }),
            ]
        })
        .boxed(),
    )
}

proptest! {
    #[test]
    fn any_message_is_written_and_read_alike(wire in all()) {
        let message = All::from_wire(&wire).unwrap();
        for (variant, _) in VARIANTS {
            let expected = written_by_descriptor(&message, variant);
            // A key of a map may be too long for a name.
            prop_assert_eq!(message.to_mcpack(variant), expected.clone().ok());
            if let Ok(body) = expected {
                prop_assert!(same_read::<All>(&body));
            }
        }
    }

    #[test]
    fn any_bytes_are_read_alike(
        wire in all(),
        compack in any::<bool>(),
        noise in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let message = All::from_wire(&wire).unwrap();
        let Some(mut body) = message.to_mcpack(VARIANTS[usize::from(compack)].0) else { return Ok(()) };
        for (index, byte) in noise {
            let index = index.index(body.len());
            body[index] = byte;
        }
        if let Some(cut) = cut {
            body.truncate(cut.index(body.len() + 1));
        }
        same_read::<All>(&body);
    }
}

#[test]
fn names_that_are_keywords_are_written_and_read_alike() {
    let message = mcpack::Match::from_wire(b"\x0a\x04\x0a\x02\x10\x01").unwrap();
    let inner = message.super_.as_option().unwrap().self_.as_option().unwrap();
    assert_eq!(inner.r#use, Some(mcpack::r#match::Use::SOME));
    assert!(message.to_mcpack(Variant::Mcpack).is_some(), "it has generated code");
    same_written(&message);
}

/// The encoding guide, "Maps": a map is a repeated field of entries with a key (1) and a value (2).
#[test]
fn a_map_of_open_enums_keeps_the_numbers_that_are_not_declared() {
    use polywire_samples::mcpack::mcpack3::{Implicit, implicit::Size};
    for (entry, value) in [
        (&b"\x5a\x05\x0a\x01a\x10\x07"[..], Size::LARGE.into()),
        (b"\x5a\x05\x0a\x01a\x10\x08", 8.into()),
        (b"\x5a\x0e\x0a\x01a\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", (-1).into()),
        (b"\x5a\x05\x0a\x01a\x10\x00", Size::SMALL.into()),
    ] {
        let read: Implicit = decode(Content::PROTOBUF, entry.to_vec()).unwrap();
        assert_eq!(read.named, [("a".to_owned(), value)].into_iter().collect());
        assert_eq!(encode(&read, Content::PROTOBUF).unwrap(), entry);
        for cut in 1..entry.len() {
            decode::<Implicit>(Content::PROTOBUF, entry[..cut].to_vec()).expect_err("cut off");
        }
    }
    let without_value: Implicit = decode(Content::PROTOBUF, b"\x5a\x03\x0a\x01a".to_vec()).unwrap();
    assert_eq!(without_value.named["a"], Size::SMALL);
}
