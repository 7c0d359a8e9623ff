//! What is known of the methods of each cluster, for the operator, and its files.

use super::{
    cluster::Cluster,
    plan::Plan,
    run,
    schemas::{Source, counted},
};
use crate::{failure::Failure, table, terminal};
use polywire::gateway::Mismatch;
use polywire_formats::{
    rest::Binding,
    schema::{Idempotency, MethodSchema},
};
use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Component, Path, PathBuf},
    process::ExitCode,
};

/// Prints the methods of each cluster with schemas, and writes a descriptor set of each into a folder. Where
/// servers are asked, they have five seconds.
///
/// # Errors
/// A file cannot be written.
pub async fn list(plan: &Plan, save: Option<&Path>) -> Result<ExitCode, Failure> {
    let mut is_whole = true;
    let news = run::first_schemas(plan).await;
    for failed in news.iter().filter_map(|news| news.as_ref().err()) {
        eprintln!("polywire: {}", terminal::line(failed));
    }
    let mut text = String::new();
    for (k, cluster) in plan.clusters.iter().enumerate() {
        let Some(source) = &cluster.source else {
            let _ = writeln!(text, "{}: no `schemas`", cluster.name);
            continue;
        };
        let known = source.schemas();
        if known.state().0.is_none() {
            let _ = writeln!(text, "{}: not known, by {}", cluster.name, source.words());
            is_whole = false;
            continue;
        }
        let _ = writeln!(text, "{}: {}, by {}", cluster.name, counted(known), source.words());
        text += &methods(plan, k, source);
        if let Some(folder) = save {
            let file = saved(cluster, source, folder)?;
            let _ = writeln!(text, "saved as {}", file.display());
        }
    }
    std::io::stdout().write_all(terminal::lines(&text).as_bytes())?;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A line for each method: what it is, and which route leads to it.
fn methods(plan: &Plan, cluster: usize, source: &Source) -> String {
    let mut rows = table::new();
    rows.set_header(["method", "kind", "HTTP", "route"]);
    source.schemas().visit(|method| {
        let name = format!("{}/{}", method.service, method.method);
        rows.add_row([name, kind(&method), rules(&method), route(plan, cluster, &method)]);
    });
    if rows.is_empty() { String::new() } else { format!("{rows}\n") }
}

fn kind(method: &MethodSchema<'_>) -> String {
    let kind = match (method.client_streaming, method.server_streaming) {
        (false, false) => "unary",
        (true, false) => "stream of requests",
        (false, true) => "stream of replies",
        (true, true) => "streams both ways",
    };
    let level = match method.idempotency {
        Idempotency::Unknown => "",
        Idempotency::NoSideEffects => ", no side effects",
        Idempotency::Idempotent => ", idempotent",
    };
    format!("{kind}{level}")
}

fn rules(method: &MethodSchema<'_>) -> String {
    let rules = Binding::of_option(method.http).unwrap_or_default();
    rules.iter().map(|rule| format!("{} {}", rule.verb, rule.path)).collect::<Vec<_>>().join(", ")
}

/// The first route that takes calls of a method to a cluster.
fn route(plan: &Plan, cluster: usize, method: &MethodSchema<'_>) -> String {
    let called = (method.service, method.method);
    let takes = |name: Option<Mismatch<'_>>| name != Some(Mismatch::Names);
    let leads = plan.routes.iter().filter(|route| route.to.clusters.iter().any(|(k, _)| *k == cluster));
    let mut found = leads.filter(|route| takes(route.calls.mismatch(called, &Default::default(), None)));
    found.next().map_or_else(|| "none".to_owned(), |route| route.names.clone())
}

/// Writes what is known of a cluster.
fn saved(cluster: &Cluster, source: &Source, folder: &Path) -> Result<PathBuf, Failure> {
    let [Component::Normal(_)] = Path::new(&*cluster.name).components().collect::<Vec<_>>()[..] else {
        return Err(Failure::Failed(format!(
            "the name of the cluster {:?} is no name of a file",
            cluster.name
        )));
    };
    let file = folder.join(format!("{}.binpb", cluster.name));
    let write = || {
        fs::create_dir_all(folder)?;
        fs::write(&file, source.schemas().descriptor_set())
    };
    let failed = |error: std::io::Error| Failure::Failed(format!("{}: {error}", file.display()));
    write().map_err(failed)?;
    if source.schemas().is_guessed() {
        let text = "is guessed: it has no names for mcpack, and no rules for HTTP";
        eprintln!("polywire: {}: {text}", file.display());
    }
    Ok(file)
}
