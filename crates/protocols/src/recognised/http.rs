//! HTTP/1. Decided by a start line: a known method, a space, and ` HTTP/1.` with one digit at the end. Without that end it
//! may be a line of Redis (`GET x`).
//!
//! Source: docs/wire/http.md, section 7

use super::{EXCLUSIVE, recognised};
use polywire_wire::{Protocol, Sniff};

/// A start line is shorter than this, in bytes.
const LONGEST_LINE: usize = 64 << 10;

/// The methods of RFC 9110 and PATCH, then those of WebDAV and its kin that brpc's parser knows.
const METHODS: &[&str] = &[
    "GET",
    "POST",
    "PUT",
    "HEAD",
    "DELETE",
    "OPTIONS",
    "PATCH",
    "TRACE",
    "CONNECT", // RFC 9110, RFC 5789
    "COPY",
    "LOCK",
    "MKCOL",
    "MOVE",
    "PROPFIND",
    "PROPPATCH",
    "UNLOCK", // RFC 4918
    "REPORT",
    "MKACTIVITY",
    "CHECKOUT",
    "MERGE",
    "M-SEARCH",
    "NOTIFY",
    "SUBSCRIBE",
    "UNSUBSCRIBE",
];

pub(crate) static PROTOCOL: Protocol = recognised("http", sniff, false, EXCLUSIVE);

fn sniff(bytes: &[u8]) -> Sniff {
    let word = bytes.split(|&byte| byte == b' ').next().unwrap_or(&[]);
    let known = if word.len() < bytes.len() {
        METHODS.iter().any(|method| method.as_bytes() == word)
    } else {
        METHODS.iter().any(|method| method.as_bytes().starts_with(word))
    };
    if !known {
        return Sniff::NotMine;
    }
    let seen = &bytes[..bytes.len().min(LONGEST_LINE)];
    match seen.iter().position(|&byte| byte == b'\n') {
        Some(end) if ends_as_http(&seen[..end]) => Sniff::Mine,
        Some(_) => Sniff::NotMine,
        None if seen.len() == LONGEST_LINE => Sniff::NotMine,
        None => Sniff::NeedMore(1),
    }
}

fn ends_as_http(line: &[u8]) -> bool {
    matches!(line, [.., b' ', b'H', b'T', b'T', b'P', b'/', b'1', b'.', b'0'..=b'9', b'\r'])
}
