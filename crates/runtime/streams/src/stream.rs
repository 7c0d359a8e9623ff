//! A bounded queue between the task that produces messages and the stream that a handler returns.

use futures_core::Stream;
use polywire_call::Status;
use std::{
    pin::Pin,
    task::{Context, Poll},
};
use tokio::sync::mpsc;

/// A sender, and a stream of the messages that it sends. At most `capacity` messages wait between them, so a
/// slow peer slows the sender; 0 counts as 1.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// let (sender, mut answers) = polywire_streams::stream(16);
/// sender.send("hi").await?;
/// drop(sender);
/// assert_eq!(answers.next().await, Some(Ok("hi")));
/// assert_eq!(answers.next().await, None);
/// # Ok::<(), polywire_call::Status>(())
/// # }).unwrap();
/// ```
pub fn stream<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::channel(capacity.max(1));
    (Sender { queue: sender }, Receiver { queue: receiver })
}

/// The sending end. The stream ends when its last clone is dropped.
pub struct Sender<T> {
    queue: mpsc::Sender<Result<T, Status>>,
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Sender { queue: self.queue.clone() }
    }
}

impl<T> Sender<T> {
    /// Sends a message when there is room.
    ///
    /// # Errors
    /// CANCELLED when the stream was dropped: its call has ended.
    ///
    /// # Cancel safety
    /// A dropped future has sent nothing.
    pub async fn send(&self, message: T) -> Result<(), Status> {
        self.queue.send(Ok(message)).await.map_err(|_| gone())
    }

    /// Ends the stream with `status`, after the messages that were sent before.
    ///
    /// # Errors
    /// The errors of [`Sender::send`].
    pub async fn fail(self, status: Status) -> Result<(), Status> {
        self.queue.send(Err(status)).await.map_err(|_| gone())
    }

    /// Resolves when the stream was dropped.
    pub async fn closed(&self) {
        self.queue.closed().await;
    }
}

#[cold]
fn gone() -> Status {
    Status::cancelled("the stream is over")
}

/// The receiving end: a [`Stream`], to be returned by a handler.
#[must_use = "a stream that is dropped stops its sender"]
pub struct Receiver<T> {
    queue: mpsc::Receiver<Result<T, Status>>,
}

impl<T> Receiver<T> {
    /// The next message; `None` once every sender was dropped.
    pub async fn next(&mut self) -> Option<Result<T, Status>> {
        self.queue.recv().await
    }
}

impl<T> Stream for Receiver<T> {
    type Item = Result<T, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.queue.poll_recv(cx)
    }
}
