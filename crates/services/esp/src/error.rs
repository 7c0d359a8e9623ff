//! Errors of calls.

use crate::Frame;
use polywire_base::IoBuf;
use polywire_call::Status;
use std::{error, fmt};

/// A failed call, with the server's reply, if there was one.
#[derive(Clone, Debug)]
pub struct Error {
    status: Status,
    reply: Option<Box<Frame>>,
}

impl Error {
    /// `status`: its details are the frame of a reply, or empty.
    pub(crate) fn new(status: Status) -> Self {
        let reply = Frame::from_bytes(IoBuf::copy_from_slice(status.details())).map(Box::new);
        Error { status: status.with_details(Vec::new()), reply }
    }

    /// The status of the failed call. ENOENT (2) of brpc's numbers means that the server has answered, see
    /// [`Error::reply`].
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// The reply of the server, whose `msg` is not 0; `None`: no reply arrived.
    pub fn reply(&self) -> Option<&Frame> {
        self.reply.as_deref()
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        Error { status, reply: None }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        error.status
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.status.fmt(f)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.status)
    }
}
