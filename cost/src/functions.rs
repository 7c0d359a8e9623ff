//! Which functions a call's instructions and atomic operations are in: the second file beside the record, for
//! naming those that grew.
//!
//! ```text
//! grpc, 100 callers: server, instructions
//!     412.3 <polywire_server::dispatch::Dispatch>::begin
//! ```

use std::{collections::BTreeMap, fmt::Write as _};

/// Counts per call by function, by what the record calls its row and column.
pub type Functions = BTreeMap<String, BTreeMap<String, f64>>;

/// The least share of a call with which a function is kept.
const LEAST: f64 = 0.005;
/// How many of the functions that grew are named.
const NAMED: usize = 12;

pub fn key(row: &str, column: &str) -> String {
    format!("{row}: {column}")
}

/// As [`parse`] reads it: functions above the least share, the dearest first.
pub fn text(functions: &Functions) -> String {
    let mut text =
        "Written by `cost/run`: the functions with at least 0.5 % of a call, and what is their own.\n"
            .to_owned();
    for (key, functions) in functions {
        let _ = write!(text, "\n{key}\n");
        let least = functions.values().sum::<f64>() * LEAST;
        let mut kept: Vec<_> = functions.iter().filter(|(_, instructions)| **instructions >= least).collect();
        kept.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
        for (name, instructions) in kept {
            let _ = writeln!(text, "{instructions:10.1} {name}");
        }
    }
    text
}

/// Lines that it does not understand are left out: at worst fewer functions are named.
pub fn parse(text: &str) -> Functions {
    let (mut functions, mut key) = (Functions::new(), "");
    for line in text.lines().skip(1) {
        match line.trim_start().split_once(' ') {
            Some((instructions, name)) if line.starts_with(' ') => {
                if let Ok(instructions) = instructions.parse() {
                    functions.entry(key.to_owned()).or_default().insert(name.to_owned(), instructions);
                }
            }
            _ => key = line,
        }
    }
    functions
}

/// What grew, the most first, in a line each.
pub fn grown(before: Option<&BTreeMap<String, f64>>, now: &BTreeMap<String, f64>) -> Vec<String> {
    let all = now.values().sum::<f64>();
    let mut grown = Vec::new();
    for (name, &now) in now {
        let known = before.and_then(|before| before.get(name)).copied();
        // One that is not kept had less than the least share.
        let more = now - known.unwrap_or(all * LEAST);
        if more > all / 1000.0 {
            let before =
                known.map_or_else(|| format!("under {:.0}", all * LEAST), |before| format!("{before:.0}"));
            grown.push((more, format!("{before} -> {now:.0}  {name}")));
        }
    }
    grown.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    grown.into_iter().take(NAMED).map(|(_, line)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(functions: &[(&str, f64)]) -> BTreeMap<String, f64> {
        functions.iter().map(|&(name, instructions)| (name.to_owned(), instructions)).collect()
    }

    #[test]
    fn what_is_written_is_read_without_the_small_ones() {
        let all = of(&[("<a as b<c>>::d", 900.0), ("e f", 95.5), ("small", 4.5)]);
        let written = Functions::from([(key("grpc, 1 caller", "server, instructions"), all)]);
        let kept = of(&[("<a as b<c>>::d", 900.0), ("e f", 95.5)]);
        assert_eq!(
            parse(&text(&written)),
            Functions::from([("grpc, 1 caller: server, instructions".to_owned(), kept)])
        );
    }

    #[test]
    fn what_grew_is_named_and_the_most_first() {
        let before = of(&[("a", 500.0), ("b", 400.0), ("c", 100.0)]);
        let now = of(&[("a", 510.0), ("b", 400.0), ("c", 150.0), ("new", 30.0), ("tiny", 2.0)]);
        assert_eq!(grown(Some(&before), &now), ["100 -> 150  c", "under 5 -> 30  new", "500 -> 510  a"]);
    }
}
