//! Methods of a service, as client and server see them.

use polywire_call::Status;
use polywire_formats::thrift::{Error, Reader, Type, Value, Writer};
use polywire_protocols::thrift::ExceptionType;
use polywire_server::Context;
use std::future::Future;

/// A method of a service, for its clients: a type without fields, which generated code has.
pub trait Method: Send + Sync + 'static {
    /// The method's name as it is sent, without the service.
    const NAME: &'static str;
    /// Whether the method has no reply.
    const ONEWAY: bool = false;
    /// The struct of the arguments.
    type Args: Value + Send + 'static;
    /// The struct of the result, whose fields are the value, with the id 0, and the declared exceptions.
    type Result: Value + Send + 'static;
    /// The type of the method's result; `()` for `void`.
    type Success: Send + 'static;
    /// The error type of the method: a [`Status`], or an enum of the declared exceptions and a status.
    type Failure: From<Status> + Send + 'static;

    /// The result struct for a handler's outcome.
    ///
    /// # Errors
    /// The handler failed, and not by a declared exception.
    fn into_result(outcome: Result<Self::Success, Self::Failure>) -> Result<Self::Result, Status>;

    /// The result as the caller sees it.
    ///
    /// # Errors
    /// A declared exception; or the result is empty although the method returns a value.
    fn from_result(result: Self::Result) -> Result<Self::Success, Self::Failure>;
}

/// A method that a service of type `Impl` serves.
pub trait Served<Impl: Send + Sync + 'static>: Method {
    fn call(
        service: &Impl,
        cx: &Context,
        args: Self::Args,
    ) -> impl Future<Output = Result<Self::Success, Self::Failure>> + Send;
}

/// The status of a call of a method that returns a value and was answered without one.
#[cold]
pub fn missing_result(method: &str) -> Status {
    ExceptionType::MISSING_RESULT.status(format!("{method} failed: unknown result"))
}

/// The result of a method that returns a `T` and declares no exception.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Returned<T>(pub Option<T>);

impl<T> Returned<T> {
    /// The value.
    ///
    /// # Errors
    /// [`missing_result`].
    pub fn take(self, method: &str) -> Result<T, Status> {
        self.0.ok_or_else(|| missing_result(method))
    }
}

impl<T: Value> Value for Returned<T> {
    const TYPE: Type = Type::Struct;

    #[inline]
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let mut returned = None;
        let outer = from.begin_struct()?;
        while let Some((id, kind)) = from.field()? {
            if id == 0 && kind == T::TYPE {
                returned = Some(T::read(from)?);
            } else {
                from.skip(kind)?;
            }
        }
        from.end_struct(outer);
        Ok(Returned(returned))
    }

    #[inline]
    fn write<W: Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        if let Some(returned) = &self.0 {
            to.field(0, T::TYPE);
            returned.write(to);
        }
        to.end_struct(outer);
    }
}

/// A struct without fields: the result of a `void` method that declares no exception, and the arguments of a
/// method that takes none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Nothing;

impl Value for Nothing {
    const TYPE: Type = Type::Struct;

    #[inline]
    fn read<R: Reader>(from: &mut R) -> Result<Self, Error> {
        let outer = from.begin_struct()?;
        while let Some((_, kind)) = from.field()? {
            from.skip(kind)?;
        }
        from.end_struct(outer);
        Ok(Nothing)
    }

    #[inline]
    fn write<W: Writer>(&self, to: &mut W) {
        let outer = to.begin_struct();
        to.end_struct(outer);
    }
}
