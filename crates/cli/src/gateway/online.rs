//! Whether the servers of a file are there: `polywire gateway check FILE --online`.
//!
//! Limits: all of it has [`asking::FIRST`]; of a cluster at most 64 servers are connected to at a time, as
//!         health checks are, and the first 1000 are looked at.

use super::{
    asking,
    cluster::{Cluster, Online},
    news::say,
    plan::Plan,
    run,
    schemas::{Source, counted},
};
use crate::terminal;
use polywire::Channel;
use std::time::Duration;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, timeout_at},
};

/// Servers without an answer that are named.
const MOST_NAMED: usize = 10;
/// The interval of looks whether all servers have been asked.
const LOOK: Duration = Duration::from_millis(10);

/// What was found of the servers of a cluster.
struct Found {
    text: String,
    /// Why servers do not answer, each a line.
    problems: Vec<String>,
    /// Whether any of them answers.
    answers: bool,
}

/// Connects to the servers of all clusters, asks them for schemas where the file says so, and tells what was
/// found, a line for each cluster. Returns whether each has a server that answers.
pub async fn look(plan: &Plan) -> bool {
    let until = Instant::now() + asking::FIRST;
    let mut looks = JoinSet::new();
    for (k, cluster) in plan.clusters.iter().enumerate() {
        let online = cluster.online();
        looks.spawn(async move {
            let found = match online {
                Online::One(channel) => one(&channel, until).await,
                Online::Several(channel) => several(&channel, until).await,
            };
            (k, found)
        });
    }
    run::first_schemas(plan).await;
    let mut all = looks.join_all().await;
    all.sort_unstable_by_key(|(k, _)| *k);
    for (k, found) in &all {
        let Cluster { name, channel, source, .. } = &plan.clusters[*k];
        let known = source.as_ref().map_or_else(String::new, schemas);
        say(format_args!(
            "{}",
            terminal::line(&format!("{name}: {}, {}{known}", channel.protocol(), found.text))
        ));
        found.problems.iter().for_each(|text| eprintln!("polywire: {name}: {}", terminal::line(text)));
    }
    all.iter().all(|(_, found)| found.answers)
}

/// What is known of messages by now, for the end of a line.
fn schemas(source: &Source) -> String {
    match source.schemas().state() {
        (Some(_), _) => format!("; schemas: {}, {}", source.words(), counted(source.schemas())),
        (None, lacking) => format!("; schemas not known: {}", lacking.unwrap_or_default()),
    }
}

/// Connects to the servers of a channel that chooses one by itself.
async fn one(channel: &Channel, until: Instant) -> Found {
    let problem = match timeout_at(until, channel.probe()).await {
        Ok(Ok(())) => {
            return Found { text: "its server answers".to_owned(), problems: Vec::new(), answers: true };
        }
        Ok(Err(wrong)) => wrong.to_string(),
        Err(_) => format!("no answer within {:?}", asking::FIRST),
    };
    Found { text: "its server does not answer".to_owned(), problems: vec![problem], answers: false }
}

/// Waits until each server of a channel has been checked.
async fn several(channel: &Channel, until: Instant) -> Found {
    let why = loop {
        let why = channel.why();
        let is_whole = why.is_known && why.servers.iter().all(|one| one.checks > 0);
        if is_whole || Instant::now() >= until {
            break why;
        }
        sleep(LOOK).await;
    };
    let is_well = |checks, failed| checks > failed;
    let (well, ill): (Vec<_>, Vec<_>) =
        why.servers.iter().partition(|one| is_well(one.checks, one.checks_failed));
    let named = ill.iter().take(MOST_NAMED).map(|one| {
        let why = one.last_check.clone().unwrap_or_else(|| format!("not asked within {:?}", asking::FIRST));
        format!("{}: {why}", one.address)
    });
    let mut problems: Vec<_> = named.collect();
    if ill.len() > MOST_NAMED {
        problems.push(format!("{} further servers do not answer", ill.len() - MOST_NAMED));
    }
    problems.extend(why.source_error);
    let text = match why.server_count {
        0 if why.is_known => "it has no servers".to_owned(),
        0 => "its servers are not known".to_owned(),
        all if all > why.servers.len() => {
            format!("{} of the first {} of {all} servers answer", well.len(), why.servers.len())
        }
        all => format!("{} of {all} servers answer", well.len()),
    };
    Found { text, problems, answers: !well.is_empty() }
}
