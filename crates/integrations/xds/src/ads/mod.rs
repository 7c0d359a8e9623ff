//! The protocol state of the stream to one control plane, without I/O: requests come out, responses and time
//! go in.
//!
//! ```text
//!  names(kind, set) ─┐                        ┌─► request(now): what is to be written, in order
//!  opened(now)       ├──► Ads ── resources ───┼─► deadline(): when to call tick(now)
//!  received(response)│     one Entry per name └─► found(kind, name): what is known of a resource
//!  ended(why, now) ──┘
//! ```
//!
//! | of a resource | state |
//! | --- | --- |
//! | asked for, and not yet heard of | `Asked`, with a deadline once the request was written to a stream |
//! | a good one came | `Good`; stays so when a later one is refused, and when the stream is lost |
//! | the control plane does not have it: deleted, or the deadline passed | `Missing` |
//! | only bad ones came | `Refused` |
//!
//! Time is measured from the client's start. Source: gRFC A27, A46, A53, A57; Envoy, "xDS REST and gRPC
//! protocol".

mod entry;
mod kinds;
#[cfg(test)]
mod tests;

pub(crate) use entry::{Entry, Found, Shown};

use crate::{
    bootstrap::ControlPlane,
    messages::{
        envoy::service::discovery::v3::{DiscoveryRequest, DiscoveryResponse},
        google::rpc::Status as Detail,
    },
    resources::{Kind, Known},
};
use kinds::Subscription;
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// A resource that has not arrived within this time counts as missing.
const EXISTS_WITHIN: Duration = Duration::from_secs(15);
/// The pauses before the same refusal is sent again, first and maximum: a control plane may answer each with
/// the same resource.
const REFUSALS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// A stream that lasts at least this long does not count as short.
const LASTS: Duration = Duration::from_secs(10);
/// Resources of a response.
const MOST_RESOURCES: usize = 100_000;
/// The text of a refusal, bytes.
const LONGEST_REFUSAL: usize = 4096;

/// The subscriptions at one control plane.
#[derive(Debug)]
pub(crate) struct Ads {
    server: Arc<ControlPlane>,
    known: Arc<Known>,
    kinds: [Subscription; 4],
    stream: Stream,
    /// Attempts that have failed in a row.
    failures: u32,
    /// Number of consecutive streams that brought a response and ended soon after they began.
    short: u32,
    /// The reason why there is no stream.
    error: Option<String>,
}

/// The state of the stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stream {
    /// The next one is opened at this time.
    Down {
        until: Duration,
    },
    /// A stream has been requested.
    Opening,
    Up {
        began: Duration,
        heard: bool,
        node_sent: bool,
    },
}

/// The changes that a response has made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Changes {
    /// Whether some resource has changed.
    pub changed: bool,
    /// The refusals, for the log; each text once.
    pub refused: Option<String>,
}

impl Ads {
    pub fn new(server: Arc<ControlPlane>, known: Arc<Known>) -> Ads {
        let kinds = Kind::ALL.map(Subscription::new);
        let stream = Stream::Down { until: Duration::ZERO };
        Ads { server, known, kinds, stream, failures: 0, short: 0, error: None }
    }

    pub fn server(&self) -> &Arc<ControlPlane> {
        &self.server
    }

    /// Sets the complete list of wanted resources of a kind.
    pub fn names(&mut self, kind: Kind, names: &BTreeSet<String>) {
        self.kinds[kind as usize].names(names);
    }

    /// The state of a resource. A resource that was not requested counts as awaited.
    pub fn found(&self, kind: Kind, name: &str) -> Found<'_> {
        match self.kinds[kind as usize].entries.get(name) {
            Some(entry) => entry.found(self.error.as_deref()),
            None => Found::Waiting,
        }
    }

    /// All requested resources.
    pub fn entries(&self) -> impl Iterator<Item = (Kind, &String, &Entry)> {
        self.kinds.iter().flat_map(|one| one.entries.iter().map(|(name, entry)| (one.kind, name, entry)))
    }

    /// Whether a stream is to be opened now. If so, it counts as being opened.
    pub fn opens(&mut self, now: Duration) -> bool {
        match self.stream {
            Stream::Down { until } if self.is_wanted() && now >= until => {
                self.stream = Stream::Opening;
                true
            }
            _ => false,
        }
    }

    /// The stream is open; nothing was written to it.
    pub fn opened(&mut self, now: Duration) {
        self.stream = Stream::Up { began: now, heard: false, node_sent: false };
        self.kinds.iter_mut().for_each(Subscription::opened);
    }

    /// The next request, to be written at once. The caller adds the node to the first request of a stream:
    /// the flag marks that one.
    pub fn request(&mut self, now: Duration) -> Option<(DiscoveryRequest, bool)> {
        let Stream::Up { node_sent, .. } = &mut self.stream else { return None };
        let request = self.kinds.iter_mut().find_map(|kind| kind.request(now))?;
        let first = !std::mem::replace(node_sent, true);
        Some((request, first))
    }

    /// Handles a response.
    pub fn received(&mut self, response: DiscoveryResponse, now: Duration) -> Changes {
        if let Stream::Up { heard, .. } = &mut self.stream {
            *heard = true;
        }
        self.failures = 0;
        let mut changes = Changes { changed: self.error.take().is_some(), refused: None };
        // A type that was not asked for is neither accepted nor refused.
        let Some(kind) = Kind::of(&response.type_url) else { return changes };
        let taken =
            self.kinds[kind as usize].received(response, &self.known, self.server.ignores_deletion, now);
        changes.changed |= taken.changed;
        changes.refused = taken.refused;
        changes
    }

    /// The stream has ended, or could not be opened. `unit`: random, from 0 up to 1.
    ///
    /// After a stream that brought a response, the next one is opened at once (gRFC A57). But streams that
    /// end soon after they began are opened no more often than attempts that fail: a control plane that
    /// answers and hangs up would otherwise be called without a pause.
    pub fn ended(&mut self, why: &str, now: Duration, unit: f64) {
        self.kinds.iter_mut().for_each(Subscription::ended);
        let until = match self.stream {
            Stream::Up { began, heard: true, .. } if now.saturating_sub(began) < LASTS => {
                let until = now.max(began + pause(self.short, unit));
                self.short = self.short.saturating_add(1);
                until
            }
            Stream::Up { heard: true, .. } => {
                self.short = 0;
                now
            }
            _ => {
                self.error = Some(format!("the control plane {} cannot be reached: {why}", self.server.uri));
                let until = now + pause(self.failures, unit);
                self.failures = self.failures.saturating_add(1);
                until
            }
        };
        self.stream = Stream::Down { until };
    }

    /// The reason why there is no stream at present.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Applies deadlines that have passed. Returns whether some resource has changed.
    pub fn tick(&mut self, now: Duration) -> bool {
        self.kinds.iter_mut().fold(false, |changed, kind| kind.tick(now) | changed)
    }

    /// When the next timed action is due.
    pub fn deadline(&self) -> Option<Duration> {
        let stream = match self.stream {
            // A stream that nothing is asked on is not opened.
            Stream::Down { until } if self.is_wanted() => Some(until),
            _ => None,
        };
        self.kinds.iter().filter_map(Subscription::deadline).chain(stream).min()
    }

    /// Whether the client subscribes to any resource.
    fn is_wanted(&self) -> bool {
        self.kinds.iter().any(|kind| !kind.entries.is_empty())
    }
}

/// gRFC A57: "exponential backoff": 1 s, times 1.6, a fifth more or less, at most 120 s.
fn pause(failures: u32, unit: f64) -> Duration {
    let exact = (1.6f64.powi(failures.min(100) as i32)).min(120.0);
    Duration::from_secs_f64(exact * (0.8 + 0.4 * unit))
}

/// The faults of a response: as many as a refusal has room for.
#[derive(Default)]
struct Wrong {
    text: String,
    left_out: usize,
}

impl Wrong {
    fn add(&mut self, why: &str) {
        if !self.text.is_empty() && self.text.len() + why.len() > LONGEST_REFUSAL {
            self.left_out += 1;
            return;
        }
        if !self.text.is_empty() {
            self.text += "; ";
        }
        self.text += cut(why, LONGEST_REFUSAL);
    }

    /// The text of the faults; `None`: there are none.
    fn text(self, title: &str) -> Option<String> {
        let Wrong { text, left_out } = self;
        match (text.is_empty(), left_out) {
            (true, _) => None,
            (false, 0) => Some(format!("{title}: {text}")),
            (false, more) => Some(format!("{title} ({more} more are not listed): {text}")),
        }
    }
}

/// The refusal of a response.
fn detail(text: &str) -> Detail {
    Detail { code: 3, message: cut(text, LONGEST_REFUSAL).to_owned() }
}

/// The beginning of a text, at most `most` bytes.
fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
