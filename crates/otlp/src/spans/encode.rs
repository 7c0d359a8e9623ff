//! Spans in the protobuf messages of OTLP, written field by field.
//!
//! Source: open-telemetry/opentelemetry-proto v1, `trace/v1/trace.proto`; names of attributes: OpenTelemetry semantic conventions for RPC spans.
//!
//! ```text
//!   Span: trace_id 1, span_id 2, trace_state 3, parent_span_id 4, name 5, kind 6, start 7, end 8 (fixed64, ns), attributes 9,
//!         events 11, dropped_events_count 12, status 15, flags 16 (fixed32)
//!   Event: time 1 (fixed64), name 2      Status: message 2, code 3      KeyValue: key 1, value 2      AnyValue: string 1, int 3
//! ```

use crate::fields::{bytes, fixed32, fixed64, int_attribute, message, text_attribute, varint};
use polywire_trace::{Phase, Record, Side};
use std::time::Duration;

/// One `Span`.
pub(super) fn span(record: &Record) -> Vec<u8> {
    let to = &mut Vec::new();
    let (service, method) = record.method.rsplit_once('.').unwrap_or(("", &record.method));
    bytes(to, 1, &record.trace.0.to_be_bytes());
    bytes(to, 2, &record.span.0.to_be_bytes());
    if let Some(state) = &record.state {
        bytes(to, 3, state.as_bytes());
    }
    if record.parent.0 != 0 {
        bytes(to, 4, &record.parent.0.to_be_bytes());
    }
    bytes(
        to,
        5,
        if service.is_empty() { method.to_owned() } else { format!("{service}/{method}") }.as_bytes(),
    );
    // SPAN_KIND_SERVER, SPAN_KIND_CLIENT
    varint(to, 6, if record.side == Side::Server { 2 } else { 3 });
    let start = record.start_us * 1000;
    let at = |after: Duration| start + after.as_nanos() as u64;
    fixed64(to, 7, start);
    fixed64(to, 8, at(record.latency));
    for (key, value) in [("rpc.system", record.protocol), ("rpc.service", service), ("rpc.method", method)] {
        text_attribute(to, 9, key, value);
    }
    text_attribute(to, 9, "network.peer.address", &record.peer);
    int_attribute(to, 9, "rpc.grpc.status_code", record.end.grpc.into());
    if record.end.number != 0 {
        int_attribute(to, 9, "polywire.error_code", record.end.number.into());
    }
    if !record.end.is_ok() {
        text_attribute(to, 9, "error.type", record.end.code);
    }
    int_attribute(to, 9, "polywire.request.size", record.request_bytes as i64);
    int_attribute(to, 9, "polywire.response.size", record.reply_bytes as i64);
    text_attribute(to, 9, "polywire.kept", record.kept.name());
    if record.log_id != 0 {
        text_attribute(to, 9, "polywire.log_id", &record.log_id.to_string());
    }
    if record.number > 1 {
        int_attribute(to, 9, "polywire.try", record.number.into());
    }
    for (phase, after) in &record.phases {
        event(to, at(*after), name(*phase));
    }
    for note in &record.annotations {
        event(to, at(note.at), &note.text);
    }
    if record.more_annotations > 0 {
        varint(to, 12, record.more_annotations.into());
    }
    message(to, 15, |status| {
        if !record.end.is_ok() {
            bytes(status, 2, record.end.message.as_bytes());
            varint(status, 3, 2); // STATUS_CODE_ERROR; "unset" leaves it to who reads
        }
    });
    // Bits 0 to 7 are those of W3C's trace-flags.
    fixed32(to, 16, u32::from(record.is_shared));
    std::mem::take(to)
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Enter => "handler entered",
        Phase::Leave => "handler left",
        Phase::Requested => "requested",
        Phase::Replied => "replied",
    }
}

fn event(to: &mut Vec<u8>, at: u64, name: &str) {
    message(to, 11, |event| {
        fixed64(event, 1, at);
        bytes(event, 2, name.as_bytes());
    });
}
