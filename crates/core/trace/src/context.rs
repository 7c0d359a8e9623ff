//! The trace context that travels with a call: the trace and the span that it belongs to.

use crate::{SpanId, TraceId, w3c};
use std::sync::Arc;

/// The trace and the span of a caller, as a request carries them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceContext {
    pub trace: TraceId,
    /// The span of the caller.
    pub span: SpanId,
    /// Whether the caller keeps its span, and requests that others keep theirs.
    pub sampled: bool,
    /// The caller's `tracestate`, checked and bounded (W3C Trace Context, 3.3), to be passed on.
    pub state: Option<Arc<str>>,
}

/// Reads the context from the fields of a request, in whatever protocol: the W3C fields, and brpc's fields,
/// whose names protobuf protocols also use for the ids in their metadata.
#[derive(Default, Debug)]
pub struct Incoming {
    parent: Option<(TraceId, SpanId, bool)>,
    state: w3c::StateReader,
    trace: u64,
    span: u64,
    /// The id under which the caller logs the call; 0: none.
    pub log_id: u64,
}

impl Incoming {
    /// Takes note of a field.
    #[inline]
    pub fn field(&mut self, name: &str, value: &[u8]) {
        if may_be_id(name.as_bytes()) {
            self.named(name, value);
        }
    }

    fn named(&mut self, name: &str, value: &[u8]) {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is(TRACEPARENT) {
            self.parent = w3c::parse_parent(value);
        } else if is(TRACESTATE) {
            self.state.add(value);
        } else if is(TRACE_ID) {
            self.trace = decimal(value);
        } else if is(SPAN_ID) {
            self.span = decimal(value);
        } else if is(LOG_ID) {
            self.log_id = decimal(value);
        }
    }

    /// Whether the request has none of the fields of a context.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.parent.is_none() && self.trace == 0
    }

    /// The context, if the request has one. `traceparent` takes precedence over brpc's ids, since it may
    /// contain the longer form of them.
    pub fn context(&self) -> Option<TraceContext> {
        if let Some((trace, span, sampled)) = self.parent {
            return Some(TraceContext { trace, span, sampled, state: self.state.text() });
        }
        // brpc sends ids only of calls that it traces.
        let (trace, span) = (TraceId(self.trace.into()), SpanId(self.span));
        (self.trace != 0).then_some(TraceContext { trace, span, sampled: true, state: None })
    }
}

/// A decimal number of 64 bits; 0 if it is invalid.
fn decimal(value: &[u8]) -> u64 {
    std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The fields in which a protocol's requests carry a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carrier {
    /// brpc's ids, in fields of these names or in the meta.
    pub ids: bool,
    /// W3C's `traceparent` and `tracestate`.
    pub w3c: W3c,
}

/// When a protocol's requests carry the W3C fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum W3c {
    Never,
    /// Only where brpc's ids are not sufficient: for an id of 128 bits, a `tracestate`, or a call that is not
    /// sampled.
    WhereNeeded,
    Always,
}

impl Carrier {
    /// Requests have no place for a context.
    pub const NONE: Carrier = Carrier { ids: false, w3c: W3c::Never };
    /// For protocols with fields for brpc's ids and no others.
    pub const IDS: Carrier = Carrier { ids: true, w3c: W3c::Never };
    /// For protocols with fields for brpc's ids, and further fields of any name.
    pub const IDS_AND_FIELDS: Carrier = Carrier { ids: true, w3c: W3c::WhereNeeded };
    /// For protocols with header fields that are read by brpc and by others.
    pub const BOTH: Carrier = Carrier { ids: true, w3c: W3c::Always };
    /// For protocols with header fields that brpc does not read.
    pub const W3C: Carrier = Carrier { ids: false, w3c: W3c::Always };

    pub fn is_none(self) -> bool {
        !self.ids && self.w3c == W3c::Never
    }

    /// Whether the protocol's requests have fields of any name.
    pub fn has_fields(self) -> bool {
        self.w3c != W3c::Never
    }

    /// Visits the fields that carry this context. `parent`: the parent of its span, 0 if there is none; only
    /// brpc's ids include it.
    pub fn visit(self, context: &TraceContext, parent: SpanId, visit: &mut dyn FnMut(&str, &str)) {
        let ids_say_all = self.ids && context.sampled && context.trace.is_short() && context.state.is_none();
        if self.w3c == W3c::Always || self.w3c == W3c::WhereNeeded && !ids_say_all {
            visit(TRACEPARENT, &w3c::parent_text(context));
            if let Some(state) = &context.state {
                visit(TRACESTATE, state);
            }
        }
        if self.ids && context.sampled {
            visit(TRACE_ID, &context.trace.low().to_string());
            visit(SPAN_ID, &context.span.0.to_string());
            if parent != SpanId(0) {
                visit(PARENT_SPAN_ID, &parent.0.to_string());
            }
        }
    }
}

/// Whether a field of this name, in any case, may be one that [`Incoming`] reads. Length and first letter
/// rule out most names.
#[inline]
pub fn may_be_id(name: &[u8]) -> bool {
    matches!(name.len(), 6 | 10..=13) && matches!(name[0] | 0x20, b't' | b'x' | b'l')
}

/// Whether a field belongs to a trace context.
pub fn is_trace_field(name: &str) -> bool {
    [TRACEPARENT, TRACESTATE, TRACE_ID, SPAN_ID, PARENT_SPAN_ID]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

const TRACEPARENT: &str = "traceparent";
const TRACESTATE: &str = "tracestate";
const TRACE_ID: &str = "x-bd-trace-id";
const SPAN_ID: &str = "x-bd-span-id";
const PARENT_SPAN_ID: &str = "x-bd-parent-span-id";
const LOG_ID: &str = "log-id";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ids_are_told_in_any_case_and_common_others_are_not() {
        for name in [TRACEPARENT, TRACESTATE, TRACE_ID, SPAN_ID, LOG_ID] {
            assert!(may_be_id(name.as_bytes()) && may_be_id(name.to_uppercase().as_bytes()), "{name}");
        }
        for name in
            ["", "te", "user-agent", "accept", "cookie", "content-type", "cache-control", "x-forwarded-for"]
        {
            assert!(!may_be_id(name.as_bytes()), "{name}");
        }
    }

    fn read(fields: &[(&str, &str)]) -> Option<TraceContext> {
        let mut incoming = Incoming::default();
        fields.iter().for_each(|(name, value)| incoming.field(name, value.as_bytes()));
        incoming.context()
    }

    const W3C_EXAMPLE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn contexts_are_read() {
        let context =
            read(&[("Traceparent", W3C_EXAMPLE), ("tracestate", "a=1"), ("tracestate", "b=2")]).unwrap();
        assert_eq!((context.trace.0, context.span.0), (0x4bf92f3577b34da6a3ce929d0e0e4736, 0xf067aa0ba902b7));
        assert_eq!((context.sampled, context.state.as_deref()), (true, Some("a=1,b=2")));
        let context = read(&[("X-BD-Trace-Id", "12345"), ("x-bd-span-id", "7"), ("log-id", "3")]).unwrap();
        assert_eq!((context.trace.0, context.span.0, context.sampled), (12345, 7, true));
    }

    #[test]
    fn what_is_no_context_is_none() {
        for fields in [
            &[][..],
            &[("x-bd-trace-id", "0"), ("x-bd-span-id", "9")],
            &[("x-bd-trace-id", "-1")],
            &[("x-bd-trace-id", "18446744073709551616")],
            &[("tracestate", "a=1")],
            &[("traceparent", "00-00000000000000000000000000000000-00f067aa0ba902b7-01")],
        ] {
            assert_eq!(read(fields), None, "{fields:?}");
        }
    }

    #[test]
    fn the_names_match_the_lengths_that_are_looked_at() {
        for name in [TRACEPARENT, TRACESTATE, TRACE_ID, SPAN_ID, LOG_ID] {
            assert!(matches!(name.len(), 6 | 10..=13), "{name}: {}", name.len());
        }
    }

    fn written(carrier: Carrier, context: &TraceContext) -> String {
        let mut text = String::new();
        carrier.visit(context, SpanId(3), &mut |name, value| text += &format!("{name}: {value}\n"));
        text
    }

    #[test]
    fn contexts_are_written_as_each_carrier_has_them() {
        let context = read(&[("traceparent", W3C_EXAMPLE), ("tracestate", "a=1")]).unwrap();
        let ids =
            "x-bd-trace-id: 11803532876627986230\nx-bd-span-id: 67667974448284343\nx-bd-parent-span-id: 3\n";
        let w3c = format!("traceparent: {W3C_EXAMPLE}\ntracestate: a=1\n");
        assert_eq!(written(Carrier::NONE, &context), "");
        assert_eq!(written(Carrier::IDS, &context), ids);
        assert_eq!(written(Carrier::W3C, &context), w3c);
        assert_eq!(written(Carrier::BOTH, &context), format!("{w3c}{ids}"));
        assert_eq!(
            written(Carrier::IDS_AND_FIELDS, &context),
            format!("{w3c}{ids}"),
            "the id is too long for 64 bits"
        );
        let short = read(&[("x-bd-trace-id", "5"), ("x-bd-span-id", "7")]).unwrap();
        let ids = "x-bd-trace-id: 5\nx-bd-span-id: 7\nx-bd-parent-span-id: 3\n";
        assert_eq!(written(Carrier::IDS_AND_FIELDS, &short), ids);
        let unsampled = TraceContext { sampled: false, ..context };
        assert_eq!(written(Carrier::IDS, &unsampled), "", "brpc takes ids for a wish to be traced");
        assert_eq!(written(Carrier::BOTH, &unsampled), w3c.replace("-01\n", "-00\n"));
    }
}
