//! Tables beside the curves: `overload tables --only NAME`. All but the migration are for our server and for
//! tonic's. The servers are warm, so that the first half second counts.

mod half;
mod migration;
mod neighbours;
mod steps;

use polywire_bench::Args;

use crate::Failure;
use crate::process::Server;

/// Our server and tonic's, both called over gRPC.
const SERVERS: [(&str, &[&str]); 2] = [("polywire", &["serve"]), ("tonic", &["tonic"])];

fn start(words: &[&str], rounds: u64, processor: Option<usize>) -> Result<Server, Failure> {
    Server::start("overload", words, rounds, processor)
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let (only, seconds): (String, f64) = (args.get("only", String::new()), args.get("seconds", 5.0));
    for (name, table) in [
        ("steps", steps::table as fn(f64) -> _),
        ("half", half::table),
        ("neighbours", neighbours::table),
        ("migration", migration::table),
    ] {
        if name.contains(&only) {
            println!("\n{name}:\n");
            table(seconds)?;
        }
    }
    Ok(())
}
