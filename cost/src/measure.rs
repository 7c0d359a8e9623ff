//! Measures what a call costs: client and server under callgrind, with the gate between them.

use crate::{
    callgrind::{self, Profile},
    gate::Gate,
    load::{Load, MANY},
    marks,
    program::Program,
};
use std::{collections::BTreeMap, fs, io, path::Path, thread, time::Duration};

/// What a call costs on one side.
#[derive(Clone, Default, Debug)]
pub struct Side {
    pub instructions: f64,
    pub allocations: f64,
    pub atomics: f64,
    /// Instructions by function.
    pub functions: BTreeMap<String, f64>,
    /// Atomic instructions by function.
    pub atomic_functions: BTreeMap<String, f64>,
}

/// What a call of a load costs with so many callers.
pub struct Cost {
    pub load: Load,
    pub callers: u32,
    pub client: Side,
    pub server: Side,
}

/// Phases of a run: so many callers make so many calls each. What a longer phase costs more than a shorter
/// one is the cost of the calls that it has more; what begins and ends a phase costs the same in both.
struct Phases {
    callers: u32,
    /// Calls in the first phase, in which everything is made that stays.
    first: u32,
    shorter: u32,
    longer: u32,
}

/// The phases with one caller, and those with many.
fn phases(load: Load) -> [Phases; 2] {
    let longer = match load {
        // A phase opens its streams; how the C library finds memory for them differs a little, and is spread
        // over more messages.
        Load::GrpcStream => 84,
        _ => 24,
    };
    [
        // All of them within the first 500 calls, after which the server's buffers for one caller have found
        // their size.
        Phases { callers: 1, first: 20, shorter: 20, longer: 70 },
        Phases { callers: MANY, first: 20, shorter: 4, longer },
    ]
}

/// How often the shorter and the longer phase are run, in turn. The least of each counts.
const REPEATS: usize = 3;

/// Measures a load with one caller and with many. `work` is a folder for callgrind's files.
pub fn cost(load: Load, work: &Path) -> io::Result<Vec<Cost>> {
    let folders = ["client", "server"].map(|side| work.join(format!("{}-{side}", load.name())));
    for folder in &folders {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(folder)?,
        }
    }
    let mut server = Program::counted(&["server", "1"], &folders[1])?;
    let mut gate = Gate::new(server.line()?.parse().map_err(io::Error::other)?)?;
    let address = gate.address()?.to_string();
    let mut client = Program::counted(&["client", load.name(), &address], &folders[0])?;
    let mut turns = Vec::new();
    let plan = phases(load);
    for phases in &plan {
        for calls in phases.calls() {
            client.say(&format!("{} {calls}", phases.callers))?;
            // Each call is a turn in both directions; a stream that begins, say, has more.
            turns.push(relay(&mut gate, &client, &server)?.saturating_sub(2 * u64::from(calls)));
            server.say("mark")?;
            server.line()?;
        }
    }
    client.end()?;
    server.end()?;
    let [client, server] = folders.map(|folder| sides(load, &plan, &folder, &turns));
    let costs = plan.iter().zip(client?).zip(server?);
    Ok(costs
        .map(|((phases, client), server)| Cost { load, callers: phases.callers, client, server })
        .collect())
}

impl Phases {
    /// Calls of each phase, in their order.
    fn calls(&self) -> impl Iterator<Item = u32> {
        let pairs = std::iter::repeat_n([self.shorter, self.longer], REPEATS).flatten();
        std::iter::once(self.first).chain(pairs)
    }
}

/// Passes on bytes until the client says that its phase is over. How often there were some.
fn relay(gate: &mut Gate, client: &Program, server: &Program) -> io::Result<u64> {
    let (mut turns, mut idle) = (0, 0);
    loop {
        let passed = gate.turn(client.id(), server.id())?;
        turns += passed;
        match client.line_now() {
            Some(line) if line == "done" => return Ok(turns),
            Some(line) => return Err(io::Error::other(line)),
            None if passed > 0 => idle = 0,
            // Bytes are on their way, or a timer will tell: a bounded wait for either.
            None if idle < 10_000 => {
                idle += 1;
                thread::sleep(Duration::from_millis(1));
            }
            None => return Err(io::Error::other("nobody says anything")),
        }
    }
}

/// One side's cost with one caller and with many. `turns`: how many there were in each phase besides two for
/// each call.
fn sides(load: Load, plan: &[Phases; 2], folder: &Path, turns: &[u64]) -> io::Result<Vec<Side>> {
    let shard = callgrind::phases(folder, marks::SHARD)?;
    let pool = callgrind::phases(folder, marks::POOL)?;
    let each = 1 + 2 * REPEATS;
    (0..plan.len())
        .map(|index| {
            let (phases, range) = (&plan[index], index * each + 1..(index + 1) * each);
            let calls = f64::from(phases.callers * (phases.longer - phases.shorter));
            let of = |profiles: &[Profile]| {
                let profiles = profiles.get(range.clone()).unwrap_or_default();
                let least = |odd| least(profiles, &turns[range.clone()], odd);
                Some(Side::of(least(0)?, least(1)?, calls))
            };
            let told =
                |what: &str| io::Error::other(format!("{}, {} callers: {what}", load.name(), phases.callers));
            let side = of(&shard).ok_or_else(|| told("no phase was in lock step"))?;
            // The pool works by the clock, once a second; what a call does there would be missing here.
            match of(&pool).is_some_and(|pool| pool.instructions > side.instructions / 20.0) {
                true => Err(told("calls run on the work pool")),
                false => Ok(side),
            }
        })
        .collect()
}

/// Of the shorter phases (0) or the longer ones (1) the least that was in lock step: in the others a round
/// went in parts, since the system was late to deliver some bytes, and there were more turns.
fn least<'p>(profiles: &'p [Profile], turns: &[u64], odd: usize) -> Option<&'p Profile> {
    let in_step = *turns.iter().min()?;
    let phases = profiles.iter().zip(turns).skip(odd).step_by(2).filter(|(_, turns)| **turns == in_step);
    phases.map(|(profile, _)| profile).min_by_key(|profile| profile.instructions())
}

impl Side {
    /// By two phases, of which the longer has so many calls more.
    fn of(shorter: &Profile, longer: &Profile, calls: f64) -> Side {
        let more = |longer: u64, shorter: u64| (longer as f64 - shorter as f64) / calls;
        let by_function = |longer: &BTreeMap<String, u64>, shorter: &BTreeMap<String, u64>| {
            let each = longer
                .iter()
                .map(|(name, &count)| (name.clone(), more(count, shorter.get(name).copied().unwrap_or(0))));
            each.collect::<BTreeMap<_, _>>()
        };
        let atomic_functions = by_function(&longer.atomics, &shorter.atomics);
        Side {
            instructions: more(longer.instructions(), shorter.instructions()),
            allocations: more(longer.allocations, shorter.allocations),
            atomics: atomic_functions.values().sum(),
            functions: by_function(&longer.functions, &shorter.functions),
            atomic_functions,
        }
    }
}
