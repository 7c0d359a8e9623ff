//! Whether first bytes are an HTTP/1 request.
//!
//! Source: docs/wire/http.md section 7. A request line ends in ` HTTP/` and a version, whichever; a line that does not is
//! somebody else's, such as the inline `GET key` of Redis. Once the line is HTTP's, mistakes in it are answered, not passed on.

use super::{
    fields::is_token,
    h1::{MAX_BLANK_LINES, MAX_START_LINE},
};
use polywire_wire::Sniff;

/// Methods of RFC 9110, PATCH, WebDAV and the others that brpc's parser knows. `PRI` is not among them: it is HTTP/2.
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

/// Undecided while the bytes are a prefix of `method SP`, then until the end of the line. A method that is not listed is known
/// from `method SP /` on only: before that it may be anybody's word, and a client that sends so few bytes alone is sent away.
pub(super) fn sniff(mut bytes: &[u8]) -> Sniff {
    for _ in 0..MAX_BLANK_LINES {
        bytes = bytes.strip_prefix(b"\r\n").unwrap_or(bytes);
    }
    if bytes == b"\r" {
        return Sniff::NeedMore(1);
    }
    let word = bytes.iter().position(|&b| b == b' ').unwrap_or(bytes.len());
    let known = METHODS.iter().any(|m| match bytes.get(word) {
        Some(_) => *m == &bytes[..word],
        None => m.starts_with(bytes),
    });
    if !known && !begins_unlisted(bytes, word) {
        return Sniff::NotMine;
    }
    let seen = &bytes[..bytes.len().min(MAX_START_LINE)];
    match seen.iter().position(|&b| b == b'\n') {
        Some(end) => of_line(&bytes[..end]),
        // Too long for anything else that begins so; the machine says that it is too long for us.
        None if bytes.len() > MAX_START_LINE => Sniff::Mine,
        None => Sniff::NeedMore(1),
    }
}

/// `method SP` of a method that is not listed (`word` bytes), and a target as only HTTP has it.
fn begins_unlisted(bytes: &[u8], word: usize) -> bool {
    let line = &bytes[..bytes.iter().position(|&b| b == b'\n').unwrap_or(bytes.len())];
    let target = matches!(bytes.get(word + 1), Some(b'/' | b'*'));
    target
        && &bytes[..word] != b"PRI" // HTTP/2
        && is_token(&bytes[..word])
        && line.trim_ascii_end().iter().all(|&b| b == b' ' || b.is_ascii_graphic())
}

/// The last of at least three words is `HTTP/` and something of a version, in whatever case.
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
