//! A span in OpenTelemetry's terms: its name, attributes and events, for the encoders of OTLP.
//!
//! Source: OpenTelemetry semantic conventions for RPC spans. What they have no name for begins with
//!         `polywire.`.

use crate::{Phase, Record, Side};
use std::{borrow::Cow, time::Duration};

/// The value of an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'r> {
    Text(&'r str),
    Number(i64),
}

/// The span's name, `package.Service/method`.
pub fn name(record: &Record) -> Cow<'_, str> {
    match parts(record) {
        ("", method) => method.into(),
        (service, method) => format!("{service}/{method}").into(),
    }
}

/// The span's kind, `SPAN_KIND_SERVER` or `SPAN_KIND_CLIENT`.
pub fn kind(record: &Record) -> u8 {
    if record.side == Side::Server { 2 } else { 3 }
}

/// Nanoseconds since 1970 at this time after the start.
pub fn nanoseconds(record: &Record, after: Duration) -> u64 {
    record.start_us.saturating_mul(1000).saturating_add(u64::try_from(after.as_nanos()).unwrap_or(u64::MAX))
}

/// The value of `rpc.status_code` for gRPC's name of a code, in this system. Connect has lower case, and no
/// name for success.
fn status_code(system: &str, name: &'static str) -> Cow<'static, str> {
    match (system, name) {
        ("connectrpc", "OK") => "".into(),
        ("connectrpc", name) => name.to_ascii_lowercase().into(),
        (_, name) => name.into(),
    }
}

/// Whether a call that ends with this gRPC code has failed, by the conventions for gRPC, which Connect
/// shares. At a client every code but OK is a failure; at a server only codes that are the server's fault.
pub fn is_error(side: Side, code: u8) -> bool {
    match (side, code) {
        (Side::Client, code) => code != 0,
        // UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS
        (Side::Server, code) => matches!(code, 2 | 4 | 12..=15),
    }
}

/// Whether the status of the span is an error; otherwise it is unset.
pub fn has_failed(record: &Record) -> bool {
    !record.end.is_ok() && is_error(record.side, record.end.grpc)
}

/// `server.address` and `server.port`: host and port of an address that has them, as written, without a
/// look-up; otherwise the whole address.
pub fn host_and_port(target: &str) -> (&str, Option<u16>) {
    let rest = match target.split_once("://") {
        Some(("unix", path)) => return (path, None),
        // An authority before the name is that of who resolves it.
        Some(("dns", rest)) => rest.split_once('/').map_or(rest, |(_, name)| name),
        Some((_, rest)) if rest.trim_end_matches('/').contains(['/', ',']) => return (target, None),
        Some((_, rest)) => rest.trim_end_matches('/'),
        None => target,
    };
    if let Some(path) = rest.strip_prefix("unix:") {
        return (path, None);
    }
    let parts = rest.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?)));
    let is_one = |host: &str| !host.contains([':', ',']) || host.starts_with('[') && host.ends_with(']');
    match parts.filter(|(host, _)| is_one(host)) {
        Some((host, port)) => (host.trim_start_matches('[').trim_end_matches(']'), Some(port)),
        None if rest.contains(',') => (target, None),
        None => (rest, None),
    }
}

/// Passes `to` the attributes that spans and metrics of a call share. `code`: gRPC's name of the code with
/// which the call ended.
pub fn call(
    system: &str,
    method: &str,
    code: &'static str,
    has_failed: bool,
    to: &mut dyn FnMut(&'static str, &str),
) {
    to("rpc.system.name", system);
    to("rpc.method", method);
    let status = status_code(system, code);
    if !status.is_empty() {
        to("rpc.status_code", &status);
    }
    if has_failed {
        to("error.type", &status);
    }
}

/// Passes each attribute to `to`.
pub fn attributes(record: &Record, to: &mut dyn FnMut(&'static str, Value<'_>)) {
    call(record.system, &name(record), record.end.code, has_failed(record), &mut |key, text| {
        to(key, Value::Text(text));
    });
    for (target, address, port) in [
        (&record.target, "server.address", "server.port"),
        (&record.peer, "network.peer.address", "network.peer.port"),
    ] {
        let (host, number) = host_and_port(target);
        if !host.is_empty() {
            to(address, Value::Text(host));
        }
        if let Some(number) = number {
            to(port, Value::Number(number.into()));
        }
    }
    if record.end.number != 0 {
        to("polywire.error_code", Value::Number(record.end.number.into()));
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

/// Passes each event to `to`, with nanoseconds since 1970: phases, then annotations.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_that_were_configured() {
        for (target, host, port) in [
            ("orders.shop:8000", "orders.shop", Some(8000)),
            ("10.0.0.1:7", "10.0.0.1", Some(7)),
            ("[::1]:80", "::1", Some(80)),
            ("dns://1.2.3.4/host:443", "host", Some(443)),
            ("dns:///host:443", "host", Some(443)),
            ("grpc://host:443", "host", Some(443)),
            ("https://host:443/", "host", Some(443)),
            ("list://a:1", "a", Some(1)),
            ("etcd:///shop", "etcd:///shop", None),
            ("host", "host", None),
            ("unix:///a/b.sock", "/a/b.sock", None),
            ("unix:/a/b.sock", "/a/b.sock", None),
            ("list://a:1,b:2", "list://a:1,b:2", None),
            ("ipv4:a:1,b:2", "ipv4:a:1,b:2", None),
            ("zk://keeper:2181/shop", "zk://keeper:2181/shop", None),
            ("::1", "::1", None),
            ("", "", None),
        ] {
            assert_eq!(host_and_port(target), (host, port), "{target}");
        }
    }

    #[test]
    fn a_servers_errors_are_its_own_faults_and_a_clients_all_failures() {
        let of = |side| (0..=16).filter(|code| is_error(side, *code)).collect::<Vec<u8>>();
        assert_eq!(of(Side::Server), [2, 4, 12, 13, 14, 15]);
        assert_eq!(of(Side::Client), (1..=16).collect::<Vec<_>>());
        assert_eq!(status_code("connectrpc", "NOT_FOUND"), "not_found");
        assert_eq!((status_code("connectrpc", "OK"), status_code("grpc", "OK")), ("".into(), "OK".into()));
    }
}
