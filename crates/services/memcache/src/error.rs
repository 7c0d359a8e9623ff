//! Errors of operations. A missing value is not an error: reads return `None`.

use polywire_call::{Code, Origin, Status};
use std::fmt;

/// The reason why an operation failed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The value has changed since its CAS was read.
    Exists,
    /// The condition of the write does not hold: `add` of a key that exists, or `replace`, `append` and
    /// `prepend` of one that does not.
    NotStored,
    /// The key does not exist, and a write with CAS needs it.
    Missing,
    /// The server does not accept a value of this length (more than 1 MiB, unless it is configured
    /// otherwise).
    TooLarge,
    /// `incr` or `decr` of a value that is not a decimal number.
    NonNumeric,
    /// The key cannot be sent; no request was sent.
    Key(KeyError),
    /// The operation cannot be written in the channel's protocol, or its options contradict each other;
    /// nothing was sent.
    Unsupported(&'static str),
    /// Another refusal: the status of the binary protocol, or 0 and the line of the text protocol.
    Server {
        /// The status of the binary protocol.
        status: u16,
        /// The text of the server.
        text: String,
    },
    /// The call failed: the connection was lost, time is over, the reply is longer than the channel's limit,
    /// or it is not one.
    Call(Status),
}

/// The reason why a key cannot be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum KeyError {
    /// A key has at least one byte.
    Empty,
    /// The key has more than 250 bytes as it is sent; in base64 that are 187 bytes of the key.
    TooLong,
    /// The key has a space or a control character, and the client does not allow binary keys
    /// ([`Client::binary_keys`](crate::Client::binary_keys)).
    NotText,
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KeyError::Empty => "the key is empty",
            KeyError::TooLong => "the key has more than 250 bytes",
            KeyError::NotText => "the key has a space or a control character",
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Exists => f.write_str("the value has changed since its CAS was read"),
            Error::NotStored => f.write_str("the condition of the write does not hold"),
            Error::Missing => f.write_str("there is no such key"),
            Error::TooLarge => f.write_str("the value is too large for the server"),
            Error::NonNumeric => f.write_str("the value is not a decimal number"),
            Error::Key(why) => why.fmt(f),
            Error::Unsupported(why) => f.write_str(why),
            Error::Server { status: 0, text } => f.write_str(text),
            Error::Server { status, text } => write!(f, "{text} (status {status:#04x})"),
            Error::Call(status) => f.write_str(status.message()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Call(status) => Some(status),
            _ => None,
        }
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        Error::Call(status)
    }
}

/// The status for handlers that pass the error on: ABORTED for [`Error::Exists`], FAILED_PRECONDITION,
/// NOT_FOUND, and so on.
impl From<Error> for Status {
    fn from(error: Error) -> Self {
        let code = match &error {
            Error::Exists => Code::Aborted,
            Error::NotStored | Error::NonNumeric => Code::FailedPrecondition,
            Error::Missing => Code::NotFound,
            Error::TooLarge => Code::ResourceExhausted,
            Error::Key(_) | Error::Unsupported(_) => {
                return Status::invalid_argument(error.to_string()).with_origin(Origin::Local);
            }
            Error::Server { .. } => Code::Unknown,
            Error::Call(status) => return status.clone(),
        };
        Status::new(code, error.to_string()).with_origin(Origin::Remote)
    }
}
