//! Patterns of KEYS and SCAN: `*`, `?`, `[abc]`, `[^a-z]`, `\` before a character to take it as it is.

/// Whether the whole of `text` fits `pattern`. Takes time proportional to the product of their lengths at most: of all
/// stars passed, only the last is ever tried again.
pub(super) fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut pattern, mut text) = (pattern, text);
    let mut retry: Option<(&[u8], &[u8])> = None;
    loop {
        if let [b'*', rest @ ..] = pattern {
            retry = Some((rest, text));
            pattern = rest;
            continue;
        }
        match (text.split_first(), one(pattern, text.first().copied())) {
            (None, _) if pattern.is_empty() => return true,
            (Some((_, rest)), Some(behind)) => (pattern, text) = (behind, rest),
            _ => match retry {
                Some((behind_star, [_, rest @ ..])) => {
                    retry = Some((behind_star, rest));
                    (pattern, text) = (behind_star, rest);
                }
                Some((_, [])) | None => return false,
            },
        }
    }
}

/// The pattern behind its first element, if that fits `byte`.
fn one(pattern: &[u8], byte: Option<u8>) -> Option<&[u8]> {
    let byte = byte?;
    match pattern {
        [] => None,
        [b'?', rest @ ..] => Some(rest),
        [b'[', rest @ ..] => class(rest, byte),
        [b'\\', literal, rest @ ..] | [literal, rest @ ..] => (*literal == byte).then_some(rest),
    }
}

/// The pattern behind a class, if the class has `byte`. One that is not closed ends with the pattern.
fn class(mut rest: &[u8], byte: u8) -> Option<&[u8]> {
    let mut fits = false;
    let wanted = match rest {
        [b'^', tail @ ..] => {
            rest = tail;
            false
        }
        _ => true,
    };
    loop {
        rest = match rest {
            [] => return (fits == wanted).then_some(rest),
            [b']', tail @ ..] => return (fits == wanted).then_some(tail),
            [b'\\', literal, tail @ ..] => {
                fits |= *literal == byte;
                tail
            }
            [a, b'-', b, tail @ ..] => {
                fits |= (*a.min(b)..=*a.max(b)).contains(&byte);
                tail
            }
            [literal, tail @ ..] => {
                fits |= *literal == byte;
                tail
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_are_those_of_redis() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("a*c", "abbc", true),
            ("a*c", "abbd", false),
            ("h?llo", "hello", true),
            ("h?llo", "hllo", false),
            ("h[ae]llo", "hallo", true),
            ("h[^e]llo", "hello", false),
            ("h[a-c]llo", "hbllo", true),
            ("h[c-a]llo", "hbllo", true),
            (r"h\*llo", "h*llo", true),
            (r"h\*llo", "hello", false),
            (r"[\]]", "]", true),
            ("[abc", "c", true),
            ("*a*b*c*", "xxaxxbxxcxx", true),
            ("*:1", "key:11", false),
            ("key:*[0-9]", "key:x7", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn many_stars_take_no_long_time() {
        let pattern = "a*".repeat(1000) + "b";
        assert!(!matches(pattern.as_bytes(), "a".repeat(10_000).as_bytes()));
    }
}
