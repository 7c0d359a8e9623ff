//! Options for a server's start and stop.

use crate::{
    handover::{HandOver, HandsOver, Place},
    running::{BeforeReady, Running},
};
use polywire_engine::transport::Share;
use polywire_naming::Registration;
use std::{io, path::PathBuf, time::Duration};

/// How a server starts, takes over from a previous process, and stops: docs/deployment.md.
#[must_use]
pub struct Lifecycle {
    pub(crate) hand_over: Option<HandsOver>,
    pub(crate) in_place_of: Vec<Place>,
    pub(crate) share: Share,
    pub(crate) before_ready: Vec<BeforeReady>,
    pub(crate) registrations: Vec<Registration>,
    pub(crate) drain: Duration,
}

impl Default for Lifecycle {
    fn default() -> Self {
        Lifecycle {
            hand_over: None,
            in_place_of: Vec::new(),
            share: Share::Never,
            before_ready: Vec::new(),
            registrations: Vec::new(),
            drain: Duration::from_secs(10),
        }
    }
}

impl Lifecycle {
    /// Takes the listening sockets over from the process that serves at `path` (a Unix socket that the server
    /// makes, in a folder that only its user can write to), and hands them to the next process that starts
    /// with the same path: neither refuses or loses a connection. Sockets are matched by their addresses as
    /// given to `listen`; addresses that the previous process does not have are bound.
    /// [`Server::run`](crate::Server::run) returns when the next process has taken over; with
    /// [`Server::start`](crate::Server::start), wait for [`Running::handed_over`]. Default: none.
    pub fn hand_over(mut self, path: impl Into<PathBuf>) -> Self {
        self.hand_over = Some(HandsOver::Alone(path.into()));
        self
    }

    /// The same together with other servers of the program, which accept no connection before
    /// [`HandOver::ready`].
    pub fn hand_over_with(mut self, others: &HandOver) -> Self {
        self.hand_over = Some(HandsOver::Together(others.clone()));
        self
    }

    /// Listens with the sockets of a server of this process, at addresses that both have; that one is to be
    /// stopped as soon as this one runs. So a server gets other options without a refused connection. Both
    /// need [`Lifecycle::hand_over_with`] the same. May be called several times.
    pub fn in_place_of(mut self, server: &Running) -> Self {
        self.in_place_of.extend(server.place_of_listeners());
        self
    }

    /// Whether several servers of the same user may listen on one TCP port (`SO_REUSEPORT`), over which the
    /// kernel spreads connections. When one of them closes, connections that wait in its queue are reset,
    /// other than with [`Lifecycle::hand_over`]. Default false.
    pub fn reuse_port(mut self, shared: bool) -> Self {
        self.share = if shared { Share::Port } else { Share::Never };
        self
    }

    /// Runs this function at the start, after the addresses are bound, and before the first connection is
    /// accepted and the process that [hands its sockets over](Self::hand_over) is asked to stop. Steps that
    /// may fail at the start of the program belong here, such as reading flags from a file. Its error becomes
    /// that of [`Server::start`](crate::Server::start). May be called several times.
    pub fn before_ready(mut self, step: impl FnOnce(&Running) -> io::Result<()> + Send + 'static) -> Self {
        self.before_ready.push(Box::new(step));
        self
    }

    /// Announces the server to a registry, such as Consul or etcd, from its start on; a stop withdraws it
    /// first. May be called several times. It is announced at the address of its first listener unless the
    /// registration has another.
    pub fn register(mut self, registration: Registration) -> Self {
        self.registrations.push(registration);
        self
    }

    /// How long a stop waits for calls in flight. Default 10 s.
    pub fn drain(mut self, limit: Duration) -> Self {
        self.drain = limit;
        self
    }

    /// Takes the steps of the start out of the options: announcements, and steps before the server is ready.
    pub(crate) fn steps(&mut self) -> (Vec<Registration>, Vec<BeforeReady>) {
        (std::mem::take(&mut self.registrations), std::mem::take(&mut self.before_ready))
    }
}
