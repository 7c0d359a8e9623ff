//! Tokens that were verified already, by their hashes.
//!
//! Two halves: what is asked for moves to the new one, and when that is full the old one is forgotten. So the
//! tokens in use stay, for a fixed number of entries and without a list of their order. Only verified tokens
//! are kept: nobody can fill it but those whom an issuer gives many tokens.

use polywire_server::Identity;
use ring::digest;
use std::{
    collections::HashMap,
    mem,
    sync::{Mutex, MutexGuard},
};

/// The most tokens that are kept.
const MOST: usize = 10_000;

/// SHA-256 of a token. The token itself is not kept.
pub(crate) type Hash = [u8; digest::SHA256_OUTPUT_LEN];

pub(crate) fn hash(token: &str) -> Hash {
    let digest = digest::digest(&digest::SHA256, token.as_bytes());
    digest.as_ref().try_into().expect("its length is that of SHA-256")
}

/// A token that was accepted.
#[derive(Clone)]
pub(crate) struct Accepted {
    pub identity: Identity,
    /// Its issuer, by index.
    pub issuer: usize,
    /// The set of keys by which it was verified.
    pub keys: u64,
    /// Seconds since 1970 after which it is refused.
    pub until: u64,
}

#[derive(Default)]
pub(crate) struct Verdicts(Mutex<Halves>);

#[derive(Default)]
struct Halves {
    new: HashMap<Hash, Accepted>,
    old: HashMap<Hash, Accepted>,
}

impl Verdicts {
    fn lock(&self) -> MutexGuard<'_, Halves> {
        polywire_base::lock(&self.0)
    }

    /// What was found before. The caller looks at its time and its keys.
    pub fn find(&self, hash: &Hash) -> Option<Accepted> {
        let mut halves = self.lock();
        if let Some(accepted) = halves.new.get(hash) {
            return Some(accepted.clone());
        }
        let accepted = halves.old.remove(hash)?;
        halves.keep(*hash, accepted.clone());
        Some(accepted)
    }

    pub fn keep(&self, hash: Hash, accepted: Accepted) {
        self.lock().keep(hash, accepted);
    }

    /// Forgets a token that is not valid any longer.
    pub fn forget(&self, hash: &Hash) {
        let mut halves = self.lock();
        halves.new.remove(hash);
        halves.old.remove(hash);
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        let halves = self.lock();
        halves.new.len() + halves.old.len()
    }
}

impl Halves {
    fn keep(&mut self, hash: Hash, accepted: Accepted) {
        if self.new.len() == MOST / 2 {
            self.old = mem::take(&mut self.new);
        }
        self.new.insert(hash, accepted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(name: &str) -> Accepted {
        Accepted { identity: Identity::named(name), issuer: 0, keys: 0, until: 0 }
    }

    #[test]
    fn however_many_tokens_are_verified_so_many_are_kept_and_those_in_use_stay() {
        let verdicts = Verdicts::default();
        let used = hash("used");
        verdicts.keep(used, accepted("ada"));
        for n in 0..5 * MOST {
            verdicts.keep(hash(&n.to_string()), accepted(""));
            assert!(verdicts.len() <= MOST);
            if n % 1000 == 0 {
                assert!(verdicts.find(&used).is_some(), "after {n}");
            }
        }
        assert!(verdicts.find(&hash("0")).is_none());
        verdicts.forget(&used);
        assert!(verdicts.find(&used).is_none());
    }
}
