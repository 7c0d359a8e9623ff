//! Authentication of requests.
//!
//! The contract authenticates once per connection; docs/wire/http.md requires a check of every request. To
//! satisfy both, the host is asked whenever a request's `authorization` differs from the one that it last
//! accepted on this connection, and reading pauses until the host has answered.

use crate::http::framing::{HeadBlock, Known};
use polywire_wire::Validity;
use std::time::Instant;

/// The scheme that `Event::Authenticate` names: the credential is the value of this field, empty if there is
/// none.
pub(crate) const SCHEME: &str = "authorization";

#[derive(Default)]
pub(crate) struct Auth {
    on: bool,
    /// The credential that the host accepted last, if not for one request alone.
    accepted: Option<Vec<u8>>,
    state: State,
}

/// A request that waits for the verdict: its slot, and whether its body has ended.
type Waiting = (u32, bool);

#[derive(Default, Clone, Copy)]
enum State {
    #[default]
    Quiet,
    /// The verdict on this request has been awaited since this instant.
    Asking(Waiting, Instant),
    /// The verdict was positive.
    Accepted(Waiting),
}

impl Auth {
    pub fn new(on: bool) -> Self {
        Auth { on, ..Auth::default() }
    }

    /// Whether the host has to decide about this request.
    #[inline]
    pub fn stops(&self, head: &HeadBlock) -> bool {
        self.on && self.accepted.as_deref() != Some(credential_of(head))
    }

    pub fn ask(&mut self, slot: u32, end: bool, now: Instant) {
        self.state = State::Asking((slot, end), now);
    }

    #[inline]
    pub fn is_asking(&self) -> bool {
        matches!(self.state, State::Asking(..))
    }

    /// The request that the verdict is about, and since when it is awaited; `None` if none is awaited.
    pub fn asked(&mut self) -> Option<(Waiting, Instant)> {
        let State::Asking(waiting, since) = self.state else { return None };
        self.state = State::Quiet;
        Some((waiting, since))
    }

    pub fn accept(&mut self, waiting: Waiting, credential: &[u8], validity: Validity) {
        self.accepted = (validity == Validity::Credential).then(|| credential.to_vec());
        self.state = State::Accepted(waiting);
    }

    /// The request that has just been accepted.
    #[inline]
    pub fn take_accepted(&mut self) -> Option<Waiting> {
        let State::Accepted(waiting) = self.state else { return None };
        self.state = State::Quiet;
        Some(waiting)
    }
}

pub(crate) fn credential_of(head: &HeadBlock) -> &[u8] {
    head.known(Known::Authorization).unwrap_or(b"")
}
