//! Calls that were not posted: the reason, and whether they wait.

use crate::{connection::spec::ConnectSpec, pool, servers::attempt::decision::Decision};
use polywire_call::Status;

/// The reason why a call was not posted.
pub(crate) struct PostError {
    pub status: Status,
    /// The call is to wait until there is a server, see [`Servers::ready`](super::super::Servers::ready).
    pub waits: bool,
    /// Whether the call ends with this status, regardless of its retries.
    pub is_final: bool,
    /// The chosen route of the call, which is posted again after following it. See [`super::super::Routed`].
    pub decision: Option<Box<Decision>>,
}

/// A request that was not posted to any server.
pub(crate) type Undelivered<P> = pool::Undelivered<P, PostError>;

impl PostError {
    pub fn failed(status: Status) -> Self {
        PostError { status, waits: false, is_final: false, decision: None }
    }

    /// The call is to wait.
    pub fn waits() -> Self {
        PostError { waits: true, ..PostError::failed(Status::OK) }
    }

    /// The call fails with this status and is not tried again.
    pub fn refused(status: Status) -> Self {
        PostError { is_final: true, ..PostError::failed(status) }
    }

    /// A route has been chosen for the call, which has steps to do before it is posted.
    pub fn chosen(decision: Decision) -> Self {
        PostError { decision: Some(Box::new(decision)), ..PostError::failed(Status::OK) }
    }

    /// Prefers the error of an earlier attempt, which is more informative than the lack of a further server.
    #[cold]
    pub fn after(self, earlier: Option<Status>) -> Self {
        match earlier {
            Some(status) => PostError { status, ..self },
            None => self,
        }
    }
}

/// The error for calls with streams that a combination does not support; others do not come here, see
/// `call::future`.
#[cold]
pub(in crate::servers) fn combined(spec: &ConnectSpec) -> PostError {
    let text = format!("{} carries no streams: call one of its channels", spec.address);
    PostError::failed(Status::unimplemented(text))
}
