//! Commands typed by hand: words on a line.
//!
//! ```text
//! SET key "a value"\r\n     words at blanks, LF alone will do
//! "\x41 \n \r \t \b \a \""  escapes between double quotes; any other \c is c
//! 'it\'s'                   only \' between single quotes
//! ```
//!
//! Source: docs/wire/redis.md, section 2; the quoting rules are those of redis-cli and redis-server, where a
//!         closing quote must be followed by a blank or the end.

/// Splits a line into words. `None` if a quote is not closed, or is followed by more of a word.
pub(super) fn words(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (mut words, mut rest) = (Vec::new(), line);
    loop {
        while let [blank, tail @ ..] = rest
            && is_blank(*blank)
        {
            rest = tail;
        }
        if rest.is_empty() {
            return Some(words);
        }
        let mut word = Vec::new();
        rest = take_word(rest, &mut word)?;
        words.push(word);
    }
}

/// Reads one word into `word` and returns the rest.
fn take_word<'a>(mut rest: &'a [u8], word: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        match rest {
            [] => return Some(rest),
            [blank, ..] if is_blank(*blank) => return Some(rest),
            [b'"', tail @ ..] => return closed(double_quoted(tail, word)?),
            [b'\'', tail @ ..] => return closed(single_quoted(tail, word)?),
            [byte, tail @ ..] => {
                word.push(*byte);
                rest = tail;
            }
        }
    }
}

fn double_quoted<'a>(mut rest: &'a [u8], word: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        let (byte, tail) = match rest {
            [b'"', tail @ ..] => return Some(tail),
            [b'\\', b'x', digits @ ..] if hex(digits).is_some() => (hex(digits)?, &digits[2..]),
            [b'\\', escaped, tail @ ..] => (unescaped(*escaped), tail),
            [byte, tail @ ..] => (*byte, tail),
            [] => return None,
        };
        word.push(byte);
        rest = tail;
    }
}

fn single_quoted<'a>(mut rest: &'a [u8], word: &mut Vec<u8>) -> Option<&'a [u8]> {
    loop {
        let (byte, tail) = match rest {
            [b'\'', tail @ ..] => return Some(tail),
            [b'\\', b'\'', tail @ ..] => (b'\'', tail),
            [byte, tail @ ..] => (*byte, tail),
            [] => return None,
        };
        word.push(byte);
        rest = tail;
    }
}

/// The bytes after a closing quote; `None` if they may not follow it.
fn closed(rest: &[u8]) -> Option<&[u8]> {
    rest.first().is_none_or(|next| is_blank(*next)).then_some(rest)
}

fn hex(digits: &[u8]) -> Option<u8> {
    let [high, low, ..] = digits else { return None };
    let digit = |b: u8| char::from(b).to_digit(16);
    Some((digit(*high)? * 16 + digit(*low)?) as u8)
}

fn unescaped(byte: u8) -> u8 {
    match byte {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'a' => 7,
        other => other,
    }
}

/// Whether a byte separates words: C's `isspace`, and NUL.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn splits(line: &str, expected: &[&str]) {
        let expected = expected.iter().map(|word| word.as_bytes().to_vec()).collect();
        assert_eq!(words(line.as_bytes()), Some(expected), "{line}");
    }

    #[test]
    fn words_are_split_and_unquoted() {
        splits("", &[]);
        splits("  \t ", &[]);
        splits("PING", &["PING"]);
        splits(" SET  k\tv ", &["SET", "k", "v"]);
        splits(r#"SET k "a b\x41\n\"\q\\""#, &["SET", "k", "a bA\n\"q\\"]);
        splits(r"ECHO 'a\'b\n'", &["ECHO", r"a'b\n"]);
        splits(r#"ECHO """#, &["ECHO", ""]);
        splits(r#"ECHO a"b c""#, &["ECHO", "ab c"]);
        splits(r#"ECHO "\xg1\x4""#, &["ECHO", "xg1x4"]);
    }

    #[test]
    fn quotes_must_close_at_the_end_of_a_word() {
        for line in [r#"ECHO "a"#, r#"ECHO "a"b"#, "ECHO 'a", "ECHO 'a'b", r#"ECHO "a\"#, r#"ECHO "a\""#] {
            assert_eq!(words(line.as_bytes()), None, "{line}");
        }
    }
}
