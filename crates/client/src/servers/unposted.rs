//! Why a call was not posted, and whether it waits.

use crate::{connection::spec::ConnectSpec, pool};
use polywire_call::Status;
use polywire_exchange::Draft;
use std::{future::Future, pin::Pin};

/// Why a call was not posted.
pub(crate) struct Unposted {
    pub status: Status,
    /// The call is to wait until there is a server, see [`Servers::ready`](super::Servers::ready).
    pub waits: bool,
}

/// A call that was not posted comes back with the reason.
pub(crate) struct NotPosted {
    pub draft: Draft,
    pub why: Unposted,
}

/// Ready when a call may be posted again: `None`. Or the time limit of the call is over, with this status.
pub(crate) type Waiting = Pin<Box<dyn Future<Output = Option<Status>> + Send>>;

impl Unposted {
    pub fn failed(status: Status) -> Self {
        Unposted { status, waits: false }
    }

    /// What an earlier attempt said tells more than that there is no further server.
    #[cold]
    pub fn after(self, earlier: Option<Status>) -> Self {
        match earlier {
            Some(status) => Unposted { status, ..self },
            None => self,
        }
    }
}

/// Calls with streams of which a combination knows nothing; others do not come here, see `call::future`.
#[cold]
pub(super) fn combined(spec: &ConnectSpec) -> Unposted {
    let text = format!("{} carries no streams: call one of its channels", spec.address);
    Unposted::failed(Status::unimplemented(text))
}

impl From<pool::NotPosted> for NotPosted {
    fn from(pool::NotPosted { draft, status }: pool::NotPosted) -> Self {
        NotPosted { draft, why: Unposted::failed(status) }
    }
}
