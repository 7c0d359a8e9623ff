//! A profile: stacks with values, and the names of their functions.

use crate::{modules::Mapping, symbols::Symbols};
use std::{
    collections::HashMap,
    time::{Duration, SystemTime},
};

/// Different stacks of one profile.
const MOST_STACKS: usize = 50_000;

/// The subject of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// CPU time that threads have used.
    Cpu,
    /// Memory that is held.
    Heap,
    /// Memory that is held and was not at an earlier time.
    Growth,
    /// Time spent waiting for locks.
    Contention,
}

/// A profile. Stacks have two values each: [`Kind::values`] names them.
#[derive(Clone, Debug)]
pub struct Profile {
    pub kind: Kind,
    pub started: SystemTime,
    pub length: Duration,
    /// The distance of two samples, in the unit of the second value.
    pub period: i64,
    pub samples: Vec<Sample>,
    pub locations: Vec<Location>,
    pub functions: Vec<Function>,
    pub mappings: Vec<Mapping>,
    /// Facts about how the profile was taken: lost samples, cut stacks, ...
    pub facts: Vec<(&'static str, u64)>,
}

/// A stack and its values.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Indices of locations, innermost first.
    pub stack: Vec<u32>,
    pub values: [i64; 2],
    /// `service/method` of the call whose handler ran; `None`: none did, or it is unknown, as for all kinds
    /// but CPU time.
    pub method: Option<&'static str>,
}

/// An address in code.
#[derive(Clone, Debug)]
pub struct Location {
    pub address: u64,
    /// Index of a mapping.
    pub mapping: Option<u32>,
    /// The functions at the location, innermost inlined function first, with their lines.
    pub lines: Vec<(u32, u32)>,
}

/// A function on a stack: its name, and the file that it is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// The name as in the source, without its hash.
    pub name: String,
    pub file: String,
}

impl Kind {
    /// Name and unit of both values, in pprof's terms. The second one is the value that a reader of the
    /// profile looks at.
    pub fn values(self) -> [(&'static str, &'static str); 2] {
        match self {
            Kind::Cpu => [("samples", "count"), ("cpu", "nanoseconds")],
            Kind::Heap | Kind::Growth => [("inuse_objects", "count"), ("inuse_space", "bytes")],
            Kind::Contention => [("contentions", "count"), ("delay", "nanoseconds")],
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Cpu => "cpu",
            Kind::Heap => "heap",
            Kind::Growth => "growth",
            Kind::Contention => "contention",
        }
    }
}

/// The stacks that a profile under way has seen, with their values.
#[derive(Default)]
pub(crate) struct Stacks {
    /// The values by method and stack.
    counts: HashMap<Option<&'static str>, HashMap<Box<[u64]>, [i64; 2]>>,
    /// The number of stacks.
    count: usize,
    /// Values of stacks beyond the bound.
    others: [i64; 2],
}

impl Stacks {
    pub fn add(&mut self, method: Option<&'static str>, stack: &[u64], values: [i64; 2]) {
        let counts = self.counts.entry(method).or_default(); // as many as there are methods
        let into = if self.count < MOST_STACKS && !counts.contains_key(stack) {
            self.count += 1;
            counts.entry(stack.into()).or_default()
        } else {
            counts.get_mut(stack).unwrap_or(&mut self.others)
        };
        into.iter_mut().zip(values).for_each(|(into, value)| *into = into.saturating_add(value));
    }
}

impl Profile {
    /// Looks up the names of all that is on the stacks.
    pub(crate) fn new(
        kind: Kind,
        started: SystemTime,
        length: Duration,
        stacks: &Stacks,
        mappings: &[Mapping],
    ) -> Profile {
        let mut symbols = Symbols::default();
        let mut samples: Vec<Sample> = stacks
            .counts
            .iter()
            .flat_map(|(method, stacks)| stacks.iter().map(move |(stack, values)| (*method, stack, values)))
            .map(|(method, stack, values)| {
                let stack = stack.iter().map(|address| symbols.location(*address, mappings)).collect();
                Sample { stack, values: *values, method }
            })
            .collect();
        if stacks.others != [0, 0] {
            samples.push(Sample { stack: vec![symbols.others()], values: stacks.others, method: None });
        }
        if kind != Kind::Cpu {
            samples.iter_mut().for_each(|sample| symbols.without_own(&mut sample.stack));
        }
        samples.sort_by(|a, b| {
            (b.values[1], b.values[0], &b.stack, b.method).cmp(&(
                a.values[1],
                a.values[0],
                &a.stack,
                a.method,
            ))
        });
        let (locations, functions) = symbols.finish();
        let mappings = mappings.to_vec();
        Profile {
            kind,
            started,
            length,
            period: 1,
            samples,
            locations,
            functions,
            mappings,
            facts: Vec::new(),
        }
    }

    /// The sum of a value of all stacks: 0 or 1, see [`Kind::values`].
    pub fn total(&self, value: usize) -> i64 {
        self.samples.iter().map(|sample| sample.values[value]).fold(0, i64::saturating_add)
    }

    /// Names of the functions of a stack, outermost first.
    pub fn names<'a>(&'a self, sample: &'a Sample) -> impl Iterator<Item = &'a str> {
        let lines = sample.stack.iter().rev().flat_map(|at| self.locations[*at as usize].lines.iter().rev());
        lines.map(|(function, _)| &*self.functions[*function as usize].name)
    }

    /// The profile as folded stacks, which flame graph programs read: a line for each stack, names from the
    /// outermost function on separated by `;`, a space, and the second value.
    pub fn folded(&self) -> String {
        let mut lines: HashMap<String, i64> = HashMap::new();
        for sample in &self.samples {
            let mut line = String::new();
            for name in self.names(sample) {
                if !line.is_empty() {
                    line.push(';');
                }
                line.extend(
                    name.chars().map(|char| if char == ';' || char.is_control() { '_' } else { char }),
                );
            }
            let into = lines.entry(line).or_default();
            *into = into.saturating_add(sample.values[1]);
        }
        let mut lines: Vec<_> = lines.into_iter().collect();
        lines.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        lines.into_iter().map(|(line, value)| format!("{line} {value}\n")).collect()
    }

    /// The second value of each method whose handlers ran, the largest first; code that ran for no handler is
    /// left out.
    pub fn methods(&self) -> Vec<(&'static str, i64)> {
        let mut methods: HashMap<&'static str, i64> = HashMap::new();
        for sample in &self.samples {
            if let Some(method) = sample.method {
                *methods.entry(method).or_default() += sample.values[1];
            }
        }
        let mut methods: Vec<_> = methods.into_iter().collect();
        methods.sort_by(|a, b| (b.1, a.0).cmp(&(a.1, b.0)));
        methods
    }

    /// For each function the value of stacks that end in it, and of all stacks that contain it; the largest
    /// first.
    pub fn top(&self) -> Vec<(&str, i64, i64)> {
        let mut own: HashMap<&str, (i64, i64)> = HashMap::new();
        for sample in &self.samples {
            let mut names: Vec<&str> = self.names(sample).collect();
            if let Some(last) = names.last() {
                own.entry(last).or_default().0 += sample.values[1];
            }
            names.sort_unstable();
            names.dedup(); // a function that calls itself counts once
            names.into_iter().for_each(|name| own.entry(name).or_default().1 += sample.values[1]);
        }
        let mut top: Vec<_> = own.into_iter().map(|(name, (own, all))| (name, own, all)).collect();
        top.sort_by(|a, b| (b.1, b.2, a.0).cmp(&(a.1, a.2, b.0)));
        top
    }
}
