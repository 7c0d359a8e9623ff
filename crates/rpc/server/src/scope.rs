//! The tasks that a call's handler spawned, which end with the call. Also wakes the tasks that wait for the
//! call's end.

use polywire_call::Status;
use std::{
    future::Future,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard},
    task::{Context, Poll, Waker},
};
use tokio::task::AbortHandle;

/// The scope of one call.
#[derive(Default)]
pub(crate) struct Scope {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    over: bool,
    children: Vec<AbortHandle>,
    /// Woken when the call is over.
    waiting: Vec<Waker>,
    /// The status of the first child that failed.
    failed: Option<Status>,
    /// Number of children that are being polled now. A child's effects on the handler, such as the end of a
    /// queue, may be visible before the child has returned its error: the handler waits until these polls
    /// have returned.
    polled: u32,
    /// The handler's task, woken when a child fails.
    handler: Option<Waker>,
    /// Whether the handler also waits for the children that are being polled.
    settling: bool,
}

impl Scope {
    fn lock(&self) -> MutexGuard<'_, State> {
        polywire_base::lock(&self.state)
    }

    /// Runs `work` on the work pool until the call is over.
    pub fn spawn(self: &Arc<Self>, work: impl Future<Output = Result<(), Status>> + Send + 'static) {
        let child = Child { work: Some(Box::pin(work)), scope: self.clone() };
        let task = tokio::spawn(child);
        let mut state = self.lock();
        state.children.retain(|child| !child.is_finished());
        state.children.push(task.abort_handle());
    }

    /// Ready when the call is over.
    pub fn poll_over(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if state.over {
            return Poll::Ready(());
        }
        if !state.waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
            state.waiting.push(cx.waker().clone());
        }
        Poll::Pending
    }

    /// Ready when a child has failed.
    pub fn poll_failed(&self, cx: &mut Context<'_>) -> Poll<Status> {
        let mut state = self.lock();
        match &state.failed {
            Some(status) => Poll::Ready(status.clone()),
            None => state.wait(cx),
        }
    }

    /// Called when the handler has returned: ready with the error of a child that failed before.
    pub fn poll_settled(&self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        let mut state = self.lock();
        match &state.failed {
            Some(status) => Poll::Ready(Err(status.clone())),
            None if state.polled > 0 => {
                state.settling = true;
                state.wait(cx)
            }
            None => Poll::Ready(Ok(())),
        }
    }

    /// Ends the call: its children are dropped.
    pub fn end(&self) {
        let mut state = self.lock();
        state.over = true;
        let (children, waiting) = (mem::take(&mut state.children), mem::take(&mut state.waiting));
        drop(state);
        children.iter().for_each(AbortHandle::abort);
        waiting.into_iter().for_each(Waker::wake);
    }
}

impl State {
    fn wait<R>(&mut self, cx: &Context<'_>) -> Poll<R> {
        if !self.handler.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            self.handler = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}

/// A task that the handler spawned.
struct Child {
    /// `None` once it has ended.
    work: Option<Pin<Box<dyn Future<Output = Result<(), Status>> + Send>>>,
    scope: Arc<Scope>,
}

impl Future for Child {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let Some(work) = &mut this.work else { return Poll::Ready(()) };
        this.scope.lock().polled += 1;
        let polled = catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx)))
            .unwrap_or_else(|_| Poll::Ready(Err(Status::internal("what the handler spawned has panicked"))));
        if polled.is_ready() {
            this.work = None;
        }
        let mut state = this.scope.lock();
        state.polled -= 1;
        if let Poll::Ready(Err(status)) = &polled {
            state.failed.get_or_insert_with(|| status.clone());
        }
        let settled = state.settling && state.polled == 0;
        let told = if state.failed.is_some() || settled { state.handler.take() } else { None };
        drop(state);
        if let Some(handler) = told {
            handler.wake();
        }
        polled.map(|_| ())
    }
}
