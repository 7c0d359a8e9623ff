//! Decides whether the first bytes of a connection are Redis.
//!
//! Source: docs/wire/redis.md, section 4. `*` and a number begin an array. A line that begins with a letter,
//!         a blank or a quote may be an inline command, but also an HTTP request or the magic of another
//!         protocol. Those protocols are tried first, and this one waits for the end of the line. Control
//!         characters that no keyboard sends exclude binary headers that begin with a letter. Leading empty
//!         lines have no meaning, as in HTTP; what follows them decides.

use polywire_wire::Sniff;

/// Most bytes of empty lines before the first command.
const MAX_EMPTY: usize = 64;
/// Length of the longest first line, in bytes.
pub(super) const MAX_LINE: usize = 64 << 10;

pub(super) fn sniff(bytes: &[u8]) -> Sniff {
    match bytes {
        [] | [b'*'] | [b'*', b'-'] | [b'\r'] => Sniff::NeedMore(1),
        [b'*', b'0'..=b'9', ..] | [b'*', b'-', b'0'..=b'9', ..] => Sniff::Mine,
        [b'\n', ..] | [b'\r', b'\n', ..] => {
            let lines = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            if lines > MAX_EMPTY { Sniff::NotMine } else { sniff(&bytes[lines..]) }
        }
        [first, ..] if first.is_ascii_alphabetic() || b" \t\"'".contains(first) => sniff_line(bytes),
        _ => Sniff::NotMine,
    }
}

fn sniff_line(bytes: &[u8]) -> Sniff {
    let seen = &bytes[..bytes.len().min(MAX_LINE + 1)];
    let (line, ended) = match memchr::memchr(b'\n', seen) {
        Some(end) => (&seen[..end], true),
        None => (seen, false),
    };
    let text = line.strip_suffix(b"\r").unwrap_or(line);
    match ended {
        _ if text.iter().any(|&b| matches!(b, 0..9 | 11..32 | 127)) => Sniff::NotMine,
        true if is_http(text) => Sniff::NotMine,
        true => Sniff::Mine,
        false if seen.len() > MAX_LINE => Sniff::NotMine,
        false => Sniff::NeedMore(1),
    }
}

/// Whether the line is a request line of HTTP/1, or the first line of the HTTP/2 preface.
fn is_http(line: &[u8]) -> bool {
    matches!(line, [.., b' ', b'H', b'T', b'T', b'P', b'/', major, b'.', minor]
        if major.is_ascii_digit() && minor.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_ours_at_the_second_byte() {
        assert_eq!(sniff(b""), Sniff::NeedMore(1));
        assert_eq!(sniff(b"*"), Sniff::NeedMore(1));
        assert_eq!(sniff(b"*2"), Sniff::Mine);
        assert_eq!(sniff(b"*x"), Sniff::NotMine);
        assert_eq!(sniff(b"*-"), Sniff::NeedMore(1));
        assert_eq!(sniff(b"*-x"), Sniff::NotMine);
        assert_eq!(sniff(b"*-1\r\n"), Sniff::Mine);
        assert_eq!(sniff(b"*-10\r\n"), Sniff::Mine);
    }

    #[test]
    fn empty_lines_blanks_and_quotes_may_come_first() {
        for begin in ["\r\n", "\n", "\r", "\r\n\n\r\n", " ", "\t", "\"", "'", "\r\nPING"] {
            assert_eq!(sniff(begin.as_bytes()), Sniff::NeedMore(1), "{begin:?}");
        }
        for line in ["\r\nPING\r\n", "\n*1", " PING\n", "\tPING\r\n", "\"PING\"\r\n", "'PING'\n", "\r\n*-1"] {
            assert_eq!(sniff(line.as_bytes()), Sniff::Mine, "{line:?}");
        }
        for other in ["\r\nGET / HTTP/1.1\r\n", "\rPING\r\n", "\r\n\0", "\n$3", " \0"] {
            assert_eq!(sniff(other.as_bytes()), Sniff::NotMine, "{other:?}");
        }
        assert_eq!(sniff(&[b'\n'; MAX_EMPTY + 1]), Sniff::NotMine);
    }

    #[test]
    fn lines_are_ours_at_their_end_unless_they_are_http() {
        let ping = b"PING\r\n";
        for end in 1..5 {
            assert_eq!(sniff(&ping[..end]), Sniff::NeedMore(1));
        }
        assert_eq!(sniff(b"PING\r"), Sniff::NeedMore(1));
        for line in
            [&b"PING\r\n"[..], b"PING\n", b"get key\r\n", b"SET k \"\xc3\xa4\tb\"\r\n", b"GET /x HTTP/1\r\n"]
        {
            assert_eq!(sniff(line), Sniff::Mine, "{}", line.escape_ascii());
        }
        for line in [&b"GET / HTTP/1.1\r\n"[..], b"POST /a/b HTTP/1.0\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
        {
            assert_eq!(sniff(line), Sniff::NotMine);
        }
    }

    #[test]
    fn binary_headers_are_refused_at_their_first_control_character() {
        assert_eq!(sniff(b"PRPC"), Sniff::NeedMore(1));
        assert_eq!(sniff(b"PRPC\0"), Sniff::NotMine);
        assert_eq!(sniff(b"\x16\x03\x01"), Sniff::NotMine);
        assert_eq!(sniff(b"'\x00"), Sniff::NotMine);
        assert_eq!(sniff(b"\xff\0"), Sniff::NotMine);
        assert_eq!(sniff(b"A\rB"), Sniff::NotMine);
        assert_eq!(sniff(b"A\x7fB"), Sniff::NotMine);
    }

    #[test]
    fn a_line_that_never_ends_is_refused() {
        let long = vec![b'a'; MAX_LINE];
        assert_eq!(sniff(&long), Sniff::NeedMore(1));
        assert_eq!(sniff(&[&long[..], b"a"].concat()), Sniff::NotMine);
        assert_eq!(sniff(&[&long[..], b"\n"].concat()), Sniff::Mine);
    }
}
