//! What callgrind has counted: its output files, written without compression of names and positions.
//!
//! ```text
//! part: 3
//! desc: Trigger: --dump-before=SYMBOL
//! summary: 1234           the sum of all functions' own
//! ob=FILE                 the program or library that the next functions are in
//! fn=SYMBOL               the function that the next lines are about
//! 0x4f0 1234              address of an instruction, how often it ran
//! cob=FILE  cfi=FILE
//! cfn=SYMBOL              a function that it calls
//! calls=12 0x8a0          how often
//! 0x4f3 5678              address, instructions: of these calls
//! ```
//!
//! From <https://valgrind.org/docs/manual/cl-format.html>. The cost of a function is what its own
//! instructions are, with those of functions that were inlined into it.

use crate::atomics::{self, Addresses};
use std::{collections::BTreeMap, fs, io, path::Path, sync::Arc};

/// What one thread did in one phase.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Instructions by function.
    pub functions: BTreeMap<String, u64>,
    /// Calls of functions that allocate.
    pub allocations: u64,
    /// Atomic instructions by function.
    pub atomics: BTreeMap<String, u64>,
}

/// The functions of the C library that allocate. `calloc` and the others do not call `malloc` in it.
const ALLOCATING: [&str; 5] = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"];

/// The allocator of these programs, which counts what it gives out; it has atomic operations of its own.
const COUNTING: &str = "polywire_machine_testing";

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
        let (head, profile) = parse(&fs::read_to_string(&path)?, atomics::of).map_err(|line| {
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

/// `atomics`: the addresses of a file's atomic instructions.
///
/// # Errors
/// The line that was not understood, or whose file was not.
fn parse(text: &str, atomics: impl Fn(&str) -> io::Result<Arc<Addresses>>) -> Result<(Head, Profile), &str> {
    let (mut head, mut profile) = (Head::default(), Profile::default());
    let mut atomic = Arc::default();
    let (mut function, mut callee) = (String::new(), "");
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(part) = line.strip_prefix("part: ") {
            head.part = part.parse().map_err(|_| line)?;
        } else if let Some(trigger) = line.strip_prefix("desc: Trigger: ") {
            head.trigger = trigger.to_owned();
        } else if let Some(summary) = line.strip_prefix("summary: ") {
            head.summary = summary.parse().map_err(|_| line)?;
        } else if let Some(object) = line.strip_prefix("ob=") {
            // What is in no file is a few instructions of the system's own.
            atomic = if object == "???" { Arc::default() } else { atomics(object).map_err(|_| line)? };
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
            let (address, own) = line.split_once(' ').ok_or(line)?;
            let own: u64 = own.parse().map_err(|_| line)?;
            *profile.functions.entry(function.clone()).or_default() += own;
            let address = address.strip_prefix("0x").ok_or(line)?;
            let address = u64::from_str_radix(address, 16).map_err(|_| line)?;
            if atomic.contains(&address) && !function.contains(COUNTING) {
                *profile.atomics.entry(function.clone()).or_default() += own;
            }
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

    /// From a run of the server, with three of its functions left.
    const FILE: &str = include_str!("testdata/callgrind");
    const CLONE: &str = "bytes::bytes_mut::shared_v_clone";
    const COUNTED: &str =
        "<polywire_machine_testing::counting::Counting as core::alloc::global::GlobalAlloc>::alloc";

    /// An atomic instruction in each of the last two.
    const ATOMIC: [u64; 2] = [0x1064e93, 0x55a140];

    fn atomics(object: &str) -> io::Result<Arc<Addresses>> {
        Ok(Arc::new(if object == "polywire-cost" { ATOMIC.into() } else { Addresses::default() }))
    }

    #[test]
    fn instructions_are_those_of_each_function_itself_and_calls_are_counted() {
        let (head, profile) = parse(FILE, atomics).expect("it is whole");
        assert_eq!(head.part, 27);
        assert!(head.trigger.contains(crate::marks::SHARD), "{}", head.trigger);
        let functions =
            [("malloc", 196800), (CLONE, 23760), (COUNTED, 43200)].map(|(name, n)| (name.to_owned(), n));
        let atomics = [(CLONE.to_owned(), 2376)].into();
        assert_eq!(profile, Profile { functions: functions.into(), allocations: 4800, atomics });
    }

    #[test]
    fn names_are_without_what_changes_from_build_to_build() {
        const GROW: &str = "_ZN5alloc7raw_vec20RawVecInner$LT$A$GT$11finish_grow17h96e3967e7419cfb3E.llvm.8317335653019528209";
        assert_eq!(name(GROW), "alloc::raw_vec::RawVecInner<A>::finish_grow");
        assert_eq!(name("_int_malloc'2"), "_int_malloc");
    }

    #[test]
    fn a_file_that_was_not_written_to_its_end_is_an_error() {
        let cut = &FILE[..FILE.len() / 2];
        assert_eq!(parse(cut, atomics), Err("its functions are not its summary"));
        assert_eq!(parse("summary: 0\ncalls=x 1", atomics), Err("calls=x 1"));
    }
}
