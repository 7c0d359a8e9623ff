//! Counts the failed calls of one method: by status, and by whether the server or the caller was at fault.
//!
//! It is created by the first call of a method that fails or is refused, so that methods without failures
//! take no memory for it.

use polywire_base::{Sort, lock};
use polywire_call::{Code, Native, Origin, Status, brpc};
use polywire_engine::{clock, inline::PANICKED};
use polywire_metrics::{
    Counter, Registry, Variable,
    process::{EventKind, event},
};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Characters that are kept of the text of a status.
const TEXT: usize = 256;
/// The text of the last failure is replaced no more often, so that a flood of failures does not wait for one
/// lock.
const TEXT_EVERY: Duration = Duration::from_millis(100);

/// Counts of one method, over all shards.
pub struct Trouble {
    /// Calls that failed by a fault of the server: see [`is_ours`].
    pub ours: Counter,
    /// Calls whose result was too late for the caller: their deadline passed, or the caller cancelled them.
    pub late: Counter,
    /// Calls that a limit refused.
    pub refused: Counter,
    /// Calls whose handler panicked.
    pub panics: Counter,
    /// The counts by number of the status; the last one is for calls that the caller cancelled.
    endings: [Ending; GIVEN_UP + 1],
}

/// The index of calls that the caller cancelled, after those of all codes.
const GIVEN_UP: usize = Code::ALL.len();

#[derive(Default)]
struct Ending {
    calls: AtomicU64,
    last: Mutex<Option<Last>>,
}

/// The latest call with one result, or one that ended within [`TEXT_EVERY`] before it.
#[derive(Clone, Debug)]
pub struct Last {
    pub at: Instant,
    pub text: String,
}

/// The number of calls with one result since the start.
pub struct Ended {
    /// `None`: the caller gave the call up.
    pub code: Option<Code>,
    pub calls: u64,
    pub last: Option<Last>,
}

/// Whether a status means that the server failed, and not its caller.
pub fn is_ours(code: Code) -> bool {
    use Code::*;
    matches!(code, Internal | Unknown | DataLoss | Unavailable | DeadlineExceeded)
}

/// The code of an ended call, as operators see it. A request that could not be decoded has INTERNAL for
/// gRPC's clients, as with gRPC's own servers, and brpc's EREQUEST beside it; nevertheless it is the caller's
/// fault.
pub(crate) fn code_of(status: &Status) -> Code {
    match status.code() {
        Code::Internal
            if status.native() == Native::Brpc(brpc::EREQUEST) && status.origin() == Origin::Local =>
        {
            Code::InvalidArgument
        }
        code => code,
    }
}

impl Trouble {
    /// Creates the counters, whose windows begin now.
    pub(crate) fn new(registry: &Registry) -> Trouble {
        let now = clock::now();
        let counter = || {
            let counter = Counter::new();
            // The first sample is taken here, so that what comes at once lies within the window.
            counter
                .sampled()
                .and_then(|sampled| sampled.upgrade())
                .into_iter()
                .for_each(|one| one.sample(now));
            registry.sampler().watch(&counter);
            counter
        };
        Trouble {
            ours: counter(),
            late: counter(),
            refused: counter(),
            panics: counter(),
            endings: std::array::from_fn(|_| Ending::default()),
        }
    }

    /// A call has failed.
    pub(crate) fn failed(&self, status: &Status) {
        let code = code_of(status);
        if is_ours(code) {
            self.ours.add(1);
        }
        if code == Code::Internal && status.message() == PANICKED {
            self.panics.add(1);
            event(EventKind::Panic, "a handler panicked; /status names its method");
        }
        self.ended(code as usize, status.message());
    }

    /// Records that the caller no longer waits for a call: it has reset it or disconnected. A stream that
    /// ends this way does not count as late.
    pub(crate) fn given_up(&self, why: &Status, streams: bool) {
        self.late.add(u64::from(!streams));
        self.ended(GIVEN_UP, why.message());
    }

    fn ended(&self, way: usize, text: &str) {
        let Some(ending) = self.endings.get(way) else { return };
        ending.calls.fetch_add(1, Relaxed);
        if let Ok(mut last) = ending.last.try_lock() {
            let at = clock::now();
            if last.as_ref().is_none_or(|last| at.saturating_duration_since(last.at) >= TEXT_EVERY) {
                *last = Some(Last { at, text: text.chars().take(TEXT).collect() });
            }
        }
    }

    /// The results of calls, most frequent first.
    pub fn endings(&self) -> Vec<Ended> {
        let all = self.endings.iter().enumerate().map(|(way, ending)| Ended {
            code: Code::ALL.get(way).copied(),
            calls: ending.calls.load(Relaxed),
            last: lock(&ending.last).clone(),
        });
        let mut found: Vec<_> = all.filter(|ended| ended.calls > 0).collect();
        found.order_by_key(|ended| std::cmp::Reverse(ended.calls));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polywire_formats::FormatError;

    #[test]
    fn failures_are_counted_by_status_and_by_whose_fault_they_are() {
        let (registry, start) = (Registry::new(), clock::now());
        let trouble = Trouble::new(&registry);
        for status in [
            Status::internal("the handler panicked"),
            Status::unavailable("later"),
            Status::not_found("x".repeat(1000)),
            Status::not_found("other"),
            FormatError::MissingRequired("a.B.c".into()).request(),
        ] {
            trouble.failed(&status);
        }
        trouble.given_up(&Status::unavailable("the connection is gone"), false);
        registry.tick(start + Duration::from_secs(1));
        let counted = [&trouble.ours, &trouble.late, &trouble.refused, &trouble.panics];
        assert_eq!(counted.map(|counter| counter.window().0), [2, 1, 0, 1], "in the window at once");
        let endings = trouble.endings();
        assert_eq!((endings[0].code, endings[0].calls), (Some(Code::NotFound), 2));
        assert!(
            endings.iter().any(|ended| ended.code == Some(Code::InvalidArgument)),
            "no message is the caller's fault"
        );
        let last = endings[0].last.as_ref().expect("it was counted");
        assert_eq!(last.text.len(), TEXT, "the text is cut");
        let given_up = endings.iter().find(|ended| ended.code.is_none()).expect("one was given up");
        assert_eq!(given_up.calls, 1);
        assert!(endings.iter().all(|ended| ended.code != Some(Code::Ok)));
    }
}
