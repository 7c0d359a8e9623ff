//! Spans as text, in the form that Apache brpc's page `/rpcz` has.
//!
//! Source: Apache brpc, `src/brpc/builtin/rpcz_service.cpp`. Times are of UTC.

use crate::{End, Phase, Record, Side};
use polywire_base::Sort;
use polywire_base::calendar::Date;
use std::{
    fmt::{self, Write},
    sync::Arc,
    time::Duration,
};

/// The form in which log ids are shown and read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LogIds {
    #[default]
    Decimal,
    Hex,
}

/// A line for each span.
pub fn list(records: &[Arc<Record>], log_ids: LogIds) -> String {
    let mut text = String::new();
    for record in records {
        let _ = row(&mut text, record, log_ids); // writing to a string does not fail
    }
    text
}

/// `2026/11/23-12:00:00.000001    .   123 S trace=1f span=2 log_id=0 example.EchoService.Echo(5)=7 [OK]`
fn row(text: &mut String, record: &Record, log_ids: LogIds) -> fmt::Result {
    let side = if record.side == Side::Server { 'S' } else { 'C' };
    let (trace, span, method) = (record.trace, record.span, Shown(&record.method));
    write!(
        text,
        "{}{} {side} trace={trace} span={span} log_id=",
        DateTime(record.start_us),
        Elapsed(record.latency)
    )?;
    log_id(text, record.log_id, log_ids)?;
    writeln!(text, " {method}({})={} [{}]", record.request_bytes, record.reply_bytes, EndText(&record.end))
}

fn log_id(text: &mut String, id: u64, log_ids: LogIds) -> fmt::Result {
    match log_ids {
        LogIds::Decimal => write!(text, "{id}"),
        LogIds::Hex => write!(text, "{id:x}"),
    }
}

/// Lines about the events in each span, in order of time. The calls of a server's span are shown inside it.
pub fn details(records: &[Arc<Record>], log_ids: LogIds) -> String {
    let mut text = String::new();
    let is_server = |span| records.iter().any(|other| other.side == Side::Server && other.span == span);
    for record in records {
        if record.side == Side::Client && is_server(record.parent) {
            continue; // shown inside
        }
        let inside = |one: &&Arc<Record>| {
            record.side == Side::Server && one.side == Side::Client && one.parent == record.span
        };
        let mut lines = Lines::new(record, log_ids);
        lines.span(record);
        records.iter().filter(inside).for_each(|call| lines.span(call));
        lines.write(&mut text);
        text.push('\n');
    }
    text
}

/// The lines of a span and of the calls inside it. They are sorted by time; lines of the same time keep their
/// order.
struct Lines {
    log_ids: LogIds,
    first_us: u64,
    lines: Vec<(u64, String)>,
}

impl Lines {
    fn new(record: &Record, log_ids: LogIds) -> Self {
        Lines { log_ids, first_us: record.start_us, lines: Vec::new() }
    }

    fn span(&mut self, record: &Record) {
        match record.side {
            Side::Server => self.server(record),
            Side::Client => self.client(record),
        }
        let at = |after: Duration| record.start_us + after.as_micros() as u64;
        for note in &record.annotations {
            self.lines.push((at(note.at), Shown(&note.text).to_string()));
        }
        let end = at(record.latency);
        if record.more_annotations > 0 {
            self.lines.push((end, format!("{} further annotations were not kept", record.more_annotations)));
        }
        if record.more_calls > 0 {
            self.lines.push((end, format!("{} further calls were not recorded", record.more_calls)));
        }
    }

    fn log_id(&self, id: u64) -> String {
        let mut text = String::new();
        let _ = log_id(&mut text, id, self.log_ids); // writing to a string does not fail
        text
    }

    fn server(&mut self, record: &Record) {
        let at = |after: Duration| record.start_us + after.as_micros() as u64;
        let Record { request_bytes, reply_bytes, protocol, trace, span, .. } = record;
        let (peer, log_id, method) = (Shown(&record.peer), self.log_id(record.log_id), Shown(&record.method));
        let mut first = format!(
            "Received request({request_bytes}) from {peer} {protocol} log_id={log_id} trace={trace} span={span}"
        );
        if record.parent.0 != 0 {
            let _ = write!(first, " parent_span={}", record.parent);
        }
        self.lines.push((record.start_us, first));
        if let Some(enter) = record.phase(Phase::Enter) {
            self.lines.push((at(enter), format!("Enter {method}")));
        }
        match record.phase(Phase::Leave) {
            Some(leave) => self.lines.push((at(leave), format!("Leave {method}"))),
            None => self.lines.push((at(record.latency), "Responding".to_owned())),
        }
        let ended = format!("Responded({reply_bytes}){}", Failure(&record.end));
        self.lines.push((at(record.latency), ended));
    }

    fn client(&mut self, record: &Record) {
        let at = |after: Duration| record.start_us + after.as_micros() as u64;
        let Record { request_bytes, reply_bytes, protocol, trace, span, number, .. } = record;
        let (peer, log_id, method) = (Shown(&record.peer), self.log_id(record.log_id), Shown(&record.method));
        // brpc's call_id is a handle in its own memory; there is none here.
        let first = format!(
            "Requesting {method}@{peer} {protocol} log_id={log_id} call_id=0 trace={trace} span={span}"
        );
        self.lines.push((record.start_us, first));
        let requested = record.phase(Phase::Requested).unwrap_or_default();
        let kind = if record.try_kind.is_empty() { String::new() } else { format!(" {}", record.try_kind) };
        self.lines.push((at(requested), format!("Requested({request_bytes}) [{number}]{kind}")));
        if record.end.is_ok() {
            let replied = record.phase(Phase::Replied).unwrap_or(record.latency);
            self.lines.push((at(replied), format!("Received response({reply_bytes}) of request[{number}]")));
        } else {
            self.lines
                .push((at(record.latency), format!("Ended{} of request[{number}]", Failure(&record.end))));
        }
    }

    fn write(mut self, text: &mut String) {
        self.lines.order_by_key(|(at, _)| *at);
        let mut last = self.first_us;
        for (k, (at, line)) in self.lines.iter().enumerate() {
            // The first line has the date and no distance.
            let _ = match k {
                0 => writeln!(text, "{} {line}", DateTime(*at)),
                _ => writeln!(text, "{}{} {line}", Time(*at), Elapsed(Duration::from_micros(at - last))),
            };
            last = *at;
        }
    }
}

/// Writes `OK`, or the error.
struct EndText<'r>(&'r End);

impl fmt::Display for EndText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            end if end.is_ok() => f.write_str("OK"),
            end if end.message.is_empty() => f.write_str(end.code),
            end => Shown(&end.message).fmt(f),
        }
    }
}

/// Writes nothing for success, otherwise a space and, in brackets, the code and the text.
struct Failure<'r>(&'r End);

impl fmt::Display for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_ok() { Ok(()) } else { write!(f, " [{} {}]", self.0.code, Shown(&self.0.message)) }
    }
}

/// A text of a peer or of the application on one line of a terminal: control characters are escaped.
pub(crate) struct Shown<'t>(pub &'t str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                c if c.is_control() || is_invisible(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Characters that change how others are shown: direction, joining, line ends.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// `YYYY/mm/dd-HH:MM:SS.uuuuuu` of microseconds since 1970.
struct DateTime(u64);

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Date { year, month, day } = Date::of_day((self.0 / DAY_US) as i64);
        write!(f, "{year:04}/{month:02}/{day:02}-{}", Time(self.0))
    }
}

/// A time of day, written `HH:MM:SS.uuuuuu`.
struct Time(u64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, us) = (self.0 % DAY_US / 1_000_000, self.0 % 1_000_000);
        write!(f, "{:02}:{:02}:{:02}.{us:06}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

/// Seconds and microseconds in eleven columns; without seconds where there are none, as brpc prints it.
struct Elapsed(Duration);

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, us) = (self.0.as_secs(), self.0.subsec_micros());
        if seconds > 0 { write!(f, "{seconds:4}.{us:6}") } else { write!(f, "    .{us:6}") }
    }
}

const DAY_US: u64 = 86_400 * 1_000_000;

/// Reads `YYYY/mm/dd-HH:MM:SS[.uuuuuu]`, or `HH:MM:SS[.uuuuuu]` of the day of `now_us`, into microseconds
/// since 1970. Without a fraction it is the end of that second.
pub fn parse_time(text: &str, now_us: u64) -> Option<u64> {
    let number = |text: &str, most: u64| {
        let is_number = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        text.parse::<u64>().ok().filter(|number| is_number && *number <= most)
    };
    let (day, time) = match text.split_once('-') {
        None => ((now_us / DAY_US) as i64, text),
        Some((date, time)) => {
            let mut parts = date.split('/');
            let (year, month) = (number(parts.next()?, 9999)?, number(parts.next()?, 12)?);
            let of_month = number(parts.next()?, 31)?;
            if parts.next().is_some() || year < 1970 || month == 0 || of_month == 0 {
                return None;
            }
            (Date { year: year as i64, month: month as u32, day: of_month as u32 }.to_day(), time)
        }
    };
    let (time, fraction) =
        time.split_once('.').map_or((time, None), |(time, fraction)| (time, Some(fraction)));
    let mut parts = time.split(':');
    let (hours, minutes) = (number(parts.next()?, 23)?, number(parts.next()?, 59)?);
    let seconds = number(parts.next()?, 60)?;
    if parts.next().is_some() {
        return None;
    }
    let us = match fraction {
        None => 999_999,
        Some(digits) if (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) => {
            digits.parse::<u64>().ok()? * 10_u64.pow(6 - digits.len() as u32)
        }
        Some(_) => return None,
    };
    let seconds = (day as u64) * 86_400 + hours * 3600 + minutes * 60 + seconds;
    Some(seconds * 1_000_000 + us)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Annotation, SpanId, TraceId, store::tests::record};

    /// 2026/11/23-12:34:56.000789
    const AT: u64 = 1_795_437_296_000_789;

    fn server() -> Record {
        let us = Duration::from_micros;
        Record {
            trace: TraceId(0x1f),
            span: SpanId(0xa),
            parent: SpanId(9),
            log_id: 26,
            phases: vec![(Phase::Enter, us(10)), (Phase::Leave, us(1_000_200))],
            annotations: vec![Annotation { at: us(20), text: "lock taken".into() }],
            ..record("example.EchoService.Echo", AT, 1_000_250)
        }
    }

    #[test]
    fn rows_are_as_brpc_prints_them() {
        let late =
            End { number: 1008, code: "DEADLINE_EXCEEDED", grpc: 4, message: "RPC call is timed out".into() };
        let quick = Record { side: Side::Client, latency: Duration::from_micros(123), end: late, ..server() };
        assert_eq!(
            list(&[Arc::new(server()), Arc::new(quick)], LogIds::Decimal),
            "2026/11/23-12:34:56.000789   1.   250 S trace=1f span=a log_id=26 example.EchoService.Echo(10)=20 [OK]\n\
             2026/11/23-12:34:56.000789    .   123 C trace=1f span=a log_id=26 example.EchoService.Echo(10)=20 [RPC call is timed out]\n"
        );
        assert!(list(&[Arc::new(server())], LogIds::Hex).contains(" log_id=1a "));
    }

    #[test]
    fn details_are_in_order_of_time_with_calls_inside() {
        let client = Record {
            side: Side::Client,
            span: SpanId(0xb),
            parent: SpanId(0xa),
            start_us: AT + 100,
            latency: Duration::from_micros(500),
            number: 2,
            try_kind: "retry",
            phases: vec![(Phase::Requested, Duration::from_micros(3))],
            annotations: Vec::new(),
            ..server()
        };
        assert_eq!(
            details(&[Arc::new(server()), Arc::new(client)], LogIds::Decimal),
            "2026/11/23-12:34:56.000789 Received request(10) from 127.0.0.1:4000 baidu_std log_id=26 trace=1f span=a parent_span=9\n\
             12:34:56.000799    .    10 Enter example.EchoService.Echo\n\
             12:34:56.000809    .    10 lock taken\n\
             12:34:56.000889    .    80 Requesting example.EchoService.Echo@127.0.0.1:4000 baidu_std log_id=26 call_id=0 trace=1f span=b\n\
             12:34:56.000892    .     3 Requested(10) [2] retry\n\
             12:34:56.001389    .   497 Received response(20) of request[2]\n\
             12:34:57.000989    .999600 Leave example.EchoService.Echo\n\
             12:34:57.001039    .    50 Responded(20)\n\n"
        );
    }

    #[test]
    fn hostile_texts_stay_on_their_line() {
        let hostile = Record { method: "s.A\n2026/11/23 fake\u{1b}[2J\u{202e}".into(), ..server() };
        let text = list(&[Arc::new(hostile)], LogIds::Decimal);
        assert!(text.contains(r"s.A\u{a}2026/11/23 fake\u{1b}[2J\u{202e}("), "{text}");
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn times_are_read_as_they_are_shown() {
        for us in [0, 951_782_400_000_001, AT, 4_102_444_799_999_999, 68_169_599_000_000] {
            assert_eq!(parse_time(&DateTime(us).to_string(), 0), Some(us), "{}", DateTime(us));
        }
        assert_eq!(parse_time("12:34:56", AT), Some(AT - 789 + 999_999));
        assert_eq!(parse_time("12:34:56.5", AT), Some(AT - 789 + 500_000));
        let wrong = [
            "",
            "12",
            "12:34",
            "12:34:56:1",
            "24:00:00",
            "12:60:00",
            "12:34:56.",
            "12:34:56.1234567",
            "12:34:+6",
            "2026/13/01-00:00:00",
            "2026/00/01-00:00:00",
            "1969/12/31-00:00:00",
            "99999/01/01-00:00:00",
            "-00:00:00",
            "2026/1/1/1-00:00:00",
        ];
        wrong.iter().for_each(|text| assert_eq!(parse_time(text, AT), None, "{text:?}"));
    }
}
