//! Sessions with the members of a ZooKeeper ensemble.

use super::session::{Failed, Session, Ticket};
use crate::dial::Dial;
use polywire_call::ConfigError;
use polywire_client::ByteStreams;
use polywire_naming::SourceError;
use std::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

/// The members of an ensemble, one of which is in use.
pub(super) struct Client {
    members: Vec<ByteStreams>,
    current: AtomicUsize,
    /// Name and password, `name:password`.
    pub user: Option<String>,
    /// The session timeout that ZooKeeper is asked for.
    pub timeout: Duration,
}

impl Client {
    pub fn new(
        addresses: &[String],
        dial: &Dial,
        user: Option<String>,
        timeout: Duration,
    ) -> Result<Client, ConfigError> {
        Ok(Client { members: dial.byte_streams(addresses)?, current: AtomicUsize::new(0), user, timeout })
    }

    /// The same client with other connections.
    pub fn dialled(self, addresses: &[String], dial: &Dial) -> Result<Client, ConfigError> {
        Client::new(addresses, dial, self.user, self.timeout)
    }

    /// A session with the member in use: after [`Client::failed`] that is another one. `ticket`: of a session
    /// to be resumed, if it has not expired.
    pub async fn session(&self, ticket: Option<&Ticket>) -> Result<Session, Failed> {
        let member = &self.members[self.current.load(Relaxed) % self.members.len()];
        let open = |ticket| Session::open(member, ticket, self.timeout, self.user.as_deref());
        match open(ticket).await {
            Err(Failed::Refused(Failed::SESSION_EXPIRED)) if ticket.is_some() => open(None).await,
            opened => opened,
        }
    }

    /// The member in use has failed.
    pub fn failed(&self, why: &Failed) -> SourceError {
        self.current.fetch_add(1, Relaxed);
        SourceError::new(why.to_string())
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.members.iter().map(ByteStreams::address)).finish()
    }
}
