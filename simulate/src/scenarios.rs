//! What is simulated, by name.

mod slow_server;

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

pub static ALL: &[Scenario] = &[slow_server::SCENARIO];

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
    /// Runs the setups, as many at once as there are processors, and makes something of each. The results are in their order.
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

    fn adapt(&self, mut setup: Setup) -> Setup {
        setup.seed = self.seed;
        if self.quick {
            setup.length = setup.length.min(setup.warm_up + Duration::from_secs(1));
        }
        setup
    }
}
