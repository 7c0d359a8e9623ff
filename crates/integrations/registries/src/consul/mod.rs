//! Consul: `consul://[AGENT/]SERVICE[?stale&passing&tag=..&dc=..&token=..]`.
//!
//! The default agent is `127.0.0.1:8500`, as in brpc. The parameters are those of Consul's health endpoint;
//! without any, they are brpc's `stale&passing`. `token` is sent as a header field, not in the url; without
//! it, the environment variable `CONSUL_HTTP_TOKEN` is used.
//!
//! Source: Consul's HTTP API, "Health", "Agent" and "Blocking Queries"; brpc,
//!         src/brpc/policy/consul_naming_service.cpp.

mod register;
mod source;

use crate::{
    dial::Dial,
    http::Http,
    url::{Url, encoded},
};
use polywire_call::ConfigError;
use polywire_naming::{Registrar, Scheme, Source};
use std::time::Duration;

/// See [`Consul`].
pub const SCHEME: Scheme =
    Scheme { name: "consul", open: |rest| Ok(Box::new(Consul::open(rest)?) as Box<dyn Source>) };

/// See [`crate::registration`].
pub(crate) fn registrar(rest: &str) -> Result<Box<dyn Registrar>, ConfigError> {
    Ok(Box::new(Consul::open(rest)?))
}

/// The port of an agent.
const PORT: u16 = 8500;
const AGENT: &str = "127.0.0.1:8500";
/// The parameters of a query for servers, as brpc's flag `consul_url_parameter` has them.
const PARAMETERS: &str = "stale&passing";
/// How long Consul keeps an entry whose check does not pass; the server's check passes after each third of
/// it.
const TTL: Duration = Duration::from_secs(15);

/// A service of a Consul agent: its servers, or one server to be registered.
#[derive(Debug)]
pub struct Consul {
    http: Http,
    /// Addresses of the agent.
    addresses: Vec<String>,
    /// The service as it is in the url, that is, encoded.
    service: String,
    /// Parameters of the health endpoint.
    query: String,
    token: Option<String>,
    ttl: Duration,
    name: String,
}

impl Consul {
    /// `rest`: the text after `consul://`.
    ///
    /// # Errors
    /// The url is not of the form `[AGENT/]SERVICE[?PARAMETERS]`.
    pub fn open(rest: &str) -> Result<Consul, ConfigError> {
        let mut url = Url::parse("consul", rest, PORT, Some(AGENT))?;
        if url.path.is_empty() {
            let text = format!("consul://{rest}: the name of the service is missing");
            return Err(ConfigError::new("address", text));
        }
        let token = url.take("token").or_else(|| std::env::var("CONSUL_HTTP_TOKEN").ok());
        let token = token.filter(|token| !token.is_empty());
        let query = if url.parameters.is_empty() { PARAMETERS.to_owned() } else { url.query() };
        let service = crate::url::decoded(&url.path);
        let name = match &url.addresses[..] {
            [agent] if agent == AGENT => format!("consul://{service}"),
            agents => format!("consul://{}/{service}", agents.join(",")),
        };
        Ok(Consul {
            http: Http::new(&url.addresses, &Dial::default())?,
            addresses: url.addresses,
            service: encoded(&service),
            query,
            token,
            ttl: TTL,
            name,
        })
    }

    /// The channels to the agent, if they need options of their own.
    ///
    /// # Errors
    /// An option is wrong.
    pub fn dial(mut self, dial: &Dial) -> Result<Consul, ConfigError> {
        self.http = Http::new(&self.addresses, dial)?;
        Ok(self)
    }

    /// How long Consul keeps the entry of a server that no longer reports. Default 15 s, minimum one second.
    /// The server reports after each third of it.
    #[must_use]
    pub fn ttl(mut self, ttl: Duration) -> Consul {
        self.ttl = ttl.max(Duration::from_secs(1));
        self
    }

    /// The fields of every request.
    fn fields(&self) -> Vec<(&str, &str)> {
        self.token.as_deref().map(|token| ("x-consul-token", token)).into_iter().collect()
    }
}
