//! A span as a line of JSON.
//!
//! ```text
//! {"resourceSpans":[{"resource":{"attributes":[..]},"scopeSpans":[{"scope":{..},"spans":[{"traceId":"..",..}]}]}]}
//! ```
//!
//! Source: OpenTelemetry Protocol File Exporter ("JSON Lines", each a `TracesData`) and OTLP 1.x, "JSON
//!         Protobuf Encoding": ids are hex, enums are numbers, integers of 64 bits are strings, keys are in
//!         lowerCamelCase.
//! Invariants: a line never contains a line end, whatever peers have chosen.

use polywire_trace::{
    Record,
    otel::{self, Value},
    tree::Quoted,
};
use std::{
    fmt::{self, Write},
    time::Duration,
};

/// The text before and after the span, which is the same in every line of a process.
pub(super) struct Frame {
    before: String,
}

const BEHIND: &str = "]}]}]}\n";

impl Frame {
    pub fn new(service: &str) -> Frame {
        let mut before = "{\"resourceSpans\":[{\"resource\":{\"attributes\":[".to_owned();
        let _ = attribute(&mut before, "service.name", Value::Text(service)); // writing to a string does not fail
        before.push(',');
        let _ = attribute(&mut before, "process.pid", Value::Number(std::process::id().into()));
        let _ = write!(
            before,
            "]}},\"scopeSpans\":[{{\"scope\":{{\"name\":\"polywire\",\"version\":\"{}\"}},\"spans\":[",
            env!("CARGO_PKG_VERSION")
        );
        Frame { before }
    }

    /// Adds the line of a span.
    pub fn put(&self, to: &mut String, record: &Record) {
        to.push_str(&self.before);
        let _ = span(to, record); // writing to a string does not fail
        to.push_str(BEHIND);
    }
}

fn span(to: &mut String, record: &Record) -> fmt::Result {
    write!(to, "{{\"traceId\":\"{:032x}\",\"spanId\":\"{:016x}\"", record.trace.0, record.span.0)?;
    if let Some(state) = &record.state {
        write!(to, ",\"traceState\":{}", Quoted(state))?;
    }
    if record.parent.0 != 0 {
        write!(to, ",\"parentSpanId\":\"{:016x}\"", record.parent.0)?;
    }
    write!(
        to,
        ",\"flags\":{},\"name\":{},\"kind\":{},\"startTimeUnixNano\":\"{}\",\"endTimeUnixNano\":\"{}\",\"attributes\":[",
        u8::from(record.is_shared),
        Quoted(&otel::name(record)),
        otel::kind(record),
        otel::nanoseconds(record, Duration::ZERO),
        otel::nanoseconds(record, record.latency),
    )?;
    let mut between = "";
    let mut done = Ok(());
    otel::attributes(record, &mut |key, value| {
        to.push_str(std::mem::replace(&mut between, ","));
        done = done.and(attribute(to, key, value));
    });
    done?;
    to.push_str("],\"events\":[");
    between = "";
    otel::events(record, &mut |at, name| {
        let comma = std::mem::replace(&mut between, ",");
        done = done.and(write!(to, "{comma}{{\"timeUnixNano\":\"{at}\",\"name\":{}}}", Quoted(name)));
    });
    done?;
    to.push(']');
    if record.more_annotations > 0 {
        write!(to, ",\"droppedEventsCount\":{}", record.more_annotations)?;
    }
    match otel::has_failed(record) {
        false => to.write_str(",\"status\":{}}"),
        // STATUS_CODE_ERROR
        true => write!(to, ",\"status\":{{\"message\":{},\"code\":2}}}}", Quoted(&record.end.message)),
    }
}

fn attribute(to: &mut String, key: &str, value: Value<'_>) -> fmt::Result {
    write!(to, "{{\"key\":\"{key}\",\"value\":{{")?;
    match value {
        Value::Text(text) => write!(to, "\"stringValue\":{}}}}}", Quoted(text)),
        Value::Number(number) => write!(to, "\"intValue\":\"{number}\"}}}}"),
    }
}
