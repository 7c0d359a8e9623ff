//! What a span is called in OpenTelemetry: its name, attributes and events, for what writes them in one of OTLP's encodings.
//!
//! Source: OpenTelemetry semantic conventions for RPC spans. What they have no name for begins with `polywire.`.

use crate::{Phase, Record, Side};
use std::{borrow::Cow, time::Duration};

/// The value of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'r> {
    Text(&'r str),
    Number(i64),
}

/// `package.Service/method`.
pub fn name(record: &Record) -> Cow<'_, str> {
    match parts(record) {
        ("", method) => method.into(),
        (service, method) => format!("{service}/{method}").into(),
    }
}

/// `SPAN_KIND_SERVER` or `SPAN_KIND_CLIENT`.
pub fn kind(record: &Record) -> u8 {
    if record.side == Side::Server { 2 } else { 3 }
}

/// Nanoseconds since 1970 at this time after the start.
pub fn nanoseconds(record: &Record, after: Duration) -> u64 {
    record.start_us.saturating_mul(1000).saturating_add(u64::try_from(after.as_nanos()).unwrap_or(u64::MAX))
}

/// Tells `to` each attribute.
pub fn attributes(record: &Record, to: &mut dyn FnMut(&'static str, Value<'_>)) {
    let (service, method) = parts(record);
    for (key, value) in [("rpc.system", record.protocol), ("rpc.service", service), ("rpc.method", method)] {
        to(key, Value::Text(value));
    }
    to("network.peer.address", Value::Text(&record.peer));
    to("rpc.grpc.status_code", Value::Number(record.end.grpc.into()));
    if record.end.number != 0 {
        to("polywire.error_code", Value::Number(record.end.number.into()));
    }
    if !record.end.is_ok() {
        to("error.type", Value::Text(record.end.code));
    }
    to("polywire.request.size", Value::Number(record.request_bytes as i64));
    to("polywire.response.size", Value::Number(record.reply_bytes as i64));
    to("polywire.kept", Value::Text(record.kept.name()));
    if record.log_id != 0 {
        to("polywire.log_id", Value::Text(&record.log_id.to_string()));
    }
    if record.number > 1 {
        to("polywire.try", Value::Number(record.number.into()));
    }
}

/// Tells `to` each event, with nanoseconds since 1970: phases, then annotations.
pub fn events(record: &Record, to: &mut dyn FnMut(u64, &str)) {
    for (phase, after) in &record.phases {
        to(nanoseconds(record, *after), phase_name(*phase));
    }
    for note in &record.annotations {
        to(nanoseconds(record, note.at), &note.text);
    }
}

fn parts(record: &Record) -> (&str, &str) {
    record.method.rsplit_once('.').unwrap_or(("", &record.method))
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Enter => "handler entered",
        Phase::Leave => "handler left",
        Phase::Requested => "requested",
        Phase::Replied => "replied",
    }
}
