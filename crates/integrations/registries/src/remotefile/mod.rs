//! A list of servers on a web server: `remotefile://[http://|https://]HOST[:PORT][/PATH]`.
//!
//! Source: brpc, src/brpc/policy/remote_file_naming_service.cpp.

mod source;

use crate::{dial::Dial, http::Http, url::Url};
use polywire_call::ConfigError;
use polywire_naming::{Scheme, Source};
use std::time::Duration;

/// See [`RemoteFile`].
pub const SCHEME: Scheme =
    Scheme { name: "remotefile", open: |rest| Ok(Box::new(RemoteFile::open(rest)?) as Box<dyn Source>) };

/// The time between two requests: brpc's `ns_access_interval`.
const EVERY: Duration = Duration::from_secs(5);

/// The servers in a file on a web server, a line each: `ADDRESS [TAG] [#comment]`.
#[derive(Debug)]
pub struct RemoteFile {
    http: Http,
    addresses: Vec<String>,
    /// The path with its parameters.
    path: String,
    every: Duration,
    name: String,
}

impl RemoteFile {
    /// `rest`: the text after `remotefile://`.
    ///
    /// # Errors
    /// The url has no host, or an invalid one.
    pub fn open(rest: &str) -> Result<RemoteFile, ConfigError> {
        let port = if rest.starts_with("https://") { 443 } else { 80 };
        let url = Url::parse("remotefile", rest, port, None)?;
        let query = url.query();
        let path = if query.is_empty() { format!("/{}", url.path) } else { format!("/{}?{query}", url.path) };
        Ok(RemoteFile {
            http: Http::new(&url.addresses, &Dial::default())?,
            name: format!("remotefile://{}/{}", url.addresses.join(","), url.path),
            addresses: url.addresses,
            path,
            every: EVERY,
        })
    }

    /// The channels to the web server, if they need options of their own.
    ///
    /// # Errors
    /// An option is wrong.
    pub fn dial(mut self, dial: &Dial) -> Result<RemoteFile, ConfigError> {
        self.http = Http::new(&self.addresses, dial)?;
        Ok(self)
    }

    /// The time between two requests. Default 5 s, as in brpc; 100 ms at least. It varies by a fifth.
    #[must_use]
    pub fn every(mut self, every: Duration) -> RemoteFile {
        self.every = every.max(Duration::from_millis(100));
        self
    }
}
