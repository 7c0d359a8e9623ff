//! Whether first bytes are an HTTP/1 request.
//!
//! Source: docs/wire/http.md section 7. A request line ends in ` HTTP/` and any version; other lines belong
//!         to other protocols, such as the inline `GET key` of Redis. Once the line is recognised as HTTP,
//!         errors in it are answered by this protocol.

use super::{
    fields::is_token,
    h1::{MAX_BLANK_LINES, MAX_START_LINE},
};
use polywire_wire::Sniff;

/// Methods of RFC 9110, PATCH, WebDAV and the others that brpc's parser knows. `PRI` is not among them: it is
/// HTTP/2.
const METHODS: [&[u8]; 27] = [
    b"GET",
    b"POST",
    b"PUT",
    b"HEAD",
    b"DELETE",
    b"OPTIONS",
    b"PATCH",
    b"TRACE",
    b"CONNECT",
    b"COPY",
    b"LOCK",
    b"MKCOL",
    b"MOVE",
    b"PROPFIND",
    b"PROPPATCH",
    b"SEARCH",
    b"UNLOCK",
    b"REPORT",
    b"MKACTIVITY",
    b"CHECKOUT",
    b"MERGE",
    b"M-SEARCH",
    b"NOTIFY",
    b"SUBSCRIBE",
    b"UNSUBSCRIBE",
    b"PURGE",
    b"MKCALENDAR",
];

/// Longest method that is not listed. Registered ones have 17 bytes at most; a protocol that is not text
/// (nshead decides at 28 bytes) is not kept waiting.
const LONGEST_UNLISTED: usize = 20;

/// Undecided while the bytes may be the beginning of `method SP`, and then until the end of the line. The
/// method is a listed one, or is followed by a target of a form that only HTTP has, since other protocols may
/// begin with any word. A decision on some bytes holds for all inputs that begin with them, however they are
/// split.
pub(super) fn sniff(mut bytes: &[u8]) -> Sniff {
    for _ in 0..MAX_BLANK_LINES {
        bytes = bytes.strip_prefix(b"\r\n").unwrap_or(bytes);
    }
    if bytes == b"\r" {
        return Sniff::NeedMore(1);
    }
    let word = bytes.iter().position(|&b| b == b' ').unwrap_or(bytes.len());
    let listed = METHODS.iter().any(|m| match bytes.get(word) {
        Some(_) => *m == &bytes[..word],
        None => m.starts_with(bytes),
    });
    if !listed && !may_be_other_method(bytes, word) {
        return Sniff::NotMine;
    }
    let seen = &bytes[..bytes.len().min(MAX_START_LINE)];
    match seen.iter().position(|&b| b == b'\n') {
        Some(end) => of_line(&bytes[..end]),
        // Too long for any other protocol that begins like this; the machine reports that it is too long.
        None if bytes.len() > MAX_START_LINE => Sniff::Mine,
        None => Sniff::NeedMore(1),
    }
}

/// Whether the bytes are `method SP` with a method that is not listed (`word` bytes) and a target of a form
/// that only HTTP has, or the beginning of that.
fn may_be_other_method(bytes: &[u8], word: usize) -> bool {
    let (method, rest) = bytes.split_at(word);
    // Arrays of Redis begin with `*` and a number, which are characters of a token as well.
    let begins = method.first().is_some_and(u8::is_ascii_alphabetic);
    if !begins || word > LONGEST_UNLISTED || !is_token(method) {
        return false;
    }
    let [_, target @ ..] = rest else { return true };
    let line = &target[..target.iter().position(|&b| b == b'\n').unwrap_or(target.len())];
    method != b"PRI" // HTTP/2
        && matches!(target, [] | [b'/' | b'*', ..])
        && line.trim_ascii_end().iter().all(|&b| b == b' ' || b.is_ascii_graphic())
}

/// Whether the last of at least three words is `HTTP/` and some version, in any case.
fn of_line(line: &[u8]) -> Sniff {
    let mut words = line.trim_ascii_end().rsplit(|&b| b == b' ');
    let version = words.next().and_then(|word| word.split_at_checked(b"HTTP/".len()));
    let is_version = version.is_some_and(|(name, number)| {
        name.eq_ignore_ascii_case(b"HTTP/")
            && !number.is_empty()
            && number.iter().all(|b| b.is_ascii_digit() || *b == b'.')
    });
    if is_version && words.count() >= 2 { Sniff::Mine } else { Sniff::NotMine }
}
