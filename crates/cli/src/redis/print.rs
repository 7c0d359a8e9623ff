//! Replies as redis-cli prints them on a terminal.

use crate::terminal;
use polywire::redis::{Value, double_text};
use std::fmt::Write;

/// Formats one reply, with a line end.
pub fn print(value: &Value) -> String {
    let mut out = String::new();
    put(&mut out, value, 0);
    out
}

/// Appends a value in printed form. `indent`: columns to the left of items after the first.
fn put(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Null | Value::NullArray => out.push_str("(nil)\n"),
        Value::Simple(text) | Value::BigNumber(text) => line(out, "", text),
        Value::Error(text) | Value::BulkError(text) => line(out, "(error) ", text),
        Value::Integer(number) => {
            let _ = writeln!(out, "(integer) {number}"); // writing to a String does not fail
        }
        Value::Double(number) => {
            let _ = writeln!(out, "(double) {}", double_text(*number)); // as above
        }
        Value::Boolean(truth) => out.push_str(if *truth { "(true)\n" } else { "(false)\n" }),
        Value::Bulk(bytes) => {
            quote(out, bytes);
            out.push('\n');
        }
        Value::Verbatim(verbatim) => line(out, "", &verbatim.text),
        Value::Array(items) | Value::Push(items) => list(out, items, ')', "(empty array)\n", indent),
        Value::Set(items) => list(out, items, '~', "(empty set)\n", indent),
        Value::Map(pairs) => map(out, pairs, indent),
        Value::Attributed(attributed) => put(out, &attributed.value, indent),
    }
}

fn line(out: &mut String, kind: &str, text: &[u8]) {
    out.push_str(kind);
    out.push_str(&terminal::lines(&String::from_utf8_lossy(text)));
    out.push('\n');
}

/// Appends a text in quotes; characters that are not printable ASCII are escaped.
fn quote(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => out.extend(['\\', byte as char]),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x07 => out.push_str("\\a"),
            0x08 => out.push_str("\\b"),
            0x20..0x7f => out.push(byte as char),
            _ => {
                let _ = write!(out, "\\x{byte:02x}"); // writing to a String does not fail
            }
        }
    }
    out.push('"');
}

fn list(out: &mut String, items: &[Value], mark: char, empty: &str, indent: usize) {
    if items.is_empty() {
        out.push_str(empty);
    }
    let width = items.len().to_string().len();
    for (index, item) in items.iter().enumerate() {
        number(out, index, width, mark, indent);
        put(out, item, indent + width + 2);
    }
}

fn map(out: &mut String, pairs: &[(Value, Value)], indent: usize) {
    if pairs.is_empty() {
        out.push_str("(empty hash)\n");
    }
    let width = pairs.len().to_string().len();
    for (index, (key, value)) in pairs.iter().enumerate() {
        number(out, index, width, '#', indent);
        put(out, key, indent + width + 2);
        out.pop(); // the key's line end
        out.push_str(" => ");
        put(out, value, indent + width + 2);
    }
}

fn number(out: &mut String, index: usize, width: usize, mark: char, indent: usize) {
    if index > 0 {
        out.extend(std::iter::repeat_n(' ', indent));
    }
    let _ = write!(out, "{:>width$}{mark} ", index + 1); // writing to a String does not fail
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(wire: &'static [u8]) -> String {
        print(&Value::parse(wire.into()).unwrap())
    }

    #[test]
    fn scalars_look_as_in_redis_cli() {
        for (wire, text) in [
            (&b"+OK\r\n"[..], "OK\n"),
            (b"-ERR no\r\n", "(error) ERR no\n"),
            (b":7\r\n", "(integer) 7\n"),
            (b"$-1\r\n", "(nil)\n"),
            (b"$5\r\na\"\n\xff\0\r\n", "\"a\\\"\\n\\xff\\x00\"\n"),
            (b",1.5\r\n", "(double) 1.5\n"),
            (b"#t\r\n", "(true)\n"),
            (b"=8\r\ntxt:a\r\nb\r\n", "a\r\nb\n"),
        ] {
            assert_eq!(printed(wire), text);
        }
    }

    #[test]
    fn lists_are_numbered_and_nested_ones_indented() {
        assert_eq!(printed(b"*0\r\n"), "(empty array)\n");
        assert_eq!(
            printed(b"*2\r\n$1\r\na\r\n*2\r\n:1\r\n:2\r\n"),
            "1) \"a\"\n2) 1) (integer) 1\n   2) (integer) 2\n"
        );
        assert_eq!(
            printed(b"%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n"),
            "1# a => (integer) 1\n2# b => 1) (integer) 2\n"
        );
    }
}
