//! The error numbers of Apache brpc, and what they are in our code space.
//!
//! Source: docs/wire/errors.md; `src/brpc/errno.proto`, `src/brpc/retry_policy.cpp`, `src/brpc/grpc.cpp`.

use crate::{Code, Native, Status};

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $code:ident, $retried:literal, $text:literal;)*) => {
        $($(#[$doc])* pub const $name: i32 = $value;)*

        fn row(number: i32) -> Option<(Code, bool, &'static str)> {
            match number {
                $($value => Some((Code::$code, $retried, $text)),)*
                _ => None,
            }
        }
        /// The name as brpc prints it, `ENOMETHOD`; `None` for an application's own number.
        pub fn name(number: i32) -> Option<&'static str> {
            match number {
                $($value => Some(stringify!($name)),)*
                _ => None,
            }
        }
    };
}

numbers! {
    EPERM = 1, PermissionDenied, false, "Operation not permitted";
    ENOENT = 2, Internal, true, "No such file or directory";
    /// A stream whose peer takes no messages.
    EBADF = 9, FailedPrecondition, false, "Bad file descriptor";
    EAGAIN = 11, Internal, false, "Resource temporarily unavailable";
    EEXIST = 17, AlreadyExists, false, "File exists";
    EINVAL = 22, InvalidArgument, false, "Invalid argument";
    EPIPE = 32, Unavailable, true, "Broken pipe";
    ENODATA = 61, Unavailable, true, "No data available";
    ECONNRESET = 104, Unavailable, true, "Connection reset by peer";
    ETIMEDOUT = 110, Internal, true, "Connection timed out";
    ECONNREFUSED = 111, Unavailable, true, "Connection refused";
    EHOSTDOWN = 112, Unavailable, true, "Host is down";
    ECANCELED = 125, Cancelled, false, "Operation canceled";
    ENOSERVICE = 1001, Unimplemented, false, "No such service";
    ENOMETHOD = 1002, Unimplemented, false, "No such method";
    EREQUEST = 1003, InvalidArgument, false, "Bad request";
    ERPCAUTH = 1004, Unauthenticated, false, "Authentication failed";
    ERPCTIMEDOUT = 1008, DeadlineExceeded, false, "RPC call is timed out";
    EFAILEDSOCKET = 1009, Unavailable, true, "Broken socket";
    EHTTP = 1010, Unknown, false, "Bad http call";
    EOVERCROWDED = 1011, ResourceExhausted, true, "The server is overcrowded";
    EEOF = 1014, Unavailable, true, "Got EOF";
    ESSL = 1016, Unavailable, false, "SSL related operation failed";
    EH2RUNOUTSTREAMS = 1017, Unavailable, true, "The H2 socket was run out of streams";
    EINTERNAL = 2001, Internal, false, "General internal error";
    ERESPONSE = 2002, Internal, false, "Bad response";
    ELOGOFF = 2003, Unavailable, true, "Server is stopping";
    ELIMIT = 2004, ResourceExhausted, true, "Reached server's max_concurrency";
    /// The handler asked to close the connection instead of answering.
    ECLOSE = 2005, Aborted, false, "Close socket initiatively";
}

/// A status from brpc's number and text. Unknown numbers are applications' own: [`Code::Unknown`].
pub fn status(number: i32, text: impl Into<Box<str>>) -> Status {
    if number == 0 {
        return Status::OK;
    }
    let (code, retried, default) = row(number).unwrap_or((Code::Unknown, false, ""));
    let text = text.into();
    let status = Status::new(code, if text.is_empty() { default.into() } else { text });
    let status = status.with_native(Native::Brpc(number));
    if retried { status.retryable() } else { status }
}

/// brpc's number for a status: the one it came with, else the nearest.
pub fn number(status: &Status) -> i32 {
    if let Native::Brpc(number) = status.native() {
        return number;
    }
    match status.code() {
        Code::Ok => 0,
        Code::Cancelled => ECANCELED,
        Code::InvalidArgument => EREQUEST,
        Code::DeadlineExceeded => ERPCTIMEDOUT,
        Code::AlreadyExists => EEXIST,
        Code::PermissionDenied => EPERM,
        Code::ResourceExhausted => ELIMIT,
        Code::Unimplemented => ENOMETHOD,
        Code::Unauthenticated => ERPCAUTH,
        Code::Unavailable if status.is_unprocessed() => ELOGOFF,
        Code::Unknown
        | Code::NotFound
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Internal
        | Code::Unavailable
        | Code::DataLoss => EINTERNAL,
    }
}
