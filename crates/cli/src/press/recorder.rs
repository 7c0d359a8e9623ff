//! The counters of one load thread: what its callers have done, and whether they may continue.
//!
//! Callers of a thread share the counters without a lock, through a thread-local. Once a second, and when the
//! last caller has ended, the counts so far are sent to the thread that collects them.

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

/// The interval at which counts are published.
const PERIOD: Duration = Duration::from_secs(1);

/// A thread's share of the load.
pub struct Share {
    /// Number of callers that will call [`leave`].
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
    /// Whether replies are RESP, where a reply that begins with `-` or `!` is an error.
    pub redis: bool,
}

struct ThreadRecord {
    share: Share,
    tally: Tally,
    publish_at: Instant,
    /// Open loop: the next planned call.
    planned: u64,
    /// Open loop: wakers of callers that wait for the next planned call.
    idle: Vec<Waker>,
}

thread_local! {
    static RECORD: RefCell<Option<Box<ThreadRecord>>> = const { RefCell::new(None) };
}

/// Starts the thread's counters. One run at a time.
pub fn enter(share: Share) {
    let publish_at = share.start + PERIOD;
    let record = ThreadRecord { share, tally: Tally::new(), publish_at, planned: 0, idle: Vec::new() };
    RECORD.set(Some(Box::new(record)));
}

/// Called when a caller has ended. The last one publishes the rest.
pub fn leave() {
    let closed = RECORD.with_borrow_mut(|open| {
        let record = open.as_mut()?;
        record.share.callers -= 1;
        if record.share.callers == 0 { open.take() } else { None }
    });
    let Some(mut record) = closed else { return };
    record.tally.unsent += record.unsent();
    record.publish();
}

/// Publishes the counts so far, for a run that is aborted.
pub fn publish() {
    with(|record| record.publish());
}

fn with<T: Default>(f: impl FnOnce(&mut ThreadRecord) -> T) -> T {
    RECORD.with_borrow_mut(|record| record.as_mut().map(|record| f(record)).unwrap_or_default())
}

/// Counts messages of a stream.
pub fn passed(messages: u64) {
    with(|record| record.tally.messages += messages);
}

/// Whether a call may begin; if so, it is counted as begun.
pub fn begin(now: Instant) -> bool {
    with(|record| record.begin(now))
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
    RECORD.with_borrow_mut(|record| {
        let Some(record) = record else { return Next::Stop };
        let mut next = Next::Go;
        match result {
            Ok(reply) if !(record.share.redis && redis::is_error(reply)) => {
                record.tally.succeeded(end - start, request_bytes + reply_bytes(reply));
                record.tally.in_time += u64::from(record.share.until.is_none_or(|until| end <= until));
            }
            other => {
                if record.fail(other, end - start) {
                    next = Next::Pause;
                }
            }
        }
        if end >= record.publish_at {
            record.publish();
            record.publish_at = end + PERIOD;
        }
        match next {
            // With a schedule, the next call begins at its planned time.
            Next::Go if record.share.schedule.is_none() && !record.begin(end) => Next::Stop,
            next => next,
        }
    })
}

/// The action of a caller after a call.
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

impl ThreadRecord {
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

/// Open loop: the planned time of the next call, once it has been reached; `None` when the run is over. `now`
/// is a clock reading that is no older than the last call's end.
pub async fn planned(mut now: Instant) -> Option<Planned> {
    std::future::poll_fn(|cx| {
        RECORD.with_borrow_mut(|record| {
            let Some(record) = record else { return Poll::Ready(None) };
            let Some(schedule) = &record.share.schedule else { return Poll::Ready(None) };
            let at = schedule.time(record.planned);
            if record.share.until.is_some_and(|until| at >= until) || record.share.calls == 0 {
                return Poll::Ready(None);
            }
            if at > now {
                now = Instant::now();
            }
            if at > now {
                if record.share.stop.load(Relaxed) {
                    return Poll::Ready(None);
                }
                record.idle.push(cx.waker().clone());
                return Poll::Pending;
            }
            // A call planned just before the end may be sent just after it.
            if !record.begin(now.checked_sub(super::open::ROUND).unwrap_or(now)) {
                return Poll::Ready(None);
            }
            record.planned += 1;
            record.tally.late += u64::from(now - at > super::open::LATE);
            Poll::Ready(Some(Planned { at, now }))
        })
    })
    .await
}

/// A call whose planned time has come.
#[derive(Clone, Copy)]
pub struct Planned {
    /// The planned time of the call.
    pub at: Instant,
    pub now: Instant,
}

/// Open loop: wakes as many idle callers as calls are due; all of them when the run is over. Returns whether
/// the run continues.
pub fn wake_due() -> bool {
    let woken = RECORD.with_borrow_mut(|record| {
        let record = record.as_mut()?;
        let schedule = record.share.schedule.as_ref()?;
        let now = Instant::now();
        let over = record.share.stop.load(Relaxed) || record.share.until.is_some_and(|until| now >= until);
        let due = schedule.due(now).saturating_sub(record.planned) as usize;
        let n = if over || record.share.calls == 0 { record.idle.len() } else { due.min(record.idle.len()) };
        Some(record.idle.split_off(record.idle.len() - n))
    });
    let goes_on = woken.is_some();
    woken.into_iter().flatten().for_each(Waker::wake);
    goes_on
}
