//! ZooKeeper: `zookeeper://HOST:PORT[,HOST:PORT..]/PATH[?username=..&password=..]`, the children of a node.
//!
//! | a child of the node | layout | is the server |
//! | --- | --- | --- |
//! | `dubbo%3A%2F%2F10.0.0.1%3A20880%2Fecho.Echo%3Fweight%3D3` | Dubbo's: a url as the name | of the url, its parameters as metadata |
//! | any name; its data is JSON, or an address with a tag | Curator's, and what [`ZooKeeper`] registers | of the data (`value.rs`) |
//! | `10.0.0.1:8000`, with or without data | addresses as names | of the name |
//!
//! Source: zookeeper.apache.org, "ZooKeeper Programmer's Guide" (sessions, watches, access control), and
//! `zookeeper-jute/src/main/resources/zookeeper.jute` with `ZooDefs.java` for the bytes.

mod client;
mod jute;
mod node;
mod register;
mod session;
mod source;

use crate::{dial::Dial, url::Url};
use client::Client;
use polywire_call::ConfigError;
use polywire_naming::{Registrar, Scheme, Source};
use session::Ticket;
use std::{fmt, sync::Mutex, time::Duration};

/// See [`ZooKeeper`].
pub const SCHEME: Scheme =
    Scheme { name: "zookeeper", open: |rest| Ok(Box::new(ZooKeeper::open(rest)?) as Box<dyn Source>) };

/// See [`crate::registration`].
pub(crate) fn registrar(rest: &str) -> Result<Box<dyn Registrar>, ConfigError> {
    Ok(Box::new(ZooKeeper::open(rest)?))
}

const PORT: u16 = 2181;
/// The session timeout that ZooKeeper is asked for. It may decide on another time: by default from 4 to 40 s.
const SESSION: Duration = Duration::from_secs(10);

/// The children of a ZooKeeper node: the servers of a name, or one server to be registered.
pub struct ZooKeeper {
    client: Client,
    addresses: Vec<String>,
    /// The path, with a slash at its front and none at its end.
    path: String,
    /// The ticket of the registration's session.
    ticket: Mutex<Option<Ticket>>,
    name: String,
}

impl fmt::Debug for ZooKeeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ZooKeeper").field(&self.name).finish()
    }
}

impl ZooKeeper {
    /// `rest`: the text after `zookeeper://`.
    ///
    /// # Errors
    /// The url is not of the form `HOST:PORT[,HOST:PORT..]/PATH[?username=..&password=..]`.
    pub fn open(rest: &str) -> Result<ZooKeeper, ConfigError> {
        let mut url = Url::parse("zookeeper", rest, PORT, None)?;
        let user = url.take_user()?;
        let path = crate::url::decoded(url.path.trim_matches('/'));
        let hosts = url.addresses.join(",");
        let wrong = |text: String| Err(ConfigError::new("address", format!("zookeeper://{hosts}: {text}")));
        if path.is_empty() {
            return wrong("the path of a node is missing: write zookeeper://HOST:PORT/PATH".to_owned());
        }
        // "ZooKeeper Data Model": what a path cannot hold. The last of them would be another path.
        if path.split('/').any(|part| matches!(part, "" | "." | "..") || part.contains(char::is_control)) {
            return wrong(format!("{path:?} is not the path of a node"));
        }
        if let Some((unknown, _)) = url.parameters.first() {
            return wrong(format!(
                "unknown parameter {unknown:?}: username and password, both, are all there are"
            ));
        }
        let user = user.map(|(name, password)| format!("{name}:{password}"));
        Ok(ZooKeeper {
            name: format!("zookeeper://{hosts}/{path}"),
            client: Client::new(&url.addresses, &Dial::default(), user, SESSION)?,
            addresses: url.addresses,
            path: format!("/{path}"),
            ticket: Mutex::default(),
        })
    }

    /// The connections to ZooKeeper, if they need options of their own, such as certificates.
    ///
    /// # Errors
    /// An option is wrong.
    pub fn dial(mut self, dial: &Dial) -> Result<ZooKeeper, ConfigError> {
        self.client = self.client.dialled(&self.addresses, dial)?;
        Ok(self)
    }

    /// Name and password for ZooKeeper's access control (scheme `digest`), as `username` and `password` of
    /// the url. A node that is registered with them can be changed by everyone who has them, and read by
    /// everybody.
    #[must_use]
    pub fn digest(mut self, name: &str, password: &str) -> ZooKeeper {
        self.client.user = Some(format!("{name}:{password}"));
        self
    }

    /// How long ZooKeeper keeps the node of a server that no longer reports, within the limits of its own
    /// configuration. Default 10 s, minimum one second. The server reports after each third of it.
    #[must_use]
    pub fn session(mut self, timeout: Duration) -> ZooKeeper {
        self.client.timeout = timeout.clamp(Duration::from_secs(1), Duration::from_secs(3600));
        self
    }
}
