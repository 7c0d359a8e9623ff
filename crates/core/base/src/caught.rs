//! Code of an application that runs on a thread of ours: its panic ends that code, not the thread.

use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

/// Runs code whose panic must end nothing else. What it was changing may be half done.
///
/// # Errors
/// The text of its panic, which may quote data of callers: for logs, not for peers.
pub fn caught<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(code)).map_err(|panic| text_of(&*panic))
}

/// Like [`caught`], for a future and the code that makes it. It is not polled again after a panic.
///
/// # Errors
/// As there.
pub async fn caught_future<F: Future + Unpin>(make: impl FnOnce() -> F) -> Result<F::Output, String> {
    Caught(Some(caught(make)?)).await
}

struct Caught<F>(Option<F>);

impl<F: Future + Unpin> Future for Caught<F> {
    type Output = Result<F::Output, String>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let future = self.0.as_mut().expect("not polled after it was ready");
        let polled = match caught(|| Pin::new(future).poll(cx)) {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(text) => Err(text),
        };
        // What it owns may panic as well when it goes.
        let future = self.0.take();
        Poll::Ready(caught(|| drop(future)).and(polled))
    }
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{future::poll_fn, panic::panic_any, task::Waker};

    #[test]
    fn a_panic_is_its_text() {
        assert_eq!(caught(|| 1), Ok(1));
        assert_eq!(caught(|| panic!("plain")), Err::<(), _>("plain".into()));
        assert_eq!(caught(|| panic!("made {}", 2)), Err::<(), _>("made 2".into()));
        assert_eq!(caught(|| panic_any(3)), Err::<(), _>("no text".into()));
    }

    #[test]
    fn a_future_that_panics_in_its_second_poll_ends_with_the_text() {
        let mut polls = 0;
        let mut future = Caught(Some(poll_fn(|_| -> Poll<()> {
            polls += 1;
            assert!(polls < 2, "the second");
            Poll::Pending
        })));
        let cx = &mut Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut future).poll(cx).is_pending());
        assert_eq!(Pin::new(&mut future).poll(cx), Poll::Ready(Err("the second".into())));
    }

    #[test]
    fn a_future_whose_end_panics_ends_with_the_text() {
        struct Ends;
        impl Drop for Ends {
            fn drop(&mut self) {
                panic!("at its end");
            }
        }
        let ends = Ends;
        let mut future = Caught(Some(poll_fn(move |_| {
            let _ = &ends;
            Poll::Ready(())
        })));
        let cx = &mut Context::from_waker(Waker::noop());
        assert_eq!(Pin::new(&mut future).poll(cx), Poll::Ready(Err("at its end".into())));
    }
}
