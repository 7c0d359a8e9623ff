//! What all sources of servers have in common.

use crate::{Server, watch::Shared};
use std::{fmt, future::Future, pin::Pin, sync::Arc};

/// The future of [`Source::watch`].
pub type Watching<'a> = Pin<Box<dyn Future<Output = Result<(), SourceError>> + Send + 'a>>;

/// Where the servers of a name come from.
///
/// ```
/// use polywire_naming::{Server, Source, Updates, Watching};
///
/// /// Two servers that never change.
/// struct Fixed;
///
/// impl Source for Fixed {
///     fn name(&self) -> String {
///         "fixed://".to_owned()
///     }
///     fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
///         Box::pin(async move {
///             updates.set(vec![Server::new("10.0.0.1:8000"), Server::new("10.0.0.2:8000").tag("2")]);
///             Ok(())
///         })
///     }
/// }
/// ```
pub trait Source: Send + Sync + 'static {
    /// What messages call it: the url that it was made from, without secrets.
    fn name(&self) -> String;

    /// Reports the whole set whenever it is known, until the future is dropped. It returns `Ok` once the set will never change
    /// again. After an error it is called again, after a pause that grows from failure to failure; the last set stays in use
    /// meanwhile.
    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a>;
}

/// To whom a source reports.
pub struct Updates(pub(crate) Arc<Shared>);

impl Updates {
    /// These are the servers now, all of them. An empty set means that the source is sure that there are none; what it could
    /// not read is an error ([`Source::watch`]).
    pub fn set(&self, servers: Vec<Server>) {
        self.0.set(servers);
    }

    /// Something is wrong with the last answer that does not end the watch, such as entries that were left out. It is logged
    /// once in a while.
    pub fn warn(&self, what: impl fmt::Display) {
        self.0.warn(&what);
    }

    /// Waits until a user of the set wants it looked up again, because none of its servers can be reached. Sources that are told
    /// of changes need not listen to it.
    pub async fn wanted(&self) {
        self.0.wanted().await;
    }
}

/// Why a source has no set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceError(String);

impl SourceError {
    /// `text`: what went wrong, without the name of the source.
    pub fn new(text: impl Into<String>) -> Self {
        SourceError(text.into())
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for SourceError {}
impl From<std::io::Error> for SourceError {
    fn from(error: std::io::Error) -> Self {
        SourceError(error.to_string())
    }
}
