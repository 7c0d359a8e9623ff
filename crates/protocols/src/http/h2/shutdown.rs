//! How a connection ends: what each side has said of it, and that it has ended.
//!
//! ```text
//!  server:  Leaving::No ──► Warned ──► Said(last) ──► last stream ends ──► End::Closed
//!  client:  Leaving::No ──► Said(0): opens nothing more                      End::Fault: the peer broke the rules
//! ```
//!
//! Source: docs/wire/grpc.md section 1 (GOAWAY); RFC 9113 6.8

use super::Fault;

/// Of one connection.
#[derive(Default)]
pub(super) struct Shutdown {
    /// What we have said.
    pub ours: Leaving,
    /// The peer has said GOAWAY.
    pub peer_leaves: bool,
    /// The peer sends no more bytes than are here.
    pub eof: bool,
    /// Nothing is read any more.
    pub end: Option<End>,
}

/// How far a server has come with its GOAWAYs, or that a client opens nothing more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Leaving {
    #[default]
    No,
    /// GOAWAY(2^31 - 1) is out: what the client has sent meanwhile is still served.
    Warned,
    /// GOAWAY with the last stream that is served.
    Said(u32),
}

/// Why nothing is read any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Closed,
    Fault(Fault),
}

impl Shutdown {
    /// One side leaves, or has left: no stream is opened any more.
    pub fn has_begun(&self) -> bool {
        self.ours != Leaving::No || self.peer_leaves || self.eof || self.is_over()
    }

    #[inline]
    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Ends in order, unless it has ended otherwise.
    pub fn close(&mut self) {
        self.end.get_or_insert(End::Closed);
    }
}
