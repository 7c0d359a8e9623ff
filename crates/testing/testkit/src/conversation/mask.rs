//! Masks for parts that may differ from run to run, and the comparison of bytes with recorded ones.

/// A rule for bytes that may differ.
#[derive(Clone, Debug)]
pub(super) enum Mask {
    /// The bytes between these two texts.
    Between { before: Vec<u8>, after: Vec<u8>, any_case: bool },
    /// These bytes of every turn with this number of a side, from 0; `None`: of every turn.
    Bytes { turn: Option<usize>, from: usize, to: usize },
}

/// A piece of the expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// These bytes; with `true`, letters in any case.
    These(Vec<u8>, bool),
    /// Any bytes, exactly this many.
    Any(usize),
    /// Anything up to these bytes, including them.
    UpTo(Vec<u8>),
}

/// Compares bytes as they arrive.
pub(super) struct Expected {
    tokens: Vec<Token>,
    /// The token that is compared now, and how many of its bytes have been.
    token: usize,
    within: usize,
    /// The last bytes of a token that extends up to a text.
    tail: Vec<u8>,
    /// Bytes that have been compared.
    taken: usize,
}

impl Expected {
    /// The expectation for the turn with this number, of which these bytes were recorded.
    pub fn new(recorded: &[u8], turn: usize, masks: &[Mask]) -> Expected {
        let mut tokens = Vec::new();
        let (mut at, mut plain) = (0, 0);
        while at < recorded.len() {
            let Some((skip, token, any_case)) = masks.iter().find_map(|mask| mask.at(recorded, at, turn))
            else {
                at += 1;
                continue;
            };
            // The text before a masked value is compared as well.
            let (before, masked) = skip;
            tokens.push(Token::These(recorded[plain..at].to_vec(), false));
            tokens.push(Token::These(recorded[at..at + before].to_vec(), any_case));
            tokens.push(token);
            at += before + masked;
            plain = at;
        }
        tokens.push(Token::These(recorded[plain..].to_vec(), false));
        tokens.retain(|token| !matches!(token, Token::These(bytes, _) if bytes.is_empty()));
        Expected { tokens, token: 0, within: 0, tail: Vec::new(), taken: 0 }
    }

    pub fn is_done(&self) -> bool {
        self.token == self.tokens.len()
    }

    /// Bytes that have been compared.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Takes bytes until everything expected has arrived; returns the number of bytes taken.
    ///
    /// # Errors
    /// The byte at this position differs.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<usize, usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            let Some(token) = self.tokens.get(self.token) else { return Ok(at) };
            let ends = match token {
                Token::These(these, any_case) => {
                    let wanted = these[self.within];
                    if byte != wanted && !(*any_case && byte.eq_ignore_ascii_case(&wanted)) {
                        return Err(at);
                    }
                    self.within + 1 == these.len()
                }
                Token::Any(length) => self.within + 1 == *length,
                Token::UpTo(end) => {
                    self.tail.push(byte);
                    if self.tail.len() > end.len() {
                        self.tail.remove(0);
                    }
                    self.tail == *end
                }
            };
            self.within += 1;
            self.taken += 1;
            if ends {
                (self.token, self.within) = (self.token + 1, 0);
                self.tail.clear();
            }
        }
        Ok(bytes.len())
    }

    /// The next expected bytes, as text.
    pub fn next(&self) -> Vec<u8> {
        match self.tokens.get(self.token) {
            Some(Token::These(these, _)) => these[self.within..].to_vec(),
            _ => Vec::new(),
        }
    }
}

impl Mask {
    /// The lengths of the text before a masked value that begins here, and of the value with its end text.
    fn at(&self, bytes: &[u8], at: usize, turn: usize) -> Option<((usize, usize), Token, bool)> {
        match self {
            Mask::Between { before, after, any_case } => {
                let here = bytes.get(at..at + before.len())?;
                let is_here = here == before || *any_case && here.eq_ignore_ascii_case(before);
                if !is_here || before.is_empty() {
                    return None;
                }
                let value = &bytes[at + before.len()..];
                let end = value.windows(after.len()).position(|window| window == after)?;
                Some(((before.len(), end + after.len()), Token::UpTo(after.clone()), *any_case))
            }
            Mask::Bytes { turn: of, from, to } => {
                let is_here = of.is_none_or(|of| of == turn) && *from == at && *from < *to;
                let length = (*to).min(bytes.len()) - at;
                is_here.then_some(((0, length), Token::Any(length), false))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(before: &str, after: &str, any_case: bool) -> Mask {
        Mask::Between { before: before.into(), after: after.into(), any_case }
    }

    /// Compares bytes in one piece and byte by byte: returns the number of bytes taken, or where they differ.
    fn compare(recorded: &[u8], masks: &[Mask], bytes: &[u8]) -> Result<(usize, bool), usize> {
        let mut whole = Expected::new(recorded, 0, masks);
        let taken = whole.feed(bytes).map(|taken| (taken, whole.is_done()));
        let mut one_by_one = Expected::new(recorded, 0, masks);
        for byte in bytes {
            if one_by_one.feed(std::slice::from_ref(byte)).is_err() {
                break;
            }
        }
        match taken {
            Ok((taken, is_done)) => assert_eq!((one_by_one.taken(), one_by_one.is_done()), (taken, is_done)),
            Err(at) => assert_eq!(one_by_one.taken(), at),
        }
        taken
    }

    #[test]
    fn a_masked_value_may_be_of_any_length() {
        let masks = [between("date:", "\r\n", true), between("id=", ";", false)];
        let recorded = b"A\r\nDate: today\r\nid=1;B";
        assert_eq!(compare(recorded, &masks, recorded), Ok((22, true)));
        assert_eq!(compare(recorded, &masks, b"A\r\ndate: the day after\r\nid=123456;Bx"), Ok((35, true)));
        assert_eq!(compare(recorded, &masks, b"A\r\nDate: x\r\n"), Ok((12, false)));
        assert_eq!(compare(recorded, &masks, b"A\r\nDate: x\r\nID=1;B"), Err(12));
        assert_eq!(compare(recorded, &masks, b"A\r\nDate: x\r\nid=1;C"), Err(17));
        assert_eq!(compare(recorded, &[], b"A\r\ndate"), Err(3));
    }

    #[test]
    fn bytes_are_masked_by_their_place() {
        let mask = Mask::Bytes { turn: None, from: 1, to: 3 };
        assert_eq!(compare(b"abcd", std::slice::from_ref(&mask), b"a--d"), Ok((4, true)));
        assert_eq!(compare(b"abcd", std::slice::from_ref(&mask), b"a--e"), Err(3));
        assert_eq!(compare(b"ab", &[mask], b"ax"), Ok((2, true)));
        let other = Mask::Bytes { turn: Some(1), from: 0, to: 9 };
        assert_eq!(compare(b"ab", &[other], b"xb"), Err(0));
    }
}
