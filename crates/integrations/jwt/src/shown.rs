//! What a caller shows: a token, or a name with its token (HTTP's `Basic`).

use crate::{refusal::Refusal, token::MOST_BYTES};
use base64::{Engine, prelude::BASE64_STANDARD};
use polywire_server::Caller;

pub(crate) enum Shown<'c> {
    Token(&'c str),
    /// `authorization: Basic`, not decoded yet.
    Basic(&'c str),
}

impl Shown<'_> {
    /// A token comes after `Bearer`, which protocols other than HTTP may leave out. `None`: nothing, or
    /// something else.
    pub fn by(caller: &Caller) -> Option<Shown<'_>> {
        // Asked for the request, a decision holds for that request alone: otherwise it would hold for as long
        // as the connection shows the same token, whatever becomes of it.
        let _ = caller.service();
        let credential = caller.credential_str()?;
        if caller.scheme() != "authorization" {
            return Some(Shown::Token(credential.strip_prefix("Bearer ").unwrap_or(credential)));
        }
        match credential.split_once(' ')? {
            (scheme, pair) if scheme.eq_ignore_ascii_case("basic") => {
                Some(Shown::Basic(pair.trim_start_matches(' ')))
            }
            _ => caller.bearer().map(Shown::Token),
        }
    }
}

/// A name and a password, as RFC 7617 writes them: `base64(NAME:PASSWORD)`, the name without a colon.
pub(crate) struct Pair {
    text: String,
    colon: usize,
}

impl Pair {
    pub fn parse(encoded: &str) -> Result<Pair, Refusal> {
        if encoded.len() > MOST_BYTES {
            return Err(Refusal::TooLong);
        }
        let bytes = BASE64_STANDARD.decode(encoded).map_err(|_| Refusal::Malformed)?;
        let text = String::from_utf8(bytes).map_err(|_| Refusal::Malformed)?;
        let colon = text.find(':').filter(|colon| *colon > 0).ok_or(Refusal::Malformed)?;
        Ok(Pair { text, colon })
    }

    pub fn name(&self) -> &str {
        &self.text[..self.colon]
    }

    pub fn password(&self) -> &str {
        &self.text[self.colon + 1..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_a_name_and_a_password_which_may_have_colons() {
        // RFC 7617 section 2.
        let pair = Pair::parse("QWxhZGRpbjpvcGVuIHNlc2FtZQ==").expect("a pair");
        assert_eq!((pair.name(), pair.password()), ("Aladdin", "open sesame"));
        let colons = Pair::parse(&BASE64_STANDARD.encode("a::b:")).expect("a pair");
        assert_eq!((colons.name(), colons.password()), ("a", ":b:"));
    }

    #[test]
    fn what_is_no_pair_is_refused() {
        let long = BASE64_STANDARD.encode(format!("a:{}", "b".repeat(MOST_BYTES)));
        for (encoded, refusal) in [
            ("", Refusal::Malformed),
            ("dG9rZW4=", Refusal::Malformed),                  // token
            ("OnRva2Vu", Refusal::Malformed),                  // :token
            ("Og==", Refusal::Malformed),                      // :
            ("b3BzOnRva2Vu=", Refusal::Malformed),             // one = too many
            ("b3BzOnRva2V", Refusal::Malformed),               // cut off
            ("b3BzOnRva2V1b3Bz OnRva2Vu", Refusal::Malformed), // a blank within
            ("b3BzOnRva-Vu", Refusal::Malformed),              // of base64url
            ("b3BzOv8=", Refusal::Malformed),                  // not UTF-8
            ("ops:token", Refusal::Malformed),
            (&*long, Refusal::TooLong),
        ] {
            assert_eq!(Pair::parse(encoded).err(), Some(refusal), "{encoded:.40}");
        }
    }
}
