//! The memory held by messages that are not used after sending, measured at the allocator. There is one test
//! only, since others would be measured with it.

use polywire::{IoBuf, Message, generated::buffa::bytes::Bytes};
use polywire_machine_testing::Counting;
use polywire_samples::mcpack::mcpack::{__buffa::oneof::blob, All, Blob};

#[global_allocator]
static ALLOCATOR: Counting = Counting::new();

const LONG: usize = 16 << 20;

/// The encoded message, and how much more memory is in use because of it.
fn given_away(message: impl Message) -> (IoBuf, isize) {
    let before = ALLOCATOR.in_use();
    let wire = message.into_wire().unwrap();
    (wire, ALLOCATOR.in_use() - before)
}

#[test]
fn nothing_is_kept_for_what_is_sent_from_where_it_lies() {
    let long = Bytes::from(vec![7; LONG]);
    let fields = || All {
        s: Some("short".repeat(100)),
        y: Some(long.clone()),
        ry: vec![long.clone(); 3],
        all: All { y: Some(long.clone()), ..All::default() }.into(),
        ..All::default()
    };
    let (wire, held) = given_away(fields());
    assert!(wire.len() > 5 * LONG && held < 64 << 10, "{held}");
    // Members of oneofs are shared, too.
    let blob = Some(blob::Blob::Data(long.clone()));
    let (wire, held) = given_away(Blob { blob, text: Some("short".to_owned()) });
    assert!(wire.len() > LONG && held < 64 << 10, "{held}");
    // Owned buffers are moved.
    let owned = All { s: Some("x".repeat(LONG)), ..fields() };
    let (wire, held) = given_away(owned);
    assert!(wire.len() > 6 * LONG && held < 64 << 10, "{held}");
}
