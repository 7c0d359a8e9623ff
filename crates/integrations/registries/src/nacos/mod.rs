//! Nacos:
//! `nacos://[HOST:PORT[,HOST:PORT..]/]?serviceName=SERVICE[&groupName=..&namespaceId=..&clusters=..&healthyOnly=true]`.
//!
//! brpc's spelling has the parameters alone: `nacos://serviceName=echo&groupName=g`. The default server is
//! `127.0.0.1:8848`. `username` and `password` are used to request a token; they are not sent with queries.
//!
//! Source: Nacos, "Open API Guide" of version 1, which servers of version 2 answer, too; brpc,
//! src/brpc/policy/nacos_naming_service.cpp.

mod client;
mod register;
mod source;

use crate::{
    dial::Dial,
    http::Http,
    url::{Url, decoded, encoded},
};
use client::Client;
use polywire_call::ConfigError;
use polywire_naming::{Registrar, Scheme, Source};

/// See [`Nacos`].
pub const SCHEME: Scheme =
    Scheme { name: "nacos", open: |rest| Ok(Box::new(Nacos::open(rest)?) as Box<dyn Source>) };

/// See [`crate::registration`].
pub(crate) fn registrar(rest: &str) -> Result<Box<dyn Registrar>, ConfigError> {
    Ok(Box::new(Nacos::open(rest)?))
}

const PORT: u16 = 8848;
const SERVER: &str = "127.0.0.1:8848";

/// A service of Nacos: its servers, or one server to be registered.
#[derive(Debug)]
pub struct Nacos {
    client: Client,
    addresses: Vec<String>,
    /// Parameters of the list of instances, still encoded.
    query: String,
    /// Name, group and namespace of the service.
    service: String,
    group: Option<String>,
    namespace: Option<String>,
    name: String,
}

impl Nacos {
    /// `rest`: the text after `nacos://`.
    ///
    /// # Errors
    /// The url has no `serviceName`, or an invalid address.
    pub fn open(rest: &str) -> Result<Nacos, ConfigError> {
        // brpc's spelling has no question mark.
        let query_alone = !rest.contains('?') && rest.contains('=');
        let rest = if query_alone { format!("?{rest}") } else { rest.to_owned() };
        let mut url = Url::parse("nacos", &rest, PORT, Some(SERVER))?;
        if !url.path.is_empty() {
            let text = format!(
                "nacos://: {:?} has no place there: write nacos://[HOST:PORT/]?serviceName=NAME",
                url.path
            );
            return Err(ConfigError::new("address", text));
        }
        let user = url.take_user()?;
        let value = |name: &str| {
            let found = url.parameters.iter().find(|(given, _)| given == name);
            found.and_then(|(_, value)| value.as_deref()).map(decoded).filter(|value| !value.is_empty())
        };
        let Some(service) = value("serviceName") else {
            let text = "nacos:// needs the name of a service: write nacos://[HOST:PORT/]?serviceName=NAME";
            return Err(ConfigError::new("address", text));
        };
        let (group, namespace) = (value("groupName"), value("namespaceId"));
        let name = format!("nacos://{}/?serviceName={}", url.addresses.join(","), encoded(&service));
        Ok(Nacos {
            client: Client::new(Http::new(&url.addresses, &Dial::default())?, user),
            query: url.query(),
            addresses: url.addresses,
            service,
            group,
            namespace,
            name,
        })
    }

    /// The channels to Nacos, if they need options of their own.
    ///
    /// # Errors
    /// An option is wrong.
    pub fn dial(mut self, dial: &Dial) -> Result<Nacos, ConfigError> {
        self.client = self.client.over(Http::new(&self.addresses, dial)?);
        Ok(self)
    }
}
