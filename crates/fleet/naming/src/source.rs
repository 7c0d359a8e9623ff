//! The interface of all sources of servers.

use crate::{Server, accept::clipped, state::State};
use std::{fmt, future::Future, pin::Pin, sync::Arc, time::Duration};
use tokio::time::sleep;

/// The future of [`Source::watch`].
pub type Watching<'a> = Pin<Box<dyn Future<Output = Result<(), SourceError>> + Send + 'a>>;

/// A source of the servers of a name.
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
    /// The name in messages: the url that it was made from, without secrets.
    fn name(&self) -> String;

    /// Reports the whole set whenever it is known, until the future is dropped. It returns `Ok` once the set
    /// will never change again. After an error it is called again, after a pause that grows with each
    /// failure; the last set stays in use meanwhile.
    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a>;

    /// Called when a user can reach none of the servers, see [`Updates::wanted`]. Returns whether the source
    /// has a newer set which it has not reported yet and will report soon: calls then wait for it. Default:
    /// no.
    fn want(&self) -> bool {
        false
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn name(&self) -> String {
        (**self).name()
    }
    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        (**self).watch(updates)
    }
    fn want(&self) -> bool {
        (**self).want()
    }
}

impl<S: Source + ?Sized> Source for Arc<S> {
    fn name(&self) -> String {
        (**self).name()
    }
    fn watch<'a>(&'a self, updates: &'a Updates) -> Watching<'a> {
        (**self).watch(updates)
    }
    fn want(&self) -> bool {
        (**self).want()
    }
}

/// The receiver of a source's reports. Clones have the same one.
#[derive(Clone)]
pub struct Updates(pub(crate) Arc<State>);

impl Updates {
    /// Reports all servers, in any order. An empty set means that there are certainly none; if the source
    /// could not read its data, it returns an error ([`Source::watch`]).
    ///
    /// Repeated entries, invalid addresses and entries beyond the limits are left out, with a warning. A set
    /// that had entries of which none is valid counts as an error.
    pub fn set(&self, servers: Vec<Server>) {
        self.0.report(servers);
    }

    /// Reports that the source has no answer at present, and continues to watch. The last set stays in use.
    pub fn failed(&self, error: SourceError) {
        self.0.failed(error);
    }

    /// Reports a defect of the last answer that does not end the watch, such as entries that were left out.
    /// It is logged at a limited rate.
    pub fn warn(&self, what: impl fmt::Display) {
        self.0.warn(&what);
    }

    /// Waits until a user of the set requests a new lookup, because none of its servers can be reached.
    /// Sources that are notified of changes need not call it. It returns at most once per
    /// [`crate::WatchOptions::want_interval`].
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    pub async fn wanted(&self) {
        self.0.wanted().await;
    }

    /// Like [`Self::wanted`], and also returns when the next lookup of an interval is due: `interval` from
    /// now, up to 20 % earlier or later at random, so that many clients that began together spread out.
    pub async fn wanted_or(&self, interval: Duration) {
        tokio::select! {
            () = self.wanted() => {}
            () = sleep(interval.mul_f64(0.8 + 0.4 * fastrand::f64())) => self.0.looks(),
        }
    }
}

/// The error of a source that has no set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceError(String);

/// The maximum length of an error's text in bytes. The text may contain a part of the source's answer.
const MAX_TEXT: usize = 1000;

impl SourceError {
    /// `text`: the error, without the name of the source. Long texts are cut, and control characters
    /// replaced, since texts end up in logs.
    pub fn new(text: impl AsRef<str>) -> Self {
        let text = clipped(text.as_ref(), MAX_TEXT);
        SourceError(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
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
        SourceError::new(error.to_string())
    }
}
