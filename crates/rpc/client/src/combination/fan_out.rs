//! Polls many calls, each only when it was woken: a call to a thousand channels polls for each reply once.

use polywire_base::lock;
use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Wake, Waker},
};

/// Futures that run at once, by their numbers.
pub(crate) struct FanOut<T> {
    running: Vec<Option<Running<T>>>,
    awake: Arc<Awake>,
    left: usize,
}

struct Running<T> {
    work: Pin<Box<dyn Future<Output = T> + Send>>,
    waker: Waker,
}

/// The indexes of the futures that were woken, and the waker of the caller.
#[derive(Default)]
struct Awake(Mutex<State>);

#[derive(Default)]
struct State {
    numbers: Vec<usize>,
    waiting: Option<Waker>,
}

struct Bell {
    number: usize,
    awake: Arc<Awake>,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }
    fn wake_by_ref(self: &Arc<Self>) {
        let waiting = {
            let mut state = lock(&self.awake.0);
            state.numbers.push(self.number);
            state.waiting.take()
        };
        if let Some(waiting) = waiting {
            waiting.wake();
        }
    }
}

impl<T> FanOut<T> {
    pub fn new() -> Self {
        FanOut { running: Vec::new(), awake: Arc::default(), left: 0 }
    }

    /// Adds a future; its number is its position in the order of adding.
    pub fn add(&mut self, work: impl Future<Output = T> + Send + 'static) {
        let number = self.running.len();
        let waker = Waker::from(Arc::new(Bell { number, awake: self.awake.clone() }));
        self.running.push(Some(Running { work: Box::pin(work), waker }));
        lock(&self.awake.0).numbers.push(number);
        self.left += 1;
    }

    /// The number and the result of the next future that ends; `None`: all have ended.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<(usize, T)>> {
        while self.left > 0 {
            let number = {
                let mut state = lock(&self.awake.0);
                match state.numbers.pop() {
                    Some(number) => number,
                    None => {
                        state.waiting = Some(cx.waker().clone());
                        return Poll::Pending;
                    }
                }
            };
            let Some(running) = &mut self.running[number] else { continue };
            let mut own = Context::from_waker(&running.waker);
            if let Poll::Ready(result) = running.work.as_mut().poll(&mut own) {
                self.running[number] = None;
                self.left -= 1;
                return Poll::Ready(Some((number, result)));
            }
        }
        Poll::Ready(None)
    }

    /// Drops the futures that have not ended.
    pub fn cancel(&mut self) {
        self.running.iter_mut().for_each(|running| *running = None);
        self.left = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        future::poll_fn,
        sync::atomic::{AtomicUsize, Ordering::SeqCst},
    };
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn each_is_polled_only_when_it_was_woken() {
        let polls = Arc::new(AtomicUsize::new(0));
        let mut fan_out = FanOut::new();
        let senders: Vec<_> = (0..100)
            .map(|_| {
                let (sender, mut receiver) = oneshot::channel::<usize>();
                let polls = polls.clone();
                fan_out.add(poll_fn(move |cx| {
                    polls.fetch_add(1, SeqCst);
                    Pin::new(&mut receiver).poll(cx)
                }));
                sender
            })
            .collect();
        let mut ended = 0;
        for (number, sender) in senders.into_iter().enumerate().rev() {
            sender.send(number).unwrap();
            if number % 10 > 0 {
                continue;
            }
            for _ in 0..10 {
                let next = poll_fn(|cx| fan_out.poll_next(cx)).await;
                let (at, result) = next.expect("there are more");
                assert_eq!(at, result.unwrap());
                ended += 1;
            }
            let more = poll_fn(|cx| Poll::Ready(fan_out.poll_next(cx).is_pending())).await;
            assert_eq!(more, number > 0);
        }
        assert_eq!(ended, 100);
        assert!(polls.load(SeqCst) <= 200, "{polls:?}");
    }
}
