//! Algorithms of signatures: the asymmetric ones of RFC 7518 section 3.1 and RFC 8037.

use polywire_base::nearest;
use polywire_call::ConfigError;
use std::{fmt, str::FromStr};

/// An algorithm by which tokens are signed. There is none with a shared secret (`HS256`), and no `none`:
/// whoever can read a public key could sign with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    /// With Ed25519 (RFC 8037).
    EdDsa,
}

impl Algorithm {
    /// All of them, which is what an [`Issuer`](crate::Issuer) takes by default.
    pub const ALL: [Algorithm; 9] = [
        Algorithm::Rs256,
        Algorithm::Rs384,
        Algorithm::Rs512,
        Algorithm::Ps256,
        Algorithm::Ps384,
        Algorithm::Ps512,
        Algorithm::Es256,
        Algorithm::Es384,
        Algorithm::EdDsa,
    ];

    /// The name in tokens and keys.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Rs256 => "RS256",
            Algorithm::Rs384 => "RS384",
            Algorithm::Rs512 => "RS512",
            Algorithm::Ps256 => "PS256",
            Algorithm::Ps384 => "PS384",
            Algorithm::Ps512 => "PS512",
            Algorithm::Es256 => "ES256",
            Algorithm::Es384 => "ES384",
            Algorithm::EdDsa => "EdDSA",
        }
    }

    /// The algorithm of exactly this name: names are case-sensitive (RFC 7515 section 4.1.1). Newer keys and
    /// tokens say `Ed25519` where others say `EdDSA` (RFC 9864).
    pub(crate) fn by_name(name: &str) -> Option<Algorithm> {
        let name = if name == "Ed25519" { "EdDSA" } else { name };
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = ConfigError;

    fn from_str(name: &str) -> Result<Self, ConfigError> {
        Self::by_name(name).ok_or_else(|| {
            let names = Self::ALL.map(Algorithm::name);
            let text = match nearest(name, names) {
                _ if name.starts_with("HS") || name.eq_ignore_ascii_case("none") => format!(
                    "{name:?} proves nothing here: whoever has the public key, or none, can sign so; take one of {}",
                    names.join(", ")
                ),
                Some(near) => format!("no algorithm {name:?}; did you mean {near:?}?"),
                None => format!("no algorithm {name:?}; there are {}", names.join(", ")),
            };
            ConfigError::new("algorithms", text).with_value(name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_registry_and_nothing_else() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.name().parse::<Algorithm>().ok(), Some(algorithm));
        }
        for (other, says) in [
            ("none", "proves nothing"),
            ("None", "proves nothing"),
            ("HS256", "proves nothing"),
            ("rs256", "did you mean \"RS256\""),
            ("ES512", "did you mean"),
            ("", "there are"),
        ] {
            let wrong = other.parse::<Algorithm>().expect_err(other).to_string();
            assert!(wrong.contains(says), "{other}: {wrong}");
        }
    }
}
