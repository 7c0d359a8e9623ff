//! The state that a source shares with its watchers: the newest set, reports that are held back, and requests
//! for a lookup.

use crate::{Server, Source, SourceError, WatchOptions, accept::accept, attempts::Attempts};
use polywire_base::{later, lock};
use std::{
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{Notify, watch as channel},
    time::{Instant, sleep_until},
};

/// The time between two log lines of one kind about the same source.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// The servers of a name at one time, each once, in the order of their addresses and tags.
pub type Set = Arc<[Server]>;

/// The newest answer for a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// `None` before the first set.
    pub set: Option<Set>,
    /// The error of the source's last attempt; `None` once it has answered.
    pub error: Option<SourceError>,
}

pub(crate) struct State {
    pub source: Box<dyn Source>,
    pub name: Box<str>,
    pub options: WatchOptions,
    /// The sender to the watchers.
    pub known: channel::Sender<Known>,
    /// Whether work for this source ([`crate::Work`]) runs or was handed out.
    pub running: Mutex<bool>,
    pub attempts: Mutex<Attempts>,
    reports: Mutex<Reports>,
    /// `reports` has a new time to hand on.
    pub held: Notify,
    wants: Wants,
    errors: Gate,
    warnings: Gate,
    changes: Gate,
}

/// The reports of the source.
#[derive(Default)]
struct Reports {
    /// Number of reports.
    count: u64,
    /// The last report, as long as it is held back, and until when.
    held: Option<(Vec<Server>, Instant)>,
    handed_on: Option<Instant>,
}

/// Requests of users that the source look up its servers again.
#[derive(Default)]
struct Wants {
    /// Set by users, taken by the source, which `notify` wakes.
    asked: AtomicBool,
    notify: Notify,
    /// The next look is not before this time.
    not_before: Mutex<Option<Instant>>,
}

/// Lets a line of log pass once per [`LOG_INTERVAL`].
#[derive(Default)]
struct Gate(Mutex<Option<Instant>>);

impl State {
    pub fn new(source: Box<dyn Source>, options: WatchOptions) -> Arc<Self> {
        Arc::new(State {
            name: source.name().into(),
            source,
            options,
            known: channel::Sender::new(Known::default()),
            running: Mutex::default(),
            attempts: Mutex::default(),
            reports: Mutex::default(),
            held: Notify::new(),
            wants: Wants::default(),
            errors: Gate::default(),
            warnings: Gate::default(),
            changes: Gate::default(),
        })
    }

    /// Handles a report of the source: all servers at this time.
    pub fn report(&self, servers: Vec<Server>) {
        let accepted = match accept(servers, self.options.max_servers) {
            Ok(accepted) => accepted,
            Err(error) => return self.failed(error),
        };
        if let Some(left_out) = accepted.left_out {
            self.warn(&left_out);
        }
        let mut reports = lock(&self.reports);
        reports.count += 1;
        let now = Instant::now();
        let servers = accepted.servers;
        let (is_known, was_empty) = {
            let known = self.known.borrow();
            let set = known.set.as_deref();
            (set == Some(&*servers), set.is_none_or(<[Server]>::is_empty))
        };
        if is_known {
            reports.held = None;
            drop(reports);
            return self.answered();
        }
        let due = match (&reports.held, reports.handed_on) {
            (_, None) => now,
            _ if was_empty => now, // without servers there is nothing to wait for
            (Some((held, since)), _) if servers.is_empty() && held.is_empty() => *since,
            _ if servers.is_empty() => after(now, self.options.empty_after),
            (_, Some(at)) => after(at, self.options.set_interval),
        };
        if due > now {
            if servers.is_empty() && !was_empty {
                let text = "the source has no servers; those it named before stay in use";
                self.warn(&format_args!("{text} for {:?}", due - now));
            }
            reports.held = Some((servers, due));
            drop(reports);
            self.held.notify_one();
            return self.answered();
        }
        self.hand_on(&mut reports, servers, now);
    }

    /// Delivers a set that was held back, if its time has come. Returns until when one is held back.
    ///
    /// Returns when the set will be delivered, `None` if none is held back.
    pub fn hand_on_held(&self) -> Option<Instant> {
        let mut reports = lock(&self.reports);
        let now = Instant::now();
        let (servers, due) = reports.held.take()?;
        if due > now {
            reports.held = Some((servers, due));
            return Some(due);
        }
        self.hand_on(&mut reports, servers, now);
        None
    }

    fn hand_on(&self, reports: &mut Reports, servers: Vec<Server>, now: Instant) {
        reports.held = None;
        reports.handed_on = Some(now);
        if self.changes.opens() {
            tracing::info!(source = &*self.name, servers = servers.len(), "servers have changed");
        } else {
            tracing::debug!(source = &*self.name, servers = servers.len(), "servers have changed");
        }
        self.known.send_modify(|known| *known = Known { set: Some(servers.into()), error: None });
    }

    /// Notes that the source has answered, with nothing new so far.
    fn answered(&self) {
        self.known.send_if_modified(|known| known.error.take().is_some());
    }

    /// Notes that the source could not answer.
    pub fn failed(&self, error: SourceError) {
        if self.errors.opens() {
            tracing::warn!(source = &*self.name, "{error}");
        }
        self.known.send_if_modified(|known| {
            let is_new = known.error.as_ref() != Some(&error);
            known.error = Some(error);
            is_new
        });
    }

    pub fn warn(&self, what: &dyn fmt::Display) {
        if self.warnings.opens() {
            tracing::warn!(source = &*self.name, "{what}");
        }
    }

    /// The number of sets that the source has reported.
    pub fn reports(&self) -> u64 {
        lock(&self.reports).count
    }

    /// Requests a lookup, because a user can reach none of the servers: a set that is held back is delivered
    /// sooner. Returns whether a set with servers is held back.
    pub fn want(&self) -> bool {
        let is_held = self.hurry();
        self.wants.asked.store(true, Ordering::Release); // pairs with the acquire in `wanted`
        self.wants.notify.notify_one();
        self.source.want() || is_held
    }

    /// Sets that users wait for are a tenth of [`WatchOptions::set_interval`] apart.
    fn hurry(&self) -> bool {
        let mut reports = lock(&self.reports);
        let handed_on = reports.handed_on;
        let Some((servers, due)) = &mut reports.held else { return false };
        if servers.is_empty() {
            return false;
        }
        let earliest = handed_on.map_or_else(Instant::now, |at| after(at, self.options.set_interval / 10));
        if earliest < *due {
            *due = earliest;
            self.held.notify_one();
        }
        true
    }

    /// Waits until a look is requested and allowed.
    pub async fn wanted(&self) {
        while !self.wants.asked.load(Ordering::Acquire) {
            self.wants.notify.notified().await;
        }
        let not_before = *lock(&self.wants.not_before);
        if let Some(at) = not_before {
            sleep_until(at).await;
        }
        self.looks();
    }

    /// Notes that the source starts a lookup, which serves all requests up to this moment.
    pub fn looks(&self) {
        self.wants.asked.store(false, Ordering::Release);
        let pause = self.options.want_interval.min(LONGEST).mul_f64(0.8 + 0.4 * fastrand::f64());
        *lock(&self.wants.not_before) = Some(after(Instant::now(), pause));
    }
}

/// The longest wait between two looks: a year.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The instant `wait` after `at`, however long that is.
fn after(at: Instant, wait: Duration) -> Instant {
    later(at.into_std(), wait).into()
}

impl Gate {
    fn opens(&self) -> bool {
        let mut last = lock(&self.0);
        let opens = last.is_none_or(|at| at.elapsed() >= LOG_INTERVAL);
        if opens {
            *last = Some(Instant::now());
        }
        opens
    }
}
