//! The pages of every server, in the order of the bar.

#[cfg(feature = "openapi")]
use crate::openapi;
use crate::{
    asked::Asked,
    certificates, connections, events,
    facts::ServerFacts,
    flags, limits, memory, metrics, overview,
    page::{Group, Kind, Page, Who},
    protocols, rpcz, shards, sockets, status, tasks, threads, vars, vlog,
};
#[cfg(feature = "profile")]
use crate::{hotspots, pprof};
#[cfg(feature = "console")]
use crate::{schema, try_it};
use polywire_call::Status;
use polywire_console::View;
use polywire_server::Serving;

/// The pages of every server.
pub(crate) fn built_in() -> Vec<Page> {
    vec![
        Page::overview(
            "index",
            "what needs you, and how much is going on; as text this list",
            overview::view,
        )
        .title("Overview"),
        Page::of_server("health", "OK while the server takes requests", health)
            .who(Who::Everyone)
            .kind(Kind::Probe),
        Page::of_server("version", "what runs here", |facts, _| {
            Ok(View::new("Version").fact("version", facts.version.clone()).plain(facts.version.clone()))
        }),
        Page::of_server(
            "status",
            "services and methods with their figures; /status/SERVICE/METHOD for one",
            status::view,
        )
        .title("Methods")
        .group(Group::Bar),
        Page::of_shards(
            "connections",
            "open connections, busiest first; ?by=client for their clients, ?state=closed for those that have ended",
            connections::view,
        )
        .title("Connections")
        .group(Group::Bar),
        Page::of_shards("sockets", "/sockets/ID: one connection; POST there closes it", sockets::view)
            .changes_later(sockets::change),
        Page::of_server(
            "vars",
            "all variables; /vars/NAME;NAME with * and $ as wildcards; /vars/NAME?series for its past",
            vars::view,
        )
        .title("Vars")
        .group(Group::Bar),
        Page::of_server(
            "rpcz",
            "recent calls; ?trace=HEX for one; POST /rpcz/enable, /rpcz/disable",
            rpcz::view,
        )
        .changes(rpcz::change)
        .title("Traces")
        .group(Group::Bar),
        Page::of_server(
            "limits",
            "what limits calls, memory and connections, and what was refused",
            limits::view,
        )
        .title("Limits")
        .group(Group::Bar),
        Page::of_shards(
            "tasks",
            "calls in flight, oldest first; /tasks/ID for one; POST /tasks/ID cancels it",
            tasks::view,
        )
        .changes_later(tasks::change)
        .title("Tasks")
        .group(Group::Bar),
        Page::of_shards("memory", "who holds how much, beside the budgets", memory::view)
            .title("Memory")
            .group(Group::Bar),
        Page::of_shards("shards", "the engine's threads, and what has held them up", shards::view)
            .title("Shards")
            .group(Group::Bar),
        Page::of_shards("threads", "the threads of the process, busiest first", threads::view),
        #[cfg(feature = "profile")]
        hotspots::page(),
        #[cfg(feature = "profile")]
        pprof::page(),
        Page::of_server(
            "events",
            "what has changed: starts, stops, flags, certificates, servers of channels",
            events::view,
        )
        .title("Events")
        .group(Group::Bar),
        Page::of_server(
            "flags",
            "options; /flags/NAME,NAME with * and $; POST name, value, for",
            flags::view,
        )
        .changes(flags::change)
        .title("Flags")
        .group(Group::Bar),
        Page::of_server(
            "protocols",
            "which protocols were spoken, by how many and when last; /protocols/NAME by whom",
            protocols::view,
        )
        .title("Protocols")
        .group(Group::Bar),
        Page::of_server(
            "certificates",
            "certificates: names, end, issuer, and whether changed files are in use",
            certificates::view,
        )
        .title("Certificates")
        .group(Group::Bar),
        #[cfg(feature = "console")]
        Page::of_server("try", "calls a method by a form: /try/SERVICE/METHOD", try_it::view)
            .changes_later(try_it::change)
            .title("Try-it")
            .group(Group::Bar),
        #[cfg(feature = "console")]
        Page::of_server("list", "services and methods as JSON", schema::list),
        #[cfg(feature = "console")]
        Page::of_server("protobufs", "messages; /protobufs/NAME for one definition", schema::protobufs),
        #[cfg(feature = "openapi")]
        Page::of_server(
            "openapi.json",
            "what HTTP reaches, as OpenAPI 3.1; ?service=NAME for one service, ?oneofs=checked",
            openapi::view,
        )
        .yields(),
        Page::of_server("vlog", "the level of what is logged", vlog::view),
        Page::of_shards("bthreads", "another name of /tasks", tasks::view).changes_later(tasks::change),
        Page::of_shards("ids", "another name of /tasks", tasks::view).changes_later(tasks::change),
        Page::of_server("metrics", "all variables for Prometheus", metrics::view).kind(Kind::Text),
        Page::of_server("brpc_metrics", "the same by brpc's names, for its dashboards", metrics::brpc),
        Page::of_server(
            "token",
            "what a change needs, as x-polywire-token or as the field token",
            |facts, _| Ok(View::new("Token").plain(facts.secrets.token()?)),
        )
        .kind(Kind::Token),
    ]
}

fn health(facts: &ServerFacts, _: &Asked) -> Result<View, Status> {
    match facts.health.get("") {
        Some(Serving::Yes) => Ok(View::new("Health").fact("health", "OK").plain("OK".to_owned())),
        _ => Err(Status::unavailable("not serving")),
    }
}
