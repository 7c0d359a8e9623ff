//! Measurements that are programs of their own, with a table of their own: servers that fail, load beyond
//! capacity. Each runs once, before the rounds.

use std::time::Duration;

use crate::fleet::{Fleet, output};
use crate::options::Options;
use crate::words;

/// One of them.
pub struct Program {
    /// What can be asked for with `--only`.
    pub name: &'static str,
    heading: &'static str,
    command: &'static [&'static str],
    /// What its option `--seconds` is, and how many such times it takes.
    seconds: f64,
    times: f64,
}

/// The part of a budget that they have.
pub const PART: f64 = 0.4;
/// With its `--seconds`, the least that means something.
const SHORTEST: f64 = 0.3;

/// In the order in which they run.
pub const PROGRAMS: [Program; 6] = [
    Program {
        name: "faults",
        heading: "Ten servers of which some fail or change, 1000 calls a second",
        command: &["faults", "run"],
        seconds: 12.0,
        times: 90.0,
    },
    Program {
        name: "overload",
        heading: "Load from half to five times capacity",
        command: &["overload", "run", "--out", "{scratch}"],
        seconds: 2.5,
        times: 150.0,
    },
    Program {
        name: "steps",
        heading: "The load rises in steps: CPU that stays idle",
        command: &["overload", "tables", "--only", "steps"],
        seconds: 5.0,
        times: 13.0,
    },
    Program {
        name: "half",
        heading: "The same loads with both processors and with one of them",
        command: &["overload", "tables", "--only", "half"],
        seconds: 5.0,
        times: 15.0,
    },
    Program {
        name: "bad_neighbours",
        heading: "2000 quick calls a second beside bad neighbours",
        command: &["overload", "tables", "--only", "neighbours"],
        seconds: 5.0,
        times: 15.0,
    },
    Program {
        name: "migration",
        heading: "One service with redis-server behind it, called over ubrpc, baidu_std and sofa at once",
        command: &["overload", "tables", "--only", "migration"],
        seconds: 5.0,
        times: 12.0,
    },
];

impl Program {
    /// How long it takes, if its times are scaled so.
    fn takes(&self, scale: f64) -> Duration {
        Duration::from_secs_f64(self.seconds * scale * self.times)
    }

    /// Its heading and its table.
    pub fn run(&self, scale: f64, fleet: &Fleet) -> Result<(String, String), String> {
        let program = fleet.rival(self.command[0]).ok_or(format!("{} is not built", self.command[0]))?;
        let scratch = fleet.scratch.display().to_string();
        let words: Vec<String> =
            self.command[1..].iter().map(|word| word.replace("{scratch}", &scratch)).collect();
        let seconds = (self.seconds * scale).max(SHORTEST);
        let printed = output(&[words![program], words, words!["--seconds", seconds]].concat(), None)?;
        let rows: Vec<&str> = printed.lines().filter(|line| line.starts_with('|')).collect();
        if rows.len() < 3 {
            return Err(format!("{} printed no table: {printed}", self.name));
        }
        Ok((self.heading.to_owned(), rows.join("\n") + "\n"))
    }
}

/// Those that are asked for, and by what their times are multiplied, so that they keep to their part of a
/// budget.
pub fn asked(options: &Options) -> (Vec<&'static Program>, f64) {
    let asked: Vec<&Program> = PROGRAMS.iter().filter(|program| options.wants(program.name)).collect();
    let whole: Duration = asked.iter().map(|program| program.takes(1.0)).sum();
    let scale = match options.budget {
        Some(budget) => (budget.as_secs_f64() * PART / whole.as_secs_f64().max(1.0)).min(1.0),
        None if options.quick => 0.1,
        None => 1.0,
    };
    (asked, scale)
}
