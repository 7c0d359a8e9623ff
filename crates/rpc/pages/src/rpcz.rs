//! `/rpcz`: spans of calls, and the switches of what records them.
//!
//! The text is brpc's. Browsers get tables in its place: a list whose rows lead to `/rpcz/TRACE`, a trace as
//! a tree.

use crate::{
    asked::{Asked, Form},
    facts::ServerFacts,
};
use polywire_call::{Metadata, Native, Status, brpc};
use polywire_console::{Action, Column, Fact, Mark, Table, Value, View};
use polywire_engine::{clock, keep_calendar};
use polywire_trace::{
    Record, Side, TraceId,
    page::{self, Answer, Refused},
    tree,
};
use std::{sync::Arc, time::Instant};

/// Columns of the depth of a span that are shown.
const DEEPEST: usize = 24;

pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let now = clock::now();
    keep_calendar(&facts.tracer, now);
    let trace = TraceId::parse(&asked.rest).filter(|_| asked.rest.len() == 32);
    if asked.form != Form::Html {
        return match trace {
            Some(_) => {
                let query = format!("trace={}&{}", asked.rest, asked.query_text);
                answered(facts, &Asked { rest: String::new(), query_text: query, ..asked.clone() }, false)
            }
            None => answered(facts, asked, false),
        };
    }
    match trace {
        Some(trace) => of_trace(facts, trace),
        None if asked.rest.is_empty() && !asked.query.has("trace") => list(facts, asked, now),
        None => answered(facts, asked, false),
    }
}

pub(crate) fn change(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    let view = answered(facts, asked, true)?;
    let said = view.plain.as_ref().map_or_else(String::new, |(_, text)| text.clone());
    Ok(View { sections: View::default().fact("recording", said).sections, ..view })
}

fn answered(facts: &ServerFacts, asked: &Asked, is_change: bool) -> Result<View, Status> {
    let asked = page::Asked { rest: &asked.rest, query: &asked.query_text, is_change, now: clock::now() };
    match page::page(&facts.tracer, &asked) {
        Ok(Answer { is_json: true, text }) => {
            Ok(View { plain: Some(("application/json", text)), ..View::new("Traces") })
        }
        Ok(Answer { is_json: false, text }) => Ok(View::new("Traces").plain(text)),
        Err(refused) => Err(status(refused)),
    }
}

fn status(refused: Refused) -> Status {
    match refused {
        Refused::Unknown(text) => brpc::status(brpc::ENOMETHOD, text),
        Refused::Wrong(text) => Status::invalid_argument(text),
        Refused::NeedsPost => {
            let status = Status::invalid_argument("a switch is turned by POST");
            let allowed: Metadata = [("allow", "POST")].into_iter().collect();
            status.with_native(Native::Http(405)).with_trailers(allowed)
        }
    }
}

fn list(facts: &ServerFacts, asked: &Asked, now: Instant) -> Result<View, Status> {
    let tracer = &facts.tracer;
    let question = page::Asked { rest: "", query: &asked.query_text, is_change: false, now };
    let found = page::found(tracer, &question).map_err(status)?;
    let columns = [
        Column::new("method").to("rpcz/"),
        Column::new("side").hint("server: this one was called; client: this process has called"),
        Column::new("took")
            .hint("from the first byte read to the reply handed over; of a client until its reply"),
        Column::new("ended"),
        Column::new("ago").hint("since it began"),
        Column::new("peer").wide(),
        Column::new("protocol").wide(),
        Column::new("kept")
            .hint("why it was kept: by chance, for its caller, as a failure, as the slowest")
            .wide(),
    ];
    let mut table = Table::new("spans", columns).empty(match tracer.is_on() {
        true => "No span is kept, or none is as the address asks.",
        false => "Nothing is recorded.",
    });
    let now_us = tracer.unix_us(now);
    for record in &found.records {
        let mark = if record.end.is_ok() { Mark::Fine } else { Mark::Warn };
        let ago = now_us.saturating_sub(record.start_us) as f64 / 1e6;
        let cells = [
            method(record).into(),
            side_in_words(record).into(),
            Value::from(record.latency),
            ended(record).into(),
            Value::Seconds(ago),
            record.peer.to_string().into(),
            record.protocol.into(),
            record.kept.name().into(),
        ];
        table.push(format!("{:032x}", record.trace.0), mark, cells);
    }
    let stats = tracer.stats(now);
    let recording = if stats.is_on { "on" } else { "off" };
    let turn = match stats.is_on {
        true => Action::new("rpcz/disable", "Stop recording"),
        false => Action::new("rpcz/enable", "Record calls"),
    };
    let given = |name: &str| asked.query.get(name).unwrap_or("").to_owned();
    let choices = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let mut filter = Action::new("rpcz", "Filter").field("method", given("method"));
    filter = filter
        .choice("failed", given("failed"), choices(&["", "1", "0"]))
        .choice("side", given("side"), choices(&["", "S", "C"]))
        .field("min_latency", given("min_latency"))
        .field("error_code", given("error_code"))
        .field("log_id", given("log_id"));
    filter.get = true;
    let looked = match found.looked_at < found.kept {
        true => format!(
            "The newest {} of {} spans were looked at; a condition, or max_scan={}, looks at more.",
            found.looked_at,
            found.kept,
            found.kept.min(page::MOST_SCANNED)
        ),
        false => format!("All {} spans that are kept were looked at.", found.kept),
    };
    Ok(View::new("Traces")
        .fact("recording", recording)
        .fact("spans_kept", stats.held.records)
        .fact("memory", Value::Bytes(stats.held.bytes as u64))
        .fact("sampled", Value::Ratio(stats.sampling_ratio))
        .action(turn)
        .action(filter)
        .note(looked)
        .table(table)
        .note("min_latency is in microseconds. Further conditions, in the address: max_latency, min_request_size, min_response_size, time=12:34:56, max_scan."))
}

fn of_trace(facts: &ServerFacts, trace: TraceId) -> Result<View, Status> {
    let records = facts.tracer.trace(trace);
    if records.is_empty() {
        let text = "this server keeps no span of that trace: it was not recorded, or newer ones have taken its place";
        return Err(Status::not_found(text).with_native(Native::Http(404)));
    }
    let nodes = tree::nodes(&records);
    let first = records.iter().map(|record| record.start_us).min().unwrap_or(0);
    let end = |record: &Record| record.start_us + record.latency.as_micros() as u64;
    let last = records.iter().map(|record| end(record)).max().unwrap_or(first);
    let columns = [
        Column::new("method"),
        Column::new("side").hint("server: this one was called; client: this process has called"),
        Column::new("protocol"),
        Column::new("after").hint("since the first span began"),
        Column::new("took"),
        Column::new("ended"),
        Column::new("peer"),
        Column::new("notes").hint("what the program said within it, with its time").wide(),
    ];
    let mut table = Table::new("tree", columns);
    for node in &nodes {
        let record = &node.record;
        let mark = if record.end.is_ok() { Mark::Fine } else { Mark::Warn };
        let steps = "· ".repeat(node.depth.min(DEEPEST));
        let notes: Vec<_> = record
            .annotations
            .iter()
            .take(8)
            .map(|note| format!("+{} µs {}", note.at.as_micros(), note.text))
            .chain(
                node.is_outside
                    .then(|| "outside its caller's time: their clocks differ, or it was given up".to_owned()),
            )
            .collect();
        let cells = [
            format!("{steps}{}", method(record)).into(),
            side_in_words(record).into(),
            record.protocol.into(),
            Value::Micros(record.start_us.saturating_sub(first) as f64),
            Value::from(record.latency),
            ended(record).into(),
            record.peer.to_string().into(),
            notes.join("; ").into(),
        ];
        table.push(format!("{:016x}{}", record.span.0, side(record)), mark, cells);
    }
    let mut view = View::new("Trace");
    view.add(
        Fact::new("trace", format!("{:032x}", trace.0))
            .link("as text", format!("rpcz?trace={:032x}&console=1", trace.0)),
    );
    view.add(Fact::new("spans", records.len()));
    view.add(Fact::new("took", Value::Micros(last.saturating_sub(first) as f64)));
    Ok(view.table(table).note("Spans that other servers have kept are at those servers."))
}

/// The name of a method as other pages have it.
fn method(record: &Record) -> String {
    match record.method.rsplit_once('.') {
        Some((service, name)) if !record.method.contains('/') => format!("{service}/{name}"),
        _ => record.method.to_string(),
    }
}

fn side(record: &Record) -> &'static str {
    if record.side == Side::Server { "S" } else { "C" }
}

fn side_in_words(record: &Record) -> &'static str {
    if record.side == Side::Server { "server" } else { "client" }
}

fn ended(record: &Arc<Record>) -> String {
    match &*record.end.message {
        "" => record.end.code.to_owned(),
        message => format!("{}: {message}", record.end.code),
    }
}
