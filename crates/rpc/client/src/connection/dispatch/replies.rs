//! Which replies a client's machines accept.

use crate::connection::spec::ConnectSpec;
use polywire_call::Status;
use polywire_wire::{Exchange, Head, Host, Route};

/// Answers the questions of a client's machines.
pub(crate) struct Replies {
    /// The longest reply that may be buffered, in bytes.
    most: usize,
}

impl Replies {
    pub fn new(spec: &ConnectSpec) -> Self {
        Replies { most: spec.config.limits.max_message as usize }
    }
}

impl Host for Replies {
    fn admit(&mut self, _head: &Head<'_>, _announced: Option<usize>) -> Result<Route, Status> {
        Err(Status::unimplemented("this side serves nothing"))
    }
    fn admit_reply(&mut self, _exchange: Exchange, announced: usize) -> bool {
        announced <= self.most
    }
}
