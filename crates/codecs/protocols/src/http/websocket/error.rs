//! The faults of a peer.

use super::close::{Close, code};
use polywire_wire::WireError;

/// A fault of the peer: the connection is closed with [`Fault::code`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The peer broke a rule of RFC 6455.
    Protocol(&'static str),
    /// Text that is not UTF-8.
    Text,
    /// A compressed message that cannot be inflated.
    Deflate,
    /// A frame or a message longer than allowed.
    TooLong,
}

impl Fault {
    /// The code of the Close frame that answers the fault.
    pub fn code(self) -> u16 {
        match self {
            Fault::Protocol(_) => code::PROTOCOL_ERROR,
            Fault::Text | Fault::Deflate => code::INVALID,
            Fault::TooLong => code::TOO_LONG,
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Fault::Protocol(text) => text,
            Fault::Text => "text that is not UTF-8",
            Fault::Deflate => "compressed message that cannot be inflated",
            Fault::TooLong => "message longer than allowed",
        }
    }

    /// The Close frame that answers the fault.
    pub fn close(self) -> Close {
        Close::new(self.code(), self.text())
    }
}

/// The counter that the fault belongs to.
impl From<Fault> for WireError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::TooLong => WireError::TooLarge,
            fault => WireError::Malformed(fault.text()),
        }
    }
}
