//! TApplicationException: how a call failed, unless by an exception that its method declares.
//!
//! | status of a call at the server | type |
//! | --- | --- |
//! | of [`ExceptionType::status`] | that one |
//! | UNIMPLEMENTED: no such method | 1 UNKNOWN_METHOD |
//! | EREQUEST: the arguments cannot be read | 7 PROTOCOL_ERROR |
//! | any other | 6 INTERNAL_ERROR |
//!
//! A refusal, which a client may retry, has its number before the text, as brpc has it:
//! `[E2004]the server is busy`.
//!
//! A client converts it to a status: UNIMPLEMENTED for types 1, 8, 9, 10, 20 and 21; INTERNAL for types 2
//! to 7; UNKNOWN for any other; unless the text contains a brpc number, which decides then.
//! [`ExceptionType::of`] returns the type.
//!
//! Source: docs/wire/thrift.md; lib/cpp/src/thrift/TApplicationException.h of Apache Thrift;
//! pkg/remote/trans_errors.go of Kitex

use polywire_call::{Code, Native, Origin, Status, brpc};
use polywire_formats::thrift::{Error, Reader, Type, Value, Writer};

/// The reason why a call failed, in the numbers of Apache Thrift. Other implementations may send other
/// numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ExceptionType(pub i32);

impl ExceptionType {
    pub const UNKNOWN: Self = Self(0);
    /// The server has no such method.
    pub const UNKNOWN_METHOD: Self = Self(1);
    /// A message whose type does not belong there.
    pub const INVALID_MESSAGE_TYPE: Self = Self(2);
    /// A reply to another method.
    pub const WRONG_METHOD_NAME: Self = Self(3);
    /// A reply to another call.
    pub const BAD_SEQUENCE_ID: Self = Self(4);
    /// A reply without a result.
    pub const MISSING_RESULT: Self = Self(5);
    /// The handler failed.
    pub const INTERNAL_ERROR: Self = Self(6);
    /// Arguments that cannot be read.
    pub const PROTOCOL_ERROR: Self = Self(7);
    pub const INVALID_TRANSFORM: Self = Self(8);
    pub const INVALID_PROTOCOL: Self = Self(9);
    pub const UNSUPPORTED_CLIENT_TYPE: Self = Self(10);
    /// Kitex: the server has no such service, or none that is known by the name of the method alone.
    pub const UNKNOWN_SERVICE: Self = Self(20);
    /// Kitex: the call names no service, although it has to.
    pub const NO_SERVICE_NAME: Self = Self(21);

    /// A status that a server sends as an exception of this type, or that a client has received so.
    pub fn status(self, text: impl Into<Box<str>>) -> Status {
        let code = match self.0 {
            1 | 8..=10 | 20 | 21 => Code::Unimplemented,
            2..=7 => Code::Internal,
            _ => Code::Unknown,
        };
        Status::new(code, text).with_metadata(FIELD, self.0.to_string())
    }

    /// The type of the exception that a status was received as.
    pub fn of(status: &Status) -> Option<ExceptionType> {
        status.metadata().get_str(FIELD)?.parse().ok().map(ExceptionType)
    }
}

/// The field of a status that has the type.
pub(super) const FIELD: &str = "thrift-exception-type";

/// The body of a message of type EXCEPTION.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ApplicationException {
    pub message: String,
    pub kind: ExceptionType,
}

impl ApplicationException {
    /// The exception that answers a call which failed with this status.
    #[cold]
    pub(super) fn of(status: &Status) -> Self {
        let number = match status.native() {
            Native::Brpc(number) => number,
            _ => 0,
        };
        let kind = ExceptionType::of(status).unwrap_or(match status.code() {
            Code::Unimplemented => ExceptionType::UNKNOWN_METHOD,
            _ if number == brpc::EREQUEST => ExceptionType::PROTOCOL_ERROR,
            _ => ExceptionType::INTERNAL_ERROR,
        });
        let message = match brpc::is_refusal(number) {
            true => format!("[E{number}]{}", status.message()),
            false => status.message().to_owned(),
        };
        ApplicationException { message, kind }
    }

    /// The status of a call that was answered by this exception.
    #[cold]
    pub(super) fn into_status(self) -> Status {
        let Some(number) = number_in(&self.message) else {
            return self.kind.status(self.message).with_origin(Origin::Remote);
        };
        let status = brpc::received(number, self.message);
        status.with_metadata(FIELD, self.kind.0.to_string())
    }
}

/// The number of brpc in a text: `[E2004]busy`, or `[10.0.0.1:80][E2004]busy`.
fn number_in(text: &str) -> Option<i32> {
    let after_address = || text.strip_prefix('[')?.split_once("][E").map(|(_, rest)| rest);
    let rest = text.strip_prefix("[E").or_else(after_address)?;
    let (digits, _) = rest.split_once(']')?;
    digits.parse().ok().filter(|&number| number > 0)
}

/// Source: docs/wire/thrift.md, "EXCEPTION body"
impl Value for ApplicationException {
    const TYPE: Type = Type::Struct;

    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let mut exception = ApplicationException::default();
        let outer = from.begin_struct()?;
        while let Some((id, kind)) = from.field()? {
            match (id, kind) {
                (1, Type::Binary) => {
                    exception.message = String::from_utf8_lossy(&from.binary()?).into_owned();
                }
                (2, Type::I32) => exception.kind = ExceptionType(from.i32()?),
                (_, kind) => from.skip(kind)?,
            }
        }
        from.end_struct(outer);
        Ok(exception)
    }

    fn write<W: Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.field(1, Type::Binary);
        to.string(&self.message);
        to.field(2, Type::I32);
        to.i32(self.kind.0);
        to.end_struct(outer);
    }
}
