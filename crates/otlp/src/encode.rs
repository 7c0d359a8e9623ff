//! Spans in the protobuf messages of OTLP, written field by field.
//!
//! Source: open-telemetry/opentelemetry-proto v1, `trace/v1/trace.proto`, `common/v1/common.proto`, `resource/v1/resource.proto`,
//! `collector/trace/v1/trace_service.proto`; names of attributes: OpenTelemetry semantic conventions for RPC spans.
//!
//! ```text
//! ExportTraceServiceRequest.resource_spans 1 ─► ResourceSpans: resource 1, scope_spans 2
//!   Resource.attributes 1           ScopeSpans: scope 1, spans 2           InstrumentationScope: name 1, version 2
//!   Span: trace_id 1, span_id 2, trace_state 3, parent_span_id 4, name 5, kind 6, start 7, end 8 (fixed64, ns), attributes 9,
//!         events 11, dropped_events_count 12, status 15, flags 16 (fixed32)
//!   Event: time 1 (fixed64), name 2      Status: message 2, code 3      KeyValue: key 1, value 2      AnyValue: string 1, int 3
//! ```

use polywire_trace::{Phase, Record, Side};
use std::{sync::Arc, time::Duration};

/// The request that sends these spans.
pub(crate) fn request(resource: &[(String, String)], records: &[Arc<Record>]) -> Vec<u8> {
    let mut resource_spans = Vec::new();
    message(&mut resource_spans, 1, |resource_field| {
        resource.iter().for_each(|(key, value)| text_attribute(resource_field, 1, key, value));
    });
    message(&mut resource_spans, 2, |scope_spans| {
        message(scope_spans, 1, |scope| {
            bytes(scope, 1, b"polywire");
            bytes(scope, 2, env!("CARGO_PKG_VERSION").as_bytes());
        });
        records.iter().for_each(|record| message(scope_spans, 2, |to| span(to, record)));
    });
    let mut request = Vec::with_capacity(resource_spans.len() + 8);
    bytes(&mut request, 1, &resource_spans);
    request
}

fn span(to: &mut Vec<u8>, record: &Record) {
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

fn text_attribute(to: &mut Vec<u8>, field: u32, key: &str, value: &str) {
    message(to, field, |pair| {
        bytes(pair, 1, key.as_bytes());
        message(pair, 2, |any| bytes(any, 1, value.as_bytes()));
    });
}

fn int_attribute(to: &mut Vec<u8>, field: u32, key: &str, value: i64) {
    message(to, field, |pair| {
        bytes(pair, 1, key.as_bytes());
        message(pair, 2, |any| varint(any, 3, value as u64)); // negative ones have ten bytes
    });
}

fn message(to: &mut Vec<u8>, field: u32, write: impl FnOnce(&mut Vec<u8>)) {
    let mut inner = Vec::new();
    write(&mut inner);
    bytes(to, field, &inner);
}

fn bytes(to: &mut Vec<u8>, field: u32, value: &[u8]) {
    number(to, u64::from(field << 3 | 2));
    number(to, value.len() as u64);
    to.extend_from_slice(value);
}

fn varint(to: &mut Vec<u8>, field: u32, value: u64) {
    number(to, u64::from(field << 3));
    number(to, value);
}

fn fixed64(to: &mut Vec<u8>, field: u32, value: u64) {
    number(to, u64::from(field << 3 | 1));
    to.extend_from_slice(&value.to_le_bytes());
}

fn fixed32(to: &mut Vec<u8>, field: u32, value: u32) {
    number(to, u64::from(field << 3 | 5));
    to.extend_from_slice(&value.to_le_bytes());
}

fn number(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// How many spans a reply says the collector has rejected: `partial_success` 1, `rejected_spans` 1. A reply that cannot be read
/// rejects none.
pub(crate) fn rejected(reply: &[u8]) -> u64 {
    let Some(partial) = fields(reply).find_map(|(field, value)| match value {
        Value::Bytes(bytes) if field == 1 => Some(bytes),
        _ => None,
    }) else {
        return 0;
    };
    let number = fields(partial).find_map(|(field, value)| match value {
        Value::Number(number) if field == 1 => Some(number),
        _ => None,
    });
    number.unwrap_or(0)
}

enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
    Fixed,
}

/// The fields of a message, up to the first that is none.
fn fields(message: &[u8]) -> impl Iterator<Item = (u64, Value<'_>)> {
    let mut rest = message;
    std::iter::from_fn(move || {
        let tag = read(&mut rest)?;
        let value = match tag & 7 {
            0 => Value::Number(read(&mut rest)?),
            1 => {
                rest = rest.get(8..)?;
                Value::Fixed
            }
            2 => {
                let len = usize::try_from(read(&mut rest)?).ok()?;
                let (bytes, after) = rest.split_at_checked(len)?;
                rest = after;
                Value::Bytes(bytes)
            }
            5 => {
                rest = rest.get(4..)?;
                Value::Fixed
            }
            _ => return None,
        };
        Some((tag >> 3, value))
    })
}

fn read(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for k in 0..10 {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7f) << (7 * k);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_say_what_was_rejected_and_hostile_ones_nothing() {
        // {partial_success: {rejected_spans: 300, error_message: "no"}}, made by Google's protobuf for Python
        assert_eq!(rejected(&[0x0a, 0x07, 0x08, 0xac, 0x02, 0x12, 0x02, 0x6e, 0x6f]), 300);
        for reply in [
            &b""[..],
            b"\x0a",
            b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x0a\x00",
            b"\x0b\x01",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert_eq!(rejected(reply), 0);
        }
    }
}
