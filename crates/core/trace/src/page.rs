//! The page `/rpcz`: which spans are asked for, and the switches.
//!
//! | path | what it does |
//! | --- | --- |
//! | `/rpcz` | the newest spans, a line each |
//! | `?time=`, `max_scan=`, `min_latency=` (us), `min_request_size=`, `min_response_size=`, `log_id=`, `error_code=` | brpc's conditions |
//! | `?max_latency=` (us), `method=` (a part of it, `.` or `/` before its last name), `side=S`, `side=C`, `failed=1`, `failed=0` | further ones |
//! | `?trace=HEX`, with `&span=HEX` | the spans of a trace in detail, then as a tree; one span |
//! | `?json` | the same as JSON |
//! | `/rpcz/stats` | what is kept, and how much was passed over |
//! | `/rpcz/classes` | how many spans of each method and class of latency are kept |
//! | POST `/rpcz/enable`, `/rpcz/disable`, `/rpcz/hex_log_id`, `/rpcz/dec_log_id` | the switches |
//!
//! An empty value is no condition, since forms send fields that were not filled in. A name that is none is
//! refused.
//!
//! Source: `/rpcz` of Apache brpc. There a GET turns the switches, and a query looks at the
//!         newest 100 whatever its conditions are; here only one without conditions does, unless it has
//!         `max_scan`.

use crate::{
    Class, Query, Record, Side, SpanId, TraceId, Tracer,
    rpcz::{self, LogIds, Shown},
    tree,
};
use std::{fmt::Write, sync::Arc, time::Instant};

/// A request for the page. Who may ask, and who may change something, is checked before.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'r> {
    /// The path behind `/rpcz`, without slashes at its ends.
    pub rest: &'r str,
    /// The query string after `?`, still encoded.
    pub query: &'r str,
    /// Whether the request may change something, i.e. is a POST.
    pub is_change: bool,
    pub now: Instant,
}

/// The content of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub is_json: bool,
    pub text: String,
}

/// The reason why the page is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The requested page does not exist.
    Unknown(String),
    /// An argument is wrong.
    Wrong(String),
    /// A switch was requested by GET.
    NeedsPost,
}

/// The most methods in `/rpcz/classes`.
const MOST_METHODS: usize = 1000;
/// The most rows that a query looks at.
pub const MOST_SCANNED: usize = 10_000;
/// Conditions of an address.
const CONDITIONS: [&str; 11] = [
    "method",
    "failed",
    "side",
    "min_latency",
    "max_latency",
    "min_request_size",
    "min_response_size",
    "log_id",
    "error_code",
    "time",
    "max_scan",
];
/// The query parameters for one trace, for the form of the answer, and for tables.
const OTHERS: [&str; 9] = ["trace", "span", "json", "console", "pause", "q", "sort", "n", "after"];

/// The page.
///
/// # Errors
/// The page is refused.
pub fn page(tracer: &Tracer, asked: &Asked<'_>) -> Result<Answer, Refused> {
    let text = |text: String| Ok(Answer { is_json: false, text });
    match asked.rest {
        "" => spans(tracer, asked),
        "stats" => text(stats(tracer, asked.now)),
        "classes" => text(classes(tracer)),
        "enable" | "disable" | "hex_log_id" | "dec_log_id" if !asked.is_change => Err(Refused::NeedsPost),
        "enable" => {
            tracer.set_on(true);
            text("rpcz is enabled".to_owned())
        }
        "disable" => {
            tracer.set_on(false);
            text("rpcz is disabled".to_owned())
        }
        "hex_log_id" => {
            tracer.set_log_ids(LogIds::Hex);
            text("log_id is hexadecimal".to_owned())
        }
        "dec_log_id" => {
            tracer.set_log_ids(LogIds::Decimal);
            text("log_id is decimal".to_owned())
        }
        other => {
            let other: String = other.chars().take(64).collect();
            Err(Refused::Unknown(format!("there is no /rpcz/{}", Shown(&other))))
        }
    }
}

fn spans(tracer: &Tracer, asked: &Asked<'_>) -> Result<Answer, Refused> {
    let arguments = Arguments::parse(asked.query);
    let is_json = arguments.get("json").is_some();
    let log_ids = tracer.log_ids();
    let answer = |records: &[_], text: fn(&[_], LogIds) -> String, none: &str| {
        let text = match (is_json, records.is_empty()) {
            (true, _) => tree::json(records),
            (false, true) => none.to_owned(),
            (false, false) => text(records, log_ids),
        };
        Ok(Answer { is_json, text })
    };
    if let Some(trace) = arguments.get("trace") {
        let wrong = |what: &str, text: &str| {
            Refused::Wrong(format!("{what}={} is no id in hexadecimal", Shown(&cut(text))))
        };
        let trace = TraceId::parse(trace).ok_or_else(|| wrong("trace", trace))?;
        let none = "Fail to find any spans";
        return match arguments.get("span") {
            Some(text) => {
                let span = SpanId::parse(text).ok_or_else(|| wrong("span", text))?;
                answer(&tracer.span(trace, span), rpcz::details, none)
            }
            None => answer(&tracer.trace(trace), |all, ids| rpcz::details(all, ids) + &tree::text(all), none),
        };
    }
    let query = query(tracer, &arguments, asked.now)?;
    let found = tracer.find(&query);
    if found.is_empty() && !is_json && !tracer.is_on() && tracer.stats(asked.now).held.records == 0 {
        let text = "rpcz is not enabled yet. You can turn on/off rpcz by accessing /rpcz/enable and /rpcz/disable respectively.\n\
                    # by POST: curl -d token=$(curl -s HOST/token) HOST/rpcz/enable\n";
        return Ok(Answer { is_json, text: text.to_owned() });
    }
    answer(&found, rpcz::list, "Fail to find matched spans")
}

/// The spans that a query selects, except when it selects a single trace.
///
/// # Errors
/// An argument is wrong.
pub fn found(tracer: &Tracer, asked: &Asked<'_>) -> Result<Found, Refused> {
    let query = query(tracer, &Arguments::parse(asked.query), asked.now)?;
    let kept = tracer.stats(asked.now).held.records;
    Ok(Found { records: tracer.find(&query), looked_at: query.most_scanned.min(kept), kept })
}

/// The result of a query.
#[derive(Clone, Debug)]
pub struct Found {
    /// The matching spans, newest first.
    pub records: Vec<Arc<Record>>,
    /// The maximum number of kept spans, newest first, that the query has looked at.
    pub looked_at: usize,
    pub kept: usize,
}

fn query(tracer: &Tracer, arguments: &Arguments, now: Instant) -> Result<Query, Refused> {
    let mut query = Query::default();
    let is_known = |name: &str| CONDITIONS.contains(&name) || OTHERS.contains(&name);
    if let Some((name, _)) = arguments.0.iter().find(|(name, _)| !is_known(name)) {
        let text =
            format!("no condition is called {}; there are {}", Shown(&cut(name)), CONDITIONS.join(", "));
        return Err(Refused::Wrong(text));
    }
    let has_condition =
        CONDITIONS.iter().any(|name| !matches!(*name, "time" | "max_scan") && arguments.get(name).is_some());
    if let Some(time) = arguments.get("time") {
        let wrong = || Refused::Wrong(format!("Invalid time=`{}'", Shown(&cut(time))));
        let before = rpcz::parse_time(time, tracer.unix_us(now)).ok_or_else(wrong)?;
        query.before_us = before + 1;
    }
    let number = |name: &str| arguments.number(name);
    query.most_scanned = number("max_scan")?.map_or(if has_condition { MOST_SCANNED } else { 100 }, |most| {
        (most as usize).clamp(1, MOST_SCANNED)
    });
    query.min_latency_us = number("min_latency")?.unwrap_or(0);
    query.max_latency_us = number("max_latency")?.unwrap_or(u64::MAX);
    query.min_request_bytes = number("min_request_size")?.unwrap_or(0);
    query.min_reply_bytes = number("min_response_size")?.unwrap_or(0);
    query.log_id = match arguments.get("log_id") {
        None => None,
        Some(text) => Some(log_id(text, tracer.log_ids()).ok_or_else(|| not_a_number("log_id", text))?),
    };
    query.error = match arguments.get("error_code") {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| not_a_number("error_code", text))?),
    };
    query.failed = number("failed")?.map(|failed| failed != 0);
    query.method = arguments.get("method").map(str::to_owned);
    query.side = match arguments.get("side") {
        None => None,
        Some("S") => Some(Side::Server),
        Some("C") => Some(Side::Client),
        Some(other) => return Err(Refused::Wrong(format!("side={}: it is S or C", Shown(&cut(other))))),
    };
    Ok(query)
}

/// Parses a log id: "decimal or hex per switch"; a `0x` always means hexadecimal.
fn log_id(text: &str, log_ids: LogIds) -> Option<u64> {
    match (text.strip_prefix("0x"), log_ids) {
        (Some(digits), _) => u64::from_str_radix(digits, 16).ok(),
        (None, LogIds::Hex) => u64::from_str_radix(text, 16).ok(),
        (None, LogIds::Decimal) => text.parse().ok(),
    }
}

fn not_a_number(name: &str, text: &str) -> Refused {
    Refused::Wrong(format!("{name}={} is no number", Shown(&cut(text))))
}

fn cut(text: &str) -> String {
    text.chars().take(64).collect()
}

fn stats(tracer: &Tracer, now: Instant) -> String {
    let stats = tracer.stats(now);
    let mut text = String::new();
    let mut line = |name: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(text, "{name}: {value}"); // writing to a string does not fail
    };
    line("rpcz_enabled", &u8::from(stats.is_on));
    line("rpcz_sampling_ratio", &format_args!("{:.6}", stats.sampling_ratio));
    line("spans", &stats.held.records);
    line("span_bytes", &stats.held.bytes);
    line("spans_recorded", &stats.kept);
    line("spans_dropped_for_newer", &stats.held.evicted);
    line("forced_beyond_the_limit", &stats.forced_refused);
    line("failed_beyond_the_limit", &stats.failed_refused);
    line("oldest_us", &stats.held.oldest_us);
    text
}

fn classes(tracer: &Tracer) -> String {
    let mut text = format!("# side method {}\n", Class::NAMES.join(" "));
    for (side, method, counts) in tracer.classes(MOST_METHODS) {
        let side = if side == Side::Server { 'S' } else { 'C' };
        let counts = counts.map(|count| count.to_string()).join(" ");
        let _ = writeln!(text, "{side} {} {counts}", Shown(&method)); // writing to a string does not fail
    }
    text
}

/// The arguments of a query.
struct Arguments(Vec<(String, String)>);

impl Arguments {
    fn parse(query: &str) -> Self {
        // Some are enough: there are fifteen names.
        let pairs = query.split('&').filter(|pair| !pair.is_empty()).take(64);
        Arguments(
            pairs
                .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
                .map(|(name, value)| (decoded(name), decoded(value)))
                .collect(),
        )
    }

    fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value);
        value.filter(|value| !value.is_empty() || OTHERS.contains(&name))
    }

    fn number(&self, name: &str) -> Result<Option<u64>, Refused> {
        let Some(text) = self.get(name) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| not_a_number(name, text))
    }
}

/// A part of a query with its escapes decoded. Invalid escapes stay; bytes that are not text become a
/// replacement character.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = |at: usize| after.get(at).and_then(|digit| (*digit as char).to_digit(16));
        match (first, digits(0), digits(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high << 4 | low) as u8);
                rest = &after[2..];
            }
            (b'+', ..) => {
                bytes.push(b' ');
                rest = after;
            }
            (byte, ..) => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{End, Lane, Options, Start};
    use std::time::Duration;

    fn tracer() -> (Tracer, Instant) {
        let now = Instant::now();
        let tracer = Tracer::new(Options::default(), now, Duration::from_secs(1_795_437_296), 1);
        (tracer, now)
    }

    fn call(tracer: &Tracer, at: Instant, method: &str, took_us: u64, end: End) {
        let start = Start {
            side: Side::Server,
            service: "s".into(),
            method: method.into(),
            protocol: "http",
            system: "http",
            target: String::new(),
            peer: "10.0.0.1:7".to_owned(),
            at,
            request_bytes: 5,
            log_id: 26,
            number: 0,
            try_kind: "",
        };
        let span = tracer.begin(&mut Lane::default(), None, at, || start).unwrap();
        span.end(at + Duration::from_micros(took_us), end, 6);
    }

    fn ask(tracer: &Tracer, rest: &str, query: &str, now: Instant) -> Result<Answer, Refused> {
        page(tracer, &Asked { rest, query, is_change: false, now })
    }

    fn methods(tracer: &Tracer, query: &str, now: Instant) -> String {
        let text = ask(tracer, "", query, now).unwrap().text;
        text.lines()
            .filter_map(|line| line.split(" s.").nth(1)?.split('(').next())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn switches_need_a_post() {
        let (tracer, now) = tracer();
        for rest in ["enable", "disable", "hex_log_id", "dec_log_id"] {
            assert_eq!(ask(&tracer, rest, "", now), Err(Refused::NeedsPost));
        }
        assert!(!tracer.is_on());
        assert!(ask(&tracer, "", "", now).unwrap().text.starts_with("rpcz is not enabled yet."));
        let change = |rest| page(&tracer, &Asked { rest, query: "", is_change: true, now }).unwrap().text;
        assert_eq!(change("enable"), "rpcz is enabled");
        assert!(tracer.is_on());
        assert_eq!(ask(&tracer, "", "", now).unwrap().text, "Fail to find matched spans");
        assert_eq!(change("hex_log_id"), "log_id is hexadecimal");
        call(&tracer, now, "A", 1, End::ok());
        assert!(ask(&tracer, "", "", now).unwrap().text.contains(" log_id=1a "));
        assert_eq!(methods(&tracer, "log_id=1a", now), "A");
        assert_eq!([change("dec_log_id"), change("disable")], ["log_id is decimal", "rpcz is disabled"]);
        assert!(!tracer.is_on());
    }

    #[test]
    fn each_argument_filters() {
        let (tracer, now) = tracer();
        tracer.set_on(true);
        let failed = End { number: 1003, code: "INVALID_ARGUMENT", grpc: 3, message: "no".into() };
        call(&tracer, now, "A", 10, End::ok());
        call(&tracer, now + Duration::from_millis(1), "B", 2000, failed);
        call(&tracer, now + Duration::from_secs(2), "C", 30, End::ok());
        for (query, found) in [
            ("", "C B A"),
            ("max_scan=2", "C B"),
            ("max_scan=0", "C"),
            ("max_scan=99999999", "C B A"),
            ("min_latency=30", "C B"),
            ("max_latency=30", "C A"),
            ("min_request_size=6", ""),
            ("min_response_size=6", "C B A"),
            ("log_id=26", "C B A"),
            ("log_id=0x1a&method=B", "B"),
            ("log_id=27", ""),
            ("error_code=1003", "B"),
            ("error_code=-5", ""),
            ("failed=1", "B"),
            ("method=&min_latency=&error_code=&failed=1&side=", "B"),
            ("method=s/B", "B"),
            ("method=s.B", "B"),
            ("method=/B", "B"),
            ("method=sB", ""),
            ("failed=0", "C A"),
            ("side=C", ""),
            ("time=2026/11/23-12:34:56", "B A"),
            ("time=2026%2F11%2F23-12%3A34%3A56.000500", "A"),
            ("time=12:34:57", "B A"),
        ] {
            assert_eq!(methods(&tracer, query, now), found, "{query}");
        }
    }

    /// brpc looks at the newest 100 spans only: failures, which are kept longest, were not among them.
    #[test]
    fn a_condition_is_asked_of_all_that_is_kept() {
        let (tracer, now) = tracer();
        tracer.set_on(true);
        let failed = End { number: 1008, code: "DEADLINE_EXCEEDED", grpc: 4, message: "late".into() };
        call(&tracer, now, "Late", 10, failed);
        for n in 1..300 {
            // A second apart: few of a second are kept.
            call(&tracer, now + Duration::from_secs(n), "Well", 10, End::ok());
        }
        let found = |query| {
            let asked = Asked { rest: "", query, is_change: false, now };
            super::found(&tracer, &asked).unwrap()
        };
        let kept = found("").kept;
        assert!(kept > 100, "{kept}");
        assert_eq!(methods(&tracer, "failed=1", now), "Late");
        assert_eq!((found("failed=1").looked_at, found("").looked_at), (kept, 100));
        assert_eq!(methods(&tracer, "failed=1&max_scan=100", now), "", "if that is asked for");
    }

    #[test]
    fn wrong_arguments_are_said() {
        let (tracer, now) = tracer();
        tracer.set_on(true);
        for query in [
            "time=noon",
            "min_latency=-1",
            "log_id=x",
            "min_latency_us=1",
            "Method=A",
            "side=Q",
            "trace=xyz",
            "trace=1&span=0",
            "max_scan=%00",
        ] {
            assert!(matches!(ask(&tracer, "", query, now), Err(Refused::Wrong(_))), "{query}");
        }
        let Err(Refused::Wrong(text)) = ask(&tracer, "", "side=%1b[2J%0a", now) else { panic!() };
        assert_eq!(text, r"side=\u{1b}[2J\u{a}: it is S or C");
        assert!(matches!(ask(&tracer, "nothing/here", "", now), Err(Refused::Unknown(_))));
        for query in ["%", "%f", "%zz", "=&&=", &"a&".repeat(100_000), "trace=%ff"] {
            let _ = ask(&tracer, "", query, now);
        }
    }

    #[test]
    fn a_trace_is_shown_in_detail_and_as_a_tree_and_json() {
        let (tracer, now) = tracer();
        tracer.set_on(true);
        call(&tracer, now, "A", 10, End::ok());
        let trace = tracer.find(&Query::default())[0].trace;
        let text = ask(&tracer, "", &format!("trace={trace}"), now).unwrap().text;
        assert!(text.contains(" Received request(5) from 10.0.0.1:7 http log_id=26 "), "{text}");
        assert!(text.contains(&format!("\n# tree: trace {trace}, 1 spans, 1 protocols")), "{text}");
        let answer = ask(&tracer, "", &format!("trace={trace}&json"), now).unwrap();
        assert!(answer.is_json && answer.text.starts_with("{\"spans\":[{\"depth\":0,"), "{answer:?}");
        assert_eq!(ask(&tracer, "", "trace=1", now).unwrap().text, "Fail to find any spans");
        assert!(ask(&tracer, "stats", "", now).unwrap().text.contains("\nspans: 1\n"));
        assert!(ask(&tracer, "classes", "", now).unwrap().text.ends_with("\nS s.A 1 0 0 0 0 0 0\n"));
    }
}
