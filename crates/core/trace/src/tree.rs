//! The spans of a trace as a tree: who called whom, and how long each took.

use crate::{Kept, Phase, Record, Side, rpcz::Shown};
use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
    sync::Arc,
};

/// The maximum depth that is shown; deeper spans are shown at the last level.
const MOST_DEPTH: usize = 64;

/// A span and its place in the tree.
pub struct Node {
    pub record: Arc<Record>,
    /// The depth; 0 for spans whose caller is not in the store.
    pub depth: usize,
    /// Whether the span is not within the time of its caller's span, which is here: it began earlier or ended
    /// later. Their clocks differ, or the caller gave up the call.
    pub is_outside: bool,
}

/// The spans in the order of the tree: each followed by those below it, in the order in which they began.
/// `records` are those of one trace in that order.
pub fn nodes(records: &[Arc<Record>]) -> Vec<Node> {
    let spans: HashMap<u64, usize> =
        records.iter().enumerate().rev().map(|(k, one)| (one.span.0, k)).collect();
    let mut below: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut open = Vec::new();
    for (k, record) in records.iter().enumerate() {
        match spans.get(&record.parent.0) {
            Some(&caller) if caller != k => below.entry(caller).or_default().push(k),
            _ => open.push((k, 0)),
        }
    }
    open.reverse();
    let (mut nodes, mut seen) = (Vec::new(), HashSet::new());
    // Ids come from peers: what goes round in circles has no root, and is begun anywhere.
    let mut rest = 0..records.len();
    loop {
        while let Some((k, depth)) = open.pop() {
            if !seen.insert(k) {
                continue;
            }
            let record = records[k].clone();
            let is_outside = spans
                .get(&record.parent.0)
                .is_some_and(|&caller| depth > 0 && is_outside(&records[caller], &record));
            nodes.push(Node { record, depth, is_outside });
            let deeper = (depth + 1).min(MOST_DEPTH);
            open.extend(below.get(&k).into_iter().flatten().rev().map(|&one| (one, deeper)));
        }
        match rest.find(|k| !seen.contains(k)) {
            Some(k) => open.push((k, 0)),
            None => return nodes,
        }
    }
}

fn is_outside(caller: &Record, record: &Record) -> bool {
    let end = |one: &Record| one.start_us + one.latency.as_micros() as u64;
    // A microsecond is lost in rounding.
    record.start_us < caller.start_us || end(record) > end(caller) + 1
}

/// A line for each span: side, method, protocol, when it began after the first one and how long it took in
/// microseconds, the other side, how it ended.
pub fn text(records: &[Arc<Record>]) -> String {
    let nodes = nodes(records);
    let first = records.iter().map(|record| record.start_us).min().unwrap_or(0);
    let protocols: HashSet<_> = records.iter().map(|record| record.protocol).collect();
    let mut text = String::new();
    let trace = records.first().map(|record| record.trace).unwrap_or_default();
    let _ = writeln!(
        text,
        "# tree: trace {trace}, {} spans, {} protocols; after_us took_us",
        nodes.len(),
        protocols.len()
    );
    for node in &nodes {
        let record = &node.record;
        let side = if record.side == Side::Server { 'S' } else { 'C' };
        let indent = "  ".repeat(node.depth);
        let _ = write!(text, "{indent}{side} {} {}", Shown(&record.method), record.protocol);
        if record.number > 0 {
            let _ = write!(text, " try={}", record.number);
        }
        let (after, took) = (record.start_us - first, record.latency.as_micros());
        let arrow = if record.side == Side::Server { "from" } else { "to" };
        let _ = write!(text, " {after} {took} {} {arrow} {}", record.end.code, Shown(&record.peer));
        if node.is_outside {
            text.push_str(" outside its caller's time");
        }
        text.push('\n');
    }
    text
}

/// The tree as JSON: an object with an array of spans in the order of the tree, each with its depth.
pub fn json(records: &[Arc<Record>]) -> String {
    let mut text = String::from("{\"spans\":[");
    for (k, node) in nodes(records).iter().enumerate() {
        if k > 0 {
            text.push(',');
        }
        span_json(&mut text, node);
    }
    text.push_str("]}\n");
    text
}

fn span_json(text: &mut String, node: &Node) {
    let record = &*node.record;
    let side = if record.side == Side::Server { "server" } else { "client" };
    let _ = write!(
        text,
        "{{\"depth\":{},\"side\":\"{side}\",\"trace\":\"{:032x}\",\"span\":\"{:016x}\",\"parent\":\"{:016x}\"",
        node.depth, record.trace.0, record.span.0, record.parent.0
    );
    for (name, value) in [
        ("method", &*record.method),
        ("protocol", record.protocol),
        ("peer", &record.peer),
        ("code", record.end.code),
    ] {
        let _ = write!(text, ",\"{name}\":{}", Quoted(value));
    }
    let us = |at: std::time::Duration| at.as_micros();
    let _ = write!(
        text,
        ",\"start_us\":{},\"latency_us\":{},\"request_bytes\":{},\"reply_bytes\":{},\"error\":{},\"text\":{},\"kept\":\"{}\"",
        record.start_us,
        us(record.latency),
        record.request_bytes,
        record.reply_bytes,
        record.end.number,
        Quoted(&record.end.message),
        Kept::name(record.kept)
    );
    // A number of 64 bits is no number in every reader of JSON.
    let _ = write!(
        text,
        ",\"log_id\":\"{}\",\"try\":{},\"try_kind\":\"{}\"",
        record.log_id, record.number, record.try_kind
    );
    let _ = write!(text, ",\"outside\":{},\"phases\":{{", node.is_outside);
    for (k, (phase, at)) in record.phases.iter().enumerate() {
        let _ = write!(text, "{}\"{}\":{}", if k > 0 { "," } else { "" }, name(*phase), us(*at));
    }
    text.push_str("},\"annotations\":[");
    for (k, note) in record.annotations.iter().enumerate() {
        let comma = if k > 0 { "," } else { "" };
        let _ = write!(text, "{comma}{{\"at_us\":{},\"text\":{}}}", us(note.at), Quoted(&note.text));
    }
    let _ = write!(
        text,
        "],\"more_annotations\":{},\"more_calls\":{}}}",
        record.more_annotations, record.more_calls
    );
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Enter => "enter_us",
        Phase::Leave => "leave_us",
        Phase::Requested => "requested_us",
        Phase::Replied => "replied_us",
    }
}

/// A JSON string. Characters that HTML could take for a tag, and control characters of terminals, are escaped
/// as well.
pub struct Quoted<'t>(pub &'t str);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '<' | '>' | '&' | '\'' => write!(f, "\\u{:04x}", u32::from(c))?,
                c if c.is_control() || matches!(c, '\u{2028}'..='\u{202e}') => {
                    write!(f, "\\u{:04x}", u32::from(c))?
                }
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SpanId, TraceId, store::tests::record};
    use std::time::Duration;

    fn span(id: u64, parent: u64, side: Side, start: u64, took: u64) -> Arc<Record> {
        let (span, parent) = (SpanId(id), SpanId(parent));
        Arc::new(Record { trace: TraceId(1), span, parent, side, ..record("s.A", start, took) })
    }

    fn shape(records: &[Arc<Record>]) -> Vec<(u64, usize)> {
        nodes(records).iter().map(|node| (node.record.span.0, node.depth)).collect()
    }

    #[test]
    fn calls_are_below_their_callers() {
        let records = [
            span(1, 0, Side::Server, 0, 100),
            span(2, 1, Side::Client, 10, 50),
            span(3, 2, Side::Server, 20, 30),
            span(4, 1, Side::Client, 25, 5),
            span(6, 99, Side::Server, 30, 5),
        ];
        assert_eq!(shape(&records), [(1, 0), (2, 1), (3, 2), (4, 1), (6, 0)]);
        let text = text(&records);
        assert!(text.starts_with("# tree: trace 1, 5 spans, 1 protocols"), "{text}");
        assert!(text.contains("\n    S s.A baidu_std 20 30 OK from 127.0.0.1:4000\n"), "{text}");
    }

    #[test]
    fn circles_and_twins_are_shown_once() {
        let circle =
            [span(1, 2, Side::Server, 0, 1), span(2, 1, Side::Server, 0, 1), span(3, 3, Side::Server, 0, 1)];
        assert_eq!(shape(&circle).len(), 3);
        let twins =
            [span(1, 0, Side::Server, 0, 1), span(1, 0, Side::Server, 0, 1), span(0, 0, Side::Server, 0, 1)];
        assert_eq!(shape(&twins).len(), 3);
        let chain: Vec<_> = (1..=10_000).map(|k| span(k, k - 1, Side::Server, k, 1)).collect();
        assert_eq!(shape(&chain).len(), 10_000);
        assert!(text(&chain).len() < 4 << 20);
    }

    #[test]
    fn a_call_outside_its_callers_time_is_marked() {
        let records = [span(2, 1, Side::Server, 5, 10), span(1, 0, Side::Client, 10, 100)];
        assert!(text(&records).contains("outside its caller's time"));
    }

    #[test]
    fn json_says_the_same_and_escapes() {
        let hostile = Arc::new(Record {
            method: "a\"</script>\u{1b}".into(),
            phases: vec![(Phase::Enter, Duration::from_micros(3))],
            ..record("", 7, 9)
        });
        let json = json(&[hostile]);
        assert!(json.contains(r#""method":"a\"\u003c/script\u003e\u001b","protocol":"baidu_std""#), "{json}");
        assert!(json.contains(r#""phases":{"enter_us":3},"annotations":[]"#), "{json}");
    }
}
