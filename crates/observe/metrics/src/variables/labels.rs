//! Variables of several dimensions: one for each combination of label values.

use crate::{
    sampler::Sampled,
    storage::cells::lock,
    variables::{Labels, Reading, Variable},
};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError, RwLock, Weak,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// The value of every label of the combination that collects all others beyond the limit.
pub const OTHER: &str = "_other";

/// Bytes of a label's value that are kept.
const VALUE_BYTES: usize = 256;

/// Variables of one kind and name that differ in the values of their labels. Cloning shares it.
///
/// Label values often come from outside, so their number is bounded: after [`Labelled::limit`] combinations,
/// 1000 by default, all further ones share one whose values are [`OTHER`]. Values are cut after 256 bytes.
///
/// ```
/// # use polywire_metrics::{Counter, Labelled, Registry};
/// let registry = Registry::new();
/// let orders = Labelled::new(["shop", "state"], Counter::new);
/// registry.expose("orders", orders.clone())?;
/// orders.with(["north", "paid"]).add(2);
/// let open = orders.with(["north", "open"]); // kept, it saves the search
/// open.add(1);
/// let text = "orders{shop=\"north\",state=\"open\"} : 1\r\norders{shop=\"north\",state=\"paid\"} : 2\r\n";
/// assert_eq!(registry.vars(""), text);
/// # Ok::<(), polywire_metrics::ExposeError>(())
/// ```
pub struct Labelled<V, const N: usize>(Arc<Inner<V, N>>);

struct Inner<V, const N: usize> {
    keys: [&'static str; N],
    make: Box<dyn Fn() -> V + Send + Sync>,
    limit: usize,
    variables: RwLock<BTreeMap<[Box<str>; N], V>>,
    /// The variable for combinations beyond the limit, made when it is first needed.
    other: Mutex<Option<V>>,
    beyond: AtomicU64,
}

impl<V: Variable + Clone, const N: usize> Labelled<V, N> {
    /// `make` makes a variable for a new combination of values of these `keys`.
    pub fn new(keys: [&'static str; N], make: impl Fn() -> V + Send + Sync + 'static) -> Self {
        Labelled::limit(keys, make, 1000)
    }

    /// Like [`Labelled::new`], with at most `limit` combinations.
    pub fn limit(
        keys: [&'static str; N],
        make: impl Fn() -> V + Send + Sync + 'static,
        limit: usize,
    ) -> Self {
        Labelled(Arc::new(Inner {
            keys,
            make: Box::new(make),
            limit,
            variables: RwLock::default(),
            other: Mutex::default(),
            beyond: AtomicU64::new(0),
        }))
    }

    /// The variable for these values, created when they are seen for the first time. A frequent caller should
    /// keep it. If all values are [`OTHER`], the variable for combinations beyond the limit.
    pub fn with(&self, values: [&str; N]) -> V {
        if N > 0 && values.iter().all(|value| *value == OTHER) {
            return self.other();
        }
        let values = values.map(|value| Box::from(cut(value)));
        let is_full = {
            let variables = self.read();
            if let Some(known) = variables.get(&values) {
                return known.clone();
            }
            variables.len() >= self.0.limit
        };
        if !is_full {
            // Without the lock, as it is code of the application. One that is made beside another for the
            // same values is dropped.
            let made = (self.0.make)();
            let mut variables = self.0.variables.write().unwrap_or_else(PoisonError::into_inner);
            let known = variables.get(&values).cloned();
            if known.is_none() && variables.len() < self.0.limit {
                variables.insert(values, made.clone());
                return made;
            }
            drop(variables);
            if let Some(known) = known {
                return known;
            }
        }
        self.0.beyond.fetch_add(1, Relaxed);
        self.other()
    }

    /// The variable of combinations beyond the limit.
    fn other(&self) -> V {
        let known = lock(&self.0.other).clone();
        known.unwrap_or_else(|| {
            let made = (self.0.make)();
            lock(&self.0.other).get_or_insert_with(|| made.clone()).clone()
        })
    }

    /// The variable for these values, if there is one.
    pub fn get(&self, values: [&str; N]) -> Option<V> {
        self.read().get(&values.map(|value| Box::from(cut(value)))).cloned()
    }

    /// Removes a combination; false if there is none. Holders of its variable may continue to write to it,
    /// but it is no longer read.
    pub fn remove(&self, values: [&str; N]) -> bool {
        let values = values.map(|value| Box::from(cut(value)));
        let removed = self.0.variables.write().unwrap_or_else(PoisonError::into_inner).remove(&values);
        removed.is_some()
    }

    /// The number of combinations, without the one of [`OTHER`].
    pub fn len(&self) -> usize {
        self.read().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of times that [`Labelled::with`] was called for a combination for which there was no room.
    pub fn beyond_limit(&self) -> u64 {
        self.0.beyond.load(Relaxed)
    }

    fn read(&self) -> impl std::ops::Deref<Target = BTreeMap<[Box<str>; N], V>> {
        self.0.variables.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V, const N: usize> Clone for Labelled<V, N> {
    fn clone(&self) -> Self {
        Labelled(self.0.clone())
    }
}

/// Cuts a value to at most `VALUE_BYTES` bytes, at the end of a character.
fn cut(value: &str) -> &str {
    let mut end = value.len().min(VALUE_BYTES);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    &value[..end]
}

impl<V: Variable + Clone, const N: usize> Inner<V, N> {
    /// A snapshot: variables are read without the lock, since that may run code of the application.
    fn all(&self) -> Vec<([Box<str>; N], V)> {
        let variables = self.variables.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = variables.iter().map(|(values, v)| (values.clone(), v.clone())).collect();
        drop(variables);
        let other = lock(&self.other).clone();
        all.extend(other.map(|other| (std::array::from_fn(|_| Box::from(OTHER)), other)));
        all
    }

    fn sampled(&self) -> impl Iterator<Item = Arc<dyn Sampled>> {
        self.all().into_iter().filter_map(|(_, variable)| variable.sampled()?.upgrade())
    }
}

impl<V: Variable + Clone, const N: usize> Sampled for Inner<V, N> {
    fn sample(&self, now: Instant) {
        self.sampled().for_each(|variable| variable.sample(now));
    }
    fn skip(&self, time: Duration) {
        self.sampled().for_each(|variable| variable.skip(time));
    }
}

impl<V: Variable + Clone + 'static, const N: usize> Variable for Labelled<V, N> {
    fn read(&self) -> Reading {
        let labels = |values: &[Box<str>; N]| -> Labels {
            self.0.keys.iter().zip(values).map(|(key, value)| ((*key).into(), value.to_string())).collect()
        };
        Reading::Labelled(self.0.all().iter().map(|(values, v)| (labels(values), v.read())).collect())
    }
    fn example(&self) -> Reading {
        let labels = self.0.keys.iter().map(|key| ((*key).into(), String::new())).collect();
        Reading::Labelled(vec![(labels, (self.0.make)().read())])
    }
    fn sampled(&self) -> Option<Weak<dyn Sampled>> {
        let whole: Arc<dyn Sampled> = self.0.clone();
        Some(Arc::downgrade(&whole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counter, ExposeError, LatencyRecorder, Metric, Name, Registry};

    #[test]
    fn what_is_beyond_the_limit_is_counted_together() {
        let (registry, calls) = (Registry::new(), Labelled::limit(["peer"], Counter::new, 2));
        registry.expose("calls", calls.clone()).expect("free");
        for peer in ["a", "b", "c", "d", "a"] {
            calls.with([peer]).add(1);
        }
        let text = "calls{peer=\"_other\"} : 2\r\ncalls{peer=\"a\"} : 2\r\ncalls{peer=\"b\"} : 1\r\n";
        assert_eq!((registry.vars(""), calls.len(), calls.beyond_limit()), (text.into(), 2, 2));
        assert!(calls.remove(["a"]) && !calls.remove(["a"]) && calls.get(["a"]).is_none());
        calls.with(["c"]).add(1);
        assert_eq!(calls.get(["c"]).map(|c| c.total()), Some(1), "there is room again");
    }

    #[test]
    fn a_value_from_outside_does_not_make_a_second_other() {
        let (registry, calls) = (Registry::new(), Labelled::limit(["peer"], Counter::new, 2));
        registry.expose("calls", calls.clone()).expect("free");
        ["a", OTHER, "b", "c"].iter().for_each(|peer| calls.with([peer]).add(1));
        let text = "calls{peer=\"_other\"} : 2\r\ncalls{peer=\"a\"} : 1\r\ncalls{peer=\"b\"} : 1\r\n";
        assert_eq!((registry.vars(""), calls.beyond_limit()), (text.into(), 1));
    }

    #[test]
    fn what_makes_a_variable_may_use_the_others() {
        let slot: Arc<Mutex<Option<Labelled<Counter, 1>>>> = Arc::default();
        let all = slot.clone();
        let make = move || {
            // The total of all, which the first ones make.
            let known = lock(&all).clone();
            if let Some(calls) = known.filter(|calls| calls.len() < 2) {
                lock(&all).take();
                calls.with(["total"]).add(1);
            }
            Counter::new()
        };
        let calls = Labelled::limit(["peer"], make, 1);
        *lock(&slot) = Some(calls.clone());
        let (done, is_done) = std::sync::mpsc::channel();
        let counting = calls.clone();
        std::thread::spawn(move || {
            counting.with(["a"]).add(1);
            done.send(counting.get(["total"]).map(|total| total.total()))
        });
        let total = is_done.recv_timeout(Duration::from_secs(20));
        assert_eq!(total, Ok(Some(1)), "it waits for itself");
        assert_eq!((calls.len(), calls.beyond_limit()), (1, 1));
    }

    #[test]
    fn keys_that_prometheus_would_refuse_are_refused() {
        let registry = Registry::new();
        for key in ["le", "", "2xx", "a b", "__name__"] {
            let refused = registry.expose("calls", Labelled::new([key], Counter::new));
            assert_eq!(refused, Err(ExposeError::Label(key.to_owned())));
        }
        let twice = Labelled::new(["zone", "zone"], Counter::new);
        assert!(matches!(registry.expose("calls", twice), Err(ExposeError::Label(_))));
        let zone = Labelled::new(["zone"], Counter::new);
        let named = Name::new("calls").label("zone", "a");
        assert!(matches!(registry.expose(named, zone.clone()), Err(ExposeError::Label(_))));
        let metric = Metric::new("calls", "Calls.").label("zone", "a");
        assert!(matches!(
            registry.expose(Name::new("calls").metric(metric), zone),
            Err(ExposeError::Label(_))
        ));
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        let calls = Labelled::new(["peer"], Counter::new);
        let long = "é".repeat(10_000);
        calls.with([&format!("x{long}")]).add(1);
        calls.with([&format!("x{long}{long}")]).add(1);
        let Reading::Labelled(read) = Variable::read(&calls) else { panic!("labelled") };
        assert_eq!(read.len(), 1, "they begin alike");
        assert_eq!(read[0].0[0].1.len(), 255);
    }

    #[test]
    fn each_combination_has_a_window() {
        let (registry, start) = (Registry::new(), Instant::now());
        let calls = Labelled::new(["method"], LatencyRecorder::new);
        registry.expose("calls", calls.clone()).expect("free");
        registry.tick(start);
        let echo = calls.with(["Echo"]);
        registry.tick(start + Duration::from_secs(1));
        echo.record(Duration::from_micros(30));
        registry.tick(start + Duration::from_secs(2));
        assert_eq!(registry.describe("calls_qps{method=\"Echo\"}").as_deref(), Some("1"));
        assert_eq!(registry.describe("calls_max_latency{method=\"Echo\"}").as_deref(), Some("30"));
    }
}
