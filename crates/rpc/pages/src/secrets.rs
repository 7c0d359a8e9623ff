//! The token that changes need, and the nonces of answers.

use polywire_base::lock;
use polywire_call::Status;
use std::{
    fmt::Write,
    mem,
    sync::Mutex,
    time::{Duration, Instant},
};

/// Changes in a second.
const MOST_CHANGES: u32 = 10;
/// How long a token is given out: one that was seen by somebody else is of use to him for this long at most.
const LIFE: Duration = Duration::from_secs(12 * 3600);
/// How much longer it is taken: a form that was opened before can still be sent.
const GRACE: Duration = Duration::from_secs(600);

/// What only those know who may change something.
#[derive(Default)]
pub(crate) struct Secrets {
    tokens: Mutex<Tokens>,
    /// Since when changes are counted, and how many there were.
    changes: Mutex<Option<(Instant, u32)>>,
}

/// The tokens that are taken.
#[derive(Default)]
struct Tokens {
    /// Empty, and `None`, until somebody asks for one.
    now: String,
    made: Option<Instant>,
    /// The token before `now`, which is still taken.
    last: String,
}

impl Tokens {
    /// Makes a new token when there is none, or when the one that there is has been given out for long
    /// enough.
    fn turn(&mut self, now: Instant) -> Result<(), Status> {
        let age = self.made.map(|made| now.saturating_duration_since(made));
        if age.is_some_and(|age| age < LIFE) {
            if age >= Some(GRACE) {
                self.last.clear();
            }
            return Ok(());
        }
        let made = random()?;
        // The one before is taken a while longer, counted from the end of its life and not from when that was
        // noticed.
        let ended = self.made.map(|made| made + LIFE);
        let is_late = ended.is_none_or(|ended| now.saturating_duration_since(ended) >= GRACE);
        self.last = if is_late { String::new() } else { mem::take(&mut self.now) };
        // A token that is made late lives from now on; one before it has less than its grace left, never
        // more.
        (self.now, self.made) = (made, Some(if is_late { now } else { ended.unwrap_or(now) }));
        Ok(())
    }
}

impl Secrets {
    /// The token of this server: 128 random bits, made when it is first asked for, and anew every 12 hours.
    ///
    /// # Errors
    /// The system has no random bits now; then nothing can be changed.
    pub fn token(&self) -> Result<String, Status> {
        self.token_at(polywire_engine::clock::now())
    }

    fn token_at(&self, now: Instant) -> Result<String, Status> {
        let mut tokens = lock(&self.tokens);
        tokens.turn(now)?;
        Ok(tokens.now.clone())
    }

    /// Whether this is the token, or the one before within ten minutes. Takes as long for every text of a
    /// token's length.
    pub fn is_token(&self, given: &str) -> bool {
        self.is_token_at(given, polywire_engine::clock::now())
    }

    fn is_token_at(&self, given: &str, now: Instant) -> bool {
        let mut tokens = lock(&self.tokens);
        if tokens.turn(now).is_err() {
            return false;
        }
        same(&tokens.now, given) | same(&tokens.last, given)
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

/// Whether this is the secret, which is not empty. Takes as long for every text of the secret's length.
pub(crate) fn same(secret: &str, given: &str) -> bool {
    let differs = secret.bytes().zip(given.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
    !secret.is_empty() && given.len() == secret.len() && std::hint::black_box(differs) == 0
}

/// 128 random bits in hexadecimal digits.
///
/// # Errors
/// The system has none.
pub(crate) fn random() -> Result<String, Status> {
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
        let token = secrets.token().unwrap();
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
        assert!(!secrets.is_token(&Secrets::default().token().unwrap()));
    }

    #[test]
    fn a_token_lives_twelve_hours_and_is_taken_ten_minutes_longer() {
        let (secrets, start) = (Secrets::default(), Instant::now());
        let at = |minutes: u64| start + Duration::from_secs(60 * minutes);
        let first = secrets.token_at(at(0)).unwrap();
        assert_eq!(
            secrets.token_at(at(719)).unwrap(),
            first,
            "forms of a page keep their token while it lives"
        );
        // A request with the old token is what notices first that its time is over.
        assert!(secrets.is_token_at(&first, at(721)));
        let second = secrets.token_at(at(721)).unwrap();
        assert_ne!(first, second);
        assert!(secrets.is_token_at(&first, at(729)) && secrets.is_token_at(&second, at(729)));
        assert!(!secrets.is_token_at(&first, at(730)) && secrets.is_token_at(&second, at(730)));
        // Asking with it does not prolong it.
        assert!(!secrets.is_token_at(&first, at(731)) && !secrets.is_token_at("", at(731)));

        let secrets = Secrets::default();
        let slept = secrets.token_at(at(0)).unwrap();
        assert!(!secrets.is_token_at(&slept, at(731)), "nobody has asked for hours");
        assert!(!secrets.is_token_at(&slept, at(732)) && !secrets.is_token_at("", at(732)));
    }

    #[test]
    fn there_are_ten_changes_a_second() {
        let secrets = Secrets::default();
        assert_eq!((0..30).filter(|_| secrets.may_change()).count(), 10);
    }
}
