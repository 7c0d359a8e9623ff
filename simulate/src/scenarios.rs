//! What is simulated, by name.

mod bad_server;
mod checks;
mod clients;
mod hedging;
mod paper;
mod prequal_settings;
mod ramp;
mod recovery;
mod registry;
mod restart;
mod retry_storm;
mod slow_server;
mod zones;

use crate::{chart::Chart, measure::Measured, run::run, setup::Setup, table::Table};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

pub struct Scenario {
    pub name: &'static str,
    pub about: &'static str,
    pub run: fn(&Options) -> Findings,
}

pub static ALL: &[Scenario] = &[
    ramp::SCENARIO,
    prequal_settings::SCENARIO,
    clients::SCENARIO,
    slow_server::SCENARIO,
    bad_server::SCENARIO,
    restart::SCENARIO,
    registry::SCENARIO,
    zones::SCENARIO,
    retry_storm::SCENARIO,
    hedging::SCENARIO,
    recovery::SCENARIO,
    checks::SCENARIO,
];

/// How long a run takes that is to be quick.
const QUICK: Duration = Duration::from_millis(300);

/// How a scenario is run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub seed: u64,
    /// A small part of the time, to see that everything works. The figures are rough.
    pub quick: bool,
}

#[derive(Debug, Default)]
pub struct Findings {
    pub tables: Vec<Table>,
    pub charts: Vec<Chart>,
}

impl Options {
    /// Runs the setups, as many at once as there are processors, and makes something of each. The results are
    /// in their order.
    pub fn each<R: Send>(&self, setups: Vec<Setup>, result: impl Fn(&Setup, Measured) -> R + Sync) -> Vec<R> {
        let setups: Vec<Setup> = setups.into_iter().map(|setup| self.adapt(setup)).collect();
        let results: Vec<Mutex<Option<R>>> = setups.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let i = next.fetch_add(1, Relaxed);
                let Some(setup) = setups.get(i) else { break };
                let found = result(setup, run(setup));
                *results[i].lock().expect("no run panics with the lock") = Some(found);
            }
        };
        thread::scope(|scope| {
            let threads = thread::available_parallelism().map_or(1, usize::from);
            (0..threads).for_each(|_| drop(scope.spawn(work)));
        });
        results
            .into_iter()
            .map(|one| one.into_inner().expect("as above").expect("every setup was run"))
            .collect()
    }

    /// All values, or two of them if it is to be quick.
    pub fn some<T: Copy>(&self, all: &[T]) -> Vec<T> {
        match all {
            [first, .., last] if self.quick => vec![*first, *last],
            all => all.to_vec(),
        }
    }

    fn adapt(&self, mut setup: Setup) -> Setup {
        setup.seed = self.seed;
        if self.quick {
            // Everything happens in a short time, to a few clients.
            let part = |time: Duration| time.mul_f64(QUICK.as_secs_f64() / setup.length.as_secs_f64());
            setup.changes.iter_mut().for_each(|(at, _)| *at = part(*at));
            setup.load.iter_mut().for_each(|(at, _)| *at = part(*at));
            (setup.warm_up, setup.length) = (part(setup.warm_up), part(setup.length));
            setup.clients = setup.clients.min(200);
            setup.deadline = setup.deadline.min(QUICK);
        }
        setup
    }
}
