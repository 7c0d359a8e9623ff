//! A registry of variables by name.

pub(crate) mod exposed;
pub(crate) mod name;
pub(crate) mod names;
mod trends;
pub(crate) mod vars;

use crate::{
    exposition::{self, Family, Kind, brpc, prometheus},
    sampler::Sampler,
    storage::{cells::lock, trend::Trend},
    variables::{Reading, Variable},
};
use exposed::Exposed;
use name::{ExposeError, Metric, Name, Show};
use names::matches;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt::Write as _,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use trends::Trends;

/// The variables of a server or a program, and the sampler of their windows.
///
/// ```
/// # use polywire_metrics::{LatencyRecorder, Registry};
/// # use std::time::Instant;
/// let registry = Registry::new();
/// let echo = LatencyRecorder::new();
/// registry.expose("example.EchoService.Echo", echo.clone())?;
/// registry.tick(Instant::now()); // somebody does this every second
/// assert_eq!(registry.describe("example_echo_service_echo_count").as_deref(), Some("0"));
/// # Ok::<(), polywire_metrics::ExposeError>(())
/// ```
#[derive(Default)]
pub struct Registry {
    inner: Mutex<Inner>,
    sampler: Sampler,
    trends: Mutex<Trends>,
    /// Registries whose variables are shown with these.
    included: Mutex<Vec<Arc<Registry>>>,
}

#[derive(Default)]
struct Inner {
    /// Variables by name and labels.
    exposed: BTreeMap<(String, String), Arc<Exposed>>,
    /// All `lines` of all variables.
    taken: HashSet<String>,
    /// The kind of each metric, and the labels of its variables.
    metrics: HashMap<String, (Kind, HashSet<String>)>,
    /// All that the metrics are called in the formats, and the metric of each.
    called: HashMap<String, String>,
}

impl Inner {
    /// Whether a variable of an included registry has names that none here has.
    fn has_room_for(&self, other: &Exposed) -> bool {
        let is_free = |metric: &Metric| !self.called.contains_key(&metric.name);
        other.lines.iter().all(|line| !self.taken.contains(line)) && other.metric.as_ref().is_none_or(is_free)
    }
}

impl Registry {
    pub fn new() -> Self {
        Registry::default()
    }

    /// Exposes `variable` from now on, and samples it if it has a window. A latency has several lines; a
    /// trailing `latency` of its name is removed, so that `foo` and `foo_latency` are the same name.
    ///
    /// A variable with a window belongs to one registry, under as many names as wanted.
    ///
    /// # Errors
    /// The name, one of a latency's names, or the name for Prometheus is taken or invalid. Then the variable
    /// is not exposed.
    pub fn expose(
        &self,
        name: impl Into<Name>,
        variable: impl Variable + 'static,
    ) -> Result<(), ExposeError> {
        self.add(name.into(), Arc::new(variable))
    }

    /// Compiled once, not for each type of variable.
    fn add(&self, name: Name, variable: Arc<dyn Variable>) -> Result<(), ExposeError> {
        let Name { mut name, labels, help, show, metric } = name;
        let reading = variable.example();
        if is_latency(&reading) {
            name = short(&name).to_owned();
        }
        if name.trim_matches('_').is_empty() {
            return Err(ExposeError::Empty);
        }
        let combined: &[(String, String)] = match &reading {
            Reading::Labelled(series) => series.first().map_or(&[], |(combined, _)| combined),
            _ => &[],
        };
        let kind = Kind::of(&reading).filter(|_| !matches!(show, Show::Html | Show::Vars));
        let metric = kind.map(|kind| {
            let given = metric.unwrap_or_else(|| exposition::derived(&name, &labels, help, &reading));
            (kind, Metric { name: kind.full_name(&given.name), ..given })
        });
        if metric.as_ref().is_some_and(|(kind, metric)| kind.is_only_suffix(&metric.name)) {
            return Err(ExposeError::Empty);
        }
        for of in [Some(&labels), metric.as_ref().map(|(_, metric)| &metric.labels)].into_iter().flatten() {
            check_keys(of, combined)?;
        }
        let hidden = show == Show::Metric;
        let lines = if hidden { Vec::new() } else { vars::lines(&name, &labels, &reading) };
        let lines: Vec<String> = lines.into_iter().map(|(line, _)| line).collect();
        let key =
            (if hidden { format!("{name} of Prometheus") } else { name.clone() }, vars::labels(&labels));
        let mut inner = lock(&self.inner);
        if let Some(taken) = lines.iter().find(|line| inner.taken.contains(*line)) {
            return Err(ExposeError::Taken(taken.clone()));
        }
        if inner.exposed.contains_key(&key) {
            return Err(ExposeError::Taken(name + &key.1));
        }
        if let Some((kind, metric)) = &metric {
            let labels = vars::labels(&metric.labels);
            match inner.metrics.get(&metric.name) {
                Some((other, _)) if other != kind => return Err(ExposeError::Kind(metric.name.clone())),
                Some((_, taken)) if taken.contains(&labels) => {
                    return Err(ExposeError::Taken(metric.name.clone() + &labels));
                }
                Some(_) => {}
                None => {
                    let names = kind.names(&metric.name);
                    if let Some(other) = names.iter().find_map(|name| inner.called.get(name)) {
                        return Err(ExposeError::Kind(other.clone()));
                    }
                    inner.called.extend(names.into_iter().map(|name| (name, metric.name.clone())));
                }
            }
            inner.metrics.entry(metric.name.clone()).or_insert((*kind, HashSet::new())).1.insert(labels);
        }
        inner.taken.extend(lines.iter().cloned());
        self.sampler.watch(&*variable);
        let metric = metric.map(|(_, metric)| metric);
        let has_trend = !hidden && !matches!(reading, Reading::Text(_) | Reading::Labelled(_));
        let exposed = Exposed { name, labels, show, metric, variable, lines, has_trend };
        inner.exposed.insert(key, Arc::new(exposed));
        Ok(())
    }

    /// Stops exposing a variable; false if it was not exposed. Holders of the variable can still use it.
    pub fn hide(&self, name: impl Into<Name>) -> bool {
        self.remove(name.into())
    }

    fn remove(&self, Name { name, labels, show, .. }: Name) -> bool {
        let labels = vars::labels(&labels);
        let mut inner = lock(&self.inner);
        let names = match show {
            Show::Metric => [format!("{name} of Prometheus"), String::new()],
            _ => [name.clone(), short(&name).to_owned()],
        };
        let Some(hidden) = names.into_iter().find_map(|name| inner.exposed.remove(&(name, labels.clone())))
        else {
            return false;
        };
        hidden.lines.iter().for_each(|line| {
            inner.taken.remove(line);
        });
        if let Some(metric) = &hidden.metric
            && let Some((kind, taken)) = inner.metrics.get_mut(&metric.name)
        {
            let kind = *kind;
            taken.remove(&vars::labels(&metric.labels));
            if taken.is_empty() {
                inner.metrics.remove(&metric.name);
                kind.names(&metric.name).iter().for_each(|name| {
                    inner.called.remove(name);
                });
            }
        }
        drop(inner); // first: what the variable owns may look into the registry when it goes
        true
    }

    /// Shows the variables of another registry with these, and takes their samples. Where both have a name,
    /// this registry's variable is shown. Several registries may include the same one. Registries that the
    /// other one includes are not shown.
    pub fn include(&self, other: Arc<Registry>) {
        let mut included = lock(&self.included);
        if included.iter().all(|known| !Arc::ptr_eq(known, &other)) {
            included.push(other);
        }
    }

    /// Takes samples if a second has passed; see [`Sampler::tick`].
    pub fn tick(&self, now: Instant) {
        self.tick_own(now);
        self.included().iter().for_each(|included| included.tick_own(now));
    }

    fn tick_own(&self, now: Instant) {
        if !self.sampler.tick(now) {
            return;
        }
        let exposed: Vec<_> = {
            let inner = lock(&self.inner);
            inner.exposed.values().filter(|one| one.has_trend).cloned().collect()
        };
        // Variables are read without the lock, since that may run code of the application.
        let changes: Vec<_> = exposed.iter().map(|one| one.changes()).collect();
        let wanted = lock(&self.trends).begin(now, &exposed, &changes);
        for one in wanted.into_iter().flatten().map(|at| &exposed[at]) {
            let figures = vars::figures(&one.read());
            lock(&self.trends).add(one, figures);
        }
    }

    /// The values of a figure over the last month, by its name in `/vars`, labels included. `None` if there
    /// is no figure of this name, or it has always been 0. Labelled variables have no trend, and a registry
    /// keeps those of its first 16 384 figures.
    pub fn trend(&self, name: &str) -> Option<Trend> {
        let own = lock(&self.trends).get(name);
        own.or_else(|| self.included().iter().find_map(|included| lock(&included.trends).get(name)))
    }

    /// The number of figures with a trend, and of those without room for one. Each takes 1.5 KB.
    pub fn trends_held(&self) -> (usize, u64) {
        lock(&self.trends).held()
    }

    /// Like [`Sampler::skip`]. Included registries are not affected: their samples may be taken elsewhere.
    pub fn skip(&self, time: Duration) {
        self.sampler.skip(time);
    }

    /// The sampler, for variables that are not exposed.
    pub fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    /// Variables in plain text whose names match `filter` (see [`matches()`]), with their values, sorted by
    /// name.
    pub fn list(&self, filter: &str) -> Vec<(String, String)> {
        let shown = |exposed: &&Arc<Exposed>| exposed.is_in_vars();
        let chosen = |exposed: &&Arc<Exposed>| exposed.lines.iter().any(|line| matches(filter, bare(line)));
        let exposed = self.exposed();
        let chosen = exposed.iter().filter(shown).filter(chosen).flat_map(|exposed| exposed.lines());
        let mut listed: Vec<_> = chosen.filter(|(line, _)| matches(filter, bare(line))).collect();
        listed.sort();
        listed
    }

    /// The value of the variable with exactly this name, labels included.
    pub fn describe(&self, name: &str) -> Option<String> {
        let listed = self.list(bare(name));
        listed.into_iter().find_map(|(line, value)| (line == name).then_some(value))
    }

    /// The text of brpc's `/vars`: `name : value` and CRLF per line. Empty if nothing matches the filter.
    pub fn vars(&self, filter: &str) -> String {
        self.list(filter).into_iter().fold(String::new(), |mut text, (name, value)| {
            let _ = write!(text, "{name} : {value}\r\n"); // writing to a String does not fail
            text
        })
    }

    /// All numeric variables, named by Prometheus' conventions, for exporters.
    pub fn families(&self) -> Vec<Family> {
        exposition::families(&self.exposed())
    }

    /// The text of brpc's `/brpc_metrics`: the names and units of [`Registry::vars`], in Prometheus' text
    /// format.
    pub fn brpc_metrics(&self) -> String {
        brpc::text(self.exposed().iter().map(|exposed| &**exposed))
    }

    /// Prometheus' text format 0.0.4 (`text/plain; version=0.0.4`).
    pub fn prometheus(&self) -> String {
        prometheus::text(&self.families(), prometheus::Format::Text)
    }

    /// OpenMetrics 1.0 (`application/openmetrics-text; version=1.0.0; charset=utf-8`).
    pub fn openmetrics(&self) -> String {
        prometheus::text(&self.families(), prometheus::Format::OpenMetrics)
    }

    /// A snapshot of the exposed variables, because they are read without the lock: reading them may run code
    /// of the application.
    fn exposed(&self) -> Vec<Arc<Exposed>> {
        let mut all: Vec<_> = lock(&self.inner).exposed.values().cloned().collect();
        for included in self.included() {
            let others: Vec<_> = lock(&included.inner).exposed.values().cloned().collect();
            let inner = lock(&self.inner);
            all.extend(others.into_iter().filter(|other| inner.has_room_for(other)));
        }
        all
    }

    fn included(&self) -> Vec<Arc<Registry>> {
        lock(&self.included).clone()
    }
}

/// Whether one variable can have labels of these keys.
///
/// # Errors
/// A key is invalid, is one that Prometheus uses itself, or occurs twice.
fn check_keys(given: &[(String, String)], combined: &[(String, String)]) -> Result<(), ExposeError> {
    let mut known = HashSet::new();
    for (label, _) in given.iter().chain(combined) {
        let key = label.replace('.', "_"); // OpenTelemetry's keys have dots
        let is_letter = |c: char| c == '_' || c.is_ascii_alphabetic();
        let is_name = key.starts_with(is_letter) && key.chars().all(|c| is_letter(c) || c.is_ascii_digit());
        let is_taken = matches!(&key[..], "_" | "le" | "quantile") || key.starts_with("__");
        if !is_name || is_taken || !known.insert(key) {
            return Err(ExposeError::Label(label.clone()));
        }
    }
    Ok(())
}

/// The name without labels.
fn bare(line: &str) -> &str {
    line.split('{').next().unwrap_or(line)
}

fn is_latency(reading: &Reading) -> bool {
    match reading {
        Reading::Latency { .. } => true,
        Reading::Labelled(series) => series.first().is_some_and(|(_, reading)| is_latency(reading)),
        _ => false,
    }
}

/// The name of a latency: `foo` of `foo_latency`.
fn short(name: &str) -> &str {
    name.strip_suffix("latency").unwrap_or(name).trim_end_matches('_')
}

#[cfg(test)]
mod tests {
    use super::trends::MOST_TRENDS;
    use super::*;
    use crate::{Computed, Counter, Gauge, LatencyRecorder, Passive, Rate};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn figures_have_trends_and_what_is_quiet_is_not_read() {
        let (registry, start) = (Registry::new(), Instant::now());
        let second = |n: u64| start + Duration::from_secs(n);
        let (calls, echo, reads) = (Counter::new(), LatencyRecorder::new(), Arc::new(AtomicUsize::new(0)));
        registry.expose("calls", calls.clone()).expect("free");
        registry.expose("echo", echo.clone()).expect("free");
        registry.expose("never", Counter::new()).expect("free");
        registry.expose("version", "1.0").expect("free");
        let read = reads.clone();
        let labelled = Computed::new(["disk"], Reading::Level(0), move || {
            read.fetch_add(1, Relaxed);
            vec![]
        });
        registry.expose("disks", labelled).expect("free");
        registry.tick(second(0));
        calls.add(5);
        echo.record(Duration::from_micros(30));
        (1..=90).for_each(|n| registry.tick(second(n)));
        assert_eq!(reads.load(Relaxed), 0, "it has no trend");
        let trend = registry.trend("calls").expect("it counted");
        assert_eq!(trend.seconds().collect::<Vec<_>>(), [5.0; 60]);
        assert_eq!(trend.minutes().last(), Some(59.0 * 5.0 / 60.0), "0 in the first second");
        let qps: Vec<f64> = registry.trend("echo_qps").expect("called").seconds().collect();
        assert_eq!((qps[59], registry.trend("echo_qps").unwrap().minutes().last()), (0.0, Some(qps_mean())));
        assert!(registry.trend("never").is_none() && registry.trend("version").is_none());
        assert_eq!(registry.trends_held(), (10, 0));
        // A day without a sample is filled in, and one sample does not count twice.
        registry.tick(second(90 + 86_400));
        registry.tick(second(90 + 86_400));
        let trend = registry.trend("calls").unwrap();
        assert_eq!(
            (trend.hours().last(), trend.days().last()),
            (Some(5.0), Some((86_399.0 * 5.0) / 86_400.0))
        );
        // What is not exposed any more takes no room.
        assert!(registry.hide("echo"));
        (0..=60).for_each(|n| registry.tick(second(90_000 + n)));
        assert_eq!(registry.trends_held(), (1, 0));
    }

    #[test]
    fn a_variable_that_panics_hides_no_other() {
        let (registry, start) = (Registry::new(), Instant::now());
        let exposed = AtomicUsize::new(0);
        let read = move || match exposed.fetch_add(1, Relaxed) {
            0 => Reading::Level(7),
            _ => panic!("it is asked again"),
        };
        registry.expose("a", Passive::new(read)).expect("free");
        registry.expose("b", Rate::new(|| panic!("it is sampled"))).expect("free");
        let calls = Counter::new();
        registry.expose("c", calls.clone()).expect("free");
        for n in 0..3 {
            calls.add(4);
            registry.tick(start + Duration::from_secs(n));
        }
        let listed = registry.list("");
        assert!(listed.contains(&("a".into(), "\"its code has panicked\"".into())), "{listed:?}");
        assert!(listed.contains(&("c".into(), "12".into())), "{listed:?}");
        assert!(registry.trend("c").is_some());
        assert!(
            registry.prometheus().contains("\nc 12\n") || registry.prometheus().contains("\nc_total 12\n")
        );
        assert!(registry.brpc_metrics().contains("\nc 12\n"));
    }

    /// One call in the window of 10 s: 0.1 per second in ten of 60 seconds, or more while the window is
    /// shorter.
    fn qps_mean() -> f64 {
        let mut sum = 0.0;
        (1..=9).for_each(|seconds| sum += 1.0 / f64::from(seconds));
        (sum + 0.1) / 60.0
    }

    #[test]
    fn there_are_so_many_trends_and_no_more() {
        let (registry, start) = (Registry::new(), Instant::now());
        for n in 0..MOST_TRENDS + 100 {
            let counter = Counter::new();
            counter.add(1);
            registry.expose(&*format!("counter_{n}"), counter).expect("free");
        }
        registry.tick(start);
        let (held, refused) = registry.trends_held();
        assert!(held <= MOST_TRENDS && held + refused as usize == MOST_TRENDS + 100, "{held} {refused}");
    }

    #[test]
    fn an_included_registry_is_shown_and_sampled_where_its_names_are_free() {
        let (registry, process) = (Registry::new(), Arc::new(Registry::new()));
        let (mine, others, start) = (Counter::new(), LatencyRecorder::new(), Instant::now());
        registry.expose("calls", mine.clone()).expect("free");
        process.expose("calls", Gauge::new()).expect("free");
        process.expose("tries", others.clone()).expect("free");
        registry.include(process.clone());
        registry.include(process.clone());
        registry.tick(start);
        others.record(Duration::from_micros(30));
        registry.tick(start + Duration::from_secs(1));
        assert_eq!(registry.describe("calls").as_deref(), Some("0"));
        assert_eq!(registry.describe("tries_qps").as_deref(), Some("1"));
        assert_eq!(registry.vars("calls").lines().count(), 1);
        let text = registry.prometheus();
        assert_eq!(text.matches("# TYPE").count(), 2, "{text}");
        assert!(text.contains("calls_total 0") && text.contains("tries_latency_seconds_count 1"), "{text}");
        // A name that the formats make of another one is taken, too.
        process.expose("calls_total", Gauge::new()).expect("free there");
        assert_eq!(registry.prometheus().matches("# TYPE").count(), 2);
    }

    #[test]
    fn lines_are_sorted_and_strings_quoted() {
        let registry = Registry::new();
        let (errors, level) = (Counter::new(), Gauge::new());
        registry.expose("Var2 Again", errors.clone()).expect("free");
        registry.expose("connections", level.clone()).expect("free");
        registry.expose("a_text", "say \"hi\"\r\npid : 1").expect("free");
        registry.expose("share", Passive::new(|| Reading::Real(0.25))).expect("free");
        errors.add(9);
        level.add(-2);
        let text = "a_text : \"say \\\"hi\\\"\\r\\npid : 1\"\r\nconnections : -2\r\nshare : 0.25\r\nvar2_again : 9\r\n";
        assert_eq!(registry.vars(""), text);
        assert_eq!(registry.vars("con*;$hare"), "connections : -2\r\nshare : 0.25\r\n");
        assert_eq!((registry.vars("nothing"), registry.describe("nothing")), (String::new(), None));
        assert_eq!(registry.describe("var2_again").as_deref(), Some("9"));
    }

    /// Names from brpc's `bvar_variable_unittest.cpp` (its percentiles there are 50, 90, 99).
    #[test]
    fn a_latency_shows_brpcs_names() {
        let names = [
            "foo_bar_count",
            "foo_bar_latency",
            "foo_bar_latency_80",
            "foo_bar_latency_90",
            "foo_bar_latency_99",
            "foo_bar_latency_999",
            "foo_bar_latency_9999",
            "foo_bar_max_latency",
            "foo_bar_qps",
        ];
        for name in ["FooBar__latency", "foo_bar", "FooBar::Latency"] {
            let registry = Registry::new();
            registry.expose(name, LatencyRecorder::new()).expect("free");
            assert_eq!(registry.list("").into_iter().map(|(n, _)| n).collect::<Vec<_>>(), names);
            assert!(registry.hide(name) && registry.list("").is_empty());
        }
        for name in ["", "latency", "Latency", "::"] {
            assert_eq!(Registry::new().expose(name, LatencyRecorder::new()), Err(ExposeError::Empty));
        }
    }

    #[test]
    fn a_latency_shows_microseconds_of_its_window() {
        let (registry, echo, start) = (Registry::new(), LatencyRecorder::new(), Instant::now());
        registry.expose("echo", echo.clone()).expect("free");
        registry.tick(start);
        (1..=1000).for_each(|us| echo.record(Duration::from_micros(us)));
        registry.tick(start + Duration::from_secs(1));
        let value = |name: &str| registry.describe(name).and_then(|v| v.parse::<f64>().ok()).expect(name);
        assert_eq!(
            (value("echo_qps"), value("echo_count"), value("echo_max_latency")),
            (1000.0, 1000.0, 1000.0)
        );
        assert_eq!(value("echo_latency"), 501.0); // 500.5, rounded
        for (name, exact) in
            [("echo_latency_80", 800.0), ("echo_latency_99", 990.0), ("echo_latency_9999", 1000.0)]
        {
            assert!((value(name) - exact).abs() <= exact / 32.0, "{name} : {}", value(name));
        }
    }

    #[test]
    fn a_name_is_taken_once_also_by_a_part_of_a_latency() {
        let registry = Registry::new();
        registry.expose("foo", LatencyRecorder::new()).expect("free");
        assert_eq!(registry.expose("foo_qps", Counter::new()), Err(ExposeError::Taken("foo_qps".into())));
        registry.expose(Name::new("foo_qps").label("zone", "a"), Counter::new()).expect("labels differ");
        assert!(registry.expose(Name::new("foo_qps").label("zone", "a"), Counter::new()).is_err());
        registry.expose("bar_count", Counter::new()).expect("free");
        assert!(registry.expose("bar", LatencyRecorder::new()).is_err());
        assert!(registry.hide("bar_count") && !registry.hide("bar_count"));
        registry.expose("bar", LatencyRecorder::new()).expect("free again");
    }

    #[test]
    fn what_is_for_pages_only_is_not_in_the_text() {
        let registry = Registry::new();
        registry.expose(Name::new("curve").show(Show::Html), "plot").expect("free");
        assert_eq!((registry.vars(""), registry.prometheus()), (String::new(), String::new()));
    }

    #[test]
    fn what_a_hidden_variable_owns_may_look_into_its_registry() {
        struct Hides(Arc<Registry>);
        impl Drop for Hides {
            fn drop(&mut self) {
                self.0.hide("other");
            }
        }
        let registry = Arc::new(Registry::new());
        let owned = Hides(registry.clone());
        let first = Passive::new(move || Reading::Count(Arc::strong_count(&owned.0) as u64));
        registry.expose("first", first).expect("free");
        registry.expose("other", Counter::new()).expect("free");
        let (done, is_done) = std::sync::mpsc::channel();
        let hiding = registry.clone();
        std::thread::spawn(move || done.send(hiding.hide("first")));
        assert_eq!(is_done.recv_timeout(Duration::from_secs(20)), Ok(true), "it waits for itself");
        assert_eq!(registry.vars(""), "");
    }

    #[test]
    fn a_variable_may_look_into_its_registry() {
        let registry = Arc::new(Registry::new());
        let inside = Arc::downgrade(&registry);
        let size = move || Reading::Level(inside.upgrade().map_or(0, |r| lock(&r.inner).taken.len() as i64));
        registry.expose("variables", Passive::new(size)).expect("free");
        assert_eq!(registry.vars(""), "variables : 1\r\n");
    }
}
