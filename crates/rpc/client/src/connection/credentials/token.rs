//! A token, and which may be sent.

use polywire_engine::clock;
use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::{Duration, Instant, SystemTime},
};

/// The longest token in bytes: more than fits into the headers that servers take.
const MOST: usize = 16 << 10;

/// A token that authenticates the caller to a server.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    value: Vec<u8>,
    /// `None`: it holds until a server refuses it.
    lifetime: Option<Duration>,
}

impl Token {
    /// The whole value of the field `authorization`, or of the credential that a connection sends first:
    /// visible ASCII characters, with spaces between them.
    pub fn new(value: impl Into<Vec<u8>>) -> Self {
        Token { value: value.into(), lifetime: None }
    }

    /// `Bearer` and this token, as OAuth 2 has it.
    pub fn bearer(token: impl AsRef<str>) -> Self {
        Token::new(format!("Bearer {}", token.as_ref()))
    }

    /// The lifetime of the token, from when it was fetched. Default: until a server refuses it.
    pub fn valid_for(mut self, lifetime: Duration) -> Self {
        self.lifetime = Some(lifetime);
        self
    }

    /// Sets the end of the token's validity, by this machine's clock.
    pub fn valid_until(self, end: SystemTime) -> Self {
        self.valid_for(end.duration_since(SystemTime::now()).unwrap_or_default())
    }

    /// # Errors
    /// The token contains characters that cannot be sent. The error's text does not contain it.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let may_stand = |byte: &u8| matches!(byte, b' '..=b'~');
        match &self.value[..] {
            [] => Err("it gave an empty token"),
            long if long.len() > MOST => Err("it gave a token of more than 16 KiB"),
            text if !text.iter().all(may_stand) => {
                Err("it gave a token with a character that is not visible ASCII, such as a line end")
            }
            [b' ', ..] | [.., b' '] => Err("it gave a token with a space at its end or beginning"),
            _ if self.lifetime.is_some_and(|lifetime| lifetime.is_zero()) => {
                Err("it gave a token whose time is over")
            }
            _ => Ok(()),
        }
    }
}

/// Leaves out the token.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Token").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}

/// A token that was fetched and checked.
pub(crate) struct Held {
    value: Box<[u8]>,
    /// Distinguishes this token from those before and after it.
    pub number: u64,
    renew: Option<Instant>,
    ends: Option<Instant>,
    /// A server has refused it.
    refused: AtomicBool,
}

impl Held {
    /// `ahead`: how long before its end the token is renewed. `random`: from 0 up to 1, so that clients do
    /// not renew together.
    pub(super) fn new(token: Token, number: u64, ahead: Duration, random: f64) -> Self {
        let now = clock::now();
        let ends = token.lifetime.and_then(|lifetime| now.checked_add(lifetime));
        let renew = token.lifetime.and_then(|lifetime| {
            let ahead = ahead.min(lifetime / 5).mul_f64(1.0 + random / 2.0);
            now.checked_add(lifetime.saturating_sub(ahead))
        });
        Held { value: token.value.into(), number, renew, ends, refused: AtomicBool::new(false) }
    }

    pub fn value(&self) -> &[u8] {
        &self.value
    }

    pub(super) fn is_over(&self, now: Instant) -> bool {
        self.ends.is_some_and(|end| end <= now)
    }

    pub(super) fn wants_renewal(&self, now: Instant) -> bool {
        self.is_refused() || self.renew.is_some_and(|at| at <= now)
    }

    pub(super) fn is_refused(&self) -> bool {
        self.refused.load(Relaxed)
    }

    /// Notes that a server has refused the token. Returns true the first time.
    pub(super) fn refuse(&self) -> bool {
        !self.refused.swap(true, Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_one_line_of_visible_characters() {
        for good in ["Bearer abc", "user:password", "~"] {
            assert_eq!(Token::new(good).check(), Ok(()), "{good}");
        }
        let long = "x".repeat(MOST + 1);
        for wrong in ["", "a\r\nx-admin: 1", "a\nb", "a\0", " a", "a ", "\u{e9}", "a\tb", &long] {
            let why = Token::new(wrong).check().unwrap_err();
            assert!(!wrong.contains(why) && (wrong.len() < 3 || !why.contains(wrong)), "{why}");
        }
        assert!(Token::new("a").valid_for(Duration::ZERO).check().is_err());
        assert!(Token::new("a").valid_until(SystemTime::UNIX_EPOCH).check().is_err());
        assert_eq!(Token::new("a").valid_for(Duration::MAX).check(), Ok(()));
    }

    #[test]
    fn a_token_is_in_no_debug_text() {
        let text = format!("{:?}", Token::bearer("secret").valid_for(Duration::from_secs(1)));
        assert_eq!(text, "Token { lifetime: Some(1s), .. }");
    }

    #[test]
    fn times_without_end_are_no_times() {
        let held = Held::new(Token::new("a").valid_for(Duration::MAX), 1, Duration::MAX, 0.99);
        let later = clock::now() + Duration::from_secs(1 << 30);
        assert!(!held.is_over(later) && !held.wants_renewal(later));
    }
}
