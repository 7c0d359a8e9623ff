//! Fields of the application on the wire: which names this side writes itself, and which values would break a
//! message.
//!
//! Source: docs/wire/http.md section 6; RFC 9110 5.1, 5.5, 7.6.1.

use polywire_call::Metadata;
use std::borrow::Cow;

/// Names that this side writes itself, or that concern one connection only. They are removed from the fields
/// of the application, so that a proxy may pass on all fields that it received.
pub(crate) fn is_ours(name: &str) -> bool {
    const OURS: [&str; 11] = [
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ];
    name.starts_with(':') || OURS.iter().any(|o| o.eq_ignore_ascii_case(name))
}

/// The first field that would break the message, if there is one. "Header values we send: refuse CR, LF,
/// NUL."
pub(crate) fn unsendable(fields: &Metadata) -> Option<&str> {
    let bad = |name: &str, value: &[u8]| {
        let name = name.strip_prefix(':').unwrap_or(name);
        !is_token(name.as_bytes()) || !value.iter().all(|&b| is_value_byte(b))
    };
    fields.iter().find(|(name, value)| bad(name, value)).map(|(name, _)| name)
}

/// Whether the bytes are a token. RFC 9110 5.6.2: at least one byte, all of them `tchar`.
pub(crate) fn is_token(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(|&b| is_token_byte(b))
}

#[inline]
pub(crate) fn is_token_byte(byte: u8) -> bool {
    TOKEN[byte as usize]
}

/// Whether a field's value may contain the byte. RFC 9110 5.5: visible bytes, space, tab and bytes above
/// ASCII.
#[inline]
pub(crate) fn is_value_byte(byte: u8) -> bool {
    byte >= 0x20 && byte != 0x7f || byte == b'\t'
}

/// Whether a value is `uri-host [":" port]` of RFC 3986, which may be empty.
#[inline]
pub(crate) fn is_host(value: &[u8]) -> bool {
    let port = match value {
        [b'[', rest @ ..] => {
            let Some(end) = rest.iter().position(|&b| b == b']') else { return false };
            let (inside, after) = (&rest[..end], &rest[end + 1..]);
            if inside.is_empty() || !inside.iter().all(|b| b.is_ascii_hexdigit() || matches!(b, b':' | b'.'))
            {
                return false;
            }
            after
        }
        _ => &value[value.iter().position(|&b| !is_host_byte(b)).unwrap_or(value.len())..],
    };
    match port {
        [] => true,
        [b':', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// An authority without the zone of an IPv6 address, which has a meaning on this machine only. "An HTTP
/// client, proxy, or other intermediary MUST remove any ZoneID attached to an outgoing URI" (RFC 6874 4).
pub(crate) fn without_zone(authority: &str) -> Cow<'_, str> {
    let v6 = authority.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match v6.and_then(|(host, port)| Some((host.split_once('%')?.0, port))) {
        Some((host, port)) => format!("[{host}]{port}").into(),
        None => authority.into(),
    }
}

#[inline]
pub(crate) fn is_host_byte(byte: u8) -> bool {
    HOST[byte as usize]
}

/// `unreserved`, `sub-delims` and the `%` of `pct-encoded`.
static HOST: [bool; 256] = alphanumeric_and(b"-._~%!$&'()*+,;=");

static TOKEN: [bool; 256] = alphanumeric_and(b"!#$%&'*+-.^_`|~");

/// A table of letters, digits and the given characters.
pub(crate) const fn alphanumeric_and(others: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let mut i = 0;
    while i < others.len() {
        table[others[i] as usize] = true;
        i += 1;
    }
    table
}
