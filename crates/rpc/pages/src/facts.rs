//! What pages read: the server, and what is kept of those who look at it.

#[cfg(feature = "console")]
use crate::schema::Schemas;
use crate::{
    asked::PagesAuth, asking::Askers, findings::Watch, logins::Logins, secrets::Secrets, senders::Senders,
};
use polywire_base::lock;
use polywire_call::Status;
use polywire_console::Moment;
use polywire_flags::Flags;
use polywire_server::{
    Group, ShowsServer,
    facts::{Facts, LiveServer},
};
use std::{
    ops::Deref,
    sync::{Arc, Mutex, OnceLock},
    time::SystemTime,
};

/// What pages read. Filled in once the server is built.
#[derive(Default)]
pub(crate) struct Known {
    facts: OnceLock<ServerFacts>,
    setup: Mutex<Option<Setup>>,
    /// The findings, which pages of the application add to.
    pub watch: Arc<Watch>,
}

/// What is known before the server is built.
pub(crate) struct Setup {
    pub version: String,
    /// What its operators may change.
    pub flags: Option<Flags>,
    #[cfg(feature = "console")]
    pub schemas: Schemas,
    /// Decides who may do what; `None`: by the address.
    pub pages_auth: Option<PagesAuth>,
    /// The token of pages, if they have one.
    pub token: Option<String>,
    /// The servers that are shown in place of the one with the pages.
    pub group: Option<Group>,
}

/// All that pages read, the server's own facts among it.
pub(crate) struct ServerFacts {
    server: Facts,
    pub version: String,
    pub flags: Option<Flags>,
    pub secrets: Secrets,
    /// Who asks all connections.
    pub askers: Askers,
    /// What its clients have sent, from look to look.
    pub senders: Senders,
    pub watch: Arc<Watch>,
    #[cfg(feature = "console")]
    pub schemas: Schemas,
    pub pages_auth: Option<PagesAuth>,
    /// Who has shown the token.
    pub logins: Option<Logins>,
    /// Identifies this run of the server.
    boot: u64,
    /// Kept for as long as it is shown.
    _group: Option<Group>,
}

impl Deref for ServerFacts {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.server
    }
}

impl Known {
    pub fn new(setup: Setup) -> Arc<Known> {
        Arc::new(Known { setup: Mutex::new(Some(setup)), ..Known::default() })
    }

    /// # Errors
    /// The server is not built yet.
    pub fn facts(&self) -> Result<&ServerFacts, Status> {
        self.facts.get().ok_or_else(|| Status::unavailable("the server is starting"))
    }
}

impl ShowsServer for Known {
    fn built(self: Arc<Self>, server: &Facts) {
        let Some(setup) = lock(&self.setup).take() else { return }; // it is built once
        let (boot, askers) = (boot(), Askers::default());
        let server = match setup.group.as_ref().and_then(Group::facts) {
            // Who may see the pages is a matter of the server that has them.
            Some(shown) => Facts {
                health: server.health.clone(),
                has_authenticator: server.has_authenticator,
                guards_http: server.guards_http,
                needs_certificates: server.needs_certificates,
                ..shown
            },
            None => server.clone(),
        };
        self.watch.begin(&server, &askers, setup.group.is_some());
        let _ = self.facts.set(ServerFacts {
            server,
            version: setup.version,
            flags: setup.flags,
            secrets: Secrets::default(),
            askers,
            senders: Senders::default(),
            watch: self.watch.clone(),
            #[cfg(feature = "console")]
            schemas: setup.schemas,
            pages_auth: setup.pages_auth,
            logins: setup.token.map(|token| Logins::new(token, boot)),
            boot,
            _group: setup.group,
        });
    }
}

impl ServerFacts {
    /// The server.
    ///
    /// # Errors
    /// It has stopped.
    pub fn server(&self) -> Result<Arc<dyn LiveServer>, Status> {
        self.live.upgrade().ok_or_else(|| Status::unavailable("the server is stopping"))
    }

    pub fn moment(&self) -> Moment {
        let at = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let uptime = self.since.elapsed().as_secs_f64();
        Moment { at: at.as_secs_f64(), uptime, boot: self.boot }
    }
}

/// Identifies a run of the server: milliseconds since 1970 at its start.
fn boot() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    now.as_millis() as u64 // enough for 584 million years
}
