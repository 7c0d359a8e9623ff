//! Functions that can be called by name: closures and functions of serializable values.

use polywire_call::Status;
use polywire_server::Context;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::future::Future;

/// Values that can be sent and received: all types with serde's derives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is nothing that rest_rpc can send",
    note = "derive serde's `Serialize` and `Deserialize` for it; of a function that can fail the result is `Result<_, Status>`"
)]
pub trait Value: Serialize + Deserialize<'static> + Send + 'static {}
impl<T: Serialize + Deserialize<'static> + Send + 'static> Value for T {}

/// A function that can be called by name: `|a: i32, b: i32| a + b`, with up to ten arguments and optionally a
/// [`Context`] before them. It returns a [`Value`], or a `Result` of one and [`Status`], or a future of
/// either.
///
/// `M` marks the form of the function; the compiler infers it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function that rest_rpc can call",
    note = "its arguments are owned values with serde's `Deserialize`, up to ten, a `Context` before them if wanted",
    note = "it gives a value with `Serialize` and `Deserialize`, a `Result<_, Status>` of one, or a future of either"
)]
pub trait Function<M>: Send + Sync + 'static {
    /// The arguments as a tuple.
    type Arguments: DeserializeOwned + Send + 'static;
    type Value: Value;

    fn call(
        &self,
        cx: Context,
        arguments: Self::Arguments,
    ) -> impl Future<Output = Result<Self::Value, Status>> + Send;
}

/// The return types of a function.
pub trait Returns<M>: Send {
    type Value: Value;
    fn settle(self) -> impl Future<Output = Result<Self::Value, Status>> + Send;
}

/// The result type of a function.
pub trait Outcome<M>: Send {
    type Value: Value;
    fn result(self) -> Result<Self::Value, Status>;
}

/// Markers for the forms of functions: their return types, and whether they return a future.
pub struct Always;
pub struct Fallible;
pub struct Now<M>(M);
pub struct Later<M>(M);

impl<T: Value> Outcome<Always> for T {
    type Value = T;
    fn result(self) -> Result<T, Status> {
        Ok(self)
    }
}

impl<T: Value> Outcome<Fallible> for Result<T, Status> {
    type Value = T;
    fn result(self) -> Result<T, Status> {
        self
    }
}

impl<M, T: Outcome<M>> Returns<Now<M>> for T {
    type Value = T::Value;
    async fn settle(self) -> Result<T::Value, Status> {
        self.result()
    }
}

impl<M, F: Future<Output: Outcome<M>> + Send> Returns<Later<M>> for F {
    type Value = <F::Output as Outcome<M>>::Value;
    async fn settle(self) -> Result<Self::Value, Status> {
        self.await.result()
    }
}

macro_rules! functions {
    ($(($($argument:ident)*))*) => {$(
        #[allow(non_snake_case, unused_variables)]
        impl<F, M, R, $($argument),*> Function<(M, ($($argument,)*))> for F
        where
            F: Fn($($argument),*) -> R + Send + Sync + 'static,
            R: Returns<M>,
            $($argument: DeserializeOwned + Send + 'static,)*
        {
            type Arguments = ($($argument,)*);
            type Value = R::Value;
            async fn call(&self, cx: Context, arguments: Self::Arguments) -> Result<R::Value, Status> {
                let ($($argument,)*) = arguments;
                self($($argument),*).settle().await
            }
        }

        #[allow(non_snake_case)]
        impl<F, M, R, $($argument),*> Function<(Context, M, ($($argument,)*))> for F
        where
            F: Fn(Context, $($argument),*) -> R + Send + Sync + 'static,
            R: Returns<M>,
            $($argument: DeserializeOwned + Send + 'static,)*
        {
            type Arguments = ($($argument,)*);
            type Value = R::Value;
            async fn call(&self, cx: Context, arguments: Self::Arguments) -> Result<R::Value, Status> {
                let ($($argument,)*) = arguments;
                self(cx, $($argument),*).settle().await
            }
        }
    )*};
}

functions! {
    () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E G) (A B C D E G H) (A B C D E G H I) (A B C D E G H I J)
    (A B C D E G H I J K)
}
