//! Credentials that are fetched and renewed: tokens that expire.
//!
//! ```text
//!  a try begins ─► a token that holds? ── yes ──────────────► it goes with the try
//!                    │ no, the call waits      │ its end is near, or a server has refused it
//!                    ▼                         ▼
//!                  fetch, one at a time   ◄── the same, in the background; the old token stays until its end
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `mod.rs` | what a user says |
//! | `token.rs` | a token, and which may be sent |
//! | `renewal.rs` | when a token is fetched, and what calls get meanwhile |
//! | `fetch.rs` | one fetch: its time limit, and sources that panic |
//!
//! Over protocols with a credential in each request (HTTP, gRPC) the token is the field `authorization` of
//! each try. Over other protocols a connection sends it first; a connection that is made later sends the
//! token of that time.
//!
//! A token is added to a try after the interceptors of the channel have run, so that they do not see it. This
//! crate writes the token to no log and no error.
//!
//! Limits: one fetch at a time, each for at most [`Credentials::fetch_limit`]; after one that failed a pause
//!         of 100 ms, doubled up to 30 s; a token that is refused is renewed once, and each further one that
//!         is refused, too, a second later, doubled up to 64 s.

mod fetch;
mod renewal;
mod token;

pub(crate) use renewal::Missing;
pub(crate) use token::Held;
pub use token::Token;

use fetch::Fetch;
use renewal::Renewal;
use std::{
    fmt::{self, Display},
    future::Future,
    sync::Arc,
    time::Duration,
};

/// A credential that is fetched when it is needed, and renewed before it expires. Clones share the token, so
/// channels with clones send the same one.
///
/// ```
/// # mod polywire { pub use polywire_client::*; }
/// use polywire::{Credentials, Token};
/// use std::time::Duration;
///
/// # async fn ask() -> Result<String, std::io::Error> { Ok(String::new()) }
/// let credentials = Credentials::new("metadata server", || async {
///     let token = ask().await?;
///     Ok::<_, std::io::Error>(Token::bearer(token).valid_for(Duration::from_secs(3600)))
/// });
/// ```
#[derive(Clone)]
pub struct Credentials(Arc<Renewal>);

impl Credentials {
    /// Makes credentials from a source; errors use this name for it. `fetch` runs on the runtime of a call
    /// that needs the token, or on a shard of the default engine. After a failure it is called again after a
    /// pause.
    pub fn new<F, T, E>(name: impl Into<String>, fetch: F) -> Self
    where
        F: Fn() -> T + Send + Sync + 'static,
        T: Future<Output = Result<Token, E>> + Send + 'static,
        E: Display,
    {
        Credentials(Arc::new(Renewal::new(name.into(), Fetch::new(fetch))))
    }

    /// How long before its expiry a token is renewed, or a fifth of its lifetime if that is less. Default a
    /// minute. Applies to all clones.
    pub fn renew_ahead(self, ahead: Duration) -> Self {
        self.0.set_ahead(ahead);
        self
    }

    /// The time limit of a fetch, and of a call's wait for its first token if its deadline is later. Default
    /// 5 s. Applies to all clones.
    pub fn fetch_limit(self, limit: Duration) -> Self {
        self.0.set_limit(limit);
        self
    }

    pub(crate) fn renewal(&self) -> &Arc<Renewal> {
        &self.0
    }
}

/// Leaves out the token.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("source", &self.0.name()).finish_non_exhaustive()
    }
}
