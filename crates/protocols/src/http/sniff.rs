//! Whether first bytes are an HTTP/1 request.
//!
//! Source: docs/wire/http.md section 7. A request line ends in ` HTTP/1.`; a line that does not is somebody else's,
//! such as the inline `GET key` of Redis. Once the line is HTTP's, mistakes in it are answered, not passed on.

use super::h1::MAX_START_LINE;
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

/// Undecided while the bytes are a prefix of `method SP`, then until the end of the line.
pub(super) fn sniff(bytes: &[u8]) -> Sniff {
    let bytes = match bytes {
        [b'\r', b'\n', rest @ ..] => rest,
        [b'\r'] => return Sniff::NeedMore(1),
        all => all,
    };
    let word = bytes.iter().position(|&b| b == b' ').unwrap_or(bytes.len());
    let known = METHODS.iter().any(|m| match bytes.get(word) {
        Some(_) => *m == &bytes[..word],
        None => m.starts_with(bytes),
    });
    if !known {
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

fn of_line(line: &[u8]) -> Sniff {
    let line = line.trim_ascii_end();
    match line.len().checked_sub(b" HTTP/1.1".len()).map(|at| &line[at..]) {
        Some([b' ', b'H', b'T', b'T', b'P', b'/', b'1', b'.', _]) => Sniff::Mine,
        _ => Sniff::NotMine,
    }
}
