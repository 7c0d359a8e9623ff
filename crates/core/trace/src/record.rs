//! A span that has ended.

use crate::{SpanId, TraceId};
use std::{fmt, mem::size_of, sync::Arc, time::Duration};

/// The side that records a span: the server of a call, or its client.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    Server,
    Client,
}

/// The reason why a span was kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// The span was sampled at random.
    Sampled,
    /// The caller wanted it, by a sampled trace that it belongs to.
    Forced,
    /// The call failed, which only its end has shown.
    Failed,
    /// No call of its method took longer in these ten seconds.
    Slowest,
}

/// A moment in a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// At a server: the handler begins to run, after the time that the call has waited.
    Enter,
    /// At a server: the handler has returned.
    Leave,
    /// At a client: the request was handed to a connection.
    Requested,
    /// At a client: the reply has arrived.
    Replied,
}

/// The result of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// brpc's number of the error; 0 if there is none.
    pub number: i32,
    /// The name of the code, such as `DEADLINE_EXCEEDED`.
    pub code: &'static str,
    /// The number of that code in gRPC.
    pub grpc: u8,
    pub message: Box<str>,
}

impl End {
    /// The call has succeeded.
    pub fn ok() -> End {
        End { number: 0, code: "OK", grpc: 0, message: "".into() }
    }

    pub fn is_ok(&self) -> bool {
        self.number == 0 && self.grpc == 0
    }
}

/// A text with its time, counted from the start of the span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    pub at: Duration,
    pub text: Box<str>,
}

/// A span that has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    pub side: Side,
    pub kept: Kept,
    pub trace: TraceId,
    pub span: SpanId,
    /// 0: it has none.
    pub parent: SpanId,
    /// Whether a caller above decided that the trace is kept; otherwise it was sampled at random here,
    /// without the caller's knowledge.
    pub is_shared: bool,
    /// The `tracestate` of the call, as it is passed on.
    pub state: Option<Arc<str>>,
    pub log_id: u64,
    /// The method as `package.Service.method`.
    pub method: Arc<str>,
    pub protocol: &'static str,
    /// OpenTelemetry's name of the RPC system that the call belongs to; one protocol may carry several
    /// systems.
    pub system: &'static str,
    /// The address of the other side.
    pub peer: Box<str>,
    /// The address that a client's channel was built with; empty for servers.
    pub target: Box<str>,
    /// The number of the try in a client's call, from 1; 0 for servers.
    pub number: u32,
    /// The reason for the try: `retry` or `hedge`; otherwise empty.
    pub try_kind: &'static str,
    /// Microseconds since 1970 (UTC).
    pub start_us: u64,
    pub latency: Duration,
    pub request_bytes: u64,
    pub reply_bytes: u64,
    pub end: End,
    /// The phases in order of time.
    pub phases: Vec<(Phase, Duration)>,
    pub annotations: Vec<Annotation>,
    /// Annotations that are not there, since there were too many.
    pub more_annotations: u32,
    /// Calls made within it that are not recorded, since there were too many.
    pub more_calls: u32,
}

/// A class of latency. Spans are kept by class, so that many quick calls do not displace the few slow ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Class(u8);

impl Class {
    /// The classes and how pages name them, with the failed calls last.
    pub const NAMES: [&'static str; 7] = ["<=100us", "<=1ms", "<=10ms", "<=100ms", "<=1s", "more", "failed"];

    fn of(latency: Duration, is_ok: bool) -> Class {
        let bounds = [100, 1_000, 10_000, 100_000, 1_000_000];
        match is_ok {
            true => Class(bounds.iter().take_while(|bound| latency.as_micros() > **bound).count() as u8),
            false => Class(6),
        }
    }

    pub fn index(self) -> usize {
        self.0.into()
    }
}

impl Record {
    pub fn class(&self) -> Class {
        Class::of(self.latency, self.end.is_ok())
    }

    /// The time of a phase, measured from the start.
    pub fn phase(&self, phase: Phase) -> Option<Duration> {
        self.phases.iter().find(|(known, _)| *known == phase).map(|(_, at)| *at)
    }

    /// The memory of the record in bytes, including that of its entries in a store.
    pub fn byte_len(&self) -> usize {
        const STORED: usize = 256; // entries of trees and tables
        let notes: usize =
            self.annotations.iter().map(|note| note.text.len() + size_of::<Annotation>()).sum();
        let texts = self.method.len() + self.peer.len() + self.target.len() + self.end.message.len();
        let state = self.state.as_ref().map_or(0, |state| state.len());
        size_of::<Record>()
            + STORED
            + notes
            + texts
            + state
            + self.phases.len() * size_of::<(Phase, Duration)>()
    }
}

impl Kept {
    pub fn name(self) -> &'static str {
        match self {
            Kept::Sampled => "sampled",
            Kept::Forced => "forced",
            Kept::Failed => "failed",
            Kept::Slowest => "slowest",
        }
    }
}

/// The most bytes of a name, an address or a message that a record keeps.
pub(crate) const MOST_TEXT: usize = 256;

/// A text of a peer or of the application, cut to the 256 bytes that are kept of it.
pub fn bounded(text: &str) -> &str {
    &text[..floor(text, MOST_TEXT)]
}

/// The last place between two characters that is not after `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Collects a text until it has [`MOST_TEXT`] bytes, and then reports that it is full, which ends its
/// formatting.
#[derive(Default)]
pub(crate) struct Bounded(pub String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = MOST_TEXT - self.0.len();
        let part = &text[..floor(text, room)];
        self.0.push_str(part);
        if part.len() < text.len() { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write;

    #[test]
    fn classes_are_by_latency_and_failure() {
        let class = |us, is_ok| Class::NAMES[Class::of(Duration::from_micros(us), is_ok).index()];
        assert_eq!([class(0, true), class(100, true), class(101, true)], ["<=100us", "<=100us", "<=1ms"]);
        assert_eq!(
            [class(1_000_000, true), class(1_000_001, true), class(5, false)],
            ["<=1s", "more", "failed"]
        );
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(bounded(&"ä".repeat(200)).len(), 256);
        assert_eq!(bounded(&format!("x{}", "ä".repeat(200))).len(), 255);
        let mut text = Bounded::default();
        assert!(write!(text, "{}", "y".repeat(10_000)).is_err());
        assert_eq!(text.0.len(), 256);
    }
}
