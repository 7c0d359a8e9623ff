//! Recent events of the process: starts, stops, servers that joined and left, certificates.
//!
//! The code that changes something records it with one line; pages of servers show the recorded events.
//! Events are rare: each takes a lock.

use crate::storage::cells::lock;
use std::{
    collections::VecDeque,
    sync::{LazyLock, Mutex},
    time::{Duration, SystemTime},
};

/// Events that are kept; the oldest go first.
pub const KEPT: usize = 1000;
/// Characters of each text that are kept.
const TEXT: usize = 256;
/// Events among which a new one looks for one alike.
const NEAR: usize = 16;
/// The interval within which an equal event is merged with the previous one.
const MERGED: Duration = Duration::from_secs(60);

/// The kind of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// A server has started to listen.
    Start,
    /// A server stops: calls in flight go on.
    Drain,
    /// A server has stopped.
    Stop,
    /// Another process accepts connections in place of this one.
    HandOver,
    /// An option was changed.
    Flag,
    /// Certificates were replaced, or could not be.
    Certificate,
    /// A server of a channel joined, left, was taken out or came back.
    Endpoint,
    /// The source of a channel's servers began or ceased to fail.
    Naming,
    /// Connections were turned away.
    Connections,
    /// A handler panicked.
    Panic,
}

impl EventKind {
    /// The word for the event on pages.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Start => "start",
            EventKind::Drain => "drain",
            EventKind::Stop => "stop",
            EventKind::HandOver => "hand-over",
            EventKind::Flag => "flag",
            EventKind::Certificate => "certificate",
            EventKind::Endpoint => "endpoint",
            EventKind::Naming => "naming",
            EventKind::Connections => "connections",
            EventKind::Panic => "panic",
        }
    }
}

/// Something that has changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// When the event happened; for repeated events, the last time.
    pub at: SystemTime,
    pub kind: EventKind,
    /// A description of the event, which may contain texts of peers.
    pub what: String,
    /// The number of equal events, each within a minute after the one before.
    pub times: u64,
}

/// The last events, at most [`KEPT`].
#[derive(Default, Debug)]
pub struct Events(Mutex<VecDeque<Event>>);

impl Events {
    pub fn new() -> Events {
        Events::default()
    }

    /// Records an event. If an equal event was recorded within the last minute, its count is increased. Texts
    /// are cut at 256 characters.
    #[cold]
    pub fn record(&self, at: SystemTime, kind: EventKind, what: &str) {
        let end = what.char_indices().nth(TEXT).map_or(what.len(), |(end, _)| end);
        let what = &what[..end];
        let mut events = lock(&self.0);
        let near = events.iter().rev().take(NEAR);
        let is_alike = |event: &Event| {
            let since = at.duration_since(event.at).unwrap_or_default();
            event.kind == kind && event.what == what && since <= MERGED
        };
        let found = near.into_iter().position(is_alike);
        let found = found.and_then(|behind| events.len().checked_sub(behind + 1));
        // The merged one becomes the newest.
        let times = found.and_then(|at| events.remove(at)).map_or(0, |event| event.times);
        if events.len() == KEPT {
            events.pop_front();
        }
        events.push_back(Event { at, kind, what: what.to_owned(), times: times + 1 });
    }

    /// The newest events, the newest first.
    pub fn newest(&self, most: usize) -> Vec<Event> {
        lock(&self.0).iter().rev().take(most).cloned().collect()
    }
}

/// Records an event of now for the pages of every server of this process.
#[cold]
pub fn event(kind: EventKind, what: impl AsRef<str>) {
    events().record(SystemTime::now(), kind, what.as_ref());
}

/// The events of this process.
pub fn events() -> &'static Events {
    static EVENTS: LazyLock<Events> = LazyLock::new(Events::new);
    &EVENTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_bounded_and_those_alike_are_one() {
        let (events, start) = (Events::new(), SystemTime::UNIX_EPOCH);
        let second = |n| start + Duration::from_secs(n);
        for n in 0..5 {
            events.record(second(n), EventKind::Panic, "shop.Orders/Place");
            events.record(second(n), EventKind::Endpoint, "10.0.0.1:80 came");
        }
        let newest = events.newest(10);
        assert_eq!(newest.len(), 2);
        assert_eq!((newest[0].kind, newest[0].times, newest[0].at), (EventKind::Endpoint, 5, second(4)));
        events.record(second(200), EventKind::Panic, "shop.Orders/Place");
        assert_eq!(events.newest(1)[0].times, 1, "more than a minute later");
        for n in 0..2 * KEPT as u64 {
            events.record(second(300 + n), EventKind::Flag, &format!("{n}{}", "é".repeat(1000)));
        }
        let newest = events.newest(usize::MAX);
        assert_eq!(newest.len(), KEPT);
        assert!(newest[0].what.starts_with("1999") && newest[0].what.chars().count() == TEXT);
        assert!(newest.iter().all(|event| event.kind == EventKind::Flag), "the oldest have gone");
    }
}
