//! The figures as metrics.

use super::{DRY, Figures, OfRoute, Shared, Side};
use crate::{
    failure::Reason,
    shadow::counts::{Fate, by_route},
};
use polywire_call::Code;
use polywire_metrics::{
    Labels, LatencyRecorder, Metric, Name, OTHER, Reading, Registry, Sampled, Scale, Variable,
};
use std::{
    sync::{Arc, OnceLock, Weak},
    time::{Duration, Instant},
};

impl Figures {
    /// Shows the figures among these variables. Does nothing if they have figures of relays already.
    pub fn expose(&self, registry: &Registry) {
        let show = |name,
                    help,
                    unit: &'static str,
                    variable: Box<dyn Fn(&Shared) -> _ + Send + Sync>,
                    keys,
                    example| {
            let shared = self.0.clone();
            let shown = Shown { shared, keys, example, read: variable };
            let metric = Metric::new(name, help).unit(unit);
            let _ = registry.expose(Name::of_metric(metric), shown);
        };
        let histogram = || LatencyRecorder::new().histogram();
        show(
            "polywire_gateway_calls",
            "Calls that a route has taken, by the protocols on both sides and by how they ended.",
            "{call}",
            Box::new(Shared::calls),
            &["route", "cluster", "from", "to", "code"][..],
            Reading::Count(0),
        );
        show(
            "polywire_gateway_duration",
            "Time from the arrival of a call to the end of its answer.",
            "s",
            Box::new(|all: &Shared| all.of_routes(|route| vec![(vec![], route.durations.whole.histogram())])),
            &["route"],
            histogram(),
        );
        show(
            "polywire_gateway_overhead",
            "The part of that time in which the call was not with a server.",
            "s",
            Box::new(|all: &Shared| all.of_routes(|route| vec![(vec![], route.overhead.whole.histogram())])),
            &["route"],
            histogram(),
        );
        show(
            "polywire_gateway_errors",
            "Calls that failed, by whose doing that is.",
            "{call}",
            Box::new(|all: &Shared| {
                all.of_routes(|route| {
                    let sides = Side::ALL.into_iter().zip(&route.errors);
                    sides.map(|(side, n)| (vec![side.name()], Reading::Count(n.total()))).collect()
                })
            }),
            &["route", "side"],
            Reading::Count(0),
        );
        show(
            "polywire_gateway_refused",
            "Calls of which no server has executed anything, by the reason in polywire-gateway.",
            "{call}",
            Box::new(|all: &Shared| {
                let mut refused = all.of_routes(|route| {
                    let reasons = Reason::ALL.into_iter().zip(&route.refused).filter(|(_, n)| n.total() > 0);
                    reasons.map(|(reason, n)| (vec![reason.name()], Reading::Count(n.total()))).collect()
                });
                let values = vec![String::new(), Reason::NoRoute.name().to_owned()];
                refused.push((values, Reading::Count(all.unrouted.total())));
                refused
            }),
            &["route", "reason"],
            Reading::Count(0),
        );
        show(
            "polywire_gateway_fault",
            "Calls into which a fault was injected that their route has.",
            "{call}",
            Box::new(|all: &Shared| {
                all.of_routes(|route| {
                    let kinds = ["delay", "abort"].into_iter().zip(&route.injected);
                    let kinds = kinds.filter(|(_, n)| n.total() > 0);
                    kinds.map(|(kind, n)| (vec![kind], Reading::Count(n.total()))).collect()
                })
            }),
            &["route", "kind"],
            Reading::Count(0),
        );
        show(
            "polywire_gateway_dry_run",
            "Calls that were passed on and would have been refused, if it were no dry run.",
            "{call}",
            Box::new(|all: &Shared| {
                all.of_routes(|route| {
                    let passed = DRY.into_iter().zip(&route.would_refuse).filter(|(_, n)| n.total() > 0);
                    passed.map(|(reason, n)| (vec![reason.name()], Reading::Count(n.total()))).collect()
                })
            }),
            &["route", "reason"],
            Reading::Count(0),
        );
        show(
            "polywire_gateway_lost",
            "What of calls has no place on the other side, so that they failed.",
            "{call}",
            Box::new(|all: &Shared| {
                vec![(vec!["attachment".to_owned()], Reading::Count(all.attachments.total()))]
            }),
            &["what"],
            Reading::Count(0),
        );
        show(
            "polywire_gateway_shadow",
            "Copies of calls to a shadow, by what has become of them.",
            "{call}",
            Box::new(|all: &Shared| {
                let shadows = all.all_shadows();
                let of_route = |(route, counts): (&str, [u64; Fate::ALL.len()])| {
                    let route = route.to_owned();
                    let of_fate = move |(fate, count): (Fate, u64)| {
                        (vec![route.clone(), fate.name().to_owned()], Reading::Count(count))
                    };
                    Fate::ALL.into_iter().zip(counts).map(of_fate)
                };
                by_route(&shadows).into_iter().flat_map(of_route).collect()
            }),
            &["route", "result"],
            Reading::Count(0),
        );
        show(
            "polywire_gateway_reload",
            "Looks at a file of settings that had changed: whether it is in use.",
            "{reload}",
            Box::new(|all: &Shared| {
                let results = ["failed", "ok"].into_iter().zip(&all.reloads);
                results.map(|(result, n)| (vec![result.to_owned()], Reading::Count(n.total()))).collect()
            }),
            &["result"],
            Reading::Count(0),
        );
    }
}

impl Shared {
    /// What each route has to show; values of labels follow its name.
    fn of_routes(
        &self,
        read: impl Fn(&OfRoute) -> Vec<(Vec<&'static str>, Reading)>,
    ) -> Vec<(Vec<String>, Reading)> {
        let mut all = Vec::new();
        // There is nothing of a route before its first call.
        for route in self.of_each_route().iter().filter(|route| route.durations.whole.count() > 0) {
            for (values, reading) in read(route) {
                let values = values.into_iter().map(str::to_owned);
                all.push((std::iter::once(route.name.to_string()).chain(values).collect(), reading));
            }
        }
        all
    }

    fn calls(&self) -> Vec<(Vec<String>, Reading)> {
        let mut all = Vec::new();
        for way in self.all() {
            for from in way.calls.iter().filter_map(OnceLock::get) {
                for (code, counter) in Code::ALL.into_iter().zip(&from.codes) {
                    let Some(counter) = counter.get() else { continue };
                    let values = [&*way.route.name, &*way.cluster, from.protocol, way.to, code.name()];
                    all.push((values.map(str::to_owned).to_vec(), Reading::Count(counter.total())));
                }
            }
        }
        if self.beyond.total() > 0 {
            all.push((vec![OTHER.to_owned(); 5], Reading::Count(self.beyond.total())));
        }
        all
    }
}

/// One metric.
struct Shown<F> {
    shared: Arc<Shared>,
    keys: &'static [&'static str],
    example: Reading,
    read: F,
}

impl<F: Fn(&Shared) -> Vec<(Vec<String>, Reading)> + Send + Sync> Variable for Shown<F> {
    fn read(&self) -> Reading {
        let labels = |values: Vec<String>| -> Labels {
            self.keys.iter().map(|key| (*key).to_owned()).zip(values).collect()
        };
        let all = (self.read)(&self.shared).into_iter();
        Reading::Labelled(all.map(|(values, reading)| (labels(values), reading)).collect())
    }

    fn example(&self) -> Reading {
        let labels = self.keys.iter().map(|key| ((*key).to_owned(), String::new())).collect();
        Reading::Labelled(vec![(labels, self.example.clone())])
    }

    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        // All figures have their windows by one of the metrics.
        let shared: Arc<dyn Sampled> = self.shared.clone();
        (self.keys == ["route", "side"]).then(|| Arc::downgrade(&shared))
    }
}

impl Sampled for Shared {
    fn sample(&self, now: Instant) {
        self.each_window(|window| window.sample(now));
    }

    fn skip(&self, time: Duration) {
        self.each_window(|window| window.skip(time));
    }
}

impl Shared {
    fn each_window(&self, visit: impl Fn(&dyn Sampled)) {
        for route in self.of_each_route() {
            let errors = route.errors.iter().map(Variable::sampled);
            let recorders = [&route.durations, &route.overhead].map(|recorder| recorder.whole.sampled());
            errors.chain(recorders).flatten().filter_map(|one| one.upgrade()).for_each(|one| visit(&*one));
        }
    }
}

trait AsHistogram {
    fn histogram(&self) -> Reading;
}

impl AsHistogram for LatencyRecorder {
    fn histogram(&self) -> Reading {
        Reading::Histogram { total: Box::new(self.total()), scale: &Scale::LATENCY, exemplars: Vec::new() }
    }
}
