//! Failures in the form that drivers understand.

use crate::{Command, Document, ErrorCode};
use polywire_call::{Code, Status};
use polywire_protocols::mongo::error_document;
use std::{error, fmt};

/// A command that failed: MongoDB's number of the reason, and a text. A [`Status`] becomes one by
/// [`ErrorCode::of`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    code: ErrorCode,
    message: String,
    /// The status for counters and logs of the server.
    status: Code,
}

impl Error {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Error { code, message: message.into(), status: code.status_code() }
    }

    /// The failure of a command that the service does not have: 59 CommandNotFound, with MongoDB's text.
    pub fn unknown(command: &Command) -> Self {
        Error::new(ErrorCode::COMMAND_NOT_FOUND, format!("no such command: '{}'", command.name()))
    }

    pub fn code(&self) -> ErrorCode {
        self.code
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    /// The document of the error: `{ok: 0, errmsg, code, codeName}`.
    pub(crate) fn document(&self) -> Document {
        error_document(self.code, &self.message)
    }

    pub(crate) fn into_status(self) -> Status {
        Status::new(self.status, self.message)
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        let code = ErrorCode::of(&status);
        Error { code, message: status.message().to_owned(), status: status.code() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} {})", self.message, self.code.number, self.code.name)
    }
}

impl error::Error for Error {}
