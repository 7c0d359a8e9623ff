//! The driver: runs ours and the rivals in turn, several rounds, and writes medians, ratios and plots.
//!
//! Usually started by `cargo xtask bench`, which builds everything first. Client and server are always
//! separate processes; the pairs are interleaved, so that a busy minute of the machine hits all of them; the
//! raw limits of the machine are measured in every round.

mod codecs;
mod figures;
mod fleet;
mod foreign;
mod gateway;
mod ghz;
mod goals;
mod grpc;
mod heavy;
mod idle;
mod loads;
mod machine;
mod mixed;
mod neighbours;
mod options;
mod peers;
mod plot;
mod programs;
mod progress;
mod rivals;
mod shards;
mod sockets;
mod stores;
mod tables;
mod zmq;

use std::process::ExitCode;

use figures::Results;
use fleet::Fleet;
use options::Options;
use progress::Progress;

fn main() -> ExitCode {
    let options = match Options::from_env() {
        Ok(options) => options,
        Err(said) => {
            eprintln!("{said}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(said) => {
            eprintln!("bench: {said}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    let mut fleet = Fleet::find(options)?;
    let mut plan = Vec::new();
    for (name, group) in GROUPS {
        if options.wants(name) {
            match group(options, &fleet) {
                Ok(entries) => plan.extend(entries),
                Err(missing) => eprintln!("bench: {name} is left out: {missing}"),
            }
        }
    }
    let (programs, scale) = programs::asked(options);
    fleet.time = options.time_for(plan.len(), programs.is_empty())?;
    let mut results = Results::new(machine::describe(&fleet), fleet.time);
    let mut failed = 0;
    for (number, program) in programs.iter().enumerate() {
        eprintln!("program {}/{}: {}", number + 1, programs.len(), program.name);
        match program.run(scale, &fleet) {
            Ok((heading, table)) => results.add_table(heading, table),
            Err(said) => {
                eprintln!("  failed: {said}");
                failed += 1;
            }
        }
    }
    let mut progress = Progress::new(plan.len(), options);
    for round in 1..=options.rounds {
        if !progress.has_time_for(round) {
            eprintln!("bench: round {round} would not end in time, and is left out");
            break;
        }
        for entry in &plan {
            eprintln!("{}: {}", progress.next(), entry.title());
            match entry.measure(&fleet) {
                Ok(sample) => results.add(entry, round, sample),
                Err(said) => {
                    eprintln!("  failed: {said}");
                    failed += 1;
                }
            }
        }
    }
    results.write(options)?;
    match failed {
        0 => Ok(()),
        _ => Err(format!(
            "{failed} of {} measurements failed; the tables do without them",
            programs.len() + progress.begun
        )),
    }
}

type Group = fn(&Options, &Fleet) -> Result<Vec<figures::Entry>, String>;

/// What can be asked for with `--only`, in the order in which it runs.
pub const GROUPS: &[(&str, Group)] = &[
    ("limits", loads::limits),
    ("single", loads::single),
    ("echo", loads::echo),
    ("sizes", loads::sizes),
    ("connections", loads::connections),
    ("protocols", loads::protocols),
    ("shards", shards::group),
    ("rest_rpc", loads::rest_rpc),
    ("grpc", grpc::unary),
    ("streams", grpc::streams),
    ("heavy", heavy::group),
    ("http", foreign::http),
    ("thrift", loads::thrift),
    ("websocket", sockets::group),
    ("redis", foreign::redis),
    ("redis_clients", stores::redis),
    ("memcached", stores::memcached),
    ("zmq", zmq::group),
    ("neighbours", neighbours::group),
    ("idle", idle::group),
    ("flatbuffers", codecs::flatbuffers),
    ("mcpack", codecs::mcpack),
    ("mixed", mixed::group),
    ("gateway", gateway::group),
    ("gateway_memory", gateway::memory::group),
];
