//! The counters of one load thread: what its callers have done, and whether they may continue.
//!
//! Callers of a thread share them without a lock, through a thread-local. Once a second, and when the last
//! caller has ended, the counts so far are sent to the thread that collects them.

use super::{
    open::Schedule,
    tally::{Tally, reply_bytes},
};
use crate::redis;
use polywire::{Origin, Raw, Reply, Status};
use std::{
    cell::RefCell,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::*},
    },
    task::{Poll, Waker},
    time::{Duration, Instant},
};
use tokio::sync::mpsc::UnboundedSender;

/// How often counts are published.
const PERIOD: Duration = Duration::from_secs(1);

/// A thread's share of the load.
pub struct Share {
    /// Number of callers that will [`leave`].
    pub callers: usize,
    /// Number of calls that may begin.
    pub calls: u64,
    pub start: Instant,
    /// No call begins after this instant.
    pub until: Option<Instant>,
    /// Set to end the run early.
    pub stop: Arc<AtomicBool>,
    pub tallies: UnboundedSender<Tally>,
    /// Open loop: the planned times of calls.
    pub schedule: Option<Schedule>,
    /// Whether replies are RESP: one that begins with `-` or `!` is an error.
    pub redis: bool,
}

struct Book {
    share: Share,
    tally: Tally,
    publish_at: Instant,
    /// Open loop: the next planned call.
    planned: u64,
    /// Open loop: wakers of callers that wait for the next planned call.
    idle: Vec<Waker>,
}

thread_local! {
    static BOOK: RefCell<Option<Box<Book>>> = const { RefCell::new(None) };
}

/// Starts the thread's counters. One run at a time.
pub fn enter(share: Share) {
    let publish_at = share.start + PERIOD;
    let book = Book { share, tally: Tally::new(), publish_at, planned: 0, idle: Vec::new() };
    BOOK.set(Some(Box::new(book)));
}

/// Called when a caller has ended. The last one publishes the rest.
pub fn leave() {
    let closed = BOOK.with_borrow_mut(|open| {
        let book = open.as_mut()?;
        book.share.callers -= 1;
        if book.share.callers == 0 { open.take() } else { None }
    });
    let Some(mut book) = closed else { return };
    book.tally.unsent += book.unsent();
    book.publish();
}

/// Publishes the counts so far, for a run that is aborted.
pub fn publish() {
    with(|book| book.publish());
}

fn with<T: Default>(f: impl FnOnce(&mut Book) -> T) -> T {
    BOOK.with_borrow_mut(|book| book.as_mut().map(|book| f(book)).unwrap_or_default())
}

/// Counts messages of a stream.
pub fn passed(messages: u64) {
    with(|book| book.tally.messages += messages);
}

/// Whether a call may begin; if so, it is counted as begun.
pub fn begin(now: Instant) -> bool {
    with(|book| book.begin(now))
}

/// Counts a call that began at `start` and has ended; returns whether another may begin. Hot path: once per
/// call.
#[inline]
pub fn ended(
    start: Instant,
    end: Instant,
    request_bytes: usize,
    result: &Result<Reply<Raw>, Status>,
) -> Next {
    BOOK.with_borrow_mut(|book| {
        let Some(book) = book else { return Next::Stop };
        let mut next = Next::Go;
        match result {
            Ok(reply) if !(book.share.redis && redis::is_error(reply)) => {
                book.tally.succeeded(end - start, request_bytes + reply_bytes(reply));
                book.tally.in_time += u64::from(book.share.until.is_none_or(|until| end <= until));
            }
            other => {
                if book.fail(other, end - start) {
                    next = Next::Pause;
                }
            }
        }
        if end >= book.publish_at {
            book.publish();
            book.publish_at = end + PERIOD;
        }
        match next {
            // With a schedule, the next call begins at its planned time.
            Next::Go if book.share.schedule.is_none() && !book.begin(end) => Next::Stop,
            next => next,
        }
    })
}

/// What a caller does after a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Go,
    /// The server cannot be reached: wait a little, then ask [`begin`].
    Pause,
    Stop,
}

/// How long a caller waits when the call did not reach the server, so that an unreachable server is not
/// flooded.
pub const PAUSE: Duration = Duration::from_millis(10);

impl Book {
    #[inline]
    fn begin(&mut self, now: Instant) -> bool {
        let share = &mut self.share;
        let may = share.calls > 0 && share.until.is_none_or(|until| now < until) && !share.stop.load(Relaxed);
        share.calls -= u64::from(may);
        may
    }

    /// Counts a failure; returns whether the server could not be reached.
    #[cold]
    fn fail(&mut self, result: &Result<Reply<Raw>, Status>, took: Duration) -> bool {
        match result {
            Err(status) => {
                self.tally.failed_with(status, took);
                status.origin() == Origin::Transport
            }
            Ok(reply) => {
                let line = String::from_utf8_lossy(&reply.body.front()[1..]).into_owned();
                let line = line.lines().next().unwrap_or_default();
                self.tally.failed(line.split(' ').next().unwrap_or_default(), line, took);
                false
            }
        }
    }

    #[cold]
    fn publish(&mut self) {
        let tally = std::mem::replace(&mut self.tally, Tally::new());
        let _ = self.share.tallies.send(tally); // the receiver is dropped if the run was aborted
    }

    /// Open loop: number of calls planned for the past that were not sent.
    fn unsent(&self) -> u64 {
        let Some(schedule) = &self.share.schedule else { return 0 };
        let end = self.share.until.map_or_else(Instant::now, |until| until.min(Instant::now()));
        let mut due = schedule.due(end);
        while due > 0 && schedule.time(due - 1) >= end {
            due -= 1; // planned for the very end
        }
        due.saturating_sub(self.planned).min(self.share.calls)
    }
}

/// Open loop: the planned time of the next call, once it has come; `None` when the run is over. `now` is a
/// clock reading that is no older than the last call's end.
pub async fn planned(mut now: Instant) -> Option<Planned> {
    std::future::poll_fn(|cx| {
        BOOK.with_borrow_mut(|book| {
            let Some(book) = book else { return Poll::Ready(None) };
            let Some(schedule) = &book.share.schedule else { return Poll::Ready(None) };
            let at = schedule.time(book.planned);
            if book.share.until.is_some_and(|until| at >= until) || book.share.calls == 0 {
                return Poll::Ready(None);
            }
            if at > now {
                now = Instant::now();
            }
            if at > now {
                if book.share.stop.load(Relaxed) {
                    return Poll::Ready(None);
                }
                book.idle.push(cx.waker().clone());
                return Poll::Pending;
            }
            // A call planned just before the end may be sent just after it.
            if !book.begin(now.checked_sub(super::open::ROUND).unwrap_or(now)) {
                return Poll::Ready(None);
            }
            book.planned += 1;
            book.tally.late += u64::from(now - at > super::open::LATE);
            Poll::Ready(Some(Planned { at, now }))
        })
    })
    .await
}

/// A call whose planned time has come.
#[derive(Clone, Copy)]
pub struct Planned {
    /// When it should have been sent.
    pub at: Instant,
    pub now: Instant,
}

/// Open loop: wakes as many idle callers as calls are due; all of them when the run is over. Returns whether
/// the run continues.
pub fn wake_due() -> bool {
    let woken = BOOK.with_borrow_mut(|book| {
        let book = book.as_mut()?;
        let schedule = book.share.schedule.as_ref()?;
        let now = Instant::now();
        let over = book.share.stop.load(Relaxed) || book.share.until.is_some_and(|until| now >= until);
        let due = schedule.due(now).saturating_sub(book.planned) as usize;
        let n = if over || book.share.calls == 0 { book.idle.len() } else { due.min(book.idle.len()) };
        Some(book.idle.split_off(book.idle.len() - n))
    });
    let goes_on = woken.is_some();
    woken.into_iter().flatten().for_each(Waker::wake);
    goes_on
}
