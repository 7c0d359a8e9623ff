//! Layers of `tower` around the calls of a server, over every protocol.
//!
//! A call is a request of our own type, [`Call`]: layers that are generic over the request (limits, timeouts,
//! load shedding, `map_err`) fit, and those for `http::Request` do not.

use super::BoxError;
use crate::{Context, Ended, Middleware, Next};
use polywire_call::Status;
use std::{
    convert::Infallible,
    future::{Future, poll_fn},
    pin::Pin,
    task::{self, Poll},
};
use tower_service::Service;

type Answering<E> = Pin<Box<dyn Future<Output = Result<Ended, E>> + Send>>;

/// A call on its way through layers.
pub struct Call {
    pub cx: Context,
    pub next: Next,
}

/// What layers are put around: further middleware, then the handler.
#[derive(Clone, Copy, Debug)]
pub struct Rest(());

impl Service<Call> for Rest {
    type Response = Ended;
    type Error = Infallible;
    type Future = Answering<Infallible>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, Call { cx, next }: Call) -> Self::Future {
        Box::pin(async move { Ok(next.run(cx).await) })
    }
}

/// Middleware made of layers: `layered(|rest| TimeoutLayer::new(limit).layer(rest))`.
///
/// Each call gets a clone of what `wrap` returns, once that is ready. A layer that fails ends the call with
/// its error, if that is a [`Status`], and with UNAVAILABLE otherwise; `map_err` makes other ones.
pub fn layered<S>(wrap: impl FnOnce(Rest) -> S) -> impl Middleware
where
    S: Service<Call, Response = Ended, Error: Into<BoxError> + Send, Future: Send>,
    S: Clone + Send + Sync + 'static,
{
    Layered(wrap(Rest(())))
}

struct Layered<S>(S);

impl<S> Middleware for Layered<S>
where
    S: Service<Call, Response = Ended, Error: Into<BoxError> + Send, Future: Send>,
    S: Clone + Send + Sync + 'static,
{
    fn call(&self, cx: Context, next: Next) -> Pin<Box<dyn Future<Output = Ended> + Send>> {
        let mut service = self.0.clone();
        Box::pin(async move {
            let answered = match poll_fn(|task| service.poll_ready(task)).await {
                Ok(()) => service.call(Call { cx, next }).await,
                Err(error) => Err(error),
            };
            answered.unwrap_or_else(|error| status_of(error.into()).into())
        })
    }
}

#[cold]
fn status_of(error: BoxError) -> Status {
    match error.downcast() {
        Ok(status) => *status,
        Err(error) => Status::unavailable(error.to_string()),
    }
}
