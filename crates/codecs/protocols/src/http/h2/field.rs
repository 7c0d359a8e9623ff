//! The fields that HTTP/2 allows, and those that polywire itself reads.
//!
//! Each field is checked once: entries of the decoder's table keep the result.
//!
//! Source: docs/wire/grpc.md section 1 ("Header rules"); RFC 9113 8.2, 8.3

use super::hpack::Judge;
use crate::http::{
    fields::{alphanumeric_and, is_host, is_host_byte, is_token, is_value_byte},
    framing::Known,
};

/// The meaning of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Field {
    Method,
    Path,
    Scheme,
    Authority,
    /// An authority that is the path of a Unix socket.
    SocketPath,
    /// `:protocol`, RFC 8441 4.
    Protocol,
    Status(u16),
    Host,
    ContentLength,
    Known(Known),
    /// A field of the application.
    Other,
    /// A field that no message may have.
    Malformed,
}

impl Judge for Field {
    type Note = Field;

    fn field(name: &[u8], value: &[u8]) -> Field {
        judge(name, value)
    }

    /// An entry of RFC 7541 appendix A with its value; the other entries have a name only.
    #[inline]
    fn entry(index: usize, name: &[u8], value: &[u8]) -> Field {
        match index {
            2 | 3 => Field::Method,
            4 | 5 => Field::Path,
            6 | 7 => Field::Scheme,
            8 => Field::Status(200),
            _ => judge(name, value),
        }
    }
}

/// Judges a field alone; `head.rs` checks the order and number of fields.
pub(super) fn judge(name: &[u8], value: &[u8]) -> Field {
    if name.first() == Some(&b':') {
        return pseudo(name, value);
    }
    // 8.2.1: "A field name MUST NOT contain characters in the ranges 0x00-0x20, 0x41-0x5a, or 0x7f-0xff",
    // "MUST NOT start or end with an ASCII whitespace character"
    let blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    if name.is_empty()
        || !name.iter().all(|&b| LOWER_TOKEN[b as usize])
        || !value.iter().all(|&b| is_value_byte(b))
        || blank(value.first())
        || blank(value.last())
    {
        return Field::Malformed;
    }
    match name {
        // 8.2.2: "MUST NOT contain connection-specific header fields"; TE "MUST NOT contain any value other
        // than trailers"
        b"connection" | b"keep-alive" | b"proxy-connection" | b"transfer-encoding" | b"upgrade" => {
            Field::Malformed
        }
        b"te" if !value.eq_ignore_ascii_case(b"trailers") => Field::Malformed,
        b"host" if !is_host(value) => Field::Malformed,
        b"host" => Field::Host,
        b"content-length" => Field::ContentLength,
        _ => Known::of_lower(name).map_or(Field::Other, Field::Known),
    }
}

/// RFC 9113 8.3.1, 8.3.2
fn pseudo(name: &[u8], value: &[u8]) -> Field {
    match name {
        b":method" if is_token(value) => Field::Method,
        b":path" if !value.is_empty() && value.iter().all(|b| b.is_ascii_graphic()) => Field::Path,
        b":scheme" if is_scheme(value) => Field::Scheme,
        // "MUST NOT include the deprecated userinfo": no `@` in a host
        b":authority" if is_host(value) => Field::Authority,
        b":authority" if is_socket_path(value) => Field::SocketPath,
        b":protocol" if is_token(value) => Field::Protocol,
        b":status" => status(value).map_or(Field::Malformed, Field::Status),
        _ => Field::Malformed,
    }
}

/// Clients of gRPC over Unix sockets send the socket's path in `:authority`, which RFC 9113 8.3.1 does not
/// allow.
#[cold]
fn is_socket_path(value: &[u8]) -> bool {
    value.contains(&b'/')
        && value.split(|&byte| byte == b'/').all(|part| part.iter().all(|&b| is_host_byte(b)))
}

fn is_scheme(value: &[u8]) -> bool {
    let rest = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    value.first().is_some_and(u8::is_ascii_alphabetic) && value.iter().all(rest)
}

fn status(value: &[u8]) -> Option<u16> {
    let [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] = value else { return None };
    let digit = |byte: &u8| u16::from(byte - b'0');
    Some(digit(a) * 100 + digit(b) * 10 + digit(c))
}

/// `tchar` without upper case.
static LOWER_TOKEN: [bool; 256] = lower_token();

const fn lower_token() -> [bool; 256] {
    let mut table = alphanumeric_and(b"!#$%&'*+-.^_`|~");
    let mut byte = b'A';
    while byte <= b'Z' {
        table[byte as usize] = false;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_against_the_rules_are_malformed() {
        for (name, value) in [
            ("", "x"),
            ("Content-Type", "a/b"),
            ("a b", "x"),
            ("a:", "x"),
            ("\u{e9}", "x"),
            ("a", "x\r\nb: y"),
            ("a", "x\0"),
            ("a", " x"),
            ("a", "x\t"),
            ("connection", "close"),
            ("keep-alive", "5"),
            ("proxy-connection", "keep-alive"),
            ("transfer-encoding", "chunked"),
            ("upgrade", "h2c"),
            ("te", "trailers, gzip"),
            ("te", "gzip"),
            ("host", "a b"),
            (":method", "a b"),
            (":method", ""),
            (":path", ""),
            (":path", "/a b"),
            (":scheme", ""),
            (":scheme", "1"),
            (":authority", "user@host"),
            (":authority", "user@host/path"),
            (":authority", "http://host/path"),
            (":authority", "/run/a b"),
            ("host", "/run/x.sock"),
            (":status", "20"),
            (":status", "2000"),
            (":status", "abc"),
            (":status", "+20"),
            (":test", "x"),
            (":", "x"),
        ] {
            assert_eq!(judge(name.as_bytes(), value.as_bytes()), Field::Malformed, "{name}: {value}");
        }
    }

    #[test]
    fn entries_are_judged_as_their_fields() {
        for (index, name, value) in [
            (1, ":authority", ""),
            (2, ":method", "GET"),
            (3, ":method", "POST"),
            (4, ":path", "/"),
            (5, ":path", "/index.html"),
            (6, ":scheme", "http"),
            (7, ":scheme", "https"),
            (8, ":status", "200"),
            (9, ":status", "204"),
            (31, "content-type", ""),
        ] {
            let (name, value) = (name.as_bytes(), value.as_bytes());
            assert_eq!(Field::entry(index, name, value), judge(name, value), "{index}");
        }
    }

    #[test]
    fn fields_within_the_rules_are_told_apart() {
        for (name, value, field) in [
            (":method", "POST", Field::Method),
            (":path", "/a?b", Field::Path),
            (":path", "*", Field::Path),
            (":scheme", "https", Field::Scheme),
            (":authority", "[::1]:80", Field::Authority),
            (":authority", "/run/x.sock", Field::SocketPath),
            (":authority", "run/x.sock", Field::SocketPath),
            (":authority", "%2Frun%2Fx.sock", Field::Authority),
            (":status", "200", Field::Status(200)),
            ("te", "trailers", Field::Other),
            ("host", "example.com", Field::Host),
            ("content-length", "1", Field::ContentLength),
            ("content-type", "a/b", Field::Known(Known::ContentType)),
            ("x", "", Field::Other),
            ("x-\u{7e}", "\u{e9}", Field::Other),
        ] {
            assert_eq!(judge(name.as_bytes(), value.as_bytes()), field, "{name}: {value}");
        }
    }
}
