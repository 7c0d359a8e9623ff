//! The rows of docs/wire/http.md, section 2, one by one; hostile text; canonical JSON against another
//! implementation.

mod canonical;
mod exactly;
mod fields;
mod foreign;
mod hostile;
mod messages;
mod scalars;
mod syntax;

use super::*;
use crate::{
    schema::Pool,
    testdata::{self, KINDS2, KINDS3},
};
use std::sync::LazyLock;

static TWO: LazyLock<Pool> = LazyLock::new(|| testdata::pool(KINDS2));
static THREE: LazyLock<Pool> = LazyLock::new(|| testdata::pool(KINDS3));

fn brpc() -> Style {
    Style::Brpc(Options::default())
}

fn two(name: &str) -> MessageSchema<'static> {
    TWO.message(name).unwrap()
}

fn third() -> MessageSchema<'static> {
    THREE.message("t.Third").unwrap()
}

/// The text after a round trip.
fn echo(schema: MessageSchema<'_>, text: &str, style: Style) -> Result<String, FormatError> {
    let read = to_wire(schema, text.as_bytes(), style)?;
    Ok(String::from_utf8(from_wire(schema, &read.wire, style)?).unwrap())
}

/// The style in which brpc itself reads.
fn lenient() -> Style {
    Style::Brpc(Options { lenient: true, ..Options::default() })
}

/// The text after a round trip in brpc's style, and the notes.
fn noted(schema: MessageSchema<'_>, text: &str) -> (String, Vec<String>) {
    let read = to_wire(schema, text.as_bytes(), lenient()).unwrap_or_else(|e| panic!("{text}: {e}"));
    (String::from_utf8(from_wire(schema, &read.wire, brpc()).unwrap()).unwrap(), read.notes)
}

fn refused(schema: MessageSchema<'_>, text: &str, style: Style) -> String {
    match to_wire(schema, text.as_bytes(), style) {
        Ok(read) => panic!("{text} was read as {:02x?}", read.wire),
        Err(e) => e.to_string(),
    }
}

/// Checks that these texts survive a round trip unchanged.
fn same(schema: MessageSchema<'_>, style: Style, texts: &[&str]) {
    for text in texts {
        assert_eq!(echo(schema, text, style).as_deref(), Ok(*text));
    }
}
