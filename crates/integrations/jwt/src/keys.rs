//! Where the keys of an issuer come from.

use crate::{
    fetch::Fetched,
    key_set::{self, KeySet},
    refusal::Refusal,
    reload::Watched,
};
use arc_swap::ArcSwap;
use polywire_call::ConfigError;
use polywire_client::{Channel, NoProtocols, Resilience};
use polywire_wire::Limits;
use std::{fmt, net::IpAddr, path::Path, sync::Arc, time::Duration};

/// The keys of an issuer: a JWKS (RFC 7517), given as text, in a file, or at a url. Clones are the same keys.
#[derive(Clone)]
pub struct Keys(Source);

#[derive(Clone)]
enum Source {
    Fixed(Arc<KeySet>),
    File(Arc<Watched<KeySet>>),
    Fetched(Arc<Fetched>),
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

impl Keys {
    /// Keys from the text of a JWKS, or of a single key (JWK). Keys that verify no signatures are left out.
    ///
    /// # Errors
    /// It is no JWKS, or has no key for signatures.
    pub fn from_json(text: &str) -> Result<Keys, ConfigError> {
        let set = KeySet::parse(text.as_bytes()).map_err(|wrong| ConfigError::new("keys", wrong))?;
        Ok(Keys(Source::Fixed(Arc::new(set))))
    }

    /// Keys from such a file, which is read now and, by a thread, each second again. While it cannot be used,
    /// the last good keys stay.
    ///
    /// # Errors
    /// It cannot be read now, or is no JWKS.
    pub fn file(path: impl AsRef<Path>) -> Result<Keys, ConfigError> {
        let watched = Watched::new("keys", path.as_ref(), key_set::MOST_BYTES, KeySet::parse)?;
        Ok(Keys(Source::File(watched)))
    }

    /// Keys from a url, which is fetched when the first token has to be verified, then every 10 minutes, and
    /// for a token by an unknown key at once, but at most once a minute. While that fails the last good keys
    /// stay. `http://` is for addresses of this machine alone.
    ///
    /// # Errors
    /// The url is wrong.
    pub fn url(url: &str) -> Result<Keys, ConfigError> {
        let wrong = |text: String| ConfigError::new("keys", text).with_value(url);
        let secured = url.strip_prefix("https://");
        let rest = secured.or_else(|| url.strip_prefix("http://")).unwrap_or_default();
        let (host, path) = match rest.split_once('/') {
            Some((host, path)) => (host, format!("/{path}")),
            None => (rest, "/".to_owned()),
        };
        if host.is_empty() || host.contains(['@', '?', '#']) {
            return Err(wrong(format!("{url:?}: write https://HOST[:PORT]/PATH")));
        }
        if path.contains(|c: char| c == '#' || !c.is_ascii_graphic()) {
            return Err(wrong(format!("{url:?}: its path has characters that no url has")));
        }
        if secured.is_none() && !is_here(host) {
            let text = format!("{url:?}: whoever is on the way could put in keys of his own: write https://");
            return Err(wrong(text));
        }
        // Tried by us, so that a source that is slow is not asked more often.
        let builder = Channel::<NoProtocols>::builder(&url[..url.len() - rest.len() + host.len()])
            .protocol_set(polywire_protocols::builtin())
            .protocol(polywire_protocols::http::PROTOCOL.name)
            .resilience(Resilience::default().retries(0))
            .connect_timeout(CONNECT_TIMEOUT)
            .limits(Limits::default().max_message(key_set::MOST_BYTES as u32));
        Ok(Keys::fetched_by(builder.build()?, &path))
    }

    /// Keys at a path of an HTTP server, by a channel of your own: with other issuers of certificates, for
    /// example. The channel must speak `http` and should not retry. A reply of more than 256 KiB is no JWKS.
    pub fn fetched_by<P: 'static>(channel: Channel<P>, path: &str) -> Keys {
        Keys(Source::Fetched(Fetched::new(channel, path)))
    }

    /// Those in use now.
    pub(crate) fn current(&self) -> Arc<KeySet> {
        match &self.0 {
            Source::Fixed(set) => set.clone(),
            Source::File(file) => file.current(),
            Source::Fetched(fetched) => fetched.current(),
        }
    }

    /// Other keys than these, if there are any now.
    ///
    /// # Errors
    /// There are none at all: they could not be fetched.
    pub(crate) async fn newer_than(&self, seen: &KeySet) -> Result<Option<Arc<KeySet>>, Refusal> {
        match &self.0 {
            Source::Fixed(_) | Source::File(_) => {
                Ok(Some(self.current()).filter(|now| now.version != seen.version))
            }
            Source::Fetched(fetched) => fetched.newer_than(seen.version).await.map_err(|_| Refusal::NoKeys),
        }
    }

    /// Has them fetched now, if they are not there. See [`Jwt::prepare`](crate::Jwt::prepare).
    pub(crate) async fn prepare(&self) -> Result<(), String> {
        let seen = self.current();
        match &self.0 {
            Source::Fetched(fetched) if seen.len() == 0 => fetched.newer_than(seen.version).await.map(drop),
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Keys").field(&self.current().len()).finish()
    }
}

/// Whether a host with or without a port is this machine.
fn is_here(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or(rest, |(name, _)| name),
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

/// A set of keys that is replaced while it is read.
pub(crate) type Current = ArcSwap<KeySet>;
