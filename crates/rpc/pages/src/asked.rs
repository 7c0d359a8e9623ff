//! A request for a page as the function of the page sees it.

use polywire_console::Query;
use polywire_engine::Peer;
use polywire_server::Context;
use std::sync::Arc;

/// A request for a page, after all checks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Asked {
    /// The path behind the page's own, decoded, without slashes at its ends.
    pub rest: String,
    /// What stands behind `?`.
    pub query: Query,
    /// The same as it was sent.
    pub query_text: String,
    /// The fields of the form or JSON object that was sent by POST; empty otherwise.
    pub fields: Query,
    /// The form in which it is answered, for pages of which one form costs much.
    pub form: Form,
    /// The address of whoever asks for the page.
    pub peer: Peer,
    /// The header `accept`; empty if there is none.
    pub accept: String,
    /// Whether a browser asks, by its headers `origin` and `sec-fetch-site`: perhaps by a link of another's
    /// page. What costs much is not started by that.
    pub from_browser: bool,
    /// Whether who asks may change something, not only read.
    pub may_act: bool,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Html,
    Text,
    Json,
}

/// What somebody may do with the pages of a server, as the function of [`Pages::auth`](crate::Pages::auth)
/// decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Nothing but what is for everyone, such as `/health`.
    None,
    /// Read them; the token of `/token` is not for him.
    Read,
    /// Read them and change what they can change.
    Act,
}

/// Decides what the caller of a page may do.
pub(crate) type PagesAuth = Arc<dyn Fn(&Context) -> Access + Send + Sync>;
