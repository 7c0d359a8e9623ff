//! The parts of a token, unverified (RFC 7515 section 3.1: compact serialization).
//!
//! ```text
//!  base64url(header) . base64url(payload) . base64url(signature)
//!  `-------- these bytes are signed ----'
//! ```

use crate::refusal::Refusal;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Map, Value};

/// The longest token in bytes.
pub(crate) const MOST_BYTES: usize = 8 << 10;

pub(crate) struct Token<'t> {
    pub header: Header,
    pub payload: Map<String, Value>,
    pub signed: &'t [u8],
    pub signature: Vec<u8>,
}

/// What a header says. A member that is there twice makes it malformed; keys and addresses of keys in it
/// (`jwk`, `jku`, `x5u`) are not read, since whoever has made the token has chosen them.
#[derive(Deserialize)]
pub(crate) struct Header {
    pub alg: String,
    pub kid: Option<String>,
    crit: Option<IgnoredAny>,
}

impl<'t> Token<'t> {
    pub fn parse(text: &'t str) -> Result<Token<'t>, Refusal> {
        if text.len() > MOST_BYTES {
            return Err(Refusal::TooLong);
        }
        let (signed, signature) = text.rsplit_once('.').ok_or(Refusal::Malformed)?;
        let (header, payload) = signed.split_once('.').ok_or(Refusal::Malformed)?;
        let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| Refusal::Malformed)?;
        // RFC 7515 4.1.11: "If any of the listed extension Header Parameters are not understood and supported
        // by the recipient, then the JWS is invalid." None is.
        if header.crit.is_some() {
            return Err(Refusal::Malformed);
        }
        // A dot in the payload is no base64url.
        let payload = serde_json::from_slice(&decoded(payload)?).map_err(|_| Refusal::Malformed)?;
        Ok(Token { header, payload, signed: signed.as_bytes(), signature: decoded(signature)? })
    }

    pub fn text(&self, claim: &str) -> Option<&str> {
        self.payload.get(claim)?.as_str()
    }
}

fn decoded(part: &str) -> Result<Vec<u8>, Refusal> {
    BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| Refusal::Malformed)
}
