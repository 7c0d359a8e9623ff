//! What rules look at: the figures of one moment, as plain numbers.

use crate::says::Elsewhere;
use polywire_base::Sort;
use polywire_call::Code;
use polywire_engine::{Fault, Shard, memory::limit_of_group};
use polywire_metrics::{Rate, Registry, process::Usage};
use polywire_server::facts::{
    CallRates, Facts, LiveServer, MethodStats, Served, SharedMethod, is_ours, seconds_now,
};
use std::{
    collections::HashMap,
    sync::{Arc, Weak, atomic::Ordering::Relaxed},
    time::Duration,
};

/// The figures of one moment. Rates and latencies are those of the last ten seconds.
#[derive(Default)]
pub(super) struct Figures {
    /// Methods of the application that were called, refused or given up in the window.
    pub methods: Vec<MethodFigures>,
    pub budgets: Vec<Budget>,
    /// Requests a second, refused ones too.
    pub arrivals: f64,
    /// Connections a second that were closed because there were too many.
    pub turned_away: f64,
    /// Calls a second that were refused for memory, and connections that were closed for it.
    pub out_of_memory: f64,
    /// Connections and requests a second that broke a protocol, or showed no valid credential.
    pub bad_input: f64,
    /// The most frequent cause of these since the start.
    pub bad_cause: &'static str,
    /// The certificates, if there is TLS, and the time: seconds since 1970.
    pub certificates: Option<Served>,
    pub at: f64,
    /// Polls a second that held up their shard longer than its limit.
    pub slow_polls: f64,
    /// The share of a processor that each shard has used; 0 for those that spin, since these use all of
    /// theirs.
    pub shard_cpu: Vec<f64>,
    /// `None`: its memory has no limit.
    pub growth: Option<Growth>,
    pub old_calls: Vec<OldCall>,
}

/// The figures of one method.
#[derive(Clone, Default)]
pub(super) struct MethodFigures {
    /// The method's name, `service/method`.
    pub name: String,
    /// Calls a second that succeeded.
    pub succeeded: f64,
    /// Calls a second that failed, by whoever's fault.
    pub failed: f64,
    /// Calls a second that failed by the server's fault.
    pub ours: f64,
    /// The share of calls that failed by the server's fault from the start until the window.
    pub ours_before: f64,
    /// How most calls failed that failed by the server's fault.
    pub worst: Option<Code>,
    pub late: f64,
    pub refused: f64,
    /// Calls of the window that failed by the server's fault, and that ended too late.
    pub failures: u64,
    pub lates: u64,
    /// Calls of the window whose handler panicked.
    pub panics: u64,
    pub p99: Duration,
    /// The server below in calls to which most of its time goes, and the share; where that is known.
    pub elsewhere: Option<(String, f64)>,
    /// The median of the 99th percentiles of the last hour's minutes; `None` until three of them are known.
    pub usual_p99: Option<Duration>,
}

impl MethodFigures {
    /// Calls a second that came, refused ones too.
    pub fn arrivals(&self) -> f64 {
        self.succeeded + self.failed + self.refused
    }
}

/// By method, the ages of its oldest calls, at most 500 of all, the oldest first.
pub(super) type Ages = HashMap<u32, Vec<Duration>>;

/// A method with old calls.
#[derive(Clone, Default)]
pub(super) struct OldCall {
    /// The method's name, `service/method`.
    pub name: String,
    /// The ages of those that are older than 30 seconds, the oldest first.
    pub ages: Vec<Duration>,
    /// What 99.9 % of its calls took at most; zero: none has ended.
    pub usual: Duration,
}

/// The memory of the process, and how it has changed.
#[derive(Clone, Default)]
pub(super) struct Growth {
    /// Bytes in physical memory in each of the last minutes, the oldest first; at most 60.
    pub minutes: Vec<f64>,
    /// The most that the control group may have, in bytes.
    pub limit: f64,
}

/// Something of which there is a limited amount.
pub(super) struct Budget {
    /// What it is: `connections`.
    pub what: String,
    pub used: f64,
    pub most: f64,
    /// The page that has it.
    pub page: &'static str,
}

/// Rates of totals that are counted elsewhere, sampled with the server's variables.
pub(super) struct Rates {
    turned_away: Rate,
    out_of_memory: Rate,
    bad_input: Rate,
    slow_polls: Rate,
    /// The share of a processor that each shard uses, by the number of the shard.
    shard_cpu: Vec<Rate>,
}

impl Rates {
    pub fn new(server: &Facts) -> Rates {
        let (faults, memory, turned_away) =
            (server.faults.clone(), server.memory.clone(), server.turned_away.clone());
        let live = server.live.upgrade();
        let shards = live.as_ref().map_or(&[][..], |live| live.engine().shards());
        let registry = &server.stats.registry;
        let shards: Vec<Weak<Shard>> = shards.iter().map(Arc::downgrade).collect();
        let rates = Rates {
            turned_away: Rate::new(move || turned_away.load(Relaxed) as f64),
            out_of_memory: Rate::new(move || {
                let report = memory.as_ref().map(|memory| memory.report());
                report.map_or(0.0, |report| (report.refused + report.closed) as f64)
            }),
            bad_input: Rate::new(move || bad_input().map(|fault| faults.count(fault)).sum::<u64>() as f64),
            shard_cpu: shards.iter().cloned().map(cpu).collect(),
            slow_polls: Rate::new(move || {
                shards.iter().filter_map(Weak::upgrade).map(|shard| shard.slow_polls()).sum::<u64>() as f64
            }),
        };
        for rate in [&rates.turned_away, &rates.out_of_memory, &rates.bad_input, &rates.slow_polls] {
            registry.sampler().watch(rate);
        }
        rates.shard_cpu.iter().for_each(|rate| registry.sampler().watch(rate));
        rates
    }
}

/// The CPU time of a shard that sleeps when it has nothing to do.
fn cpu(shard: Weak<Shard>) -> Rate {
    Rate::new(move || {
        let shard = shard.upgrade().filter(|shard| !shard.spins());
        shard.and_then(|shard| shard.cpu_time()).map_or(0.0, |time| time.as_secs_f64())
    })
}

fn bad_input() -> impl Iterator<Item = Fault> {
    Fault::ALL.into_iter().filter(|fault| fault.is_bad_input())
}

impl Figures {
    /// The figures of now.
    pub fn read(
        facts: &Facts,
        server: &dyn LiveServer,
        rates: &Rates,
        ages: &Ages,
        elsewhere: impl Fn(&str) -> Option<Elsewhere>,
    ) -> Figures {
        let registry = facts.stats.shown(); // takes a sample if none was taken lately
        let own = server.methods().iter().zip(&facts.stats.methods);
        let own = own.filter(|(method, _)| !method.standard && !method.is_page());
        let methods: Vec<_> =
            own.filter_map(|(method, stats)| of_method(registry, method, stats, &elsewhere)).collect();
        let worst = bad_input().max_by_key(|fault| server.faults().count(*fault));
        Figures {
            arrivals: methods.iter().map(MethodFigures::arrivals).sum(),
            methods,
            budgets: budgets(server),
            certificates: server.certificates(),
            at: seconds_now(),
            turned_away: rates.turned_away.per_second(),
            out_of_memory: rates.out_of_memory.per_second(),
            bad_input: rates.bad_input.per_second(),
            bad_cause: worst.map_or("", |fault| fault.cause()),
            slow_polls: rates.slow_polls.per_second(),
            shard_cpu: rates.shard_cpu.iter().map(Rate::per_second).collect(),
            growth: growth(registry),
            old_calls: old_calls(server, &facts.stats.methods, ages),
        }
    }
}

fn growth(registry: &Registry) -> Option<Growth> {
    let limit = limit_of_group()? as f64;
    let trend = registry.trend("process_memory_resident")?;
    // Before the process began it is 0.
    Some(Growth { minutes: trend.minutes().filter(|bytes| *bytes > 0.0).collect(), limit })
}

fn old_calls(server: &dyn LiveServer, stats: &[MethodStats], ages: &Ages) -> Vec<OldCall> {
    let of = |(index, ages): (&u32, &Vec<Duration>)| {
        let (method, stats) = (server.methods().get(*index as usize)?, stats.get(*index as usize)?);
        if method.standard || method.is_page() {
            return None;
        }
        let name = format!("{}/{}", method.service, method.method.name());
        Some(OldCall { name, ages: ages.clone(), usual: stats.latency.total().percentile(0.999) })
    };
    ages.iter().filter_map(of).collect()
}

fn of_method(
    registry: &Registry,
    method: &SharedMethod,
    stats: &MethodStats,
    elsewhere: impl Fn(&str) -> Option<Elsewhere>,
) -> Option<MethodFigures> {
    if stats.is_quiet() {
        return None;
    }
    let window = stats.latency.window();
    let CallRates { succeeded, failed, ours, late, refused } = stats.rates(&window);
    let mut figures = MethodFigures {
        name: format!("{}/{}", method.service, method.method.name()),
        succeeded,
        failed,
        ours,
        late,
        refused,
        p99: window.percentile(0.99),
        ..MethodFigures::default()
    };
    let busy = succeeded * window.mean().as_secs_f64();
    figures.elsewhere = elsewhere(&figures.name).filter(|_| busy > 0.0).map(|elsewhere| {
        let (place, in_flight) = elsewhere.most;
        (place, (in_flight / busy).min(1.0))
    });
    if window.count() >= super::methods::LEAST_CALLS {
        figures.usual_p99 = stats.name.get().and_then(|name| usual_p99(registry, name));
    }
    if let Some(trouble) = stats.trouble.get() {
        figures.failures = trouble.ours.window().0;
        figures.lates = trouble.late.window().0;
        figures.panics = trouble.panics.window().0;
        let before = trouble.ours.total().saturating_sub(trouble.ours.window().0) as f64;
        let calls = (stats.latency.count() + stats.errors.total()) as f64;
        let lately = (window.count() + stats.errors.window().0) as f64;
        figures.ours_before = if calls > lately { (before / (calls - lately)).min(1.0) } else { 0.0 };
        let worst = trouble.endings().into_iter().filter_map(|ended| ended.code);
        figures.worst = worst.into_iter().find(|code| is_ours(*code));
    }
    (figures.arrivals() > 0.0 || figures.late > 0.0).then_some(figures)
}

/// The median of the minutes of the last hour in which the method was called.
fn usual_p99(registry: &Registry, name: &str) -> Option<Duration> {
    let trend = registry.trend(&format!("{name}_latency_99"))?;
    let mut minutes: Vec<f64> = trend.minutes().filter(|minute| *minute > 0.0).collect();
    if minutes.len() < 3 {
        return None;
    }
    minutes.order_by(f64::total_cmp);
    Some(Duration::from_nanos((minutes[minutes.len() / 2] * 1000.0) as u64))
}

fn budgets(server: &dyn LiveServer) -> Vec<Budget> {
    let report = server.overload();
    let mut budgets = Vec::new();
    let methods = report.methods.iter().filter_map(|method| {
        Some((format!("memory of {}/{}", method.service, method.method), method.memory.as_ref()?))
    });
    let of_server = report.memory.as_ref().map(|memory| ("memory".to_owned(), memory));
    for (what, memory) in of_server.into_iter().chain(methods) {
        if memory.limit != usize::MAX {
            budgets.push(Budget {
                what,
                used: memory.used as f64,
                most: memory.limit as f64,
                page: "limits",
            });
        }
    }
    if let Some(most) = report.connections.limit {
        let (what, used) = ("connections".to_owned(), report.connections.current as f64);
        budgets.push(Budget { what, used, most: most as f64, page: "connections" });
    }
    if let (Some(used), Some(most)) = (Usage::lately().memory_resident, limit_of_group()) {
        let what = "memory of the control group, in bytes".to_owned();
        budgets.push(Budget { what, used: used as f64, most: most as f64, page: "memory" });
    }
    // Counting descriptors takes time for each: with many connections it is left to `/vars`.
    if report.connections.current < 10_000 {
        let usage = Usage::lately();
        if let (Some(used), Some(most)) = (usage.fds, usage.max_fds) {
            let (what, page) = ("file descriptors".to_owned(), "connections");
            budgets.push(Budget { what, used: used as f64, most: most as f64, page });
        }
    }
    budgets
}
