//! Hedging: a call that takes long is sent a second time, to another server, and the first answer is used.
//!
//! This file has the options, and the state of each method of a channel. `call/hedge.rs` sends the second
//! request.

use crate::timeline::Timeline;
use arc_swap::ArcSwap;
use polywire_balance::{Budget, HedgeSettings, Hedged, Hedger, Time};
use polywire_base::lock;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

/// When a call is sent a second time while its first request is still under way.
///
/// A call may then be executed twice: only for methods where that is allowed.
#[derive(Clone, Debug)]
pub struct Hedge(Kind);

#[derive(Clone, Debug)]
enum Kind {
    After { delay: Duration, percent: u32 },
    Auto(HedgeSettings),
}

impl Hedge {
    /// Sends the second request after this time, for at most 20 % of the calls of the last 10 s; 10 per
    /// second are always allowed.
    pub fn after(delay: Duration) -> Self {
        Hedge(Kind::After { delay, percent: 20 })
    }

    /// Sends the second request after the 95th percentile of the method's latency, for at most 5 % of the
    /// calls; not while all servers are slow.
    pub fn auto() -> Self {
        Hedge::tuned(HedgeSettings::default())
    }

    /// Like [`Hedge::auto`], with settings of your own.
    pub fn tuned(settings: HedgeSettings) -> Self {
        Hedge(Kind::Auto(settings))
    }

    /// The greatest number of further requests, in percent of the calls of the last 10 s.
    pub fn budget(self, percent: u32) -> Self {
        Hedge(match self.0 {
            Kind::After { delay, .. } => Kind::After { delay, percent },
            Kind::Auto(settings) => Kind::Auto(settings.budget(percent)),
        })
    }
}

/// The greatest number of methods with statistics of their own; further methods share one.
const MOST_METHODS: usize = 1000;

/// The hedging state of a channel.
pub(crate) struct Hedging {
    hedge: Hedge,
    /// The timing of each method, by service and then by method.
    methods: ArcSwap<Methods>,
    further: Arc<Timing>,
    adding: Mutex<()>,
    /// The time of all timings.
    pub timeline: Timeline,
}

type Methods = HashMap<String, HashMap<String, Arc<Timing>>>;

/// When the calls of one method are sent a second time.
pub(crate) enum Timing {
    After { delay: Duration, budget: Budget },
    Auto(Hedger),
}

impl Hedging {
    pub fn new(hedge: Hedge) -> Self {
        let further = Arc::new(Timing::new(&hedge));
        let timeline = Timeline::new();
        Hedging { hedge, methods: ArcSwap::default(), further, adding: Mutex::default(), timeline }
    }

    /// The timing of a method.
    pub fn timing(&self, service: &str, method: &str) -> Arc<Timing> {
        match find(&self.methods.load(), service, method) {
            Some(timing) => timing.clone(),
            None => self.add(service, method),
        }
    }

    #[cold]
    fn add(&self, service: &str, method: &str) -> Arc<Timing> {
        let _adding = lock(&self.adding);
        let mut methods = (*self.methods.load_full()).clone();
        if let Some(timing) = find(&methods, service, method) {
            return timing.clone();
        }
        if methods.values().map(HashMap::len).sum::<usize>() >= MOST_METHODS {
            return self.further.clone();
        }
        let timing = Arc::new(Timing::new(&self.hedge));
        methods.entry(service.to_owned()).or_default().insert(method.to_owned(), timing.clone());
        self.methods.store(Arc::new(methods));
        timing
    }
}

fn find<'m>(methods: &'m Methods, service: &str, method: &str) -> Option<&'m Arc<Timing>> {
    methods.get(service)?.get(method)
}

impl Timing {
    fn new(hedge: &Hedge) -> Self {
        match hedge.0 {
            Kind::After { delay, percent } => {
                Timing::After { delay, budget: Budget::new(percent, 10, Duration::from_secs(10)) }
            }
            Kind::Auto(settings) => Timing::Auto(Hedger::new(settings)),
        }
    }

    /// Records that a call begins. Returns the time after which it is sent again, if [`Timing::may_hedge`]
    /// allows it then.
    pub fn begin(&self, now: Time, thread: usize) -> Option<Duration> {
        match self {
            Timing::After { delay, budget } => {
                budget.called(now, thread);
                Some(*delay)
            }
            Timing::Auto(hedger) => hedger.begin(now, thread),
        }
    }

    pub fn may_hedge(&self, now: Time) -> bool {
        match self {
            Timing::After { budget, .. } => budget.take(now),
            Timing::Auto(hedger) => hedger.may_hedge(now),
        }
    }

    /// A call has been answered, or its time limit has passed.
    pub fn ended(&self, now: Time, latency: Duration, hedged: Hedged) {
        if let Timing::Auto(hedger) = self {
            hedger.ended(now, latency, hedged);
        }
    }
}
