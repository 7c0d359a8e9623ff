//! Waits for a condition without a notification. A test that can wait for a channel or a notification does
//! that instead.

use std::{
    future::poll_fn,
    task::Poll,
    thread,
    time::{Duration, Instant},
};

/// A condition that takes longer has failed, even on a slow machine.
const NEVER: Duration = Duration::from_secs(60);

/// Waits until `holds` is true; all other tasks and threads run between two checks. Needs no runtime and no
/// timer, so it works where time is virtual, too.
///
/// # Panics
/// After a minute of real time; the text is `what`.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    poll_fn(|cx| {
        if holds() {
            return Poll::Ready(());
        }
        assert!(began.elapsed() < NEVER, "waited too long for this: {what}");
        thread::yield_now();
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::until;
    use std::{
        cell::Cell,
        pin::pin,
        task::{Context, Waker},
    };

    #[test]
    fn it_looks_once_in_each_poll_and_ends_when_it_sees_what_it_waits_for() {
        let looks = Cell::new(0);
        let mut waiting = pin!(until("the third look", || {
            looks.set(looks.get() + 1);
            looks.get() == 3
        }));
        let cx = &mut Context::from_waker(Waker::noop());
        for look in 1..=3 {
            assert_eq!(waiting.as_mut().poll(cx).is_ready(), look == 3);
            assert_eq!(looks.get(), look);
        }
    }
}
