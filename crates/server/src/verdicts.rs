//! Whose the calls of a connection are.
//!
//! Most connections have one caller, whose verdict stands for all calls. Others have several, by turns or at once: those
//! of proxies, on which each request of HTTP shows its own credential, and those of Redis clients that say AUTH again. So
//! from the second verdict on each call is asked whose it is.

use crate::auth::{Authenticator, Identity};
use polywire_call::Status;
use polywire_engine::Peer;

/// A connection's latest verdict, if it was not the first.
pub(crate) struct Latest {
    pub scheme: &'static str,
    pub credential: Box<[u8]>,
    pub identity: Identity,
}

impl Latest {
    /// Whose call this is. A request of HTTP that shows another credential, since its body took longer than those of later
    /// ones, is verified again.
    #[cold]
    pub fn identity_of(
        &self,
        authenticator: &dyn Authenticator,
        peer: &Peer,
        fields: fn(&[u8], &mut dyn FnMut(&str, &[u8])),
        raw: &[u8],
    ) -> Result<Identity, Status> {
        let (mut http, mut shown) = (false, None);
        fields(raw, &mut |name, value| {
            http |= name == ":method";
            if shown.is_none() && name.eq_ignore_ascii_case(self.scheme) {
                shown = Some(value.to_vec());
            }
        });
        let shown = shown.unwrap_or_default();
        let remembered = shown.is_empty() && authenticator.remembers();
        if http && !remembered && *shown != *self.credential {
            return authenticator.verify(self.scheme, &shown, peer);
        }
        Ok(self.identity.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_call::Code;

    struct Guests;
    impl Authenticator for Guests {
        fn verify(&self, scheme: &str, credential: &[u8], _: &Peer) -> Result<Identity, Status> {
            assert_eq!(scheme, "authorization");
            match credential {
                b"" => Err(Status::unauthenticated("who?")),
                name => Ok(Identity::named(std::str::from_utf8(name).unwrap())),
            }
        }
    }

    /// `name=value` between blanks.
    fn fields(raw: &[u8], visit: &mut dyn FnMut(&str, &[u8])) {
        for (name, value) in std::str::from_utf8(raw).unwrap().split(' ').filter_map(|f| f.split_once('=')) {
            visit(name, value.as_bytes());
        }
    }

    #[test]
    fn a_request_is_whose_credential_it_shows_and_others_are_the_latest_callers() {
        let latest = Latest {
            scheme: "authorization",
            credential: Box::from(*b"bob"),
            identity: Identity::named("bob"),
        };
        let who = |raw: &str| {
            let found = latest.identity_of(&Guests, &Peer::Memory("test".into()), fields, raw.as_bytes());
            found.map(|identity| identity.name.to_string()).map_err(|status| status.code())
        };
        assert_eq!(who(":method=POST Authorization=bob"), Ok("bob".into()));
        assert_eq!(who(":method=POST authorization=alice"), Ok("alice".into()));
        assert_eq!(who(":method=POST"), Err(Code::Unauthenticated));
        assert_eq!(who("user=field"), Ok("bob".into()));
        assert_eq!(who(""), Ok("bob".into()));
    }
}
