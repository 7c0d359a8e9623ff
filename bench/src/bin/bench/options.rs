//! What the driver was asked to do.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::programs::{self, PROGRAMS};
use crate::{GROUPS, machine};

/// What a measurement with a budget takes at least and at most, and what starting and ending it takes
/// besides.
const SHORTEST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(5);
const AROUND: Duration = Duration::from_millis(250);

/// The driver's options; [`Options::from_env`] checks them.
#[derive(Debug, Clone)]
pub struct Options {
    /// Fewer loads, one round, short measurements: a look, not a result.
    pub quick: bool,
    pub rounds: usize,
    /// Length of one measurement, unless `budget` says otherwise.
    pub time: Duration,
    /// How long all of it may take: the measurements become as long as fits, and no further round begins
    /// that would not.
    pub budget: Option<Duration>,
    /// What comes out is a record: it is named after the day, and has notes.
    pub tables: bool,
    /// When the budget began.
    pub began: Instant,
    only: Vec<String>,
    pub out: PathBuf,
}

impl Options {
    pub fn from_env() -> Result<Options, String> {
        Options::parse(std::env::args().skip(1))
    }

    fn parse(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
        let (mut quick, mut rounds, mut seconds, mut budget) = (false, None, None, None);
        let (mut tables, mut only, mut out) = (false, Vec::new(), None);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value\n{}", usage()));
            match word.as_str() {
                "--quick" => quick = true,
                "--tables" => tables = true,
                "--rounds" => rounds = Some(number(&value()?)?),
                "--seconds" => seconds = Some(number(&value()?)?),
                "--budget" => budget = Some(number(&value()?)?),
                "--only" => only = value()?.split(',').map(str::to_owned).collect(),
                "--out" => out = Some(PathBuf::from(value()?)),
                _ => return Err(format!("unknown option {word}\n{}", usage())),
            }
        }
        if let Some(name) = only.iter().find(|name| !names().any(|known| known == *name)) {
            return Err(format!("unknown group {name}\n{}", usage()));
        }
        if seconds.is_some() && budget.is_some() {
            return Err(format!("--budget and --seconds exclude each other\n{}", usage()));
        }
        let results = match (quick, tables) {
            (true, _) => "results/quick".to_owned(),
            (false, true) => format!("results/{}", machine::today()),
            (false, false) => "results/full".to_owned(),
        };
        Ok(Options {
            quick,
            rounds: rounds.unwrap_or(if quick { 1.0 } else { 3.0 }).max(1.0) as usize,
            time: Duration::from_secs_f64(seconds.unwrap_or(if quick { 0.25 } else { 3.0 })),
            began: Instant::now(),
            budget: budget.map(|minutes| Duration::from_secs_f64(minutes * 60.0)),
            tables: tables && !quick,
            only,
            out: out.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(results)),
        })
    }

    /// Length of one measurement of `loads` in each round; programs before them take a part of a budget.
    pub fn time_for(&self, loads: usize, alone: bool) -> Result<Duration, String> {
        let Some(budget) = self.budget else { return Ok(self.time) };
        let budget = if alone { budget } else { budget.mul_f64(1.0 - programs::PART) };
        let measurements = self.rounds * loads.max(1);
        let each = budget / u32::try_from(measurements).map_err(|_| "too many loads")?;
        let least = (SHORTEST + AROUND) * u32::try_from(measurements).expect("checked above");
        each.checked_sub(AROUND).filter(|time| *time >= SHORTEST).map(|time| time.min(LONGEST)).ok_or_else(
            || {
                format!(
                    "{loads} loads in {} rounds take {} minutes or more: --budget, --rounds or --only",
                    self.rounds,
                    least.as_secs().div_ceil(60)
                )
            },
        )
    }

    /// Whether the group `name` is asked for.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == name)
    }
}

fn number(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|n: &f64| n.is_finite() && *n > 0.0)
        .ok_or(format!("{text} is no number\n{}", usage()))
}

/// What can be asked for with `--only`.
fn names() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().map(|program| program.name).chain(GROUPS.iter().map(|(name, _)| *name))
}

fn usage() -> String {
    let groups: Vec<&str> = names().collect();
    format!(
        "usage: cargo xtask bench [--tables] [--quick] [--only GROUP,GROUP] [--rounds N] [--seconds S | --budget MINUTES] [--out DIR]\n\ngroups: {}",
        groups.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Options, String> {
        Options::parse(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn quick_is_one_round_and_a_number_overrules_it() {
        assert_eq!(parse("--quick").unwrap().rounds, 1);
        assert_eq!(parse("--quick --rounds 3").unwrap().rounds, 3);
    }

    #[test]
    fn a_budget_is_shared_by_all_measurements() {
        let options = parse("--budget 30 --rounds 3").unwrap();
        assert_eq!(options.time_for(600, true).unwrap(), Duration::from_millis(750));
        assert_eq!(options.time_for(1, true).unwrap(), LONGEST);
        let said = options.time_for(2000, true).unwrap_err();
        assert!(said.contains("45 minutes"), "{said}");
        assert!(parse("--budget 30 --seconds 1").is_err());
    }

    #[test]
    fn a_record_is_named_after_the_day_unless_it_is_a_look() {
        let name = |words| parse(words).unwrap().out.file_name().unwrap().to_owned();
        assert_eq!(name("--tables --quick"), "quick");
        assert_eq!(name("--tables"), *machine::today());
    }

    #[test]
    fn an_unknown_group_or_option_is_named() {
        assert!(parse("--only echo,nope").unwrap_err().contains("nope"));
        assert!(parse("--fast").unwrap_err().contains("--fast"));
    }
}
