//! `/try/SERVICE/METHOD`: a form for a method's request, a call of it, and the answer.
//!
//! The call is a request like any other ([`inward`]): with the credential that is typed into the form,
//! against the limits, through the middleware, to be found among traces and in the access log. It is marked
//! by the field `x-polywire-try: 1`.
//!
//! ```text
//!  fields of the form, or JSON --> request --> answer: code, time, sizes, JSON; of a stream its first messages
//! ```
//!
//! Fields of the message are called by their way from it, behind a point: `.address.street`, `.items.0.sku`.
//!
//! Limits:     [`MOST_FIELDS`] fields, [`DEEPEST`] messages around a field, [`ITEMS`] of a repeated message;
//!             JSON has no such limits. [`LONGEST_S`] seconds, [`MOST_MESSAGES`] messages of a stream,
//!             [`inward::MOST_BODY`] bytes.
//!
//! Not here: streams from the client, which plain HTTP does not carry.

use crate::{
    asked::Asked,
    facts::ServerFacts,
    inward::{self, Answer, Request},
    page::Making,
    schema,
};
use polywire_call::{Code, Status, brpc};
use polywire_console::{Action, Column, Fact, Mark, Query, Section, Table, Value, View};
use polywire_engine::{clock, transport::duplex};
use polywire_formats::schema::{Cardinality, Field, Kind, MessageSchema, MethodSchema};
use std::{collections::BTreeMap, fmt::Write};

/// Fields of a message that a form has.
const MOST_FIELDS: usize = 40;
/// Messages around a field of a form; deeper ones are written as JSON.
const DEEPEST: usize = 3;
/// How many items of a repeated message have fields in the form.
const ITEMS: usize = 2;
/// Seconds that a call may take.
const LONGEST_S: u64 = 60;
/// Bytes of an answer that is broken into lines; a longer one is shown as it is.
const MOST_PRETTY: usize = 64 << 10;
/// Bytes of the fields of an answer that are shown.
const MOST_SHOWN_FIELDS: usize = 8 << 10;
/// Messages of a stream that are waited for.
const MOST_MESSAGES: u64 = 100;

pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Result<View, Status> {
    if asked.rest.is_empty() {
        return Ok(methods(facts));
    }
    Ok(forms(View::new(format!("Try {}", asked.rest)), &method(facts, asked)?, asked))
}

fn methods(facts: &ServerFacts) -> View {
    let columns = [
        Column::new("method").to("try/"),
        Column::new("request"),
        Column::new("kind").hint("who sends a stream of messages"),
    ];
    let mut table = Table::new("methods", columns).empty(
        "No service has a schema: those of generated code have one, raw handlers do not. curl reaches them as well.",
    );
    for method in facts.schemas.methods() {
        let name = format!("{}/{}", method.service, method.method);
        let request = method.input.full_name().to_owned();
        table.push(name.clone(), Mark::Fine, [name.into(), request.into(), schema::kind(&method).into()]);
    }
    View::new("Try").table(table)
}

fn method<'f>(facts: &'f ServerFacts, asked: &Asked) -> Result<MethodSchema<'f>, Status> {
    let unknown =
        || brpc::status(brpc::ENOMETHOD, "no service has such a method with a schema: /try lists all");
    facts.schemas.method(&asked.rest).ok_or_else(unknown)
}

/// The forms of a method: one with its fields, one with JSON, which is complete.
fn forms(view: View, method: &MethodSchema<'_>, asked: &Asked) -> View {
    let to = format!("try/{}/{}", method.service, method.method);
    let types = format!("{} → {}", method.input.full_name(), method.output.full_name());
    let mut view = view.section(Section::Facts(
        "method",
        vec![
            Fact::new("takes", types).link("its schema", format!("protobufs/{}", method.input.full_name())),
            Fact::new("kind", schema::kind(method)),
        ],
    ));
    if method.client_streaming {
        return view.note("Its client streams, which a page cannot: `polywire call` and grpcurl can.");
    }
    let common = |action: Action| {
        let given = |name: &str, usual: &str| asked.fields.get(name).unwrap_or(usual).to_owned();
        let action = action.field("timeout_ms", given("timeout_ms", "5000"));
        let action = match method.server_streaming {
            true => action.field("messages", given("messages", "10")),
            false => action,
        };
        // A credential is not kept.
        action.field("authorization", "").lines("metadata", given("metadata", ""), 2)
    };
    let mut fields = Vec::new();
    let is_whole = inputs(method.input, "", &mut Vec::new(), &mut fields);
    if !fields.is_empty() && !method.input.is_special() {
        let mut action = Action::new(to.clone(), "Call");
        for (name, input) in fields {
            let value = asked.fields.get(&name).unwrap_or("").to_owned();
            action = match input {
                Input::Line => action.field(name, value),
                Input::Lines(lines) => action.lines(name, value, lines),
                Input::One(mut choices) => {
                    choices.insert(0, String::new());
                    action.choice(name, value, choices)
                }
            };
        }
        if !is_whole {
            view = view.note("The type has more fields than this form: JSON has all.");
        }
        view = view.action(common(action));
        view = view.note(
            "Empty fields are left out. Of a repeated field each line is one; deep messages and maps are JSON. \
             A call does what the method does: there is no trial mode.",
        );
    }
    let json = match asked.fields.get("json") {
        Some(json) => json.to_owned(),
        None => {
            let mut text = String::new();
            example(method.input, 0, &mut text);
            text
        }
    };
    view.action(common(Action::new(to, "Call with JSON").lines("json", json, 8)))
}

/// How a field is typed in.
enum Input {
    Line,
    /// A text field of this many lines.
    Lines(u8),
    One(Vec<String>),
}

/// A message field whose own fields are part of the form. Others are written as JSON: maps, those too deep,
/// and types within themselves.
fn opened<'p>(message: MessageSchema<'p>, field: &Field, within: &[&str]) -> Option<MessageSchema<'p>> {
    let child = message.child(field)?;
    let is_closed = child.is_special() || message.map_entry(field).is_some() || within.len() >= DEEPEST;
    let is_within = child.full_name() == message.full_name() || within.contains(&child.full_name());
    (!is_closed && !is_within).then_some(child)
}

/// Collects the fields of a form; whether all are there. `within`: the types around this one.
fn inputs<'p>(
    message: MessageSchema<'p>,
    way: &str,
    within: &mut Vec<&'p str>,
    into: &mut Vec<(String, Input)>,
) -> bool {
    let mut all = true;
    within.push(message.full_name());
    for field in message.declared_fields() {
        if into.len() >= MOST_FIELDS {
            all = false;
            break;
        }
        let name = format!("{way}.{}", field.name);
        let is_repeated = field.cardinality == Cardinality::Repeated;
        match opened(message, field, within) {
            Some(child) if is_repeated => {
                for at in 0..ITEMS {
                    all &= inputs(child, &format!("{name}.{at}"), within, into);
                }
            }
            Some(child) => all &= inputs(child, &name, within, into),
            None if is_repeated || is_json(message, field) => into.push((name, Input::Lines(2))),
            None => into.push((name, of_scalar(message, field))),
        }
    }
    within.pop();
    all
}

/// Whether a field that is not opened is typed in as JSON.
fn is_json(message: MessageSchema<'_>, field: &Field) -> bool {
    message.child(field).is_some_and(|child| !child.is_special())
}

fn of_scalar(message: MessageSchema<'_>, field: &Field) -> Input {
    match field.kind {
        Kind::Bool => Input::One(vec!["true".into(), "false".into()]),
        Kind::Enum(_) => {
            let names = message.enum_names(field);
            match names.len() {
                0..=100 => Input::One(names.into_iter().map(str::to_owned).collect()),
                _ => Input::Line,
            }
        }
        _ => Input::Line,
    }
}

/// JSON with every field of a message, as something to begin with.
fn example(message: MessageSchema<'_>, depth: usize, out: &mut String) {
    if message.is_special() || depth > DEEPEST {
        out.push_str(if depth > DEEPEST { "{}" } else { "null" });
        return;
    }
    let mut seen = Vec::new();
    out.push('{');
    let mut first = true;
    for field in message.declared_fields() {
        // Of a oneof the first one stands for all.
        if let Some(oneof) = field.oneof {
            if seen.contains(&oneof) {
                continue;
            }
            seen.push(oneof);
        }
        let _ = write!(out, "{}\"{}\": ", if first { "" } else { ", " }, field.name); // writing to a string does not fail
        first = false;
        if message.map_entry(field).is_some() {
            out.push_str("{}");
            continue;
        }
        let is_repeated = field.cardinality == Cardinality::Repeated;
        out.push_str(if is_repeated { "[" } else { "" });
        match (message.child(field), field.kind) {
            (Some(_), _) if is_repeated && depth + 1 > DEEPEST => {}
            (Some(child), _) => example(child, depth + 1, out),
            (None, _) if is_repeated => {}
            (None, Kind::Bool) => out.push_str("false"),
            (None, Kind::String | Kind::Bytes) => out.push_str("\"\""),
            (None, Kind::Enum(_)) => {
                let names = message.enum_names(field);
                let _ = write!(out, "\"{}\"", names.first().copied().unwrap_or("")); // as above
            }
            (None, _) => out.push('0'),
        }
        out.push_str(if is_repeated { "]" } else { "" });
        if out.len() > 4096 {
            break;
        }
    }
    out.push('}');
}

/// Makes the call that the form describes; the page shows its answer.
pub(crate) fn change(facts: &ServerFacts, asked: &Asked) -> Making {
    called(facts, asked).unwrap_or_else(|status| Box::pin(async { Err(status) }))
}

fn called(facts: &ServerFacts, asked: &Asked) -> Result<Making, Status> {
    let method = method(facts, asked)?;
    if method.client_streaming {
        return Err(Status::unimplemented("its client streams, which a page cannot"));
    }
    let wrong = |text: String| Status::invalid_argument(text);
    let number = |name: &str, usual: u64, most: u64| match asked.fields.get(name).map(str::trim) {
        None | Some("") => Ok(usual),
        Some(text) => text
            .parse()
            .ok()
            .filter(|number| (1..=most).contains(number))
            .ok_or_else(|| wrong(format!("{name} has to be a number, 1 to {most}"))),
    };
    let timeout = number("timeout_ms", 5000, LONGEST_S * 1000)?;
    let messages = number("messages", 10, MOST_MESSAGES)? as usize;
    let json = match asked.fields.get("json") {
        Some(json) => json.to_owned(),
        None => from_fields(method.input, &asked.fields).map_err(wrong)?,
    };
    let mut fields = vec![
        ("content-type".to_owned(), "application/proto-json".to_owned()),
        ("x-polywire-timeout-ms".to_owned(), timeout.to_string()),
        ("x-polywire-try".to_owned(), "1".to_owned()),
    ];
    if let Some(credential) = asked.fields.get("authorization").filter(|text| !text.is_empty()) {
        fields.push(("authorization".to_owned(), credential.to_owned()));
    }
    for line in asked.fields.get("metadata").unwrap_or("").lines().filter(|line| !line.trim().is_empty()) {
        let field =
            line.split_once(':').ok_or_else(|| wrong("metadata has lines of NAME: VALUE".to_owned()))?;
        fields.push((field.0.trim().to_owned(), field.1.trim().to_owned()));
    }
    let server = facts.server()?;
    let (ours, theirs) = duplex("try", inward::CAPACITY);
    server.serve(Box::new(theirs.with_peer(asked.peer.clone())));
    // What is shown beside the answer; the page's function may not borrow from the server.
    let streams = method.server_streaming;
    let around = forms(View::default(), &method, asked).sections;
    let (rest, path) = (asked.rest.clone(), format!("/{}/{}", method.service, method.method));
    Ok(Box::pin(async move {
        let request = Request { path: &path, fields, body: json.as_bytes() };
        let began = clock::now();
        let enough = |body: &[u8]| streams && body.iter().filter(|byte| **byte == b'\n').count() >= messages;
        let answered = inward::exchange(ours, &request, enough).await;
        let took = clock::now().saturating_duration_since(began);
        let mut view = View::new(format!("Try {rest}"));
        match answered {
            Ok(answer) => view = said(view, &answer, streams, messages, json.len(), took),
            Err(why) => return Err(Status::invalid_argument(why)),
        }
        view.sections.extend(around);
        Ok(view)
    }))
}

/// Adds what the server has answered to the page.
fn said(
    mut view: View,
    answer: &Answer,
    streams: bool,
    messages: usize,
    sent: usize,
    took: std::time::Duration,
) -> View {
    let is_well = answer.status == 200;
    let code = match (answer.field("polywire-status"), is_well) {
        (Some(code), _) => {
            // A number, and a word behind it where the call was not begun.
            let (number, rest) = code.split_once(' ').unwrap_or((code, ""));
            let known = Code::ALL.into_iter().find(|known| number.parse() == Ok(*known as i32));
            let name = known.map_or(number, |known| known.name());
            if rest.is_empty() { name.to_owned() } else { format!("{name} {rest}") }
        }
        (None, true) => "OK".to_owned(),
        (None, false) => "no status of a call".to_owned(),
    };
    let mut body = String::from_utf8_lossy(&answer.body).into_owned();
    let mut note = "";
    if streams {
        let mut lines = body.split_inclusive('\n');
        let shown: String = lines.by_ref().take(messages).collect();
        let more = lines.next().is_some() || !answer.whole;
        note = if more { "The stream went on; the call was given up here." } else { "The stream has ended." };
        view.add(Fact::new("messages", shown.lines().count()));
        body = shown;
    } else if !answer.whole {
        note = "The answer is longer than is shown.";
    }
    let mark = if is_well { Mark::Fine } else { Mark::Warn };
    view.add(Fact::new("status", code).mark(mark));
    view.add(Fact::new("http_status", Value::Digits(answer.status.to_string().into())));
    view.add(Fact::new("took", Value::from(took)));
    view.add(Fact::new("request", Value::Bytes(sent as u64)));
    view.add(Fact::new("reply", Value::Bytes(answer.body.len() as u64)));
    if !note.is_empty() {
        view = view.note(note);
    }
    let mut fields = String::new();
    for (name, value) in &answer.fields {
        if fields.len() + name.len() + value.len() < MOST_SHOWN_FIELDS {
            fields += &format!("{name}: {value}\n");
        }
    }
    let heading = if is_well { "answer" } else { "why it failed" };
    view.section(Section::Lines(heading.into(), pretty(&body)))
        .section(Section::Lines("fields of the answer".into(), fields))
}

/// JSON with a line for each member. What is no JSON stays as it is, since only brackets, commas and quotes
/// are looked at.
fn pretty(text: &str) -> String {
    let (mut out, mut depth, mut quoted, mut escaped) = (String::new(), 0_usize, false, false);
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth.min(32)));
    };
    let is_json = text.trim_start().starts_with(['{', '[']);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        out.push(char);
        match char {
            _ if !is_json => {}
            _ if quoted => {
                (quoted, escaped) = (escaped || char != '"', !escaped && char == '\\');
                if quoted {
                    continue;
                }
            }
            '"' => quoted = true,
            '{' | '[' if !matches!(chars.peek(), Some('}' | ']')) => {
                depth += 1;
                line(&mut out, depth);
            }
            ',' => line(&mut out, depth),
            ':' => out.push(' '),
            _ => {}
        }
        if is_json && matches!(chars.peek(), Some('}' | ']')) && !quoted && !matches!(char, '{' | '[') {
            depth = depth.saturating_sub(1);
            line(&mut out, depth);
        }
        if out.len() > MOST_PRETTY {
            return text.to_owned();
        }
    }
    out
}

/// The message that the fields of a form describe, as JSON.
///
/// # Errors
/// A field that the message has not.
fn from_fields(message: MessageSchema<'_>, form: &Query) -> Result<String, String> {
    let mut given = BTreeMap::new();
    for (name, value) in form.iter().filter(|(name, value)| name.starts_with('.') && !value.is_empty()) {
        given.insert(name.to_owned(), value.to_owned());
    }
    let mut out = String::new();
    let mut left = given.clone();
    object(message, "", &mut Vec::new(), &given, &mut left, &mut out);
    match left.keys().next() {
        Some(name) => Err(format!("the message has no field {name}")),
        None => Ok(out),
    }
}

/// Writes a message of what is given below `way`. `left`: what no field has taken yet.
fn object<'p>(
    message: MessageSchema<'p>,
    way: &str,
    within: &mut Vec<&'p str>,
    given: &BTreeMap<String, String>,
    left: &mut BTreeMap<String, String>,
    out: &mut String,
) {
    out.push('{');
    within.push(message.full_name());
    let mut first = true;
    let begin = |out: &mut String, first: &mut bool, field: &Field| {
        let _ = write!(out, "{}\"{}\":", if *first { "" } else { "," }, field.name); // writing to a string does not fail
        *first = false;
    };
    let is_below = |given: &BTreeMap<String, String>, way: &str| {
        let way = format!("{way}.");
        given.range(way.clone()..).next().is_some_and(|(name, _)| name.starts_with(&way))
    };
    for field in message.declared_fields() {
        let name = format!("{way}.{}", field.name);
        let is_repeated = field.cardinality == Cardinality::Repeated;
        let child = opened(message, field, within);
        if let Some(value) = given.get(&name).filter(|_| child.is_none()) {
            left.remove(&name);
            begin(out, &mut first, field);
            match is_json(message, field) {
                true => out.push_str(value),
                false if is_repeated => {
                    let lines = value.lines().filter(|line| !line.is_empty());
                    let values: Vec<_> = lines.map(|line| scalar(field, line)).collect();
                    let _ = write!(out, "[{}]", values.join(",")); // writing to a string does not fail
                }
                false => out.push_str(&scalar(field, value)),
            }
            continue;
        }
        let Some(child) = child else { continue };
        if is_repeated {
            let ways: Vec<_> =
                (0..ITEMS).map(|at| format!("{name}.{at}")).filter(|way| is_below(given, way)).collect();
            if ways.is_empty() {
                continue;
            }
            begin(out, &mut first, field);
            out.push('[');
            for (at, way) in ways.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                object(child, way, within, given, left, out);
            }
            out.push(']');
        } else if is_below(given, &name) {
            begin(out, &mut first, field);
            object(child, &name, within, given, left, out);
        }
    }
    within.pop();
    out.push('}');
}

/// A value as JSON: protobuf's mapping reads numbers from texts, too. Messages with a form of their own are
/// texts, unless they look like something else.
fn scalar(field: &Field, value: &str) -> String {
    let is_bare = match field.kind {
        Kind::Bool => matches!(value, "true" | "false"),
        Kind::Message(_) | Kind::Group(_) => value.starts_with(['{', '[', '"']),
        _ => false,
    };
    if is_bare { value.to_owned() } else { quoted(value) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            char if u32::from(char) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(char)); // writing to a string does not fail
            }
            char => out.push(char),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_a_line_for_each_member() {
        assert_eq!(
            pretty(r#"{"a":1,"b":[1,{"c":"x,{\"y"}],"d":{},"e":[]}"#),
            "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    {\n      \"c\": \"x,{\\\"y\"\n    }\n  ],\n  \"d\": {},\n  \"e\": []\n}"
        );
        for text in ["", "no such thing, {at all}", "}}}}]", "\"", "{\"a"] {
            let _ = pretty(text); // no panic
        }
        assert_eq!(pretty("no, really"), "no, really");
    }

    #[test]
    fn a_text_stays_one_text_in_json() {
        assert_eq!(quoted("a\"b\\\n\u{1}ü"), r#""a\"b\\\u000a\u0001ü""#);
    }
}
