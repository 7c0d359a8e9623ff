//! What callgrind has counted: its output files, written without compression of names and positions.
//!
//! ```text
//! part: 3
//! desc: Trigger: --dump-before=SYMBOL
//! summary: 1234           the sum of all functions' own
//! fn=SYMBOL               the function that the next lines are about
//! 0 1234                  position, instructions: its own
//! cob=FILE  cfi=FILE
//! cfn=SYMBOL              a function that it calls
//! calls=12 0              how often
//! 0 5678                  position, instructions: of these calls
//! ```
//!
//! From <https://valgrind.org/docs/manual/cl-format.html>. The cost of a function is what its own
//! instructions are, with those of functions that were inlined into it.

use std::{collections::BTreeMap, fs, io, path::Path};

/// What one thread did in one phase.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Instructions by function.
    pub functions: BTreeMap<String, u64>,
    /// Calls of functions that allocate.
    pub allocations: u64,
}

/// The functions of the C library that allocate. `calloc` and the others do not call `malloc` in it.
const ALLOCATING: [&str; 5] = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"];

impl Profile {
    pub fn instructions(&self) -> u64 {
        self.functions.values().sum()
    }
}

/// The profiles of the phases that ended in the function with this name, in their order.
///
/// # Errors
/// Those of reading, and of kind `InvalidData` with what was not understood.
pub fn phases(folder: &Path, ends_in: &str) -> io::Result<Vec<Profile>> {
    let mut parts = BTreeMap::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.file_name().is_none_or(|name| !name.to_string_lossy().starts_with("callgrind.")) {
            continue;
        }
        let (head, profile) = parse(&fs::read_to_string(&path)?).map_err(|line| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}: {line}", path.display()))
        })?;
        if head.trigger.contains(ends_in) {
            parts.insert(head.part, profile);
        }
    }
    Ok(parts.into_values().collect())
}

/// The head of a file.
#[derive(Default, Debug, PartialEq, Eq)]
struct Head {
    part: u32,
    trigger: String,
    summary: u64,
}

/// # Errors
/// The line that was not understood.
fn parse(text: &str) -> Result<(Head, Profile), &str> {
    let (mut head, mut profile) = (Head::default(), Profile::default());
    let (mut function, mut callee) = (String::new(), "");
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(part) = line.strip_prefix("part: ") {
            head.part = part.parse().map_err(|_| line)?;
        } else if let Some(trigger) = line.strip_prefix("desc: Trigger: ") {
            head.trigger = trigger.to_owned();
        } else if let Some(summary) = line.strip_prefix("summary: ") {
            head.summary = summary.parse().map_err(|_| line)?;
        } else if let Some(symbol) = line.strip_prefix("fn=") {
            function = name(symbol);
        } else if let Some(symbol) = line.strip_prefix("cfn=") {
            callee = symbol;
        } else if let Some(calls) = line.strip_prefix("calls=") {
            let calls: u64 = calls.split(' ').next().and_then(|calls| calls.parse().ok()).ok_or(line)?;
            if ALLOCATING.contains(&callee) {
                profile.allocations += calls;
            }
            lines.next(); // what the calls cost is counted where it is the callee's own
        } else if line.starts_with(|first: char| first.is_ascii_digit()) {
            let own: u64 = line.split(' ').nth(1).and_then(|own| own.parse().ok()).ok_or(line)?;
            *profile.functions.entry(function.clone()).or_default() += own;
        }
    }
    match profile.instructions() == head.summary {
        true => Ok((head, profile)),
        false => Err("its functions are not its summary"),
    }
}

/// A name as it is in the next build as well: without hashes, without what link-time optimisation appends,
/// and without the number that callgrind gives to a function inside itself.
fn name(symbol: &str) -> String {
    let symbol = symbol.split_once('\'').map_or(symbol, |(symbol, _)| symbol);
    format!("{:#}", rustc_demangle::demangle(symbol))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From a run of the server, with two of its functions left.
    const FILE: &str = include_str!("testdata/callgrind");
    const GROW: &str =
        "_ZN5alloc7raw_vec20RawVecInner$LT$A$GT$11finish_grow17h96e3967e7419cfb3E.llvm.8317335653019528209";

    #[test]
    fn instructions_are_those_of_each_function_itself_and_calls_are_counted() {
        let (head, profile) = parse(FILE).expect("it is whole");
        assert_eq!(head.part, 9);
        assert!(head.trigger.contains(crate::marks::SHARD), "{}", head.trigger);
        let functions = [(name(GROW), 50_000), ("malloc".to_owned(), 41_000)].into();
        assert_eq!(profile, Profile { functions, allocations: 1000 });
    }

    #[test]
    fn names_are_without_what_changes_from_build_to_build() {
        assert_eq!(name(GROW), "alloc::raw_vec::RawVecInner<A>::finish_grow");
        assert_eq!(name("_int_malloc'2"), "_int_malloc");
    }

    #[test]
    fn a_file_that_was_not_written_to_its_end_is_an_error() {
        let cut = &FILE[..FILE.len() / 2];
        assert_eq!(parse(cut), Err("its functions are not its summary"));
        assert_eq!(parse("summary: 0\ncalls=x 1"), Err("calls=x 1"));
    }
}
