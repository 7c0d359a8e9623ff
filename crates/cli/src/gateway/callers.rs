//! Who the callers of a listener are, by their tokens: JWTs, and a list of hashed tokens.
//!
//! What the file says of them is checked without the network; keys at a url are fetched when the gateway has
//! started.

use super::document::{Placed, Table};
use polywire::Server;
use std::path::PathBuf;
#[cfg(feature = "full")]
use std::sync::{Arc, OnceLock};

/// What the file says.
#[derive(Clone, Default)]
pub struct Callers {
    issuers: Vec<Issuer>,
    /// The path of a list.
    tokens: Option<PathBuf>,
    /// What verifies tokens of the issuers, with the keys that it has by now.
    #[cfg(feature = "full")]
    verifier: Arc<OnceLock<polywire::jwt::Jwt>>,
}

impl PartialEq for Callers {
    fn eq(&self, other: &Callers) -> bool {
        (&self.issuers, &self.tokens) == (&other.issuers, &other.tokens)
    }
}

#[derive(Clone, PartialEq)]
struct Issuer {
    name: String,
    audiences: Vec<String>,
    /// A path or a url.
    keys: String,
    /// By name; empty: all.
    algorithms: Vec<String>,
    roles: Option<String>,
}

impl Callers {
    /// Reads the keys `jwt` and `tokens` of a listener. `tokenless`: a protocol that it lets in, whose
    /// callers have no place for a token. `before`: those in use, whose keys are kept.
    pub fn read<'c>(
        table: &Table<'_>,
        tokenless: Option<&Placed<String>>,
        before: impl IntoIterator<Item = &'c Callers>,
    ) -> Callers {
        let mut issuers: Vec<Issuer> = Vec::new();
        let jwt = table.one_or_more("jwt");
        let has_jwt = !jwt.is_empty();
        for jwt in jwt {
            let Some(issuer) = Issuer::read(&jwt) else { continue };
            issuers.push(issuer);
            if let Err(wrong) = objects::jwt(&issuers) {
                jwt.wrong(jwt.at_key("issuer"), "issuer", wrong);
                issuers.pop();
            }
        }
        let tokens = table.text("tokens");
        if let Some(Placed { value, at }) = &tokens
            && let Err(wrong) = objects::tokens(value.as_ref())
        {
            table.wrong(*at, "tokens", wrong);
        }
        if let (Some(Placed { value, at }), true) = (tokenless, has_jwt || tokens.is_some()) {
            let text = format!(
                "{value} has no place for a token: `jwt` and `tokens` would refuse all of its callers"
            );
            table.wrong(*at, "protocols", text);
        }
        let tokens = tokens.map(|tokens| tokens.value.into());
        let callers = Callers {
            issuers,
            tokens,
            #[cfg(feature = "full")]
            verifier: Arc::default(),
        };
        before.into_iter().find(|before| **before == callers).cloned().unwrap_or(callers)
    }

    /// Whether a caller must show a token.
    pub fn are_asked(&self) -> bool {
        !self.issuers.is_empty() || self.tokens.is_some()
    }

    /// Whether they may have roles.
    #[cfg(feature = "full")]
    pub fn have_roles(&self) -> bool {
        self.tokens.is_some() || self.issuers.iter().any(|issuer| issuer.roles.is_some())
    }

    /// A server that lets in these callers alone. `listener`: its name, for what is told of keys that cannot
    /// be had.
    ///
    /// # Errors
    /// A file is wrong.
    pub fn guard(&self, server: Server, listener: &str) -> Result<Server, String> {
        match self.are_asked() {
            true => objects::guard(self, server, listener),
            false => Ok(server),
        }
    }

    /// Who they are, each in some words.
    pub fn words(&self) -> Vec<String> {
        let issuers = self.issuers.iter().map(|Issuer { name, audiences, keys, .. }| {
            format!("tokens of {name} for {}, by the keys in {keys}", audiences.join(" or "))
        });
        issuers.chain(self.tokens.iter().map(|path| format!("tokens in {}", path.display()))).collect()
    }
}

impl Issuer {
    fn read(table: &Table<'_>) -> Option<Issuer> {
        let (name, audiences) = (table.text("issuer"), table.texts("audiences"));
        let (keys, algorithms) = (table.text("keys"), table.texts("algorithms"));
        let roles = table.text("roles");
        table.finish();
        for (key, meant) in [
            ("issuer", "the issuer, as its tokens have it in `iss`"),
            ("audiences", "for whom its tokens must be, as they have it in `aud`"),
            ("keys", "the url or the path of its JWKS"),
        ] {
            if !table.has(key) {
                table.missing(key, meant);
            }
        }
        for (key, list) in [("audiences", &audiences), ("algorithms", &algorithms)] {
            if list.as_ref().is_some_and(Vec::is_empty) && table.is_well() {
                table.wrong(table.at_key(key), key, "an empty list takes no token");
            }
        }
        for Placed { value, at } in algorithms.iter().flatten() {
            if let Err(wrong) = objects::algorithm(value) {
                table.wrong(*at, "algorithms", wrong);
            }
        }
        if let Some(Placed { value, at }) = &keys
            && let Err(wrong) = objects::keys(value)
        {
            table.wrong(*at, "keys", wrong);
        }
        let texts = |list: Vec<Placed<String>>| list.into_iter().map(|text| text.value).collect();
        let issuer = Issuer {
            name: name?.value,
            audiences: texts(audiences?),
            keys: keys?.value,
            algorithms: algorithms.map(texts).unwrap_or_default(),
            roles: roles.map(|roles| roles.value),
        };
        table.is_well().then_some(issuer)
    }
}

/// What is made of it.
#[cfg(feature = "full")]
mod objects {
    use super::{Callers, Issuer};
    use crate::terminal;
    use polywire::{
        Server,
        jwt::{self, Algorithm, Jwt, Keys, Tokens},
    };
    use std::path::Path;

    pub fn algorithm(name: &str) -> Result<Algorithm, String> {
        name.parse().map_err(|wrong: polywire::ConfigError| wrong.to_string())
    }

    pub fn keys(text: &str) -> Result<Keys, String> {
        let keys = if text.contains("://") { Keys::url(text) } else { Keys::file(text) };
        keys.map_err(|wrong| wrong.to_string())
    }

    pub fn tokens(path: &Path) -> Result<Tokens, String> {
        Tokens::file(path).map_err(|wrong| wrong.to_string())
    }

    fn issuer(of: &Issuer) -> Result<jwt::Issuer, String> {
        let mut audiences = of.audiences.iter();
        let first = audiences.next().ok_or("no audience")?;
        let mut issuer = jwt::Issuer::new(&of.name, first, keys(&of.keys)?);
        issuer = audiences.fold(issuer, |issuer, audience| issuer.audience(audience));
        if !of.algorithms.is_empty() {
            issuer = issuer
                .algorithms(of.algorithms.iter().map(|name| algorithm(name)).collect::<Result<Vec<_>, _>>()?);
        }
        Ok(of.roles.iter().fold(issuer, |issuer, claim| issuer.roles(claim)))
    }

    /// `None`: there are no issuers.
    pub fn jwt(issuers: &[Issuer]) -> Result<Option<Jwt>, String> {
        let mut jwt: Option<Jwt> = None;
        for next in issuers {
            let next = issuer(next)?;
            jwt = Some(match jwt {
                Some(jwt) => jwt.issuer(next).map_err(|wrong| wrong.to_string())?,
                None => Jwt::new(next),
            });
        }
        Ok(jwt)
    }

    pub fn guard(callers: &Callers, server: Server, listener: &str) -> Result<Server, String> {
        if let Some(jwt) = callers.verifier.get() {
            return Ok(server.authenticate(jwt.clone()).admission(jwt.clone()));
        }
        let listed = callers.tokens.as_deref().map(tokens).transpose()?;
        let Some(jwt) = jwt(&callers.issuers)? else {
            return Ok(listed.into_iter().fold(server, Server::authenticate));
        };
        let jwt = callers.verifier.get_or_init(|| listed.into_iter().fold(jwt, Jwt::or)).clone();
        let (keys, listener) = (jwt.clone(), listener.to_owned());
        tokio::spawn(async move {
            if let Err(why) = keys.prepare().await {
                let text =
                    format!("listeners.{listener}: {why}: its callers are refused until they are there");
                eprintln!("polywire: {}", terminal::line(&text));
            }
        });
        Ok(server.authenticate(jwt.clone()).admission(jwt))
    }
}

#[cfg(not(feature = "full"))]
mod objects {
    use super::{Callers, Issuer};
    use polywire::Server;
    use std::path::Path;

    const LEFT_OUT: &str = "tokens are left out of this program: build it with `--features full`";

    pub fn algorithm(_: &str) -> Result<(), String> {
        Ok(()) // it is said of the keys
    }

    pub fn keys(_: &str) -> Result<(), String> {
        Err(LEFT_OUT.into())
    }

    pub fn tokens(_: &Path) -> Result<(), String> {
        Err(LEFT_OUT.into())
    }

    pub fn jwt(_: &[Issuer]) -> Result<(), String> {
        Ok(())
    }

    pub fn guard(_: &Callers, _: Server, _: &str) -> Result<Server, String> {
        Err(LEFT_OUT.into())
    }
}
