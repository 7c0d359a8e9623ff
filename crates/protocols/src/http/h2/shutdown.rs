//! The end of a connection: which GOAWAY each side has sent, and whether it is over.
//!
//! ```text
//!  server:  Leaving::No ──► Warned ──► Said(last) ──► last stream ends ──► End::Closed
//!  client:  Leaving::No ──► Said(0): opens nothing more                      End::Fault: the peer broke the rules
//! ```
//!
//! Source: docs/wire/grpc.md section 1 (GOAWAY); RFC 9113 6.8

use super::Fault;

/// The end of one connection.
#[derive(Default)]
pub(super) struct Shutdown {
    /// How far this side's GOAWAY is.
    pub ours: Leaving,
    /// The peer has sent GOAWAY.
    pub peer_leaves: bool,
    /// The peer sends no more bytes than are here.
    pub eof: bool,
    /// The connection is over: nothing is read any more.
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
