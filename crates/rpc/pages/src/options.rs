//! The pages of a server, and who may see them.

#[cfg(feature = "console")]
use crate::schema::Schemas;
use crate::{
    asked::{Access, PagesAuth},
    facts::{Known, Setup},
    logins::SHORTEST,
    page::Page,
    site,
};
use polywire_call::ConfigError;
use polywire_flags::Flags;
use polywire_server::{About, Context, Group, MadePages, ServerPages};
use std::sync::Arc;

/// The pages of a server (`/health`, `/status` and the like) and its built-in services, and who sees them:
/// docs/console.md.
///
/// ```
/// # mod polywire { pub use polywire_pages::*; }
/// use polywire::Pages;
///
/// let pages = Pages::default().on("10.1.0.7:9000").token("5c2cd2a0e8b94c57").open("metrics");
/// // Server::new().pages(pages), or .pages(None) for a server without any
/// # let _ = pages;
/// ```
#[derive(Default)]
#[must_use]
pub struct Pages {
    on: Vec<String>,
    open: Vec<String>,
    auth: Option<PagesAuth>,
    token: Option<String>,
    own: Vec<Page>,
    flags: Option<Flags>,
    version: Option<String>,
    open_reflection: bool,
    of: Option<Group>,
}

impl Pages {
    /// Also listens on this address, and shows the pages only there: on a network of operators, beside one of
    /// clients. Every peer that reaches the address may read the pages, from other machines as well; changes,
    /// and `/token`, are for peers of this machine. `/health` and pages of [`Pages::open`] stay available on
    /// every address. Services are reached there as on every address. May be called several times.
    ///
    /// A server with such an address does not start by [`Server::serve`].
    ///
    /// [`Server::serve`]: polywire_server::Server::serve
    pub fn on(mut self, address: impl Into<String>) -> Self {
        self.on.push(address.into());
        self
    }

    /// Opens a page, for example `metrics`, to everybody, as `/health` always is: for a Prometheus on another
    /// machine. May be called several times. Every peer that reaches the port, a proxy too, can then read the
    /// page as `/metrics`, under any host name and without a credential; a [guard] of HTTP still applies.
    ///
    /// The server does not start if it has no such page, or if the page changes something (`rpcz`, an
    /// application's page with [`Page::change`]) or is `token`.
    ///
    /// [guard]: polywire_server::Server::guard
    pub fn open(mut self, name: impl Into<String>) -> Self {
        self.open.push(name.into());
        self
    }

    /// Decides for each request of a page what its caller may do, in place of the caller's address: by a
    /// credential, a certificate, an address. It is asked for peers of this machine and for those behind
    /// proxies, too, and it runs before the page on the work pool. Pages for everyone, such as `/health`, do
    /// not ask it.
    ///
    /// The host of the request still has to be an address or a name of the server ([`Server::origins`]),
    /// pages of other origins still read nothing, and a change still needs the token.
    ///
    /// ```
    /// # use polywire_pages::Access;
    /// # use polywire_server::Context;
    /// fn operators(cx: &Context) -> Access {
    ///     match cx.metadata().get_str("authorization") {
    ///         Some("Bearer of-the-operators") => Access::Act,
    ///         _ if cx.peer().is_local() => Access::Read,
    ///         _ => Access::None,
    ///     }
    /// }
    /// ```
    ///
    /// [`Server::origins`]: polywire_server::Server::origins
    pub fn auth(mut self, decides: impl Fn(&Context) -> Access + Send + Sync + 'static) -> Self {
        self.auth = Some(Arc::new(decides));
        self
    }

    /// The token of the pages: who shows it reads and changes, from wherever he asks, and who does not gets
    /// no page, from this machine neither. A script sends `authorization: Bearer TOKEN`. A browser is led to
    /// `/login`, where the token is typed in once; a session of twelve hours is then known by a cookie. With
    /// [`Pages::auth`], that function decides about those who do not show it. `/health` and pages of
    /// [`Pages::open`] need none.
    ///
    /// Behind a proxy that browsers reach by a name, this is a name of the server ([`Server::origins`]), and
    /// the proxy passes it on as `Host`. Take random characters, and read them from a file or the
    /// environment. The server does not start with fewer than 16.
    ///
    /// [`Server::origins`]: polywire_server::Server::origins
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Adds a page of the application to those of the server, see [`Page`]. May be called several times.
    ///
    /// The server does not start if it has a page at this path, but for `openapi.json`, which yields to it.
    pub fn page(mut self, page: Page) -> Self {
        self.own.push(page);
        self
    }

    /// Gives operators this set of flags on the page `/flags`, where they see values and change them by POST.
    /// The server adds its own limits when it starts, as [`Running::register_flags`] does. Default: none, and
    /// the page says so.
    ///
    /// The server does not start if the set has the limits of another server, or another flag of the same
    /// name.
    ///
    /// [`Running::register_flags`]: polywire_server::Running::register_flags
    pub fn flags(mut self, flags: &Flags) -> Self {
        self.flags = Some(flags.clone());
        self
    }

    /// Shows the servers of this group in place of the server that has the pages: their connections, calls
    /// and figures, as those of one server. Health and who may see the pages stay those of this server.
    ///
    /// The server does not start before one of the group has.
    pub fn of(mut self, group: &Group) -> Self {
        self.of = Some(group.clone());
        self
    }

    /// The text of `/version`. Default: the names of the services.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    /// Whether gRPC reflection shows the schemas of the services to every peer. Default: only to peers on the
    /// same machine.
    pub fn open_reflection(mut self, open: bool) -> Self {
        self.open_reflection = open;
        self
    }

    /// # Errors
    /// The token can be guessed, or cannot be sent.
    fn check(&self) -> Result<(), ConfigError> {
        let text = match &self.token {
            Some(token) if token.len() < SHORTEST => "a token has at least 16 characters: take random ones",
            Some(token) if !token.bytes().all(|byte| byte.is_ascii_graphic()) => {
                "a token has letters, digits and signs of ASCII, and no spaces"
            }
            _ => return Ok(()),
        };
        Err(ConfigError::new("pages.token", format!("pages.token(..): {text}")))
    }
}

impl ServerPages for Pages {
    fn addresses(&self) -> &[String] {
        &self.on
    }

    fn open_reflection(&self) -> bool {
        self.open_reflection
    }

    fn made(self: Box<Self>, about: &About, shown: bool) -> Result<MadePages, ConfigError> {
        let pages = *self;
        pages.check()?;
        if pages.of.as_ref().is_some_and(|group| group.facts().is_none()) {
            let text = "pages.of(..): no server of the group has started";
            return Err(ConfigError::new("pages.of", text));
        }
        let names = || about.services.iter().map(|service| service.name).collect::<Vec<_>>().join("+");
        let (login, of_others) = (pages.token.is_some(), pages.of.is_some());
        let shows = Known::new(Setup {
            version: pages.version.unwrap_or_else(names),
            flags: pages.flags.clone(),
            #[cfg(feature = "console")]
            schemas: Schemas::new(about.services.clone()),
            pages_auth: pages.auth,
            token: pages.token,
            group: pages.of,
        });
        let services = match shown {
            true => site::services(&shows, &pages.open, pages.own, login, about.has_fallback)?,
            false => Vec::new(),
        };
        Ok(MadePages { services, flags: pages.flags, shows: Some(shows), of_others })
    }
}
