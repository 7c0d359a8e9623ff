//! `/threads`: the threads of the process, of polywire, of the application and of libraries, busiest first.
//!
//! Not brpc's page, which stops the process to print stacks: `/hotspots` has the stacks of what runs.

use crate::{asked::Asked, facts::ServerFacts, page::Making};
use polywire_base::Sort;
use polywire_console::{Column, Mark, Table, Value, View};
use polywire_metrics::process::Thread;
use std::{
    cmp::Reverse,
    collections::HashMap,
    time::{Duration, Instant},
};

/// Threads that are read.
const MOST: usize = 1000;
/// The time over which shares are measured.
const WINDOW: Duration = Duration::from_millis(200);

pub(crate) fn view(_: &ServerFacts, _: &Asked) -> Making {
    Box::pin(async move {
        let (before, began) = (Thread::all(MOST), Instant::now());
        tokio::time::sleep(WINDOW).await;
        let (after, window) = (Thread::all(MOST), began.elapsed());
        let table = table(&before, &after, window);
        Ok(View::new("Threads")
            .note("Shares are of the last 0.2 s.")
            .fact("threads", after.len())
            .table(table))
    })
}

fn table(before: &[Thread], after: &[Thread], window: Duration) -> Table {
    let columns = [
        Column::new("name"),
        Column::new("id").hint("the system's, as in top -H"),
        Column::new("state")
            .hint("R: runs, or could; S: sleeps until something happens; D: waits for a device"),
        Column::new("cpu").hint("share of a processor that it had"),
        Column::new("no_cpu").hint("share of the time in which it could run and had no processor"),
        Column::new("cpu_total").hint("time that it had a processor since its start"),
    ];
    let mut table = Table::new("threads", columns).empty("The system does not tell.");
    let before: HashMap<u64, &Thread> = before.iter().map(|thread| (thread.id, thread)).collect();
    let mut rows: Vec<_> = after
        .iter()
        .map(|thread| {
            let since = |of: fn(&Thread) -> Duration| {
                let old = before.get(&thread.id).map_or(Duration::ZERO, |old| of(old));
                of(thread).saturating_sub(old)
            };
            (since(|thread| thread.cpu), since(|thread| thread.waited), thread)
        })
        .collect();
    rows.order_by_key(|(cpu, _, thread)| (Reverse(*cpu), thread.id));
    for (cpu, waited, thread) in rows {
        let share = |time: Duration| Value::Ratio(time.as_secs_f64() / window.as_secs_f64().max(1e-9));
        let cells = [
            thread.name.clone().into(),
            Value::Digits(thread.id.to_string().into()),
            thread.state.to_string().into(),
            share(cpu),
            share(waited),
            Value::Seconds(thread.cpu.as_secs_f64()),
        ];
        table.push(thread.id.to_string(), Mark::Fine, cells);
    }
    table
}
