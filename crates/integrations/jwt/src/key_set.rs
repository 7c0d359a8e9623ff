//! The keys of one issuer, as one JWKS has them (RFC 7517 section 5).

use crate::{
    algorithm::Algorithm,
    key::{Jwk, Key},
};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The longest JWKS in bytes: 64 keys with chains of certificates.
pub(crate) const MOST_BYTES: usize = 256 << 10;
/// The most keys of a JWKS. A token without the name of its key is tried with each that fits.
const MOST_KEYS: usize = 64;

/// Keys that are in use together.
#[derive(Debug)]
pub(crate) struct KeySet {
    keys: Vec<Key>,
    /// No other set of the process has it. What was verified by one set is not taken for verified by
    /// another.
    pub version: u64,
}

/// What a set says of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signed {
    Yes,
    No,
    /// It has no key of this name, or none that fits. A newer set may have.
    UnknownKey,
}

#[derive(Deserialize)]
struct Document<'d> {
    /// Unread: a key of a kind that is not known here is no mistake of the others.
    #[serde(borrow)]
    keys: Option<Vec<&'d RawValue>>,
}

impl KeySet {
    /// No keys: none were read yet.
    pub fn none() -> KeySet {
        KeySet::of(Vec::new())
    }

    fn of(keys: Vec<Key>) -> KeySet {
        static LAST: AtomicU64 = AtomicU64::new(0);
        KeySet { keys, version: LAST.fetch_add(1, Relaxed) }
    }

    /// Reads a JWKS, or a single key. What is not a key for signatures is left out.
    ///
    /// # Errors
    /// It is no JWKS, or has no key that can be used.
    pub fn parse(text: &[u8]) -> Result<KeySet, String> {
        if text.len() > MOST_BYTES {
            return Err(format!("longer than {MOST_BYTES} bytes"));
        }
        if text.trim_ascii_start().starts_with(b"-----BEGIN") {
            return Err("a JWKS is needed (RFC 7517), this is a PEM file".to_owned());
        }
        let document: Document<'_> =
            serde_json::from_slice(text).map_err(|wrong| format!("no JWKS: {wrong}"))?;
        let keys: Vec<_> = match &document.keys {
            None => {
                let key: Jwk =
                    serde_json::from_slice(text).map_err(|_| "no JWKS: it has no `keys`".to_owned())?;
                vec![Key::of(&key)]
            }
            Some(keys) if keys.len() > MOST_KEYS => {
                return Err(format!("{} keys; at most {MOST_KEYS} are read", keys.len()));
            }
            Some(keys) => {
                let read = |key: &&RawValue| {
                    let jwk = serde_json::from_str::<Jwk>(key.get()).map_err(|_| "it is no key")?;
                    Key::of(&jwk)
                };
                keys.iter().map(read).collect()
            }
        };
        let why = keys.iter().find_map(|key| key.as_ref().err().copied());
        let keys: Vec<_> = keys.into_iter().filter_map(Result::ok).collect();
        match (keys.is_empty(), why) {
            (false, _) => Ok(KeySet::of(keys)),
            (true, Some(why)) => Err(format!("no key that verifies signatures; the first one: {why}")),
            (true, None) => Err("no keys".to_owned()),
        }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn has_same_keys(&self, other: &KeySet) -> bool {
        self.keys == other.keys
    }

    /// Whether a key of this name has signed these bytes; without a name, any key that fits.
    pub fn verify(&self, kid: Option<&str>, algorithm: Algorithm, bytes: &[u8], signature: &[u8]) -> Signed {
        let mut said = Signed::UnknownKey;
        let is_meant =
            |key: &&Key| kid.is_none_or(|kid| key.kid.as_deref() == Some(kid)) && key.fits(algorithm);
        for key in self.keys.iter().filter(is_meant) {
            if key.has_signed(algorithm, bytes, signature) {
                return Signed::Yes;
            }
            said = Signed::No;
        }
        // Without a name, the key may be one that is not here yet.
        if kid.is_none() { Signed::UnknownKey } else { said }
    }
}
