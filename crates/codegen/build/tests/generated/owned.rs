//! Messages that are not used after sending: the bytes are the same as those of a message that is kept, and
//! long buffers are not copied.

use polywire::{Compression, Content, IoBuf, Message, generated::buffa::bytes::Bytes};
use polywire_formats::{decode_request, encode_reply};
use polywire_samples::mcpack::mcpack::{All, Item, Main, Needs};
use proptest::prelude::*;

/// Lengths around the limit from which a buffer is not copied.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![0..40usize, 16_000..17_000usize, Just(16 << 10), Just((16 << 10) - 1), Just(100_000)]
}

fn text() -> impl Strategy<Value = String> {
    (length(), "[a-z]").prop_map(|(length, letter)| letter.repeat(length))
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    (length(), any::<u8>()).prop_map(|(length, byte)| vec![byte; length])
}

fn needs() -> impl Strategy<Value = Needs> {
    let leaf = (any::<i32>(), text()).prop_map(|(id, text)| Needs { id, text, ..Needs::default() });
    leaf.prop_recursive(3, 8, 3, |inner| {
        let below = prop::option::of(inner.clone());
        let more = prop::collection::vec(inner, 0..3);
        (below, more, any::<i32>(), text()).prop_map(|(below, more, id, text)| Needs {
            below: below.into(),
            more,
            id,
            text,
        })
    })
}

fn all() -> impl Strategy<Value = All> {
    let repeated = (prop::collection::vec(text(), 0..4), prop::collection::vec(bytes(), 0..3));
    let maps = (prop::collection::hash_map("[a-z]{1,4}", bytes(), 0..3), prop::option::of(needs()));
    let one = (prop::option::of(text()), prop::option::of(bytes()), prop::option::of(bytes()), any::<i64>());
    (one, repeated, maps).prop_map(|((s, y, text, i64), (rs, ry), (my, needs))| All {
        i64: Some(i64),
        s,
        y: y.map(Bytes::from),
        text,
        rs,
        ry: ry.into_iter().map(Bytes::from).collect(),
        my: my.into_iter().collect(),
        needs: needs.into(),
        ..All::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn a_message_is_written_alike_whether_it_is_kept_or_given_away(
        mut message in all(), inner in prop::collection::vec(all(), 0..3), one in prop::option::of(all()),
    ) {
        message.ra = inner;
        message.all = one.into();
        let kept = message.to_wire().unwrap();
        prop_assert!(message.into_wire().unwrap().to_vec() == kept);
    }
}

/// Addresses of the segments.
fn segments(wire: &IoBuf) -> Vec<*const u8> {
    wire.segments().map(|segment| segment.as_ptr()).collect()
}

#[test]
fn long_strings_and_bytes_of_every_kind_of_field_are_handed_over() {
    let long = |letter: &str| letter.repeat(20_000);
    let shared = Bytes::from(vec![7; 20_000]);
    let message = All {
        s: Some(long("s")),
        y: Some(shared.clone()),
        rs: vec![long("a"), "short".into(), long("b")],
        text: Some(vec![1; 20_000]),
        needs: Needs { text: long("n"), ..Needs::default() }.into(),
        ..All::default()
    };
    let owned = [
        message.s.as_ref().unwrap().as_ptr(),
        shared.as_ptr(),
        message.rs[0].as_ptr(),
        message.rs[2].as_ptr(),
        message.text.as_ref().unwrap().as_ptr(),
        message.needs.text.as_ptr(),
    ];
    let segments = segments(&message.into_wire().unwrap());
    let found: Vec<_> = segments.into_iter().filter(|segment| owned.contains(segment)).collect();
    assert_eq!(found, owned, "each once, in the order of their numbers");
}

#[test]
fn short_messages_are_one_piece_however_many_fields_they_have() {
    let item = |at: usize| Item { k: Some(format!("{at}")), ..Item::default() };
    let message = Main { items: (0..500).map(item).collect(), ..Main::default() };
    assert_eq!(message.into_wire().unwrap().segments().count(), 1);
    let message = Main { strs: vec!["x".repeat((16 << 10) - 1); 4], ..Main::default() };
    assert_eq!(message.into_wire().unwrap().segments().count(), 1);
}

#[test]
fn a_reply_is_given_away() {
    let message = Main { message: Some("m".repeat(1 << 20)), code: Some(7), ..Main::default() };
    let (kept, text) = (message.to_wire().unwrap(), message.message.as_ref().unwrap().as_ptr());
    let wire = encode_reply(message, Content::PROTOBUF, Compression::NONE).unwrap();
    assert_eq!(segments(&wire)[1], text);
    assert!(wire.to_vec() == kept);
}

#[test]
fn what_protobuf_cannot_carry_is_an_error() {
    // Cheap to make: all elements share the same memory.
    let part = Bytes::from(vec![0; 64 << 20]);
    let message = All { ry: vec![part; 33], ..All::default() };
    let error = message.into_wire().unwrap_err();
    assert_eq!(error.to_string(), "longer than 2147483647 bytes");
}

#[test]
fn fields_of_bytes_share_the_message_they_are_read_from() {
    let message = All {
        y: Some(Bytes::from(vec![7; 5000])),
        ra: vec![All { ry: vec![Bytes::from(vec![8; 300])], ..All::default() }],
        ..All::default()
    };
    let body = IoBuf::from(message.to_wire().unwrap());
    let memory = body.front().as_ptr_range();
    let read: All = decode_request(Content::PROTOBUF, Compression::NONE, body.clone(), 1 << 20).unwrap();
    assert_eq!(read, message);
    for field in [read.y.as_ref().unwrap(), &read.ra[0].ry[0]] {
        assert!(memory.contains(&field.as_ptr()), "{} bytes were copied", field.len());
    }
    let short = All { y: Some(Bytes::from_static(b"short")), ..All::default() };
    let body = IoBuf::from(short.to_wire().unwrap());
    let memory = body.front().as_ptr_range();
    let read: All = decode_request(Content::PROTOBUF, Compression::NONE, body.clone(), 1 << 20).unwrap();
    assert_eq!(read, short);
    assert!(
        !memory.contains(&read.y.unwrap().as_ptr()),
        "a short field keeps no memory of the connection alive"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn a_message_is_read_alike_whether_it_shares_or_copies(
        message in all(), cut in any::<proptest::sample::Index>(), changed in any::<proptest::sample::Index>(),
    ) {
        let wire = message.to_wire().unwrap();
        prop_assert_eq!(All::from_shared(wire.clone().into()).unwrap(), message);
        let cut = cut.index(wire.len() + 1);
        let mut not_text = wire.clone();
        not_text[changed.index(wire.len())] = 0xff;
        for wire in [&wire[..cut], &not_text] {
            prop_assert_eq!(All::from_shared(wire.to_vec().into()), All::from_wire(wire));
        }
    }
}

/// From 4 KiB on, fields share the body.
#[test]
fn text_that_is_not_utf8_is_named_however_long_the_body_is() {
    for length in [10, 5000, 100_000] {
        let below = All { s: Some("z".repeat(length)), y: Some(Bytes::from("y")), ..All::default() };
        let mut wire = All { all: below.into(), ..All::default() }.to_wire().unwrap();
        let last = wire.iter().rposition(|byte| *byte == b'z').expect("the end of the text");
        wire[last] = 0xff;
        let read = decode_request::<All>(Content::PROTOBUF, Compression::NONE, wire.into(), 1 << 20);
        let refused = read.unwrap_err();
        assert!(refused.message().contains("mcpack.All.all.s is not UTF-8"), "{length}: {refused}");
    }
}
