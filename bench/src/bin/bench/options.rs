//! What the driver was asked to do.

use std::path::PathBuf;
use std::time::Duration;

use crate::GROUPS;

/// The driver's options; [`Options::from_env`] checks them.
#[derive(Debug, Clone)]
pub struct Options {
    /// Fewer loads, one round, short measurements: a look, not a result.
    pub quick: bool,
    pub rounds: usize,
    /// Length of one measurement.
    pub time: Duration,
    only: Vec<String>,
    pub out: PathBuf,
}

impl Options {
    pub fn from_env() -> Result<Options, String> {
        Options::parse(std::env::args().skip(1))
    }

    fn parse(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
        let (mut quick, mut rounds, mut seconds, mut only, mut out) = (false, None, None, Vec::new(), None);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value\n{}", usage()));
            match word.as_str() {
                "--quick" => quick = true,
                "--rounds" => rounds = Some(number(&value()?)?),
                "--seconds" => seconds = Some(number(&value()?)?),
                "--only" => only = value()?.split(',').map(str::to_owned).collect(),
                "--out" => out = Some(PathBuf::from(value()?)),
                _ => return Err(format!("unknown option {word}\n{}", usage())),
            }
        }
        if let Some(name) = only.iter().find(|name| GROUPS.iter().all(|(known, _)| known != name)) {
            return Err(format!("unknown group {name}\n{}", usage()));
        }
        let results = if quick { "results/quick" } else { "results/full" };
        Ok(Options {
            quick,
            rounds: rounds.unwrap_or(if quick { 1.0 } else { 5.0 }).max(1.0) as usize,
            time: Duration::from_secs_f64(seconds.unwrap_or(if quick { 0.25 } else { 3.0 })),
            only,
            out: out.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(results)),
        })
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

fn usage() -> String {
    let groups: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
    format!(
        "usage: cargo xtask bench [--quick] [--only GROUP,GROUP] [--rounds N] [--seconds S] [--out DIR]\n\ngroups: {}",
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
    fn an_unknown_group_or_option_is_named() {
        assert!(parse("--only echo,nope").unwrap_err().contains("nope"));
        assert!(parse("--fast").unwrap_err().contains("--fast"));
    }
}
