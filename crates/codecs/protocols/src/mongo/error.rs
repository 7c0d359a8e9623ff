//! Failures as documents: `{ok: 0, errmsg, code, codeName}`.
//!
//! Source: MongoDB's table of error codes, `error_codes.yml` of its server

use polywire_call::{Code, Status, brpc};
use polywire_formats::bson::Document;

/// A number of MongoDB's, and its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ErrorCode {
    pub number: i32,
    pub name: &'static str,
}

macro_rules! codes {
    ($($constant:ident = $number:literal $name:literal;)*) => {
        /// The codes that statuses are converted to, and others that handlers often need.
        impl ErrorCode {
            $(pub const $constant: ErrorCode = ErrorCode { number: $number, name: $name };)*
        }
    };
}

codes! {
    INTERNAL_ERROR = 1 "InternalError";
    BAD_VALUE = 2 "BadValue";
    UNAUTHORIZED = 13 "Unauthorized";
    TYPE_MISMATCH = 14 "TypeMismatch";
    AUTHENTICATION_FAILED = 18 "AuthenticationFailed";
    INVALID_BSON = 22 "InvalidBSON";
    NAMESPACE_NOT_FOUND = 26 "NamespaceNotFound";
    CURSOR_NOT_FOUND = 43 "CursorNotFound";
    NAMESPACE_EXISTS = 48 "NamespaceExists";
    MAX_TIME_MS_EXPIRED = 50 "MaxTimeMSExpired";
    COMMAND_NOT_FOUND = 59 "CommandNotFound";
    WRITE_CONFLICT = 112 "WriteConflict";
    SHUTDOWN_IN_PROGRESS = 91 "ShutdownInProgress";
    EXCEEDED_MEMORY_LIMIT = 146 "ExceededMemoryLimit";
    UNSUPPORTED_OP_QUERY_COMMAND = 352 "UnsupportedOpQueryCommand";
    BSON_OBJECT_TOO_LARGE = 10334 "BSONObjectTooLarge";
    NO_DATABASE = 40571 "Location40571";
    DUPLICATE_KEY = 11000 "DuplicateKey";
    INTERRUPTED = 11601 "Interrupted";
}

impl ErrorCode {
    /// The one for a status.
    ///
    /// | status | number |
    /// | --- | --- |
    /// | the server stops (ELOGOFF) | 91 ShutdownInProgress, after which clients try elsewhere |
    /// | INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE | 2 BadValue |
    /// | UNIMPLEMENTED | 59 CommandNotFound |
    /// | PERMISSION_DENIED | 13 Unauthorized |
    /// | UNAUTHENTICATED | 18 AuthenticationFailed |
    /// | NOT_FOUND, ALREADY_EXISTS | 26 NamespaceNotFound, 48 NamespaceExists |
    /// | DEADLINE_EXCEEDED | 50 MaxTimeMSExpired |
    /// | CANCELLED | 11601 Interrupted |
    /// | RESOURCE_EXHAUSTED | 146 ExceededMemoryLimit |
    /// | ABORTED | 112 WriteConflict |
    /// | all others | 1 InternalError |
    pub fn of(status: &Status) -> ErrorCode {
        if brpc::number(status) == brpc::ELOGOFF {
            return ErrorCode::SHUTDOWN_IN_PROGRESS;
        }
        match status.code() {
            Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => ErrorCode::BAD_VALUE,
            Code::Unimplemented => ErrorCode::COMMAND_NOT_FOUND,
            Code::PermissionDenied => ErrorCode::UNAUTHORIZED,
            Code::Unauthenticated => ErrorCode::AUTHENTICATION_FAILED,
            Code::NotFound => ErrorCode::NAMESPACE_NOT_FOUND,
            Code::AlreadyExists => ErrorCode::NAMESPACE_EXISTS,
            Code::DeadlineExceeded => ErrorCode::MAX_TIME_MS_EXPIRED,
            Code::Cancelled => ErrorCode::INTERRUPTED,
            Code::ResourceExhausted => ErrorCode::EXCEEDED_MEMORY_LIMIT,
            Code::Aborted => ErrorCode::WRITE_CONFLICT,
            _ => ErrorCode::INTERNAL_ERROR,
        }
    }

    /// The status code of one of these, by the same table; UNKNOWN for all other numbers.
    pub fn status_code(self) -> Code {
        match self {
            ErrorCode::INTERNAL_ERROR => Code::Internal,
            ErrorCode::BAD_VALUE | ErrorCode::TYPE_MISMATCH | ErrorCode::INVALID_BSON => {
                Code::InvalidArgument
            }
            ErrorCode::COMMAND_NOT_FOUND => Code::Unimplemented,
            ErrorCode::UNAUTHORIZED => Code::PermissionDenied,
            ErrorCode::AUTHENTICATION_FAILED => Code::Unauthenticated,
            ErrorCode::NAMESPACE_NOT_FOUND | ErrorCode::CURSOR_NOT_FOUND => Code::NotFound,
            ErrorCode::NAMESPACE_EXISTS | ErrorCode::DUPLICATE_KEY => Code::AlreadyExists,
            ErrorCode::MAX_TIME_MS_EXPIRED => Code::DeadlineExceeded,
            ErrorCode::INTERRUPTED => Code::Cancelled,
            ErrorCode::EXCEEDED_MEMORY_LIMIT => Code::ResourceExhausted,
            ErrorCode::WRITE_CONFLICT => Code::Aborted,
            ErrorCode::SHUTDOWN_IN_PROGRESS => Code::Unavailable,
            _ => Code::Unknown,
        }
    }
}

/// The document of a command that failed.
pub fn error_document(code: ErrorCode, text: &str) -> Document {
    let document = Document::builder().put("ok", 0.0).put("errmsg", text);
    document.put("code", code.number).put("codeName", code.name).build()
}
