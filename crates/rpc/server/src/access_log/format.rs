//! The forms of a line.

use super::record::Record;
use crate::passed_on::PassedOn;
use polywire_base::calendar::Date;
use polywire_call::Code;
#[cfg(test)]
use polywire_engine::Peer;
use std::{
    fmt::Write,
    time::{SystemTime, UNIX_EPOCH},
};

/// The form of a line. Times are UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LogFormat {
    /// The Common Log Format of web servers:
    /// `10.0.0.7 - alice [23/Nov/2026:13:05:00 +0000] "POST /shop.Orders/Place grpc" 200 184`. The method is
    /// that of HTTP, or `CALL`; the status is HTTP's for the code of the call.
    Common,
    /// The same, then `"referer" "user-agent"`, the code's name, bytes received, and microseconds:
    /// `... 200 184 "-" "grpc-go/1.71" OK 23 412`.
    Combined,
    /// One JSON object a line: `time`, `peer`, `identity`, `protocol`, `service`, `method`, `path`, `agent`,
    /// `code`, `status` (HTTP's), `bytes_in`, `bytes_out`, `duration_us`; and of calls that are passed on
    /// `called`, `route`, `cluster`, `to`, `server`, `attempts`, `upstream_us`, `reason`, `shadow`, see
    /// [`PassedOn`](crate::PassedOn). What is not known is left out.
    Json,
}

impl LogFormat {
    /// Appends the line of a call, with its line feed.
    pub(super) fn put(self, line: &mut String, record: &Record) {
        match self {
            LogFormat::Common => put_common(line, record),
            LogFormat::Combined => {
                put_common(line, record);
                line.push_str(" \"");
                put_quoted(line, or_dash(without_query(&record.referer)));
                line.push_str("\" \"");
                put_quoted(line, or_dash(&record.agent));
                let _ = write!(line, "\" {} ", record.code.name());
                put_number(line, record.bytes_in);
                let _ = write!(line, " {}", record.took.as_micros());
            }
            LogFormat::Json => put_json(line, record),
        }
        line.push('\n');
    }

    /// Appends a line that says how many calls have none.
    pub(super) fn put_dropped(self, line: &mut String, dropped: u64) {
        let _ = match self {
            LogFormat::Common | LogFormat::Combined => writeln!(line, "# {dropped} calls have no line"),
            LogFormat::Json => writeln!(line, "{{\"dropped\":{dropped}}}"),
        };
    }
}

fn put_common(line: &mut String, record: &Record) {
    put_quoted(line, &record.peer.host());
    line.push_str(" - ");
    // No space may be inside: fields are told apart by them.
    let before = line.len();
    put_quoted(line, or_dash(&record.identity));
    if line[before..].contains(' ') {
        let name = line.split_off(before).replace(' ', "\\x20");
        line.push_str(&name);
    }
    let time = Time::of(record.at);
    let month = MONTHS[(time.month - 1) as usize];
    let Time { year, day, hour, minute, second, .. } = time;
    let _ = write!(line, " [{day:02}/{month}/{year}:{hour:02}:{minute:02}:{second:02} +0000] \"");
    put_quoted(line, if record.verb.is_empty() { "CALL" } else { &record.verb });
    line.push(' ');
    if record.path.is_empty() {
        put_quoted(line, &format!("/{}/{}", record.service, record.method));
    } else {
        put_quoted(line, without_query(&record.path));
    }
    let _ = write!(line, " {}\" {} ", record.protocol, status_of(record));
    put_number(line, record.bytes_out);
}

fn put_json(line: &mut String, record: &Record) {
    let Time { year, month, day, hour, minute, second, micros } = Time::of(record.at);
    let _ = write!(
        line,
        "{{\"time\":\"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z\",\"peer\":\""
    );
    put_json_text(line, &record.peer.to_string());
    line.push('"');
    for (name, text) in [
        ("identity", &*record.identity),
        ("protocol", record.protocol),
        ("service", &*record.service),
        ("method", &*record.method),
        ("verb", &record.verb),
        ("path", without_query(&record.path)),
        ("referer", without_query(&record.referer)),
        ("agent", &record.agent),
        ("code", record.code.name()),
    ] {
        if !text.is_empty() {
            let _ = write!(line, ",\"{name}\":\"");
            put_json_text(line, text);
            line.push('"');
        }
    }
    let _ = write!(line, ",\"status\":{}", status_of(record));
    for (name, number) in [("bytes_in", record.bytes_in), ("bytes_out", record.bytes_out)] {
        if let Some(number) = number {
            let _ = write!(line, ",\"{name}\":{number}");
        }
    }
    let _ = write!(line, ",\"duration_us\":{}", record.took.as_micros());
    if let Some(passed_on) = &record.passed_on {
        put_passed_on(line, record, passed_on);
    }
    line.push('}');
}

fn put_passed_on(line: &mut String, record: &Record, passed_on: &PassedOn) {
    let PassedOn { route, cluster, to, server, attempts, upstream, reason, shadow } = passed_on;
    let called = format!("{}/{}", record.service, record.method);
    for (name, text) in [
        ("called", &*called),
        ("route", route),
        ("cluster", cluster),
        ("to", to),
        ("server", server.as_deref().unwrap_or_default()),
        ("reason", reason),
        ("shadow", shadow),
    ] {
        if !text.is_empty() {
            let _ = write!(line, ",\"{name}\":\"");
            put_json_text(line, text);
            line.push('"');
        }
    }
    let _ = write!(line, ",\"attempts\":{attempts}");
    if let Some(upstream) = upstream {
        let _ = write!(line, ",\"upstream_us\":{}", upstream.as_micros());
    }
}

/// Queries hold what is secret more often than paths do.
fn without_query(path: &str) -> &str {
    path.split('?').next().unwrap_or_default()
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

fn put_number(line: &mut String, number: Option<u64>) {
    let _ = match number {
        Some(number) => write!(line, "{number}"),
        None => write!(line, "-"),
    };
}

/// As nginx writes it: quotes, backslashes, control characters and everything beyond ASCII as `\xHH`, so that
/// nobody begins a line, ends a field, or moves the cursor of a terminal.
fn put_quoted(line: &mut String, text: &str) {
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | ..b' ' | 0x7f.. => {
                let _ = write!(line, "\\x{byte:02X}");
            }
            byte => line.push(char::from(byte)),
        }
    }
}

/// JSON's escapes; also what ends a line elsewhere or turns the direction of text.
fn put_json_text(line: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' | '\\' => line.extend(['\\', c]),
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '<' => {
                let _ = write!(line, "\\u{:04x}", c as u32);
            }
            c if c.is_control() => {
                let _ = write!(line, "\\u{:04x}", c as u32);
            }
            c => line.push(c),
        }
    }
}

/// The status of HTTP: its own, or that for its code (google.rpc.Code has the table).
fn status_of(record: &Record) -> u16 {
    if let Some(status) = record.status {
        return status;
    }
    match record.code {
        Code::Ok => 200,
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => 400,
        Code::Unauthenticated => 401,
        Code::PermissionDenied => 403,
        Code::NotFound => 404,
        Code::AlreadyExists | Code::Aborted => 409,
        Code::ResourceExhausted => 429,
        Code::Cancelled => 499,
        Code::Unimplemented => 501,
        Code::Unavailable => 503,
        Code::DeadlineExceeded => 504,
        Code::Unknown | Code::Internal | Code::DataLoss => 500,
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A time of the calendar, UTC.
#[derive(PartialEq, Eq, Debug)]
struct Time {
    year: i64,
    month: u32,
    day: u32,
    hour: u64,
    minute: u64,
    second: u64,
    micros: u32,
}

impl Time {
    fn of(at: SystemTime) -> Time {
        let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
        let (days, rest) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
        let Date { year, month, day } = Date::of_day(days as i64);
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        Time { year, month, day, hour, minute, second, micros: since.subsec_micros() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn record() -> Record {
        Record {
            at: UNIX_EPOCH + Duration::from_micros(1_795_439_100_000_042),
            peer: Peer::Ip("[::ffff:10.0.0.7]:4711".parse().expect("an address")),
            identity: "alice".into(),
            protocol: "h2",
            service: "shop.Orders".into(),
            method: "Place".into(),
            verb: "POST".into(),
            path: "/shop.Orders/Place?token=secret".into(),
            referer: String::new(),
            agent: "grpc-go/1.71".into(),
            code: Code::Ok,
            status: None,
            bytes_in: Some(23),
            bytes_out: Some(184),
            took: Duration::from_micros(412),
            passed_on: None,
        }
    }

    fn line(format: LogFormat, record: &Record) -> String {
        let mut line = String::new();
        format.put(&mut line, record);
        line
    }

    #[test]
    fn a_call_in_each_format() {
        let common = "10.0.0.7 - alice [23/Nov/2026:13:05:00 +0000] \"POST /shop.Orders/Place h2\" 200 184";
        assert_eq!(line(LogFormat::Common, &record()), format!("{common}\n"));
        let combined = format!("{common} \"-\" \"grpc-go/1.71\" OK 23 412\n");
        assert_eq!(line(LogFormat::Combined, &record()), combined);
        let json = "{\"time\":\"2026-11-23T13:05:00.000042Z\",\"peer\":\"[::ffff:10.0.0.7]:4711\",\"identity\":\"alice\",\
            \"protocol\":\"h2\",\"service\":\"shop.Orders\",\"method\":\"Place\",\"verb\":\"POST\",\"path\":\"/shop.Orders/Place\",\
            \"agent\":\"grpc-go/1.71\",\"code\":\"OK\",\"status\":200,\"bytes_in\":23,\"bytes_out\":184,\"duration_us\":412}\n";
        assert_eq!(line(LogFormat::Json, &record()), json);

        let streamed = Record {
            protocol: "baidu_std",
            verb: String::new(),
            path: String::new(),
            identity: String::new(),
            code: Code::Cancelled,
            bytes_in: None,
            bytes_out: None,
            peer: Peer::Unix(None),
            ..record()
        };
        let common = "unix: - - [23/Nov/2026:13:05:00 +0000] \"CALL /shop.Orders/Place baidu_std\" 499 -\n";
        assert_eq!(line(LogFormat::Common, &streamed), common);
    }

    #[test]
    fn of_a_call_that_is_passed_on_it_says_where() {
        let passed_on = PassedOn {
            route: "shop.*".into(),
            cluster: "st\"ock".into(),
            to: "baidu_std",
            server: Some("10.0.0.1:8000".into()),
            attempts: 2,
            upstream: Some(Duration::from_micros(300)),
            reason: "reset",
            shadow: "sent",
        };
        let of =
            |passed_on| line(LogFormat::Json, &Record { passed_on: Some(Box::new(passed_on)), ..record() });
        let whole = of(passed_on);
        let end = "\"duration_us\":412,\"called\":\"shop.Orders/Place\",\"route\":\"shop.*\",\"cluster\":\"st\\\"ock\",\
            \"to\":\"baidu_std\",\"server\":\"10.0.0.1:8000\",\"reason\":\"reset\",\"shadow\":\"sent\",\"attempts\":2,\"upstream_us\":300}\n";
        assert!(whole.ends_with(end), "{whole}");
        let refused = of(PassedOn { reason: "no_route", ..PassedOn::default() });
        let end = "\"called\":\"shop.Orders/Place\",\"reason\":\"no_route\",\"attempts\":0}\n";
        assert!(refused.ends_with(end), "{refused}");
    }

    #[test]
    fn nothing_that_a_peer_sends_ends_a_line_or_a_field() {
        let evil = "a\"b\\c\nd\re\u{1b}[2J\u{202e}\u{2028} f\0<script>";
        let evil = Record {
            identity: evil.into(),
            verb: evil.into(),
            path: evil.into(),
            referer: evil.into(),
            agent: evil.into(),
            ..record()
        };
        let text = line(LogFormat::Combined, &evil);
        assert_eq!((text.matches('\n').count(), text.matches('"').count()), (1, 6), "{text}");
        assert!(text.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)), "{text}");
        assert!(text.starts_with(
            "10.0.0.7 - a\\x22b\\x5Cc\\x0Ad\\x0De\\x1B[2J\\xE2\\x80\\xAE\\xE2\\x80\\xA8\\x20f\\x00<script> ["
        ));
        let text = line(LogFormat::Json, &evil);
        assert_eq!(text.matches('\n').count(), 1);
        assert!(
            text.contains(
                "\"agent\":\"a\\\"b\\\\c\\u000ad\\u000de\\u001b[2J\\u202e\\u2028 f\\u0000\\u003cscript>\""
            ),
            "{text}"
        );
    }

    #[test]
    fn dates_of_the_calendar() {
        for (seconds, date) in [
            (0, (1970, 1, 1)),
            (951_782_400, (2000, 2, 29)),
            (951_868_800, (2000, 3, 1)),
            (1_735_689_599, (2024, 12, 31)),
            (4_107_542_400, (2100, 3, 1)),
        ] {
            let Time { year, month, day, .. } = Time::of(UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!((year, month, day), date);
        }
    }
}
