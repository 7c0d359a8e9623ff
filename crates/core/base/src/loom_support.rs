//! Helpers of the model tests, here and in crate `exchange`.

use loom::{model::Builder, sync::Notify, thread};
use std::{
    sync::Arc,
    task::{Context, Poll, Wake, Waker},
};

/// Runs every interleaving with at most `preemptions` forced switches; switches where a thread waits or ends
/// are free. Two threads get three, which finds every published fault of such queues; more threads get two,
/// because with three the run takes hours.
pub fn model(preemptions: usize, test: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(preemptions));
    builder.check(test);
}

struct Bell(Notify);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.notify();
    }
}

/// Calls `poll` until it is ready, and sleeps where a runtime would. Loom reports a deadlock if `poll` stays
/// pending and no thread wakes it any more.
pub fn block_on<R>(mut poll: impl FnMut(&mut Context<'_>) -> Poll<R>) -> R {
    let bell = Arc::new(Bell(Notify::new()));
    let waker = Waker::from(bell.clone());
    let mut cx = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(result) = poll(&mut cx) {
            return result;
        }
        bell.0.wait();
        // otherwise a task that `register` wakes could keep the waking thread from continuing
        thread::yield_now();
    }
}
