//! Two futures at once.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    task::Poll,
};

/// The output of that of two futures which is ready first.
pub async fn first<A, B>(
    one: impl Future<Output = A>,
    other: impl Future<Output = B>,
) -> (Option<A>, Option<B>) {
    let (mut one, mut other) = (pin!(one), pin!(other));
    poll_fn(|cx| match one.as_mut().poll(cx) {
        Poll::Ready(one) => Poll::Ready((Some(one), None)),
        Poll::Pending => other.as_mut().poll(cx).map(|other| (None, Some(other))),
    })
    .await
}
