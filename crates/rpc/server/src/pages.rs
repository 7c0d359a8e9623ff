//! How a server gets its pages, which are made by a crate above this one.

use crate::{about::About, facts::Facts, service::Service};
use polywire_call::ConfigError;
use polywire_flags::Flags;
use std::sync::Arc;

/// The pages of a server and who sees them, as options: what [`Server::pages`](crate::Server::pages) takes.
/// Crate `pages` has those of every server of the facade. `()` has none.
pub trait ServerPages: Send + 'static {
    /// Addresses to listen on at which the pages answer, and nowhere else.
    fn addresses(&self) -> &[String] {
        &[]
    }

    /// Whether the schemas of services are shown to every peer.
    fn open_reflection(&self) -> bool {
        false
    }

    /// Makes the pages. `shown`: whether the server has any.
    ///
    /// # Errors
    /// An option that is wrong; the server does not start then.
    fn made(self: Box<Self>, about: &About, shown: bool) -> Result<MadePages, ConfigError>;
}

impl ServerPages for () {
    fn made(self: Box<Self>, _: &About, _: bool) -> Result<MadePages, ConfigError> {
        Ok(MadePages::default())
    }
}

/// Pages that were made.
#[derive(Default)]
pub struct MadePages {
    pub services: Vec<Service>,
    /// The set that gets the limits of the server.
    pub flags: Option<Flags>,
    /// What shows the server. It is kept as long as that.
    pub shows: Option<Arc<dyn ShowsServer>>,
    /// Whether the pages show other servers, so that a server without services has a use.
    pub of_others: bool,
}

/// What shows a server: pages, and what they watch.
pub trait ShowsServer: Send + Sync {
    /// The server is built, and serves next. Called once.
    fn built(self: Arc<Self>, server: &Facts);
}
