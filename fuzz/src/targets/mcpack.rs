//! mcpack to protobuf by schema, and the result to both variants and back.

use polywire_formats::{
    mcpack::{Variant, from_wire, to_wire},
    schema::Pool,
};
use std::sync::LazyLock;

/// Google's own types: nested, repeated, maps, oneofs.
static POOL: LazyLock<Pool> = LazyLock::new(|| {
    Pool::from_descriptor_set(include_bytes!(
        "../../../crates/codecs/formats/src/wkt/generated/google.protobuf.binpb"
    ))
    .expect("valid")
});

const MESSAGES: [&str; 6] = ["Struct", "FieldMask", "ListValue", "Duration", "Type", "Api"];
const MOST: usize = 1 << 16;

pub fn run(input: &[u8]) {
    let Some((chosen, body)) = input.split_first() else { return };
    let name = MESSAGES[usize::from(*chosen) % MESSAGES.len()];
    let schema = POOL.message(&format!("google.protobuf.{name}")).expect("one of Google's");
    let Ok(wire) = to_wire(schema, body, MOST) else { return };
    assert!(wire.len() <= MOST);
    for variant in [Variant::Mcpack, Variant::Compack] {
        // Keys may be longer than names.
        let Ok(written) = from_wire(schema, &wire, variant) else { continue };
        let again = to_wire(schema, &written, usize::MAX).expect("our own");
        let rewritten = from_wire(schema, &again, variant).expect("what could be written once");
        assert_eq!(rewritten, written);
    }
}
