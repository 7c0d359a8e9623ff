//! `/tasks`: the calls in flight, oldest first, and where they wait. `/tasks/ID`: one of them. POST there
//! cancels it.
//!
//! Not here: how connections answer (`crate::tasks`).

use crate::{asked::Asked, asking::Askers, asking::silent, facts::ServerFacts, page::Making};
use polywire_base::Sort;
use polywire_call::Status;
use polywire_console::{Action, Column, Fact, Mark, Section, Table, Value, View, escape};
use polywire_engine::{ConnectionStats, clock};
use polywire_server::facts::{Answers, Found, LiveServer, MOST, Place, Task, TaskId, Wanted, What};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Rows, unless the query has a number.
const ROWS: usize = 50;
/// A call that is older needs somebody, unless it is a stream.
const OLD: Duration = Duration::from_secs(60);

/// What the futures of these pages own.
struct Looking {
    server: Arc<dyn LiveServer>,
    askers: Askers,
}

impl Looking {
    fn new(facts: &ServerFacts) -> Result<Looking, Status> {
        Ok(Looking { server: facts.server()?, askers: facts.askers.clone() })
    }

    async fn ask(&self, connections: Vec<Arc<ConnectionStats>>, what: What) -> Result<Found, Status> {
        let _place = self.askers.place("the calls in flight").await?;
        Ok(Answers::of(connections.into_iter().filter(|one| one.calls() > 0), what).await)
    }

    async fn one(&self, id: &str, what: fn(polywire_base::Key) -> What) -> Result<Task, Status> {
        let gone = || Status::not_found("no call in flight has this id: it has ended, or never was");
        let id: TaskId = id.parse().map_err(|()| gone())?;
        let mut connections = self.server.connections();
        connections.retain(|connection| connection.id == id.connection);
        let mut found = self.ask(connections, what(id.key)).await?;
        match found.oldest.pop() {
            Some(task) => Ok(task),
            None if found.silent > 0 => Err(Status::unavailable(SILENT)),
            None => Err(gone()),
        }
    }

    fn method(&self, method: Option<u32>) -> String {
        match method.and_then(|method| self.server.methods().get(method as usize)) {
            Some(method) => (*method.watched).to_owned(),
            None => "(a stream within a call)".to_owned(),
        }
    }

    /// As its caller has sent it.
    fn name(&self, task: &Task) -> String {
        task.called.clone().unwrap_or_else(|| self.method(task.method))
    }
}

const SILENT: &str = "its connection has not answered in time: something holds up its shard, see /shards";

pub(crate) fn view(facts: &ServerFacts, asked: &Asked) -> Making {
    let (looking, asked) = (Looking::new(facts), asked.clone());
    Box::pin(async move {
        let looking = looking?;
        match &*asked.rest {
            "" => list(&looking, &asked).await,
            id => Ok(detail(&looking, &looking.one(id, What::Show).await?)),
        }
    })
}

/// POST: cancels a call.
pub(crate) fn change(facts: &ServerFacts, asked: &Asked) -> Making {
    let (looking, asked) = (Looking::new(facts), asked.clone());
    Box::pin(async move {
        let looking = looking?;
        let id = if asked.rest.is_empty() { asked.fields.get("id").unwrap_or("") } else { &asked.rest };
        if id.is_empty() {
            return Err(Status::invalid_argument("which call? POST to /tasks/ID, or send the field id"));
        }
        let task = looking.one(id, What::Cancel).await?;
        let age = clock::now().saturating_duration_since(task.began).as_secs_f64();
        let (method, peer) = (looking.name(&task), &task.peer);
        Ok(View::new("Tasks").note(format!("cancelled: {method} of {peer}, after {age:.3} s")))
    })
}

async fn list(looking: &Looking, asked: &Asked) -> Result<View, Status> {
    let most = asked.query.number("n").map_or(ROWS, |n| n.clamp(1, MOST as u64) as usize);
    let names = looking.server.methods().iter().map(|method| *method.watched);
    let wanted = Wanted::new(asked.query.get("q").unwrap_or(""), names, most);
    let is_all = wanted.text.is_empty();
    let found = looking.ask(looking.server.connections(), What::List(Arc::new(wanted))).await?;
    let now = clock::now();
    let oldest = found.oldest.iter().map(|task| task.began).min();
    let mut view = View::new("Tasks").fact("in_flight", found.total);
    if !is_all {
        view = view.fact("found", found.wanted);
    }
    view = view.fact("oldest", oldest.map_or(Value::Blank, |began| Value::since(began, now)));
    silent(found.silent).into_iter().for_each(|fact| view.add(fact));
    let groups = groups(looking, &found, now);
    let mut table = table(is_all);
    table.total = Some(found.wanted);
    for task in found.oldest.into_sorted_vec() {
        let cells = row(looking, &task, now);
        table.push(task.id.to_string(), mark(&task, now), cells);
    }
    let search = Action { get: true, ..Action::new("tasks", "Search") };
    let search = search.field("q", asked.query.get("q").unwrap_or(""));
    Ok(view.action(search).table(groups).table(table))
}

/// How many calls of which method are where.
fn groups(looking: &Looking, found: &Found, now: Instant) -> Table {
    let columns = [
        Column::new("method"),
        Column::new("where"),
        Column::new("calls").hint("calls in flight, all of them"),
        Column::new("oldest"),
    ];
    let mut table = Table::new("places", columns).empty("No call is in flight.");
    let mut groups: Vec<_> = found.groups.iter().collect();
    groups.order_by_key(|((method, place), (count, _))| (std::cmp::Reverse(*count), *method, *place as u8));
    table.total = Some(groups.len());
    for ((method, place), (count, oldest)) in groups.into_iter().take(ROWS) {
        let method = looking.method(*method);
        let key = format!("{} {}", escape::shown(&method), *place as u8);
        let cells = [method.into(), place.words().into(), (*count).into(), Value::since(*oldest, now)];
        table.push(key, Mark::Fine, cells);
    }
    table
}

fn table(is_all: bool) -> Table {
    let columns = [
        Column::new("id").to("tasks/"),
        Column::new("age"),
        Column::new("method"),
        Column::new("peer"),
        Column::new("protocol").wide(),
        Column::new("deadline").hint("time left; negative: it has passed"),
        Column::new("where"),
        Column::new("calls").hint("the call that its handler has made last, where it is recorded: see /rpcz"),
        Column::new("stream").wide(),
        Column::new("held").hint("bytes of its request, where a budget counts them").wide(),
        Column::new("trace").wide(),
    ];
    Table::new("tasks", columns).empty(match is_all {
        true => "No call is in flight, but those that end in their first poll: these cannot be seen.",
        false => "No call in flight has this in its method, peer, protocol, place or trace.",
    })
}

fn row(looking: &Looking, task: &Task, now: Instant) -> [Value; 11] {
    let calls = task.calls.as_ref().map(|(method, address)| format!("{method} at {address}"));
    [
        task.id.to_string().into(),
        Value::since(task.began, now),
        looking.name(task).into(),
        task.peer.to_string().into(),
        task.protocol.into(),
        deadline(task, now),
        words(task).into(),
        calls.map_or(Value::Blank, Value::from),
        if task.streams { "yes".into() } else { Value::Blank },
        if task.held > 0 { Value::Bytes(task.held as u64) } else { Value::Blank },
        task.trace.map_or(Value::Blank, |trace| trace.to_string().into()),
    ]
}

fn detail(looking: &Looking, task: &Task) -> View {
    let (now, id) = (clock::now(), task.id.to_string());
    let method = looking.method(task.method);
    let mut facts = vec![
        Fact::new("method", looking.name(task)).link("figures", format!("status/{}", escape::path(&method))),
        Fact::new("peer", task.peer.to_string())
            .link("connection", format!("sockets/{}", task.id.connection)),
        Fact::new("protocol", task.protocol),
        Fact::new("age", Value::since(task.began, now)).mark(mark(task, now)),
        Fact::new("deadline", deadline(task, now)).note("time left; blank: none"),
        Fact::new("where", words(task)),
        Fact::new("stream", task.streams),
    ];
    if let Some((method, address)) = &task.calls {
        facts.push(Fact::new("calls", format!("{method} at {address}")));
    }
    if let Some(trace) = task.trace {
        facts.push(Fact::new("trace", trace.to_string()).link("trace", format!("rpcz?trace={trace}")));
    }
    let note = "Cancelling drops its handler and tells its caller so. Blocking code goes on until it waits for something.";
    View::new(format!("Task {id}"))
        .section(Section::Facts("task", facts))
        .action(Action::new(format!("tasks/{id}"), "Cancel"))
        .note(note)
}

fn deadline(task: &Task, now: Instant) -> Value {
    let Some(at) = task.deadline else { return Value::Blank };
    let (left, past) = (at.saturating_duration_since(now), now.saturating_duration_since(at));
    Value::Seconds(left.as_secs_f64() - past.as_secs_f64())
}

fn words(task: &Task) -> &'static str {
    match (task.place, &task.calls) {
        (Place::Waiting, Some(_)) => "waiting for a call",
        (place, _) => place.words(),
    }
}

fn mark(task: &Task, now: Instant) -> Mark {
    match () {
        () if task.streams => Mark::Fine,
        () if now.saturating_duration_since(task.began) > OLD => Mark::Bad,
        () if task.deadline.is_some_and(|at| at < now) => Mark::Warn,
        () => Mark::Fine,
    }
}
