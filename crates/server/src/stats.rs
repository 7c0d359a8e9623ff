//! Statistics of each method, counted without contention.
//!
//! A shard's thread has its own cells for every method of every server that has called there. The hot path
//! finds them through a thread-local and writes to cache lines that no other core writes.

use crate::{sampling::Activity, table::SharedMethod};
use polywire_engine::{Fault, Faults};
use polywire_hub::{Hub, Reception};
use polywire_metrics::{
    Counter, Gauge, LatencyRecorder, LocalCounter, LocalGauge, LocalLatency, Name, Passive, Reading, Registry,
};
use std::{
    cell::RefCell,
    rc::Rc,
    sync::{Arc, Weak},
    time::Duration,
};

/// Statistics of one method, over all shards.
pub(crate) struct MethodStats {
    /// Latency, count and rate of successful calls only, as in brpc.
    pub latency: LatencyRecorder,
    pub errors: Counter,
    /// Calls that did not finish in their first turn. Inline calls begin and end within one.
    pub concurrency: Gauge,
}

/// Statistics of a server.
pub(crate) struct Stats {
    pub registry: Registry,
    pub methods: Vec<MethodStats>,
    /// Requests refused before a method was found (brpc's `non_service_error`).
    pub refused: Counter,
    pub activity: Arc<Activity>,
}

impl Drop for Stats {
    fn drop(&mut self) {
        self.activity.end();
    }
}

impl Stats {
    pub fn new(methods: &[SharedMethod]) -> Arc<Stats> {
        let methods = methods.iter().map(|_| MethodStats {
            latency: LatencyRecorder::new(),
            errors: Counter::new(),
            concurrency: Gauge::new(),
        });
        Arc::new(Stats {
            registry: Registry::new(),
            methods: methods.collect(),
            refused: Counter::new(),
            activity: Arc::default(),
        })
    }

    /// Exposes all variables under `prefix` (`rpc_server_8000`). If a name is taken already, that variable
    /// stays.
    pub fn expose(&self, prefix: &str, methods: &[SharedMethod], faults: &Arc<Faults>) {
        let registry = &self.registry;
        let _ = polywire_metrics::process::expose(registry);
        let refused = Name::new("error").prefix(prefix).help("requests refused before a method was found");
        let _ = registry.expose(refused, self.refused.clone());
        for fault in Fault::ALL {
            let faults = faults.clone();
            let count = Passive::new(move || Reading::Count(faults.count(fault)));
            let _ = registry.expose(Name::new(fault.name()).prefix(prefix), count);
        }
        for (method, stats) in methods.iter().zip(&self.methods) {
            let name = format!("{prefix}_{}_{}", method.service, method.method.name);
            let _ = registry.expose(Name::new(&name), stats.latency.clone());
            let _ = registry.expose(Name::new("error").prefix(&name), stats.errors.clone());
            let _ = registry.expose(Name::new("concurrency").prefix(&name), stats.concurrency.clone());
        }
    }

    /// Exposes the numbers of peers of sockets, and of messages that were dropped for them.
    pub fn expose_hubs(&self, prefix: &str, receptions: &[Arc<dyn Reception>]) {
        type Figure = (&'static str, &'static str, fn(&Hub) -> Reading);
        const FIGURES: [Figure; 6] = [
            ("connected", "peers", |hub| Reading::Level(hub.connected() as i64)),
            ("unsent", "messages that wait for peers", |hub| Reading::Level(hub.unsent() as i64)),
            ("dropped", "messages that found no room or no peer", |hub| Reading::Count(hub.dropped())),
            ("lost", "messages that waited for a peer when it went", |hub| Reading::Count(hub.lost())),
            ("discarded", "messages of disconnected peers, never received", |hub| {
                Reading::Count(hub.discarded())
            }),
            ("refused", "peers closed for too many topics", |hub| Reading::Count(hub.refused())),
        ];
        for (name, hub) in receptions.iter().flat_map(|reception| reception.hubs()) {
            for (figure, help, read) in FIGURES {
                let hub = hub.clone();
                let name = Name::new(figure).prefix(&format!("{prefix}_{name}")).help(help);
                let _ = self.registry.expose(name, Passive::new(move || read(&hub)));
            }
        }
    }

    /// The calling thread's cells of method `k`.
    #[inline]
    pub fn with<R>(self: &Arc<Self>, k: u32, write: impl FnOnce(&Cells) -> R) -> R {
        NEAR.with_borrow_mut(|near| {
            let at = Arc::as_ptr(self);
            let known = near.iter().position(|(stats, _)| std::ptr::eq(stats.as_ptr(), at));
            let index = known.unwrap_or_else(|| self.settle(near));
            write(&near[index].1[k as usize])
        })
    }

    #[cold]
    fn settle(self: &Arc<Self>, near: &mut Vec<Near>) -> usize {
        near.retain(|(stats, _)| stats.strong_count() > 0);
        let cells = self.methods.iter().map(|method| Cells {
            latency: method.latency.local(),
            errors: method.errors.local(),
            concurrency: method.concurrency.local(),
        });
        near.push((Arc::downgrade(self), cells.collect()));
        near.len() - 1
    }
}

/// One thread's part of a method's statistics.
pub(crate) struct Cells {
    latency: LocalLatency,
    errors: LocalCounter,
    pub concurrency: LocalGauge,
}

impl Cells {
    #[inline]
    pub fn ended(&self, ok: bool, took: Duration) {
        if ok { self.latency.record(took) } else { self.errors.add(1) }
    }
}

type Near = (Weak<Stats>, Rc<[Cells]>);

thread_local! {
    static NEAR: RefCell<Vec<Near>> = const { RefCell::new(Vec::new()) };
}
