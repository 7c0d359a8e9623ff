//! An issuer of tokens, and the rules by which its tokens are taken.

use crate::{
    algorithm::Algorithm, claims::Claims, key_set::Signed, keys::Keys, refusal::Refusal, token::Token,
};
use polywire_server::Identity;
use serde_json::Value;
use std::{sync::Arc, time::Duration};

/// An issuer of tokens. A token is taken if
///
/// - its `iss` is exactly the name of the issuer,
/// - a key of the issuer has signed it, by an algorithm that is taken,
/// - one of its `aud` is an audience that is asked for,
/// - it has an `exp` that has not passed, and an `nbf`, if any, that has: with 60 seconds of tolerance,
/// - it has a `sub`, of at most 512 bytes.
#[derive(Clone, Debug)]
#[must_use]
pub struct Issuer {
    pub(crate) name: Box<str>,
    /// `None`: any.
    audiences: Option<Vec<Box<str>>>,
    pub(crate) keys: Keys,
    algorithms: Vec<Algorithm>,
    roles: Option<Box<str>>,
    leeway: u64,
}

/// The longest subject in bytes.
const LONGEST_SUBJECT: usize = 512;
/// The tolerance of times, in seconds.
const LEEWAY: u64 = 60;

impl Issuer {
    /// The issuer of this name, as its tokens have it in `iss`, whose tokens must be for `audience` (`aud`).
    pub fn new(name: &str, audience: &str, keys: Keys) -> Issuer {
        Issuer {
            name: name.into(),
            audiences: Some(vec![audience.into()]),
            keys,
            algorithms: Algorithm::ALL.to_vec(),
            roles: None,
            leeway: LEEWAY,
        }
    }

    /// Takes tokens for this audience, too.
    pub fn audience(mut self, audience: &str) -> Issuer {
        self.audiences.get_or_insert_default().push(audience.into());
        self
    }

    /// Takes tokens for any audience, and those without one. **Dangerous**: whoever gets a token for another
    /// service of the same issuer can call this one with it.
    pub fn dangerous_any_audience(mut self) -> Issuer {
        self.audiences = None;
        self
    }

    /// Takes signatures by these algorithms alone. Default: [`Algorithm::ALL`].
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Issuer {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    /// The claim with the roles of a caller: an array of texts, or a text with spaces between them, as
    /// `scope`. Default: callers have no roles.
    pub fn roles(mut self, claim: &str) -> Issuer {
        self.roles = Some(claim.into());
        self
    }

    /// The tolerance for clocks that differ, of `exp` and `nbf`. Default 60 s; more lets tokens live longer
    /// than their issuer has said.
    pub fn leeway(mut self, leeway: Duration) -> Issuer {
        self.leeway = leeway.as_secs();
        self
    }

    /// Whether one of its keys has signed a token. Waits if keys have to be fetched for that.
    pub(crate) async fn verify(&self, token: &Token<'_>) -> Result<u64, Refusal> {
        let algorithm = Algorithm::by_name(&token.header.alg).filter(|named| self.algorithms.contains(named));
        let algorithm = algorithm.ok_or(Refusal::Algorithm)?;
        let kid = token.header.kid.as_deref();
        let mut keys = self.keys.current();
        loop {
            match keys.verify(kid, algorithm, token.signed, &token.signature) {
                Signed::Yes => return Ok(keys.version),
                Signed::No => return Err(Refusal::Signature),
                Signed::UnknownKey => match self.keys.newer_than(&keys).await? {
                    Some(newer) => keys = newer,
                    None if kid.is_none() => return Err(Refusal::Signature),
                    None => return Err(Refusal::UnknownKey),
                },
            }
        }
    }

    /// Who the caller with a verified token is. `now`: seconds since 1970; `is_only`: there are no other
    /// issuers, so that the subject alone names a caller.
    pub(crate) fn identity(
        &self,
        token: Token<'_>,
        now: u64,
        is_only: bool,
    ) -> Result<(Identity, u64), Refusal> {
        let until = match token.payload.get("exp") {
            Some(at) => seconds(at)?.saturating_add(self.leeway),
            None => return Err(Refusal::NoEnd),
        };
        if now > until {
            return Err(Refusal::Expired);
        }
        if let Some(from) = token.payload.get("nbf")
            && now.saturating_add(self.leeway) < seconds(from)?
        {
            return Err(Refusal::NotYet);
        }
        let is_asked_for = |audience: &str| {
            self.audiences.as_ref().is_none_or(|all| all.iter().any(|known| **known == *audience))
        };
        let fits = match token.payload.get("aud") {
            Some(Value::String(audience)) => is_asked_for(audience),
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).any(is_asked_for),
            _ => false,
        };
        if !fits && self.audiences.is_some() {
            return Err(Refusal::Audience);
        }
        let subject = token.text("sub").ok_or(Refusal::Subject)?;
        if subject.is_empty() || subject.len() > LONGEST_SUBJECT || subject.contains(char::is_control) {
            return Err(Refusal::Subject);
        }
        let name = if is_only { subject.into() } else { format!("{}/{subject}", self.name).into() };
        let claims = Claims { payload: token.payload, until };
        let roles = self.roles.as_ref().map(|claim| claims.texts(claim)).unwrap_or_default();
        let roles = roles.into_iter().map(Box::from).collect();
        Ok((Identity { name, roles, extra: Some(Arc::new(claims)) }, until))
    }
}

/// A NumericDate, which may have a fraction (RFC 7519 section 2); that is cut off.
fn seconds(value: &Value) -> Result<u64, Refusal> {
    let whole = value.as_u64();
    let cut = || value.as_f64().filter(|at| *at >= 0.0 && *at < 1e15).map(|at| at as u64);
    whole.or_else(cut).ok_or(Refusal::Malformed)
}
