//! Definitions as protobuf's `DebugString` prints them, from the page of a server. What they declare is a
//! schema, or refused.

use polywire_formats::schema::{Definitions, Pool};

/// Definitions that begin with a line that names them, after `=== `.
pub fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut all = Definitions::default();
    for one in text.split("=== ") {
        let (name, text) = one.split_once('\n').unwrap_or(("shop.Item", one));
        if all.add(name, text).is_err() {
            return;
        }
    }
    if let Ok(pool) = Pool::from_foreign_set(&all.into_descriptor_set()) {
        assert!(pool.methods().count() <= input.len() && pool.messages().count() <= input.len());
    }
}
