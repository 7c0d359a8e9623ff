//! Patterns of KEYS, SCAN and CONFIG GET: `*`, `?`, `[abc]`, `[^a-z]`, and `\\` before a character to take it
//! literally.
//!
//! ```text
//!  user:*[0-9]   prefix "user:", then elements:  [0-9]
//!                positions matched so far:      0     1      one bit each; position 0 has a star: it may stay
//! ```
//!
//! A pattern is compiled into a table once. A text is then read once from its beginning to its end, with all
//! possible positions in the pattern as bits: a byte advances every position whose element accepts it, and
//! leaves those with a star where they are. So a match takes one step for each byte and for each 64 elements,
//! whatever the pattern is. Backtracking over the lengths of a star, as redis-server does, takes time that
//! grows with the product of both lengths, or worse (CVE-2022-36021, CVE-2024-31228).
//!
//! Limits: [`MAX_PATTERN`] bytes; the steps of a command are bounded by [`Steps`].

/// Maximum length of a pattern in bytes.
pub(super) const MAX_PATTERN: usize = 1024;
pub(super) const TOO_LONG: &str = "ERR pattern is too long";
pub(super) const TOO_MANY_STEPS: &str = "ERR matching the pattern takes too long";

/// Number of steps that a command may still use for matching.
pub(super) struct Steps(pub(super) usize);

/// A compiled pattern.
pub(super) struct Pattern {
    /// The literal prefix of every text that matches.
    prefix: Vec<u8>,
    /// Number of 64-bit words for the positions after the prefix.
    words: usize,
    /// For each byte value, `words` words with the positions whose element accepts it.
    takes: Vec<u64>,
    /// Positions that are preceded by a star.
    stars: Vec<u64>,
    /// The last position, at which the whole pattern has matched.
    end: usize,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// The pattern is longer than [`MAX_PATTERN`].
    pub(super) fn new(source: &[u8]) -> Result<Self, &'static str> {
        if source.len() > MAX_PATTERN {
            return Err(TOO_LONG);
        }
        let mut rest = source;
        let mut prefix = Vec::new();
        while let Some((Element::Byte(byte), behind)) = element(rest) {
            prefix.push(byte);
            rest = behind;
        }
        let mut elements = Vec::new();
        let mut stars = Vec::new();
        while let Some((element, behind)) = element(rest) {
            match element {
                Element::Star => stars.push(elements.len()),
                Element::Byte(_) | Element::Any | Element::Class(_) => elements.push(element),
            }
            rest = behind;
        }
        let (end, words) = (elements.len(), elements.len() / 64 + 1);
        let mut pattern = Pattern { prefix, words, takes: vec![0; 256 * words], stars: vec![0; words], end };
        stars.iter().for_each(|at| pattern.stars[at / 64] |= 1 << (at % 64));
        for (at, element) in elements.iter().enumerate() {
            let mut take = |byte: u8| pattern.takes[usize::from(byte) * words + at / 64] |= 1 << (at % 64);
            match element {
                Element::Byte(byte) => take(*byte),
                Element::Any => (0..=255).for_each(take),
                Element::Class(class) => (0..=255).filter(|byte| class.has(*byte)).for_each(take),
                Element::Star => {}
            }
        }
        Ok(pattern)
    }

    /// Whether the whole of `text` matches.
    ///
    /// # Errors
    /// There are no steps left.
    pub(super) fn fits(&self, text: &[u8], steps: &mut Steps) -> Result<bool, &'static str> {
        let Some(text) = text.strip_prefix(&*self.prefix) else { return Ok(false) };
        if self.end == 0 {
            return Ok(text.is_empty() || self.has_star(0));
        }
        let needed = text.len().saturating_mul(self.words);
        steps.0 = steps.0.checked_sub(needed).ok_or(TOO_MANY_STEPS)?;
        Ok(if self.words == 1 { self.fits_in_one(text) } else { self.fits_in_many(text) })
    }

    fn has_star(&self, position: usize) -> bool {
        self.stars[position / 64] >> (position % 64) & 1 == 1
    }

    fn fits_in_one(&self, text: &[u8]) -> bool {
        let (stars, end) = (self.stars[0], 1 << self.end);
        let mut positions = 1u64;
        for &byte in text {
            positions = (positions & self.takes[usize::from(byte)]) << 1 | positions & stars;
            if positions == 0 || positions & stars & end != 0 {
                break; // no position is left, or all further bytes match
            }
        }
        positions & end != 0
    }

    fn fits_in_many(&self, text: &[u8]) -> bool {
        let mut positions = vec![0u64; self.words];
        positions[0] = 1;
        for &byte in text {
            let takes = &self.takes[usize::from(byte) * self.words..][..self.words];
            let mut carry = 0;
            for ((positions, takes), stars) in positions.iter_mut().zip(takes).zip(&self.stars) {
                let moved = *positions & takes;
                *positions = moved << 1 | carry | *positions & stars;
                carry = moved >> 63;
            }
        }
        positions[self.end / 64] >> (self.end % 64) & 1 == 1
    }
}

/// One piece of a pattern.
enum Element {
    Star,
    Any,
    Byte(u8),
    Class(Class),
}

/// The first element and the rest after it.
fn element(pattern: &[u8]) -> Option<(Element, &[u8])> {
    Some(match pattern {
        [] => return None,
        [b'*', rest @ ..] => (Element::Star, rest),
        [b'?', rest @ ..] => (Element::Any, rest),
        [b'[', rest @ ..] => {
            let (class, rest) = Class::read(rest);
            (Element::Class(class), rest)
        }
        [b'\\', byte, rest @ ..] | [byte, rest @ ..] => (Element::Byte(*byte), rest),
    })
}

/// A character class: the contents of brackets.
struct Class {
    bytes: [u64; 4],
    /// `[^...]`: every other byte.
    inverted: bool,
}

impl Class {
    /// Reads a class after its `[`. A class that is not closed ends with the pattern.
    fn read(mut rest: &[u8]) -> (Class, &[u8]) {
        let mut class = Class { bytes: [0; 4], inverted: false };
        if let [b'^', tail @ ..] = rest {
            class.inverted = true;
            rest = tail;
        }
        loop {
            rest = match rest {
                [] => return (class, rest),
                [b']', tail @ ..] => return (class, tail),
                [b'\\', byte, tail @ ..] => {
                    class.add(*byte);
                    tail
                }
                [a, b'-', b, tail @ ..] => {
                    (*a.min(b)..=*a.max(b)).for_each(|byte| class.add(byte));
                    tail
                }
                [byte, tail @ ..] => {
                    class.add(*byte);
                    tail
                }
            };
        }
    }

    fn add(&mut self, byte: u8) {
        self.bytes[usize::from(byte) / 64] |= 1 << (byte % 64);
    }

    fn has(&self, byte: u8) -> bool {
        (self.bytes[usize::from(byte) / 64] >> (byte % 64) & 1 == 1) != self.inverted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &[u8], text: &[u8]) -> bool {
        let pattern = Pattern::new(pattern).expect("a short pattern");
        pattern.fits(text, &mut Steps(usize::MAX)).expect("steps enough")
    }

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
            ("[a-]", "]", true),
            ("", "", true),
            ("a\\", "a\\", true),
            ("**", "abc", true),
            ("*?", "", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn both_ways_to_match_agree() {
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed as usize % below
        };
        let (mut fitting, mut pattern, mut text) = (0, Vec::new(), Vec::new());
        for _ in 0..20_000 {
            pattern.clear();
            (0..random(9)).for_each(|_| pattern.push(b"**?ab[]^-\\"[random(10)]));
            // Some are long enough for more than one word.
            let long = if random(10) == 0 { 70 } else { 0 };
            pattern.extend((0..long).map(|_| b"?a*"[random(3)]));
            text.clear();
            (0..random(6) + long).for_each(|_| text.push(b"aab]-"[random(5)]));
            let expected = backtracking(&pattern, &text);
            assert_eq!(
                matches(&pattern, &text),
                expected,
                "{} {}",
                pattern.escape_ascii(),
                text.escape_ascii()
            );
            fitting += usize::from(expected);
        }
        assert!(fitting > 1000, "{fitting}");
    }

    #[test]
    fn the_steps_grow_with_the_text_alone() {
        let steps = |pattern: &str, text: usize| {
            let mut steps = Steps(usize::MAX);
            let pattern = Pattern::new(pattern.as_bytes()).expect("a short pattern");
            assert_eq!(pattern.fits("a".repeat(text).as_bytes(), &mut steps), Ok(false));
            usize::MAX - steps.0
        };
        assert_eq!(steps(&("*".to_owned() + &"a".repeat(60) + "b"), 10_000), 10_000);
        assert_eq!(steps(&("*a".repeat(500) + "b"), 10_000), 80_000);
        assert_eq!(steps("user:*", 10_000), 0);
    }

    #[test]
    fn patterns_and_steps_are_bounded() {
        assert!(Pattern::new(&[b'*'; MAX_PATTERN]).is_ok());
        assert!(Pattern::new(&[b'*'; MAX_PATTERN + 1]).is_err());
        let pattern = Pattern::new(b"*b").expect("short");
        let mut steps = Steps(10);
        assert_eq!(pattern.fits(b"aaaaaab", &mut steps), Ok(true));
        assert_eq!(pattern.fits(b"aaaaaab", &mut steps), Err(TOO_MANY_STEPS));
    }

    /// The obvious implementation, for comparison: backtracks to the last star.
    fn backtracking(pattern: &[u8], text: &[u8]) -> bool {
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

    /// The pattern after its first element, if that accepts `byte`.
    fn one(pattern: &[u8], byte: Option<u8>) -> Option<&[u8]> {
        let byte = byte?;
        match pattern {
            [] => None,
            [b'?', rest @ ..] => Some(rest),
            [b'[', rest @ ..] => class(rest, byte),
            [b'\\', literal, rest @ ..] | [literal, rest @ ..] => (*literal == byte).then_some(rest),
        }
    }

    /// The pattern after a class, if the class contains `byte`. A class that is not closed ends with the
    /// pattern.
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
}
