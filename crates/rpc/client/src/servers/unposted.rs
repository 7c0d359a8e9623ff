//! Calls that were not posted: the reason, and whether they wait.

use crate::{connection::spec::ConnectSpec, servers::way::Way};
use polywire_call::Status;
use polywire_exchange::Draft;

/// The reason why a call was not posted.
pub(crate) struct Unposted {
    pub status: Status,
    /// The call is to wait until there is a server, see [`Servers::ready`](super::Servers::ready).
    pub waits: bool,
    /// Whether the call ends with this status, regardless of its retries.
    pub is_final: bool,
    /// The chosen route of the call, which is posted again after following it. See [`super::Routed`].
    pub way: Option<Box<Way>>,
}

/// A call that was not posted comes back with the reason.
pub(crate) struct NotPosted {
    pub draft: Draft,
    pub why: Unposted,
}

impl Unposted {
    pub fn failed(status: Status) -> Self {
        Unposted { status, waits: false, is_final: false, way: None }
    }

    /// The call is to wait.
    pub fn waits() -> Self {
        Unposted { waits: true, ..Unposted::failed(Status::OK) }
    }

    /// The call fails with this status and is not tried again.
    pub fn refused(status: Status) -> Self {
        Unposted { is_final: true, ..Unposted::failed(status) }
    }

    /// A route has been chosen for the call, which has steps to do before it is posted.
    pub fn chosen(way: Way) -> Self {
        Unposted { way: Some(Box::new(way)), ..Unposted::failed(Status::OK) }
    }

    /// Prefers the error of an earlier attempt, which is more informative than the lack of a further server.
    #[cold]
    pub fn after(self, earlier: Option<Status>) -> Self {
        match earlier {
            Some(status) => Unposted { status, ..self },
            None => self,
        }
    }
}

/// The error for calls with streams that a combination does not support; others do not come here, see
/// `call::future`.
#[cold]
pub(super) fn combined(spec: &ConnectSpec) -> Unposted {
    let text = format!("{} carries no streams: call one of its channels", spec.address);
    Unposted::failed(Status::unimplemented(text))
}

impl From<(Draft, Unposted)> for NotPosted {
    fn from((draft, why): (Draft, Unposted)) -> Self {
        NotPosted { draft, why }
    }
}
