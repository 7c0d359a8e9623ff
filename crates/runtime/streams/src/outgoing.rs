//! The sending half of a stream.

use crate::{Form, Item};
use futures_core::Stream;
use polywire_call::Status;
use polywire_exchange::Sink;
use polywire_wire::Part;
use std::{
    future::poll_fn,
    marker::PhantomData,
    pin::pin,
    task::{Context, Poll},
};

/// The sending half of a stream. Dropping it ends that half in order; the other half continues.
///
/// ```
/// # mod polywire { pub use {polywire_call::*, polywire_formats::wkt, polywire_streams::*}; }
/// use polywire::{Outgoing, Status, wkt::UInt64Value};
///
/// async fn count(mut outgoing: Outgoing<UInt64Value>) -> Result<(), Status> {
///     for number in 0..10 {
///         outgoing.send(UInt64Value { value: number }).await?; // waits while the peer does not read
///     }
///     outgoing.finish();
///     Ok(())
/// }
/// ```
#[must_use = "a sending half that is dropped has ended"]
pub struct Outgoing<T> {
    /// `None` once this half is over.
    sink: Option<Sink>,
    form: Form,
    message: PhantomData<fn(T)>,
}

impl<T: Item> Outgoing<T> {
    pub fn new(sink: Sink, form: Form) -> Self {
        Outgoing { sink: Some(sink), form, message: PhantomData }
    }

    /// Sends a message when there is room: a slow peer makes this wait.
    ///
    /// # Errors
    /// CANCELLED when the call is over; its receiving half has the reason. FAILED_PRECONDITION after
    /// [`Outgoing::finish`]. EREQUEST if the message cannot be encoded, RESOURCE_EXHAUSTED if it is too long.
    ///
    /// # Cancel safety
    /// A dropped future has either queued the message or dropped it.
    pub async fn send(&mut self, message: T) -> Result<(), Status> {
        let mut part = Some(self.form.checked(message.to_part(&self.form)?)?);
        poll_fn(|cx| self.poll_send(&mut part, cx)).await
    }

    /// Sends all messages of a stream, as fast as the peer reads them. Does not end this half.
    ///
    /// # Errors
    /// The errors of [`Outgoing::send`].
    pub async fn send_all(&mut self, messages: impl Stream<Item = T>) -> Result<(), Status> {
        let mut messages = pin!(messages);
        while let Some(message) = poll_fn(|cx| messages.as_mut().poll_next(cx)).await {
            self.send(message).await?;
        }
        Ok(())
    }

    /// Ends this half; the peer's half continues.
    pub fn finish(&mut self) {
        self.sink = None;
    }

    /// Like [`Sink::poll_send`], with a part in its sent form.
    ///
    /// # Errors
    /// The errors of that method; FAILED_PRECONDITION after [`Outgoing::finish`].
    pub fn poll_send(&mut self, part: &mut Option<Part>, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        match &mut self.sink {
            Some(sink) => sink.poll_send(part, cx),
            None => Poll::Ready(Err(Status::failed_precondition("this half of the stream was finished"))),
        }
    }
}
