//! The result of a call.

use crate::{Metadata, brpc};
use std::{error, fmt};

/// The codes of gRPC. A number that a protocol uses itself is kept in addition, see [`Native`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Code {
    #[default]
    /// The call succeeded: there is a reply.
    Ok = 0,
    /// The call was cancelled, usually by its caller.
    Cancelled = 1,
    /// A failure without further information, such as another system's own code.
    Unknown = 2,
    /// The request is wrong, whatever the state of the system.
    InvalidArgument = 3,
    /// The deadline passed first. The handler may have run.
    DeadlineExceeded = 4,
    /// The requested object does not exist.
    NotFound = 5,
    /// The object to be created exists already.
    AlreadyExists = 6,
    /// The caller is known and must not do this.
    PermissionDenied = 7,
    /// A quota, or space, is used up.
    ResourceExhausted = 8,
    /// The system is not in the state that the call needs.
    FailedPrecondition = 9,
    /// A conflict with another call, such as a lost transaction.
    Aborted = 10,
    /// Past the end, such as reading after the last record.
    OutOfRange = 11,
    /// The method does not exist or is not supported.
    Unimplemented = 12,
    /// An invariant is broken: a bug of the server.
    Internal = 13,
    /// The service cannot be reached or cannot answer now.
    Unavailable = 14,
    /// Data is lost or corrupt and cannot be recovered.
    DataLoss = 15,
    /// The call has no credential, or a wrong one.
    Unauthenticated = 16,
}

impl Code {
    /// All codes, in the order of their numbers.
    pub const ALL: [Code; 17] = [
        Code::Ok,
        Code::Cancelled,
        Code::Unknown,
        Code::InvalidArgument,
        Code::DeadlineExceeded,
        Code::NotFound,
        Code::AlreadyExists,
        Code::PermissionDenied,
        Code::ResourceExhausted,
        Code::FailedPrecondition,
        Code::Aborted,
        Code::OutOfRange,
        Code::Unimplemented,
        Code::Internal,
        Code::Unavailable,
        Code::DataLoss,
        Code::Unauthenticated,
    ];

    /// The code with this name, see [`Code::name`].
    pub fn by_name(name: &str) -> Option<Code> {
        Code::ALL.into_iter().find(|code| code.name() == name)
    }

    /// The name in gRPC's documents, `DEADLINE_EXCEEDED`.
    pub fn name(self) -> &'static str {
        match self {
            Code::Ok => "OK",
            Code::Cancelled => "CANCELLED",
            Code::Unknown => "UNKNOWN",
            Code::InvalidArgument => "INVALID_ARGUMENT",
            Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Code::NotFound => "NOT_FOUND",
            Code::AlreadyExists => "ALREADY_EXISTS",
            Code::PermissionDenied => "PERMISSION_DENIED",
            Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
            Code::FailedPrecondition => "FAILED_PRECONDITION",
            Code::Aborted => "ABORTED",
            Code::OutOfRange => "OUT_OF_RANGE",
            Code::Unimplemented => "UNIMPLEMENTED",
            Code::Internal => "INTERNAL",
            Code::Unavailable => "UNAVAILABLE",
            Code::DataLoss => "DATA_LOSS",
            Code::Unauthenticated => "UNAUTHENTICATED",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The number that a protocol itself uses, kept so that it survives a round trip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Native {
    #[default]
    None,
    /// brpc's error number, or an application's own.
    Brpc(i32),
    /// HTTP status, 100 to 599.
    Http(u16),
}

/// The place where a failure arose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Origin {
    /// On this side: invalid use, deadline, cancellation.
    #[default]
    Local,
    /// At the peer, which sent the status.
    Remote,
    /// Between this side and the peer: connect, reset, end of stream.
    Transport,
}

/// The result of a call. Success is the default and costs nothing to make.
///
/// ```
/// # mod polywire { pub use polywire_call::*; }
/// use polywire::{Code, Status};
///
/// // In a handler; `?` and `Err(..)` end the call with it.
/// fn find(sku: &str) -> Result<u32, Status> {
///     match sku {
///         "" => Err(Status::invalid_argument("no sku")),
///         "lamp" => Ok(3),
///         other => Err(Status::not_found(format!("no item {other}")).with_metadata("x-searched", "main")),
///     }
/// }
///
/// // At the caller, the same over every protocol that has a place for it:
/// let status = find("chair").unwrap_err();
/// assert_eq!(status.code(), Code::NotFound);
/// assert_eq!(status.message(), "no item chair");
/// assert_eq!(status.metadata().get_str("x-searched"), Some("main"));
/// ```
#[derive(Clone, PartialEq, Default)]
#[must_use]
pub struct Status {
    code: Code,
    origin: Origin,
    retryable: bool,
    unprocessed: bool,
    begun: bool,
    native: Native,
    detail: Option<Box<Detail>>,
}

#[derive(Clone, PartialEq, Default)]
struct Detail {
    message: Box<str>,
    /// `google.rpc.Status` in protobuf, if the peer or the handler gave details.
    details: Vec<u8>,
    /// Fields sent with the status: gRPC trailers, HTTP header fields.
    metadata: Metadata,
}

const _: () = assert!(size_of::<Status>() <= 24);

impl Status {
    /// The field of a failure with the pause that a server asks for before another try, in milliseconds; a
    /// negative number forbids further tries. Source: gRFC A6.
    pub const RETRY_PUSHBACK: &'static str = "grpc-retry-pushback-ms";

    /// Success, without details or fields.
    pub const OK: Status = Status {
        code: Code::Ok,
        origin: Origin::Local,
        retryable: false,
        unprocessed: false,
        begun: false,
        native: Native::None,
        detail: None,
    };

    /// A status with this code and text, from this side.
    pub fn new(code: Code, message: impl Into<Box<str>>) -> Self {
        let message = message.into();
        let detail = (!message.is_empty()).then(|| Box::new(Detail { message, ..Detail::default() }));
        Status { code, detail, ..Status::OK }
    }

    /// The call was cancelled, usually by its caller.
    pub fn cancelled(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::Cancelled, message)
    }
    /// A failure without further information, such as another system's own code.
    pub fn unknown(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::Unknown, message)
    }
    /// The request is wrong whatever the state of the system; [`out_of_range`](Status::out_of_range) and
    /// [`failed_precondition`](Status::failed_precondition) depend on that state.
    pub fn invalid_argument(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::InvalidArgument, message)
    }
    /// The deadline passed first. The handler may have run.
    pub fn deadline_exceeded(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::DeadlineExceeded, message)
    }
    /// The requested object does not exist.
    pub fn not_found(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::NotFound, message)
    }
    /// The object to be created exists already.
    pub fn already_exists(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::AlreadyExists, message)
    }
    /// The caller is known and must not do this.
    pub fn permission_denied(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::PermissionDenied, message)
    }
    /// A quota, or space, is used up. It is marked as sent by a handler: clients do not mistake it for a
    /// server that refused the call unread, and do not retry it automatically.
    pub fn resource_exhausted(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::ResourceExhausted, message)
    }
    /// The system is not in the state that the call needs: the caller has to change it before another try.
    pub fn failed_precondition(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::FailedPrecondition, message)
    }
    /// A conflict with another call, such as a lost transaction: the caller may repeat the whole sequence of
    /// calls.
    pub fn aborted(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::Aborted, message)
    }
    /// Past the end, such as reading after the last record; unlike an invalid argument it may become valid.
    pub fn out_of_range(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::OutOfRange, message)
    }
    /// The method does not exist or is not supported.
    pub fn unimplemented(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::Unimplemented, message)
    }
    /// An invariant is broken: a bug of the server.
    pub fn internal(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::Internal, message)
    }
    /// The service cannot be reached or cannot answer now. Sent by a handler, it is not retried
    /// automatically: only the handler's author knows which side effects it had. A service config can enable
    /// retries for a method.
    pub fn unavailable(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::Unavailable, message)
    }
    /// Data is lost or corrupt and cannot be recovered.
    pub fn data_loss(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::DataLoss, message)
    }
    /// The call has no credential, or a wrong one.
    pub fn unauthenticated(message: impl Into<Box<str>>) -> Self {
        Status::new(Code::Unauthenticated, message)
    }

    /// Whether the call succeeded.
    #[inline]
    pub fn is_ok(&self) -> bool {
        matches!(self.code, Code::Ok)
    }
    /// The code that callers act on.
    pub fn code(&self) -> Code {
        self.code
    }
    /// The text for developers, empty if there is none.
    pub fn message(&self) -> &str {
        self.detail.as_ref().map_or("", |d| &d.message)
    }
    /// Details of the error: a `google.rpc.Status` in protobuf, empty if there are none. `polywire::rpc`
    /// reads it.
    pub fn details(&self) -> &[u8] {
        self.detail.as_ref().map_or(&[], |d| &d.details)
    }
    /// Fields sent with the status: gRPC trailers, HTTP header fields, baidu_std user fields.
    pub fn metadata(&self) -> &Metadata {
        static NONE: Metadata = Metadata::new();
        self.detail.as_ref().map_or(&NONE, |d| &d.metadata)
    }
    /// The place where the failure arose.
    pub fn origin(&self) -> Origin {
        self.origin
    }
    /// The protocol's own number, if it has one.
    pub fn native(&self) -> Native {
        self.native
    }
    /// Whether another attempt may succeed and does no harm in itself.
    pub fn is_retryable(&self) -> bool {
        self.retryable || self.unprocessed
    }
    /// Whether the peer did nothing with the call (never written, REFUSED_STREAM, above GOAWAY's last id), so
    /// that a retry is safe.
    pub fn is_unprocessed(&self) -> bool {
        self.unprocessed
    }
    /// At a client: whether the head of a reply arrived before the call failed. gRPC does not retry such a
    /// call.
    pub fn is_begun(&self) -> bool {
        self.begun
    }

    /// Sets the number of a protocol, which is sent to peers that speak that protocol.
    pub fn with_native(self, native: Native) -> Self {
        Status { native, ..self }
    }
    /// Sets the origin; a new status has [`Origin::Local`].
    pub fn with_origin(self, origin: Origin) -> Self {
        Status { origin, ..self }
    }
    /// Marks the status as retryable, see [`Status::is_retryable`].
    pub fn retryable(self) -> Self {
        Status { retryable: true, ..self }
    }
    /// Marks the status as unprocessed, see [`Status::is_unprocessed`].
    pub fn unprocessed(self) -> Self {
        Status { unprocessed: true, ..self }
    }
    /// Marks the reply as begun, see [`Status::is_begun`].
    pub fn begun(self) -> Self {
        Status { begun: true, ..self }
    }
    /// Turns the status of a call that a handler made into the handler's own. The marks for retries
    /// (retryable, unprocessed) are removed, because they do not apply to the handler, which did run. So is a
    /// brpc number that means refusal or a failed connection, since peers would attribute it to this server;
    /// one that the handler set itself is kept.
    #[cold]
    pub fn of_handler(self) -> Self {
        let passed_on = self.unprocessed || self.origin != Origin::Local;
        let native = match self.native {
            Native::Brpc(number) if passed_on && brpc::is_retried(number) => Native::None,
            native => native,
        };
        Status { retryable: false, unprocessed: false, begun: false, origin: Origin::Local, native, ..self }
    }
    /// Replaces the message, a text for people. Code and details stay.
    pub fn with_message(mut self, message: impl Into<Box<str>>) -> Self {
        self.detail.get_or_insert_default().message = message.into();
        self
    }
    /// Replaces the details: a `google.rpc.Status` in protobuf. `polywire::rpc` makes it from messages.
    pub fn with_details(mut self, details: Vec<u8>) -> Self {
        self.detail.get_or_insert_default().details = details;
        self
    }
    /// Adds a field that is sent with the status.
    pub fn with_metadata(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.detail.get_or_insert_default().metadata.append(name, value);
        self
    }
    /// Replaces the fields that are sent after the reply.
    pub fn with_trailers(mut self, metadata: Metadata) -> Self {
        self.detail.get_or_insert_default().metadata = metadata;
        self
    }
    /// Takes its fields out.
    pub fn take_metadata(&mut self) -> Metadata {
        self.detail.as_mut().map(|d| std::mem::take(&mut d.metadata)).unwrap_or_default()
    }
}

/// The result of a span, from the status of its call.
impl From<&Status> for polywire_trace::End {
    fn from(status: &Status) -> Self {
        if status.is_ok() {
            return polywire_trace::End::ok();
        }
        let code = status.code();
        let message = polywire_trace::bounded(status.message()).into();
        polywire_trace::End { number: brpc::number(status), code: code.name(), grpc: code as u8, message }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.native {
            Native::None => write!(f, "{}", self.code)?,
            Native::Brpc(n) => write!(f, "{} (brpc {n})", self.code)?,
            Native::Http(n) => write!(f, "{} (HTTP {n})", self.code)?,
        }
        if !self.message().is_empty() {
            write!(f, ": {}", self.message())?;
        }
        Ok(())
    }
}
impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Status({self}, {:?}", self.origin)?;
        if self.is_retryable() {
            f.write_str(", retryable")?;
        }
        if self.unprocessed {
            f.write_str(", unprocessed")?;
        }
        if self.begun {
            f.write_str(", begun")?;
        }
        f.write_str(")")
    }
}
impl error::Error for Status {}

#[cfg(test)]
mod tests {
    use super::{Code, Status};

    #[test]
    fn the_text_for_developers_says_what_may_be_tried_again() {
        let status = Status::unavailable("x");
        assert_eq!(format!("{status:?}"), "Status(UNAVAILABLE: x, Local)");
        let unprocessed = status.unprocessed();
        assert!(unprocessed.is_retryable());
        assert_eq!(format!("{unprocessed:?}"), "Status(UNAVAILABLE: x, Local, retryable, unprocessed)");
    }

    #[test]
    fn each_code_but_that_of_success_has_a_constructor() {
        let made = [
            Status::cancelled("x"),
            Status::unknown("x"),
            Status::invalid_argument("x"),
            Status::deadline_exceeded("x"),
            Status::not_found("x"),
            Status::already_exists("x"),
            Status::permission_denied("x"),
            Status::resource_exhausted("x"),
            Status::failed_precondition("x"),
            Status::aborted("x"),
            Status::out_of_range("x"),
            Status::unimplemented("x"),
            Status::internal("x"),
            Status::unavailable("x"),
            Status::data_loss("x"),
            Status::unauthenticated("x"),
        ];
        assert_eq!(made.each_ref().map(Status::code), Code::ALL[1..]);
        assert!(made.iter().all(|status| status.message() == "x"));
    }
}
