//! JSON for somebody else: bounded, nothing replaced, errors with their place. The bytes are those of
//! protobuf.dev, programming-guides/encoding.

use super::*;
use crate::json::from_wire_exactly;

const PROTO: &str = r#"
syntax = "proto3";
package t;
enum E { A_LONG_NAME_OF_A_VALUE = 0; }
message M {
  int32 a = 1;
  string b = 2;
  M c = 3;
  repeated int32 e = 6;
  repeated E values = 7;
  map<string, M> entries = 8;
  bytes raw = 9;
}
"#;

fn exactly(wire: &[u8], longest: usize) -> Result<String, FormatError> {
    let pool = testdata::pool(PROTO);
    let json = from_wire_exactly(pool.message("t.M").unwrap(), wire, Style::Canonical, longest)?;
    Ok(String::from_utf8(json).expect("UTF-8"))
}

#[test]
fn it_is_written_up_to_the_limit_and_not_beyond() {
    for (wire, json) in [
        (&b"\x08\x96\x01"[..], r#"{"a":150}"#),
        (b"\x12\x07testing", r#"{"b":"testing"}"#),
        (b"\x1a\x03\x08\x96\x01", r#"{"c":{"a":150}}"#),
        (b"\x32\x06\x03\x8e\x02\x9e\xa7\x05", r#"{"e":[3,270,86942]}"#),
        (b"", "{}"),
    ] {
        assert_eq!(exactly(wire, json.len()).as_deref(), Ok(json));
        let limit = json.len() - 1;
        assert_eq!(exactly(wire, limit), Err(FormatError::TooLarge { limit }), "{json}");
    }
}

#[test]
fn what_grows_is_stopped_while_it_is_written() {
    let field = |tag: u8, n: usize| {
        let mut wire = vec![tag, n as u8 | 0x80, (n >> 7) as u8 | 0x80, (n >> 14) as u8];
        wire.resize(wire.len() + n, 0);
        wire
    };
    let packed = field(0x3a, 100_000);
    let entry = |k: u16| [&b"\x42\x04\x0a\x02"[..], &[b'a' + (k / 26) as u8, b'a' + (k % 26) as u8]].concat();
    let entries: Vec<u8> = (0..26 * 26).flat_map(entry).collect();
    let bytes = field(0x4a, 100_000);
    for wire in [packed, entries, bytes] {
        let pool = testdata::pool(PROTO);
        let schema = pool.message("t.M").unwrap();
        assert_eq!(
            from_wire_exactly(schema, &wire, Style::Canonical, 1000),
            Err(FormatError::TooLarge { limit: 1000 })
        );
    }
}

#[test]
fn errors_name_the_field() {
    for (wire, said) in [
        (&b"\x1a\x02\x08\x96"[..], "c: "),
        (b"\x1a\x04\x1a\x02\x08\x96", "c.c: "),
        (b"\x1a\x03\x12\x01\xff", "t.M.c.b is not UTF-8"),
        (b"\x42\x05\x12\x03\x12\x01\xff", "is not UTF-8"),
        (b"\x08", "not a valid protobuf message"),
    ] {
        let error = exactly(wire, 1000).expect_err("invalid").to_string();
        assert!(error.contains(said), "{wire:?}: {error}");
    }
}
