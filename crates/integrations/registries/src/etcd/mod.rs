//! etcd, version 3: `etcd://HOST:PORT[,HOST:PORT..]/PREFIX[?username=..&password=..]`.
//!
//! The servers are the values of all keys below `PREFIX/`, as in etcd's own package for gRPC's names
//! (`go.etcd.io/etcd/client/v3/naming/endpoints`): a key for each server, whose value is an address, a line
//! in brpc's format (`ADDRESS TAG`), or JSON (`value.rs`). A second slash before the prefix is part of the
//! keys: `etcd://host:2379//services/echo` has the keys `/services/echo/..`.
//!
//! `generated/` is the output of `polywire-build` for `proto/etcd.proto`; `xtask/tests/standard.rs` checks
//! that it is current.
//!
//! Source: etcd.io, "API reference" and "KV API guarantees" of version 3.

mod client;
mod register;
mod source;
#[cfg(test)]
mod tests;

/// Output of `polywire-build` for `proto/etcd.proto`.
#[allow(clippy::all, dead_code)]
mod messages {
    include!("generated/etcdserverpb.rs");
}

use crate::{dial::Dial, url::Url};
use client::Client;
use polywire_call::ConfigError;
use polywire_naming::{Registrar, Scheme, Source};
use std::{sync::atomic::AtomicI64, time::Duration};

/// See [`Etcd`].
pub const SCHEME: Scheme =
    Scheme { name: "etcd", open: |rest| Ok(Box::new(Etcd::open(rest)?) as Box<dyn Source>) };

/// See [`crate::registration`].
pub(crate) fn registrar(rest: &str) -> Result<Box<dyn Registrar>, ConfigError> {
    Ok(Box::new(Etcd::open(rest)?))
}

const PORT: u16 = 2379;
/// How long etcd keeps the key of a server that no longer reports.
const TTL: Duration = Duration::from_secs(10);

/// The keys below a prefix of an etcd cluster: the servers of a name, or one server to be registered.
#[derive(Debug)]
pub struct Etcd {
    client: Client,
    addresses: Vec<String>,
    /// The prefix of the keys, with a slash at its end.
    prefix: String,
    ttl: Duration,
    /// The lease of the registration; 0: none.
    lease: AtomicI64,
    name: String,
}

impl Etcd {
    /// `rest`: the text after `etcd://`.
    ///
    /// # Errors
    /// The url is not of the form `HOST:PORT[,HOST:PORT..]/PREFIX[?username=..&password=..]`.
    pub fn open(rest: &str) -> Result<Etcd, ConfigError> {
        let mut url = Url::parse("etcd", rest, PORT, None)?;
        let user = url.take_user()?;
        let path = crate::url::decoded(url.path.trim_end_matches('/'));
        let wrong = |text: String| {
            Err(ConfigError::new("address", format!("etcd://{}: {text}", url.addresses.join(","))))
        };
        if path.is_empty() {
            return wrong("the prefix of the keys is missing: write etcd://HOST:PORT/PREFIX".to_owned());
        }
        if let Some((unknown, _)) = url.parameters.first() {
            return wrong(format!(
                "unknown parameter {unknown:?}: username and password, both, are all there are"
            ));
        }
        let name = format!("etcd://{}/{path}", url.addresses.join(","));
        Ok(Etcd {
            client: Client::new(&url.addresses, &Dial::default(), user)?,
            addresses: url.addresses,
            prefix: format!("{path}/"),
            ttl: TTL,
            lease: AtomicI64::new(0),
            name,
        })
    }

    /// The channels to etcd, if they need options of their own, such as certificates.
    ///
    /// # Errors
    /// An option is wrong.
    pub fn dial(mut self, dial: &Dial) -> Result<Etcd, ConfigError> {
        self.client = self.client.dialled(&self.addresses, dial)?;
        Ok(self)
    }

    /// How long etcd keeps the key of a server that no longer reports. Default 10 s, minimum two seconds. The
    /// server reports after each third of it.
    #[must_use]
    pub fn ttl(mut self, ttl: Duration) -> Etcd {
        self.ttl = ttl.max(Duration::from_secs(2));
        self
    }
}
