//! A page as data: where it is, who sees it, what it shows and what it changes.

use crate::{
    asked::Asked,
    facts::ServerFacts,
    says::{Elsewhere, Says, SaysOfMethod},
};
use polywire_call::Status;
use polywire_console::{Section, View};
use std::{fmt, future::Future, pin::Pin, sync::Arc};

/// A page at the server's own port: of the server itself, or of an application that adds one with
/// [`Pages::page`](crate::Pages::page).
///
/// A page is a function that makes a [`View`]: facts, tables, findings, forms. The server renders it as HTML
/// for browsers, as text for `curl` and as JSON (`?json`), all of one snapshot, and checks each request
/// before the function runs: peers of this machine only, a host name of the server's, no page of another
/// origin, POST only with the token of `/token`, 64 KiB, a form or JSON. It escapes what it writes. The
/// function therefore reads values and returns values:
///
/// ```
/// # mod polywire { pub mod console { pub use {polywire_console::*, polywire_pages::*}; } }
/// use polywire::console::{Action, Column, Page, Table, View};
///
/// let stock = Page::new("stock", "what is on the shelves", |asked| {
///     let shelves = Table::new("shelves", [Column::new("shelf"), Column::new("items")])
///         .row("a7", ["a7".into(), 12_u64.into()])
///         .empty("Nothing is stored yet.");
///     let clear = Action::new("stock", "Clear").field("shelf", asked.query.get("shelf").unwrap_or(""));
///     Ok(View::new("Stock").fact("items", 12_u64).table(shelves).action(clear))
/// })
/// .change(|asked| Ok(View::new("Stock").note(format!("cleared {}", asked.fields.get("shelf").unwrap_or("all")))));
/// ```
///
/// It is reached as `/stock`, `/stock/REST` and `/-/stock`. A function of [`Page::new`] runs on the work pool
/// and may compute for milliseconds; one that waits is given to [`Page::later`]. Errors are answered with the
/// status' text. A service of the application wins over the short path, never over `/-/`.
#[must_use]
#[derive(Clone)]
pub struct Page {
    pub(crate) path: &'static str,
    pub(crate) help: &'static str,
    #[cfg_attr(not(feature = "console"), allow(dead_code, reason = "the form for browsers shows it"))]
    pub(crate) title: &'static str,
    #[cfg_attr(not(feature = "console"), allow(dead_code, reason = "the form for browsers shows it"))]
    pub(crate) group: Group,
    pub(crate) who: Who,
    pub(crate) kind: Kind,
    /// Whether a page of the application replaces it, and a fallback has its short path.
    pub(crate) yields: bool,
    pub(crate) view: Make,
    pub(crate) change: Option<Make>,
    /// What it says on the overview.
    pub(crate) says: Option<Says>,
    /// The rules of its findings.
    pub(crate) rules: &'static [&'static str],
    pub(crate) says_of_method: Option<SaysOfMethod>,
}

/// Where a page stands in the list of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Group {
    /// In the bar of every page, in the order in which the pages were added.
    Bar,
    /// A page of the application, behind those of the server.
    Tab,
    /// In the list of `/index` alone.
    More,
}

/// How the server treats a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Answered on the work pool, as HTML for browsers.
    Usual,
    /// Text for browsers, too.
    Text,
    /// Text, answered where the request arrives, without a look at the peer: probes have to be answered when
    /// the pool is full.
    Probe,
    /// Text, with what allows changes: only for those who may make them.
    Token,
    /// The form with which operators log in. Its POST is answered with a cookie.
    Login,
}

/// Whom a page answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Who {
    /// Peers of this machine.
    Here,
    /// Everyone, from anywhere and under any host name: for probes, and for pages that
    /// [`Pages::open`](crate::Pages::open) opens. It tells everybody what it shows. What it changes is
    /// changed by peers of this machine alone.
    Everyone,
}

/// What makes a view. `Server`: a page of ours, which reads the server.
#[derive(Clone)]
pub(crate) enum Make {
    /// The overview, which lists all pages and is also the page at `/-/`.
    Overview(fn(&[Page], &ServerFacts, &Asked) -> Result<View, Status>),
    Server(fn(&ServerFacts, &Asked) -> Result<View, Status>),
    /// As `Server`, of a page that waits for answers of shards.
    ServerLater(fn(&ServerFacts, &Asked) -> Making),
    Now(Arc<dyn Fn(&Asked) -> Result<View, Status> + Send + Sync>),
    Later(Arc<dyn Fn(Asked) -> Making + Send + Sync>),
}

/// A view that is being made.
pub(crate) type Making = Pin<Box<dyn Future<Output = Result<View, Status>> + Send>>;

impl Page {
    /// A page whose function computes what it shows. `path` is one part of a path, `help` what the page
    /// answers, in few words.
    pub fn new(
        path: &'static str,
        help: &'static str,
        view: impl Fn(&Asked) -> Result<View, Status> + Send + Sync + 'static,
    ) -> Page {
        Page::made(path, help, Make::Now(Arc::new(view)))
    }

    /// A page whose function waits, for example for other servers.
    pub fn later<F: Future<Output = Result<View, Status>> + Send + 'static>(
        path: &'static str,
        help: &'static str,
        view: impl Fn(Asked) -> F + Send + Sync + 'static,
    ) -> Page {
        Page::made(path, help, Make::Later(Arc::new(move |asked| Box::pin(view(asked)))))
    }

    /// A page of the server itself.
    pub(crate) fn of_server(
        path: &'static str,
        help: &'static str,
        view: fn(&ServerFacts, &Asked) -> Result<View, Status>,
    ) -> Page {
        Page::made(path, help, Make::Server(view)).group(Group::More)
    }

    /// The overview of the server.
    pub(crate) fn overview(
        path: &'static str,
        help: &'static str,
        view: fn(&[Page], &ServerFacts, &Asked) -> Result<View, Status>,
    ) -> Page {
        Page::made(path, help, Make::Overview(view)).group(Group::Bar)
    }

    pub(crate) fn is_overview(&self) -> bool {
        matches!(self.view, Make::Overview(_))
    }

    /// As [`Page::of_server`], of a page that waits for answers of shards.
    pub(crate) fn of_shards(
        path: &'static str,
        help: &'static str,
        view: fn(&ServerFacts, &Asked) -> Making,
    ) -> Page {
        Page::made(path, help, Make::ServerLater(view)).group(Group::More)
    }

    /// As [`Page::change`], of a page that waits for answers of shards.
    pub(crate) fn changes_later(mut self, change: fn(&ServerFacts, &Asked) -> Making) -> Page {
        self.change = Some(Make::ServerLater(change));
        self
    }

    pub(crate) fn kind(self, kind: Kind) -> Page {
        Page { kind, ..self }
    }

    /// Leaves its short path to applications that may have something of their own there. A page that comes
    /// with a feature does: another crate of the program may have turned that on.
    #[cfg(feature = "openapi")]
    pub(crate) fn yields(self) -> Page {
        Page { yields: true, ..self }
    }

    fn made(path: &'static str, help: &'static str, view: Make) -> Page {
        Page {
            path,
            help,
            title: "",
            group: Group::Tab,
            who: Who::Here,
            kind: Kind::Usual,
            yields: false,
            view,
            change: None,
            says: None,
            rules: &[],
            says_of_method: None,
        }
    }

    /// What a POST with the token does. It returns what is said then: a note about the change, old and new
    /// value.
    pub fn change(mut self, change: impl Fn(&Asked) -> Result<View, Status> + Send + Sync + 'static) -> Page {
        self.change = Some(Make::Now(Arc::new(change)));
        self
    }

    /// As [`Page::change`], by a function that waits.
    pub fn change_later<F: Future<Output = Result<View, Status>> + Send + 'static>(
        mut self,
        change: impl Fn(Asked) -> F + Send + Sync + 'static,
    ) -> Page {
        self.change = Some(Make::Later(Arc::new(move |asked| Box::pin(change(asked)))));
        self
    }

    /// As [`Page::change`], of a page of the server itself.
    pub(crate) fn changes(mut self, change: fn(&ServerFacts, &Asked) -> Result<View, Status>) -> Page {
        self.change = Some(Make::Server(change));
        self
    }

    /// What the page says on the overview: its findings are among those of the server, with their rules and
    /// levels as `polywire_finding` in `/metrics`, and other sections stand below. It is asked while somebody
    /// looks at the overview or reads `/metrics`, at most once a second, and returns at once.
    pub fn on_overview(mut self, says: impl Fn() -> Vec<Section> + Send + Sync + 'static) -> Page {
        self.says = Some(Arc::new(says));
        self
    }

    /// The rules of the findings that [`Page::on_overview`] has: `/metrics` shows each of them, also while
    /// there is none of it.
    pub fn rules(mut self, rules: &'static [&'static str]) -> Page {
        self.rules = rules;
        self
    }

    /// What the page says of where the time of a method (`service/method`) goes, on that method's page, and
    /// as its share of the method's time among the methods. It is asked as often as [`Page::on_overview`] is,
    /// and returns at once.
    pub fn on_method(mut self, says: impl Fn(&str) -> Option<Elsewhere> + Send + Sync + 'static) -> Page {
        self.says_of_method = Some(Arc::new(says));
        self
    }

    /// The words in the bar. Default: the path.
    pub fn title(mut self, title: &'static str) -> Page {
        self.title = title;
        self
    }

    /// Where it stands among the pages. Default: [`Group::Tab`].
    pub fn group(mut self, group: Group) -> Page {
        self.group = group;
        self
    }

    /// Whom it answers. Default: [`Who::Here`].
    pub fn who(mut self, who: Who) -> Page {
        self.who = who;
        self
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, changes) = (&self.path, self.change.is_some());
        f.debug_struct("Page").field("path", path).field("who", &self.who).field("changes", &changes).finish()
    }
}
