//! The token that changes need, and the nonces of answers.

use polywire_base::lock;
use polywire_call::Status;
use std::{
    fmt::Write,
    sync::{Mutex, OnceLock},
    time::{Duration, Instant},
};

/// Changes in a second.
const MOST_CHANGES: u32 = 10;

/// What only those know who may change something.
#[derive(Default)]
pub(crate) struct Secrets {
    token: OnceLock<String>,
    /// Since when changes are counted, and how many there were.
    changes: Mutex<Option<(Instant, u32)>>,
}

impl Secrets {
    /// The token of this server: 128 random bits, made when it is first asked for.
    ///
    /// # Errors
    /// The system has no random bits now; then nothing can be changed.
    pub fn token(&self) -> Result<&str, Status> {
        match self.token.get() {
            Some(token) => Ok(token),
            None => {
                let made = random()?;
                Ok(self.token.get_or_init(|| made))
            }
        }
    }

    /// Whether this is the token. Takes as long for every text of the token's length.
    pub fn is_token(&self, given: &str) -> bool {
        let Ok(token) = self.token() else { return false };
        let differs = token.bytes().zip(given.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
        given.len() == token.len() && std::hint::black_box(differs) == 0
    }

    /// Counts a change, unless there were too many in this second.
    pub fn may_change(&self) -> bool {
        let now = polywire_engine::clock::now();
        let mut changes = lock(&self.changes);
        match &mut *changes {
            Some((since, count)) if now.saturating_duration_since(*since) < Duration::from_secs(1) => {
                *count += 1;
                *count <= MOST_CHANGES
            }
            other => {
                *other = Some((now, 1));
                true
            }
        }
    }
}

/// 128 random bits in hexadecimal digits.
///
/// # Errors
/// The system has none.
pub(super) fn random() -> Result<String, Status> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Status::unavailable(format!("no random bits: {error}")))?;
    Ok(bytes.iter().fold(String::with_capacity(32), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // writing to a string does not fail
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_the_token_is_the_token() {
        let secrets = Secrets::default();
        let token = secrets.token().unwrap().to_owned();
        assert_eq!((token.len(), secrets.is_token(&token)), (32, true));
        let last = if token.ends_with('0') { "1" } else { "0" };
        for wrong in [
            "",
            &token[..31],
            &format!("{token}0"),
            &format!("{}{last}", &token[..31]),
            &token.replace(|_| true, "ü"),
        ] {
            assert!(!secrets.is_token(wrong), "{wrong}");
        }
        assert!(!secrets.is_token(Secrets::default().token().unwrap()));
    }

    #[test]
    fn there_are_ten_changes_a_second() {
        let secrets = Secrets::default();
        assert_eq!((0..30).filter(|_| secrets.may_change()).count(), 10);
    }
}
