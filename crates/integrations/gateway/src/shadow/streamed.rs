//! The copy of a call that streams: its messages wait here until the shadow takes them, and what the shadow
//! answers is thrown away.
//!
//! The call never waits for its copy: of a shadow that is slower so many messages wait, and then the copy
//! ends.
//! Limits: [`MOST_BYTES`] in [`MOST_MESSAGES`] of one copy, within the budget of all copies of the shadow.

use super::{Shadow, answers::Holding, counts::Fate};
use crate::first::first;
use polywire_base::{IoBuf, lock};
use polywire_call::{Origin, Status};
use polywire_client::{Stream, StreamingCall, sleep, spawn};
use polywire_wire::Part;
use std::{
    collections::VecDeque,
    future::{IntoFuture, poll_fn},
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker, ready},
};

pub const MOST_BYTES: usize = 1 << 20;
pub const MOST_MESSAGES: usize = 1000;

/// The call's end of its copy. Dropped before the caller has finished, it ends the copy.
pub struct Streamed(Arc<Queue>);

struct Queue {
    waiting: Mutex<Waiting>,
    held: Arc<Holding>,
}

#[derive(Default)]
struct Waiting {
    messages: VecDeque<IoBuf>,
    bytes: usize,
    end: Option<End>,
    /// Of the copy.
    waker: Option<Waker>,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    /// The caller sends no more.
    Finished,
    /// The call is over, or its copy is.
    Over,
}

impl Streamed {
    /// Opens the copy.
    pub fn open(shadow: Arc<Shadow>, held: Arc<Holding>, call: StreamingCall<Stream>) -> Streamed {
        let queue = Arc::new(Queue { waiting: Mutex::default(), held });
        shadow.counts.add(Fate::Sent);
        spawn(copy(shadow, queue.clone(), call));
        Streamed(queue)
    }

    /// A message of the caller. Returns whether there is room for it; if not, the copy is over.
    pub fn message(&self, message: IoBuf) -> bool {
        let mut waiting = lock(&self.0.waiting);
        if waiting.end.is_some() {
            return true; // the shadow has ended it
        }
        let bytes = waiting.bytes.saturating_add(message.len());
        let is_full =
            waiting.messages.len() == MOST_MESSAGES || bytes > MOST_BYTES && !waiting.messages.is_empty();
        if is_full || !self.0.held.more(message.len()) {
            self.0.end(&mut waiting, End::Over);
            return false;
        }
        waiting.bytes = bytes;
        waiting.messages.push_back(message);
        waiting.waker.take().into_iter().for_each(Waker::wake);
        true
    }

    /// The caller sends no more: the copy has the time of the shadow to end.
    pub fn finish(&self) {
        self.0.end(&mut lock(&self.0.waiting), End::Finished);
    }
}

impl Drop for Streamed {
    fn drop(&mut self) {
        self.0.end(&mut lock(&self.0.waiting), End::Over);
    }
}

impl Queue {
    fn end(&self, waiting: &mut Waiting, end: End) {
        waiting.end.get_or_insert(end);
        if waiting.end == Some(End::Over) {
            waiting.messages.clear();
            self.held.less(std::mem::take(&mut waiting.bytes));
        }
        waiting.waker.take().into_iter().for_each(Waker::wake);
    }

    /// The next message; `None`: there are no more.
    fn poll_next(&self, cx: &mut Context<'_>) -> Poll<Option<IoBuf>> {
        let mut waiting = lock(&self.waiting);
        if let Some(message) = waiting.messages.pop_front() {
            waiting.bytes -= message.len();
            self.held.less(message.len());
            return Poll::Ready(Some(message));
        }
        if waiting.end == Some(End::Finished) {
            return Poll::Ready(None);
        }
        // If it is over, the copy is dropped: its half does not seem to end in order.
        waiting.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// How the call ends.
    async fn ended(&self) -> End {
        poll_fn(|cx| {
            let mut waiting = lock(&self.waiting);
            waiting.waker = Some(cx.waker().clone());
            waiting.end.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}

/// Makes the call to the shadow, and ends it when nobody waits for it any more.
async fn copy(shadow: Arc<Shadow>, queue: Arc<Queue>, call: StreamingCall<Stream>) {
    let late = async {
        if queue.ended().await == End::Finished {
            sleep(shadow.timeout).await;
            shadow.counts.add(Fate::Failed);
        }
    };
    let (_, ended) = first(late, copied(&queue, call)).await;
    // No server has answered.
    if ended.is_some_and(|ended| ended.is_err_and(|status| status.origin() != Origin::Remote)) {
        shadow.counts.add(Fate::Failed);
    }
    let mut waiting = lock(&queue.waiting);
    waiting.end = Some(End::Over);
    queue.end(&mut waiting, End::Over);
}

/// Both directions at once, until the shadow has ended.
async fn copied(queue: &Queue, call: StreamingCall<Stream>) -> Result<(), Status> {
    let mut stream = call.into_future().await?;
    let (mut next, mut is_open) = (None, true);
    poll_fn(|cx| {
        while is_open {
            if next.is_none() {
                match queue.poll_next(cx) {
                    Poll::Ready(Some(message)) => next = Some(Part::message(message)),
                    Poll::Ready(None) => {
                        stream.finish();
                        is_open = false;
                        break;
                    }
                    Poll::Pending => break,
                }
            }
            match stream.poll_send(&mut next, cx) {
                Poll::Ready(sent) => is_open = sent.is_ok(), // if not, the answer says why
                Poll::Pending => break,
            }
        }
        loop {
            match ready!(stream.poll_next(cx)) {
                Some(Ok(_)) => {}
                Some(Err(status)) => return Poll::Ready(Err(status)),
                None => return Poll::Ready(Ok(())),
            }
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::{super::counts::Counts, *};

    #[test]
    fn so_many_messages_and_bytes_wait_and_none_when_it_is_over() {
        let counts = Arc::new(Counts::new("", ""));
        let begun = || {
            let held = Holding::new(&counts, counts.budget.take(0).expect("room"));
            Streamed(Arc::new(Queue { waiting: Mutex::default(), held }))
        };
        let fits = |copy: &Streamed, bytes: usize| copy.message(vec![0; bytes].into());
        let many = begun();
        assert_eq!((0..2 * MOST_MESSAGES).position(|_| !fits(&many, 0)), Some(MOST_MESSAGES));
        let long = begun();
        assert_eq!((0..100).position(|_| !fits(&long, MOST_BYTES / 4)), Some(4));
        let longest = begun();
        assert!(fits(&longest, 2 * MOST_BYTES), "a message of any length, if none waits");
        assert_eq!(counts.budget.held(), (3, 2 * MOST_BYTES));
        assert!(!fits(&longest, 1));
        assert_eq!(counts.budget.held(), (3, 0));
        drop((many, long, longest));
        assert_eq!(counts.budget.held(), (0, 0));
    }
}
