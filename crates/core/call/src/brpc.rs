//! The error numbers of Apache brpc, and the codes that they map to.
//!
//! Source: docs/wire/errors.md; `src/brpc/errno.proto`, `src/brpc/retry_policy.cpp`, `src/brpc/grpc.cpp`.

use crate::{Code, Native, Origin, Status};

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
    /// A stream whose peer accepts no messages.
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
    /// The number that is sent for a handler's [`Code::ResourceExhausted`]: clients do not retry it, whereas
    /// all of them retry [`ELIMIT`].
    EDQUOT = 122, ResourceExhausted, false, "Quota exceeded";
    ECANCELED = 125, Cancelled, false, "Operation canceled";
    ENOSERVICE = 1001, Unimplemented, false, "No such service";
    ENOMETHOD = 1002, Unimplemented, false, "No such method";
    EREQUEST = 1003, InvalidArgument, false, "Bad request";
    ERPCAUTH = 1004, Unauthenticated, false, "Authentication failed";
    ETOOMANYFAILS = 1005, Unavailable, false, "Too many sub calls failed";
    ERPCTIMEDOUT = 1008, DeadlineExceeded, false, "RPC call is timed out";
    EFAILEDSOCKET = 1009, Unavailable, true, "Broken socket";
    EHTTP = 1010, Unknown, false, "Bad http call";
    EOVERCROWDED = 1011, ResourceExhausted, true, "The server is overcrowded";
    EEOF = 1014, Unavailable, true, "Got EOF";
    ESSL = 1016, Unavailable, false, "SSL related operation failed";
    EH2RUNOUTSTREAMS = 1017, Unavailable, true, "The H2 socket was run out of streams";
    /// The client's balancer refuses the call, because too few servers are ready again.
    EREJECT = 1018, Unavailable, false, "The request is rejected";
    EINTERNAL = 2001, Internal, false, "General internal error";
    ERESPONSE = 2002, Internal, false, "Bad response";
    ELOGOFF = 2003, Unavailable, true, "Server is stopping";
    ELIMIT = 2004, ResourceExhausted, true, "Reached server's max_concurrency";
    /// The handler asked to close the connection instead of answering.
    ECLOSE = 2005, Aborted, false, "Close socket initiatively";
}

/// A status of this side from brpc's number and text. Unknown numbers are the application's own and become
/// [`Code::Unknown`].
pub fn status(number: i32, text: impl Into<Box<str>>) -> Status {
    let status = plain(number, text);
    if is_retried(number) { status.retryable() } else { status }
}

/// A status that a peer sent. brpc's clients retry after every number for which [`is_retried`] is true. Here
/// only the numbers are retried with which a server refuses a call that it has not begun ([`is_refusal`]): a
/// reply with one of the others may stem from a call that the handler itself made.
pub fn received(number: i32, text: impl Into<Box<str>>) -> Status {
    let status = plain(number, text).with_origin(Origin::Remote);
    if is_refusal(number) { status.retryable() } else { status }
}

/// A status that a peer sent with a polywire code in addition to its number. It comes from a handler and is
/// not retried automatically. The number is kept, unless it only stands for a code for which brpc has no
/// number.
pub fn explained(number: i32, code: Code, text: impl Into<Box<str>>) -> Status {
    let status = Status::new(code, text).with_origin(Origin::Remote);
    if is_stand_in(number, code) { status } else { status.with_native(Native::Brpc(number)) }
}

/// Whether the number only stands for this code, and otherwise means a different one.
pub fn is_stand_in(number: i32, code: Code) -> bool {
    number == of_code(code, false) && self::code(number) != code
}

/// The code that a number maps to.
pub fn code(number: i32) -> Code {
    match number {
        0 => Code::Ok,
        number => row(number).map_or(Code::Unknown, |(code, ..)| code),
    }
}

fn plain(number: i32, text: impl Into<Box<str>>) -> Status {
    if number == 0 {
        return Status::OK;
    }
    let (code, _, default) = row(number).unwrap_or((Code::Unknown, false, ""));
    let text = text.into();
    let status = Status::new(code, if text.is_empty() { default.into() } else { text });
    status.with_native(Native::Brpc(number))
}

/// Whether brpc's clients retry after this number.
pub fn is_retried(number: i32) -> bool {
    row(number).is_some_and(|(_, retried, _)| retried)
}

/// Whether this number means that the server has not begun the call, because it is at its limit or stopping.
pub fn is_refusal(number: i32) -> bool {
    matches!(number, ELIMIT | ELOGOFF | EOVERCROWDED)
}

/// brpc's number for a status: the one it was received with, or else the nearest. Only
/// [unprocessed](Status::is_unprocessed) statuses get the numbers with which a server refuses calls.
pub fn number(status: &Status) -> i32 {
    match status.native() {
        Native::Brpc(number) => number,
        _ => of_code(status.code(), status.is_unprocessed()),
    }
}

fn of_code(code: Code, unprocessed: bool) -> i32 {
    match code {
        Code::Ok => 0,
        Code::Cancelled => ECANCELED,
        Code::InvalidArgument => EREQUEST,
        Code::DeadlineExceeded => ERPCTIMEDOUT,
        Code::AlreadyExists => EEXIST,
        Code::PermissionDenied => EPERM,
        Code::ResourceExhausted if unprocessed => ELIMIT,
        Code::ResourceExhausted => EDQUOT,
        Code::Unimplemented => ENOMETHOD,
        Code::Unauthenticated => ERPCAUTH,
        Code::Unavailable if unprocessed => ELOGOFF,
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
