//! Errors of a peer. All of them end the connection; ZMTP has an error command only for the handshake.

use polywire_wire::WireError;

/// A breach of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// The signature is not ZMTP's, or the version is older than 3.0.
    Signature,
    Version,
    /// The peer uses another security mechanism.
    Mechanism,
    /// A frame, message, command or topic longer than allowed, or of more frames.
    TooLarge,
    /// A reserved bit of the flags, or MORE on a command.
    Flags,
    /// A command whose content does not match its name.
    Command,
    /// A command of the handshake at the wrong time, or traffic before its end.
    Order,
    /// READY without a known socket type.
    SocketType,
    /// An identity that is too long or begins with a zero byte.
    Identity,
    /// CURVE: a box that does not open, a nonce that does not rise, a vouch for another key.
    Crypto,
    /// The source of random bytes failed.
    Random,
    /// Nothing arrived in time.
    Silent,
}

impl From<Fault> for WireError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Signature => WireError::BadMagic,
            Fault::TooLarge => WireError::TooLarge,
            Fault::Silent => WireError::Silent,
            Fault::Version => WireError::Malformed("a version of ZMTP before 3.0"),
            Fault::Mechanism => WireError::Malformed("another security mechanism than ours"),
            Fault::Flags => WireError::Malformed("reserved flags of a frame"),
            Fault::Command => WireError::Malformed("a command that does not parse"),
            Fault::Order => WireError::Malformed("traffic out of order"),
            Fault::SocketType => WireError::Malformed("a socket type that we do not talk to"),
            Fault::Identity => WireError::Malformed("an identity that is not allowed"),
            Fault::Crypto => WireError::Malformed("a box that does not open"),
            Fault::Random => WireError::Malformed("no random bytes"),
        }
    }
}
