//! Messages translated between protobuf, JSON and mcpack by schema, as a gateway does; and bytes as a
//! descriptor set of somebody else. What is written stays within its limit, and reads as what is written
//! again.

use polywire_formats::{
    foreign,
    json::{self, Json, Style},
    schema::{MessageSchema, Pool},
};
use polywire_wire::Content;
use std::sync::LazyLock;

static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let set = include_bytes!("../../../crates/codegen/build/tests/golden_rest/library.v1.binpb");
    Pool::from_foreign_set(set).expect("valid")
});

/// Small, so that inputs of a few hundred bytes reach it.
const LONGEST: usize = 1 << 10;

pub fn run(input: &[u8]) {
    let Some((what, bytes)) = input.split_first() else { return };
    let message = POOL.message("library.v1.Everything").expect("it is there");
    in_mcpack(message, bytes);
    for style in [Style::Canonical, Style::Strict, Json::DEFAULT.style()] {
        match what % 3 {
            0 => written(message, bytes, style),
            1 => {
                if let Ok(read) = json::to_wire(message, bytes, style) {
                    written(message, &read.wire, style);
                }
            }
            _ => return described(bytes),
        }
    }
}

fn written(message: MessageSchema<'_>, wire: &[u8], style: Style) {
    let Ok(text) = json::from_wire_exactly(message, wire, style, LONGEST) else { return };
    assert!(text.len() <= LONGEST && std::str::from_utf8(&text).is_ok());
    assert_eq!(json::from_wire(message, wire, style).as_ref(), Ok(&text), "without a limit");
    // Two members of a oneof are written, but not read.
    let Ok(read) = json::to_wire(message, &text, style) else { return };
    let again = json::from_wire_exactly(message, &read.wire, style, LONGEST);
    assert_eq!(
        again.map(|again| String::from_utf8(again).expect("UTF-8")),
        Ok(String::from_utf8(text).expect("UTF-8"))
    );
}

fn in_mcpack(message: MessageSchema<'_>, bytes: &[u8]) {
    for content in [Content::MCPACK, Content::COMPACK] {
        for wire in [Ok(bytes.into()), foreign::to_wire(message, bytes, content, Json::DEFAULT, LONGEST)] {
            let Ok(wire) = wire else { continue };
            let Ok(body) = foreign::from_wire(message, wire, content, Json::DEFAULT, LONGEST) else {
                continue;
            };
            assert!(body.len() <= LONGEST);
            let read = foreign::to_wire(message, &body, content, Json::DEFAULT, LONGEST);
            assert!(read.is_err() || read.is_ok_and(|wire| wire.len() <= LONGEST));
        }
    }
}

fn described(set: &[u8]) {
    let Ok(pool) = Pool::from_foreign_set(set) else { return };
    for (place, method) in pool.methods().enumerate() {
        let found = pool.place_of(method.service, method.method).expect("it is in the pool");
        assert!(found <= place, "the first of its name");
        let _ = json::to_wire(method.input, b"{}", Style::Canonical);
        let _ = json::from_wire_exactly(method.output, b"", Style::Canonical, LONGEST);
    }
}
