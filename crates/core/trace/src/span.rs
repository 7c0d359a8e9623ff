//! A span that is under way.

use crate::{
    Annotation, End, Kept, Phase, Record, Side, SpanId, TraceContext,
    record::{Bounded, bounded},
    tracer::Inner,
};
use polywire_base::lock;
use std::{
    fmt::{self, Write},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Instant,
};

/// The maximum number of annotations that a span keeps; further ones are only counted.
pub const MOST_ANNOTATIONS: usize = 64;
/// The maximum number of recorded calls within a span, tries included; further ones are only counted.
pub const MOST_CALLS: u32 = 128;

/// A call, or a try of one, that is under way and will be recorded. Clones are the same span. A span that is
/// never ended is not recorded.
#[derive(Clone)]
pub struct Span(Arc<Live>);

struct Live {
    tracer: Arc<Inner>,
    context: TraceContext,
    parent: SpanId,
    kept: Kept,
    start: Start,
    calls: AtomicU32,
    /// `None` once the span has ended.
    notes: Mutex<Option<Notes>>,
}

#[derive(Default)]
struct Notes {
    phases: Vec<(Phase, Instant)>,
    annotations: Vec<(Instant, Box<str>)>,
    more: u32,
    /// The call within it that was made last.
    calling: Weak<Live>,
}

/// The facts about a call that are known when it begins.
#[derive(Clone, Debug)]
pub struct Start {
    pub side: Side,
    pub service: Arc<str>,
    pub method: Arc<str>,
    pub protocol: &'static str,
    /// See [`Record::system`].
    pub system: &'static str,
    /// The address of the other side.
    pub peer: String,
    /// See [`Record::target`].
    pub target: String,
    /// When the request was received, or when it is sent.
    pub at: Instant,
    pub request_bytes: u64,
    pub log_id: u64,
    /// See [`Record::number`].
    pub number: u32,
    /// See [`Record::try_kind`].
    pub try_kind: &'static str,
}

/// The context in which a call is made, and of which it becomes a part.
#[derive(Clone)]
pub enum Within {
    /// A call that is recorded here.
    Span(Span),
    /// A call that is not recorded here: the caller's context is passed on.
    Context(TraceContext),
    /// A sampled call of a channel, with a trace of its own: its tries are recorded.
    Call(Chosen),
}

/// A trace that begins with a call of a channel.
#[derive(Clone)]
pub struct Chosen {
    tracer: Arc<Inner>,
    trace: TraceContext,
}

/// The context that a try of a call carries, and its record.
pub struct Try {
    pub context: TraceContext,
    /// The span that the one of `context` is within; 0: none.
    pub parent: SpanId,
    /// `None`: it is not recorded.
    pub span: Option<Span>,
}

impl Chosen {
    pub(crate) fn new(tracer: &Arc<Inner>) -> Chosen {
        let trace = TraceContext { trace: tracer.new_trace(), span: SpanId(0), sampled: true, state: None };
        Chosen { tracer: tracer.clone(), trace }
    }
}

impl Within {
    /// A try of a call begins.
    pub fn begin_try(&self, start: impl FnOnce() -> Start) -> Try {
        let span = match self {
            Within::Span(caller) => caller.child(start()),
            Within::Context(_) => None,
            Within::Call(Chosen { tracer, trace }) => {
                Some(Span::new(tracer, Some(trace), Kept::Sampled, start()))
            }
        };
        match (span, self) {
            (Some(span), _) => {
                Try { context: span.context().clone(), parent: span.parent(), span: Some(span) }
            }
            (None, Within::Span(caller)) => {
                Try { context: caller.context().clone(), parent: caller.parent(), span: None }
            }
            (None, Within::Context(context) | Within::Call(Chosen { trace: context, .. })) => {
                Try { context: context.clone(), parent: SpanId(0), span: None }
            }
        }
    }
}

impl Span {
    pub(crate) fn new(tracer: &Arc<Inner>, within: Option<&TraceContext>, kept: Kept, start: Start) -> Span {
        let span = SpanId(tracer.ids.id());
        let context = match within {
            Some(caller) => TraceContext { span, ..caller.clone() },
            None => TraceContext { trace: tracer.new_trace(), span, sampled: true, state: None },
        };
        let parent = within.map_or(SpanId(0), |caller| caller.span);
        let notes = Mutex::new(Some(Notes::default()));
        Span(Arc::new(Live {
            tracer: tracer.clone(),
            context,
            parent,
            kept,
            start,
            calls: AtomicU32::new(0),
            notes,
        }))
    }

    /// The context that calls made within it carry.
    pub fn context(&self) -> &TraceContext {
        &self.0.context
    }

    /// The parent span; 0: none.
    pub fn parent(&self) -> SpanId {
        self.0.parent
    }

    /// A call that is made within this one. `None`: there are too many, and it is not recorded.
    pub fn child(&self, start: Start) -> Option<Span> {
        let before = self.0.calls.fetch_add(1, Relaxed);
        if before >= MOST_CALLS {
            self.0.calls.fetch_min(MOST_CALLS + u32::from(u16::MAX), Relaxed); // it must not wrap
            return None;
        }
        let start =
            Start { log_id: if start.log_id == 0 { self.0.start.log_id } else { start.log_id }, ..start };
        let child = Span::new(&self.0.tracer, Some(&self.0.context), self.0.kept, start);
        if let Some(notes) = lock(&self.0.notes).as_mut() {
            notes.calling = Arc::downgrade(&child.0);
        }
        Some(child)
    }

    /// The latest call made within this one, if it is under way: `service/method` and the address that it was
    /// sent to.
    pub fn calling(&self) -> Option<(String, String)> {
        let call = lock(&self.0.notes).as_ref()?.calling.upgrade()?;
        let start = lock(&call.notes).as_ref().map(|_| &call.start)?;
        Some((
            format!("{}/{}", bounded(&start.service), bounded(&start.method)),
            bounded(&start.peer).to_owned(),
        ))
    }

    /// Notes a text with its time. Texts are cut to 256 bytes, and only the first [`MOST_ANNOTATIONS`] are
    /// kept.
    pub fn annotate(&self, at: Instant, text: impl fmt::Display) {
        // Without the lock: writing a text runs code of the application.
        let mut cut = Bounded::default();
        let _ = write!(cut, "{text}"); // it fails where it is cut
        let mut notes = lock(&self.0.notes);
        let Some(notes) = notes.as_mut() else { return };
        if notes.annotations.len() == MOST_ANNOTATIONS {
            notes.more = notes.more.saturating_add(1);
            return;
        }
        notes.annotations.push((at, cut.0.into()));
    }

    /// Notes the first occurrence of a phase.
    pub fn phase(&self, phase: Phase, at: Instant) {
        if let Some(notes) = lock(&self.0.notes).as_mut()
            && notes.phases.iter().all(|(known, _)| *known != phase)
        {
            notes.phases.push((phase, at));
        }
    }

    /// The call has ended: keeps the span. Later ends have no effect.
    pub fn end(&self, at: Instant, end: End, reply_bytes: u64) {
        let Some(notes) = lock(&self.0.notes).take() else { return };
        self.0.tracer.add(self.0.record(at, end, reply_bytes, notes));
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Span({} {})", self.0.context.trace, self.0.context.span)
    }
}

impl Live {
    fn record(&self, at: Instant, end: End, reply_bytes: u64, notes: Notes) -> Record {
        let begun = self.start.at;
        let since = |at: Instant| at.saturating_duration_since(begun);
        let mut record =
            record(&self.tracer, &self.start, self.kept, &self.context, self.parent, at, end, reply_bytes);
        record.phases = notes.phases.into_iter().map(|(phase, at)| (phase, since(at))).collect();
        let annotations = notes.annotations.into_iter().map(|(at, text)| Annotation { at: since(at), text });
        record.annotations = annotations.collect();
        record.more_annotations = notes.more;
        record.more_calls = self.calls.load(Relaxed).saturating_sub(MOST_CALLS);
        record
    }
}

/// The record of a call without notes.
#[allow(clippy::too_many_arguments)] // all of them are what the record consists of
pub(crate) fn record(
    tracer: &Inner,
    start: &Start,
    kept: Kept,
    context: &TraceContext,
    parent: SpanId,
    at: Instant,
    end: End,
    reply_bytes: u64,
) -> Record {
    let (service, method) = (bounded(&start.service), bounded(&start.method));
    Record {
        side: start.side,
        kept,
        trace: context.trace,
        span: context.span,
        parent,
        is_shared: context.sampled,
        state: context.state.clone(),
        log_id: start.log_id,
        method: if service.is_empty() { method.into() } else { format!("{service}.{method}").into() },
        protocol: start.protocol,
        system: start.system,
        peer: bounded(&start.peer).into(),
        target: bounded(&start.target).into(),
        number: start.number,
        try_kind: start.try_kind,
        start_us: tracer.unix_us(start.at),
        latency: at.saturating_duration_since(start.at),
        request_bytes: start.request_bytes,
        reply_bytes,
        end: End { message: bounded(&end.message).into(), ..end },
        phases: Vec::new(),
        annotations: Vec::new(),
        more_annotations: 0,
        more_calls: 0,
    }
}
