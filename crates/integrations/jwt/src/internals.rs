//! For the fuzz target: what callers show, and what issuers publish.

use crate::{
    Algorithm, Tokens,
    key_set::KeySet,
    shown::Pair,
    token::{MOST_BYTES, Token},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

/// Reads a text as a token, as a name with its token, as keys and as a list of tokens. `token`: one that keys
/// of the text may have signed.
///
/// # Panics
/// It was taken although it is not written as it should be, or for more than it has.
pub fn read(text: &str, token: &str) {
    if let Ok(token) = Token::parse(text) {
        let signed = str::from_utf8(token.signed).expect("a part of a text");
        assert_eq!(format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(&token.signature)), text);
    }
    if let Ok(pair) = Pair::parse(text) {
        assert!(!pair.name().is_empty() && !pair.name().contains(':'));
        assert!(pair.name().len() + pair.password().len() < MOST_BYTES);
    }
    if let Ok(keys) = KeySet::parse(text.as_bytes()) {
        assert!(keys.len() > 0 && keys.len() < text.len());
        for algorithm in Algorithm::ALL {
            let _ = is_signed(&keys, algorithm, token);
        }
    }
    if let Ok(list) = Tokens::from_text(text) {
        assert!(list.count() <= text.lines().count());
    }
}

/// The signed part of a token, if one of these keys has signed it.
///
/// # Panics
/// These are no keys.
pub fn signed<'t>(keys: &str, token: &'t str) -> Option<&'t str> {
    let keys = KeySet::parse(keys.as_bytes()).expect("keys");
    let header = Token::parse(token).ok()?.header;
    is_signed(&keys, Algorithm::by_name(&header.alg)?, token)
}

fn is_signed<'t>(keys: &KeySet, algorithm: Algorithm, token: &'t str) -> Option<&'t str> {
    let Token { header, signed, signature, .. } = Token::parse(token).ok()?;
    let said = keys.verify(header.kid.as_deref(), algorithm, signed, &signature);
    (said == crate::key_set::Signed::Yes).then(|| &token[..signed.len()])
}
