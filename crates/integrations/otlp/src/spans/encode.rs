//! Spans in the protobuf messages of OTLP, written field by field.
//!
//! Source: open-telemetry/opentelemetry-proto v1, `trace/v1/trace.proto`; names of attributes: OpenTelemetry
//!         semantic conventions for RPC spans.
//!
//! ```text
//!   Span: trace_id 1, span_id 2, trace_state 3, parent_span_id 4, name 5, kind 6, start 7, end 8 (fixed64, ns), attributes 9,
//!         events 11, dropped_events_count 12, status 15, flags 16 (fixed32)
//!   Event: time 1 (fixed64), name 2      Status: message 2, code 3      KeyValue: key 1, value 2      AnyValue: string 1, int 3
//! ```

use crate::fields::{bytes, fixed32, fixed64, int_attribute, message, text_attribute, varint};
use polywire_trace::{
    Record,
    otel::{self, Value},
};
use std::time::Duration;

/// One `Span`.
pub(super) fn span(record: &Record) -> Vec<u8> {
    let mut to = Vec::new();
    bytes(&mut to, 1, &record.trace.0.to_be_bytes());
    bytes(&mut to, 2, &record.span.0.to_be_bytes());
    if let Some(state) = &record.state {
        bytes(&mut to, 3, state.as_bytes());
    }
    if record.parent.0 != 0 {
        bytes(&mut to, 4, &record.parent.0.to_be_bytes());
    }
    bytes(&mut to, 5, otel::name(record).as_bytes());
    varint(&mut to, 6, otel::kind(record).into());
    fixed64(&mut to, 7, otel::nanoseconds(record, Duration::ZERO));
    fixed64(&mut to, 8, otel::nanoseconds(record, record.latency));
    otel::attributes(record, &mut |key, value| match value {
        Value::Text(text) => text_attribute(&mut to, 9, key, text),
        Value::Number(number) => int_attribute(&mut to, 9, key, number),
    });
    otel::events(record, &mut |at, name| event(&mut to, at, name));
    if record.more_annotations > 0 {
        varint(&mut to, 12, record.more_annotations.into());
    }
    message(&mut to, 15, |status| {
        if otel::has_failed(record) {
            bytes(status, 2, record.end.message.as_bytes());
            varint(status, 3, 2); // STATUS_CODE_ERROR; "unset" leaves it to who reads
        }
    });
    // Bits 0 to 7 are those of W3C's trace-flags.
    fixed32(&mut to, 16, u32::from(record.is_shared));
    to
}

fn event(to: &mut Vec<u8>, at: u64, name: &str) {
    message(to, 11, |event| {
        fixed64(event, 1, at);
        bytes(event, 2, name.as_bytes());
    });
}
