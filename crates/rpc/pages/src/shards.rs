//! `/shards`: the engine's threads, how much they do, and which polls have held them up.

use crate::{asked::Asked, facts::ServerFacts, page::Making};
use polywire_base::Sort;
use polywire_console::{Column, Fact, Mark, Section, Table, Value, View};
use polywire_engine::{ShardReport, SlowPoll, clock};
use std::{
    cmp::Reverse,
    time::{Duration, Instant},
};

/// The time over which shares are measured.
const WINDOW: Duration = Duration::from_millis(200);
/// The longest poll is that of this time.
const LATELY: Duration = Duration::from_secs(60);
/// A poll that is this long needs somebody at once.
const LONG: Duration = Duration::from_millis(100);

pub(crate) fn view(facts: &ServerFacts, _: &Asked) -> Making {
    let server = facts.server();
    Box::pin(async move {
        let server = server?;
        let look = || -> Vec<_> { server.engine().shards().iter().map(|shard| shard.report()).collect() };
        let (before, began) = (look(), clock::now());
        tokio::time::sleep(WINDOW).await;
        let (after, now) = (look(), clock::now());
        let pool = server.engine().work().metrics();
        let pool = vec![
            Fact::new("workers", pool.num_workers()).note("threads for handlers that are not quick"),
            Fact::new("tasks", pool.num_alive_tasks()).note("of the pool, those that wait for something too"),
            Fact::new("queue", pool.global_queue_depth()).note("tasks that wait for a worker"),
        ];
        Ok(View::new("Shards")
            .note("Shares are of the last 0.2 s.")
            .table(shards(&before, &after, now.saturating_duration_since(began), now))
            .section(Section::Facts("pool", pool))
            .table(polls(&after, now)))
    })
}

fn shards(before: &[ShardReport], after: &[ShardReport], window: Duration, now: Instant) -> Table {
    let columns = [
        Column::new("shard"),
        Column::new("cpu").hint("share of a processor that its thread had"),
        Column::new("no_cpu").hint("share of the time in which its thread could run and had no processor").wide(),
        Column::new("busy").hint("share of the time in which it did not sleep"),
        Column::new("connections"),
        Column::new("in_flight").hint("calls on its connections, of servers and channels"),
        Column::new("polls").hint("polls of handlers a second"),
        Column::new("sleeps").hint("how often it went to sleep, a second").wide(),
        Column::new("inbox").hint("tasks that other threads have woken and that wait for it"),
        Column::new("longest").hint("longest poll of a handler in 60 s, of those beyond the limit of 10 ms (Builder::slow_poll); seen to last at least so long"),
        Column::new("of").hint("the method that this was"),
        Column::new("slow_polls").hint("polls beyond the limit since the start"),
        Column::new("polling_now"),
    ];
    let mut table = Table::new("shards", columns).empty("The engine has no shards.");
    let mut rows = Vec::new();
    for (old, new) in before.iter().zip(after) {
        let share = |new: Duration, old: Duration| {
            Value::Ratio(new.saturating_sub(old).as_secs_f64() / window.as_secs_f64().max(1e-9))
        };
        let rate = |new: u64, old: u64| {
            Value::PerSecond(new.saturating_sub(old) as f64 / window.as_secs_f64().max(1e-9))
        };
        let of_thread = |new: Option<Duration>, old: Option<Duration>| match (new, old) {
            (Some(new), Some(old)) => share(new, old),
            _ => Value::Unknown,
        };
        let lately: Vec<_> = new.slow_polls.iter().filter(|poll| is_lately(poll, now)).collect();
        let longest = lately.iter().max_by_key(|poll| poll.lasted);
        let cpu = of_thread(new.cpu, old.cpu);
        let mark = match (longest, cpu.number()) {
            (Some(poll), _) if poll.lasted >= LONG => Mark::Bad,
            (_, Some(share)) if share >= 0.97 => Mark::Bad,
            (_, Some(share)) if share >= 0.85 => Mark::Warn,
            _ if lately.len() >= 10 => Mark::Warn,
            _ => Mark::Fine,
        };
        let cells = [
            Value::Digits(new.index.to_string().into()),
            cpu.clone(),
            of_thread(new.delayed, old.delayed),
            share(new.busy, old.busy),
            new.connections.into(),
            new.calls.into(),
            rate(new.polls, old.polls),
            rate(new.sleeps, old.sleeps),
            new.inbox.into(),
            longest.map_or(Value::Blank, |poll| poll.lasted.into()),
            longest.map_or(Value::Blank, |poll| poll.method.into()),
            new.slow.into(),
            new.polling.map_or(Value::Blank, Value::from),
        ];
        rows.push((mark, cpu.number().unwrap_or(0.0), new.index, cells));
    }
    rows.order_by(|one, other| other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)));
    for (mark, _, index, cells) in rows {
        table.push(index.to_string(), mark, cells);
    }
    table
}

fn is_lately(poll: &SlowPoll, now: Instant) -> bool {
    poll.lasts || now.saturating_duration_since(poll.began + poll.lasted) <= LATELY
}

/// The last polls that held up a shard, the latest first.
fn polls(shards: &[ShardReport], now: Instant) -> Table {
    let columns = [
        Column::new("ago"),
        Column::new("shard"),
        Column::new("method"),
        Column::new("lasted").hint("at least; it is looked at every half limit"),
        Column::new("lasts").hint("whether it holds up its shard now"),
    ];
    let empty = "No handler has held up its shard for 10 ms since the start.";
    let mut table = Table::new("slow_polls", columns).empty(empty);
    let mut all: Vec<_> =
        shards.iter().flat_map(|shard| shard.slow_polls.iter().map(|poll| (shard.index, *poll))).collect();
    all.order_by_key(|(_, poll)| Reverse(poll.began));
    for (number, (shard, poll)) in all.into_iter().take(256).enumerate() {
        let mark = match () {
            () if poll.lasts => Mark::Bad,
            () if poll.lasted >= LONG && is_lately(&poll, now) => Mark::Warn,
            () => Mark::Fine,
        };
        let cells = [
            Value::since(poll.began, now),
            Value::Digits(shard.to_string().into()),
            poll.method.into(),
            poll.lasted.into(),
            if poll.lasts { "yes".into() } else { Value::Blank },
        ];
        table.push(number.to_string(), mark, cells);
    }
    table
}
