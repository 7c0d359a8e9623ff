//! `cargo xtask simulate`.
#![forbid(unsafe_code)]

use polywire_simulate::{
    scenarios::{ALL, Options, Scenario},
    write,
};
use std::{path::PathBuf, process::ExitCode};

const USAGE: &str = "\
usage: cargo xtask simulate [NAME...] [--seed N] [--out DIR] [--quick]
       cargo xtask simulate --list

  NAME         scenarios; without any, all of them
  --seed N     of all random numbers (default 1): the same seed gives the same results
  --out DIR    writes DIR/*.json and DIR/*.svg, and the tables into DIR/../simulator.md
  --quick      a short part of each run: it shows that everything works, the figures are rough
  --list       the scenarios";

struct Arguments {
    scenarios: Vec<&'static Scenario>,
    options: Options,
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    if arguments == ["--list"] {
        ALL.iter().for_each(|scenario| println!("{:16} {}", scenario.name, scenario.about));
        return ExitCode::SUCCESS;
    }
    let Arguments { scenarios, options, out } = match read(&arguments) {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("simulate: {why}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    for scenario in scenarios {
        let findings = (scenario.run)(&options);
        println!("# {}: {}\n", scenario.name, scenario.about);
        findings.tables.iter().for_each(|table| println!("{}", table.markdown()));
        if let Some(folder) = &out
            && let Err(error) = write(scenario, &options, &findings, folder)
        {
            eprintln!("simulate: cannot write into {}: {error}", folder.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn read(arguments: &[String]) -> Result<Arguments, String> {
    let (mut scenarios, mut out) = (Vec::new(), None);
    let mut options = Options { seed: 1, quick: false };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--seed" => {
                let number = rest.next().and_then(|number| number.parse().ok());
                options.seed = number.ok_or("--seed needs a whole number")?;
            }
            "--out" => out = Some(rest.next().ok_or("--out needs a folder")?.into()),
            name => {
                let found = ALL.iter().find(|scenario| scenario.name == name);
                scenarios.push(found.ok_or_else(|| format!("there is no scenario {name:?}; see --list"))?);
            }
        }
    }
    if scenarios.is_empty() {
        scenarios.extend(ALL);
    }
    Ok(Arguments { scenarios, options, out })
}
