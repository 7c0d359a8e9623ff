//! A list of callers and the hashes of their tokens.

use crate::{
    refusal::Refusal,
    reload::Watched,
    shown::{Pair, Shown},
    token,
    verdicts::{Hash, hash},
};
use polywire_call::{ConfigError, Status};
use polywire_server::{Authenticator, Caller, Identity};
use std::{collections::HashMap, fmt, path::Path, sync::Arc};

/// Knows callers by tokens whose hashes are in a list, for
/// [`Server::authenticate`](polywire_server::Server::authenticate). A line for each token: the name of its
/// caller, the SHA-256 of the token in hexadecimal digits, then roles, if any:
///
/// ```text
/// # openssl rand -hex 32 makes a token, printf %s TOKEN | sha256sum its hash
/// billing  8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4  reader writer
/// ```
///
/// The tokens must be random, of 128 bits or more: the hash of a password would be found by trying. A caller
/// may have several, so that they can be exchanged. Over HTTP it may show its name and its token as user and
/// password, too (`authorization: Basic`). Clones are the same list.
#[derive(Clone)]
pub struct Tokens(List);

#[derive(Clone)]
enum List {
    Fixed(Arc<Callers>),
    File(Arc<Watched<Callers>>),
}

type Callers = HashMap<Hash, Identity>;

/// Bytes of a list.
const MOST_BYTES: usize = 1 << 20;
/// Tokens of a list.
const MOST_TOKENS: usize = 10_000;

impl Tokens {
    /// A list from its text.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn from_text(text: &str) -> Result<Tokens, ConfigError> {
        let callers = parse(text.as_bytes()).map_err(|wrong| ConfigError::new("tokens", wrong))?;
        Ok(Tokens(List::Fixed(Arc::new(callers))))
    }

    /// A list in a file, which is read now and, by a thread, each second again. While it cannot be used, the
    /// last good list stays.
    ///
    /// # Errors
    /// It cannot be read now, or a line is wrong.
    pub fn file(path: impl AsRef<Path>) -> Result<Tokens, ConfigError> {
        Ok(Tokens(List::File(Watched::new("tokens", path.as_ref(), MOST_BYTES, parse)?)))
    }

    /// The number of tokens.
    pub fn count(&self) -> usize {
        self.callers().len()
    }

    fn callers(&self) -> Arc<Callers> {
        match &self.0 {
            List::Fixed(callers) => callers.clone(),
            List::File(file) => file.current(),
        }
    }

    /// The caller whose token has this hash. How long the look-up takes says nothing of the tokens: to choose
    /// the bytes that are compared, one would have to choose those of a hash.
    pub(crate) fn by_hash(&self, hash: &Hash) -> Option<Identity> {
        self.callers().get(hash).cloned()
    }

    /// The caller who shows its name and its token. The name is looked at last: whoever is told that it is
    /// wrong has the token.
    pub(crate) fn by_pair(&self, pair: &Pair) -> Option<Identity> {
        self.by_hash(&hash(pair.password())).filter(|identity| &*identity.name == pair.name())
    }
}

impl Authenticator for Tokens {
    async fn verify(&self, caller: Caller) -> Result<Identity, Status> {
        let found = match Shown::by(&caller).ok_or(Refusal::Missing)? {
            Shown::Token(token) if token.len() > token::MOST_BYTES => return Err(Refusal::TooLong.into()),
            Shown::Token(token) => self.by_hash(&hash(token)),
            Shown::Basic(pair) => self.by_pair(&Pair::parse(pair)?),
        };
        found.ok_or_else(|| Refusal::Unknown.into())
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tokens").field(&self.count()).finish()
    }
}

/// An error never quotes what could be a token, written where its hash belongs.
fn parse(text: &[u8]) -> Result<Callers, String> {
    if text.len() > MOST_BYTES {
        return Err(format!("longer than {MOST_BYTES} bytes"));
    }
    let text = std::str::from_utf8(text).map_err(|_| "not UTF-8".to_owned())?;
    let mut callers = Callers::new();
    for (k, line) in text.lines().enumerate() {
        let wrong = |why: &str| format!("line {}: {why}", k + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut words = line.split_whitespace();
        let (Some(name), Some(hash)) = (words.next(), words.next()) else {
            return Err(wrong("write NAME HASH [ROLE ..]"));
        };
        let hash = digits(hash).ok_or_else(|| {
            wrong("the second word is not a SHA-256 in 64 hexadecimal digits: printf %s TOKEN | sha256sum")
        })?;
        let identity = Identity { roles: words.map(Box::from).collect(), ..Identity::named(name) };
        if callers.insert(hash, identity).is_some() {
            return Err(wrong("this token is there twice"));
        }
        if callers.len() > MOST_TOKENS {
            return Err(wrong(&format!("more than {MOST_TOKENS} tokens")));
        }
    }
    if callers.is_empty() { Err("no tokens: nobody could call".to_owned()) } else { Ok(callers) }
}

fn digits(text: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    if text.len() != 2 * hash.len() || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in hash.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The SHA-256 of `token`.
    const HASH: &str = "3c469e9d6c5875d37a43f353d4f88e61fcf812c66eee3457465a40b0da4153e0";

    #[test]
    fn a_list_has_names_hashes_and_roles() {
        let text = format!("# callers\n\n billing {HASH}  reader\twriter \n");
        let tokens = Tokens::from_text(&text).expect("a list");
        let identity = tokens.by_hash(&hash("token")).expect("it is there");
        assert_eq!((&*identity.name, identity.roles.len(), tokens.count()), ("billing", 2, 1));
        assert!(tokens.by_hash(&hash("Token")).is_none());
        assert_eq!(format!("{tokens:?}"), "Tokens(1)");
    }

    #[test]
    fn a_wrong_list_names_the_line_and_quotes_no_token() {
        let secret = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaz";
        for (text, says) in [
            (format!("a {HASH}\nb\n"), "line 2: write NAME HASH"),
            (format!("a {secret}"), "line 1: the second word is not a SHA-256"),
            (format!("a {HASH}0"), "line 1: the second word"),
            (format!("a {HASH}\nb {}", HASH.to_uppercase()), "line 2: this token is there twice"),
            ("# nobody".to_owned(), "no tokens"),
            ("x".repeat(MOST_BYTES + 1), "longer than"),
        ] {
            let wrong = Tokens::from_text(&text).expect_err("wrong").to_string();
            assert!(wrong.contains(says) && !wrong.contains(secret), "{wrong}");
        }
        let many: String = (0..=MOST_TOKENS).map(|n| format!("a {n:064x}\n")).collect();
        assert!(Tokens::from_text(&many).is_err());
    }
}
