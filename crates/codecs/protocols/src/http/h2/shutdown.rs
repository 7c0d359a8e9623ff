//! The end of a connection: which GOAWAY each side has sent, and whether it is over.
//!
//! ```text
//!  server:  GoawayState::No ──► Warned ──► Sent(last) ──► last stream ends ──► End::Closed
//!  client:  GoawayState::No ──► Said(0): opens nothing more                      End::Fault: the peer broke the rules
//! ```
//!
//! Source: docs/wire/grpc.md section 1 (GOAWAY); RFC 9113 6.8

use super::error::{Code, Fault};
use crate::http::status;

/// The state of a connection's shutdown.
#[derive(Default)]
pub(super) struct Shutdown {
    /// The progress of this side's GOAWAY.
    pub local: GoawayState,
    /// Whether the peer has sent GOAWAY.
    pub peer_leaves: bool,
    /// The reason in the peer's GOAWAY, if there is one: the code and the text.
    pub reason: Option<Box<str>>,
    /// Whether the peer sends no further bytes.
    pub eof: bool,
    /// Set when the connection has ended and nothing is read any more.
    pub end: Option<End>,
}

/// The progress of a server's GOAWAYs, or that a client opens nothing more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum GoawayState {
    #[default]
    No,
    /// GOAWAY(2^31 - 1) was sent: requests that the client sends until it has received that are still served.
    Warned,
    /// GOAWAY with the last stream that is served.
    Sent(u32),
}

/// The reason why nothing is read any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Closed,
    Fault(Fault),
}

impl Shutdown {
    /// Whether either side is leaving, so that no stream is opened any more.
    pub fn has_begun(&self) -> bool {
        self.local != GoawayState::No || self.peer_leaves || self.eof || self.is_over()
    }

    /// Notes the code and the debug data of the peer's GOAWAY.
    pub fn note_reason(&mut self, code: Code, debug: &[u8]) {
        /// Bytes of the text that are kept.
        const LONGEST: usize = 200;
        let name = status::code_name(code.0);
        let text = String::from_utf8_lossy(&debug[..debug.len().min(LONGEST)]);
        match (code, &*text) {
            (Code::NO_ERROR, "") => {}
            (_, "") => self.reason = Some(name.into()),
            (_, text) => self.reason = Some(format!("{name}, {text:?}").into()),
        }
    }

    #[inline]
    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Ends in order, unless the connection has ended already.
    pub fn close(&mut self) {
        self.end.get_or_insert(End::Closed);
    }
}
