//! The spans of a server's calls, where its tracer is on.
//!
//! ```text
//!  received ─► Traced::begin ─► handler: Enter .. Leave ─► Traced::end
//!                 | sampled, or wanted by the caller: a span, with annotations and calls within it
//!                 `-- others: nothing, unless they fail or are the slowest; they are then kept without annotations
//! ```

use crate::{
    context::{Connection, Context},
    service::Started,
    table::{SharedMethod, Table},
};
use polywire_call::Status;
use polywire_engine::{clock, inline::HandlerFuture, keep_calendar};
use polywire_metrics::Durations;
use polywire_trace::{End, Incoming, Kept, Lane, Phase, Side, Span, Start, TraceContext, TraceId, Tracer};
use polywire_wire::{Head, Protocol};
use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

/// The trace data of a call whose server records calls.
pub(crate) struct Traced {
    span: Option<Span>,
    /// The trace context from the caller, if there is no span.
    caller: Option<Box<TraceContext>>,
    log_id: u64,
    protocol: &'static Protocol,
    system: &'static str,
    received: Instant,
    request_bytes: usize,
    /// The names that were sent, of a call that a catch-all answers and that has no span.
    unknown_names: Option<Box<[Arc<str>; 2]>>,
}

impl Traced {
    /// Begins the record of a received call of this method, with these fields and a request of `size` bytes.
    /// `None`: the method is not the application's.
    pub fn begin(
        table: &Table,
        lane: &mut Lane,
        connection: &Connection,
        method: &SharedMethod,
        (protocol, head): (&'static Protocol, &Head<'_>),
        request_bytes: usize,
        received: Instant,
    ) -> Option<Traced> {
        if method.standard || method.is_page() {
            return None;
        }
        let mut incoming = Incoming::default();
        if head.ids && !head.raw.is_empty() {
            (protocol.fields)(head.raw, &mut |name, value| incoming.field(name, value));
        }
        let (log_id, system) = (incoming.log_id, head.dialect.system(protocol));
        let mut traced = Traced {
            span: None,
            caller: None,
            log_id,
            protocol,
            system,
            received,
            request_bytes,
            unknown_names: None,
        };
        let names = || {
            let (service, method) = table.called(method, head);
            [service.into(), method.into()]
        };
        let tracer = &table.shared.tracer;
        let start = || traced.start(connection, names());
        let span = tracer.begin(lane, Some(&incoming), received, start);
        match span {
            Some(_) => keep_calendar(tracer, received),
            None => {
                traced.caller = incoming.context().map(Box::new);
                traced.unknown_names = method.is_catch_all().then(|| Box::new(names()));
            }
        }
        traced.span = span;
        Some(traced)
    }

    fn start(&self, connection: &Connection, [service, method]: [Arc<str>; 2]) -> Start {
        Start {
            side: Side::Server,
            service,
            method,
            protocol: self.protocol.name,
            system: self.system,
            target: String::new(),
            peer: connection.peer.to_string(),
            at: self.received,
            request_bytes: self.request_bytes as u64,
            log_id: self.log_id,
            number: 0,
            try_kind: "",
        }
    }

    /// Makes the span available to the handler.
    pub fn show(&self, cx: &mut Context) {
        if let Some(span) = &self.span {
            cx.set_span(span.clone());
        }
    }

    /// The call's trace, if it belongs to one.
    pub fn trace(&self) -> Option<TraceId> {
        let context = self.span.as_ref().map(Span::context).or(self.caller.as_deref());
        context.map(|context| context.trace)
    }

    /// The span, if there is one, to [`watch`] the handler.
    pub fn watcher(&self) -> Option<Span> {
        self.span.clone()
    }

    /// Ends the record, with a reply of this many bytes. If the call succeeded and its span is kept, it
    /// becomes an exemplar of its method's durations.
    pub fn end(
        &self,
        tracer: &Tracer,
        connection: &Connection,
        (method, durations): (&SharedMethod, &dyn Fn() -> Durations),
        now: Instant,
        status: &Status,
        reply_bytes: usize,
    ) {
        let took = now.saturating_duration_since(self.received);
        let trace = match &self.span {
            Some(span) => {
                span.end(now, status.into(), reply_bytes as u64);
                Some(span.context().trace)
            }
            None => self.keep_late(tracer, connection, method, (now, took), status, reply_bytes),
        };
        if let (true, Some(trace)) = (status.is_ok(), trace) {
            durations().keep_exemplar(took, SystemTime::now(), [("trace_id", format!("{:032x}", trace.0))]);
        }
    }

    /// Keeps a call without a span if it has failed or was the slowest. Returns its trace if it is kept.
    fn keep_late(
        &self,
        tracer: &Tracer,
        connection: &Connection,
        method: &SharedMethod,
        (now, took): (Instant, Duration),
        status: &Status,
        reply_bytes: usize,
    ) -> Option<TraceId> {
        let why = match status.is_ok() {
            false => Kept::Failed,
            true if tracer.is_slowest(&method.slowest, now, took) => Kept::Slowest,
            true => return None,
        };
        let own = || [method.service.into(), method.method.name().into()];
        let names = || self.unknown_names.as_deref().cloned().unwrap_or_else(own);
        let start = || self.start(connection, names());
        tracer.keep_late(why, self.caller.as_deref(), now, start, End::from(status), reply_bytes as u64)
    }
}

/// Wraps a started handler so that its span records when the handler runs.
pub(crate) fn watch(started: Started, span: Span) -> Started {
    match started {
        Started::Future(handler) => Started::Future(watched(span, handler)),
        Started::Ready(outcome) => {
            span.phase(Phase::Leave, clock::now());
            Started::Ready(outcome)
        }
    }
}

fn watched(span: Span, handler: HandlerFuture) -> HandlerFuture {
    Box::pin(async move {
        span.phase(Phase::Enter, clock::now());
        let outcome = handler.await;
        span.phase(Phase::Leave, clock::now());
        outcome
    })
}
