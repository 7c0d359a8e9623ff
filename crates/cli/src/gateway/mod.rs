//! `polywire gateway`: a program in front of servers, which lets callers of one protocol call servers of
//! another.
//!
//! ```text
//!  file ─► document.rs ─► plan.rs: listener.rs, cluster.rs, routes ─► run.rs: servers, each with a relay
//!            places,        checked; all mistakes at once                │
//!            unknown keys                                                `─ SIGHUP, --watch: the next plan
//! ```
//!
//! | file | what it is |
//! | --- | --- |
//! | `document.rs` | a TOML file whose values know their place |
//! | `plan.rs` | what a file says, checked |
//! | `listener.rs`, `cluster.rs` | where calls come in, and where they go |
//! | `callers.rs`, `policy.rs`, `rate.rs`, `bounds.rs` | who may call, which methods, how often and how much |
//! | `hand_over.rs` | where the next process takes the listening sockets over |
//! | `numbers.rs` | the order of a cluster's methods, where calls say a number |
//! | `reach.rs` | whether messages of a route's callers have a form at its clusters |
//! | `idl.rs` | what a cluster's methods call their parameter and their return value |
//! | `own.rs` | servers behind the gateway that are the gateway itself |
//! | `failing.rs` | what a cluster does about servers that fail or are slow |
//! | `tries.rs` | how long the calls of a route may take, and how often they are tried |
//! | `when.rs` | conditions on calls beside their names |
//! | `in_use.rs` | what routes go on counting with when the file is read again |
//! | `fault.rs` | faults that a route injects into its calls |
//! | `headers.rs` | what a route changes of the fields of its calls |
//! | `record.rs`, `record_table.rs` | requests that are written to files; what has become of them |
//! | `schemas.rs`, `asking.rs` | what is known of the messages of a cluster: from files, from its servers |
//! | `shadow.rs`, `shadow_table.rs` | copies of calls to other servers; what has become of them |
//! | `admin.rs`, `page.rs`, `access_log.rs` | what an operator sees: where, the page `/gateway`, a line for each call |
//! | `listing.rs` | the methods of each cluster, printed and saved |
//! | `run.rs` | serving, and taking over another plan |
//! | `news.rs` | what the operator is told meanwhile |
//! | `explain.rs` | where a call would go, and what of it arrives |
//! | `online.rs` | whether the servers of a file are there |
//! | `examples.rs`, `examples/` | files that are printed |
//!
//! Not here: how a call is passed on (crate `gateway`).

mod access_log;
mod admin;
mod asking;
mod bounds;
mod callers;
mod cluster;
mod document;
mod examples;
mod explain;
mod failing;
mod fault;
mod hand_over;
mod headers;
mod idl;
mod in_use;
mod listener;
mod listing;
mod news;
mod numbers;
mod online;
mod own;
mod page;
mod plan;
mod policy;
mod rate;
mod reach;
mod record;
mod record_table;
mod run;
mod schemas;
mod shadow;
mod shadow_table;
mod tries;
mod when;

use crate::{
    failure::Failure,
    protobufs, request,
    serve::{self, EngineArguments},
    terminal,
    tls::PeerTls,
};
use admin::Admin;
use asking::{Asked, Asking, Ways};
use cluster::{Cluster, GRPC, RELOAD, channel_of, without_parameters};
use document::Place;
use examples::Example;
use listener::{Listener, PROTOCOLS, Settings, ZMTP, caller};
use plan::{Plan, Route, To};
use polywire::{Bounds, ChannelBuilder, LogFormat, Metadata, gateway::Passage};
use polywire_formats::foreign::is_apart;
use polywire_wire::Addressing;
use run::Origin;
use schemas::Source;
use std::{io::Write, path::PathBuf, process::ExitCode};
use tries::Tries;

/// Protocols of brpc in protobuf, whose servers have pages on the same port.
const OF_BRPC: [&str; 5] = ["baidu_std", "hulu_pbrpc", "nova_pbrpc", "public_pbrpc", "sofa_pbrpc"];

/// Passes calls on to other servers, whatever protocols both sides speak: all calls to one address (--to), or
/// by the routes in a file
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArguments,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Finds the mistakes in a file, each with its line; exit code 2 if there are any
    Check {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Connect to the servers of all clusters, too, and ask them for schemas where the file says so; exit
        /// code 1 if none of a cluster answers
        #[arg(long)]
        online: bool,
    },
    /// Prints a file, explained
    Example {
        #[arg(value_name = "NAME", default_value = "full")]
        name: Example,
    },
    /// Lists the methods that are known of each cluster, and which route leads to each; exit code 1 if those
    /// of a cluster are not known
    Schemas {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Write them into this directory, a descriptor set CLUSTER.binpb each, which `schemas` of a FILE
        /// takes
        #[arg(long, value_name = "DIRECTORY")]
        save: Option<PathBuf>,
    },
    /// Says which route and which cluster a call takes, and what of it arrives there; exit code 1 if no route
    /// takes it
    Explain {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// A method; or the verb and the path of a request of plain HTTP
        #[arg(value_name = "SERVICE/METHOD | VERB /PATH", num_args = 1..=2, required = true)]
        called: Vec<String>,
        /// A field of the call, also `NAME: VALUE`; may be given several times
        #[arg(long, short = 'H', value_name = "NAME=VALUE", value_parser = request::field)]
        header: Vec<(String, String)>,
        /// The name of a caller, for the policy [default: one that nobody knows]
        #[arg(long, value_name = "NAME")]
        identity: Option<String>,
    },
}

#[derive(clap::Args)]
struct ServeArguments {
    /// Listeners, clusters and routes; read again at SIGHUP
    #[arg(value_name = "FILE", conflicts_with = "to")]
    file: Option<PathBuf>,
    /// Read the file again when it has changed, too
    #[arg(long, conflicts_with = "to")]
    watch: bool,
    /// Pass all calls on to this address, in the protocol that its scheme names: grpc://127.0.0.1:50051; or
    /// to the servers of a naming source: baidu_std+list://10.0.0.1:8000,10.0.0.2:8000
    #[arg(long, value_name = "URL")]
    to: Option<String>,
    /// With --to: a descriptor set or a .proto file with the methods, also dir/*.proto, for messages in JSON;
    /// may be given several times [default: servers of gRPC are asked by reflection, those of brpc also by
    /// their page /protobufs]
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    schemas: Vec<String>,
    /// With --schemas: directory that imports of .proto files are looked up in; may be given several times
    /// [default: those of the files]
    #[arg(long, short = 'I', value_name = "DIRECTORY", conflicts_with = "file")]
    include: Vec<PathBuf>,
    /// With --to: host:port or unix:path; may be given several times
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080", conflicts_with = "file")]
    listen: Vec<String>,
    /// With --to: what callers may speak: baidu_std, sofa_pbrpc, hulu_pbrpc, public_pbrpc, ubrpc_mcpack2,
    /// ubrpc_compack, thrift, rest_rpc, zmtp; grpc allows HTTP/2 as a whole, grpc-web and connect all HTTP,
    /// websocket besides calls of pages over WebSocket [default: baidu_std,grpc,grpc-web,connect; for servers
    /// of Thrift and rest_rpc these]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[arg(value_parser = caller, conflicts_with = "file")]
    protocols: Vec<String>,
    /// With --to: listen on an address that other machines reach, and let everybody call
    #[arg(long, conflicts_with = "file")]
    allow_all: bool,
    /// With --to: show pages and metrics at this address of this machine: 127.0.0.1:9900
    #[arg(long, value_name = "ADDRESS", conflicts_with = "file")]
    admin: Vec<String>,
    /// With --to: append a line for each call to this file (`-`: standard error); opened anew at SIGHUP
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    access_log: Option<PathBuf>,
    /// The form of those lines: common, combined or json
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = serve::log_format)]
    #[arg(conflicts_with = "file")]
    access_log_format: LogFormat,
    /// With --to: take the listening sockets over from the gateway that serves with this path, and hand them
    /// to the next one that does: no connection is refused
    #[arg(long, value_name = "PATH", conflicts_with = "file")]
    hand_over: Option<PathBuf>,
    #[command(flatten)]
    tls: PeerTls,
    #[command(flatten)]
    engine: EngineArguments,
}

/// Serves until a signal, or does what the subcommand says.
pub fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    match arguments.command {
        Some(Command::Check { file, online }) => check(&file, online),
        Some(Command::Example { name }) => {
            std::io::stdout().write_all(name.text().as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Schemas { file, save }) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let plan = Origin::read(&file)?.plan(None).map_err(mistakes)?;
                listing::list(&plan, save.as_deref()).await
            })
        }
        Some(Command::Explain { file, called, header, identity }) => {
            let asked: explain::Asked = called.join(" ").parse().map_err(Failure::Usage)?;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let _entered = runtime.enter();
            let plan = Origin::read(&file)?.plan(None).map_err(mistakes)?;
            let fields: Metadata = header.into_iter().collect();
            let (text, taken) = explain::explain(&plan, &asked, &fields, identity.as_deref());
            std::io::stdout().write_all(terminal::lines(&text).as_bytes())?;
            Ok(if taken { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        None => serve_until_stopped(arguments.serve),
    }
}

/// All mistakes, a line each.
fn mistakes(lines: Vec<String>) -> Failure {
    let lines: Vec<_> = lines.iter().map(|line| terminal::line(line)).collect();
    Failure::Usage(lines.join("\n"))
}

fn check(file: &std::path::Path, is_online: bool) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let _entered = runtime.enter();
    let origin = Origin::read(file)?;
    let plan = origin.plan(None).map_err(mistakes)?;
    news::warn(&plan.warnings);
    writeln!(std::io::stdout(), "{}: {}", origin.name(), plan.summary())?;
    let is_well = !is_online || runtime.block_on(online::look(&plan));
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn serve_until_stopped(arguments: ServeArguments) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (plan, origin) = match &arguments.file {
            Some(file) => {
                if arguments.tls.connect().is_some() {
                    let text = "--tls and its options are for --to: a FILE says TLS in clusters.NAME.tls";
                    return Err(Failure::usage(text));
                }
                let origin = Origin::read(file)?;
                let plan = origin.plan(None).map_err(mistakes)?;
                news::warn(&plan.warnings);
                (plan, Some((origin, arguments.watch)))
            }
            None => (all_to(&arguments)?, None),
        };
        run::serve(arguments.engine.build()?, plan, origin).await
    })
}

/// The plan of `--to`: one listener, one cluster, one route.
fn all_to(arguments: &ServeArguments) -> Result<Plan, Failure> {
    let Some(to) = &arguments.to else {
        let text = "say where calls go: --to URL, or a FILE as `polywire gateway example` prints it";
        return Err(Failure::usage(text));
    };
    let (protocol, address) = protocol_of(to)?;
    let mut open = arguments.listen.iter().filter(|address| !listener::is_local(address));
    if let Some(portless) = arguments.listen.iter().find(|address| address.parse::<u16>().is_ok()) {
        let text = format!("--listen {portless}: write host and port, as in 127.0.0.1:{portless}");
        return Err(Failure::usage(text));
    }
    if let (Some(open), false) = (open.next(), arguments.allow_all) {
        let text = format!("--listen {open}: other machines reach it; --allow-all lets everybody call");
        return Err(Failure::usage(text));
    }
    if let Some(open) = arguments.admin.iter().find(|address| !listener::is_local(address)) {
        let text =
            format!("--admin {open}: other machines reach it; a FILE has a token or certificates for it");
        return Err(Failure::usage(text));
    }
    let bounds = Bounds::default().shared_memory();
    let builder = |protocol| {
        let builder = channel_of(&address, protocol, &bounds);
        let tls = arguments.tls.connect().map(|tls| tls.reload_every(RELOAD));
        tls.into_iter().fold(builder, ChannelBuilder::tls)
    };
    let channel = builder(protocol).build()?;
    if let Some(why) = Passage::refusal(&channel) {
        return Err(Failure::usage(format!("--to {}: {why}", without_parameters(to))));
    }
    let lacking = |addressing| match addressing {
        Addressing::Names | Addressing::Position => None,
        Addressing::PositionAlone => Some("its calls name no service; a FILE says which it is"),
        Addressing::Nothing => Some("its calls name no method; a FILE says which it is"),
    };
    let protocols = match &arguments.protocols[..] {
        [] if is_apart(channel.content()) => vec![channel.protocol().to_owned()],
        [] => PROTOCOLS.map(str::to_owned).to_vec(),
        said => said.to_vec(),
    };
    for protocol in &protocols {
        if let Some(lacking) = listener::addressing(protocol).and_then(lacking) {
            return Err(Failure::usage(format!("--protocols {protocol}: {lacking}")));
        }
    }
    if let Some(lacking) = lacking(channel.addressing()) {
        return Err(Failure::usage(format!("--to {}: {lacking}", without_parameters(to))));
    }
    let is_of_brpc = OF_BRPC.contains(&protocol);
    let (source, asked) = if !arguments.schemas.is_empty() {
        let schemas = schemas::of_files(&arguments.schemas, &arguments.include)?;
        (Some(Source::Files(schemas)), Asked::default())
    } else if [GRPC, ZMTP].contains(&protocol) || is_of_brpc {
        let ways = Ways { reflection: true, protobufs: is_of_brpc };
        let reflection = if protocol == GRPC { channel.clone() } else { builder(GRPC).build()? };
        let page = || builder(protobufs::HTTP).limits(protobufs::limits()).build();
        let asked = Asked { reflection: Some(reflection), protobufs: is_of_brpc.then(page).transpose()? };
        (Some(Source::Servers(Asking::new(ways))), asked)
    } else {
        (None, Asked::default())
    };
    let mut by_number = protocols.iter().filter(|protocol| numbers::is_by_number(protocol));
    let by_number = match channel.addressing().is_by_position() {
        true => Some(format!("--to {}", without_parameters(to))),
        false => by_number.next().map(|protocol| format!("--protocols {protocol}")),
    };
    if let (Some(option), None) = (by_number, &source) {
        let text = "its calls say a method's number: give the methods with --schemas";
        return Err(Failure::usage(format!("{option}: {text}")));
    }
    let settings = Settings::plain(arguments.listen.clone(), protocols);
    let listener = Listener { name: "listen".to_owned(), place: Place::default(), settings };
    let calls = "*".parse().map_err(|wrong: polywire::ConfigError| Failure::usage(wrong.to_string()))?;
    let (place, names) = (Place::default(), "*".to_owned());
    let (to, tries) = (To::one(0), Tries::default());
    let (listeners, rate, limit, changes, fault, shadow) = (None, None, None, None, None, None);
    let route = Route { place, names, calls, listeners, to, rate, limit, tries, changes, fault, shadow };
    Ok(Plan {
        bounds,
        listeners: vec![listener],
        clusters: vec![Cluster::of(channel, source, asked)],
        routes: vec![route],
        admin: (!arguments.admin.is_empty()).then(|| Admin::plain(arguments.admin.clone())),
        access_log: arguments
            .access_log
            .as_ref()
            .map(|file| access_log::Settings::new(file.clone(), arguments.access_log_format)),
        hand_over: arguments.hand_over.clone(),
        warnings: Vec::new(),
        hash: String::new(),
    })
}

/// The protocol and the address of `--to`: `grpc://host:port`, `grpc+list://host:port,..`.
fn protocol_of(to: &str) -> Result<(&str, String), Failure> {
    let protocols = polywire_protocols::builtin();
    let shown = without_parameters(to);
    let Some((scheme, rest)) = to.split_once("://") else {
        let named = shown.split_once(':').filter(|(name, _)| protocols.find(name).is_some());
        let shown = named.map_or(shown, |(_, address)| address);
        let text =
            format!("--to {shown}: say what its servers speak, as in grpc://{shown} or baidu_std://{shown}");
        return Err(Failure::usage(text));
    };
    if matches!(scheme, "http" | "https") {
        let tls = if scheme == "https" { "+https" } else { "" };
        let rest = without_parameters(rest);
        let text = format!(
            "--to {shown}: {scheme} does not say how its services are called: write grpc{tls}://{rest} for gRPC, \
             connect{tls}://{rest} for Connect, or http+list://HOST:PORT for calls by path, as servers of brpc and \
             polywire take them"
        );
        return Err(Failure::usage(text));
    }
    if scheme == "grpcs" {
        let text =
            format!("--to {shown}: there is no grpcs://: write grpc+https://{}", without_parameters(rest));
        return Err(Failure::usage(text));
    }
    match scheme.split_once('+') {
        Some((protocol, source)) => Ok((protocol, format!("{source}://{rest}"))),
        None if protocols.find(scheme).is_some() => Ok((scheme, rest.to_owned())),
        None => {
            if let Some(meant) = protocols.meant(scheme) {
                let rest = without_parameters(rest);
                return Err(Failure::usage(format!(
                    "--to {shown}: there is no {scheme}://: write {meant}://{rest}"
                )));
            }
            let text = format!(
                "--to {shown}: {scheme} is no protocol; for servers by name write grpc+{shown} or \
                 baidu_std+{shown}"
            );
            Err(Failure::usage(text))
        }
    }
}
