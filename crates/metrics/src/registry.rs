//! Variables by name, and their text in brpc's form.

use crate::{
    cells::lock,
    names::{joined, matches, normalised},
    prometheus,
    sampler::Sampler,
    value::{Reading, Variable},
};
use std::{
    collections::{BTreeMap, HashSet},
    fmt::{self, Write as _},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Where a variable is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Show {
    #[default]
    Everywhere,
    /// In HTML only: not in plain text, nor for Prometheus.
    Html,
    /// In plain text and for Prometheus: not in HTML.
    Text,
}

/// The name of a variable. A string can be used where no prefix, label or help text is needed.
///
/// ```
/// # use polywire_metrics::{Counter, Name, Registry};
/// let (registry, errors) = (Registry::new(), Counter::new());
/// let name = Name::new("error").prefix("rpc_server_8000").label("protocol", "baidu_std").help("failed calls");
/// registry.expose(name, errors.clone())?;
/// assert_eq!(registry.vars("*_error*"), "rpc_server_8000_error{protocol=\"baidu_std\"} : 0\r\n");
/// # Ok::<(), polywire_metrics::ExposeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Name {
    name: String,
    labels: Vec<(String, String)>,
    help: String,
    show: Show,
}

impl Name {
    /// A name; it is converted by [`normalised`].
    pub fn new(name: &str) -> Self {
        Name { name: normalised(name), ..Name::default() }
    }

    pub fn prefix(self, prefix: &str) -> Self {
        Name { name: joined(&normalised(prefix), &self.name), ..self }
    }

    /// Adds a label. Variables of one name may differ in labels. Keys are normalised like names; values may
    /// be any text.
    pub fn label(mut self, key: &str, value: impl Into<String>) -> Self {
        self.labels.push((normalised(key), value.into()));
        self
    }

    /// Sets the text of `# HELP`, one line. Default: the name.
    pub fn help(self, help: impl Into<String>) -> Self {
        Name { help: help.into(), ..self }
    }

    pub fn show(self, show: Show) -> Self {
        Name { show, ..self }
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Name::new(name)
    }
}

/// Why a variable was not exposed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExposeError {
    /// The name is empty, or a latency's name is empty without its suffix `latency`.
    Empty,
    /// Another variable has this name.
    Taken(String),
}

impl fmt::Display for ExposeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExposeError::Empty => f.write_str("a variable needs a name"),
            ExposeError::Taken(name) => write!(f, "a variable named {name} is exposed already"),
        }
    }
}
impl std::error::Error for ExposeError {}

/// One exposed variable.
pub(crate) struct Exposed {
    /// For a latency: without its suffix `latency`.
    pub name: String,
    /// `{key="value",...}`, or empty.
    pub labels: String,
    pub help: String,
    pub show: Show,
    pub variable: Arc<dyn Variable>,
    /// Names, with labels, of its lines in `/vars`.
    lines: Vec<String>,
}

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
}

#[derive(Default)]
struct Inner {
    /// Variables by name and labels.
    exposed: BTreeMap<(String, String), Arc<Exposed>>,
    /// All `lines` of all variables.
    taken: HashSet<String>,
}

impl Registry {
    pub fn new() -> Self {
        Registry::default()
    }

    /// Exposes `variable` from now on, and samples it if it has a window. A latency has several lines; a
    /// trailing `latency` of its name is removed, so that `foo` and `foo_latency` are the same name.
    ///
    /// # Errors
    /// If the name, or one of a latency's names, is taken or empty. Then the variable is not exposed.
    pub fn expose(
        &self,
        name: impl Into<Name>,
        variable: impl Variable + 'static,
    ) -> Result<(), ExposeError> {
        let Name { mut name, labels, help, show } = name.into();
        let reading = variable.read();
        if matches!(reading, Reading::Latency { .. }) {
            name = name.strip_suffix("latency").unwrap_or(&name).trim_end_matches('_').to_owned();
        }
        if name.trim_matches('_').is_empty() {
            return Err(ExposeError::Empty);
        }
        let labels = prometheus::labels(&labels);
        let lines: Vec<String> = lines(&name, &labels, &reading).into_iter().map(|(line, _)| line).collect();
        let mut inner = lock(&self.inner);
        if let Some(taken) = lines.iter().find(|line| inner.taken.contains(*line)) {
            return Err(ExposeError::Taken(taken.clone()));
        }
        inner.taken.extend(lines.iter().cloned());
        self.sampler.watch(&variable);
        let key = (name.clone(), labels.clone());
        let exposed = Exposed { name, labels, help, show, variable: Arc::new(variable), lines };
        inner.exposed.insert(key, Arc::new(exposed));
        Ok(())
    }

    /// Stops exposing a variable; false if it was not exposed. The variable itself still works for those who
    /// hold it.
    pub fn hide(&self, name: impl Into<Name>) -> bool {
        let Name { name, labels, .. } = name.into();
        let labels = prometheus::labels(&labels);
        let short = name.strip_suffix("latency").unwrap_or(&name).trim_end_matches('_').to_owned();
        let mut inner = lock(&self.inner);
        let hidden =
            inner.exposed.remove(&(name, labels.clone())).or_else(|| inner.exposed.remove(&(short, labels)));
        let Some(hidden) = hidden else { return false };
        hidden.lines.iter().for_each(|line| {
            inner.taken.remove(line);
        });
        true
    }

    /// Takes samples if a second has passed; see [`Sampler::tick`].
    pub fn tick(&self, now: Instant) {
        self.sampler.tick(now);
    }

    /// As [`Sampler::skip`].
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
        let mut listed = Vec::new();
        for exposed in self.exposed() {
            if exposed.show != Show::Html && exposed.lines.iter().any(|line| matches(filter, bare(line))) {
                let lines = lines(&exposed.name, &exposed.labels, &exposed.variable.read());
                listed.extend(lines.into_iter().filter(|(line, _)| matches(filter, bare(line))));
            }
        }
        listed.sort();
        listed
    }

    /// The value of the variable with exactly this name, labels included.
    pub fn describe(&self, name: &str) -> Option<String> {
        let exposed = self.exposed().into_iter().find(|e| e.lines.iter().any(|line| line == name))?;
        let lines = lines(&exposed.name, &exposed.labels, &exposed.variable.read());
        lines.into_iter().find_map(|(line, value)| (line == name).then_some(value))
    }

    /// The text of brpc's `/vars`: `name : value` and CRLF per line. Empty if nothing matches the filter.
    pub fn vars(&self, filter: &str) -> String {
        self.list(filter).into_iter().fold(String::new(), |mut text, (name, value)| {
            let _ = write!(text, "{name} : {value}\r\n"); // writing to a String does not fail
            text
        })
    }

    /// Prometheus' text format 0.0.4 (`text/plain; version=0.0.4`), with latencies as summaries in
    /// microseconds. Variables that are texts are left out.
    pub fn prometheus(&self) -> String {
        prometheus::text(&self.exposed(), prometheus::Latencies::Summary)
    }

    /// As [`Registry::prometheus`], with latencies as histograms: unlike summaries, they can be added up over
    /// servers.
    pub fn prometheus_histograms(&self) -> String {
        prometheus::text(&self.exposed(), prometheus::Latencies::Histogram)
    }

    /// A snapshot, because variables are read without the lock: reading them may run code of the application.
    fn exposed(&self) -> Vec<Arc<Exposed>> {
        lock(&self.inner).exposed.values().cloned().collect()
    }
}

/// The name without labels.
fn bare(line: &str) -> &str {
    line.split('{').next().unwrap_or(line)
}

/// The percentiles that are exposed, and brpc's names for them.
pub(crate) const PERCENTILES: [(f64, &str); 5] =
    [(0.8, "80"), (0.9, "90"), (0.99, "99"), (0.999, "999"), (0.9999, "9999")];

/// The lines of a variable in `/vars`.
fn lines(name: &str, labels: &str, reading: &Reading) -> Vec<(String, String)> {
    let one = |value: String| vec![(format!("{name}{labels}"), value)];
    match reading {
        Reading::Count(n) => one(n.to_string()),
        Reading::Level(n) => one(n.to_string()),
        // three digits are enough to read
        Reading::Real(x) => one(((x * 1000.0).round() / 1000.0).to_string()),
        Reading::Text(text) => one(quoted(text)),
        Reading::Latency { window, total } => {
            let micros = |d: Duration| ((d.as_nanos() + 500) / 1000).to_string();
            let mut lines = vec![
                (format!("{name}_latency{labels}"), micros(window.mean())),
                (format!("{name}_max_latency{labels}"), micros(window.max())),
                (format!("{name}_qps{labels}"), format!("{:.0}", window.per_second())),
                (format!("{name}_count{labels}"), total.count().to_string()),
            ];
            lines.extend(PERCENTILES.map(|(ratio, suffix)| {
                (format!("{name}_latency_{suffix}{labels}"), micros(window.percentile(ratio)))
            }));
            lines
        }
    }
}

/// The text in double quotes, on one line, with any contents.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.extend(c.escape_default()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counter, Gauge, LatencyRecorder, Passive};

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
    fn a_variable_may_look_into_its_registry() {
        let registry = Arc::new(Registry::new());
        let inside = Arc::downgrade(&registry);
        let size = move || Reading::Level(inside.upgrade().map_or(0, |r| lock(&r.inner).taken.len() as i64));
        registry.expose("variables", Passive::new(size)).expect("free");
        assert_eq!(registry.vars(""), "variables : 1\r\n");
    }
}
