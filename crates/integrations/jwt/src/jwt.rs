//! The authenticator of a server whose callers show JSON Web Tokens.

use crate::{
    claims::Claims,
    issuer::Issuer,
    refusal::Refusal,
    shown::{Pair, Shown},
    token::{MOST_BYTES, Token},
    tokens::Tokens,
    verdicts::{Accepted, Verdicts, hash},
};
use polywire_call::{ConfigError, Status};
use polywire_server::{Admission, Arrival, Authenticator, Caller, Identity};
use std::{
    fmt,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

/// Knows callers by JSON Web Tokens, for [`Server::authenticate`](polywire_server::Server::authenticate). The
/// identity of a caller is the `sub` of its token.
///
/// ```
/// # fn f<P: polywire_server::Preset>() -> Result<polywire_server::Server<P>, polywire_call::ConfigError> {
/// use polywire_jwt::{Issuer, Jwt, Keys};
/// use polywire_server::Server;
///
/// let jwt = Jwt::new(Issuer::new("https://id.example", "shop", Keys::file("keys.json")?));
/// Ok(Server::new().authenticate(jwt.clone()).admission(jwt))
/// # }
/// ```
///
/// Over HTTP in all its forms each request is asked about. In other protocols a token is shown once for a
/// connection; as an [`Admission`] it ends the calls of callers whose token has expired since.
///
/// Clones share what they know.
#[derive(Clone)]
pub struct Jwt {
    issuers: Vec<Issuer>,
    listed: Option<Tokens>,
    verdicts: Arc<Verdicts>,
}

impl Jwt {
    pub fn new(issuer: Issuer) -> Jwt {
        Jwt { issuers: vec![issuer], listed: None, verdicts: Arc::default() }
    }

    /// Takes tokens of another issuer, too. The name of a caller is then `ISSUER/SUBJECT`.
    ///
    /// # Errors
    /// There is one of this name, or two callers of different issuers could have the same name.
    pub fn issuer(mut self, issuer: Issuer) -> Result<Jwt, ConfigError> {
        for known in &self.issuers {
            let begins =
                |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'));
            let (one, other) = (&*known.name, &*issuer.name);
            let text = if one == other {
                format!("issuer {one:?} is there twice")
            } else if begins(one, other) || begins(other, one) {
                format!(
                    "issuers {one:?} and {other:?}: their callers could have the same names, ISSUER/SUBJECT"
                )
            } else {
                continue;
            };
            return Err(ConfigError::new("issuer", text).with_value(other));
        }
        self.issuers.push(issuer);
        self.verdicts = Arc::default(); // names have changed
        Ok(self)
    }

    /// Takes the tokens of a list, too, before others.
    pub fn or(self, listed: Tokens) -> Jwt {
        Jwt { listed: Some(listed), ..self }
    }

    /// Fetches or reads all keys now, before callers need them.
    ///
    /// # Errors
    /// Why an issuer has no keys. It is tried again.
    pub async fn prepare(&self) -> Result<(), String> {
        for issuer in &self.issuers {
            issuer.keys.prepare().await.map_err(|why| format!("keys of {}: {why}", issuer.name))?;
        }
        Ok(())
    }

    /// Whose token it is. `now`: seconds since 1970.
    pub(crate) async fn identity_at(&self, text: &str, now: u64) -> Result<Identity, Refusal> {
        if text.len() > MOST_BYTES {
            return Err(Refusal::TooLong);
        }
        let hash = hash(text);
        if let Some(identity) = self.listed.as_ref().and_then(|listed| listed.by_hash(&hash)) {
            return Ok(identity);
        }
        if let Some(accepted) = self.verdicts.find(&hash) {
            let is_current = self.issuers[accepted.issuer].keys.current().version == accepted.keys;
            match (is_current, now > accepted.until) {
                (true, false) => return Ok(accepted.identity),
                (true, true) => {
                    self.verdicts.forget(&hash);
                    return Err(Refusal::Expired);
                }
                (false, _) => self.verdicts.forget(&hash),
            }
        }
        let token = Token::parse(text)?;
        let name = token.text("iss").ok_or(Refusal::Issuer)?;
        let issuer = self.issuers.iter().position(|issuer| *issuer.name == *name).ok_or(Refusal::Issuer)?;
        let rules = &self.issuers[issuer];
        let keys = rules.verify(&token).await?;
        let (identity, until) = rules.identity(token, now, self.issuers.len() == 1)?;
        self.verdicts.keep(hash, Accepted { identity: identity.clone(), issuer, keys, until });
        Ok(identity)
    }

    #[cfg(test)]
    pub(crate) fn kept(&self) -> usize {
        self.verdicts.len()
    }
}

impl Authenticator for Jwt {
    async fn verify(&self, caller: Caller) -> Result<Identity, Status> {
        match Shown::by(&caller).ok_or(Refusal::Missing)? {
            Shown::Token(token) => Ok(self.identity_at(token, now()).await?),
            Shown::Basic(pair) => {
                let listed = self.listed.as_ref().ok_or(Refusal::Missing)?;
                Ok(listed.by_pair(&Pair::parse(pair)?).ok_or(Refusal::Unknown)?)
            }
        }
    }
}

impl Admission for Jwt {
    fn admit(&self, call: &Arrival<'_>) -> Result<(), Status> {
        match call.identity().and_then(Claims::of_identity) {
            Some(claims) if now() > claims.until => Err(Refusal::Expired.into()),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Jwt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jwt").field("issuers", &self.issuers).finish_non_exhaustive()
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
