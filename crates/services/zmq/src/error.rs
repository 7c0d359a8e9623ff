//! Errors of sockets.

use std::{fmt, io};

/// An error of the socket itself, returned to its user. Errors of peers end their connections and are
/// reported by monitors.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The socket was closed (ETERM).
    Closed,
    /// No peer has room now, and the call does not wait (EAGAIN).
    Full,
    /// No message has arrived, and the call does not wait (EAGAIN).
    Empty,
    /// There was no room, or no message, within the time limit (EAGAIN).
    TimedOut,
    /// REQ, REP: send and receive must alternate (EFSM).
    OutOfTurn,
    /// ROUTER: no peer has this name, where that is an error (EHOSTUNREACH).
    Unroutable,
    /// This kind of socket does not support the operation (ENOTSUP).
    Unsupported(&'static str),
    /// The address is invalid, or cannot be used here; the text explains why.
    Address(String),
    /// Options contradict each other; the text names them.
    Options(String),
    /// The system returned an error.
    Io(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Closed => f.write_str("the socket is closed"),
            Error::Full => f.write_str("no peer has room"),
            Error::Empty => f.write_str("no message is here"),
            Error::TimedOut => f.write_str("the time limit has passed"),
            Error::OutOfTurn => f.write_str("requests and replies take turns"),
            Error::Unroutable => f.write_str("no peer has this name"),
            Error::Unsupported(what) => write!(f, "this kind of socket does not {what}"),
            Error::Address(what) | Error::Options(what) => f.write_str(what),
            Error::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}
