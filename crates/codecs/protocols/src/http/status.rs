//! HTTP status codes: from the outcome of a call, and to it.
//!
//! Source: docs/wire/http.md section 3, docs/wire/errors.md; RFC 9110 15.
//!
//! | from | to |
//! | --- | --- |
//! | how a handler ended | [`of`]: status of the reply, and the number in `x-bd-error-code` |
//! | status of a reply | [`failure`]: how the call ended at the client |

use super::framing::Broken;
use crate::brpc_error::UNDECIDED;
use crate::reply_fields;
use polywire_call::{Code, Metadata, Native, Origin, Status, brpc};
use polywire_wire::{Role, is_undecided};

/// Bytes of a failed reply's body that go into the message.
const SHOWN: usize = 2048;

macro_rules! reasons {
    ($($code:literal $reason:literal;)*) => {
        /// Reason phrase; empty for codes that RFC 9110 does not know.
        pub(crate) fn reason(code: u16) -> &'static str {
            match code {
                $($code => $reason,)*
                _ => "",
            }
        }
        /// The whole status line of HTTP/1.1, for codes that RFC 9110 knows.
        #[inline]
        pub(crate) fn line(code: u16) -> Option<&'static str> {
            match code {
                $($code => Some(concat!("HTTP/1.1 ", $code, " ", $reason, "\r\n")),)*
                _ => None,
            }
        }
    };
}

reasons! {
    101 "Switching Protocols";
    200 "OK";
    201 "Created";
    202 "Accepted";
    203 "Non-Authoritative Information";
    204 "No Content";
    205 "Reset Content";
    206 "Partial Content";
    300 "Multiple Choices";
    301 "Moved Permanently";
    302 "Found";
    303 "See Other";
    304 "Not Modified";
    307 "Temporary Redirect";
    308 "Permanent Redirect";
    400 "Bad Request";
    401 "Unauthorized";
    402 "Payment Required";
    403 "Forbidden";
    404 "Not Found";
    405 "Method Not Allowed";
    406 "Not Acceptable";
    407 "Proxy Authentication Required";
    408 "Request Timeout";
    409 "Conflict";
    410 "Gone";
    411 "Length Required";
    412 "Precondition Failed";
    413 "Content Too Large";
    414 "URI Too Long";
    415 "Unsupported Media Type";
    416 "Range Not Satisfiable";
    417 "Expectation Failed";
    421 "Misdirected Request";
    422 "Unprocessable Content";
    426 "Upgrade Required";
    428 "Precondition Required";
    429 "Too Many Requests";
    431 "Request Header Fields Too Large";
    499 "Client Closed Request";
    500 "Internal Server Error";
    501 "Not Implemented";
    502 "Bad Gateway";
    503 "Service Unavailable";
    504 "Gateway Timeout";
    505 "HTTP Version Not Supported";
}

/// Status of the reply and the number in `x-bd-error-code` (0: none).
///
/// A status that the handler named ([`Native::Http`]) is kept. Otherwise brpc's table decides by number.
/// Numbers that only polywire produces are 500 in that table; they get the status of their code, and so do an
/// application's own numbers: 500, unless the handler has given such a number to a status with another code.
pub(crate) fn of(status: &Status) -> (u16, i32) {
    let named = match status.native() {
        Native::Http(code @ 200..=599) => Some(code),
        _ => None,
    };
    if status.is_ok() {
        return (named.unwrap_or(200), 0);
    }
    let number = brpc::number(status);
    let by_number = match number {
        brpc::ENOSERVICE | brpc::ENOMETHOD => 404,
        brpc::ERPCAUTH => 401,
        brpc::EREQUEST | brpc::EINVAL => 400,
        brpc::ELIMIT | brpc::ELOGOFF => 503,
        brpc::EPERM => 403,
        brpc::ERPCTIMEDOUT | brpc::ETIMEDOUT => 504,
        _ if matches!(status.native(), Native::Brpc(_)) && brpc::name(number).is_some() => 500,
        _ => match status.code() {
            Code::NotFound => 404,
            Code::AlreadyExists | Code::Aborted => 409,
            Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => 400,
            Code::Unauthenticated => 401,
            Code::PermissionDenied => 403,
            Code::Unimplemented => 404,
            Code::Cancelled => 499,
            Code::ResourceExhausted => 429,
            Code::Unavailable => 503,
            Code::DeadlineExceeded => 504,
            _ => 500,
        },
    };
    // A failure is never sent with a status of success, even if the handler named one.
    (named.filter(|code| *code >= 300).unwrap_or(by_number), number)
}

/// The number that an application has made up for a failure. gRPC and Connect have no place for it, so it
/// travels beside their code as in replies of plain HTTP, in [`ERROR_CODE_FIELD`](super::ERROR_CODE_FIELD).
pub(crate) fn own_number(status: &Status) -> Option<i32> {
    match status.native() {
        Native::Brpc(number) => Some(number).filter(|number| is_own(*number)),
        _ => None,
    }
}

/// A failure by gRPC or Connect with what that field said. Numbers that brpc knows are not read: they would
/// say that the call may be tried again, or that it cannot be.
pub(crate) fn with_own_number(status: Status, said: Option<&[u8]>) -> Status {
    let number = said.and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
    match number.filter(|number| is_own(*number)) {
        Some(number) => status.with_native(Native::Brpc(number)),
        None => status,
    }
}

fn is_own(number: i32) -> bool {
    number != 0 && brpc::name(number).is_none()
}

/// The failure of a call whose reply was not 2xx. `title` is the status line, `error` the value of
/// `x-bd-error-code`.
///
/// The text is that of brpc: `HTTP/1.1 404 Not Found: <first 2048 bytes of the body>`. If the server sent its
/// own error number, that number decides (brpc's flag `use_http_error_code`, here always on), because it
/// identifies the failure and whether a retry is safe; using 1010 EHTTP for all failures does not. Without
/// that number, or if the number is only "internal error" beside a more specific status, the status decides
/// and is kept as [`Native::Http`].
///
/// A server of polywire has the code in a field (`said`), and the text is the body alone.
pub(crate) fn failure(
    code: u16,
    title: &str,
    error: Option<&[u8]>,
    said: Option<Metadata>,
    body: &[u8],
) -> Status {
    let number = error.and_then(|v| std::str::from_utf8(v).ok()?.parse::<i32>().ok()).unwrap_or(0);
    let ours = said.and_then(|said| reply_fields::read_status(&said, |of| ours(code, number, of, body)));
    if let Some(status) = ours {
        let refused = status.is_retryable() && number != 0;
        return if refused { status.with_native(Native::Brpc(number)) } else { status };
    }
    let shown = String::from_utf8_lossy(&body[..body.len().min(SHOWN)]);
    let text = if shown.is_empty() { title.to_owned() } else { format!("{title}: {shown}") };
    let says_less = number == brpc::EHTTP || number == brpc::EINTERNAL && code != 500;
    if number != 0 && !says_less {
        return brpc::received(number, text);
    }
    let status = Status::new(code_of(code), text).with_native(Native::Http(code));
    status.with_origin(Origin::Remote)
}

/// The status of a call that failed at a server of polywire, except for whether it can be retried. An HTTP
/// status that the handler chose is kept, otherwise the number, unless that only stands in for a code for
/// which brpc has no number.
fn ours(http: u16, number: i32, code: Code, body: &[u8]) -> Status {
    let status = Status::new(code, String::from_utf8_lossy(body));
    let native = match number {
        0 => Native::Http(http),
        _ if http != of(&status).0 => Native::Http(http),
        number if brpc::is_stand_in(number, code) => Native::None,
        number => Native::Brpc(number),
    };
    status.with_native(native).with_origin(Origin::Remote)
}

/// The fields of a reply that describe a failure, beside status and number.
pub(crate) struct FailureFields {
    status: String,
    details: Option<String>,
}

impl FailureFields {
    #[cold]
    pub fn of(status: &Status) -> FailureFields {
        FailureFields { status: reply_fields::status_value(status), details: reply_fields::details(status) }
    }

    pub fn fields(&self) -> Vec<(&'static str, &[u8])> {
        let status = (reply_fields::STATUS, self.status.as_bytes());
        let details = self.details.as_ref().map(|details| (reply_fields::DETAILS, details.as_bytes()));
        [Some(status), details].into_iter().flatten().collect()
    }
}

/// The code for an HTTP status that is not a success.
fn code_of(status: u16) -> Code {
    match status {
        400 | 411 | 414..=417 | 422 => Code::InvalidArgument,
        401 | 407 => Code::Unauthenticated,
        403 => Code::PermissionDenied,
        404 | 410 => Code::NotFound,
        405 | 501 | 505 => Code::Unimplemented,
        408 | 504 => Code::DeadlineExceeded,
        409 => Code::Aborted,
        412 | 428 => Code::FailedPrecondition,
        413 | 429 | 431 => Code::ResourceExhausted,
        499 => Code::Cancelled,
        500 => Code::Internal,
        502 | 503 => Code::Unavailable,
        _ => Code::Unknown,
    }
}

/// The status of an exchange that the peer ended early. `reason`: why a server ends the connection.
pub(crate) fn broken(role: Role, how: Broken, reason: Option<&str>) -> Status {
    let reason = || reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    let origin = match how {
        Broken::NoReply | Broken::Cut => Origin::Transport,
        // What came is no reply, so no server has said what the status says.
        Broken::Rules(_) if role == Role::Client => Origin::Transport,
        Broken::Rules(_) | Broken::TooLarge | Broken::Code(_) | Broken::Refused => Origin::Remote,
    };
    let status = match (role, how) {
        (Role::Server, Broken::Rules(what)) => Status::cancelled(what),
        (Role::Server, Broken::TooLarge) => Status::cancelled(LARGE_HEAD),
        (Role::Server, Broken::Code(_) | Broken::Refused) => Status::cancelled("given up by the caller"),
        (Role::Server, _) => Status::cancelled("connection closed inside the request"),
        (Role::Client, Broken::NoReply) => {
            brpc::status(brpc::EEOF, format!("connection closed before the reply{}", reason()))
        }
        // Not `brpc::status`, which means "retry": the server did carry it out.
        (Role::Client, Broken::Cut) => {
            Status::unavailable(format!("connection closed inside the reply{}", reason()))
                .with_native(Native::Brpc(brpc::EEOF))
        }
        (Role::Client, Broken::Rules(what)) => brpc::status(brpc::ERESPONSE, what),
        (Role::Client, Broken::TooLarge) => Status::resource_exhausted(LARGE_HEAD),
        (Role::Client, Broken::Code(code)) => reset(code),
        (Role::Client, Broken::Refused) => {
            Status::unavailable(format!("refused by the server{}, unread", reason())).unprocessed()
        }
    };
    status.with_origin(origin)
}

/// The server ended the call when its time was over.
#[cold]
pub(crate) fn late() -> Status {
    brpc::status(brpc::ERPCTIMEDOUT, "the deadline of the call has passed").with_origin(Origin::Remote)
}

/// The name of an error code of HTTP/2 (RFC 9113 7).
pub(crate) fn code_name(code: u32) -> &'static str {
    const NAMES: [&str; 14] = [
        "NO_ERROR",
        "PROTOCOL_ERROR",
        "INTERNAL_ERROR",
        "FLOW_CONTROL_ERROR",
        "SETTINGS_TIMEOUT",
        "STREAM_CLOSED",
        "FRAME_SIZE_ERROR",
        "REFUSED_STREAM",
        "CANCEL",
        "COMPRESSION_ERROR",
        "CONNECT_ERROR",
        "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY",
        "HTTP_1_1_REQUIRED",
    ];
    NAMES.get(code as usize).copied().unwrap_or("a code of its own")
}

/// The status of a call whose stream the server reset with this code: gRPC's table, which the other dialects
/// share.
fn reset(code: u32) -> Status {
    let text = format!("stream reset: {}", code_name(code));
    match code {
        0x7 => Status::unavailable(text).unprocessed(),
        0x8 => Status::new(Code::Cancelled, text),
        0xb => Status::new(Code::ResourceExhausted, text),
        0xc => Status::new(Code::PermissionDenied, text),
        _ => Status::internal(text),
    }
}

/// Status 415: the body has a compression that is not supported.
pub(crate) fn unsupported_coding() -> Status {
    Status::invalid_argument("content-encoding not supported: send gzip or none")
        .with_native(Native::Http(415))
}

/// A request whose body has taken too long. RFC 9110 15.5.9: "the server did not receive a complete request
/// message within the time that it was prepared to wait".
#[cold]
pub(crate) fn late_body() -> Status {
    let status = Status::deadline_exceeded("the request was not complete in time");
    status.with_native(Native::Http(408)).with_origin(Origin::Remote)
}

/// The answer to an unauthenticated request: 503 if the authenticator could not decide; to a client of brpc,
/// perhaps, 403 with its text; to others 401.
#[cold]
pub(crate) fn unauthenticated(why: Status, brpc: bool) -> Status {
    let detail = if why.message().is_empty() { "" } else { ", " };
    if is_undecided(&why) {
        let text = format!("{UNDECIDED}{detail}{}", why.message());
        return Status::unavailable(text).with_native(Native::Http(503));
    }
    if !brpc {
        let text = if why.message().is_empty() { "no valid credential" } else { why.message() };
        let challenge = why.metadata().get_str("www-authenticate");
        let status = Status::unauthenticated(text).with_native(Native::Http(401));
        return challenge.into_iter().fold(status, |status, it| status.with_metadata("www-authenticate", it));
    }
    // "the built-in verifier sends 403 with text `[1004]Fail to authenticate`"
    let text = format!("[{}]Fail to authenticate{detail}{}", brpc::ERPCAUTH, why.message());
    Status::unauthenticated(text).with_native(Native::Http(403))
}

/// Status 413: the body is longer than the method allows.
pub(crate) fn too_large(limit: usize) -> Status {
    Status::invalid_argument(format!("body longer than {limit} bytes")).with_native(Native::Http(413))
}

const LARGE_HEAD: &str = "more header fields than allowed (Limits::head)";

/// Status 431: the head of a request is longer than allowed.
#[cold]
pub(crate) fn large_head() -> Status {
    Status::resource_exhausted(LARGE_HEAD).with_native(Native::Http(431))
}
